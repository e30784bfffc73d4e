package overlap

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/internal/order"
)

// TestEndedBefore: of the launches of a stream that have ended before a launch begins, the latest is listed, and those
// that it may overlap.
func TestEndedBefore(t *testing.T) {
	tracker := order.NewTracker(func(order.Conflict) {})
	r := related{launches: make(map[*order.Grid]*precise.Launched)}
	launch := func(s order.Stream, dependent bool) *order.Grid {
		g := tracker.Launch(s, nil, dependent)
		r.launches[g] = &precise.Launched{}
		for _, o := range g.Overlaps {
			r.launches[g].Overlaps = append(r.launches[g].Overlaps, r.launches[o])
		}
		r.add(g)
		return g
	}
	tracker.Create(1, false)
	tracker.Create(2, false)
	check := func(name string, g *order.Grid, want ...*order.Grid) {
		t.Helper()
		var list []*precise.Launched
		for _, s := range r.streams {
			if s.Stream == 1 {
				list = r.endedBefore(g, slices.DeleteFunc(slices.Clone(s.grids), func(x *order.Grid) bool { return x == g }), nil)
			}
		}
		same := len(list) == len(want)
		for i := range min(len(list), len(want)) {
			same = same && list[i] == r.launches[want[i]]
		}
		if !same {
			t.Errorf("%s: %d launches, want %d", name, len(list), len(want))
		}
	}
	a := launch(1, false)
	check("the first one", a)
	b := launch(1, true)
	check("it may overlap the first", b)
	c := launch(1, false)
	check("it follows both", c, b, a)
	tracker.Record(7, 1)
	d := launch(1, true)
	check("it may overlap one that follows both", d, b, a)
	e := launch(1, false)
	check("it follows all", e, d, c)
	check("of another stream", launch(2, false))
	tracker.Wait(2, 7)
	check("of another stream, behind an event", launch(2, false), c)

	var last *order.Grid
	for range 1000 {
		last = launch(1, true)
	}
	s := r.streams[0].grids
	want := slices.Clone(s[len(s)-1-127-128 : len(s)-1-127]) // 127 may overlap it; the one before these overlaps as many
	slices.Reverse(want)
	check("a long chain", last, want...)
}
