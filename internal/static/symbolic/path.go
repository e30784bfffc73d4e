// Paths between instructions of a frame.

package symbolic

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Leads reports whether control may pass from behind one instruction of the frame to another without passing an
// instruction for which stop returns true.
func (f *Frame) Leads(from, to *rewrite.Inst, stop func(*rewrite.Inst) bool) bool {
	seen := make([]bool, len(f.CFG.Blocks))
	var work []*rewrite.Block
	// walk goes through a block from an index on; it reports whether to was found.
	walk := func(b *rewrite.Block, at int) (found bool) {
		for _, in := range f.Func.Insts[at:b.End] {
			if in == to {
				return true
			}
			if stop(in) {
				return false
			}
		}
		for _, s := range b.Succs {
			if !seen[s.Index] {
				seen[s.Index] = true
				work = append(work, s)
			}
		}
		return false
	}
	if walk(f.Block(from), from.Index+1) {
		return true
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b != f.CFG.Exit && walk(b, b.Start) {
			return true
		}
	}
	return false
}

// Arm returns the branch that leads to the basic block of an instruction, which no other does, and the condition under
// which a thread takes that way; nil if there is no such branch of two ways.
func (f *Frame) Arm(in *rewrite.Inst) (branch *rewrite.Inst, taken *expr.Bool) {
	at := f.Block(in)
	if len(at.Preds) != 1 || at.Preds[0].Start == at.Preds[0].End {
		return nil, nil
	}
	from := at.Preds[0]
	branch = f.Func.Insts[from.End-1]
	if len(from.Succs) != 2 || branch.Guard == nil || branch.BranchIndex() >= 0 || from.Succs[0] == from.Succs[1] {
		return nil, nil
	}
	taken = f.Guard(branch)
	if from.Succs[1] == at {
		taken = expr.Not(taken)
	}
	return branch, taken
}
