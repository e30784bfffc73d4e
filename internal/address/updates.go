// Stores that update an element in two steps: load, compute, store.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Updates returns the stores of f whose value is computed from what the thread has loaded at the same address (Place),
// as in "x += 1" or "old = *p; *p = old + 1". The result maps each to these loads. When threads do so at the same time,
// updates are lost.
func Updates(f *rewrite.Func) map[*rewrite.Inst][]*rewrite.Inst {
	return f.Memo(updatesKey{}, func() any {
		out := make(map[*rewrite.Inst][]*rewrite.Inst)
		for _, in := range f.Insts {
			if in.Access.Kind == isa.AccessStore && in.Instr.Calc == isa.CalcStore && in.Value() != nil &&
				ofThreads(in.Access.Space) {
				if loads := updated(in); loads != nil {
					out[in] = loads
				}
			}
		}
		return out
	}).(map[*rewrite.Inst][]*rewrite.Inst)
}

// updatesKey is the key under which a function caches its Updates.
type updatesKey struct{}

// maxSources limits the number of values that are followed from one operand.
const maxSources = 64

// ofThreads reports whether several threads may access memory of a space.
func ofThreads(s isa.Space) bool {
	return s == isa.SpaceGlobal || s == isa.SpaceShared || s == isa.SpaceNone
}

// updated returns the loads at the address of a store from which its value is computed.
func updated(store *rewrite.Inst) (loads []*rewrite.Inst) {
	eachSource(store, store.Value(), func(in *rewrite.Inst) (further bool) {
		if in.Access.Kind == isa.AccessLoad && ofThreads(in.Access.Space) && SamePlace(in, store) {
			loads = append(loads, in)
		}
		return in.Access.Kind == isa.AccessNone
	})
	return loads
}

// Indirect reports whether the address of an access is computed from what the thread has loaded from global or shared
// memory.
func Indirect(access *rewrite.Inst) bool {
	found := false
	eachSource(access, &access.Operands[access.Access.Addr], func(in *rewrite.Inst) (further bool) {
		found = found || in.Access.Kind != isa.AccessNone && ofThreads(in.Access.Space)
		return in.Access.Kind == isa.AccessNone
	})
	return found
}

// eachSource calls visit for the instructions from which the value of an operand is computed. Its result says whether
// to go on to those from which what the instruction reads is computed.
func eachSource(in *rewrite.Inst, operand *rewrite.Operand, visit func(*rewrite.Inst) (further bool)) {
	var work []int32
	seen := make(map[int32]bool)
	v := in.Func.SSA()
	add := func(n int32) {
		if n != rewrite.NoValue && !seen[n] && len(seen) < maxSources {
			seen[n] = true
			work = append(work, n)
		}
	}
	read := func(in *rewrite.Inst, o *rewrite.Operand) {
		o.EachReg(func(r *rewrite.Reg) { add(v.Use(in, r)) })
	}
	read(in, operand)
	for len(work) > 0 {
		val := &v.Values[work[len(work)-1]]
		work = work[:len(work)-1]
		val.Inputs(add)
		if val.Kind != rewrite.SSAWrite || !visit(val.Inst) {
			continue
		}
		for i := range val.Inst.Operands {
			if val.Inst.Role(i) != isa.RoleDst {
				read(val.Inst, &val.Inst.Operands[i])
			}
		}
	}
}

// SamePlace reports whether two accesses of one function are known to have the same Place.
func SamePlace(x, y *rewrite.Inst) bool {
	roots := RootsOf(x.Func)
	p, known := roots.Place(x, x.Access.Addr)
	q, also := roots.Place(y, y.Access.Addr)
	return known && also && p == q
}
