// Runs: the accesses of many threads to one cell, sorted by warp.

package barracuda

import "slices"

// epochRun is equal accesses by the same lanes of consecutive warps.
type epochRun struct {
	warp, warps uint32
	mask        uint32
	clock, site uint32
}

// runs is accesses by threads, none of which is known to precede another, sorted by warp. Only runs of the same single
// warp share a warp.
type runs []epochRun

func (r *epochRun) end() uint32 { return r.warp + r.warps }

// within reports whether all warps of the run belong to one block; block is the number of the first warp of that block.
func (r *epochRun) within(block uint32) bool {
	return r.warp >= block && r.warp+r.warps-block <= fanout
}

// alike reports whether two runs differ only in their warps.
func (r *epochRun) alike(o *epochRun) bool {
	return r.mask == o.mask && r.clock == o.clock && r.site == o.site
}

// insert makes an access the last one of its lanes, and drops the accesses of the warp that it follows.
func (s *runs) insert(x *latest) {
	i, free := s.seek(x.warp), -1
	for i < len(*s) && (*s)[i].warp <= x.warp {
		r := &(*s)[i]
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
				*s = slices.Delete(*s, free, free+1)
				i--
			}
			s.merge(i)
			return
		}
		if r.mask &^= x.lanes; r.mask == 0 || r.mask&^x.path == 0 && r.clock < x.clock {
			if free < 0 {
				free = i
			} else {
				*s = slices.Delete(*s, i, i+1)
				continue
			}
		}
		i++
	}
	run := epochRun{warp: x.warp, warps: 1, mask: x.lanes, clock: x.clock, site: x.site}
	if free < 0 {
		*s = slices.Insert(*s, i, run)
		s.merge(i)
		return
	}
	copy((*s)[free:i-1], (*s)[free+1:i])
	(*s)[i-1] = run
	s.merge(i - 1)
}

// seek returns the index of the first run that ends after a warp.
func (s *runs) seek(warp uint32) int {
	n := len(*s)
	if n == 0 || (*s)[n-1].end() <= warp {
		return n
	}
	from, to := 0, n-1
	for from < to {
		if i := int(uint(from+to) / 2); (*s)[i].warp+(*s)[i].warps > warp {
			to = i
		} else {
			from = i + 1
		}
	}
	return from
}

// isolate splits run i so that a warp of it is a run of its own.
func (s *runs) isolate(i int, warp uint32) {
	r := (*s)[i]
	var parts [3]epochRun
	n := 0
	for _, p := range [...][2]uint32{{r.warp, warp}, {warp, warp + 1}, {warp + 1, r.end()}} {
		if p[0] < p[1] {
			parts[n] = r
			parts[n].warp, parts[n].warps = p[0], p[1]-p[0]
			n++
		}
	}
	*s = slices.Replace(*s, i, i+1, parts[:n]...)
}

// merge joins run i with neighbours that differ only in their warps.
func (s *runs) merge(i int) {
	if i+1 < len(*s) && (*s)[i].end() == (*s)[i+1].warp && (*s)[i].alike(&(*s)[i+1]) {
		(*s)[i].warps += (*s)[i+1].warps
		*s = slices.Delete(*s, i+1, i+2)
	}
	if i > 0 && (*s)[i-1].end() == (*s)[i].warp && (*s)[i-1].alike(&(*s)[i]) {
		(*s)[i-1].warps += (*s)[i].warps
		*s = slices.Delete(*s, i, i+1)
	}
}
