// Bodies that compute one operation in all lanes of a warp.

package emu

import (
	"math"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// Building blocks of lane bodies. Frequent instructions have loops of their own, with a second loop for the full warp
// that compiles without bounds and mask checks. The others call a scalar function (mostly of package num) once per
// lane, through map1 to map4.

// word is a type that a slot can be viewed as.
type word interface {
	~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// view returns the slot as an array of T; 16- and 8-bit types are viewed as 32 bits.
func view[T word](f *frame, s slot) *[warpSize]T {
	return (*[warpSize]T)(unsafe.Add(f.regs, uintptr(s)))
}

// map1 returns the body d = fn(a).
func map1[D, A word](fn func(a A) D) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		d, a := view[D](x.frame, in.d), view[A](x.frame, in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			d[i] = fn(a[i])
		}
	}
}

// map2 returns the body d = fn(a, b).
func map2[D, A, B word](fn func(a A, b B) D) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		d, a, b := view[D](x.frame, in.d), view[A](x.frame, in.a), view[B](x.frame, in.b)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			d[i] = fn(a[i], b[i])
		}
	}
}

// map3 returns the body d = fn(a, b, c).
func map3[D, A, B, C word](fn func(a A, b B, c C) D) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		d, a, b, c := view[D](x.frame, in.d), view[A](x.frame, in.a), view[B](x.frame, in.b), view[C](x.frame, in.c)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			d[i] = fn(a[i], b[i], c[i])
		}
	}
}

// map4 returns the body d = fn(a, b, c, e), where e is the slot in imm.
func map4[D, A, B, C, E word](fn func(a A, b B, c C, e E) D) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		d, a, b, c := view[D](x.frame, in.d), view[A](x.frame, in.a), view[B](x.frame, in.b), view[C](x.frame, in.c)
		e := view[E](x.frame, slot(in.imm))
		for ; m != 0; m &= m - 1 {
			i := m.first()
			d[i] = fn(a[i], b[i], c[i], e[i])
		}
	}
}

// half1, half2 and half3 return the bodies of operations on 16-bit integers.
func half1[T int16 | uint16](fn func(a T) T) bodyFunc {
	return map1(func(a uint32) uint32 { return uint32(uint16(fn(T(a)))) })
}

func half2[T int16 | uint16](fn func(a, b T) T) bodyFunc {
	return map2(func(a, b uint32) uint32 { return uint32(uint16(fn(T(a), T(b)))) })
}

func half3[T int16 | uint16](fn func(a, b, c T) T) bodyFunc {
	return map3(func(a, b, c uint32) uint32 { return uint32(uint16(fn(T(a), T(b), T(c)))) })
}

// Full-warp loops.

func execMove[T word](x *engine, in *inst, m lanes) {
	d, a := view[T](x.frame, in.d), view[T](x.frame, in.a)
	if m == allLanes {
		*d = *a
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = a[i]
	}
}

func execAdd[T word](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), view[T](x.frame, in.b)
	if m == allLanes {
		for i := range d {
			d[i] = a[i] + b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = a[i] + b[i]
	}
}

func execSub[T word](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), view[T](x.frame, in.b)
	if m == allLanes {
		for i := range d {
			d[i] = a[i] - b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = a[i] - b[i]
	}
}

func execMul[T word](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), view[T](x.frame, in.b)
	if m == allLanes {
		for i := range d {
			d[i] = a[i] * b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = a[i] * b[i]
	}
}

