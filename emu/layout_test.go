package emu

import (
	"math"
	"testing"
)

// TestPlaceSaturates: offsets grow, and sums that do not fit end beyond everything.
func TestPlaceSaturates(t *testing.T) {
	for _, c := range []struct{ top, size, align, at, end uint64 }{
		{0, 4, 4, 0, 4},
		{1, 4, 4, 4, 8},
		{5, 0, 16, 16, 16},
		{tooFar, 1, 1, tooFar, tooFar},
		{tooFar - 1, 1, 1, tooFar - 1, tooFar},
		{tooFar - 1, 2, 1, tooFar - 1, tooFar},
		{4, math.MaxUint64, 4, 4, tooFar},
		{tooFar, math.MaxUint64, 1 << 31, tooFar, tooFar},
		{math.MaxUint64, 1, 8, tooFar, tooFar},
	} {
		if at, end := placeAfter(c.top, c.size, c.align); at != c.at || end != c.end {
			t.Errorf("%+v: %d and %d", c, at, end)
		}
	}
}
