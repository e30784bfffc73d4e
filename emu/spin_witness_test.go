package emu

import "testing"

// TestWitnessOfSnapshot: a new snapshot clears the witness of the previous one. The witness may be beyond the end of
// the frame, and the assembly reads it before it checks whether there is one.
func TestWitnessOfSnapshot(t *testing.T) {
	x := &engine{m: &machine{}, l: &launch{}}
	x.m.cfg.Limits.ThreadState = 1 << 20
	g := &group{mask: allLanes, frame: &frame{fn: &function{live: map[int32]*liveSet{7: {}}}, serial: 2}, pc: 7}
	g.spin.reset()
	g.spin.differs(1<<20, 5, ^uint32(0)) // of the frame with serial 1
	for visit := range 2 {
		if x.returns(g, &g.spin) {
			t.Fatalf("visit %d: there is a snapshot", visit)
		}
	}
	if s := &g.spin; s.pc != 7 || s.serial != 2 || s.witness != 0 || s.bits != 0 {
		t.Errorf("snapshot at %d of frame %d, witness at %d with bits %#x", s.pc, s.serial, s.witness, s.bits)
	}
}
