// Intervals of integers; a nil bound is infinite.

package expr

import "math/big"

// clip makes a bound with too many bits infinite.
func clip(b *big.Int) *big.Int {
	if b != nil && b.BitLen() > MaxBits {
		return nil
	}
	return b
}

// addBound adds two bounds of the same side.
func addBound(a, b *big.Int) *big.Int {
	if a == nil || b == nil {
		return nil
	}
	return clip(new(big.Int).Add(a, b))
}

// scale multiplies an interval by a constant.
func scale(k, lo, hi *big.Int) (nlo, nhi *big.Int) {
	if k.Sign() == 0 {
		return zero.k, zero.k
	}
	if k.Sign() < 0 {
		lo, hi = hi, lo
	}
	if lo != nil {
		nlo = clip(new(big.Int).Mul(k, lo))
	}
	if hi != nil {
		nhi = clip(new(big.Int).Mul(k, hi))
	}
	return nlo, nhi
}

// nonNegative reports whether no value of x is negative.
func nonNegative(x *Int) bool { return x.lo != nil && x.lo.Sign() >= 0 }

// positive reports whether all values of x are positive.
func positive(x *Int) bool { return x.lo != nil && x.lo.Sign() > 0 }

// bounded reports whether both bounds of x are finite.
func bounded(x *Int) bool { return x.lo != nil && x.hi != nil }

// mulRange returns the interval of a product.
func mulRange(alo, ahi, blo, bhi *big.Int) (lo, hi *big.Int) {
	if alo != nil && ahi != nil && blo != nil && bhi != nil {
		for i, a := range []*big.Int{alo, ahi} {
			for j, b := range []*big.Int{blo, bhi} {
				p := new(big.Int).Mul(a, b)
				if i+j == 0 || p.Cmp(lo) < 0 {
					lo = p
				}
				if i+j == 0 || p.Cmp(hi) > 0 {
					hi = p
				}
			}
		}
		return clip(lo), clip(hi)
	}
	if alo != nil && blo != nil && alo.Sign() >= 0 && blo.Sign() >= 0 {
		return clip(new(big.Int).Mul(alo, blo)), nil
	}
	return nil, nil
}

// magnitude returns the largest absolute value of x, or nil.
func magnitude(x *Int) *big.Int {
	if !bounded(x) {
		return nil
	}
	a, b := new(big.Int).Abs(x.lo), new(big.Int).Abs(x.hi)
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// divRange returns the interval of a truncated division. The quotient is never farther from zero than the dividend.
func divRange(x, y *Int) (lo, hi *big.Int) {
	if k := y.k; y.op == OpConst && k.Sign() > 0 { // monotonic
		if x.lo != nil {
			lo = new(big.Int).Quo(x.lo, k)
		}
		if x.hi != nil {
			hi = new(big.Int).Quo(x.hi, k)
		}
		return lo, hi
	}
	m := magnitude(x)
	if m != nil {
		if positive(y) {
			m.Quo(m, y.lo)
		}
		lo, hi = new(big.Int).Neg(m), m
	}
	if nonNegative(x) && nonNegative(y) {
		lo = zero.k
	}
	return lo, hi
}

// remRange returns the interval of a truncated remainder: it has the sign of the dividend, and is
// closer to zero than the divisor and not farther than the dividend.
func remRange(x, y *Int) (lo, hi *big.Int) {
	m := magnitude(x)
	if d := magnitude(y); d != nil && d.Sign() > 0 {
		d.Sub(d, bigOne)
		if m == nil || d.Cmp(m) < 0 {
			m = d
		}
	}
	if m != nil {
		lo, hi = new(big.Int).Neg(m), m
	}
	if nonNegative(x) {
		lo = zero.k
	}
	if x.hi != nil && x.hi.Sign() <= 0 {
		hi = zero.k
	}
	return lo, hi
}

// bitRange returns an interval for a bitwise operation: the range of the width of both operands.
func bitRange(op Op, x, y *Int) (lo, hi *big.Int) {
	if op == OpAnd { // no farther from zero than a non-negative operand
		if nonNegative(x) {
			lo, hi = zero.k, x.hi
		}
		if nonNegative(y) {
			lo = zero.k
			if hi == nil || y.hi != nil && y.hi.Cmp(hi) < 0 {
				hi = y.hi
			}
		}
		if lo != nil {
			return lo, hi
		}
	}
	if bounded(x) && bounded(y) {
		w := max(x.lo.BitLen(), x.hi.BitLen(), y.lo.BitLen(), y.hi.BitLen())
		hi = new(big.Int).Lsh(bigOne, uint(w))
		lo = new(big.Int).Neg(hi)
		hi.Sub(hi, bigOne)
	}
	if nonNegative(x) && nonNegative(y) {
		lo = zero.k
	}
	return lo, hi
}

// wrapRange returns the least and the greatest value of a width.
func wrapRange(bits int, signed bool) (lo, hi *big.Int) {
	if signed {
		hi = new(big.Int).Lsh(bigOne, uint(bits-1))
		return new(big.Int).Neg(hi), new(big.Int).Sub(hi, bigOne)
	}
	hi = new(big.Int).Lsh(bigOne, uint(bits))
	return zero.k, hi.Sub(hi, bigOne)
}

// join returns the union of two intervals.
func join(x, y *Int) (lo, hi *big.Int) { return minBound(x.lo, y.lo), maxBound(x.hi, y.hi) }

// minBound returns the lower of two lower bounds.
func minBound(a, b *big.Int) *big.Int {
	if a == nil || b == nil {
		return nil
	}
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// maxBound returns the higher of two upper bounds.
func maxBound(a, b *big.Int) *big.Int {
	if a == nil || b == nil {
		return nil
	}
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// tighter returns the stricter of two bounds of one side; nil is no bound.
func tighter(a, b *big.Int, sign int) *big.Int {
	switch {
	case a == nil:
		return b
	case b == nil || a.Cmp(b)*sign > 0:
		return a
	}
	return b
}
