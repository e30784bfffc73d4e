// Spin detection: groups whose loop changes nothing, and the rounds of loops that groups are known to repeat.

package emu

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Spin detection. A group that returns to the same instruction with the same registers, while no memory has changed in
// between, will repeat this forever unless another thread changes something: it is parked until engine.progress
// changes. When every group is parked or waits, the kernel provably never ends.
//
// The state is compared in full, not hashed: the registers live at the loop header, of the lanes in the group, except
// for those that influence nothing until the group leaves the outermost loop, such as the number of polls
// (body.deciding). Callers' registers cannot change during one activation, engine.progress covers memory, and
// frame.serial identifies the activation. Snapshots are taken at visits 2, 4, 8... (Brent's cycle detection), so that a
// loop that makes progress costs few snapshots, and an outer loop is found as well. A loop with a counter (counterOf)
// cannot return to an earlier state and needs no snapshots.

// spinState is a group's last snapshot.
type spinState struct {
	progress uint64 // engine.progress when the count of visits began
	visits   uint64
	next     uint64 // visit at which the next snapshot is taken
	pc       int32  // where the snapshot was taken, -1 if there is none
	mask     lanes
	serial   uint64 // frame.serial
	data     []uint64
	// When registers and snapshot were last compared, the word of the register file at offset witness differed from the
	// snapshot, where its bits in the mask bits were those of value. While it differs, the rest need not be compared.
	// bits is 0 when there is no such word.
	witness, value, bits uint32
	notRecordable        bool // the words that the loop reads cannot be recorded
	readsClock           bool // the group has read a clock since the snapshot was taken
}

// reset discards the snapshot.
func (s *spinState) reset() {
	s.pc, s.visits, s.next, s.progress, s.readsClock = -1, 0, 2, ^uint64(0), false
}

// visit checks for spinning when g has taken a back edge to g.pc. It reports whether the turn goes on.
func (x *engine) visit(g *group) bool {
	switch x.compareRound(g) {
	case sameRound:
		x.waitAgain(g)
		return false
	case sameRegisters:
		return x.recordAgain(g)
	}
	return !x.spinning(g) || x.onSpinning(g)
}

// take makes s a snapshot of g, except for the registers.
func (s *spinState) take(g *group) {
	s.pc, s.mask, s.serial, s.readsClock = g.pc, g.mask, g.frame.serial, false
	s.differs(0, 0, 0) // the assembly reads at the offset even if bits is 0, and the old offset may lie beyond the end of a smaller frame
}

// spinning reports whether g, which has just taken a back edge to g.pc, is in the state of an earlier visit, and
// nothing has changed since.
func (x *engine) spinning(g *group) bool {
	s := &g.spin
	if s.progress != x.progress {
		s.reset()
		s.progress = x.progress
		return false
	}
	return x.returns(g, s)
}

// returns reports whether g, which is at the head of a loop, is in the state of the last snapshot. It takes the next
// snapshot when it is due.
func (x *engine) returns(g *group, s *spinState) bool {
	s.visits++
	if s.pc == g.pc && s.mask == g.mask && s.serial == g.frame.serial && g.sameAs(s) {
		return true
	}
	if s.visits >= s.next {
		s.next = 2 * s.visits
		s.take(g)
		had := s.data
		s.data = g.snapshot(had[:0])
		if !x.claimRegisters(had, s.data) {
			x.quantum = 0 // the turn is over
		}
	}
	return false
}

// wakeClockReaders makes ready the parked groups that read a clock in their loop, and reports whether there are any. It
// is called when no other group can run: the clock counts executed instructions, and will reach the value that they
// wait for. When nothing but the clock has changed for very long, they stay parked.
func (x *engine) wakeClockReaders() bool {
	l, n := x.l, len(x.l.parked)
	if l.stall != 0 && x.stats.WarpInstructions-l.seenAt > l.stall {
		return false
	}
	l.parked = slices.DeleteFunc(l.parked, func(g *group) bool {
		if !g.spin.readsClock {
			return false
		}
		g.state = groupReady
		x.ready(g)
		return true
	})
	return len(l.parked) < n
}

