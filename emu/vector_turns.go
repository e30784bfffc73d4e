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

// Where one block runs alone, the turns of its warps are known beyond the barriers at which all of them meet: the warp that
// arrives last goes on, and the others follow in the order of their arrival. Then the assembly passes barriers, too, and endRounds
// puts the groups where they would be.

// maxTurns limits the turns in one run.
const maxTurns = 64

// turnsAhead is the result of gatherTurns.
type turnsAhead struct {
	sched  *fairScheduler // nil when turns are taken one by one
	pc     int32          // where the first turn began
	groups []*group       // in the order of their first turns
	turns  [maxTurns + warpsPerBlock]vector.Turn
	// pauses has one entry per value of the lowest bits of the pc at which turns begin.
	pauses [16]turnPause
}

// warpsPerBlock is the maximum number of warps of a block.
const warpsPerBlock = maxBlockThreads / warpSize

// turnPause stops gatherTurns from searching where first turns do not end in assembly: after consecutive failures, the search is
// skipped for length turns, of which left remain. turns is the number of turns worth preparing where barriers are passed.
type turnPause struct{ length, left, turns uint8 }

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
	p := a.pause(g.pc)
	if p.left > 0 {
		p.left--
		return
	}
	limit, reach := x.turnsInSight()
	a.groups = append(a.groups[:0], g)
	q, b := &a.sched.queue, g.warp.cta
	for k := 1; k < reach; k++ {
		h := q.ring[(q.head+k-1)&(len(q.ring)-1)]
		if h.state != groupReady || h.warp.cta != b || h.frame.fn != fn || h.pc != g.pc || h.mask != g.mask || h.waitsFor != nil || !h.whole() {
			break
		}
		a.groups = append(a.groups, h)
	}
	k := len(a.groups)
	if k < 2 || !b.simpleBarriers((k-1)*g.mask.count()) {
		return
	}
	c := x.vec.c
	n, idle := k, b.nobodyWaits()
	c.Rounds, c.Stride = 0, 0
	if v.rounds && idle && x.alone(b, k*g.mask.count()) {
		n = min(limit, max(int(p.turns), k), maxTurns)
		c.Rounds, c.Stride = 1, uint32(k)*vector.TurnBytes
	}
	a.pc = g.pc
	x.prepareTurns(n, idle && !b.awaitsProducts && !x.l.clustered())
	c.Turn, c.Last = 0, uint32(n-1)*vector.TurnBytes
	c.Arrived, c.Returned, c.Passed = 0, 0, 0
}

// prepareTurns sets the first n turns, of the groups in rotation, except for Visible, which is the least quantum: if a turn needs
// more, it is the last one of the run, and endTurns draws its quantum. mayReturn says that threads may exit as long as no warp waits at
// a barrier; otherwise others may wait for them.
func (x *engine) prepareTurns(n int, mayReturn bool) {
	a, start := &x.vec.turns, x.l.kernel.vector.starts[x.vec.turns.pc]
	k, rounds := len(a.groups), x.vec.c.Rounds != 0
	for i, arrived := 0, 0; i < n; i++ {
		t := &a.turns[i]
		if i < k {
			h := a.groups[i]
			t.Regs, t.Known, t.At, t.From = h.frame.regs, x.knownRound(h), start, uint32(a.pc)
		} else {
			t.Regs, t.Known = a.turns[i-k].Regs, a.turns[i-k].Known
		}
		t.Role = vector.RoleAny
		if !mayReturn || rounds && arrived > 0 {
			t.Role = vector.RoleWaits
		}
		if arrived++; rounds && arrived == k {
			t.Role, arrived = vector.RolePasses, 1
		}
	}
}

// alone reports whether no group of another block can run before the given number of threads, which are those of the block c that
// can run, have arrived at a barrier, and whether no listener needs to know of that.
func (x *engine) alone(c *cta, threads int) bool {
	a, l := &x.vec.turns, x.l
	return x.listener == nil && !x.m.cfg.Synccheck && threads == c.live && a.sched.queue.size == len(a.groups)-1 && (l.next == l.total || l.targetRunnable <= 1)
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
// off the queue, and how many of these the queue is known to have.
func (x *engine) turnsInSight() (limit, queued int) {
	l, s := x.l, x.vec.turns.sched
	if len(l.parked) > 0 || len(l.waitSets.all) > 0 {
		return 1, 1
	}
	limit = maxTurns
	if x.m.cfg.Poll != nil {
		limit = pollPeriod - int(l.turns%pollPeriod)
	}
	queued = min(limit, 1+s.queue.size, warpsPerBlock)
	if l.next < l.total { // admit must not start a block: enough groups are queued, and patience has not run out
		queued = min(queued, 2+s.queue.size-l.targetRunnable)
		if l.proof == nil {
			queued = int(min(uint64(max(queued, 0)), l.lastMove+patience*uint64(l.targetRunnable)-l.turns))
		}
	}
	return limit, queued
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
// current turn the running group, and returns it. If all turns have ended, that is the last one.
func (x *engine) endTurns() *group {
	a, c, l := &x.vec.turns, x.vec.c, x.l
	n, k := int(c.Turn/vector.TurnBytes), len(a.groups)
	all := c.Exit == vector.ExitTurns
	p := a.pause(a.pc)
	if c.Rounds != 0 {
		p.turns = uint8(min(max(n+1, 2*int(c.Passed)*k), maxTurns))
	}
	c.Turn, c.Last = 0, 0
	if n == 0 && c.Passed == 0 {
		p.failed()
		return x.running
	}
	p.length = 0
	if all {
		n--
		a.sched.rng.skip(n)
	} else {
		a.sched.rng.skip(n - 1)
		c.Visible += int64(a.sched.quantum(x, nil) - fairQuantum)
	}
	l.contextDue = l.contextDue || l.turns/contextPeriod != (l.turns+uint64(n))/contextPeriod
	g := a.groups[n%k]
	if c.Passed > 0 {
		x.endRounds(n)
	} else {
		a.sched.queue.drop(n)
		for i, g := range a.groups[:n] {
			x.endAt(g, &a.turns[i])
			l.turns++
		}
	}
	x.running, x.warp, x.frame = g, g.warp, g.frame
	if all {
		g.pc = int32(a.turns[n].PC)
		if x.listener != nil {
			x.emitNotesTo(a.turns[n].Noted)
		}
		x.exit(g, g.mask)
	}
	return g
}

// endRounds is the part of endTurns that depends on the groups, for n turns of which some have passed barriers: groups that wait or
// exit do so, and all others but the running one are queued.
func (x *engine) endRounds(n int) {
	a, l := &x.vec.turns, x.l
	k := len(a.groups)
	first := int(x.vec.c.Passed) * (k - 1) // the turn that has passed the last barrier
	for i, g := range a.groups {
		if i < first {
			last := (first - 1 - i) / k // turns of g before, less one
			g.pc = int32(a.turns[i+last*k].PC) + 1
			g.warp.turns += uint64(last + 1)
		}
	}
	a.groups[0].warp.cta.used |= 1
	a.sched.queue.drop(k - 1)
	for i := n + 1; i < first+k; i++ {
		a.sched.queue.push(a.groups[i%k])
	}
	l.turns += uint64(first)
	for i := first; i < n; i++ {
		x.endAt(a.groups[i%k], &a.turns[i])
		l.turns++
	}
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
	if g.state == groupGone {
		x.recycle(g)
	}
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
