// Loops in which a warp steps through memory, checked many iterations at a time.

package scord

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A walk is a loop in which the lanes of a warp step through memory. Every round executes the same instructions. From one round to
// the next, the address of an instruction grows by the same number of bytes in all lanes; the lanes of one instruction may access
// any addresses. The last round may be incomplete. The detector checks all rounds of a lane, an instruction (column) and a line
// together, provided that no two lanes access the same granule and the order in which the instructions access a granule is known.
//
// BenchmarkWalks shows a tenth of the time for a loop of four accesses.

const (
	walkColumns = 16 // accesses in a round
	walkRounds  = 4  // fewer rounds are no walk
)

// walk is a sequence of accesses of a batch that come in rounds.
type walk struct {
	list    []abi.Access // round after round; of a loop only the first two
	count   int          // number of accesses
	rounds  int          // the last one included
	columns []column     // the accesses of a round
	shift   uint         // from addresses to granules
	uneven  bool         // the distances of columns differ from lane to lane
	lanes   uint32       // the lanes that are checked together
	spans   []span       // of all lanes, for distinct

	group   group   // the columns being checked
	busy    bool    // races are collected in clashes
	at      int     // index in list of the access being checked
	merging bool    // together with those of later rounds
	sliding bool    // the same, as a row that moves
	clashes []clash // reported once they are in order
}

// column is one access of the loop, in all rounds.
type column struct {
	delta    uint64 // bytes from one round to the next
	rounds   int
	from, to uint64 // granules accessed, without to; equal for none
	apart    uint64 // least distance of two lanes in bytes; 0 if their addresses are in no order, together for one address
	aligned  bool   // each lane accesses one granule in a round, at the same place in all rounds
	merged   bool   // its rounds may be checked together, lane by lane
	slides   bool   // its rounds may be checked together, as a row that moves
}

// together is the distance of lanes if there is only one, or one that represents all.
const together = ^uint64(0)

// strides reports whether an access may be part of a walk: most lanes access granules that are not adjacent.
func (w *walk) strides(x *abi.Access, shift uint) bool {
	switch {
	case uint64(x.Bytes) > 1<<shift:
		return false
	case x.Addr != nil:
		return 2*bits.OnesCount32(x.Next) <= bits.OnesCount32(x.Mask)
	}
	return x.Step != 1<<shift || x.Mask&(x.Mask-1) == 0
}

// cover sets the number of accesses, in rounds of p.
func (w *walk) cover(n, p int) {
	w.count, w.rounds = n, (n+p-1)/p
	for c := range w.columns {
		w.columns[c].rounds = (n - c + p - 1) / p
	}
}

// begin sets w to a loop. It returns false if it is no walk that can be merged.
func (w *walk) begin(b *abi.Batch, l *abi.Loop, shift uint) bool {
	p := l.Period
	if p > walkColumns || l.Len() < walkRounds*p {
		return false
	}
	w.shift, w.list = shift, b.List[l.At:l.At+l.Listed]
	w.columns = slices.Grow(w.columns[:0], walkColumns)[:p]
	strides := 0
	for c := range w.columns {
		x := &w.list[c]
		if infersLock(x) {
			return false
		}
		delta, _ := offset(x, &w.list[c+p])
		if w.strides(x, shift) || distance(delta, 0) == 1<<shift {
			strides++
		}
		w.columns[c] = column{delta: delta}
	}
	w.cover(l.Len(), p)
	return 2*strides > p && w.judge()
}

// nth returns an access of the walk, in space if it is in no list.
func (w *walk) nth(n int, space *abi.Access) *abi.Access {
	if n < len(w.list) {
		return &w.list[n]
	}
	c := n % len(w.columns)
	*space = w.list[c]
	space.Base += uint64(n/len(w.columns)) * w.columns[c].delta
	return space
}

