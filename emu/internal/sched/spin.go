// Spin detection: groups whose loop changes nothing, and the rounds of loops that groups are known to repeat.

package sched

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Visit checks for spinning when g has taken a back edge to g.pc. It reports whether the turn goes on.
func Visit(x *state.Engine, g *state.Group) bool {
	switch compareRound(x, g) {
	case sameRound:
		waitAgain(x, g)
		return false
	case sameRegisters:
		return recordAgain(x, g)
	}
	return !spinning(x, g) || onSpinning(x, g)
}

// take makes s a snapshot of g, except for the registers.
func take(s *state.SpinState, g *state.Group) {
	s.Pc, s.Mask, s.Serial, s.ReadsClock = g.PC, g.Mask, g.Frame.Serial, false
	Differs(s, 0, 0, 0) // the assembly reads at the offset even if bits is 0, and the old offset may lie beyond the end of a smaller frame
}

// spinning reports whether g, which has just taken a back edge to g.pc, is in the state of an earlier visit, and
// nothing has changed since.
func spinning(x *state.Engine, g *state.Group) bool {
	s := &g.Spin
	if s.Progress != x.Progress {
		s.Reset()
		s.Progress = x.Progress
		return false
	}
	return Returns(x, g, s)
}

// Returns reports whether g, which is at the head of a loop, is in the state of the last snapshot. It takes the next
// snapshot when it is due.
func Returns(x *state.Engine, g *state.Group, s *state.SpinState) bool {
	s.Visits++
	if s.Pc == g.PC && s.Mask == g.Mask && s.Serial == g.Frame.Serial && sameAs(g, s) {
		return true
	}
	if s.Visits >= s.Next {
		s.Next = 2 * s.Visits
		take(s, g)
		had := s.Data
		s.Data = snapshot(g, had[:0])
		if !claimRegisters(x, had, s.Data) {
			x.Quantum = 0 // the turn is over
		}
	}
	return false
}

// WakeClockReaders makes ready the parked groups that read a clock in their loop, and reports whether there are any. It
// is called when no other group can run. When nothing but the clock has changed for very long, they stay parked.
func WakeClockReaders(x *state.Engine) bool {
	l, n := x.L, len(x.L.Parked)
	if !pass(x) {
		return false
	}
	l.Parked = slices.DeleteFunc(l.Parked, func(g *state.Group) bool {
		if !g.Spin.ReadsClock {
			return false
		}
		g.State = state.GroupReady
		groups.Ready(x, g)
		return true
	})
	return len(l.Parked) < n
}

// Limits of what is skipped at once, in ticks of the clock.
const (
	leastSkip = 1 << 10
	mostSkip  = 1 << 36 // of nanoseconds: more than a minute
)

// pass lets time pass, and reports whether more may: nothing but time can let the waiting threads go on, so that it is
// skipped, twice as far each time until something changes. When others may act meanwhile, time is that of instructions.
func pass(x *state.Engine) bool {
	l, c := x.L, &x.Clock
	if l.Stall != 0 && x.Stats.WarpInstructions-l.SeenAt > l.Stall {
		return false
	}
	if l.Stalled != nil && !l.Alone {
		return true
	}
	if c.At != x.Progress || c.Step == 0 {
		c.At, c.Step = x.Progress, leastSkip
	}
	if c.Step > mostSkip {
		return l.Stall == 0
	}
	c.Skipped += c.Step
	c.Step *= 2
	return true
}

// polling reports whether g has returned to the head of a loop pctRounds times with the registers of an earlier visit.
// Memory may have changed since, also through the loop itself. Only PCT calls it, whose turns end at every back edge.
func polling(x *state.Engine, g *state.Group) bool {
	if g.Frame.Fn.Live[g.PC] == nil {
		return false
	}
	if g.Polls == nil {
		g.Polls = new(state.PollState)
		g.Polls.Forget()
		if !faults.Claim(x, uint64(unsafe.Sizeof(*g.Polls)), "threads that spin") {
			return false
		}
	}
	if !Returns(x, g, &g.Polls.SpinState) {
		return false
	}
	if g.Polls.Rounds++; g.Polls.Rounds < pctRounds {
		return false
	}
	g.Polls.Rounds = 0
	return true
}

// snapshot appends the registers live at g.pc: of predicates the bits of the lanes of g, of other registers all lanes.
func snapshot(g *state.Group, dst []uint64) []uint64 {
	f, live := g.Frame, g.Frame.Fn.Live[g.PC]
	for _, s := range live.Preds {
		dst = append(dst, uint64(*f.P(s)&g.Mask))
	}
	for _, s := range live.R32 {
		dst = append(dst, (*[state.WarpSize / 2]uint64)(unsafe.Pointer(f.R32(s)))[:]...)
	}
	for _, s := range live.R64 {
		dst = append(dst, f.R64(s)[:]...)
	}
	return dst
}

// sameAs reports whether the lanes of g have the register values of the last snapshot. In a loop with a counter, the
// first register compared usually differs.
func sameAs(g *state.Group, snap *state.SpinState) bool {
	at, value, bits := difference(g, snap.Data)
	if bits != 0 {
		Differs(snap, at, value, bits)
	}
	return bits == 0
}

