// Bodies that compute one operation in all lanes of a warp.

package exec

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// map1 returns the body d = fn(a).
func map1[D, A decode.Word](fn func(a A) D) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		d, a := decode.View[D](x.Frame, in.D), decode.View[A](x.Frame, in.A)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			d[i] = fn(a[i])
		}
	}
}

// map2 returns the body d = fn(a, b).
func map2[D, A, B decode.Word](fn func(a A, b B) D) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		d, a, b := decode.View[D](x.Frame, in.D), decode.View[A](x.Frame, in.A), decode.View[B](x.Frame, in.B)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			d[i] = fn(a[i], b[i])
		}
	}
}

// map3 returns the body d = fn(a, b, c).
func map3[D, A, B, C decode.Word](fn func(a A, b B, c C) D) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		d, a, b, c := decode.View[D](x.Frame, in.D), decode.View[A](x.Frame, in.A), decode.View[B](x.Frame, in.B),
			decode.View[C](x.Frame, in.C)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			d[i] = fn(a[i], b[i], c[i])
		}
	}
}

// map4 returns the body d = fn(a, b, c, e), where e is the slot in imm.
func map4[D, A, B, C, E decode.Word](fn func(a A, b B, c C, e E) D) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		d, a, b, c := decode.View[D](x.Frame, in.D), decode.View[A](x.Frame, in.A), decode.View[B](x.Frame, in.B),
			decode.View[C](x.Frame, in.C)
		e := decode.View[E](x.Frame, state.Slot(in.Imm))
		for ; m != 0; m &= m - 1 {
			i := m.First()
			d[i] = fn(a[i], b[i], c[i], e[i])
		}
	}
}

// half1, half2 and half3 return the bodies of operations on 16-bit integers.
func half1[T int16 | uint16](fn func(a T) T) state.BodyFunc {
	return map1(func(a uint32) uint32 { return uint32(uint16(fn(T(a)))) })
}

func half2[T int16 | uint16](fn func(a, b T) T) state.BodyFunc {
	return map2(func(a, b uint32) uint32 { return uint32(uint16(fn(T(a), T(b)))) })
}

func half3[T int16 | uint16](fn func(a, b, c T) T) state.BodyFunc {
	return map3(func(a, b, c uint32) uint32 { return uint32(uint16(fn(T(a), T(b), T(c)))) })
}

// Full-warp loops.

func execMove[T decode.Word](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A)
	if m == state.AllLanes {
		*d = *a
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = a[i]
	}
}

func execSub[T decode.Word](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), decode.View[T](x.Frame, in.B)
	if m == state.AllLanes {
		for i := range d {
			d[i] = a[i] - b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = a[i] - b[i]
	}
}

func execMul[T decode.Word](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), decode.View[T](x.Frame, in.B)
	if m == state.AllLanes {
		for i := range d {
			d[i] = a[i] * b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = a[i] * b[i]
	}
}

func execMad[T decode.Word](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b, c := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), decode.View[T](x.Frame, in.B),
		decode.View[T](x.Frame, in.C)
	if m == state.AllLanes {
		for i := range d {
			d[i] = a[i]*b[i] + c[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = a[i]*b[i] + c[i]
	}
}

// execMulWide multiplies 32-bit numbers to 64-bit products.
func execMulWide[D int64 | uint64, A int32 | uint32](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[D](x.Frame, in.D), decode.View[A](x.Frame, in.A), decode.View[A](x.Frame, in.B)
	if m == state.AllLanes {
		for i := range d {
			d[i] = D(a[i]) * D(b[i])
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = D(a[i]) * D(b[i])
	}
}

// execMadWide is execMulWide with a 64-bit addend.
func execMadWide[D int64 | uint64, A int32 | uint32](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b, c := decode.View[D](x.Frame, in.D), decode.View[A](x.Frame, in.A), decode.View[A](x.Frame, in.B),
		decode.View[D](x.Frame, in.C)
	if m == state.AllLanes {
		for i := range d {
			d[i] = D(a[i])*D(b[i]) + c[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = D(a[i])*D(b[i]) + c[i]
	}
}

func execMin[T int32 | uint32 | int64 | uint64](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), decode.View[T](x.Frame, in.B)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = min(a[i], b[i])
	}
}

func execMax[T int32 | uint32 | int64 | uint64](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), decode.View[T](x.Frame, in.B)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = max(a[i], b[i])
	}
}

