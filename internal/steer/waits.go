// Wait loops: tests of an mbarrier's phase that are repeated until it is complete.

package steer

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// spin is a loop that repeats tests until something is as wanted, and has no other effects.
type spin struct {
	test *rewrite.Inst // one of its tests
	loop *rewrite.Loop
}

// spins returns the outermost spin loop of each block that is in one. How often such a loop runs, and on which way,
// depends on the order of threads, even if the value that ends it does not.
func spins(f *rewrite.Func, tests map[*rewrite.Inst]bool) map[*rewrite.Block]spin {
	out := make(map[*rewrite.Block]spin)
	if len(tests) == 0 {
		return nil
	}
	for _, l := range f.CFG().Loops() {
		test := idle(f, l, tests)
		for _, b := range l.Blocks {
			if s, ok := out[b]; test != nil && (!ok || l.Depth < s.loop.Depth) {
				out[b] = spin{test, l}
			}
		}
	}
	return out
}

// stays reports whether a branch only decides on which way a spin loop goes on.
func (w *Flow) stays(in *rewrite.Inst) bool {
	b := in.Func.CFG().BlockOf[in.Index]
	s, ok := w.spins[b]
	return ok && in.Branches() && !slices.ContainsFunc(b.Succs, func(to *rewrite.Block) bool {
		return w.spins[to].loop != s.loop
	})
}

// testsOf returns the instructions of a function that read what another thread may be about to change: tests of
// mbarriers, and loads and atomic operations that a loop repeats until the value is as wanted, or that may be its first
// round.
func testsOf(f *rewrite.Func) map[*rewrite.Inst]bool {
	repeated := address.Awaited(f)
	tests := maps.Clone(repeated)
	for _, in := range f.Insts {
		if in.Mbarrier().Waits() {
			tests[in] = true
		}
		if in.Access.Kind != isa.AccessAtomic && (in.Access.Kind != isa.AccessLoad || !in.Strong()) {
			continue
		}
		for load := range repeated {
			g := f.CFG()
			tests[in] = tests[in] ||
				address.SamePlace(in, load) && g.Dominates(g.BlockOf[in.Index], g.BlockOf[load.Index])
		}
	}
	maps.DeleteFunc(tests, func(_ *rewrite.Inst, is bool) bool { return !is })
	return tests
}

// spinEffects are what an instruction of a spin loop does not do.
const spinEffects = isa.WritesMemory | isa.Orders | isa.Synchronises | isa.Calls | isa.Convergent

// computesOnly reports whether all that an instruction does is to compute the values of registers, or to sleep.
func computesOnly(in *rewrite.Inst) bool {
	const more = isa.ReadsMemory | isa.Branches | isa.Terminates
	return in.Effects()&(spinEffects|more) == 0 && in.Mbarrier() == isa.MbarrierNone
}

// isCopy reports whether an instruction copies one register to another.
func isCopy(in *rewrite.Inst) bool {
	return in.Instr.Calc == isa.CalcCopy && len(in.Operands) == 2 && in.Operands[1].Kind == rewrite.OperandReg &&
		in.Operands[0].Kind == rewrite.OperandReg && in.Guard == nil
}

// idle returns a test of a loop that has no effects but tests, nil for other loops.
func idle(f *rewrite.Func, l *rewrite.Loop, tests map[*rewrite.Inst]bool) (test *rewrite.Inst) {
	for _, b := range l.Blocks {
		for _, in := range f.Insts[b.Start:b.End] {
			switch {
			case tests[in]:
				test = in
			case in.Effects()&spinEffects != 0 && in.Instr.Class != isa.ClassFence:
				return nil
			}
		}
	}
	return test
}

// polls returns the tests of mbarriers of a function whose result decides nothing but how often a spin loop repeats
// them, or whether the thread enters it. Met has, for blocks where threads go on that have or have not done so, such a
// test.
func polls(f *rewrite.Func, tests map[*rewrite.Inst]bool, in map[*rewrite.Block]spin) (
	out map[*rewrite.Inst]bool, met map[*rewrite.Block]*rewrite.Inst,
) {
	out, met = make(map[*rewrite.Inst]bool), make(map[*rewrite.Block]*rewrite.Inst)
	for _, test := range f.Insts {
		s, within := in[f.CFG().BlockOf[test.Index]]
		switch {
		case !tests[test] || within && !test.Mbarrier().Waits():
		case within:
			out[test] = decidesWithin(test, s.loop)
		case test.Mbarrier().Waits():
			joins, ok := ahead(test, tests, in)
			for _, b := range joins {
				met[b] = test
			}
			out[test] = ok
		default: // the first round of a loop
			for b := range chosen(test) {
				met[b] = test
			}
		}
	}
	return out, met
}

// chosen returns the blocks that a thread enters depending on what a test has found, and those where the ways meet.
func chosen(test *rewrite.Inst) map[*rewrite.Block]bool {
	g, out := test.Func.CFG(), make(map[*rewrite.Block]bool)
	for in := range flow(test) {
		if !in.Branches() {
			continue
		}
		b := g.BlockOf[in.Index]
		for work := slices.Clone(b.Succs); len(work) > 0; {
			to := work[len(work)-1]
			work = work[:len(work)-1]
			if out[to] {
				continue
			}
			out[to] = true
			if to != b.IPDom {
				work = append(work, to.Succs...)
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

// Peeks returns the tests of phases of mbarriers that no loop repeats until the phase is complete: they may find it
// complete in one schedule and not in another.
func (w *Flow) Peeks() (list []*rewrite.Inst) {
	for _, f := range w.Funcs {
		for _, in := range f.Insts {
			if in.Mbarrier().Waits() && !w.polls[in] {
				list = append(list, in)
			}
		}
	}
	return list
}
