package session

import "testing"

// TestInstrumentedSteps: a program that ends may take tens of thousands of steps for each
// of its own; one that does not is given up soon, however long it ran without
// instrumentation.
func TestInstrumentedSteps(t *testing.T) {
	for _, tc := range []struct {
		bare     uint64
		ends     bool
		from, to uint64
	}{
		{0, true, 1e6, 1e8},
		{1e6, true, 5e10, 1e12},
		{1 << 63, true, 1 << 60, 1 << 63},
		{0, false, 1e6, 1e8},
		{1e5, false, 1e7, 1e9},
		{2e9, false, 1e8, 1e9},
		{1 << 63, false, 1e8, 1e9},
	} {
		if got := instrumentedSteps(tc.bare, tc.ends); got < tc.from || got > tc.to {
			t.Errorf("%d steps, ends %v: %d, want %d to %d", tc.bare, tc.ends, got, tc.from, tc.to)
		}
	}
}
