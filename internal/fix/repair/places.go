// Places of a kernel for insertions: uniformity, paths, loops.

package repair

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// places analyses the control flow of a kernel.
type places struct {
	f         *rewrite.Func
	g         *rewrite.CFG
	loops     []*rewrite.Loop
	divergent []bool // for each block: the threads of a warp or block may not all reach it together
	all       bool   // also those that exit the kernel
	warps     bool   // the lanes of a warp, rather than the threads of a block, come together
}

// newPlaces analyses the kernel as it will be after the repair: without a race on shared memory.
func newPlaces(f *rewrite.Func) *places { return analysed(&places{f: f}) }

// warpPlaces analyses a kernel for barriers of a warp.
func warpPlaces(f *rewrite.Func) *places { return analysed(&places{f: f, warps: true}) }

// analysed fills in which blocks all threads reach together.
func analysed(p *places) *places {
	p.g = p.f.CFG()
	p.loops, p.divergent = p.g.Innermost(), make([]bool, len(p.g.Blocks))
	for _, in := range p.f.RaceFreeUniformity().DivergentBranches() {
		if !p.warps || !p.partsWarps(in) {
			p.part(p.g.BlockOf[in.Index])
		}
	}
	p.meet()
	return p
}

// partsWarps reports whether all lanes of a warp go one way at a branch, in blocks of one dimension: it compares
// threadIdx.x with a multiple of the size of a warp, or the number of the warp with anything uniform.
func (p *places) partsWarps(branch *rewrite.Inst) bool {
	test := p.only(branch.Guard)
	if test == nil {
		return false
	}
	c, ok := test.Comparison()
	if !ok || test.Guard != nil || len(test.Operands) != 3 {
		return false
	}
	if p.warpNumber(&test.Operands[1]) {
		return true
	}
	bound := Immediate(test, 2)
	if bound == nil || !p.threadNumber(&test.Operands[1]) || c.Less == c.Greater {
		return false
	}
	first := bound.Imm // of the threads that go the way of the greater ones
	if c.Less == c.Equal {
		first++
	}
	return first%isa.WarpSize == 0
}

// threadNumber reports whether an operand is threadIdx.x.
func (p *places) threadNumber(o *rewrite.Operand) bool {
	for range 8 { // limit of copies
		if o.Kind == rewrite.OperandSpecial {
			return o.Special.Name == "%tid" && o.Member == ".x"
		}
		if o = copied(p.f, o.Reg); o == nil {
			return false
		}
	}
	return false
}

// warpNumber reports whether an operand is threadIdx.x divided by the size of a warp, or by a multiple of it.
func (p *places) warpNumber(o *rewrite.Operand) bool {
	for range 8 { // limit of copies
		def := p.only(o.Reg)
		if def == nil {
			return false
		}
		if by := Immediate(def, 2); by != nil && def.Instr.Calc == isa.CalcShiftRight && by.Imm >= warpBits {
			return p.threadNumber(&def.Operands[1])
		}
		if o = copied(p.f, o.Reg); o == nil {
			return false
		}
	}
	return false
}

// warpBits is the number of bits of threadIdx.x that number the lanes of a warp.
const warpBits = 5

// meet unmarks blocks that are executed as often as a barrier of the kernel, in the same iterations of the same loop:
// if some threads did not reach them, they would not reach that barrier either.
func (p *places) meet() {
	for _, w := range p.g.Blocks {
		if !p.divergent[w.Index] || !p.g.Reached(w) || !p.joins(w) {
			continue
		}
		for _, b := range p.g.Blocks {
			before := p.g.Dominates(b, w) && p.g.PostDominates(w, b)
			behind := p.g.Dominates(w, b) && p.g.PostDominates(b, w)
			if p.loops[b.Index] == p.loops[w.Index] && (before || behind) {
				p.divergent[b.Index] = false
			}
		}
	}
}

// joins reports whether a block contains an unconditional barrier of all threads of the thread block.
func (p *places) joins(b *rewrite.Block) bool {
	return slices.ContainsFunc(p.f.Insts[b.Start:b.End], func(in *rewrite.Inst) bool {
		bar, ok := in.Barrier()
		return ok && bar.Of == isa.BarrierOfCTA && bar.Step == isa.BarrierSync && bar.Aligned && bar.Threads < 0 &&
			in.Guard == nil
	})
}

// part marks as divergent the blocks between a divergent branch and its immediate post-dominator; for a branch out of a
// loop these are the blocks of the loop. If one arm of a branch outside of loops only exits the kernel, it marks only
// the blocks of that arm: the threads of the other arm are then all that have not exited, and barriers wait for no
// others (CUDA C++ Programming Guide, "Synchronization Functions").
func (p *places) part(from *rewrite.Block) {
	arms := from.Succs
	leaves := func(arm *rewrite.Block) bool { return p.leaves(arm) && (arm != from.IPDom || p.ends(arm)) }
	if i := slices.IndexFunc(arms, leaves); i >= 0 && len(arms) == 2 && !p.all && p.loops[from.Index] == nil {
		arms = arms[i : i+1]
	}
	var walk func(b *rewrite.Block)
	walk = func(b *rewrite.Block) {
		if b == from.IPDom || p.divergent[b.Index] {
			return
		}
		p.divergent[b.Index] = true
		for _, s := range b.Succs {
			walk(s)
		}
	}
	for _, s := range arms {
		walk(s)
	}
}