// pollState counts the rounds of a group in polling loops, regardless of memory.
type pollState struct {
	spinState
	rounds int // rounds with the registers of an earlier visit
}

func (s *pollState) forget() { s.rounds = 0; s.reset() }

// polling reports whether g has returned to the head of a loop pctRounds times with the registers of an earlier visit.
// Memory may have changed since, also through the loop itself. Only PCT calls it, whose turns end at every back edge.
func (x *engine) polling(g *group) bool {
	if g.frame.fn.live[g.pc] == nil {
		return false
	}
	if g.polls == nil {
		g.polls = new(pollState)
		g.polls.forget()
		if !x.claim(uint64(unsafe.Sizeof(*g.polls)), "threads that spin") {
			return false
		}
	}
	if !x.returns(g, &g.polls.spinState) {
		return false
	}
	if g.polls.rounds++; g.polls.rounds < pctRounds {
		return false
	}
	g.polls.rounds = 0
	return true
}

// snapshot appends the registers live at g.pc: of predicates the bits of the lanes of g, of other registers all lanes.
func (g *group) snapshot(dst []uint64) []uint64 {
	f, live := g.frame, g.frame.fn.live[g.pc]
	for _, s := range live.preds {
		dst = append(dst, uint64(*f.p(s)&g.mask))
	}
	for _, s := range live.r32 {
		dst = append(dst, (*[warpSize / 2]uint64)(unsafe.Pointer(f.r32(s)))[:]...)
	}
	for _, s := range live.r64 {
		dst = append(dst, f.r64(s)[:]...)
	}
	return dst
}

// sameAs reports whether the lanes of g have the register values of the last snapshot. In a loop with a counter, the
// first register compared usually differs.
func (g *group) sameAs(snap *spinState) bool {
	at, value, bits := g.difference(snap.data)
	if bits != 0 {
		snap.differs(at, value, bits)
	}
	return bits == 0
}

// difference compares the registers of the lanes of g with data, a snapshot taken at the same place that includes these
// lanes. It returns the first word of the register file that differs, its value in data, and a mask of the compared
// bits, which is 0 if all registers are equal.
func (g *group) difference(data []uint64) (at slot, value, bits uint32) {
	f, live := g.frame, g.frame.fn.live[g.pc]
	for i, s := range live.preds {
		if old := lanes(data[i]); (*f.p(s)^old)&g.mask != 0 {
			return s, uint32(old), uint32(g.mask)
		}
	}
	data = data[len(live.preds):]
	for _, s := range live.r32 {
		if i, v := differentWord(f.r32(s)[:], words32(data, warpSize), 0, g.mask); i >= 0 {
			return s + slot(4*i), v, ^uint32(0)
		}
		data = data[warpSize/2:]
	}
	for _, s := range live.r64 {
		if i, v := differentWord(words32(f.r64(s)[:], 2*warpSize), words32(data, 2*warpSize), 1, g.mask); i >= 0 {
			return s + slot(4*i), v, ^uint32(0)
		}
		data = data[warpSize:]
	}
	return 0, 0, 0
}

// words32 returns the first n 32-bit halves of 64-bit words.
func words32(p []uint64, n int) []uint32 { return unsafe.Slice((*uint32)(unsafe.Pointer(&p[0])), n) }

// differentWord returns the index of the first word of a register that differs between now and old in a lane of m, and
// its value in old. The index is -1 if there is none. Each lane has 1<<shift words.
func differentWord(now, old []uint32, shift uint, m lanes) (int, uint32) {
	if bytes.Equal(bytesOf(now), bytesOf(old)) { // the usual case: a fast comparison of all lanes
		return -1, 0
	}
	for i, v := range now {
		if v != old[i] && m.has(i>>shift) {
			return i, old[i]
		}
	}
	return -1, 0
}

// bytesOf returns the memory of words.
func bytesOf(words []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}

// claimRegisters claims the memory by which a copy of registers has become larger. It reports false after a fault, as
// claim does.
func (x *engine) claimRegisters(had, now []uint64) bool {
	return x.claim(8*uint64(cap(now)-cap(had)), "registers of threads that spin")
}

