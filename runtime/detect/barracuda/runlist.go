// Lists of the epochs of many threads that access one cell.

package barracuda

import (
	"cmp"
	"slices"
)

// runList holds accesses by threads, none of which is known to precede another. New accesses to a long list wait in a log until
// the list is needed.
type runList struct {
	list runs      // all runs, or none if long has parts
	long *longRuns // nil if the list has always been short
}

// longRuns is what only long lists have.
type longRuns struct {
	log []latest // accesses after those of the runs
	// parts holds the runs, in order, if a few accesses have been added to very many runs: such an access changes a part only. A part
	// has at least one run, and all runs of its warps.
	parts []runs
}

// longList is the number of runs from which a list uses its log, and longLog the length of a log from which it is merged in one
// pass.
const (
	longList = 13
	longLog  = 5
)

// A list of manyRuns runs gets parts when it has a log shorter than one passShare-th of it. A new part has partRuns runs. None has
// more than mostRuns, unless one warp has, and no two neighbours have less than fewRuns each.
const (
	manyRuns  = 256
	partRuns  = 96
	mostRuns  = 128
	fewRuns   = 32
	passShare = 8
)

// add inserts an access, at once or later.
func (s *runList) add(x *latest) {
	if s.long != nil && len(s.long.log) >= s.size() {
		s.settle()
	}
	if len(s.list) < longList && (s.long == nil || len(s.long.log)+len(s.long.parts) == 0) {
		s.list.insert(x)
		return
	}
	if s.long == nil {
		s.long = new(longRuns)
	}
	s.long.log = append(s.long.log, *x)
}

// size estimates the number of runs.
func (s *runList) size() int { return len(s.list) + len(s.long.parts)*partRuns }

// settle merges the log into the list. The result is that of inserting each access. The work does not grow with the number of
// runs: short logs are merged into parts, and one pass over a list follows a log that has a share of its length.
func (s *runList) settle() {
	if s.long != nil && len(s.long.log) > 0 {
		s.mergeLog()
	}
}

// mergeLog is settle for a log that is not empty.
func (s *runList) mergeLog() {
	l := s.long
	switch n := s.size(); {
	case n >= manyRuns && len(l.log) < n/passShare:
		if len(l.parts) == 0 {
			l.parts, s.list = s.list.divide(), nil
		}
		for i := range l.log {
			l.insert(&l.log[i])
		}
		if len(l.parts) == 1 {
			s.list, l.parts = l.parts[0], nil
		}
	case len(l.parts) == 0 && len(l.log) < longLog:
		for i := range l.log {
			s.list.insert(&l.log[i])
		}
	default:
		all := s.list
		if len(l.parts) > 0 {
			all = s.appendTo(nil)
		}
		s.list, l.parts = all.with(l.log), nil
	}
	l.log = l.log[:0]
}

// with returns the runs with a log merged into them in one pass. It sorts the log, and changes the runs.
func (s runs) with(log []latest) runs {
	slices.SortStableFunc(log, func(x, y latest) int { return cmp.Compare(x.warp, y.warp) })
	var warp runs // the runs of one warp
	old, all := s, make(runs, 0, len(s)+len(log)/2)
	for i := 0; i < len(log); {
		id := log[i].warp
		for len(old) > 0 && old[0].end() <= id {
			all, old = joined(all, old[0]), old[1:]
		}
		warp = warp[:0]
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
			warp = append(warp, own)
			if r.warps == 1 {
				old = old[1:]
				continue
			}
			old[0].warp, old[0].warps = id+1, r.end()-(id+1)
			break
		}
		for ; i < len(log) && log[i].warp == id; i++ {
			warp.insert(&log[i])
		}
		for _, r := range warp {
			all = joined(all, r)
		}
	}
	for _, r := range old {
		all = joined(all, r)
	}
	return all
}

// divide returns the runs as parts, which share their memory.
func (s runs) divide() (parts []runs) {
	for len(s) > mostRuns {
		at := s.border(partRuns)
		if at == 0 {
			break
		}
		parts, s = append(parts, s[:at:at]), s[at:]
	}
	return append(parts, slices.Clip(s))
}

// border returns an index near at where another warp begins, or 0 if there is none between the first and the last run.
func (s runs) border(at int) int {
	for i := at; i < len(s); i++ {
		if s[i].warp != s[i-1].warp {
			return i
		}
	}
	for ; at > 0 && s[at].warp == s[at-1].warp; at-- {
	}
	return at
}

// insert makes an access the last one of its lanes, and drops the accesses of the warp that it follows.
func (l *longRuns) insert(x *latest) {
	i := l.seek(x.warp)
	l.parts[i].insert(x)
	switch n := len(l.parts[i]); {
	case n > mostRuns:
		l.split(i)
	case n < fewRuns:
		l.unite(i)
		l.unite(i - 1)
	}
}

// seek returns the part with the runs of a warp, or where they belong.
func (l *longRuns) seek(warp uint32) int {
	from, to := 0, len(l.parts)-1
	for from < to {
		if i := int(uint(from+to+1) / 2); l.parts[i][0].warp <= warp {
			from = i
		} else {
			to = i - 1
		}
	}
	return from
}

// split divides a part. The last part keeps most of its runs, since warps often come in order.
func (l *longRuns) split(i int) {
	part := l.parts[i]
	at := len(part) / 2
	if i == len(l.parts)-1 {
		at = partRuns
	}
	if at = part.border(at); at > 0 {
		l.parts = slices.Insert(l.parts, i+1, append(make(runs, 0, mostRuns), part[at:]...))
		l.parts[i] = part[:at]
	}
}

// unite makes a part and the next one a single part, if both exist and have few runs together.
func (l *longRuns) unite(i int) {
	if i < 0 || i+1 >= len(l.parts) || len(l.parts[i])+len(l.parts[i+1]) > 2*fewRuns {
		return
	}
	next := l.parts[i+1]
	l.parts[i] = append(joined(l.parts[i], next[0]), next[1:]...)
	l.parts = slices.Delete(l.parts, i+1, i+2)
}

// appendTo appends the runs to a list.
func (s *runList) appendTo(list runs) runs {
	list = append(list, s.list...)
	if s.long != nil {
		for _, part := range s.long.parts {
			list = append(list, part...)
		}
	}
	return list
}

// forget empties the list.
func (s *runList) forget() {
	s.list = s.list[:0]
	if s.long != nil {
		s.long.log, s.long.parts = s.long.log[:0], nil
	}
}
