// Short turns: consecutive turns of a block's warps in a single run of the assembly.

package emu

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// Most turns are short: from the start of a kernel to its end, or from one barrier to the next. The groups at the head
// of the queue then belong to one block and are at the same pc; only the addresses of their register files differ.
// gatherTurns finds such groups before the turn of the first one. The assembly continues from the end of one turn with
// the start of the next (vector.Barrier, vector.Return), and endTurns makes their groups wait at the barrier or exit.
// The order of turns and of events is the same as when turns are taken one by one.

// Where one block runs alone, the turns of its warps are known beyond the barriers at which all of them meet: the warp
// that arrives last goes on, and the others follow in the order of their arrival. Then the assembly passes barriers,
// too, and endRounds puts the groups where they would be.

// Where blocks run one after another, each in the storage of the one before, the turns are known beyond the end of the
// block. Then the assembly begins the next blocks, too (vector.Context.Blocks), and passBlocks brings the block's state
// up to date.

// minTurns is the number of turns of one run that need no reason; maxTurns is their limit where earlier runs have
// executed fewer than runInsts instructions; maxAhead is the maximum number of blocks that begin in a run.
const (
	minTurns = 64
	maxTurns = 1024
	runInsts = 16384
	maxAhead = 63
)

// turnsAhead is the result of gatherTurns.
type turnsAhead struct {
	sched  *fairScheduler // nil when turns are taken one by one
	pc     int32          // where the first turn began
	groups []*group       // in the order of their first turns
	turns  [minTurns]vector.Turn
	left   uint32 // vector.Context.Left at the start
	blocks uint32 // vector.Context.Blocks at the start
	values [maxAhead][vector.MaxSpecials]uint32
	// pauses has one entry per value of the lowest bits of the pc at which turns begin.
	pauses [16]turnPause
}

// warpsPerBlock is the maximum number of warps of a block.
const warpsPerBlock = maxBlockThreads / warpSize

// turnPause stops gatherTurns from searching where first turns do not end in assembly: after consecutive failures, the
// search is skipped for length turns, of which left remain. turns is the number of turns worth allowing where barriers
// are passed.
type turnPause struct {
	length, left uint8
	turns        uint16
}

// failed starts a pause, twice as long as the last one.
func (p *turnPause) failed() {
	p.length = uint8(min(2*int(p.length)+1, math.MaxUint8))
	p.left = p.length
}

// pause returns the entry for turns that begin at pc.
func (a *turnsAhead) pause(pc int32) *turnPause { return &a.pauses[int(pc)%len(a.pauses)] }

// allowTurns decides whether several turns may be taken in one run: the scheduler must be the fairScheduler, whose
// queue gatherTurns reads, neither guided, recorded nor replayed.
func (x *engine) allowTurns() {
	x.vec.turns.sched = nil
	v := x.l.kernel.vector
	if s, ok := x.sched.(*fairScheduler); ok && v != nil && !v.local && x.neverImpatient() {
		x.vec.turns.sched = s
	}
}

// gatherTurns finds the groups whose turns can follow that of g, which is about to begin, in one run of the assembly.
// It leaves them in the queue.
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
		if h.state != groupReady || h.warp.cta != b || h.frame.fn != fn || h.pc != g.pc || h.mask != g.mask ||
			h.waitsFor != nil || !h.whole() {
			break
		}
		a.groups = append(a.groups, h)
	}
	k := len(a.groups)
	if k < 2 && x.l.proof == nil || !b.simpleBarriers((k-1)*g.mask.count()) {
		return
	}
	c := x.vec.c
	idle := b.nobodyWaits()
	c.Rounds, c.Others, c.Blocks, c.MayReturn = 0, math.MaxUint32, 0, 0
	if idle && !b.awaitsProducts && !x.l.clustered() {
		c.MayReturn = 1
	}
	a.pc = g.pc
	turns := k
	if idle && x.alone(b, k*g.mask.count()) {
		if c.MayReturn != 0 {
			c.Blocks = x.blocksAhead(b)
		}
		if v.rounds || c.Blocks > 0 {
			turns = min(limit, max(int(p.turns), minTurns))
			c.Rounds, c.Others = 1, uint32(k-1)
		}
	}
	if k < 2 && c.Blocks == 0 {
		return
	}
	x.prepareTurns(v.starts[a.pc], turns)
}

