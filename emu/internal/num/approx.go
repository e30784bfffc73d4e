// Approximate functions: sin, cos, lg2, ex2, tanh, rsqrt, rcp.

package num

import "math"

// The .approx functions of f32 and f64.

// approx32 evaluates fn in double precision.
func approx32(a uint32, ftz bool, fn func(float64) float64) uint32 {
	m := Mode{Ftz: ftz}
	return out32(fn(in32(a, m)), m)
}

// SinF32 is sin.approx.f32.
func SinF32(a uint32, ftz bool) uint32 { return approx32(a, ftz, math.Sin) }

// CosF32 is cos.approx.f32.
func CosF32(a uint32, ftz bool) uint32 { return approx32(a, ftz, math.Cos) }

// SinTurnsF32 is sin.approx.2pi.f32. Its argument is the angle divided by 2*pi. The device's instruction takes such an
// argument; for sin.approx, ptxas divides by 2*pi before it.
func SinTurnsF32(a uint32, ftz bool) uint32 { return approx32(a, ftz, ofTurns(math.Sin)) }

// CosTurnsF32 is cos.approx.2pi.f32.
func CosTurnsF32(a uint32, ftz bool) uint32 { return approx32(a, ftz, ofTurns(math.Cos)) }

// ofTurns returns a function of an angle as one of a number of turns, of which only the fraction counts.
func ofTurns(fn func(float64) float64) func(float64) float64 {
	return func(x float64) float64 { return fn(2 * math.Pi * math.Remainder(x, 1)) }
}

// Lg2F32 is lg2.approx.f32.
func Lg2F32(a uint32, ftz bool) uint32 { return approx32(a, ftz, math.Log2) }

// Ex2F32 is ex2.approx.f32.
func Ex2F32(a uint32, ftz bool) uint32 { return approx32(a, ftz, Exp2) }

// Exp2Terms are the coefficients ln(2)^k/k! of the power series of 2^x. The omitted terms are less than a unit in the
// last place of a double for x from -1/2 to 1/2.
var Exp2Terms = [...]float64{
	1,
	ln2,
	ln2 * ln2 / 2,
	ln2 * ln2 * ln2 / 6,
	ln2 * ln2 * ln2 * ln2 / 24,
	ln2 * ln2 * ln2 * ln2 * ln2 / 120,
	ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 720,
	ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 5040,
	ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 40320,
	ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 362880,
	ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 3628800,
	ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 39916800,
	ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 479001600,
	ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 * ln2 / 6227020800,
}

const ln2 = math.Ln2

// Exp2Limit is the bound to which Exp2 clamps the magnitude of its argument: beyond it the result is infinite or 0 as
// an f32.
const Exp2Limit = 1000

// Exp2 computes 2^x with the power series of the fractional part of x. The result is the same on all processors; the
// handlers of the emulator execute the same operations.
func Exp2(x float64) float64 {
	if x != x {
		return x
	}
	x = max(-Exp2Limit, min(x, Exp2Limit))
	n := math.RoundToEven(x)
	x -= n
	last := len(Exp2Terms) - 1
	s := Exp2Terms[last]
	for k := last - 1; k >= 0; k-- {
		s = math.FMA(s, x, Exp2Terms[k])
	}
	return math.Float64frombits(math.Float64bits(s) + uint64(int64(n))<<52)
}

// TanhF32 is tanh.approx.f32.
func TanhF32(a uint32) uint32 { return approx32(a, false, math.Tanh) }

// RsqrtF32 is rsqrt.approx.f32.
func RsqrtF32(a uint32, ftz bool) uint32 { return approx32(a, ftz, rsqrt) }

func rsqrt(x float64) float64 {
	if x == 0 {
		return math.Copysign(math.Inf(1), x)
	}
	return 1 / math.Sqrt(x)
}

// DivApproxF32 is div.approx.f32: for a divisor of magnitude above 2^126 the
// result is 0, or NaN when the dividend is infinite (PTX ISA, div).
func DivApproxF32(a, b uint32, ftz bool) uint32 {
	const large = 0x7e800000 // 2^126
	mag := b &^ (1 << 31)
	if mag > large && mag < 0x7f800000 {
		switch a &^ (1 << 31) {
		case 0x7f800000:
			return nan32
		default:
			if f32(a) != f32(a) {
				return nan32
			}
			return (a ^ b) & (1 << 31)
		}
	}
	return DivF32(a, b, Mode{Ftz: ftz})
}

// low32 is the half of an f64 that the coarse approximations ignore and clear.
const low32 = 0xffffffff

// RcpApproxF64 is rcp.approx.ftz.f64: the low 32 bits of input and result are zero.
func RcpApproxF64(a uint64) uint64 {
	return coarse64(a, func(x float64) float64 { return 1 / x })
}

// RsqrtF64 is rsqrt.approx.f64, which devices compute in software: subnormal numbers are not flushed (PTX ISA, rsqrt).
func RsqrtF64(a uint64) uint64 { return canon64(rsqrt(f64(a))) }

// RsqrtApproxF64 is rsqrt.approx.ftz.f64, with the precision of RcpApproxF64.
func RsqrtApproxF64(a uint64) uint64 { return coarse64(a, rsqrt) }

func coarse64(a uint64, fn func(float64) float64) uint64 {
	if f64(a) != f64(a) {
		return nan64
	}
	r := canon64(fn(f64(F64.flush(a &^ low32))))
	if r == nan64 {
		return r
	}
	return F64.flush((r + 1<<31) &^ low32)
}