// leaves reports whether threads that take an arm exit the kernel without a loop or barrier before.
func (p *places) leaves(arm *rewrite.Block) bool {
	reached := p.behind(arm)
	reached[arm.Index] = true
	for i, b := range p.g.Blocks {
		if reached[i] && (p.loops[i] != nil || p.waits(b)) {
			return false
		}
	}
	return true
}

// ends reports whether a block, at which the arms of a branch meet, only ends the kernel.
func (p *places) ends(b *rewrite.Block) bool {
	insts := p.f.Insts[b.Start:b.End]
	return !slices.ContainsFunc(insts, func(in *rewrite.Inst) bool {
		return !in.Effects().Has(isa.Terminates) ||
			in.Guard != nil
	})
}

// waits reports whether a block contains a barrier.
func (p *places) waits(b *rewrite.Block) bool {
	for _, in := range p.f.Insts[b.Start:b.End] {
		if _, ok := in.Barrier(); ok {
			return true
		}
	}
	return false
}

// uniform reports whether all live threads of the block execute the instruction together. It is false in called
// functions, whose callers may be divergent.
func (p *places) uniform(in *rewrite.Inst) bool {
	b := p.g.BlockOf[in.Index]
	return p.f.Entry && !p.g.Degenerate && p.g.Reached(b) && !p.divergent[b.Index]
}

// weight returns the assumed number of executions of an instruction: loopFactor for each loop around it.
func (p *places) weight(in *rewrite.Inst) int {
	w := 1
	loops, g := p.loops, p.g
	if in.Func != p.f {
		g = in.Func.CFG()
		loops = g.Innermost()
	}
	for l := loops[g.BlockOf[in.Index].Index]; l != nil && w < maxCost; l = l.Parent {
		w *= loopFactor
	}
	return w
}

// reach returns, for each block, whether it can be executed after an instruction.
func (p *places) reach(from *rewrite.Inst) []bool { return p.behind(p.g.BlockOf[from.Index]) }

// behind returns, for each block, whether it can be executed after another block.
func (p *places) behind(from *rewrite.Block) []bool {
	return p.closure(from, func(b *rewrite.Block) []*rewrite.Block { return b.Succs })
}

// before returns, for each block, whether another block can be executed after it.
func (p *places) before(to *rewrite.Block) []bool {
	return p.closure(to, func(b *rewrite.Block) []*rewrite.Block { return b.Preds })
}

// closure returns, for each block, whether one or more steps lead to it from another.
func (p *places) closure(from *rewrite.Block, next func(*rewrite.Block) []*rewrite.Block) []bool {
	seen := make([]bool, len(p.g.Blocks))
	work := slices.Clone(next(from))
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[b.Index] {
			seen[b.Index] = true
			work = append(work, next(b)...)
		}
	}
	return seen
}

// leads reports whether an instruction can be executed after another.
func (p *places) leads(from, to *rewrite.Inst) bool {
	a, b := p.g.BlockOf[from.Index], p.g.BlockOf[to.Index]
	return a == b && from.Index < to.Index || p.reach(from)[b.Index]
}

// starts returns the first instructions of all reachable blocks.
func (p *places) starts() (list []*rewrite.Inst) {
	for _, b := range p.g.Blocks {
		if b.Start < b.End && p.g.Reached(b) {
			list = append(list, p.f.Insts[b.Start])
		}
	}
	return list
}

// exits returns the first instructions of the blocks that follow the loops around an instruction, innermost loop first.
func (p *places) exits(in *rewrite.Inst) (list []*rewrite.Inst) {
	for l := p.loops[p.g.BlockOf[in.Index].Index]; l != nil; l = l.Parent {
		inside := make(map[*rewrite.Block]bool)
		for _, b := range l.Blocks {
			inside[b] = true
		}
		for _, b := range l.Blocks {
			for _, s := range b.Succs {
				if !inside[s] && s.Start < s.End {
					list = append(list, p.f.Insts[s.Start])
				}
			}
		}
	}
	return list
}

// next returns the instruction after another in its block, nil at the end.
func (p *places) next(in *rewrite.Inst) *rewrite.Inst {
	if in.Index+1 < p.g.BlockOf[in.Index].End {
		return p.f.Insts[in.Index+1]
	}
	return nil
}

// inDifferentArms reports whether two instructions are in different arms of a branch, and every thread that takes an
// arm executes its instruction once.
func (p *places) inDifferentArms(a, b *rewrite.Inst) bool {
	x, y := p.g.BlockOf[a.Index], p.g.BlockOf[b.Index]
	for _, d := range p.g.Blocks {
		if len(d.Succs) != 2 || d.IPDom == nil {
			continue
		}
		s, t := d.Succs[0], d.Succs[1]
		if p.through(s, x) && p.through(t, y) || p.through(t, x) && p.through(s, y) {
			return !p.divergent[d.Index]
		}
	}
	return false
}

// through reports whether all threads that enter an arm execute one of its blocks.
func (p *places) through(arm, b *rewrite.Block) bool {
	return len(arm.Preds) == 1 && p.g.Dominates(arm, b) && p.g.PostDominates(b, arm)
}
