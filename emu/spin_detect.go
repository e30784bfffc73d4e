// Spin detection: groups whose loop changes nothing, and launches that make no progress.

package emu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"unsafe"
)

// Spin detection. A group that returns to the same instruction with the same registers, while no memory has changed in between,
// will repeat this forever unless another thread changes something: it is parked until engine.progress changes. When every group
// is parked or waits, the kernel provably never ends.
//
// The state is compared in full, not hashed: the registers live at the loop header, of the lanes in the group. Callers' registers
// cannot change during one activation, engine.progress covers memory, and frame.serial identifies the activation. Snapshots are
// taken at visits 2, 4, 8... (Brent's cycle detection), so that a loop that makes progress costs few snapshots, and an outer loop
// is found as well. A loop with a counter (counterOf) cannot return to an earlier state and needs no snapshots.

// spinState is a group's last snapshot.
type spinState struct {
	progress uint64 // engine.progress when the count of visits began
	visits   uint64
	next     uint64 // visit at which the next snapshot is taken
	pc       int32  // where the snapshot was taken, -1 if there is none
	mask     lanes
	serial   uint64 // frame.serial
	data     []uint64
	// When registers and snapshot were last compared, the word of the register file at offset witness differed from the snapshot,
	// where its bits in the mask bits were those of value. While it differs, the rest need not be compared. bits is 0 when there
	// is no such word.
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

// spinning reports whether g, which has just taken a back edge to g.pc, is in the state of an earlier visit, and nothing has
// changed since.
func (x *engine) spinning(g *group) bool {
	s := &g.spin
	if s.progress != x.progress {
		s.reset()
		s.progress = x.progress
		return false
	}
	return x.returns(g, s)
}

// returns reports whether g, which is at the head of a loop, is in the state of the last snapshot. It takes the next snapshot
// when it is due.
func (x *engine) returns(g *group, s *spinState) bool {
	s.visits++
	if s.pc == g.pc && s.mask == g.mask && s.serial == g.frame.serial && g.sameAs(s) {
		return true
	}
	if s.visits >= s.next {
		s.next = 2 * s.visits
		s.take(g)
		had := cap(s.data)
		s.data = g.snapshot(s.data[:0])
		if !x.claim(8*uint64(cap(s.data)-had), "registers of threads that spin") {
			x.quantum = 0 // the turn is over
		}
	}
	return false
}

// wakeClockReaders makes ready the parked groups that read a clock in their loop, and reports whether there are any. It is called
// when no other group can run: the clock counts executed instructions, and will reach the value that they wait for. When nothing
// but the clock has changed for very long, they stay parked.
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

// polling reports whether g has returned to the head of a loop pctRounds times with the registers of an earlier visit. Memory may
// have changed since, also through the loop itself. Only PCT calls it, whose turns end at every back edge.
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

// sameAs reports whether the lanes of g have the register values of the last snapshot. In a loop with a counter, the first
// register compared usually differs.
func (g *group) sameAs(snap *spinState) bool {
	at, value, bits := g.difference(snap.data)
	if bits != 0 {
		snap.differs(at, value, bits)
	}
	return bits == 0
}

// difference compares the registers of the lanes of g with data, a snapshot taken at the same place that includes these lanes. It
// returns the first word of the register file that differs, its value in data, and a mask of the compared bits, which is 0 if all
// registers are equal.
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

// differentWord returns the index of the first word of a register that differs between now and old in a lane of m, and its value
// in old. The index is -1 if there is none. Each lane has 1<<shift words.
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

// differs records where the registers differ from the snapshot.
func (s *spinState) differs(at slot, value, bits uint32) {
	s.witness, s.value, s.bits = uint32(at), value, bits
}

// Launches that do not end, beyond those that spin detection and stuck prove, are found by the number of their steps, by time,
// and by a heuristic: if no group changes anything for long, the runnable groups are suspected of waiting for groups that cannot
// run.

// checkPeriod is the number of warp instructions between two checks of progress.
const checkPeriod = 1 << 20

// checkProgress runs the periodic checks of a launch: at back edges, and before instructions that may enter or leave a function,
// since recursion needs no back edge. It reports whether the turn goes on; if not, the launch ends.
func (x *engine) checkProgress() bool {
	l, n := x.l, x.stats.WarpInstructions
	if x.ctx.Err() != nil {
		l.stopped = true
		return false
	}
	if n > l.maxSteps {
		x.raiseHere("timeout", "the kernel has not finished after %d warp instructions", l.maxSteps)
		return false
	}
	if x.progress != l.seen {
		l.seen, l.seenAt = x.progress, n
	} else {
		// A thread may poll for an asynchronous operation in flight, or for a grid that has not run.
		if !x.completeAll() && x.runWaiting() && x.fault != nil {
			return false
		}
	}
	if l.stall != 0 && n-l.seenAt > l.stall && x.suspectLivelock() {
		return false
	}
	l.checkAt = min(n+checkPeriod, l.maxSteps+1)
	return true
}

// suspectLivelock raises a fault when no thread has changed anything for long and some cannot go on: the others, whose registers
// change, are assumed to wait for them. Launches whose threads only compute are not reported, even if lanes wait at joins for
// them.
func (x *engine) suspectLivelock() bool {
	ws := x.waiters()
	stuck := false
	for _, w := range ws {
		stuck = stuck || w.state != groupReady && w.state != groupPending
	}
	if !stuck {
		return false
	}
	x.raiseHere("livelock", "suspected, as no thread has changed anything for %d warp instructions: %s; a limit on steps turns this check off",
		x.stats.WarpInstructions-x.l.seenAt, x.describeWaiters(ws))
	return true
}

// overtime raises the fault of a launch that has exceeded its time, at a group that can run.
func (x *engine) overtime() {
	ws := x.waiters()
	if len(ws) == 0 {
		x.fault = &Fault{Class: "timeout", Message: x.timeAllowed() + " is over before a block has started", Kernel: x.l.kernel.src.Name, Count: 1}
		return
	}
	named := ws[0]
	for _, w := range ws {
		if w.state == groupReady {
			named = w
			break
		}
	}
	x.fail(named.warp, named.mask.first(), x.blameAt(named.frame, named.pc), "timeout", 0,
		fmt.Sprintf("the kernel has not finished in %s: %s", x.timeAllowed(), x.describeWaiters(ws)))
}

// timeAllowed names the exceeded time limit, with the cause of the context's end if it has one, such as the option that set the
// limit.
func (x *engine) timeAllowed() string {
	if cause := context.Cause(x.ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return "the time allowed, " + cause.Error()
	}
	return "the time allowed"
}
