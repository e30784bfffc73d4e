// The last recorded round of each warp: groups that come to the same state again park at once.

package emu

import "github.com/ptxsan/ptxsan/emu/internal/vector"

// Spin detection takes some iterations of a loop, and one more to record which words it reads (roundRecorder). Lanes of a warp
// that wait for a lock spin in the same way each time that one of them has had it. So the last recorded round of a warp is kept.
// A group that comes to the head of the loop with the registers of that round, while the words that the round read have the values
// that they had, would execute the same round: it waits for these words to change, without an iteration.
//
// The group may have fewer lanes than the round had. In the round no lane changed memory, and if none of its instructions depends
// on which lanes execute it together, each lane executed what it would execute alone.

// spinRound is a recorded round of a loop, after which registers and memory were as before.
type spinRound struct {
	pc     int32    // of the head of the loop
	serial uint64   // of the frame
	mask   lanes    // that executed the round
	whole  bool     // what a lane executed depends on the others: the round says nothing about fewer lanes
	length int      // instructions executed
	data   []uint64 // their registers at pc, as group.snapshot has them
	moves  uint64   // gmem.Memory.Moves: the words are where they were
	tried  uint64   // warp.turns in the turn in which recordAgain was called last
	set    *waitSet // which has the words; nil if no round is known
}

// rememberRound keeps the round of g, which the recorder has recorded: g waits for the words of w.
func (x *engine) rememberRound(g *group, w *waitSet) {
	r, t := &g.warp.round, &x.recorder
	r.pc, r.serial, r.mask, r.whole, r.length, r.moves, r.set = g.pc, g.frame.serial, g.mask, t.together, t.executed, x.m.mem.Moves, w
	had := cap(r.data)
	r.data = append(r.data[:0], g.spin.data...)
	if !x.claim(8*uint64(cap(r.data)-had), "registers of threads that spin") {
		r.set = nil
	}
}

// knownRound is the PC of the loop of which a round is known that g may come to repeat, whatever lanes it has then, vector.NoPC for
// none.
func (x *engine) knownRound(g *group) uint32 {
	if r := &g.warp.round; r.set != nil && r.serial == g.frame.serial {
		return uint32(r.pc)
	}
	return vector.NoPC
}

// covers reports whether what the lanes of g execute in the round can be told from what the lanes of r executed.
func (r *spinRound) covers(g *group) bool {
	return g.mask == r.mask || g.mask&^r.mask == 0 && !r.whole
}

// roundMatch is what compareRound finds.
type roundMatch uint8

const (
	otherRound    roundMatch = iota // nothing is known of the next iteration
	sameRegisters                   // they are those of the known round, but a word that it read has changed
	sameRound                       // the next iteration is the known round
)

// compareRound compares what g, which has just jumped backwards to g.pc, is about to execute with the known round of its warp. It
// looks only at the first jump after a change of memory: spinning deals with the next ones.
func (x *engine) compareRound(g *group) roundMatch {
	r := &g.warp.round
	if r.set == nil || g.spin.progress == x.progress || x.recording || g.spin.notRecordable {
		return otherRound
	}
	if r.pc != g.pc || r.serial != g.frame.serial || r.moves != x.m.mem.Moves || !r.covers(g) {
		return otherRound
	}
	if _, _, bits := g.difference(r.data); bits != 0 {
		r.set = nil // each iteration has other registers: do not look again
		return otherRound
	}
	switch {
	case !r.set.changed():
		return sameRound
	case r.tried != g.warp.turns:
		return sameRegisters
	}
	r.set = nil // the loop changes memory: do not look again
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

// recordAgain records the next iteration of g at once, without waiting until it spins: if it comes back with the same registers, it
// has read other values of the words, and waits for these to change. It does so once in a turn, which it does not make longer: each
// iteration may change memory, and change it back. It reports whether the turn goes on.
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
