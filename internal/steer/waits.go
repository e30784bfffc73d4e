// Wait loops: tests of an mbarrier's phase that are repeated until it is complete.

package steer

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// polls returns the tests of mbarriers of a function whose result decides nothing but how often a loop repeats them.
// The loop does nothing else: when the thread leaves it, no register depends on the number of rounds.
func polls(f *rewrite.Func) map[*rewrite.Inst]bool {
	out := make(map[*rewrite.Inst]bool)
	var loops []*rewrite.Loop
	for _, in := range f.Insts {
		if !in.Mbarrier().Waits() {
			continue
		}
		if loops == nil {
			loops = f.CFG().Innermost()
		}
		if l := loops[f.CFG().BlockOf[in.Index].Index]; l != nil && idle(f, l) && decidesWithin(in, l) {
			out[in] = true
		}
	}
	return out
}

// idle reports whether a loop has no effects but tests of mbarriers, and computes nothing from one round for the next.
func idle(f *rewrite.Func, l *rewrite.Loop) bool {
	const effects = isa.ReadsMemory | isa.WritesMemory | isa.Orders | isa.Synchronises | isa.Calls | isa.Terminates |
		isa.Convergent | isa.ReadsClock
	for _, b := range l.Blocks {
		for _, in := range f.Insts[b.Start:b.End] {
			if in.Effects()&effects != 0 && !in.Mbarrier().Waits() {
				return false
			}
		}
	}
	values := f.SSA().Values
	for i := range values {
		if values[i].Kind == rewrite.SSAPhi && values[i].Block == l.Header {
			return false
		}
	}
	return true
}

// decidesWithin reports whether the result of a test reaches only branches of the loop, through computations in it.
func decidesWithin(test *rewrite.Inst, l *rewrite.Loop) bool {
	f := test.Func
	seen := map[*rewrite.Inst]bool{test: true}
	for work := []*rewrite.Inst{test}; len(work) > 0; {
		in := work[len(work)-1]
		work = work[:len(work)-1]
		ok := true
		in.Defs(func(r *rewrite.Reg) {
			for _, u := range f.DefUse().Uses(in, r) {
				ok = ok && slices.Contains(l.Blocks, f.CFG().BlockOf[u.Index]) && (u.Branches() || !u.Mbarrier().Waits())
				if !seen[u] {
					seen[u] = true
					work = append(work, u)
				}
			}
		})
		if !ok {
			return false
		}
	}
	return true
}
