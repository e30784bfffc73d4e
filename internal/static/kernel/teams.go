// Teams: barriers for some threads of a block at which runs of consecutive threads wait for each other, as bar.sync 1 +
// t/128, 128.

package kernel

import (
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// PartBarrier is a barrier for some threads of a block or warp.
type PartBarrier struct {
	*Item   // its address is the number of the barrier, or the mask of lanes
	Barrier isa.Barrier
	Count   int64 // of the threads, 0 if unknown
}

// findTeams finds which barriers for some threads order the threads of teams, and the teams. A barrier for n threads
// with a number completes when n threads have arrived, in whole warps (PTX ISA, "barrier"). If all threads that ever
// execute a barrier with that number are in one run of n threads, and wait there, each completion needs the whole run:
// a thread that has left its k-th barrier with the number is behind the k-th of each other, as no warp arrives twice
// before it completes. They are the same instruction in the same iterations if no branch separates the threads at any
// barrier that may have the number (symbolic.Named) and all give each of these the same number in the same iterations.
func (b *Builder) findTeams() {
	b.parts = symbolic.Named{
		Apart: make(map[*rewrite.Inst]bool), Of: make(map[*rewrite.Inst]symbolic.Team),
		With: make(map[*rewrite.Inst][]*rewrite.Inst),
	}
	if needs, ok := b.InRow(); ok && slices.ContainsFunc(b.Kernel.Frames, inTeams) {
		b.Kernel.InRow()
		b.rowBy = needs
	}
	if len(b.Kernel.Frames) > 1 || len(b.Kernel.Unknown) > 0 || b.Traits.Hidden != nil || !b.Takes(teamBarriers) {
		return
	}
	parts := b.findParts()
	b.Parts = parts
	for _, p := range parts {
		if p.Barrier.Of == isa.BarrierOfWarp {
			b.findTile(p)
			continue
		}
		b.findTeam(p, parts)
	}
	if len(b.parts.Of) > 0 {
		b.Applies(teamBarriers)
	}
	b.TeamsBy = append(b.TeamsBy, b.rowBy...)
	for _, p := range parts {
		b.TeamsBy = append(b.TeamsBy, p.Needs()...)
	}
	slices.Sort(b.TeamsBy)
	b.TeamsBy = slices.Compact(b.TeamsBy)
}

// findTeam finds the teams of a barrier for some threads of a block among all of these: runs of as many threads as it
// is for, or warps.
func (b *Builder) findTeam(p *PartBarrier, parts []*PartBarrier) {
	in := p.Access.Inst
	b.parts.Apart[in] = b.neverZero(p)
	same := slices.DeleteFunc(slices.Clone(parts),
		func(c *PartBarrier) bool { return c.Barrier.Of != isa.BarrierOfCTA || b.neverMeet(p, c) })
	agreed := func(t symbolic.Team) bool {
		return !slices.ContainsFunc(same, func(c *PartBarrier) bool { return !c.agreed(t) })
	}
	switch run := symbolic.Team(p.Count); {
	case !b.parts.Apart[in] || !p.waits():
		return
	case p.Count >= isa.WarpSize && p.Count%isa.WarpSize == 0 && b.rowBy != nil && agreed(run) &&
		!slices.ContainsFunc(same, func(c *PartBarrier) bool { return !b.sameTeam(p, c) }):
		b.parts.Of[in] = run
	case agreed(symbolic.Warp): // each thread of a warp waits for all others (PTX ISA, "barrier")
		b.parts.Of[in] = symbolic.Warp
	}
	for _, c := range same {
		b.parts.With[in] = append(b.parts.With[in], c.Access.Inst)
	}
}

// neverMeet reports whether two barriers never have the same number in two threads of a block.
func (b *Builder) neverMeet(p, c *PartBarrier) bool {
	return b.neverInBlock(append(append(p.Formulas(1), c.Formulas(2)...),
		expr.Eq(p.Addr.Instance(1), c.Addr.Instance(2))))
}

// inTeams reports whether a function has barriers of warps or of some threads of a block, or exchanges between lanes.
func inTeams(f *symbolic.Frame) bool {
	return slices.ContainsFunc(f.Func.Insts, func(in *rewrite.Inst) bool {
		b, ok := in.Barrier()
		return f.Reached(in) && (in.Instr.Class == isa.ClassWarp ||
			ok && (b.Of == isa.BarrierOfWarp || b.Threads >= 0 ||
				b.ID >= 0 && b.ID < len(in.Operands) && in.Operands[b.ID].Kind != rewrite.OperandImm))
	})
}

// PartBarriers returns the barriers of the kernel in which only some threads take part, or with an unknown number.
func (b *Builder) findParts() (out []*PartBarrier) {
	f := b.Kernel.Root
	for _, in := range f.Func.Insts {
		bar, ok := in.Barrier()
		if !ok || !f.Reached(in) || bar.Of != isa.BarrierOfCTA && bar.Of != isa.BarrierOfWarp || bar.ID < 0 ||
			bar.ID >= len(in.Operands) {
			continue
		}
		id := f.Operand(in, bar.ID)
		if _, known := id.Const(); known && bar.Threads < 0 && bar.Step != isa.BarrierArrive {
			continue
		}
		p := &PartBarrier{Item: &Item{over: b.Over}, Barrier: bar}
		p.Access = &symbolic.Access{Frame: f, Inst: in, Addr: expr.Wrap(id, 32, false), Cond: f.Cond(in)}
		p.collect(b.Model, p.Access)
		if bar.Threads >= 0 {
			if k, ok := expr.Wrap(f.Operand(in, bar.Threads), 32, false).Subst(b.Filling).Int64(); ok {
				p.Count = k
				p.used = append(p.used, b.DefinitionsIn(f.Operand(in, bar.Threads))...)
			}
		}
		out = append(out, p)
	}
	return out
}

// waits reports whether the barrier waits.
func (b *PartBarrier) waits() bool {
	return b.Barrier.Step == isa.BarrierSync || b.Barrier.Step == isa.BarrierReduce
}

// neverZero reports whether the number of a barrier is not that of __syncthreads, nor another that a barrier of all
// threads has.
func (b *Builder) neverZero(p *PartBarrier) bool {
	for _, in := range b.Kernel.Root.Func.Insts {
		bar, ok := in.Barrier()
		if !ok || bar.Of != isa.BarrierOfCTA || bar.Threads >= 0 || !b.Kernel.Root.Reached(in) {
			continue
		}
		id := expr.Const(0)
		if bar.ID >= 0 && bar.ID < len(in.Operands) {
			id = expr.Wrap(b.Kernel.Root.Operand(in, bar.ID), 32, false)
		}
		if _, known := id.Const(); !known || in != p.Access.Inst &&
			!b.neverInBlock(append(p.Formulas(1), expr.Eq(p.Addr.Instance(1), id))) {
			return false
		}
	}
	return true
}

// neverInBlock reports whether nothing in one block satisfies conditions on two threads, and records the facts used.
func (b *Builder) neverInBlock(goal []*expr.Bool) bool {
	r := b.RefuteInBlock(goal)
	b.TeamsBy = append(b.TeamsBy, r.Core...)
	return r.Unsat
}

// sameTeam reports whether a thread at barrier b and one at barrier c, if the numbers are equal, are in one run of as
// many threads as b is for, and both wait for as many.
func (b *Builder) sameTeam(p, c *PartBarrier) bool {
	meet := append(append(p.Formulas(1), c.Formulas(2)...), expr.Eq(p.Addr.Instance(1), c.Addr.Instance(2)))
	return c.waits() && c.Count == p.Count && b.neverInBlock(append(meet, expr.Not(inTeam(symbolic.Team(p.Count)))))
}

// agreed reports whether the threads of each team give the barrier the same number in the same iterations of loops.
func (b *PartBarrier) agreed(t symbolic.Team) bool {
	return b.Access.Frame.Agrees(t, b.Access.Inst, b.Barrier.ID)
}

// findTile takes a barrier of a warp as one of the threads of each run of 2, 4, 8 or 16 lanes, if the mask of each
// thread has all lanes of its run and is the same in them. A thread waits for the lanes of its mask to come to any
// barrier with the same mask (PTX ISA, "bar.warp.sync").
func (b *Builder) findTile(p *PartBarrier) {
	b.parts.Apart[p.Access.Inst] = b.neverInBlock(append(p.Formulas(1),
		expr.Eq(p.Addr.Instance(1), expr.Const(math.MaxUint32))))
	for _, in := range b.Kernel.Root.Func.Insts {
		if bar, ok := in.Barrier(); ok && bar.Of == isa.BarrierOfWarp && b.Kernel.Root.Reached(in) {
			b.parts.With[p.Access.Inst] = append(b.parts.With[p.Access.Inst], in)
		}
	}
	for t := symbolic.Team(isa.WarpSize / 2); t >= 2; t /= 2 {
		if b.rowBy != nil && coversTile(p.Access.Addr, t) {
			b.parts.Of[p.Access.Inst] = t
			return
		}
	}
}

// coversTile reports whether the mask of each thread, a function of its index alone, has all lanes of its run and is
// the same in them.
func coversTile(mask *expr.Int, t symbolic.Team) bool {
	var first int64
	for tid := range int64(query.MaxThreads) {
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
func (b *Builder) teamKinds() (out []symbolic.Team) {
	for _, t := range b.parts.Of {
		if t != symbolic.Warp && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}