// offset returns the bytes from each lane's address in x to that in y. It returns false if they differ. The masks are equal.
func offset(x, y *abi.Access) (delta uint64, ok bool) {
	switch {
	case x.Addr == nil && y.Addr == nil:
		return y.Base - x.Base, y.Step == x.Step
	case x.Addr == nil || y.Addr == nil || x.Mask == 0:
		return 0, false
	}
	delta = y.At(bits.TrailingZeros32(x.Mask)) - x.At(bits.TrailingZeros32(x.Mask))
	for m := x.Mask & (x.Mask - 1); m != 0; m &= m - 1 {
		if lane := bits.TrailingZeros32(m); y.At(lane)-x.At(lane) != delta {
			return 0, false
		}
	}
	return delta, true
}

// judge finds the columns that may be merged, and reports whether there are any.
func (w *walk) judge() bool {
	for c := range w.columns {
		w.measure(c)
	}
	for again := true; again; {
		again = false
		for c := range w.columns {
			if w.columns[c].merged && !w.ordered(c) {
				w.columns[c].merged, again = false, true
			}
		}
	}
	for c := range w.columns {
		w.columns[c].slides = w.slides(c)
	}
	w.lanes, w.uneven = ^uint32(0), false
	if any, rest := w.some(true), w.some(false); any && !rest || !w.distinct() {
		return any
	}
	w.uneven = true
	return true
}

// some reports whether the rounds of a column that may race are checked together, or are not.
func (w *walk) some(together bool) bool {
	for c := range w.columns {
		if col := &w.columns[c]; col.from != col.to && (col.merged || col.slides) == together {
			return true
		}
	}
	return false
}

// measure finds the granules that a column accesses, and whether each lane has its own.
func (w *walk) measure(c int) {
	col, x := &w.columns[c], &w.list[c]
	col.from, col.to, col.merged, col.aligned, col.slides = 0, 0, false, false, false
	if !mayRace(x) {
		return
	}
	within, granule := uint64(1)<<w.shift-1, uint64(1)<<w.shift
	first := x.At(bits.TrailingZeros32(x.Mask))
	low, high, inside := first, first, first&within+uint64(x.Bytes) <= granule
	if col.apart = together; x.Mask&(x.Mask-1) != 0 && (x.Addr != nil || x.Step != 0) {
		var aligned bool
		low, high, aligned = col.spread(x, within)
		inside = inside && aligned
	}
	way := uint64(col.rounds-1) * col.delta
	if passesEnd(low, high, way, uint64(x.Bytes)) {
		col.from, col.to = 0, 1<<(64-w.shift) // may be any granules
		return
	}
	col.from = min(low, low+way) >> w.shift
	col.to = (max(high, high+way)+uint64(x.Bytes)-1)>>w.shift + 1
	col.aligned = col.delta != 0 && col.delta&within == 0 && inside
	col.merged = col.aligned && w.fits(c, 0)
}

// passesEnd reports whether the addresses from low to high, of that many bytes each, or the same addresses way bytes further on, go
// beyond the last address, where they begin again with 0.
func passesEnd(low, high, way, bytes uint64) bool {
	if int64(way) < 0 {
		return low+way > low || high+bytes-1 < high
	}
	return high+way < high || high+way+bytes-1 < high
}

// spread sets c.apart, the distance between the lanes of an access, and returns the least and the greatest address. aligned reports
// whether all addresses have the same offset within a granule; within is the mask of the offset. If the addresses of a row go beyond
// the last address of memory, spread returns the whole range of addresses.
func (c *column) spread(x *abi.Access, within uint64) (low, high uint64, aligned bool) {
	last := x.At(bits.TrailingZeros32(x.Mask))
	if x.Addr == nil {
		end := x.At(31 - bits.LeadingZeros32(x.Mask))
		c.apart = distance(x.Step, 0)
		if (end > last) == (int64(x.Step) < 0) {
			return 0, ^uint64(0), false
		}
		return min(last, end), max(last, end), x.Step&within == 0
	}
	low, high, aligned = last, last, true
	up, down := true, true
	for m := x.Mask & (x.Mask - 1); m != 0; m &= m - 1 {
		at := x.At(bits.TrailingZeros32(m))
		up, down = up && at > last, down && at < last
		c.apart = min(c.apart, distance(at, last))
		low, high, aligned = min(low, at), max(high, at), aligned && (at^last)&within == 0
		last = at
	}
	if !up && !down {
		c.apart = 0
	}
	return low, high, aligned
}

