// Comparisons of two registers in all lanes.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// compareFn is the set of lanes where the comparison of slots a and b holds;
// lanes outside m may have any value.
type compareFn func(f *frame, a, b slot, m lanes) lanes

// comparison picks the comparison by type and operator.
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

// halfReader reads an f16 or bf16.
func halfReader(t isa.Type, ftz bool) func(uint32) float64 {
	f := halfFormat(t)
	return func(v uint32) float64 {
		if v &= 0xffff; ftz {
			v = f.Flush(v)
		}
		return f.Float64(uint64(v))
	}
}

// compareWords compares values that fill their slots.
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

// compareHalves compares values that are read from 32-bit slots.
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
