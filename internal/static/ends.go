// Bulk copies from or to shared memory for which nothing waits before the block ends.

package static

import (
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// The end of a block is a write to its shared memory (docs/detectors/precise.md, "Ends of blocks"). It is no access of
// the kernel, so that no pair stands for it: a copy that some path leaves unwaited leaves the kernel open.

// leftCopy returns a bulk copy out of shared memory from which a path leads to the end of the kernel without a wait for
// it by its thread, nil if there is none.
func leftCopy(m *kernel.Model) *rewrite.Inst {
	for _, f := range m.Kernel.Frames {
		for _, in := range f.Func.Insts {
			if step, _ := in.CopyGroups(); step == isa.CopyGroupsNone && in.Has("bulk_group") && f.Reached(in) {
				w := copyWalk{guard: in.Guard, not: in.GuardNot, seen: make(map[copyPlace]bool)}
				if w.leaves(copyPlace{f, in.Index + 1, 0}) {
					return in
				}
			}
		}
	}
	return nil
}

// leftLoad returns a bulk copy into shared memory for which it is not known that a thread of the block waits, nil if there
// is none, and adds what that rests on.
func (a *analysis) leftLoad(needed []string) (*rewrite.Inst, []string) {
	a.opt.Proofs.Begin()
	left, more := a.LeftCopy()
	if left != nil {
		return left, needed
	}
	return nil, append(needed, more...)
}

// copyPlace is a place on a path behind a copy, with the number of groups committed since.
type copyPlace struct {
	frame  *symbolic.Frame
	at     int // index of an instruction
	groups uint64
}

// mostCopyGroups bounds the count of groups.
const mostCopyGroups = 8

// copyWalk follows the paths behind a copy, which has the given guard.
type copyWalk struct {
	guard *rewrite.Reg
	not   bool
	seen  map[copyPlace]bool
}

// leaves reports whether a path from a place leads to the end of the kernel without a wait.
func (w *copyWalk) leaves(p copyPlace) bool {
	if w.seen[p] {
		return false
	}
	w.seen[p] = true
	insts, g := p.frame.Func.Insts, p.frame.Func.CFG()
	if p.at >= len(insts) {
		return w.returns(p)
	}
	b := g.BlockOf[p.at]
	for _, in := range insts[p.at:b.End] {
		switch step, bulk := in.CopyGroups(); {
		case !bulk || in.Guard != nil && (in.Guard != w.guard || in.GuardNot != w.not):
		case step == isa.CopyGroupsCommit:
			p.groups = min(p.groups+1, mostCopyGroups)
		case step == isa.CopyGroupsWait && in.Operands[0].Kind == rewrite.OperandImm && in.Operands[0].Imm < p.groups:
			return false
		}
	}
	for _, s := range b.Succs {
		next := copyPlace{p.frame, s.Start, p.groups}
		if s == g.Exit {
			if last := insts[b.End-1]; last.Effects().Has(isa.Aborts) {
				continue
			}
			next.at = len(insts)
		}
		if w.leaves(next) {
			return true
		}
	}
	return false
}

// returns continues behind the call of a frame; the kernel itself ends.
func (w *copyWalk) returns(p copyPlace) bool {
	if p.frame.Parent == nil {
		return true
	}
	return w.leaves(copyPlace{p.frame.Parent, p.frame.Call.Index + 1, p.groups})
}
