// Instructions of a loop that access the same memory, checked together for each lane and line.

package scord

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// group is merged columns of a walk that access the same memory. They have the same lanes and the same distance from round to
// round, and their addresses differ by one number in all lanes.
type group struct {
	members []member // in the order in which they access a granule
	apart   int64    // granules from one round to the next
	every   uint64   // the granules of a line that a column accesses if it accesses the first one
	low     int64    // lowest granule that a lane accesses, relative to the lowest one of the first member
	high    int64    // highest one
	stores  bool     // one of the members stores
	only    bool     // all of them store, each to other granules
	kept    [8]kept  // by record
}

// fewStores is the largest number of members that overwrite a line together.
const fewStores = 4

// member is a column of a group.
type member struct {
	column int
	a      *access
	from   int64 // lowest granule that a lane accesses, relative to that of the first member
	to     int64 // highest one
}

// kept says whether a group leaves the metadata of granules with a record as they are.
type kept struct {
	record number
	known  bool
	yes    bool
}

// overlapping moves the columns of the first one's group to the front of a list, and returns their number.
func (w *walk) overlapping(list []int) int {
	from, to := w.columns[list[0]].from, w.columns[list[0]].to
	overlaps := func(c int) bool { return w.columns[c].from < to && from < w.columns[c].to }
	for before := 0; ; {
		n := 0
		for _, c := range list {
			if overlaps(c) {
				from, to, n = min(from, w.columns[c].from), max(to, w.columns[c].to), n+1
			}
		}
		if n == len(list) {
			return n
		}
		if n == before {
			slices.SortStableFunc(list, func(c, d int) int {
				switch in := overlaps(c); {
				case in == overlaps(d):
					return 0
				case in:
					return -1
				}
				return 1
			})
			return n
		}
		before = n
	}
}

// describeGroup sets the group of the walk. It returns false if two columns cannot be described at a time.
func (s *Detector) describeGroup(b *abi.Batch, list []int, warp uint32) bool {
	w := &s.walk
	g := &w.group
	delta := int64(w.columns[list[0]].delta) >> w.shift
	*g = group{members: g.members[:0], apart: max(delta, -delta), every: 1}
	for k := g.apart; k < 1<<lineBits; k *= 2 {
		g.every |= g.every << k
	}
	lane := bits.TrailingZeros32(w.list[list[0]].Mask & w.lanes)
	first := w.lowest(list[0], lane)
	for _, c := range list {
		m := member{column: c, a: s.describe(b, &w.list[c], warp), from: int64(w.lowest(c, lane) - first)}
		for i := range g.members {
			if g.members[i].a == m.a {
				return false
			}
		}
		m.to = m.from + int64(w.columns[c].rounds-1)*g.apart
		g.low, g.high, g.stores = min(g.low, m.from), max(g.high, m.to), g.stores || m.a.store
		g.members = append(g.members, m)
	}
	g.only = g.stores && g.disjoint()
	return true
}

// disjoint reports whether all members store, and no granule is accessed twice.
func (g *group) disjoint() bool {
	for i := range g.members {
		for j := range g.members[:i] {
			if (g.members[i].from-g.members[j].from)%g.apart == 0 {
				return false
			}
		}
		if !g.members[i].a.store {
			return false
		}
	}
	return len(g.members) <= fewStores
}

// lowest returns the lowest granule that a lane accesses in a column.
func (w *walk) lowest(c, lane int) uint64 {
	at := w.list[c].At(lane)
	if col := &w.columns[c]; int64(col.delta) < 0 {
		at += uint64(col.rounds-1) * col.delta
	}
	return at >> w.shift
}

// together checks the accesses of the group.
func (s *Detector) together() {
	w := &s.walk
	c := w.group.members[0].column
	m := w.list[c].Mask & w.lanes
	if w.columns[c].apart == together {
		m &= -m // one lane represents all
	}
	for ; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if first := w.lowest(c, lane); w.group.apart < 1<<lineBits {
			s.lines(first, run(lane))
		} else {
			s.sparse(first, run(lane))
		}
	}
}

// lines checks the group for a lane, line by line. first is the lowest granule that the lane accesses in the first member.
func (s *Detector) lines(first uint64, lane run) {
	g := &s.walk.group
	for n, last := (first+uint64(g.low))>>lineBits, (first+uint64(g.high))>>lineBits; n <= last; n++ {
		line := s.memory.line(n)
		at := int64(first - n<<lineBits) // relative to the line
		if !g.stores && s.keeps(*line) || g.only && s.overwrite(line, at, lane) {
			continue
		}
		for i := range g.members {
			x := &g.members[i]
			if set := g.within(at+x.from, at+x.to); set != 0 {
				s.walk.at = x.column
				s.line(x.a, n, set, lane)
			}
		}
	}
}

