// Teams: barriers for some threads of a block at which runs of consecutive threads wait for each other, as bar.sync 1 + t/128, 128.

package static

import (
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/symbolic"
)

// partBarrier is a barrier for some threads of a block or warp.
type partBarrier struct {
	*item   // its address is the number of the barrier, or the mask of lanes
	barrier isa.Barrier
	count   int64 // of the threads, 0 if unknown
}

// findTeams finds which barriers for some threads order the threads of teams, and the teams. A barrier for n threads with a number
// completes when n threads have arrived, in whole warps (PTX ISA, "barrier"). If all threads that ever execute a barrier with that number
// are in one run of n threads, and wait there, each completion needs the whole run: a thread that has left its k-th barrier with the number
// is behind the k-th of each other, as no warp arrives twice before it completes. They are the same instruction in the same iterations if no
// branch separates the threads at any barrier that may have the number (symbolic.Named) and all give each of these the same number in the
// same iterations.
func (a *analysis) findTeams() {
	a.parts = symbolic.Named{Apart: make(map[*rewrite.Inst]bool), Of: make(map[*rewrite.Inst]symbolic.Team), With: make(map[*rewrite.Inst][]*rewrite.Inst)}
	if needs, ok := a.inRow(); ok && slices.ContainsFunc(a.kernel.Frames, inTeams) {
		a.kernel.InRow()
		a.rowBy = needs
	}
	if len(a.kernel.Frames) > 1 || len(a.kernel.Unknown) > 0 || a.traits.hidden != nil {
		return
	}
	a.relied = nil
	a.relying = true
	parts := a.partBarriers()
	for _, b := range parts {
		if b.barrier.Of == isa.BarrierOfWarp {
			a.findTile(b)
			continue
		}
		a.findTeam(b, parts)
	}
	a.relying = false
	a.teamsBy = slices.Concat(a.relied, a.rowBy)
	for _, b := range parts {
		a.teamsBy = append(a.teamsBy, b.needs()...)
	}
	slices.Sort(a.teamsBy)
	a.teamsBy = slices.Compact(a.teamsBy)
}

// findTeam finds the teams of a barrier for some threads of a block among all of these: runs of as many threads as it is for, or warps.
func (a *analysis) findTeam(b *partBarrier, parts []*partBarrier) {
	in := b.acc.Inst
	a.parts.Apart[in] = a.neverZero(b)
	same := slices.DeleteFunc(slices.Clone(parts), func(c *partBarrier) bool { return c.barrier.Of != isa.BarrierOfCTA || a.neverMeet(b, c) })
	agreed := func(t symbolic.Team) bool {
		return !slices.ContainsFunc(same, func(c *partBarrier) bool { return !c.agreed(t) })
	}
	switch run := symbolic.Team(b.count); {
	case !a.parts.Apart[in] || !b.waits():
		return
	case b.count >= isa.WarpSize && b.count%isa.WarpSize == 0 && a.rowBy != nil && agreed(run) && !slices.ContainsFunc(same, func(c *partBarrier) bool { return !a.sameTeam(b, c) }):
		a.parts.Of[in] = run
	case agreed(symbolic.Warp): // each thread of a warp waits for all others (PTX ISA, "barrier")
		a.parts.Of[in] = symbolic.Warp
	}
	for _, c := range same {
		a.parts.With[in] = append(a.parts.With[in], c.acc.Inst)
	}
}

// neverMeet reports whether two barriers never have the same number in two threads of a block.
func (a *analysis) neverMeet(b, c *partBarrier) bool {
	return a.neverInBlock(append(append(b.formulas(1), c.formulas(2)...), expr.Eq(b.addr.Instance(1), c.addr.Instance(2))))
}

// inRow returns the facts by which blocks extend in dimension x only.
func (a *analysis) inRow() (needs []string, ok bool) {
	for _, v := range []string{"ntid.y", "ntid.z"} {
		if a.extent(v) != 1 {
			return nil, false
		}
		needs = append(needs, a.definitionsOf(v)...)
	}
	return needs, true
}

// inTeams reports whether a function has barriers of warps or of some threads of a block, or exchanges between lanes.
func inTeams(f *symbolic.Frame) bool {
	return slices.ContainsFunc(f.Func.Insts, func(in *rewrite.Inst) bool {
		b, ok := in.Barrier()
		return f.Reached(in) && (in.Instr.Class == isa.ClassWarp || ok && (b.Of == isa.BarrierOfWarp || b.Threads >= 0 || b.ID >= 0 && b.ID < len(in.Operands) && in.Operands[b.ID].Kind != rewrite.OperandImm))
	})
}

