// Short turns: consecutive turns of a block's warps in a single run of the assembly.

package emu

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// warpsPerBlock is the maximum number of warps of a block.
const warpsPerBlock = barriers.MaxBlockThreads / state.WarpSize

// failed starts a pause, twice as long as the last one.
func failed(p *state.TurnPause) {
	p.Length = uint8(min(2*int(p.Length)+1, math.MaxUint8))
	p.Left = p.Length
}

// pause returns the entry for turns that begin at pc.
func pause(a *state.TurnsAhead, pc int32) *state.TurnPause { return &a.Pauses[int(pc)%len(a.Pauses)] }

// allowTurns decides whether several turns may be taken in one run: the scheduler must be the FairScheduler, whose
// queue gatherTurns reads, neither guided, recorded nor replayed.
func allowTurns(x *state.Engine) {
	x.Vec.Turns.Sched = nil
	v := x.L.Kernel.Vector
	if s, ok := x.Sched.(*state.FairScheduler); ok && v != nil && !v.Local && neverImpatient(x) {
		x.Vec.Turns.Sched = s
	}
}

// gatherTurns finds the groups whose turns can follow that of g, which is about to begin, in one run of the assembly.
// It leaves them in the queue.
func gatherTurns(x *state.Engine, g *state.Group) {
	a, fn := &x.Vec.Turns, x.L.Kernel
	v := fn.Vector
	if g.Frame.Fn != fn || v.Starts[g.PC] == groups.NoStart || x.Recording || !isWhole(g) {
		return
	}
	p := pause(a, g.PC)
	if p.Left > 0 {
		p.Left--
		return
	}
	limit, reach := turnsInSight(x)
	a.Groups = append(a.Groups[:0], g)
	q, b := &a.Sched.Queue, g.Warp.CTA
	for k := 1; k < reach; k++ {
		h := q.Ring[(q.Head+k-1)&(len(q.Ring)-1)]
		if h.State != state.GroupReady || h.Warp.CTA != b || h.Frame.Fn != fn || h.PC != g.PC || h.Mask != g.Mask ||
			h.WaitsFor != nil || !isWhole(h) {
			break
		}
		a.Groups = append(a.Groups, h)
	}
	k := len(a.Groups)
	if k < 2 && x.L.Proof == nil || !simpleBarriers(b, (k-1)*g.Mask.Count()) {
		return
	}
	c := x.Vec.C
	idle := barriers.NobodyWaits(b)
	c.Rounds, c.Others, c.Blocks, c.MayReturn = 0, math.MaxUint32, 0, 0
	if idle && !b.AwaitsProducts && !x.L.Clustered() {
		c.MayReturn = 1
	}
	a.Pc = g.PC
	turns := k
	if idle && alone(x, b, k*g.Mask.Count()) {
		if c.MayReturn != 0 {
			c.Blocks = blocksAhead(x, b)
		}
		if v.Rounds || c.Blocks > 0 {
			turns = min(limit, max(int(p.Turns), state.MinTurns))
			c.Rounds, c.Others = 1, uint32(k-1)
		}
	}
	if k < 2 && c.Blocks == 0 {
		return
	}
	prepareTurns(x, v.Starts[a.Pc], turns)
}

// prepareTurns prepares a run of that many turns, in which the groups take turns in rotation. Their first turns begin
// at offset start in the program. Turn.Visible stays the least quantum: if a turn needs more, it is the last one of the
// run, and endTurns draws its quantum.
func prepareTurns(x *state.Engine, start uint32, turns int) {
	a, c := &x.Vec.Turns, x.Vec.C
	for i, h := range a.Groups {
		t := &a.Turns[i]
		t.Regs, t.Known, t.At, t.From, t.Taken = h.Frame.Regs, sched.KnownRound(x, h), start, uint32(a.Pc), 0
	}
	c.Turn, c.Ring, c.Left = 0, uint32(len(a.Groups))*vector.TurnBytes, uint32(turns-1)
	c.First, a.Left, a.Blocks = c.Left, c.Left, c.Blocks
	c.Arrived, c.Returned, c.Passed = 0, 0, 0
}