// prepareTurns prepares a run of that many turns, in which the groups take turns in rotation. Their first turns begin
// at offset start in the program. Turn.Visible stays the least quantum: if a turn needs more, it is the last one of the
// run, and endTurns draws its quantum.
func (x *engine) prepareTurns(start uint32, turns int) {
	a, c := &x.vec.turns, x.vec.c
	for i, h := range a.groups {
		t := &a.turns[i]
		t.Regs, t.Known, t.At, t.From, t.Taken = h.frame.regs, x.knownRound(h), start, uint32(a.pc), 0
	}
	c.Turn, c.Ring, c.Left = 0, uint32(len(a.groups))*vector.TurnBytes, uint32(turns-1)
	c.First, a.left, a.blocks = c.Left, c.Left, c.Blocks
	c.Arrived, c.Returned, c.Passed = 0, 0, 0
}

// blocksAhead returns how many blocks the assembly may begin after c, which runs alone, and prepares them: all warps of
// c are about to execute the kernel's first instruction, in order, and those of the next blocks will do the same with
// the same registers.
func (x *engine) blocksAhead(c *cta) uint32 {
	a, l, fn := &x.vec.turns, x.l, x.l.kernel
	n := int(min(l.total-l.next, maxAhead))
	if l.proof == nil || n == 0 || a.pc != 0 || len(a.groups) != len(c.warps) || c.tensor.Memory != nil ||
		x.m.cfg.Uninitialised ||
		len(fn.zeroed) > 0 || len(fn.blockSpecials) > vector.MaxSpecials || l.sharedSize > 0 && l.sharedSize < 32 {
		return 0
	}
	for i, g := range a.groups {
		if w := g.warp; w.index != i || !g.alone() || len(w.flights) > 0 || x.knownRound(g) != vector.NoPC {
			return 0
		}
	}
	k := x.vec.c
	for j := range fn.blockSpecials {
		if fn.blockSpecials[j].bits != 32 {
			return 0
		}
		k.Specials[j] = uint32(fn.blockSpecials[j].slot)
	}
	for i := range n {
		x.blockSpecials(l.next+uint64(i), &a.values[i])
	}
	k.Start, k.ValuesAt, k.SpecialBytes = fn.vector.starts[0], 0, uint32(4*len(fn.blockSpecials))
	k.Shared, k.SharedBytes = unsafe.Pointer(unsafe.SliceData(c.shared)), uint32(l.sharedSize)
	return uint32(n)
}

// blockSpecials computes the special registers of a block that are equal for all its threads.
func (x *engine) blockSpecials(block uint64, values *[vector.MaxSpecials]uint32) {
	l, s := x.l, &x.special
	s.ctaid, s.linear, s.rank = l.grid.At(block), block, 0
	for i := range l.kernel.blockSpecials {
		sp := &l.kernel.blockSpecials[i]
		s.dim = sp.reg.dim
		values[i] = uint32(sp.value(s))
	}
}

// alone reports whether no group of another block can run before the given number of threads, which are those of the
// block c that can run, have arrived at a barrier, and whether no listener needs to know of that.
func (x *engine) alone(c *cta, threads int) bool {
	a, l := &x.vec.turns, x.l
	return x.listener == nil && !x.m.cfg.Synccheck && threads == c.live && a.sched.queue.size == len(a.groups)-1 &&
		(l.next == l.total || l.targetRunnable <= 1)
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

// turnsInSight returns the number of turns, including the one that begins, between which runAll would only take the
// next group off the queue, and how many of these the queue is known to have.
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
		if l.proof == nil && !l.full() {
			queued = int(min(uint64(max(queued, 0)), l.lastMove+patience*uint64(l.targetRunnable)-l.turns))
		}
	}
	return limit, queued
}

// simpleBarriers reports whether the given number of threads can arrive at barriers of the block, with bar.sync for all
// threads, without completing a barrier and without a fault.
func (c *cta) simpleBarriers(threads int) bool {
	for u := c.used; u != 0; u &= u - 1 {
		b := &c.barriers[bits.TrailingZeros32(u)]
		if b.need != 0 || b.arrived > 0 && (!b.kindKnown || b.kind != barrierSync || b.arrived+threads >= c.live) {
			return false
		}
	}
	return threads < c.live
}

