// Eight-bit formats other than floating-point: scale factors of blocks (ue8m0) and fixed point (s2f6).

package num

import "math"

// scaleNaN is the NaN of ue8m0; the greatest number is one below it.
const scaleNaN = 0xff

// Scale returns the value of a number of format ue8m0, which is only an exponent (PTX ISA, "Alternate Floating-Point
// Data Formats").
func Scale(v uint64) float64 {
	if v &= 0xff; v == scaleNaN {
		return math.NaN()
	}
	return math.Ldexp(1, int(v)-127)
}

// ScaleOne is 1 as ue8m0.
const ScaleOne = 127

// ToScale is cvt to ue8m0: the magnitude of x as a power of two, rounded towards zero or, with RP, away from it.
// Smaller magnitudes become the least power.
func ToScale(x float64, r Rounding, satFinite bool) uint64 {
	x = math.Abs(x)
	if x != x {
		return scaleNaN
	}
	exp := math.MaxInt16
	if !math.IsInf(x, 0) {
		frac, e := math.Frexp(x) // x is frac * 2^e, frac from 1/2 on
		if exp = e - 1 + 127; r == RP && frac > 0.5 {
			exp++
		}
	}
	switch {
	case x == 0 || exp <= 0:
		return 0
	case exp < scaleNaN:
		return uint64(exp)
	case satFinite:
		return scaleNaN - 1
	}
	return scaleNaN
}

// Fixed returns the value of a number of format s2f6: an 8-bit integer in units of 1/64 (PTX ISA, "Fixed-point Data
// format").
func Fixed(v uint64) float64 { return float64(int8(v)) / 64 }

// ToFixed is cvt to s2f6, rounded to nearest even. Numbers beyond the range become the greatest number of their sign,
// NaN the greatest number.
func ToFixed(x float64, relu bool) uint64 {
	if x != x {
		return math.MaxInt8
	}
	least := float64(math.MinInt8)
	if relu {
		least = 0
	}
	return uint64(uint8(int8(min(max(math.RoundToEven(x*64), least), math.MaxInt8))))
}
