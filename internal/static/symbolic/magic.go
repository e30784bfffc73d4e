// Division by a constant: compilers divide by d by multiplying with about 2^n/d and shifting right by n (Granlund and
// Montgomery, "Division by invariant integers using multiplication", PLDI 1994). Written as divisions such values are
// linear in their quotient and remainder.

package symbolic

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// shiftRight returns the arithmetic shift x >> k, as a division where it implements one.
func shiftRight(x, k *expr.Int, bits int) *expr.Int {
	n, ok := k.Int64()
	if !ok {
		return expr.Shr(x, k)
	}
	if x.Op() == expr.OpIte && constant(x.Args()[0]) && constant(x.Args()[1]) {
		return expr.Ite(x.Cond(), expr.Shr(x.Args()[0], k), expr.Shr(x.Args()[1], k))
	}
	if q := quotient(x, n); q != nil {
		return q
	}
	if n == int64(bits)-1 {
		if lo, hi := x.Range(); lo != nil && hi != nil && lo.BitLen() < bits && hi.BitLen() < bits {
			return expr.Ite(expr.Lt(x, expr.Const(0)), expr.Const(-1), expr.Const(0))
		}
	}
	return expr.Shr(x, k)
}

// shiftUnsigned returns x >> k with x as an unsigned number.
func shiftUnsigned(x, k *expr.Int, bits int) *expr.Int {
	u := expr.Wrap(x, bits, false)
	n, ok := k.Int64()
	if u.Op() != expr.OpWrap || !ok {
		return shiftRight(u, k, bits+1)
	}
	s := signed(x, bits)
	if s.Op() == expr.OpWrap || n == 0 {
		return shiftRight(unsigned(x, bits), k, bits+1)
	}
	// x fits a signed number; a negative x stands for x + 2^bits
	if s.Op() == expr.OpIte && constant(s.Args()[0]) && constant(s.Args()[1]) {
		return expr.Ite(s.Cond(), expr.Shr(expr.Wrap(s.Args()[0], bits, false), k),
			expr.Shr(expr.Wrap(s.Args()[1], bits, false), k))
	}
	negative := expr.Lt(s, expr.Const(0))
	if n == int64(bits)-1 {
		return expr.Ite(negative, expr.Const(1), expr.Const(0))
	}
	return expr.Add(shiftRight(s, k, bits), expr.Ite(negative, expr.Shl(expr.Const(1), expr.Const(int64(bits)-n)),
		expr.Const(0)))
}

func constant(x *expr.Int) bool {
	_, ok := x.Const()
	return ok
}

// quotient returns floor(x / 2^n) as a division of y by d if x is m*y and both are equal for all y in its range, else
// nil.
//
// Let m*d = 2^n + e with 0 < e and |y|*e < 2^n. Then m*y/2^n exceeds y/d by less than 1/d: for y >= 0 its floor is that
// of y/d, and for y < 0 it is one less than y/d truncated.
func quotient(x *expr.Int, n int64) *expr.Int {
	for x.Op() == expr.OpShr && constant(x.Args()[1]) {
		k, _ := x.Args()[1].Int64()
		x, n = x.Args()[0], n+k
	}
	c, terms := x.Linear()
	if n > 100 || n < 2 || c.Sign() != 0 || len(terms) == 0 {
		return nil
	}
	m := new(big.Int)
	for _, t := range terms {
		m.GCD(nil, nil, m, new(big.Int).Abs(t.Coef))
	}
	if terms[0].Coef.Sign() < 0 && len(terms) == 1 {
		return nil
	}
	power := new(big.Int).Lsh(big.NewInt(1), uint(n))
	return divided(x, m, power)
}

// divided is quotient for a given factor m of x.
func divided(x *expr.Int, m, power *big.Int) *expr.Int {
	if m.Cmp(big.NewInt(3)) < 0 || m.Cmp(power) >= 0 {
		return nil
	}
	d := new(big.Int).Add(power, m)
	d.Sub(d, big.NewInt(1)).Div(d, m)
	e := new(big.Int).Mul(m, d)
	e.Sub(e, power)
	lo, hi := x.Range()
	if lo == nil || hi == nil || e.Sign() <= 0 || d.Cmp(big.NewInt(3)) < 0 {
		return nil
	}
	largest := new(big.Int).Abs(lo)
	if hi.CmpAbs(largest) > 0 {
		largest.Abs(hi)
	}
	largest.Div(largest, m)
	if largest.Mul(largest, e).Cmp(power) >= 0 {
		return nil
	}
	y := expr.Div(x, expr.Big(m)) // exact: m divides all coefficients
	q := expr.Div(y, expr.Big(d))
	return expr.Sub(q, expr.Ite(expr.Lt(y, expr.Const(0)), expr.Const(1), expr.Const(0)))
}

// addHigh returns a + b. It rewrites floor(m*y / 2^n) + y as floor((m + 2^n)*y / 2^n), the form of factors that do not
// fit the register.
func addHigh(a, b *expr.Int) *expr.Int {
	for range 2 {
		if a.Op() == expr.OpShr && constant(a.Args()[1]) {
			x, k := a.Args()[0], a.Args()[1]
			_, terms := x.Linear()
			n, _ := k.Int64()
			if len(terms) == 1 && n == 32 && terms[0].X.Equal(b) {
				return expr.Shr(expr.Add(x, expr.Shl(b, k)), k)
			}
		}
		a, b = b, a
	}
	return expr.Add(a, b)
}
