package emu

import (
	"math"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/grids"
)

// TestPlaceSaturates: offsets grow, and sums that do not fit end beyond everything.
func TestPlaceSaturates(t *testing.T) {
	for _, c := range []struct{ top, size, align, at, end uint64 }{
		{0, 4, 4, 0, 4},
		{1, 4, 4, 4, 8},
		{5, 0, 16, 16, 16},
		{grids.TooFar, 1, 1, grids.TooFar, grids.TooFar},
		{grids.TooFar - 1, 1, 1, grids.TooFar - 1, grids.TooFar},
		{grids.TooFar - 1, 2, 1, grids.TooFar - 1, grids.TooFar},
		{4, math.MaxUint64, 4, 4, grids.TooFar},
		{grids.TooFar, math.MaxUint64, 1 << 31, grids.TooFar, grids.TooFar},
		{math.MaxUint64, 1, 8, grids.TooFar, grids.TooFar},
	} {
		if at, end := grids.PlaceAfter(c.top, c.size, c.align); at != c.at || end != c.end {
			t.Errorf("%+v: %d and %d", c, at, end)
		}
	}
}