// sparse is lines for a group that does not access two granules of a line in one column.
func (s *Detector) sparse(first uint64, lane run) {
	g := &s.walk.group
	for i := range g.members {
		x := &g.members[i]
		s.walk.at = x.column
		for k := x.from; k <= x.to; k += g.apart {
			granule := first + uint64(k)
			s.line(x.a, granule>>lineBits, 1<<(granule%(1<<lineBits)), lane)
		}
	}
}

// within returns the set of granules of a line that a column accesses. from and to are the lowest and the highest granule that the
// column accesses in all rounds, counted from the first granule of the line.
func (g *group) within(from, to int64) uint32 {
	const line = 1 << lineBits
	if from >= line || to < 0 {
		return 0
	}
	if from < 0 {
		from = g.phase(-from)
	}
	set := g.every << from
	if to < line {
		set &= 2<<to - 1
	}
	return uint32(set)
}

// phase returns the first granule of a line that a column accesses, if the column also accesses the granule that lies before granules
// in front of the line.
func (g *group) phase(before int64) int64 {
	if g.apart&(g.apart-1) == 0 {
		return -before & (g.apart - 1)
	}
	return (g.apart - before%g.apart) % g.apart
}

// keeps reports whether the group leaves the metadata of all granules of a line as they are, whichever it accesses.
func (s *Detector) keeps(line run) bool {
	switch {
	case line.whole():
		return s.walk.group.keeps(line.record())
	case line == lineSpread:
		return false
	}
	l := s.memory.divided.at(line.place())
	for i := range l[:l[0].used] {
		if !s.walk.group.keeps(l[i].run.record()) {
			return false
		}
	}
	return true
}

// keeps reports whether the group leaves the metadata of granules with a record as they are.
func (g *group) keeps(record number) bool {
	known := &g.kept[record>>1%uint32(len(g.kept))]
	if known.record != record || !known.known {
		*known = kept{record, true, !owned(record)}
		for i := range g.members {
			to := g.members[i].a.step(record)
			known.yes = known.yes && to.safe && to.kept && to.next == record
		}
	}
	return known.yes
}

// overwrite checks a group that only stores, by one lane, to granules of a line. The granule that the lane accesses first in the
// first member is at from the line's first one. It returns false, without a change, if an access may race or the line has not the
// right form.
func (s *Detector) overwrite(line *run, at int64, lane run) bool {
	if *line >= lineSpread {
		return false
	}
	m, g := &s.memory, &s.walk.group
	if !line.whole() {
		l := m.divided.at(line.place())
		if !l.overwrite(g, at, lane) {
			return false
		}
		m.unite(line, l)
		return true
	}
	place, l := m.divided.take()
	l[0].used, l[0].set, l[0].run = 1, allGranules, *line
	if !l.overwrite(g, at, lane) {
		m.divided.give(place)
		return false
	}
	*line = lineDivided | run(place)
	m.unite(line, l)
	return true
}

// overwrite is Detector.overwrite for a divided line.
func (l *line) overwrite(g *group, at int64, lane run) bool {
	var sets [fewStores]uint32
	var next [fewStores]run
	all := uint32(0)
	for i := range g.members {
		x := &g.members[i]
		set, ok := g.within(at+x.from, at+x.to), false
		if next[i], ok = l.stored(x.a, set, lane); !ok {
			return false
		}
		sets[i] = set
		all |= set
	}
	if l.others(all)+len(g.members) > kinds {
		return false
	}
	l.cut(all)
	for i := range g.members {
		if sets[i] != 0 {
			l.add(sets[i], next[i])
		}
	}
	return true
}

// stored returns the run of the granules in set after a store by a lane. ok is false if there may be a race, or not all get the
// same run.
func (l *line) stored(a *access, set uint32, lane run) (next run, ok bool) {
	for k := range l[:l[0].used] {
		if l[k].set&set == 0 {
			continue
		}
		to := a.step(l[k].run.record())
		r := lane.of(to.next)
		if !to.safe || to.kept || next != 0 && r != next {
			return 0, false
		}
		next = r
	}
	return next, true
}