// blocksAhead returns how many blocks the assembly may begin after c, which runs alone, and prepares them: all warps of
// c are about to execute the kernel's first instruction, in order, and those of the next blocks will do the same with
// the same registers.
func blocksAhead(x *state.Engine, c *state.CTA) uint32 {
	a, l, fn := &x.Vec.Turns, x.L, x.L.Kernel
	n := int(min(l.Total-l.Next, state.MaxAhead))
	if l.Proof == nil || n == 0 || a.Pc != 0 || len(a.Groups) != len(c.Warps) || c.Tensor.Memory != nil ||
		x.M.Cfg.TracksLocal() ||
		len(fn.Zeroed) > 0 || len(fn.BlockSpecials) > vector.MaxSpecials || l.SharedSize > 0 && l.SharedSize < 32 {
		return 0
	}
	for i, g := range a.Groups {
		if w := g.Warp; w.Index != i || !barriers.Alone(g) || len(w.Flights) > 0 ||
			sched.KnownRound(x, g) != vector.NoPC {
			return 0
		}
	}
	k := x.Vec.C
	for j := range fn.BlockSpecials {
		if fn.BlockSpecials[j].Bits != 32 {
			return 0
		}
		k.Specials[j] = uint32(fn.BlockSpecials[j].Slot)
	}
	for i := range n {
		blockSpecials(x, l.Next+uint64(i), &a.Values[i])
	}
	k.Start, k.ValuesAt, k.SpecialBytes = fn.Vector.Starts[0], 0, uint32(4*len(fn.BlockSpecials))
	k.Shared, k.SharedBytes = unsafe.Pointer(unsafe.SliceData(c.Shared)), uint32(l.SharedSize)
	return uint32(n)
}

// blockSpecials computes the special registers of a block that are equal for all its threads.
func blockSpecials(x *state.Engine, block uint64, values *[vector.MaxSpecials]uint32) {
	l, s := x.L, &x.Special
	s.Ctaid, s.Linear, s.Rank = l.Grid.At(block), block, 0
	for i := range l.Kernel.BlockSpecials {
		sp := &l.Kernel.BlockSpecials[i]
		s.Dim = sp.Reg.Dim
		values[i] = uint32(sp.Value(s))
	}
}

// alone reports whether no group of another block can run before the given number of threads, which are those of the
// block c that can run, have arrived at a barrier, and whether no listener needs to know of that.
func alone(x *state.Engine, c *state.CTA, threads int) bool {
	a, l := &x.Vec.Turns, x.L
	return x.Listener == nil && !x.M.Cfg.Synccheck && threads == c.Live && a.Sched.Queue.Size == len(a.Groups)-1 &&
		(l.Next == l.Total || l.TargetRunnable <= 1)
}

// isWhole reports whether g is all of its warp's live lanes, none of which waits at a join.
func isWhole(g *state.Group) bool {
	return g.Mask == g.Warp.Live && g.Join == nil && len(g.Warp.Groups) == 1
}

// turnsInSight returns the number of turns, including the one that begins, between which runAll would only take the
// next group off the queue, and how many of these the queue is known to have.
func turnsInSight(x *state.Engine) (limit, queued int) {
	l, s := x.L, x.Vec.Turns.Sched
	if len(l.Parked) > 0 || len(l.WaitSets.All) > 0 {
		return 1, 1
	}
	limit = state.MaxTurns
	if x.M.Cfg.Poll != nil {
		limit = pollPeriod - int(l.Turns%pollPeriod)
	}
	queued = min(limit, 1+s.Queue.Size, warpsPerBlock)
	if l.Next < l.Total { // admit must not start a block: enough groups are queued, and patience has not run out
		queued = min(queued, 2+s.Queue.Size-l.TargetRunnable)
		if l.Proof == nil && !sched.Full(l) {
			queued = int(min(uint64(max(queued, 0)), l.LastMove+sched.Patience*uint64(l.TargetRunnable)-l.Turns))
		}
	}
	return limit, queued
}

// simpleBarriers reports whether the given number of threads can arrive at barriers of the block, with bar.sync for all
// threads, without completing a barrier and without a fault.
func simpleBarriers(c *state.CTA, threads int) bool {
	for u := c.Used; u != 0; u &= u - 1 {
		b := &c.Barriers[bits.TrailingZeros32(u)]
		if b.Need != 0 || b.Arrived > 0 && (!b.KindKnown || b.Kind != barriers.BarrierSync ||
			b.Arrived+threads >= c.Live) {
			return false
		}
	}
	return threads < c.Live
}

