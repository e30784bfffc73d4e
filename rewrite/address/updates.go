// Stores that update an element in two steps: load, compute, store.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Updates returns the stores of f whose value is computed from what the thread has loaded at the same address (Place), as in
// "x += 1" or "old = *p; *p = old + 1". The result maps each to these loads. When threads do so at the same time, updates are
// lost.
func Updates(f *rewrite.Func) map[*rewrite.Inst][]*rewrite.Inst {
	return f.Memo(updatesKey{}, func() any {
		out := make(map[*rewrite.Inst][]*rewrite.Inst)
		for _, in := range f.Insts {
			if in.Access.Kind == isa.AccessStore && in.Instr.Calc == isa.CalcStore && ofThreads(in.Access.Space) {
				if loads := updated(f, in); loads != nil {
					out[in] = loads
				}
			}
		}
		return out
	}).(map[*rewrite.Inst][]*rewrite.Inst)
}

// updatesKey is the key under which a function caches its Updates.
type updatesKey struct{}

// maxUpdateSteps limits the number of values that are followed from one store.
const maxUpdateSteps = 64

// ofThreads reports whether several threads may access memory of a space.
func ofThreads(s isa.Space) bool {
	return s == isa.SpaceGlobal || s == isa.SpaceShared || s == isa.SpaceNone
}

// updated returns the loads at the address of a store from which its value is computed.
func updated(f *rewrite.Func, store *rewrite.Inst) (loads []*rewrite.Inst) {
	var work []int32
	seen := make(map[int32]bool)
	v := f.SSA()
	read := func(in *rewrite.Inst, o *rewrite.Operand) {
		o.EachReg(func(r *rewrite.Reg) {
			if n := v.Use(in, r); n != rewrite.NoValue && !seen[n] && len(seen) < maxUpdateSteps {
				seen[n] = true
				work = append(work, n)
			}
		})
	}
	read(store, &store.Operands[store.Access.Value])
	for len(work) > 0 {
		val := &v.Values[work[len(work)-1]]
		work = work[:len(work)-1]
		val.Inputs(func(n int32) {
			if !seen[n] && len(seen) < maxUpdateSteps {
				seen[n] = true
				work = append(work, n)
			}
		})
		in := val.Inst
		switch {
		case val.Kind != rewrite.SSAWrite:
		case in.Access.Kind == isa.AccessLoad:
			if ofThreads(in.Access.Space) && SamePlace(in, store) {
				loads = append(loads, in)
			}
		case in.Access.Kind == isa.AccessNone:
			for i := range in.Operands {
				if in.Role(i) != isa.RoleDst {
					read(in, &in.Operands[i])
				}
			}
		}
	}
	return loads
}

// SamePlace reports whether two accesses of one function are known to have the same Place.
func SamePlace(x, y *rewrite.Inst) bool {
	roots := RootsOf(x.Func)
	p, known := roots.Place(x, x.Access.Addr)
	q, also := roots.Place(y, y.Access.Addr)
	return known && also && p == q
}
