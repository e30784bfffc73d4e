package rewrite

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// Guesses returns the weak loads whose value becomes, unchanged, what a compare-and-swap
// expects to find: the first look at a location before the loop that updates it
// (CUDA C++ Programming Guide, "Atomic Functions": old = *address; do { ... } while (...)).
func (f *Func) Guesses() map[*Inst]bool {
	swaps := false
	for _, in := range f.Insts {
		swaps = swaps || in.swaps()
	}
	if !swaps {
		return nil
	}
	g := guesses{&deciding{f: f, du: f.DefUse()}}
	out := make(map[*Inst]bool)
	for _, in := range f.Insts {
		weak := in.Sem == isa.SemNone || in.Sem == isa.SemWeak
		if in.Instr.Calc == isa.CalcLoad && weak && in.Space != isa.SpaceParam && in.Space != isa.SpaceConst && g.expected(in) {
			out[in] = true
		}
	}
	return out
}

// swaps reports whether an instruction is a compare-and-swap.
func (in *Inst) swaps() bool { return in.Access.Atomic() && in.Access.AtomOp == "cas" }

type guesses struct{ *deciding }

// expected reports whether a compare-and-swap expects what a load finds.
func (g guesses) expected(load *Inst) bool {
	seen := map[*Inst]bool{load: true}
	for work := []*Inst{load}; len(work) > 0; {
		in := work[len(work)-1]
		work = work[:len(work)-1]
		found := false
		in.Defs(func(r *Reg) {
			for _, u := range g.du.Uses(in, r) {
				found = found || u.swaps() && g.reads(&u.Operands[u.Access.Value], r)
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
