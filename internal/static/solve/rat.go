// Exact rational numbers: two machine words, or a big.Rat in a table when these overflow.

package solve

import (
	"math"
	"math/big"
	"math/bits"
)

// rat is n/d in lowest terms with d > 0, or, with d = 0, entry n of the table of big numbers.
type rat struct{ n, d int64 }

// rats implements the arithmetic of rat, with the table of big numbers.
type rats struct{ big []*big.Rat }

// ratInt returns an integer.
func ratInt(n int64) rat { return rat{n, 1} }

// isZero reports whether r is 0; zero is never stored as a big number.
func (r rat) isZero() bool { return r.n == 0 && r.d != 0 }

// value returns r as a big.Rat that the caller must not change.
func (t *rats) value(r rat) *big.Rat {
	if r.d == 0 {
		return t.big[r.n]
	}
	return big.NewRat(r.n, r.d)
}

// store returns a big.Rat as a rat, in machine words if it fits.
func (t *rats) store(b *big.Rat) rat {
	if b.Num().IsInt64() && b.Denom().IsInt64() && b.Num().Int64() != math.MinInt64 {
		return rat{b.Num().Int64(), b.Denom().Int64()}
	}
	t.big = append(t.big, b)
	return rat{int64(len(t.big) - 1), 0}
}

// mul64 multiplies, and reports whether the result fits.
func mul64(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(abs64(a), abs64(b))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

// add64 adds, and reports whether the result fits.
func add64(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0) && c != math.MinInt64
}

// abs64 returns the magnitude.
func abs64(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

// gcd64 returns the greatest common divisor of magnitudes.
func gcd64(a, b int64) int64 {
	x, y := abs64(a), abs64(b)
	for y != 0 {
		x, y = y, x%y
	}
	return int64(x)
}

// neg returns -a.
func (t *rats) neg(a rat) rat {
	if a.d == 0 {
		return t.store(new(big.Rat).Neg(t.value(a)))
	}
	return rat{-a.n, a.d}
}

// add returns a + b.
func (t *rats) add(a, b rat) rat {
	if a.d == 1 && b.d == 1 {
		if n, ok := add64(a.n, b.n); ok || b.n == 0 {
			return rat{n, 1}
		}
	} else if a.d > 0 && b.d > 0 {
		if r, ok := addSmall(a, b); ok {
			return r
		}
	}
	return t.store(new(big.Rat).Add(t.value(a), t.value(b)))
}

// addSmall adds fractions in machine words.
func addSmall(a, b rat) (rat, bool) {
	if a.n == 0 {
		return b, true
	}
	if b.n == 0 {
		return a, true
	}
	g := gcd64(a.d, b.d)
	x, ok1 := mul64(a.n, b.d/g)
	y, ok2 := mul64(b.n, a.d/g)
	d, ok3 := mul64(a.d, b.d/g)
	n, ok4 := add64(x, y)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return rat{}, false
	}
	if n == 0 {
		return rat{0, 1}, true
	}
	g = gcd64(n, d)
	return rat{n / g, d / g}, true
}

// sub returns a - b.
func (t *rats) sub(a, b rat) rat { return t.add(a, t.neg(b)) }

// mul returns a·b.
func (t *rats) mul(a, b rat) rat {
	if a.d == 0 || b.d == 0 {
		return t.store(new(big.Rat).Mul(t.value(a), t.value(b)))
	}
	if a.n == 0 || b.n == 0 {
		return rat{0, 1}
	}
	if a.d != 1 || b.d != 1 {
		g, h := gcd64(a.n, b.d), gcd64(b.n, a.d)
		a, b = rat{a.n / g, a.d / h}, rat{b.n / h, b.d / g}
	}
	n, ok1 := mul64(a.n, b.n)
	d, ok2 := mul64(a.d, b.d)
	if !ok1 || !ok2 {
		return t.store(new(big.Rat).Mul(t.value(a), t.value(b)))
	}
	return rat{n, d}
}

// inv returns 1/a for a ≠ 0.
func (t *rats) inv(a rat) rat {
	switch {
	case a.d == 0:
		return t.store(new(big.Rat).Inv(t.value(a)))
	case a.n < 0:
		return rat{-a.d, -a.n}
	}
	return rat{a.d, a.n}
}

// sign returns the sign of a.
func (t *rats) sign(a rat) int {
	switch {
	case a.d == 0:
		return t.big[a.n].Sign()
	case a.n < 0:
		return -1
	case a.n > 0:
		return 1
	}
	return 0
}

// cmpInt compares a with an integer.
func (t *rats) cmpInt(a rat, k int64) int {
	if a.d == 0 {
		return t.big[a.n].Cmp(new(big.Rat).SetInt64(k))
	}
	n := k
	if a.d != 1 {
		var ok bool
		if n, ok = mul64(k, a.d); !ok {
			if k < 0 {
				return 1
			}
			return -1
		}
	}
	switch {
	case a.n < n:
		return -1
	case a.n > n:
		return 1
	}
	return 0
}

// integer reports whether a is an integer.
func (t *rats) integer(a rat) bool { return a.d == 1 || a.d == 0 && t.big[a.n].IsInt() }

// floor returns the greatest integer ≤ a, and whether it fits int64.
func (t *rats) floor(a rat) (int64, bool) {
	if a.d > 0 {
		q := a.n / a.d
		if a.n%a.d < 0 {
			q--
		}
		return q, true
	}
	b := t.big[a.n]
	q := new(big.Int).Div(b.Num(), b.Denom())
	return q.Int64(), q.IsInt64()
}
