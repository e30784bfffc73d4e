// Threads that execute an instruction together: no divergent branch separates them there.

package symbolic

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Together reports whether all threads of a block that have not ended reach an instruction together, after the same
// iterations: no divergent branch separates them there.
func (f *Frame) Together(in *rewrite.Inst) bool { return f.TogetherIn(Block, in) }

// TogetherIn is Together for the threads of each team of a kind.
func (f *Frame) TogetherIn(t Team, in *rewrite.Inst) bool {
	if f.Parent != nil && (!f.Parent.TogetherIn(t, f.Call) || f.Parent.split(f.Call)) {
		return false
	}
	u := f.uniformIn(t)
	if in.Guard != nil && u.reg(in, in.Guard) || f.CFG.Degenerate {
		return false
	}
	at := f.Block(in)
	for _, b := range f.CFG.Blocks {
		if u.diverges[b.Index] && f.CFG.Reached(b) && f.separates(b, at, t) {
			return false
		}
	}
	return true
}

// separates reports whether threads that diverge at a branch may reach block at separately: at lies on a path before
// they reconverge. If the kernel ends before they reconverge, paths without barriers do not count.
func (f *Frame) separates(branch, at *rewrite.Block, t Team) bool {
	n, barrier := 0, false
	for _, s := range branch.Succs {
		way := make(map[*rewrite.Block]bool)
		f.reach(s, branch.IPDom, way)
		barrier = barrier || way[at]
		if f.Parent != nil || branch.IPDom != nil && branch.IPDom != f.CFG.Exit || f.synchronises(way, t) {
			n++
		}
	}
	return barrier && n > 1
}

// EndsEarly reports whether threads of a team may end before they reach an instruction that others reach: it lies on
// one side of a divergent branch.
func (f *Frame) EndsEarly(in *rewrite.Inst, t Team) bool {
	u, at := f.uniformIn(t), f.Block(in)
	for _, b := range f.CFG.Blocks {
		if u.diverges[b.Index] && f.CFG.Reached(b) && f.region(b)[at] {
			return true
		}
	}
	return f.Parent != nil && (f.Parent.EndsEarly(f.Call, t) || f.Parent.split(f.Call))
}

// synchronises reports whether a set of blocks contains a barrier, or for a team also an exchange between the lanes of
// a warp.
func (f *Frame) synchronises(way map[*rewrite.Block]bool, t Team) bool {
	for b := range way {
		for _, in := range f.Func.Insts[b.Start:b.End] {
			if _, ok := in.Barrier(); ok || t != Block && in.Instr.Class == isa.ClassWarp || len(f.Callees(in)) > 0 {
				return true
			}
		}
	}
	return false
}
