// IEEE arithmetic in single and double precision.

package num

import "math"

// nan32 and nan64 are the canonical NaNs.
const (
	nan32 = 0x7fffffff
	nan64 = 0xfff8000000000000
)

// plain reports whether the mode is that of most instructions: round to nearest, nothing else.
func (m Mode) plain() bool { return m == Mode{} }

// flushes reports whether the mode is that of most instructions of programs compiled with flushing: round to nearest
// and .ftz.
func (m Mode) flushes() bool { return m == Mode{Ftz: true} }

// canon32 returns the bits of x, with the canonical NaN.
func canon32(x float32) uint32 {
	if x != x {
		return nan32
	}
	return math.Float32bits(x)
}

// canon64 returns the bits of x, with the canonical NaN.
func canon64(x float64) uint64 {
	if x != x {
		return nan64
	}
	return math.Float64bits(x)
}

func f32(v uint32) float32 { return math.Float32frombits(v) }
func f64(v uint64) float64 { return math.Float64frombits(v) }

// Ftz32 flushes a subnormal f32 to zero of its sign.
func Ftz32(v uint32) uint32 {
	if v&0x7f800000 == 0 {
		return v & 0x80000000
	}
	return v
}

// in32 reads an f32 operand under a mode.
func in32(v uint32, m Mode) float64 {
	if m.Ftz {
		v = Ftz32(v)
	}
	return float64(f32(v))
}

// out32 rounds a result (exact, or rounded to odd) under a mode.
func out32(x float64, m Mode) uint32 {
	if m.Round == RN && !m.Sat {
		v := canon32(float32(x))
		if m.Ftz {
			v = Ftz32(v)
		}
		return v
	}
	return uint32(F32.finish(F32.FromFloat64(x, m.Round), m))
}

// AddF32 is add.f32.
func AddF32(a, b uint32, m Mode) uint32 {
	switch {
	case m.plain():
		return canon32(f32(a) + f32(b))
	case m.flushes():
		return Ftz32(canon32(f32(Ftz32(a)) + f32(Ftz32(b))))
	}
	x, y := in32(a, m), in32(b, m)
	return out32(zeroSum(sumOdd(x, y), x, y, m.Round), m)
}

// SubF32 is sub.f32.
func SubF32(a, b uint32, m Mode) uint32 { return AddF32(a, b^1<<31, m) }

// MulF32 is mul.f32.
func MulF32(a, b uint32, m Mode) uint32 {
	switch {
	case m.plain():
		return canon32(f32(a) * f32(b))
	case m.flushes():
		return Ftz32(canon32(f32(Ftz32(a)) * f32(Ftz32(b))))
	}
	return out32(in32(a, m)*in32(b, m), m)
}

// FmaF32 is fma.f32 and mad.f32: one rounding.
func FmaF32(a, b, c uint32, m Mode) uint32 {
	switch {
	case m.plain():
		return Fma32(a, b, c)
	case m.flushes():
		return Ftz32(Fma32(Ftz32(a), Ftz32(b), Ftz32(c)))
	}
	p, z := float64(in32(a, m)*in32(b, m)), in32(c, m)
	return out32(zeroSum(sumOdd(p, z), p, z, m.Round), m)
}

// Fma32 is fma.rn.f32.
func Fma32(a, b, c uint32) uint32 {
	p := float64(f32(a)) * float64(f32(b))
	z := float64(f32(c))
	s := float64(p) + z
	if !RoundsOnce(s) {
		s = sumOdd(p, z)
	}
	return canon32(float32(s))
}

// RoundsOnce reports whether a sum of doubles, rounded to double, can be rounded again to f32 with the result of a
// single rounding: it is not half-way between two floats, is not subnormal as a float, and is finite.
func RoundsOnce(s float64) bool {
	u := math.Float64bits(s)
	e := u >> 52 & 0x7ff
	return u&0x1fffffff != 0x10000000 && e-(1023-125) < 2046-(1023-125)
}

// zeroSum gives an exact zero sum x+y the sign that the rounding mode requires: minus only under RM, unless both terms
// have the same sign.
func zeroSum(s, x, y float64, m Rounding) float64 {
	if s == 0 && m == RM && (math.Signbit(x) || math.Signbit(y)) {
		return math.Copysign(0, -1)
	}
	return s
}

// DivF32 is div.f32 with a rounding mode.
func DivF32(a, b uint32, m Mode) uint32 {
	if m.plain() {
		return canon32(f32(a) / f32(b))
	}
	return out32(divOdd(in32(a, m), in32(b, m)), m)
}

// RcpF32 is rcp.f32, with a rounding mode or .approx.
func RcpF32(a uint32, m Mode) uint32 { return DivF32(0x3f800000, a, m) }

// SqrtF32 is sqrt.f32, with a rounding mode or .approx.
func SqrtF32(a uint32, m Mode) uint32 { return out32(sqrtOdd(in32(a, m)), m) }

// AbsF32 is abs.f32.
func AbsF32(a uint32, ftz bool) uint32 {
	if ftz {
		a = Ftz32(a)
	}
	return a &^ (1 << 31)
}

// NegF32 is neg.f32.
func NegF32(a uint32, ftz bool) uint32 {
	if ftz {
		a = Ftz32(a)
	}
	return a ^ 1<<31
}

// CopysignF32 is copysign.f32: the magnitude of b with the sign of a.
func CopysignF32(a, b uint32) uint32 { return a&(1<<31) | b&^(1<<31) }

// CopysignF64 is copysign.f64: the magnitude of b with the sign of a.
func CopysignF64(a, b uint64) uint64 { return a&(1<<63) | b&^(1<<63) }

// AddF64 is add.f64.
func AddF64(a, b uint64, r Rounding) uint64 {
	if r == RN {
		return canon64(f64(a) + f64(b))
	}
	return fma64(f64(a), 1, f64(b), r)
}

// SubF64 is sub.f64.
func SubF64(a, b uint64, r Rounding) uint64 { return AddF64(a, b^1<<63, r) }

// MulF64 is mul.f64.
func MulF64(a, b uint64, r Rounding) uint64 {
	if r == RN {
		return canon64(f64(a) * f64(b))
	}
	x, y := f64(a), f64(b)
	return fma64(x, y, math.Copysign(0, signOfProduct(x, y)), r)
}

// FmaF64 is fma.f64 and mad.f64.
func FmaF64(a, b, c uint64, r Rounding) uint64 {
	if r == RN {
		return canon64(math.FMA(f64(a), f64(b), f64(c)))
	}
	return fma64(f64(a), f64(b), f64(c), r)
}

// DivF64 is div.f64.
func DivF64(a, b uint64, r Rounding) uint64 {
	x, y := f64(a), f64(b)
	if r == RN || x == 0 || y == 0 || !finite(x) || !finite(y) {
		return canon64(x / y)
	}
	return div64(x, y, r)
}

// RcpF64 is rcp.f64 with a rounding mode.
func RcpF64(a uint64, r Rounding) uint64 { return DivF64(math.Float64bits(1), a, r) }

// SqrtF64 is sqrt.f64.
func SqrtF64(a uint64, r Rounding) uint64 {
	x := f64(a)
	if r == RN || !(x > 0) || !finite(x) {
		return canon64(math.Sqrt(x))
	}
	return sqrt64(x, r)
}

func finite(x float64) bool { return x-x == 0 }

func signOfProduct(x, y float64) float64 {
	if math.Signbit(x) != math.Signbit(y) {
		return -1
	}
	return 1
}
