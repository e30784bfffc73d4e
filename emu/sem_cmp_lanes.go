// Comparisons of two registers in all lanes, and the handlers for them in assembly.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// compareFn returns the set of lanes where the comparison of slots a and b holds; lanes outside of m may have any value.
type compareFn func(f *frame, a, b slot, m lanes) lanes

// comparison returns the comparison for a type and operator.
func comparison(in *rewrite.Inst, t isa.Type) (compareFn, bool) {
	op, found := num.Eq, false
	for _, s := range in.Mods {
		if c, ok := num.CmpOf(s); ok {
			op, found = c, true
		}
	}
	if !found {
		return nil, false
	}
	ftz := in.Has("ftz")
	switch t {
	case isa.B16, isa.U16:
		return compareHalves(op, func(v uint32) uint16 { return uint16(v) }), true
	case isa.S16:
		return compareHalves(op, func(v uint32) int16 { return int16(v) }), true
	case isa.B32, isa.U32:
		return compareWords[uint32](op), true
	case isa.S32:
		return compareWords[int32](op), true
	case isa.B64, isa.U64:
		return compareWords[uint64](op), true
	case isa.S64:
		return compareWords[int64](op), true
	case isa.F64:
		return compareWords[float64](op), true
	case isa.F32:
		if ftz {
			return compareHalves(op, func(v uint32) float64 { return num.F32.Float64(uint64(num.Ftz32(v))) }), true
		}
		return compareWords[float32](op), true
	case isa.F16, isa.BF16:
		return compareHalves(op, halfReader(t, ftz)), true
	}
	return nil, false
}

// halfReader returns a function that reads an f16 or bf16.
func halfReader(t isa.Type, ftz bool) func(uint32) float64 {
	f := halfFormat(t)
	return func(v uint32) float64 {
		if v &= 0xffff; ftz {
			v = f.Flush(v)
		}
		return f.Float64(uint64(v))
	}
}

// compareWords returns a comparison of values that fill their slots.
func compareWords[T word](op num.Cmp) compareFn {
	switch op {
	case num.Eq:
		return compareWith(func(a, b *[warpSize]T) (m lanes) {
			for i := range a {
				if a[i] == b[i] {
					m |= 1 << i
				}
			}
			return m
		})
	case num.Ne:
		return compareWith(func(a, b *[warpSize]T) (m lanes) {
			for i := range a {
				if a[i] < b[i] || a[i] > b[i] {
					m |= 1 << i
				}
			}
			return m
		})
	case num.Lt:
		return compareWith(lessThan[T])
	case num.Gt:
		return compareWith(func(a, b *[warpSize]T) lanes { return lessThan(b, a) })
	case num.Le:
		return compareWith(lessOrEqual[T])
	case num.Ge:
		return compareWith(func(a, b *[warpSize]T) lanes { return lessOrEqual(b, a) })
	}
	return compareWith(func(a, b *[warpSize]T) (m lanes) {
		for i := range a {
			if num.Compare(op, a[i], b[i]) {
				m |= 1 << i
			}
		}
		return m
	})
}

func lessThan[T word](a, b *[warpSize]T) (m lanes) {
	for i := range a {
		if a[i] < b[i] {
			m |= 1 << i
		}
	}
	return m
}

func lessOrEqual[T word](a, b *[warpSize]T) (m lanes) {
	for i := range a {
		if a[i] <= b[i] {
			m |= 1 << i
		}
	}
	return m
}

func compareWith[T word](fn func(a, b *[warpSize]T) lanes) compareFn {
	return func(f *frame, a, b slot, _ lanes) lanes { return fn(view[T](f, a), view[T](f, b)) }
}

// compareHalves returns a comparison of values that are read from 32-bit slots.
func compareHalves[T num.Ordered](op num.Cmp, read func(uint32) T) compareFn {
	return func(f *frame, a, b slot, m lanes) (r lanes) {
		va, vb := f.r32(a), f.r32(b)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			if num.Compare(op, read(va[i]), read(vb[i])) {
				r |= 1 << i
			}
		}
		return r
	}
}

// comparisonOp is the computation of a comparison in assembly: "less" is "greater" with swapped sources.
type comparisonOp struct {
	op   vector.Op
	swap bool
}