// fits reports whether each lane has granules of its own over all rounds, even if the column covered that many more bytes.
func (w *walk) fits(c int, further uint64) bool {
	col := &w.columns[c]
	return col.apart == together || col.apart >= distance(uint64(w.rounds-1)*col.delta, 0)+further+1<<w.shift
}

// distance returns the absolute value of a-b, both being addresses or differences of addresses.
func distance(a, b uint64) uint64 {
	if d := int64(a - b); d < 0 {
		return uint64(-d)
	}
	return a - b
}

// ordered reports whether, for each other column, it is known which of the two accesses a granule first.
func (w *walk) ordered(c int) bool {
	a, x := &w.columns[c], &w.list[c]
	for d := range w.columns {
		b, y := &w.columns[d], &w.list[d]
		if d == c || a.to <= b.from || b.to <= a.from {
			continue
		}
		if !b.merged || a.delta != b.delta || x.Mask != y.Mask {
			return false
		}
		if off, ok := offset(x, y); !ok || !w.fits(c, distance(off, 0)) {
			return false
		}
	}
	return true
}

// merged returns the merged columns in the order in which they access granules: columns that are ahead come first, and otherwise
// those earlier in a round.
func (w *walk) merged(space []int) []int {
	for c := range w.columns {
		if w.columns[c].merged {
			space = append(space, c)
		}
	}
	ahead := func(c int) uint64 {
		x := &w.list[c]
		g := x.At(bits.TrailingZeros32(x.Mask&w.lanes)) >> w.shift
		if int64(w.columns[c].delta) > 0 {
			return ^g
		}
		return g
	}
	slices.SortStableFunc(space, func(c, d int) int { return cmp.Compare(ahead(c), ahead(d)) })
	return space
}

// walked checks the accesses of the walk found.
func (s *Detector) walked(b *abi.Batch, warp uint32) {
	w := &s.walk
	w.busy = true
	var x abi.Access
	if w.some(false) {
		for w.at = range w.count {
			if col := &w.columns[w.at%len(w.columns)]; !col.merged && !col.slides {
				s.access(b, w.nth(w.at, &x), warp)
			}
		}
	}
	s.slide(b, warp)
	w.merging = true
	if !w.uneven {
		s.merge(b, warp)
	} else {
		for left := w.list[0].Mask; left != 0; left &^= w.lanes {
			w.alike(left)
			s.merge(b, warp)
		}
	}
	w.merging, w.busy = false, false
	slices.SortStableFunc(w.clashes, func(c, d clash) int { return cmp.Or(cmp.Compare(c.at, d.at), cmp.Compare(c.lane, d.lane)) })
	for i := range w.clashes {
		c := &w.clashes[i]
		c.of = w.nth(c.at, &x)
		s.report(c)
	}
	w.clashes = w.clashes[:0]
}

// merge checks the merged columns for the lanes in walk.lanes.
func (s *Detector) merge(b *abi.Batch, warp uint32) {
	var space [walkColumns]int
	for list := s.walk.merged(space[:0]); len(list) > 0; {
		n := s.walk.overlapping(list)
		if !s.describeGroup(b, list[:n], warp) {
			n = 1
			s.describeGroup(b, list[:n], warp)
		}
		s.together()
		list = list[n:]
	}
}

// note keeps a race on a granule until all races of earlier accesses are known.
func (w *walk) note(c *clash, granule uint64) {
	c.at = w.at
	switch {
	case w.sliding:
		w.slid(c, granule)
	case w.merging:
		delta := int64(w.columns[w.at].delta) >> w.shift
		c.at += int(int64(granule-c.of.At(int(c.lane))>>w.shift)/delta) * len(w.columns)
	}
	w.clashes = append(w.clashes, *c)
}
