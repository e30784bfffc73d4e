// Faults whose address depends on a read that races.

package report

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestFaultOfRace: a fault names the race of a read, in its kernel, on which its address depends, and no other race.
func TestFaultOfRace(t *testing.T) {
	const sentence = "; the address depends on what the read at block_error.cu:25 returns, which races with the write at block_error.cu:18 (race "
	origin := Place{"out/k.ptx", 51} // of the read
	for _, c := range []struct {
		name   string
		change func(*Race, *FaultEvent)
		want   bool
	}{
		{"second", func(*Race, *FaultEvent) {}, true},
		{"first", func(x *Race, _ *FaultEvent) { x.First, x.Second = x.Second, x.First }, true},
		{"further race of the finding", func(x *Race, _ *FaultEvent) {
			y := *x
			x.Cause, x.Second.PTX.Line = detect.MissingStreamOrder, 60
			x.Also = []*Race{&y}
		}, true},
		{"of another read", func(_ *Race, f *FaultEvent) { f.Origins[1].PTX.Line = 50 }, false},
		{"of none", func(_ *Race, f *FaultEvent) { f.Origins = nil }, false},
		{"of another kernel", func(_ *Race, f *FaultEvent) { f.Kernel = "other" }, false},
		{"a store", func(x *Race, _ *FaultEvent) { x.Second.Access = "write" }, false},
	} {
		x, f := gridRace(), fault("out-of-bounds")
		f.Kernel, f.Origins = x.Second.Kernel, []Origin{{Place{"out/k.ptx", 40}, true}, {origin, true}}
		c.change(x, f)
		r := &Report{Races: []*Race{x}, Faults: []*FaultEvent{f}}
		for range 2 { // as reports that are merged
			r.Finish()
		}
		if linked := f.Race != ""; linked != c.want || linked && f.Race != r.Races[0].ID {
			t.Errorf("%s: the race is %q", c.name, f.Race)
		}
		text := string(render(t, r, TextOptions{}))
		if strings.Contains(text, "out-of-bounds: what happened"+sentence+r.Races[0].ID+")\n") != c.want || strings.Count(text, sentence) > 1 {
			t.Errorf("%s:\n%s", c.name, text)
		}
	}
	x, f := gridRace(), fault("out-of-bounds")
	f.Kernel, f.Origins = x.Second.Kernel, []Origin{{origin, false}}
	r := &Report{Races: []*Race{x}, Faults: []*FaultEvent{f}}
	if r.Finish(); !strings.Contains(f.Message, "the address may depend on what") {
		t.Errorf("by some ways: %s", f.Message)
	}
}
