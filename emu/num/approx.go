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

// Lg2F32 is lg2.approx.f32.
func Lg2F32(a uint32, ftz bool) uint32 { return approx32(a, ftz, math.Log2) }

// Ex2F32 is ex2.approx.f32.
func Ex2F32(a uint32, ftz bool) uint32 { return approx32(a, ftz, math.Exp2) }

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

// low32 is the half of an f64 that the gross approximations ignore and clear.
const low32 = 0xffffffff

// RcpApproxF64 is rcp.approx.ftz.f64: the low 32 bits of input and result are zero.
func RcpApproxF64(a uint64) uint64 {
	return coarse64(a, func(x float64) float64 { return 1 / x })
}

// RsqrtF64 is rsqrt.approx.f64, which software computes on a device: subnormal numbers
// count (PTX ISA, rsqrt).
func RsqrtF64(a uint64) uint64 { return canon64(rsqrt(f64(a))) }

// RsqrtApproxF64 is rsqrt.approx.ftz.f64, as coarse as RcpApproxF64.
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
