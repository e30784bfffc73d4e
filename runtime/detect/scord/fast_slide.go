// Loops in which a row of granules moves on by one granule in each round, as in a convolution.

package scord

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The rows of such a column overlap, so that several lanes access a granule, one after the other. An access of a warp that follows
// the same access of the same warp is free of races and leaves the metadata as they are, except for the lane (TestAgain). So only
// the first lane that accesses a granule can race, and the last one is the lane of the metadata.

// slides reports whether the rounds of a column may be checked as a row that moves: each lane accesses the granule after that of the
// lane before, and the granule next to its own in the next round. No other column may access the same granules.
func (w *walk) slides(c int) bool {
	col, x, granule := &w.columns[c], &w.list[c], uint64(1)<<w.shift
	if !col.aligned || col.merged || x.Addr != nil || x.Step != granule || distance(col.delta, 0) != granule || !contiguous(x.Mask) {
		return false
	}
	for d := range w.columns {
		if b := &w.columns[d]; d != c && col.from < b.to && b.from < col.to {
			return false
		}
	}
	return true
}

// contiguous reports whether the lanes in a mask follow each other.
func contiguous(mask uint32) bool {
	first := mask & -mask
	return mask&(mask+first) == 0
}

// slide checks the columns of the walk that are rows that move.
func (s *Detector) slide(b *abi.Batch, warp uint32) {
	w := &s.walk
	w.sliding = true
	for c := range w.columns {
		col, x := &w.columns[c], &w.list[c]
		if !col.slides {
			continue
		}
		w.at = c
		a, others := s.describe(b, x, warp), uint64(col.rounds-1)
		first, last := bits.TrailingZeros32(x.Mask), 31-bits.LeadingZeros32(x.Mask)
		if int64(col.delta) > 0 {
			s.lanes(a, col.from, col.from+others, first, 0)
			s.lanes(a, col.from+others, col.to, first, stepWord)
		} else {
			s.lanes(a, col.from, col.to-others, first, stepWord)
			s.lanes(a, col.to-others, col.to, last, 0)
		}
	}
	w.sliding = false
}

// lanes checks an access to the granules before to, the first of them by a lane, and the others by lanes that follow from the step of
// a run.
func (s *Detector) lanes(a *access, from, to uint64, lane int, step uint) {
	const line = 1 << lineBits
	for g := from; g < to; {
		n := min(to-g, line-g%line)
		s.line(a, g/line, uint32(1<<n-1)<<(g%line), runOf(lane+int(steps(g-from, step)), g%line, step))
		g += n
	}
}

// slid sets the lane of a race on a granule of a row that moves, and when it occurs: at the first access to the granule.
func (w *walk) slid(c *clash, granule uint64) {
	x := &w.list[w.at]
	first, last := bits.TrailingZeros32(x.Mask), 31-bits.LeadingZeros32(x.Mask)
	from, to, round := x.At(first)>>w.shift, x.At(last)>>w.shift, uint64(0) // of the first row
	lane := first + int(granule-from)
	switch {
	case granule > to:
		lane, round = last, granule-to
	case granule < from:
		lane, round = first, from-granule
	}
	c.lane = uint32(lane)
	c.at += int(round) * len(w.columns)
}