func execAnd[T uint32 | uint64](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), decode.View[T](x.Frame, in.B)
	if m == state.AllLanes {
		for i := range d {
			d[i] = a[i] & b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = a[i] & b[i]
	}
}

func execOr[T uint32 | uint64](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), decode.View[T](x.Frame, in.B)
	if m == state.AllLanes {
		for i := range d {
			d[i] = a[i] | b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = a[i] | b[i]
	}
}

func execXor[T uint32 | uint64](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), decode.View[T](x.Frame, in.B)
	if m == state.AllLanes {
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = a[i] ^ b[i]
	}
}

// execShl and execShr shift by a 32-bit amount; Go's shifts clamp like those of PTX.
func execShl[T uint32 | uint64](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), x.Frame.R32(in.B)
	if m == state.AllLanes {
		for i := range d {
			d[i] = a[i] << b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = a[i] << b[i]
	}
}

func execShr[T int32 | uint32 | int64 | uint64](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), x.Frame.R32(in.B)
	if m == state.AllLanes {
		for i := range d {
			d[i] = a[i] >> b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = a[i] >> b[i]
	}
}

// execSelp selects a where predicate c holds, b elsewhere.
func execSelp[T uint32 | uint64](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := decode.View[T](x.Frame, in.D), decode.View[T](x.Frame, in.A), decode.View[T](x.Frame, in.B)
	p := *x.Frame.P(in.C)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		if p.Has(i) {
			d[i] = a[i]
		} else {
			d[i] = b[i]
		}
	}
}

// Single precision, round to nearest, without .ftz and .sat. NaN results are canonical (package num).
const nanF32 = 0x7fffffff

func execAddF32(x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := x.Frame.R32(in.D), decode.View[float32](x.Frame, in.A), decode.View[float32](x.Frame, in.B)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		s := a[i] + b[i]
		v := math.Float32bits(s)
		if s != s {
			v = nanF32
		}
		d[i] = v
	}
}

func execSubF32(x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := x.Frame.R32(in.D), decode.View[float32](x.Frame, in.A), decode.View[float32](x.Frame, in.B)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		s := a[i] - b[i]
		v := math.Float32bits(s)
		if s != s {
			v = nanF32
		}
		d[i] = v
	}
}

func execMulF32(x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := x.Frame.R32(in.D), decode.View[float32](x.Frame, in.A), decode.View[float32](x.Frame, in.B)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		s := a[i] * b[i]
		v := math.Float32bits(s)
		if s != s {
			v = nanF32
		}
		d[i] = v
	}
}

// execFmaF32 computes the common case of num.Fma32 inline.
func execFmaF32(x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b, c := x.Frame.R32(in.D), decode.View[float32](x.Frame, in.A), decode.View[float32](x.Frame, in.B),
		decode.View[float32](x.Frame, in.C)
	if m == state.AllLanes {
		for i := range d {
			if s := float64(float64(a[i])*float64(b[i])) + float64(c[i]); num.RoundsOnce(s) {
				d[i] = math.Float32bits(float32(s))
			} else {
				d[i] = num.Fma32(math.Float32bits(a[i]), math.Float32bits(b[i]), math.Float32bits(c[i]))
			}
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		s := float64(float64(a[i])*float64(b[i])) + float64(c[i])
		if num.RoundsOnce(s) {
			d[i] = math.Float32bits(float32(s))
		} else {
			d[i] = num.Fma32(math.Float32bits(a[i]), math.Float32bits(b[i]), math.Float32bits(c[i]))
		}
	}
}
