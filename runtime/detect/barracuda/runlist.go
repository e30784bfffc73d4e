// Lists of the epochs of many threads that access one cell.

package barracuda

import (
	"cmp"
	"slices"
)

// runList holds accesses by threads, none of which is known to precede another. New accesses to a long list wait in a log until
// the list is needed.
type runList struct {
	list []epochRun // sorted by warp
	log  []latest   // accesses after those of list
}

// epochRun is equal accesses by the same lanes of consecutive warps.
type epochRun struct {
	warp, warps uint32
	mask        uint32
	clock, site uint32
}

// longList is the number of runs from which a list uses its log, and longLog the length of a log from which it is merged in one
// pass.
const (
	longList = 13
	longLog  = 5
)

func (r *epochRun) end() uint32 { return r.warp + r.warps }

// within reports whether all warps of the run belong to one block; block is the number of the first warp of that block.
func (r *epochRun) within(block uint32) bool {
	return r.warp >= block && r.warp+r.warps-block <= fanout
}

// alike reports whether two runs differ only in their warps.
func (r *epochRun) alike(o *epochRun) bool {
	return r.mask == o.mask && r.clock == o.clock && r.site == o.site
}

// add inserts an access, at once or later.
func (s *runList) add(x *latest) {
	if len(s.log) >= len(s.list) {
		s.settle()
	}
	if len(s.log) == 0 && len(s.list) < longList {
		s.insert(x)
		return
	}
	s.log = append(s.log, *x)
}

// insert makes an access the last one of its lanes, and drops the accesses of the warp that it follows.
func (s *runList) insert(x *latest) {
	i, free := s.seek(x.warp), -1
	for i < len(s.list) && s.list[i].warp <= x.warp {
		r := &s.list[i]
		switch {
		case r.end() <= x.warp: // the first part of a run that was split
			i++
			continue
		case r.warps > 1:
			s.isolate(i, x.warp)
			continue
		case r.clock == x.clock && r.site == x.site:
			r.mask |= x.lanes
			if free >= 0 {
				s.list = slices.Delete(s.list, free, free+1)
				i--
			}
			s.merge(i)
			return
		}
		if r.mask &^= x.lanes; r.mask == 0 || r.mask&^x.path == 0 && r.clock < x.clock {
			if free < 0 {
				free = i
			} else {
				s.list = slices.Delete(s.list, i, i+1)
				continue
			}
		}
		i++
	}
	run := epochRun{warp: x.warp, warps: 1, mask: x.lanes, clock: x.clock, site: x.site}
	if free < 0 {
		s.list = slices.Insert(s.list, i, run)
		s.merge(i)
		return
	}
	copy(s.list[free:i-1], s.list[free+1:i])
	s.list[i-1] = run
	s.merge(i - 1)
}

// seek returns the index of the first run that ends after a warp.
func (s *runList) seek(warp uint32) int {
	n := len(s.list)
	if n == 0 || s.list[n-1].end() <= warp {
		return n
	}
	from, to := 0, n-1
	for from < to {
		if i := int(uint(from+to) / 2); s.list[i].warp+s.list[i].warps > warp {
			to = i
		} else {
			from = i + 1
		}
	}
	return from
}

// isolate splits run i so that a warp of it is a run of its own.
func (s *runList) isolate(i int, warp uint32) {
	r := s.list[i]
	var parts [3]epochRun
	n := 0
	for _, p := range [...][2]uint32{{r.warp, warp}, {warp, warp + 1}, {warp + 1, r.end()}} {
		if p[0] < p[1] {
			parts[n] = r
			parts[n].warp, parts[n].warps = p[0], p[1]-p[0]
			n++
		}
	}
	s.list = slices.Replace(s.list, i, i+1, parts[:n]...)
}

// merge joins run i with neighbours that differ only in their warps.
func (s *runList) merge(i int) {
	if i+1 < len(s.list) && s.list[i].end() == s.list[i+1].warp && s.list[i].alike(&s.list[i+1]) {
		s.list[i].warps += s.list[i+1].warps
		s.list = slices.Delete(s.list, i+1, i+2)
	}
	if i > 0 && s.list[i-1].end() == s.list[i].warp && s.list[i-1].alike(&s.list[i]) {
		s.list[i-1].warps += s.list[i].warps
		s.list = slices.Delete(s.list, i, i+1)
	}
}

// settle merges the log into the list. The result is that of inserting each access, in one pass over the list.
func (s *runList) settle() {
	if len(s.log) == 0 {
		return
	}
	if len(s.log) < longLog {
		for i := range s.log {
			s.insert(&s.log[i])
		}
		s.log = s.log[:0]
		return
	}
	slices.SortStableFunc(s.log, func(x, y latest) int { return cmp.Compare(x.warp, y.warp) })
	var warp runList // the runs of one warp
	old, all := s.list, make([]epochRun, 0, len(s.list)+len(s.log)/2)
	for i := 0; i < len(s.log); {
		id := s.log[i].warp
		for len(old) > 0 && old[0].end() <= id {
			all, old = joined(all, old[0]), old[1:]
		}
		warp.list = warp.list[:0]
		for len(old) > 0 && old[0].warp <= id {
			r := old[0]
			if r.warp < id {
				before := r
				before.warps = id - r.warp
				all = joined(all, before)
				r.warp, r.warps = id, r.warps-before.warps
			}
			own := r
			own.warps = 1
			warp.list = append(warp.list, own)
			if r.warps == 1 {
				old = old[1:]
				continue
			}
			old[0].warp, old[0].warps = id+1, r.end()-(id+1)
			break
		}
		for ; i < len(s.log) && s.log[i].warp == id; i++ {
			warp.insert(&s.log[i])
		}
		for _, r := range warp.list {
			all = joined(all, r)
		}
	}
	for _, r := range old {
		all = joined(all, r)
	}
	s.list, s.log = all, s.log[:0]
}

// joined returns the runs with r appended, or merged into the last one.
func joined(runs []epochRun, r epochRun) []epochRun {
	if n := len(runs); n > 0 && runs[n-1].end() == r.warp && runs[n-1].alike(&r) {
		runs[n-1].warps += r.warps
		return runs
	}
	return append(runs, r)
}
