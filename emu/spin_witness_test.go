package emu

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// TestWitnessOfSnapshot: a new snapshot clears the witness of the previous one. The witness may be beyond the end of
// the frame, and the assembly reads it before it checks whether there is one.
func TestWitnessOfSnapshot(t *testing.T) {
	x := &state.Engine{M: &state.Machine{}, L: &state.Launch{}}
	x.M.Cfg.Limits.ThreadState = 1 << 20
	g := &state.Group{Mask: state.AllLanes, Frame: &state.Frame{Fn: &state.Function{Live: map[int32]*state.LiveSet{7: {}}}, Serial: 2}, PC: 7}
	g.Spin.Reset()
	sched.Differs(&g.Spin, 1<<20, 5, ^uint32(0)) // of the frame with serial 1
	for visit := range 2 {
		if sched.Returns(x, g, &g.Spin) {
			t.Fatalf("visit %d: there is a snapshot", visit)
		}
	}
	if s := &g.Spin; s.Pc != 7 || s.Serial != 2 || s.Witness != 0 || s.Bits != 0 {
		t.Errorf("snapshot at %d of frame %d, witness at %d with bits %#x", s.Pc, s.Serial, s.Witness, s.Bits)
	}
}
