// Divergent branches, and loops whose rounds are counted.

package exec

import (
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// Loops with a counter. A register to which every iteration adds a value other than 0 has a different value at each
// visit of the loop header. The state of a group at the header cannot repeat, so spin detection (package sched) skips
// the back edge. If an outer loop resets the counter, spin detection takes place at the back edge of the outer loop. A
// counter that does not influence what the loop does, such as the number of polls, is not part of that state
// (deciding), but a loop that only computes waits for nobody: spin detection skips it, too.

// Limits of loops with counters.
const (
	MaxCountedLoop = 1000           // maximum number of instructions of a loop that is searched for a counter
	MaxCounterStep = vector.MaxStep // larger steps could bring the counter back to an earlier value within few iterations
)

// Counted reports whether spin detection can skip the back edge in of the running group g, because the loop has a
// counter. If the step of the counter is a register, g must contain lane 0, and the register's value in lane 0 must be
// 1 to MaxCounterStep.
func Counted(x *state.Engine, g *state.Group, in *state.Inst) bool {
	switch {
	case in.Flags&state.FlagCounted == 0:
		return false
	case in.A == 0:
		return true
	}
	return g.Mask.Has(0) && x.Frame.R32(in.A)[0]-1 < MaxCounterStep
}

// divergeAt splits g at the branch in, where g stands: the lanes in taken go to the target, the others fall through.
func divergeAt(x *state.Engine, g *state.Group, taken state.Lanes, in *state.Inst, p *state.Reconvergence) {
	expect(x, g, p)
	fall := g.PC + 1
	if p.TakenFirst {
		setAside(x, g, g.Mask&^taken, fall, p)
		g.PC = in.Tgt
		return
	}
	setAside(x, g, taken, in.Tgt, p)
	g.PC = fall
}

// expect gives g the joins of a reconvergence that it does not have yet.
func expect(x *state.Engine, g *state.Group, p *state.Reconvergence) {
	for _, j := range p.Joins {
		if !expectedAt(g, j.PC) {
			g.Join = groups.NewJoin(x, g.Frame, j.PC, g.Mask, g.Join)
			g.Join.Partial = j.Partial
		}
	}
}

// expectedAt reports whether g has a join at pc of its frame.
func expectedAt(g *state.Group, pc int32) bool {
	for j := g.Join; j != nil && j.Frame == g.Frame; j = j.Parent {
		if j.PC == pc {
			return true
		}
	}
	return false
}

// setAside moves the lanes in m from g to a pending group at pc. Under the lockstep policy, where p is not nil, they
// wait immediately if they have a join there.
func setAside(x *state.Engine, g *state.Group, m state.Lanes, pc int32, p *state.Reconvergence) {
	if p != nil {
		if j := groups.Reached(g.Join, g.Frame, pc); j != nil {
			groups.LeaveUntil(x, g.Join, j, m)
			groups.Wait(x, j, m)
			g.Mask &^= m
			return
		}
	}
	x.Sched.Diverged(x, groups.Split(x, g, m, pc, g.Join))
}

// Diverge splits g at the branch in, where g stands: the lanes in taken go to the target, the others fall through. They
// reconverge at the branch's join.
func Diverge(x *state.Engine, g *state.Group, taken state.Lanes, in *state.Inst) {
	events.EmitBranch(x, in, g.Mask, taken)
	if p := g.Frame.Fn.Reconvergences[g.PC]; p != nil {
		divergeAt(x, g, taken, in, p)
		return
	}
	j, fall := joinAt(x, g, int32(in.Imm)), g.PC+1
	g.Join = j
	rest := g.Mask &^ taken
	if !x.Sched.Impatient(x) {
		switch {
		case groups.At(j, g.Frame, in.Tgt):
			groups.Wait(x, j, taken)
			g.Mask, g.PC = rest, fall
			return
		case groups.At(j, g.Frame, fall):
			groups.Wait(x, j, rest)
			g.Mask, g.PC = taken, in.Tgt
			return
		}
	}
	if x.Sched.TakenFirst() {
		h := groups.Split(x, g, rest, fall, j)
		g.PC = in.Tgt
		x.Sched.Diverged(x, h)
		return
	}
	h := groups.Split(x, g, taken, in.Tgt, j)
	g.PC = fall
	x.Sched.Diverged(x, h)
}

// joinAt returns the join for a divergence of g that ends at pc of its frame.
func joinAt(x *state.Engine, g *state.Group, pc int32) *state.Join {
	if pc == JoinAtReturn || groups.At(g.Join, g.Frame, pc) {
		return g.Join
	}
	return groups.NewJoin(x, g.Frame, pc, g.Mask, g.Join)
}

// JoinAtReturn is the join of a branch whose sides reconverge only in the caller.
const JoinAtReturn = vector.MeetAtReturn
