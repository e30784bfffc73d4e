// Numbers of eight bits that are no ordinary floating-point formats: factors of blocks, fixed point.

package num

import "math"

// scaleNaN is the NaN of ue8m0; the greatest number is just below it.
const scaleNaN = 0xff

// Scale is the value of a number of format ue8m0, an exponent alone (PTX ISA, "Alternate
// Floating-Point Data Formats").
func Scale(v uint64) float64 {
	if v &= 0xff; v == scaleNaN {
		return math.NaN()
	}
	return math.Ldexp(1, int(v)-127)
}

// ScaleOne is 1 as ue8m0.
const ScaleOne = 127

// ToScale is cvt to ue8m0: the magnitude of x as a power of two, the next towards zero or, with
// RP, away from it. The least one takes all below it.
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

// Fixed is the value of a number of format s2f6: an integer of 8 bits, in units of 1/64 (PTX ISA,
// "Fixed-point Data format").
func Fixed(v uint64) float64 { return float64(int8(v)) / 64 }

// ToFixed is cvt to s2f6, rounded to the nearest even; what is too large, and NaN, is the greatest
// number of its sign.
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
