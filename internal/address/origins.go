// Backward slices of addresses: the loads on which the address of an access depends.

package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Origin is a read in the backward slice of an address. Always says that the address depends on it on every path to the
// access; else it does on some.
type Origin struct {
	Read   *rewrite.Inst
	Always bool
}

// Origins returns the loads and atomic operations in the backward slice of the address of an access, in source order.
// The slice is within a function: it follows registers, predicates that select values, and the addresses of further
// loads, but neither stores to memory nor calls.
func Origins(in *rewrite.Inst) (reads []Origin) {
	if in.Access.Kind == isa.AccessNone {
		return nil
	}
	s := sliceOf(in)
	for _, v := range s.order {
		d := s.ssa.Values[v].Inst
		known := func(o Origin) bool { return o.Read == d }
		if d != nil && (d.Access.Kind == isa.AccessLoad || d.Access.Kind == isa.AccessAtomic) &&
			!slices.ContainsFunc(reads, known) {
			reads = append(reads, Origin{d, s.always(d)})
		}
	}
	slices.SortFunc(reads, func(a, b Origin) int { return a.Read.Index - b.Read.Index })
	return reads
}

// addressSlice holds the values of registers on which an address may depend.
type addressSlice struct {
	ssa   *rewrite.SSA
	base  []int32 // the address itself
	order []int32
}

func sliceOf(in *rewrite.Inst) *addressSlice {
	s, seen := &addressSlice{ssa: in.Func.SSA()}, make(map[int32]bool)
	add := func(v int32) {
		if v != rewrite.NoValue && !seen[v] {
			seen[v] = true
			s.order = append(s.order, v)
		}
	}
	in.Operands[in.Access.Addr].EachReg(func(r *rewrite.Reg) { add(s.ssa.Use(in, r)) })
	s.base = slices.Clone(s.order)
	for i := 0; i < len(s.order); i++ {
		v := &s.ssa.Values[s.order[i]]
		v.Inputs(add)
		s.operands(v, add)
	}
	return s
}

// operands calls f for the values from which the instruction that has written a value computes it.
func (s *addressSlice) operands(v *rewrite.SSAValue, f func(int32)) {
	if v.Inst == nil {
		return
	}
	if _, call := v.Inst.Call(); !call {
		v.Inst.Uses(func(r *rewrite.Reg) { f(s.ssa.Use(v.Inst, r)) })
	}
}

// mostSliced limits the values of which always decides.
const mostSliced = 4096

// always reports whether the address depends on a read whatever way the thread has come.
func (s *addressSlice) always(read *rewrite.Inst) bool {
	if len(s.order) > mostSliced {
		return false
	}
	depends := make(map[int32]bool)
	for _, v := range s.order {
		depends[v] = s.ssa.Values[v].Kind != rewrite.SSAEntry
	}
	for changed := true; changed; {
		changed = false
		for _, v := range s.order {
			if depends[v] && !s.holds(v, read, depends) {
				depends[v], changed = false, true
			}
		}
	}
	return slices.ContainsFunc(s.base, func(v int32) bool { return depends[v] })
}

// holds reports whether a value depends on a read, if others do.
func (s *addressSlice) holds(at int32, read *rewrite.Inst, depends map[int32]bool) bool {
	v := &s.ssa.Values[at]
	every := true
	v.Inputs(func(i int32) { every = every && depends[i] })
	if v.Kind == rewrite.SSAPhi {
		return every
	}
	some := v.Inst == read
	s.operands(v, func(i int32) { some = some || i != rewrite.NoValue && depends[i] })
	return some && every
}