func execMad[T word](x *engine, in *inst, m lanes) {
	d, a, b, c := view[T](x.frame, in.d), view[T](x.frame, in.a), view[T](x.frame, in.b), view[T](x.frame, in.c)
	if m == allLanes {
		for i := range d {
			d[i] = a[i]*b[i] + c[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = a[i]*b[i] + c[i]
	}
}

// execMulWide multiplies 32-bit numbers to 64-bit products.
func execMulWide[D int64 | uint64, A int32 | uint32](x *engine, in *inst, m lanes) {
	d, a, b := view[D](x.frame, in.d), view[A](x.frame, in.a), view[A](x.frame, in.b)
	if m == allLanes {
		for i := range d {
			d[i] = D(a[i]) * D(b[i])
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = D(a[i]) * D(b[i])
	}
}

// execMadWide is execMulWide with a 64-bit addend.
func execMadWide[D int64 | uint64, A int32 | uint32](x *engine, in *inst, m lanes) {
	d, a, b, c := view[D](x.frame, in.d), view[A](x.frame, in.a), view[A](x.frame, in.b), view[D](x.frame, in.c)
	if m == allLanes {
		for i := range d {
			d[i] = D(a[i])*D(b[i]) + c[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = D(a[i])*D(b[i]) + c[i]
	}
}

func execMin[T int32 | uint32 | int64 | uint64](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), view[T](x.frame, in.b)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = min(a[i], b[i])
	}
}

func execMax[T int32 | uint32 | int64 | uint64](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), view[T](x.frame, in.b)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = max(a[i], b[i])
	}
}

func execAnd[T uint32 | uint64](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), view[T](x.frame, in.b)
	if m == allLanes {
		for i := range d {
			d[i] = a[i] & b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = a[i] & b[i]
	}
}

func execOr[T uint32 | uint64](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), view[T](x.frame, in.b)
	if m == allLanes {
		for i := range d {
			d[i] = a[i] | b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = a[i] | b[i]
	}
}

func execXor[T uint32 | uint64](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), view[T](x.frame, in.b)
	if m == allLanes {
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = a[i] ^ b[i]
	}
}

// execShl and execShr shift by a 32-bit amount; Go's shifts clamp like those of PTX.
func execShl[T uint32 | uint64](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), x.frame.r32(in.b)
	if m == allLanes {
		for i := range d {
			d[i] = a[i] << b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = a[i] << b[i]
	}
}

func execShr[T int32 | uint32 | int64 | uint64](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), x.frame.r32(in.b)
	if m == allLanes {
		for i := range d {
			d[i] = a[i] >> b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = a[i] >> b[i]
	}
}

// execSelp selects a where predicate c holds, b elsewhere.
func execSelp[T uint32 | uint64](x *engine, in *inst, m lanes) {
	d, a, b := view[T](x.frame, in.d), view[T](x.frame, in.a), view[T](x.frame, in.b)
	p := *x.frame.p(in.c)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		if p.has(i) {
			d[i] = a[i]
		} else {
			d[i] = b[i]
		}
	}
}

// execConvert converts between widths by Go's conversion.
func execConvert[D, A word](x *engine, in *inst, m lanes) {
	d, a := view[D](x.frame, in.d), view[A](x.frame, in.a)
	if m == allLanes {
		for i := range d {
			d[i] = D(a[i])
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.first()
		d[i] = D(a[i])
	}
}

// Single precision, round to nearest, without .ftz and .sat. NaN results are canonical (package num).
const nanF32 = 0x7fffffff

func execAddF32(x *engine, in *inst, m lanes) {
	d, a, b := x.frame.r32(in.d), view[float32](x.frame, in.a), view[float32](x.frame, in.b)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		s := a[i] + b[i]
		v := math.Float32bits(s)
		if s != s {
			v = nanF32
		}
		d[i] = v
	}
}

func execSubF32(x *engine, in *inst, m lanes) {
	d, a, b := x.frame.r32(in.d), view[float32](x.frame, in.a), view[float32](x.frame, in.b)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		s := a[i] - b[i]
		v := math.Float32bits(s)
		if s != s {
			v = nanF32
		}
		d[i] = v
	}
}

func execMulF32(x *engine, in *inst, m lanes) {
	d, a, b := x.frame.r32(in.d), view[float32](x.frame, in.a), view[float32](x.frame, in.b)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		s := a[i] * b[i]
		v := math.Float32bits(s)
		if s != s {
			v = nanF32
		}
		d[i] = v
	}
}

// execFmaF32 computes the common case of num.Fma32 inline.
func execFmaF32(x *engine, in *inst, m lanes) {
	d, a, b, c := x.frame.r32(in.d), view[float32](x.frame, in.a), view[float32](x.frame, in.b),
		view[float32](x.frame, in.c)
	if m == allLanes {
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
		i := m.first()
		s := float64(float64(a[i])*float64(b[i])) + float64(c[i])
		if num.RoundsOnce(s) {
			d[i] = math.Float32bits(float32(s))
		} else {
			d[i] = num.Fma32(math.Float32bits(a[i]), math.Float32bits(b[i]), math.Float32bits(c[i]))
		}
	}
}

// equalLanes returns the lanes of m where r holds v.
func equalLanes(r *vec32, m lanes, v uint32) lanes {
	for k := m; k != 0; k &= k - 1 {
		if r[k.first()] != v {
			m &^= k & -k
		}
	}
	return m
}
