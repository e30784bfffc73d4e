// Short turns: consecutive turns of a block's warps in a single run of the assembly.

package emu

import (
	"math"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// Most turns are short: from the start of a kernel to its end, or from one barrier to the next. The groups at the head of the
// queue then belong to one block and are at the same pc; only the addresses of their register files differ. gatherTurns finds
// such groups before the turn of the first one. The assembly continues from the end of one turn with the start of the next
// (vector.Barrier, vector.Return), and endTurns makes their groups wait at the barrier or exit. The order of turns and of events
// is the same as when turns are taken one by one.

// maxTurns limits the turns in one run.
const maxTurns = 32

// turnsAhead is the result of gatherTurns.
type turnsAhead struct {
	sched  *fairScheduler // nil when turns are taken one by one
	rng    rng            // state of sched.rng before the quantums were drawn
	groups [maxTurns]*group
	turns  [maxTurns]vector.Turn
	// pauses has one entry per value of the lowest bits of the pc at which turns begin.
	pauses [16]turnPause
}

// turnPause stops gatherTurns from searching where first turns do not end in assembly: after consecutive failures, the search is
// skipped for length turns, of which left remain.
type turnPause struct{ length, left uint8 }

// failed starts a pause, twice as long as the last one.
func (p *turnPause) failed() {
	p.length = uint8(min(2*int(p.length)+1, math.MaxUint8))
	p.left = p.length
}

// pause returns the entry for turns that begin at pc.
func (a *turnsAhead) pause(pc int32) *turnPause { return &a.pauses[int(pc)%len(a.pauses)] }

// allowTurns decides whether several turns may be taken in one run: the scheduler must be the fairScheduler, whose queue
// gatherTurns reads, neither guided, recorded nor replayed.
func (x *engine) allowTurns() {
	x.vec.turns.sched = nil
	v := x.l.kernel.vector
	if s, ok := x.sched.(*fairScheduler); ok && v != nil && !v.local && x.neverImpatient() {
		x.vec.turns.sched = s
	}
}

// gatherTurns finds the groups whose turns can follow that of g, which is about to begin, in one run of the assembly. It leaves
// them in the queue.
func (x *engine) gatherTurns(g *group) {
	a, fn := &x.vec.turns, x.l.kernel
	v := fn.vector
	if g.frame.fn != fn || v.starts[g.pc] == noStart || x.recording || !g.whole() {
		return
	}
	if p := a.pause(g.pc); p.left > 0 {
		p.left--
		return
	}
	a.groups[0] = g
	q, k := &a.sched.queue, 1
	for n := x.turnsInSight(); k < n; k++ {
		h := q.ring[(q.head+k-1)&(len(q.ring)-1)]
		if h.state != groupReady || h.warp.cta != g.warp.cta || h.frame.fn != fn || h.pc != g.pc || h.mask != g.mask || h.waitsFor != nil || !h.whole() {
			break
		}
		a.groups[k] = h
	}
	b := g.warp.cta
	if k < 2 || !b.simpleBarriers((k-1)*g.mask.count()) {
		return
	}
	a.rng = a.sched.rng
	for i, h := range a.groups[1:k] {
		t := &a.turns[i+1]
		t.Regs, t.Visible, t.Known = h.frame.regs, int64(a.sched.quantum(x, h)), x.knownRound(h)
	}
	c := x.vec.c
	c.Turn, c.Last = 0, uint32(k-1)*vector.TurnBytes
	c.From, c.FromPC = v.starts[g.pc], uint32(g.pc)
	if c.LastReturn = c.Last; b.awaitsProducts || x.l.clustered() || !b.nobodyWaits() {
		c.LastReturn = 0 // otherwise waiting threads depend on the threads that exit
	}
}

// nobodyWaits reports whether no thread of the block has arrived at an incomplete barrier.
func (c *cta) nobodyWaits() bool {
	for u := c.used; u != 0; u &= u - 1 {
		if c.barriers[bits.TrailingZeros32(u)].arrived > 0 {
			return false
		}
	}
	return true
}

// whole reports whether g is all of its warp's live lanes, none of which waits at a join.
func (g *group) whole() bool {
	return g.mask == g.warp.live && g.join == nil && len(g.warp.groups) == 1
}

// turnsInSight returns the number of turns, including the one that begins, between which runAll would only take the next group
// off the queue.
func (x *engine) turnsInSight() int {
	l, s := x.l, x.vec.turns.sched
	if len(l.parked) > 0 || len(l.waitSets.all) > 0 {
		return 1
	}
	n := min(maxTurns, 1+s.queue.size, pollPeriod-int(l.turns%pollPeriod))
	if l.next < l.total { // admit must not start a block: enough groups are queued, and patience has not run out
		n = min(n, 2+s.queue.size-l.targetRunnable)
		n = int(min(uint64(max(n, 0)), l.lastMove+patience*uint64(l.targetRunnable)-l.turns))
	}
	return n
}

// simpleBarriers reports whether the given number of threads can arrive at barriers of the block, with bar.sync for all threads,
// without completing a barrier and without a fault.
func (c *cta) simpleBarriers(threads int) bool {
	for u := c.used; u != 0; u &= u - 1 {
		b := &c.barriers[bits.TrailingZeros32(u)]
		if b.need != 0 || b.arrived > 0 && (!b.kindKnown || b.kind != barrierSync || b.arrived+threads >= c.live) {
			return false
		}
	}
	return threads < c.live
}

// endTurns does the scheduler's work at the end of a turn, for each turn that has ended in assembly. It makes the group of the
// current turn the running group, and returns it.
func (x *engine) endTurns() *group {
	a, c, l := &x.vec.turns, x.vec.c, x.l
	n := int(c.Turn / vector.TurnBytes)
	c.Turn, c.Last, c.LastReturn = 0, 0, 0
	a.sched.rng = a.rng
	a.sched.rng.skip(n)
	if n == 0 {
		a.pause(int32(c.FromPC)).failed()
		return x.running
	}
	a.pause(int32(c.FromPC)).length = 0
	a.sched.queue.drop(n)
	for i, g := range a.groups[:n] {
		x.endAt(g, &a.turns[i])
		l.turns++
	}
	g := a.groups[n]
	x.running, x.warp, x.frame = g, g.warp, g.frame
	return g
}

// endAt does what Go does for the instruction at which the turn of g has ended in assembly: g waits at a barrier, or its threads
// exit.
func (x *engine) endAt(g *group, t *vector.Turn) {
	w, fn := g.warp, g.frame.fn
	g.pc = int32(t.PC)
	x.warp = w
	if x.listener != nil {
		x.emitNotesTo(t.Noted)
	}
	in := &fn.code[g.pc]
	w.turns++
	if in.op == vector.Barrier {
		x.joinBarrier(in, g, g.frame.r32(fn.barriers[g.pc].id)[0])
		return
	}
	x.running, x.frame = g, g.frame
	x.exit(g, g.mask)
	x.running = nil
	x.recycle(g)
}

// continueTurn completes stretch when the turns of other groups have followed: the running group, whose turn has not ended, is at
// pc. It reports whether the turn goes on.
func (x *engine) continueTurn(end after, pc int32) bool {
	g := x.running
	g.pc = pc
	switch end {
	case afterEnd:
		return false
	case afterSurvive:
		return x.continueAfterFault(g, &g.frame.fn.code[pc], lanes(x.vec.c.Rest))
	}
	return x.arrive(g)
}