// Observers: an instrumented program contains instructions that watch it, such as a detector's checks
// (Config.Observes). They write memory and registers of their own in each round of a loop that polls, and each polling
// thread changes what the next one finds there. None of this influences the program's own instructions. Therefore spin
// detection ignores it: writes of observers are no progress, their registers are not compared, their accesses are not
// among the words that a group waits for. A group that would only repeat its round and have it watched again is parked
// where it is, with all registers and memory as they are: parking is a choice of the schedule. Loops within an observer
// may depend on its memory and are never parked: they wait for a lock that another group holds for some instructions,
// and such a group is never parked either.

// observed reports whether spin detection ignores observers.
func (m *machine) observed() bool {
	return m.cfg.Observes != nil && m.cfg.policy().Traits().ParksObserved
}

// aside reports whether an instruction is an observer's.
func (m *machine) aside(in *rewrite.Inst) bool { return m.observed() && m.cfg.Observes(in) }

// programs returns the registers of a set that instructions of the program read, not only those of observers.
func (d *decoder) programs(f *rewrite.Func, set rewrite.RegSet) rewrite.RegSet {
	if !d.m.observed() {
		return set
	}
	read, known := d.read[f]
	if !known {
		read = make(rewrite.RegSet, len(set))
		for _, in := range f.Insts {
			if !d.m.aside(in) {
				in.Uses(func(r *rewrite.Reg) { read[r.Index/64] |= 1 << (r.Index % 64) })
			}
		}
		d.read[f] = read
	}
	both := make(rewrite.RegSet, len(set))
	for i := range both {
		both[i] = read[i] & set[i]
	}
	return both
}

// differs records where the registers differ from the snapshot.
func (s *spinState) differs(at slot, value, bits uint32) {
	s.witness, s.value, s.bits = uint32(at), value, bits
}

// Spin detection needs several iterations of a loop, and one more to record the words that it reads (roundRecorder).
// Lanes of a warp that wait for a lock spin in the same way each time that one of them has held it. Therefore the last
// recorded round of a warp is kept. If a group comes to the loop header with the registers of that round, and the words
// that the round read have the same values, it would execute the same round: it waits for these words to change,
// without another iteration.
//
// The group may have fewer lanes than the round had. No lane changed memory in the round, and if none of its
// instructions depends on which lanes execute it together, each lane executed what it would execute alone.

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
	r.pc, r.serial, r.mask, r.whole, r.length, r.moves, r.set = g.pc, g.frame.serial, g.mask, t.together, t.executed,
		x.m.dev.mem.Moves, w
	had := r.data
	r.data = append(had[:0], g.spin.data...)
	if !x.claimRegisters(had, r.data) {
		r.set = nil
	}
}

// knownRound returns the PC of the loop header of the warp's known round if g is in the same activation, with any
// lanes, else vector.NoPC.
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

// compareRound compares the state of g, which has just taken a back edge to g.pc, with the known round of its warp. It
// does so only at the first back edge after a change of memory: spinning handles the following ones.
func (x *engine) compareRound(g *group) roundMatch {
	r := &g.warp.round
	if r.set == nil || g.spin.progress == x.progress || x.recording || g.spin.notRecordable {
		return otherRound
	}
	if r.pc != g.pc || r.serial != g.frame.serial || r.moves != x.m.dev.mem.Moves || !r.covers(g) {
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

// recordAgain records the next iteration of g at once, without waiting until g spins. If g comes back with the same
// registers, the iteration has read other values of the words, and g waits for these to change. recordAgain does this
// once in a turn and does not prolong the turn, because each iteration may change memory and change it back. It reports
// whether the turn goes on.
func (x *engine) recordAgain(g *group) bool {
	s, r := &g.spin, &g.warp.round
	s.reset()
	s.progress = x.progress
	s.take(g)
	had := s.data
	s.data = append(had[:0], r.data...)
	if !x.claimRegisters(had, s.data) {
		return false
	}
	x.recorder.begin(x, 2*r.length+8)
	r.tried = g.warp.turns
	return true
}
