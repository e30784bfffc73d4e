// Weak loads that provide the expected value of a compare-and-swap loop.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Guesses returns the weak loads whose value becomes, unchanged, the expected value of a compare-and-swap: the first
// read of a location before the loop that updates it (CUDA C++ Programming Guide, "Atomic Functions": old = *address;
// do { ... } while (...)).
func Guesses(f *rewrite.Func) map[*rewrite.Inst]bool {
	found := false
	for _, in := range f.Insts {
		found = found || swaps(in)
	}
	if !found {
		return nil
	}
	g := guesses{&loadFlow{f: f, du: f.DefUse()}}
	out := make(map[*rewrite.Inst]bool)
	for _, in := range f.Insts {
		if predicts(in) && g.expected(in) {
			out[in] = true
		}
	}
	return out
}

// predicts reports whether an instruction is a weak load of memory that may change.
func predicts(in *rewrite.Inst) bool {
	weak := in.Sem == isa.SemNone || in.Sem == isa.SemWeak
	return in.Instr.Calc == isa.CalcLoad && weak && in.Space != isa.SpaceParam && in.Space != isa.SpaceConst
}

// swaps reports whether an instruction is an atomic compare-and-swap.
func swaps(in *rewrite.Inst) bool { return in.Access.Atomic() && in.Access.AtomOp == "cas" }

// guesses follows loaded values as deciding does, to the compare operands of swaps.
type guesses struct{ *loadFlow }

// expected reports whether the value of a load reaches, through copies only, the compare
// operand of a compare-and-swap.
func (g guesses) expected(load *rewrite.Inst) bool {
	seen := map[*rewrite.Inst]bool{load: true}
	for work := []*rewrite.Inst{load}; len(work) > 0; {
		in := work[len(work)-1]
		work = work[:len(work)-1]
		found := false
		in.Defs(func(r *rewrite.Reg) {
			for _, u := range g.du.Uses(in, r) {
				found = found || swaps(u) && g.reads(u.Value(), r)
				if u.Instr.Calc == isa.CalcCopy && !seen[u] {
					seen[u] = true
					work = append(work, u)
				}
			}
		})
		if found {
			return true
		}
	}
	return false
}
