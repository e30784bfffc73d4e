// Rounding to odd: exact results in two roundings.

package num

import "math"

// The functions of this file compute in float64 with "rounding to odd": an inexact result has its last bit set. A later
// rounding to a format of at most 50 bits then gives the same result as a single rounding of the exact value, in every
// mode (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd").
// The operands are numbers of formats with at most 24 bits and 8 exponent bits, so that nothing here over- or
// underflows.

// sumOdd is a+b rounded to odd.
func sumOdd(a, b float64) float64 {
	s := a + b
	t := s - a
	return toOdd(s, float64(a-float64(s-t))+float64(b-t))
}

// divOdd is a/b rounded to odd.
func divOdd(a, b float64) float64 {
	q := a / b
	if b == 0 || math.IsInf(b, 0) || math.IsInf(q, 0) || q != q {
		return q
	}
	e := -math.FMA(q, b, -a)
	if b < 0 {
		e = -e
	}
	return toOdd(q, e)
}

// sqrtOdd is the square root of a rounded to odd.
func sqrtOdd(a float64) float64 {
	s := math.Sqrt(a)
	if s == 0 || math.IsInf(s, 0) || s != s {
		return s
	}
	return toOdd(s, -math.FMA(s, s, -a))
}

// toOdd sets the last bit of s if s differs by err from the exact value, s+err.
func toOdd(s, err float64) float64 {
	u := math.Float64bits(s)
	if err == 0 || err != err || u&1 != 0 || math.IsInf(s, 0) {
		return s
	}
	if (err > 0) == (s > 0) {
		return math.Float64frombits(u + 1)
	}
	return math.Float64frombits(u - 1)
}