// endTurns does the scheduler's work at the end of a turn, for each turn that has ended in assembly. It makes the group
// of the current turn the running group, and returns it. If all turns have ended, that is the last one.
func endTurns(x *state.Engine) *state.Group {
	a, c, l := &x.Vec.Turns, x.Vec.C, x.L
	all := c.Exit == vector.ExitTurns
	n, before, k := int(c.First-c.Left), int(a.Left-c.First), len(a.Groups) // turns ended in the current block, and before it
	c.Ring = 0
	p := pause(a, a.Pc)
	if c.Rounds != 0 {
		p.Turns = turnsWorth(x, before+n+1)
	}
	if before+n == 0 {
		if c.Passed == 0 {
			failed(p)
		}
		return x.Running
	}
	p.Length = 0
	l.ContextDue = l.ContextDue || l.Turns/faults.ContextPeriod != (l.Turns+uint64(before+n))/faults.ContextPeriod
	if all {
		a.Sched.Rng.Skip(before + n)
	} else {
		a.Sched.Rng.Skip(before + n - 1)
		c.Visible += int64(a.Sched.Quantum(x, nil) - state.FairQuantum)
	}
	for i, g := range a.Groups {
		g.Warp.Turns += uint64(a.Turns[i].Taken)
	}
	g := a.Groups[n%k]
	if all {
		g.Warp.Turns-- // runAll counts it
	}
	if begun := a.Blocks - c.Blocks; begun > 0 {
		passBlocks(x, uint64(begun), uint64(before))
	}
	if c.Passed > 0 {
		endRounds(x, n)
	} else {
		sched.Drop(&a.Sched.Queue, n)
		for i, g := range a.Groups[:n] {
			endAt(x, g, &a.Turns[i])
			l.Turns++
		}
	}
	x.Running, x.Warp, x.Frame = g, g.Warp, g.Frame
	if all {
		g.PC = int32(a.Turns[n%k].PC)
		if x.Listener != nil {
			events.EmitNotesTo(x, a.Turns[n%k].Noted)
		}
		barriers.Exit(x, g, g.Mask)
	}
	return g
}

// turnsWorth returns the number of turns to allow in the next run, after one with the given number.
func turnsWorth(x *state.Engine, turns int) uint16 {
	c := x.Vec.C
	insts := c.Executed + int64((*vector.Inst)(unsafe.Add(c.Code, uintptr(c.At))).PC) + c.Counted
	return uint16(min(max(state.MinTurns, int64(turns)*state.RunInsts/max(insts, 1)), state.MaxTurns))
}

// passBlocks brings the state of the block up to date after the assembly has begun n further blocks with its warps.
// turns is the number of turns that had ended before the last of them began.
func passBlocks(x *state.Engine, n, turns uint64) {
	l, groups := x.L, x.Vec.Turns.Groups
	c := groups[0].Warp.CTA
	l.Next += n
	barriers.CountEnded(x, n)
	c.Linear, c.Passed, c.Left = l.Next-1, c.Passed[:0], 0
	c.Index, c.Cluster.Linear = l.Grid.At(c.Linear), c.Linear
	l.Turns += turns
	l.LastMove = l.Turns
	l.Serial += (n - 1) * 2 * uint64(len(groups)) // two for each warp: see startCTA
	for _, g := range groups {
		w, f := g.Warp, g.Frame
		w.Serial = l.Serial + 1
		f.Serial, f.FilledFor = w.Serial+1, w.Serial
		l.Serial += 2
		w.Round.Set = nil
		g.PC, g.Spin.NotRecordable = 0, false
		g.Spin.Reset()
	}
}

// endRounds is the part of endTurns that depends on the groups, for n turns of which some have passed barriers: groups
// that wait or exit do so, and all others but the running one are queued.
func endRounds(x *state.Engine, n int) {
	a, l := &x.Vec.Turns, x.L
	k := len(a.Groups)
	first := int(x.Vec.C.Passed) * (k - 1) // the turn that has passed the last barrier
	for i, g := range a.Groups {
		if i < first {
			g.PC = int32(a.Turns[i].From)
		}
	}
	a.Groups[0].Warp.CTA.Used |= 1
	sched.Drop(&a.Sched.Queue, k-1)
	for i := n + 1; i < first+k; i++ {
		a.Sched.Queue.Push(a.Groups[i%k])
	}
	l.Turns += uint64(first)
	for i := first; i < n; i++ {
		endAt(x, a.Groups[i%k], &a.Turns[i%k])
		l.Turns++
	}
}

// endAt does what Go does for the instruction at which the turn of g has ended in assembly: g waits at a barrier, or
// its threads exit.
func endAt(x *state.Engine, g *state.Group, t *vector.Turn) {
	w, fn := g.Warp, g.Frame.Fn
	g.PC = int32(t.PC)
	x.Warp = w
	if x.Listener != nil {
		events.EmitNotesTo(x, t.Noted)
	}
	in := &fn.Code[g.PC]
	if in.Op == vector.Barrier {
		barriers.JoinBarrier(x, in, g, g.Frame.R32(fn.Barriers[g.PC].ID)[0])
		return
	}
	x.Running, x.Frame = g, g.Frame
	barriers.Exit(x, g, g.Mask)
	x.Running = nil
	if g.State == state.GroupGone {
		x.Recycle(g)
	}
}

// continueTurn completes stretch when the turns of other groups have followed: the running group, whose turn has not
// ended, is at pc. It reports whether the turn goes on.
func continueTurn(x *state.Engine, end after, pc int32) bool {
	g := x.Running
	g.PC = pc
	switch end {
	case afterEnd:
		return false
	case afterSurvive:
		return continueAfterFault(x, g, &g.Frame.Fn.Code[pc], state.Lanes(x.Vec.C.Rest))
	}
	return groups.Arrive(x, g)
}
