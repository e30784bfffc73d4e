// Known rounds: the last recorded loop round of each warp, which parks groups that come to the same state again at once.

package emu

import "github.com/ptxsan/ptxsan/emu/internal/vector"

// Spin detection needs several iterations of a loop, and one more to record the words that it reads (roundRecorder). Lanes of a
// warp that wait for a lock spin in the same way each time that one of them has held it. Therefore the last recorded round of a
// warp is kept. If a group comes to the loop header with the registers of that round, and the words that the round read have the
// same values, it would execute the same round: it waits for these words to change, without another iteration.
//
// The group may have fewer lanes than the round had. No lane changed memory in the round, and if none of its instructions depends
// on which lanes execute it together, each lane executed what it would execute alone.

// spinRound is a recorded round of a loop that left registers and memory unchanged.
type spinRound struct {
	pc     int32    // of the loop header
	serial uint64   // frame.serial
	mask   lanes    // lanes that executed the round
	whole  bool     // the execution of a lane depends on the others: the round is not valid for fewer lanes
	length int      // instructions executed
	data   []uint64 // registers of these lanes at pc, as in group.snapshot
	moves  uint64   // gmem.Memory.Moves when recorded: the addresses of the words are valid while it is the same
	tried  uint64   // warp.turns when recordAgain was last called
	set    *waitSet // wait set of the words; nil if no round is known
}

// rememberRound stores the round of g that the recorder has just recorded; w is the wait set of its words.
func (x *engine) rememberRound(g *group, w *waitSet) {
	r, t := &g.warp.round, &x.recorder
	r.pc, r.serial, r.mask, r.whole, r.length, r.moves, r.set = g.pc, g.frame.serial, g.mask, t.together, t.executed, x.m.mem.Moves, w
	had := cap(r.data)
	r.data = append(r.data[:0], g.spin.data...)
	if !x.claim(8*uint64(cap(r.data)-had), "registers of threads that spin") {
		r.set = nil
	}
}

// knownRound returns the PC of the loop header of the warp's known round if g is in the same activation, with any lanes, else
// vector.NoPC.
func (x *engine) knownRound(g *group) uint32 {
	if r := &g.warp.round; r.set != nil && r.serial == g.frame.serial {
		return uint32(r.pc)
	}
	return vector.NoPC
}

// covers reports whether the round is valid for the lanes of g.
func (r *spinRound) covers(g *group) bool {
	return g.mask == r.mask || g.mask&^r.mask == 0 && !r.whole
}

// roundMatch is the result of compareRound.
type roundMatch uint8

const (
	otherRound    roundMatch = iota // the next iteration may be different
	sameRegisters                   // the registers are those of the known round, but a word that it read has changed
	sameRound                       // the next iteration is the known round
)

// compareRound compares the state of g, which has just taken a back edge to g.pc, with the known round of its warp. It does so
// only at the first back edge after a change of memory: spinning handles the following ones.
func (x *engine) compareRound(g *group) roundMatch {
	r := &g.warp.round
	if r.set == nil || g.spin.progress == x.progress || x.recording || g.spin.notRecordable {
		return otherRound
	}
	if r.pc != g.pc || r.serial != g.frame.serial || r.moves != x.m.mem.Moves || !r.covers(g) {
		return otherRound
	}
	if _, _, bits := g.difference(r.data); bits != 0 {
		r.set = nil // the registers differ in each iteration: stop comparing
		return otherRound
	}
	switch {
	case !r.set.changed():
		return sameRound
	case r.tried != g.warp.turns:
		return sameRegisters
	}
	r.set = nil // the loop changes memory: stop comparing
	return otherRound
}

// waitAgain parks g, which is about to repeat the known round of its warp.
func (x *engine) waitAgain(g *group) {
	r := &g.warp.round
	if r.set.gone {
		r.set = x.l.waitSets.of(r.set.words)
	}
	x.parkIn(r.set, g)
}

// recordAgain records the next iteration of g at once, without waiting until g spins. If g comes back with the same registers,
// the iteration has read other values of the words, and g waits for these to change. recordAgain does this once in a turn and
// does not prolong the turn, because each iteration may change memory and change it back. It reports whether the turn goes on.
func (x *engine) recordAgain(g *group) bool {
	s, r := &g.spin, &g.warp.round
	s.reset()
	s.progress = x.progress
	s.take(g)
	had := cap(s.data)
	s.data = append(s.data[:0], r.data...)
	if !x.claim(8*uint64(cap(s.data)-had), "registers of threads that spin") {
		return false
	}
	x.recorder.begin(x, 2*r.length+8)
	r.tried = g.warp.turns
	return true
}
