// Strong liveness in cycles: the registers that decide what a thread in a loop does.

package rewrite

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// StronglyLive returns the strongly live registers of the outermost cycle around b: those on which a branch in the cycle depends, or
// an instruction in the cycle with an effect (an access to memory, a barrier, a call), directly or through computations. The other
// registers are faint (Giegerich, Möncke and Wilhelm, "Invariance of approximative semantics with respect to program
// transformations", 1981): within the cycle, only further faint registers are computed from them. A counter that is read after the
// loop only is faint.
//
// A cycle here is a strongly connected component of the graph: a thread that has left it does not return in the same activation of
// the function. If a thread reaches b twice with the same strongly live registers and the same memory, it therefore executes the
// instructions in between again and again, forever. The result is nil if b is in no cycle, or edges are unknown. Do not modify it.
func (f *Func) StronglyLive(b *Block) RegSet {
	return memo(f, strongKey{}, func() []RegSet { return newStrong(f) })[b.Index]
}

// newStrong returns the sets by block.
func newStrong(f *Func) []RegSet {
	g := f.CFG()
	sets := make([]RegSet, len(g.Blocks))
	if g.Degenerate {
		return sets
	}
	for _, cycle := range g.cycles() {
		set := f.strongIn(cycle)
		for _, b := range cycle {
			sets[b.Index] = set
		}
	}
	return sets
}

// cycles returns the blocks of each strongly connected component that has an edge within it.
func (g *CFG) cycles() [][]*Block {
	succs := make([][]int, len(g.Blocks))
	for i, b := range g.Blocks {
		for _, to := range b.Succs {
			succs[i] = append(succs[i], to.Index)
		}
	}
	of := components(succs)
	all := make([][]*Block, len(g.Blocks))
	cyclic := make([]bool, len(g.Blocks))
	for i, c := range of {
		all[c] = append(all[c], g.Blocks[i])
		for _, to := range succs[i] {
			cyclic[c] = cyclic[c] || of[to] == c
		}
	}
	var found [][]*Block
	for c, blocks := range all {
		if cyclic[c] {
			found = append(found, blocks)
		}
	}
	return found
}

// strongIn returns the strongly live registers of a cycle, regardless of where in the cycle they are written and read.
func (f *Func) strongIn(cycle []*Block) RegSet {
	set := newRegSet(len(f.Regs))
	var work []*Reg
	need := func(r *Reg) {
		if !set.Has(r) {
			set.add(r)
			work = append(work, r)
		}
	}
	results := make(map[*Reg][]*Inst) // instructions that compute a register and do nothing else
	for _, b := range cycle {
		for _, in := range f.Insts[b.Start:b.End] {
			if !in.computes() {
				in.Uses(need)
				continue
			}
			in.Defs(func(r *Reg) { results[r] = append(results[r], in) })
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

// computes reports whether an instruction computes registers from operands of the same lane and does nothing else: it cannot fault
// either.
func (i *Inst) computes() bool {
	if i.Unknown() || i.Effects() != 0 || len(i.Accesses) > 0 {
		return false
	}
	calc := i.Instr.Calc
	return calc != isa.CalcNone && calc != isa.CalcPeerAddress && calc < isa.CalcAddress
}
