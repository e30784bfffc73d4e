// Strong liveness in cycles: the registers that decide what a thread in a loop does.

package query

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"

	"github.com/ptxsan/ptxsan/rewrite"
)

// StronglyLive returns the strongly live registers of the outermost cycle around b: those on which a branch in the
// cycle depends, or an instruction in the cycle with an effect (an access to memory, a barrier, a call), directly or
// through computations. The other registers are faint (Giegerich, Möncke and Wilhelm, "Invariance of approximative
// semantics with respect to program transformations", 1981): within the cycle, only further faint registers are
// computed from them. A counter that is read after the loop only is faint.
//
// A cycle here is a strongly connected component of the graph: a thread that has left it does not return in the same
// activation of the function. If a thread reaches b twice with the same strongly live registers and the same memory, it
// therefore executes the instructions in between again and again, forever. The result is nil if b is in no cycle, or
// edges are unknown. Do not modify it.
func StronglyLive(f *rewrite.Func, b *rewrite.Block) rewrite.RegSet {
	return f.Memo(strongKey{}, func() any { return newStrong(f) }).([]rewrite.RegSet)[b.Index]
}

// newStrong returns the sets by block.
func newStrong(f *rewrite.Func) []rewrite.RegSet {
	g := f.CFG()
	sets := make([]rewrite.RegSet, len(g.Blocks))
	if g.Degenerate {
		return sets
	}
	for _, cycle := range cyclesOf(g) {
		set := strongIn(f, cycle)
		for _, b := range cycle {
			sets[b.Index] = set
		}
	}
	return sets
}

// cyclesOf returns the blocks of each strongly connected component that has an edge within it.
func cyclesOf(g *rewrite.CFG) [][]*rewrite.Block {
	succs := make([][]int, len(g.Blocks))
	for i, b := range g.Blocks {
		for _, to := range b.Succs {
			succs[i] = append(succs[i], to.Index)
		}
	}
	of := rewrite.Components(succs)
	all := make([][]*rewrite.Block, len(g.Blocks))
	cyclic := make([]bool, len(g.Blocks))
	for i, c := range of {
		all[c] = append(all[c], g.Blocks[i])
		for _, to := range succs[i] {
			cyclic[c] = cyclic[c] || of[to] == c
		}
	}
	var found [][]*rewrite.Block
	for c, blocks := range all {
		if cyclic[c] {
			found = append(found, blocks)
		}
	}
	return found
}

// strongIn returns the strongly live registers of a cycle, regardless of where in the cycle they are written and read.
func strongIn(f *rewrite.Func, cycle []*rewrite.Block) rewrite.RegSet {
	set := rewrite.NewRegSet(len(f.Regs))
	var work []*rewrite.Reg
	need := func(r *rewrite.Reg) {
		if !set.Has(r) {
			set.Add(r)
			work = append(work, r)
		}
	}
	results := make(map[*rewrite.Reg][]*rewrite.Inst) // instructions that compute a register and do nothing else
	for _, b := range cycle {
		for _, in := range f.Insts[b.Start:b.End] {
			if !computes(in) {
				in.Uses(need)
				continue
			}
			in.Defs(func(r *rewrite.Reg) { results[r] = append(results[r], in) })
		}
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		for _, in := range results[r] {
			in.Uses(need)
		}
	}
	return set
}

// computes reports whether an instruction computes registers from operands of the same lane and does nothing else: it
// cannot fault either.
func computes(i *rewrite.Inst) bool {
	if i.Unknown() || i.Effects() != 0 || len(i.Accesses) > 0 {
		return false
	}
	calc := i.Instr.Calc
	return calc != isa.CalcNone && calc != isa.CalcPeerAddress && calc < isa.CalcAddress
}

// strongKey is the key under which a function caches its strongly live registers.
type strongKey struct{}