// partBarriers returns the barriers of the kernel in which only some threads take part, or with an unknown number.
func (a *analysis) partBarriers() (out []*partBarrier) {
	f := a.kernel.Root
	for _, in := range f.Func.Insts {
		bar, ok := in.Barrier()
		if !ok || !f.Reached(in) || bar.Of != isa.BarrierOfCTA && bar.Of != isa.BarrierOfWarp || bar.ID < 0 || bar.ID >= len(in.Operands) {
			continue
		}
		id := f.Operand(in, bar.ID)
		if _, known := id.Const(); known && bar.Threads < 0 && bar.Step != isa.BarrierArrive {
			continue
		}
		b := &partBarrier{item: &item{over: a.over}, barrier: bar}
		b.acc = &symbolic.Access{Frame: f, Inst: in, Addr: expr.Wrap(id, 32, false), Cond: f.Cond(in)}
		b.collect(a, b.acc)
		if bar.Threads >= 0 {
			if k, ok := expr.Wrap(f.Operand(in, bar.Threads), 32, false).Subst(a.filling).Int64(); ok {
				b.count = k
				b.used = append(b.used, a.defined(f.Operand(in, bar.Threads))...)
			}
		}
		out = append(out, b)
	}
	return out
}

// defined returns the names of the facts that define variables of a formula.
func (a *analysis) defined(x *expr.Int) (names []string) {
	for _, v := range x.Vars() {
		names = append(names, a.definitionsOf(v.Name)...)
	}
	return names
}

// waits reports whether the barrier waits.
func (b *partBarrier) waits() bool {
	return b.barrier.Step == isa.BarrierSync || b.barrier.Step == isa.BarrierReduce
}

// neverZero reports whether the number of a barrier is not that of __syncthreads, nor another that a barrier of all threads has.
func (a *analysis) neverZero(b *partBarrier) bool {
	for _, in := range a.kernel.Root.Func.Insts {
		bar, ok := in.Barrier()
		if !ok || bar.Of != isa.BarrierOfCTA || bar.Threads >= 0 || !a.kernel.Root.Reached(in) {
			continue
		}
		id := expr.Const(0)
		if bar.ID >= 0 && bar.ID < len(in.Operands) {
			id = expr.Wrap(a.kernel.Root.Operand(in, bar.ID), 32, false)
		}
		if _, known := id.Const(); !known || in != b.acc.Inst && !a.neverInBlock(append(b.formulas(1), expr.Eq(b.addr.Instance(1), id))) {
			return false
		}
	}
	return true
}

// neverInBlock reports whether nothing in one block satisfies conditions on two threads.
func (a *analysis) neverInBlock(goal []*expr.Bool) bool { return (&counter{a: a}).prove(goal) }

// sameTeam reports whether a thread at barrier b and one at barrier c, if the numbers are equal, are in one run of as many threads as b is
// for, and both wait for as many.
func (a *analysis) sameTeam(b, c *partBarrier) bool {
	meet := append(append(b.formulas(1), c.formulas(2)...), expr.Eq(b.addr.Instance(1), c.addr.Instance(2)))
	return c.waits() && c.count == b.count && a.neverInBlock(append(meet, expr.Not(inTeam(symbolic.Team(b.count)))))
}

// inTeam is the condition that two threads of a block, which extends in dimension x only, are in one team.
func inTeam(t symbolic.Team) *expr.Bool {
	at := func(n int) *expr.Int { return expr.Div(symbolic.Index("tid", 'x').Instance(n), expr.Const(int64(t))) }
	return expr.Eq(at(1), at(2))
}

// agreed reports whether the threads of each team give the barrier the same number in the same iterations of loops.
func (b *partBarrier) agreed(t symbolic.Team) bool {
	return b.acc.Frame.Agrees(t, b.acc.Inst, b.barrier.ID)
}

// findTile takes a barrier of a warp as one of the threads of each run of 2, 4, 8 or 16 lanes, if the mask of each thread has all lanes of its
// run and is the same in them. A thread waits for the lanes of its mask to come to any barrier with the same mask (PTX ISA, "bar.warp.sync").
func (a *analysis) findTile(b *partBarrier) {
	a.parts.Apart[b.acc.Inst] = a.neverInBlock(append(b.formulas(1), expr.Eq(b.addr.Instance(1), expr.Const(math.MaxUint32))))
	for _, in := range a.kernel.Root.Func.Insts {
		if bar, ok := in.Barrier(); ok && bar.Of == isa.BarrierOfWarp && a.kernel.Root.Reached(in) {
			a.parts.With[b.acc.Inst] = append(a.parts.With[b.acc.Inst], in)
		}
	}
	for t := symbolic.Team(isa.WarpSize / 2); t >= 2; t /= 2 {
		if a.rowBy != nil && coversTile(b.acc.Addr, t) {
			a.parts.Of[b.acc.Inst] = t
			return
		}
	}
}

// coversTile reports whether the mask of each thread, a function of its index alone, has all lanes of its run and is the same in them.
func coversTile(mask *expr.Int, t symbolic.Team) bool {
	var first int64
	for tid := range int64(maxThreads) {
		k, ok := mask.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			switch v.Name {
			case "tid.x":
				return expr.Const(tid)
			case "tid.y", "tid.z":
				return expr.Const(0)
			}
			return nil
		}}).Int64()
		if tid%int64(t) == 0 {
			first = k
		}
		lanes := (int64(1)<<t - 1) << (tid % isa.WarpSize / int64(t) * int64(t))
		if !ok || k&lanes != lanes || k != first {
			return false
		}
	}
	return true
}

// teamKinds returns the kinds of teams that have a barrier of their own besides warps, the largest first.
func (a *analysis) teamKinds() (out []symbolic.Team) {
	for _, t := range a.parts.Of {
		if t != symbolic.Warp && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}