// vectorComparison returns the operation of a comparison of type t, Slow if there is none.
func vectorComparison(in *rewrite.Inst, t isa.Type) comparisonOp {
	cmp := num.Eq
	for _, s := range in.Mods {
		if c, ok := num.CmpOf(s); ok {
			cmp = c
		}
	}
	switch t {
	case isa.U16, isa.B16, isa.U32, isa.B32:
		return integerComparison(cmp, vector.SetEq32, vector.SetNe32, vector.SetGtU32, vector.SetLeU32)
	case isa.S16, isa.S32:
		return integerComparison(cmp, vector.SetEq32, vector.SetNe32, vector.SetGtS32, vector.SetLeS32)
	case isa.U64, isa.B64:
		return integerComparison(cmp, vector.SetEq64, vector.SetNe64, vector.SetGtU64, vector.SetLeU64)
	case isa.S64:
		return integerComparison(cmp, vector.SetEq64, vector.SetNe64, vector.SetGtS64, vector.SetLeS64)
	case isa.F32:
		if in.Has("ftz") {
			return floatComparisonsFtz[cmp]
		}
		return floatComparisons32[cmp]
	case isa.F16, isa.BF16: // as f32, which includes all their numbers
		if !in.Has("ftz") {
			return floatComparisons32[cmp]
		}
	case isa.F64:
		return floatComparisons64[cmp]
	}
	return comparisonOp{}
}

// widening has, by narrow type, the operation that widens operands for a 32-bit comparison. Registers hold s16 zero-extended,
// which does not preserve the order.
var widening = map[isa.Type]vector.Op{isa.S16: vector.Sign16, isa.F16: vector.F32FromF16, isa.BF16: vector.F32FromBF16}

// widened returns the operand of a comparison of type t in assembly, widened if necessary.
func (d *decoder) widened(f *vectorForm, by vector.Op, t isa.Type, s slot) uint32 {
	op, narrow := widening[t]
	if !narrow || by == vector.SetEq32 || by == vector.SetNe32 {
		return uint32(s)
	}
	w := uint32(d.temp(32))
	f.add(op, w, uint32(s), 0)
	return w
}

func integerComparison(cmp num.Cmp, eq, ne, gt, le vector.Op) comparisonOp {
	switch cmp {
	case num.Eq:
		return comparisonOp{eq, false}
	case num.Ne:
		return comparisonOp{ne, false}
	case num.Gt:
		return comparisonOp{gt, false}
	case num.Lt:
		return comparisonOp{gt, true}
	case num.Le:
		return comparisonOp{le, false}
	case num.Ge:
		return comparisonOp{le, true}
	}
	return comparisonOp{}
}

var floatComparisons32 = [...]comparisonOp{
	num.Eq: {vector.SetEqF32, false}, num.Ne: {vector.SetNeF32, false},
	num.Lt: {vector.SetLtF32, false}, num.Gt: {vector.SetLtF32, true},
	num.Le: {vector.SetLeF32, false}, num.Ge: {vector.SetLeF32, true},
	num.EqU: {vector.SetEqUF32, false}, num.NeU: {vector.SetNeUF32, false},
	num.LtU: {vector.SetLtUF32, false}, num.GtU: {vector.SetLtUF32, true},
	num.LeU: {vector.SetLeUF32, false}, num.GeU: {vector.SetLeUF32, true},
	num.Num: {vector.SetNumF32, false}, num.Nan: {vector.SetNanF32, false},
}

var floatComparisonsFtz = [...]comparisonOp{
	num.Eq: {vector.SetEqF32Ftz, false}, num.Ne: {vector.SetNeF32Ftz, false},
	num.Lt: {vector.SetLtF32Ftz, false}, num.Gt: {vector.SetLtF32Ftz, true},
	num.Le: {vector.SetLeF32Ftz, false}, num.Ge: {vector.SetLeF32Ftz, true},
	num.EqU: {vector.SetEqUF32Ftz, false}, num.NeU: {vector.SetNeUF32Ftz, false},
	num.LtU: {vector.SetLtUF32Ftz, false}, num.GtU: {vector.SetLtUF32Ftz, true},
	num.LeU: {vector.SetLeUF32Ftz, false}, num.GeU: {vector.SetLeUF32Ftz, true},
	num.Num: {vector.SetNumF32Ftz, false}, num.Nan: {vector.SetNanF32Ftz, false},
}

var floatComparisons64 = [...]comparisonOp{
	num.Eq: {vector.SetEqF64, false}, num.Ne: {vector.SetNeF64, false},
	num.Lt: {vector.SetLtF64, false}, num.Gt: {vector.SetLtF64, true},
	num.Le: {vector.SetLeF64, false}, num.Ge: {vector.SetLeF64, true},
	num.EqU: {vector.SetEqUF64, false}, num.NeU: {vector.SetNeUF64, false},
	num.LtU: {vector.SetLtUF64, false}, num.GtU: {vector.SetLtUF64, true},
	num.LeU: {vector.SetLeUF64, false}, num.GeU: {vector.SetLeUF64, true},
	num.Num: {vector.SetNumF64, false}, num.Nan: {vector.SetNanF64, false},
}