// difference compares the registers of the lanes of g with data, a snapshot taken at the same place that includes these
// lanes. It returns the first word of the register file that differs, its value in data, and a mask of the compared
// bits, which is 0 if all registers are equal.
func difference(g *state.Group, data []uint64) (at state.Slot, value, bits uint32) {
	f, live := g.Frame, g.Frame.Fn.Live[g.PC]
	for i, s := range live.Preds {
		if old := state.Lanes(data[i]); (*f.P(s)^old)&g.Mask != 0 {
			return s, uint32(old), uint32(g.Mask)
		}
	}
	data = data[len(live.Preds):]
	for _, s := range live.R32 {
		if i, v := differentWord(f.R32(s)[:], words32(data, state.WarpSize), 0, g.Mask); i >= 0 {
			return s + state.Slot(4*i), v, ^uint32(0)
		}
		data = data[state.WarpSize/2:]
	}
	for _, s := range live.R64 {
		if i, v := differentWord(words32(f.R64(s)[:], 2*state.WarpSize), words32(data, 2*state.WarpSize), 1,
			g.Mask); i >= 0 {
			return s + state.Slot(4*i), v, ^uint32(0)
		}
		data = data[state.WarpSize:]
	}
	return 0, 0, 0
}

// words32 returns the first n 32-bit halves of 64-bit words.
func words32(p []uint64, n int) []uint32 { return unsafe.Slice((*uint32)(unsafe.Pointer(&p[0])), n) }

// differentWord returns the index of the first word of a register that differs between now and old in a lane of m, and
// its value in old. The index is -1 if there is none. Each lane has 1<<shift words.
func differentWord(now, old []uint32, shift uint, m state.Lanes) (int, uint32) {
	if bytes.Equal(bytesOf(now), bytesOf(old)) { // the usual case: a fast comparison of all lanes
		return -1, 0
	}
	for i, v := range now {
		if v != old[i] && m.Has(i>>shift) {
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
func claimRegisters(x *state.Engine, had, now []uint64) bool {
	return faults.Claim(x, 8*uint64(cap(now)-cap(had)), "registers of threads that spin")
}

// Programs returns the registers of a set that instructions of the program read, not only those of observers.
func Programs(d *state.Decoder, f *rewrite.Func, set rewrite.RegSet) rewrite.RegSet {
	if !d.M.Observed() {
		return set
	}
	read, known := d.Read[f]
	if !known {
		read = make(rewrite.RegSet, len(set))
		for _, in := range f.Insts {
			if !d.M.Aside(in) {
				in.Uses(func(r *rewrite.Reg) { read[r.Index/64] |= 1 << (r.Index % 64) })
			}
		}
		d.Read[f] = read
	}
	both := make(rewrite.RegSet, len(set))
	for i := range both {
		both[i] = read[i] & set[i]
	}
	return both
}

// Differs records where the registers differ from the snapshot.
func Differs(s *state.SpinState, at state.Slot, value, bits uint32) {
	s.Witness, s.Value, s.Bits = uint32(at), value, bits
}

// rememberRound stores the round of g that the recorder has just recorded; w is the wait set of its words.
func rememberRound(x *state.Engine, g *state.Group, w *state.WaitSet) {
	r, t := &g.Warp.Round, &x.Recorder
	r.Pc, r.Serial, r.Mask, r.Whole, r.Length, r.Moves, r.Set = g.PC, g.Frame.Serial, g.Mask, t.Together, t.Executed,
		x.M.Dev.Mem.Moves, w
	had := r.Data
	r.Data = append(had[:0], g.Spin.Data...)
	if !claimRegisters(x, had, r.Data) {
		r.Set = nil
	}
}

// KnownRound returns the PC of the loop header of the warp's known round if g is in the same activation, with any
// lanes, else vector.NoPC.
func KnownRound(x *state.Engine, g *state.Group) uint32 {
	if r := &g.Warp.Round; r.Set != nil && r.Serial == g.Frame.Serial {
		return uint32(r.Pc)
	}
	return vector.NoPC
}

// covers reports whether the round is valid for the lanes of g.
func covers(r *state.SpinRound, g *state.Group) bool {
	return g.Mask == r.Mask || g.Mask&^r.Mask == 0 && !r.Whole
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
func compareRound(x *state.Engine, g *state.Group) roundMatch {
	r := &g.Warp.Round
	if r.Set == nil || g.Spin.Progress == x.Progress || x.Recording || g.Spin.NotRecordable {
		return otherRound
	}
	if r.Pc != g.PC || r.Serial != g.Frame.Serial || r.Moves != x.M.Dev.Mem.Moves || !covers(r, g) {
		return otherRound
	}
	if _, _, bits := difference(g, r.Data); bits != 0 {
		r.Set = nil // the registers differ in each iteration: stop comparing
		return otherRound
	}
	switch {
	case !changed(r.Set):
		return sameRound
	case r.Tried != g.Warp.Turns:
		return sameRegisters
	}
	r.Set = nil // the loop changes memory: stop comparing
	return otherRound
}

// waitAgain parks g, which is about to repeat the known round of its warp.
func waitAgain(x *state.Engine, g *state.Group) {
	r := &g.Warp.Round
	if r.Set.Gone {
		r.Set = of(&x.L.WaitSets, r.Set.Words)
	}
	parkIn(x, r.Set, g)
}

// recordAgain records the next iteration of g at once, without waiting until g spins. If g comes back with the same
// registers, the iteration has read other values of the words, and g waits for these to change. recordAgain does this
// once in a turn and does not prolong the turn, because each iteration may change memory and change it back. It reports
// whether the turn goes on.
func recordAgain(x *state.Engine, g *state.Group) bool {
	s, r := &g.Spin, &g.Warp.Round
	s.Reset()
	s.Progress = x.Progress
	take(s, g)
	had := s.Data
	s.Data = append(had[:0], r.Data...)
	if !claimRegisters(x, had, s.Data) {
		return false
	}
	begin(&x.Recorder, x, 2*r.Length+8)
	r.Tried = g.Warp.Turns
	return true
}
