// Loads that are complete at the next barrier or release of their thread, because the thread uses their value before
// it.

package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Consumed returns the loads of f that are complete at the thread's next arrival at a barrier or mbarrier, or call,
// since their value is used on every path there. A guarded instruction may not be executed: it counts only if its guard
// is that of the load, in the same basic block. At the arrival these loads have been performed, whatever the semantics
// of the arrival.
func Consumed(f *rewrite.Func) map[*rewrite.Inst]bool {
	return f.Memo(consumedKey{}, func() any {
		out := make(map[*rewrite.Inst]bool)
		for _, in := range f.Insts {
			if in.Access.Kind == isa.AccessLoad && ofThreads(in.Access.Space) && !f.CFG().Degenerate && consumed(in) {
				out[in] = true
			}
		}
		return out
	}).(map[*rewrite.Inst]bool)
}

// consumedKey is the key under which a function caches its Consumed.
type consumedKey struct{}

func consumed(load *rewrite.Inst) bool {
	f, g := load.Func, load.Func.CFG()
	home := g.BlockOf[load.Index]
	uses := func(in *rewrite.Inst) bool {
		own := in.Guard == nil || in.Guard == load.Guard && in.GuardNot == load.GuardNot &&
			g.BlockOf[in.Index] == home && keeps(load, in)
		return own && usesResult(load, in)
	}
	seen := make(map[*rewrite.Block]bool)
	work := []int{load.Index + 1}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if at >= len(f.Insts) {
			continue
		}
		b := g.BlockOf[at]
		rest := f.Insts[at:b.End]
		switch i := slices.IndexFunc(rest, func(in *rewrite.Inst) bool {
			return uses(in) || signals(in) ||
				loses(load, in)
		}); {
		case i >= 0 && !uses(rest[i]):
			return false
		case i >= 0:
			continue
		}
		for _, s := range b.Succs {
			if s != g.Exit && !seen[s] {
				seen[s] = true
				work = append(work, s.Start)
			}
		}
	}
	return true
}

// keeps reports whether no instruction between two of a basic block writes the guard of the first.
func keeps(first, second *rewrite.Inst) bool {
	return second.Index > first.Index && !slices.ContainsFunc(first.Func.Insts[first.Index:second.Index],
		func(in *rewrite.Inst) bool { return in.Writes(first.Guard) })
}

// usesResult reports whether an instruction reads a register that a load writes.
func usesResult(load, in *rewrite.Inst) (found bool) {
	load.Defs(func(r *rewrite.Reg) { in.Uses(func(u *rewrite.Reg) { found = found || u == r }) })
	return found
}

// loses reports whether an instruction writes a register that a load writes: what follows may use the other value.
func loses(load, in *rewrite.Inst) (found bool) {
	load.Defs(func(r *rewrite.Reg) { found = found || in.Writes(r) })
	return found
}

// signals reports whether an instruction may signal other threads that the thread has come to it.
func signals(in *rewrite.Inst) bool {
	_, barrier := in.Barrier()
	_, call := in.Call()
	return barrier || call || in.Mbarrier() != isa.MbarrierNone || in.Instr.Class == isa.ClassAsync || in.Sem.Releases()
}
