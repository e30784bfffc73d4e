// Groups of accesses whose hooks are called at one place, so that one branch passes by all of them.

package collide

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// group is accesses whose hooks are called in front of an instruction.
type group struct {
	at   int
	list []*access
}

// groups chooses where the hooks of the accesses of a function are called. A hook can be in front of its access or
// behind it, in the same basic block: as long as the thread executes no synchronisation between, the access is ordered
// before and after the same accesses of other threads as the hook. Threads can synchronise by a strong access: its hook
// is not behind it. The fewest places that do are found from the end of each hook's range.
func groups(f *rewrite.Func, list []access) (out []group) {
	type ranged struct {
		*access
		low, high int
	}
	var hooks []ranged
	for i := range list {
		low, high := list[i].within(f)
		hooks = append(hooks, ranged{&list[i], low, high})
	}
	slices.SortStableFunc(hooks, func(a, b ranged) int { return cmp.Compare(a.high, b.high) })
	for _, h := range hooks {
		if n := len(out) - 1; n >= 0 && out[n].at >= h.low {
			out[n].list = append(out[n].list, h.access)
		} else {
			out = append(out, group{h.high, []*access{h.access}})
		}
	}
	return out
}

// within returns the first and the last instruction in front of which the hook of an access can be.
func (a *access) within(f *rewrite.Func) (low, high int) {
	g := f.CFG()
	if g.Degenerate {
		return a.index, a.index
	}
	in, b := f.Insts[a.index], g.BlockOf[a.index]
	reads := []*rewrite.Reg{in.Guard, in.Operands[a.operand].Reg}
	if a.demand != nil {
		reads = append(reads, a.demand.Reg)
	}
	stops := func(in *rewrite.Inst) bool {
		return separates(in) || slices.ContainsFunc(reads,
			func(r *rewrite.Reg) bool { return r != nil && in.Writes(r) })
	}
	for low = a.index; low > b.Start && !stops(f.Insts[low-1]); low-- {
	}
	for high = a.index; !a.strong() && high+1 < b.End && !stops(f.Insts[high]); high++ {
	}
	return low, high
}

// separates reports whether a hook must stay on its side of an instruction: it may order memory, wait, read the carry
// flag, or not come back, or other lanes execute it.
func separates(in *rewrite.Inst) bool {
	const effects = isa.Orders | isa.Synchronises | isa.Calls | isa.Terminates | isa.Convergent | isa.ReadsCarry | isa.WritesCarry
	return in.Effects()&effects != 0 || releases(in) || in.Copy.Kind != isa.AccessNone
}
