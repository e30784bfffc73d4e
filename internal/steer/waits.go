// Wait loops: tests of an mbarrier's phase that are repeated until it is complete.

package steer

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// spin is a loop that repeats tests until something is as wanted, and has no other effects.
type spin struct {
	test *rewrite.Inst // one of its tests
	loop *rewrite.Loop
}

// spins returns the spin loops of a function by their headers. How often such a loop runs depends on the order of
// threads, even if the value that ends it does not.
func spins(f *rewrite.Func) map[*rewrite.Block]spin {
	out := make(map[*rewrite.Block]spin)
	if !slices.ContainsFunc(f.Insts, tests) {
		return nil
	}
	for _, l := range f.CFG().Loops() {
		if test := idle(f, l); test != nil {
			out[l.Header] = spin{test, l}
		}
	}
	return out
}

// tests reports whether an instruction reads what another thread may be about to change.
func tests(in *rewrite.Inst) bool {
	a := in.Access
	return in.Mbarrier().Waits() || a.Kind == isa.AccessAtomic && in.Mbarrier() == isa.MbarrierNone ||
		a.Kind == isa.AccessLoad && in.Strong()
}

// idle returns a test of a loop that has no effects but tests, nil for other loops.
func idle(f *rewrite.Func, l *rewrite.Loop) (test *rewrite.Inst) {
	const effects = isa.WritesMemory | isa.Orders | isa.Synchronises | isa.Calls | isa.Convergent
	for _, b := range l.Blocks {
		for _, in := range f.Insts[b.Start:b.End] {
			switch {
			case tests(in):
				test = in
			case in.Effects()&effects != 0 && in.Instr.Class != isa.ClassFence:
				return nil
			}
		}
	}
	return test
}

// polls returns the tests of mbarriers of a function whose result decides nothing but how often a spin loop repeats
// them.
func polls(f *rewrite.Func, in map[*rewrite.Block]spin) map[*rewrite.Inst]bool {
	out := make(map[*rewrite.Inst]bool)
	for _, s := range in {
		for _, b := range s.loop.Blocks {
			for _, in := range f.Insts[b.Start:b.End] {
				if in.Mbarrier().Waits() && decidesWithin(in, s.loop) {
					out[in] = true
				}
			}
		}
	}
	return out
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