// endTurns does the scheduler's work at the end of a turn, for each turn that has ended in assembly. It makes the group
// of the current turn the running group, and returns it. If all turns have ended, that is the last one.
func (x *engine) endTurns() *group {
	a, c, l := &x.vec.turns, x.vec.c, x.l
	all := c.Exit == vector.ExitTurns
	n, before, k := int(c.First-c.Left), int(a.left-c.First), len(a.groups) // turns ended in the current block, and before it
	c.Ring = 0
	p := a.pause(a.pc)
	if c.Rounds != 0 {
		p.turns = x.turnsWorth(before + n + 1)
	}
	if before+n == 0 {
		if c.Passed == 0 {
			p.failed()
		}
		return x.running
	}
	p.length = 0
	l.contextDue = l.contextDue || l.turns/contextPeriod != (l.turns+uint64(before+n))/contextPeriod
	if all {
		a.sched.rng.skip(before + n)
	} else {
		a.sched.rng.skip(before + n - 1)
		c.Visible += int64(a.sched.quantum(x, nil) - fairQuantum)
	}
	for i, g := range a.groups {
		g.warp.turns += uint64(a.turns[i].Taken)
	}
	g := a.groups[n%k]
	if all {
		g.warp.turns-- // runAll counts it
	}
	if begun := a.blocks - c.Blocks; begun > 0 {
		x.passBlocks(uint64(begun), uint64(before))
	}
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
		g.pc = int32(a.turns[n%k].PC)
		if x.listener != nil {
			x.emitNotesTo(a.turns[n%k].Noted)
		}
		x.exit(g, g.mask)
	}
	return g
}

// turnsWorth returns the number of turns to allow in the next run, after one with the given number.
func (x *engine) turnsWorth(turns int) uint16 {
	c := x.vec.c
	insts := c.Executed + int64((*vector.Inst)(unsafe.Add(c.Code, uintptr(c.At))).PC) + c.Counted
	return uint16(min(max(minTurns, int64(turns)*runInsts/max(insts, 1)), maxTurns))
}

// passBlocks brings the state of the block up to date after the assembly has begun n further blocks with its warps.
// turns is the number of turns that had ended before the last of them began.
func (x *engine) passBlocks(n, turns uint64) {
	l, groups := x.l, x.vec.turns.groups
	c := groups[0].warp.cta
	l.next += n
	x.countEnded(n)
	c.linear, c.passed, c.left = l.next-1, c.passed[:0], 0
	c.index, c.cluster.linear = l.grid.At(c.linear), c.linear
	l.turns += turns
	l.lastMove = l.turns
	l.serial += (n - 1) * 2 * uint64(len(groups)) // two for each warp: see startCTA
	for _, g := range groups {
		w, f := g.warp, g.frame
		w.serial = l.serial + 1
		f.serial, f.filledFor = w.serial+1, w.serial
		l.serial += 2
		w.round.set = nil
		g.pc, g.spin.notRecordable = 0, false
		g.spin.reset()
	}
}

// endRounds is the part of endTurns that depends on the groups, for n turns of which some have passed barriers: groups
// that wait or exit do so, and all others but the running one are queued.
func (x *engine) endRounds(n int) {
	a, l := &x.vec.turns, x.l
	k := len(a.groups)
	first := int(x.vec.c.Passed) * (k - 1) // the turn that has passed the last barrier
	for i, g := range a.groups {
		if i < first {
			g.pc = int32(a.turns[i].From)
		}
	}
	a.groups[0].warp.cta.used |= 1
	a.sched.queue.drop(k - 1)
	for i := n + 1; i < first+k; i++ {
		a.sched.queue.push(a.groups[i%k])
	}
	l.turns += uint64(first)
	for i := first; i < n; i++ {
		x.endAt(a.groups[i%k], &a.turns[i%k])
		l.turns++
	}
}

// endAt does what Go does for the instruction at which the turn of g has ended in assembly: g waits at a barrier, or
// its threads exit.
func (x *engine) endAt(g *group, t *vector.Turn) {
	w, fn := g.warp, g.frame.fn
	g.pc = int32(t.PC)
	x.warp = w
	if x.listener != nil {
		x.emitNotesTo(t.Noted)
	}
	in := &fn.code[g.pc]
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

// continueTurn completes stretch when the turns of other groups have followed: the running group, whose turn has not
// ended, is at pc. It reports whether the turn goes on.
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
