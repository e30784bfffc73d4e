// Division, minimum and maximum, conditional values.

package expr

import "math/big"

// Div returns x / y, truncated toward zero. Division by zero is undefined.
func Div(x, y *Int) *Int {
	if !known(x, y) {
		return unknown
	}
	if y.op == OpConst && y.k.Sign() != 0 {
		if y.k.Sign() < 0 {
			return Neg(Div(x, Neg(y)))
		}
		if z := divConst(x, y.k); z != nil {
			return z
		}
	}
	if y.op != OpConst && positive(y) && x.op == OpMul { // (a·y) / y
		if z := cancel(x, y); z != nil {
			return z
		}
	}
	if x.op == OpConst && x.k.Sign() == 0 && positive(y) {
		return zero
	}
	z := &Int{op: OpDiv, args: []*Int{x, y}, uniform: allUniform(x, y)}
	z.lo, z.hi = divRange(x, y)
	return seal(z)
}

// cancel divides a product by one of its factors, or returns nil.
func cancel(x, y *Int) *Int {
	for i, f := range x.args {
		if f.Equal(y) {
			rest := append(append([]*Int{}, x.args[:i]...), x.args[i+1:]...)
			return Mul(rest...)
		}
	}
	return nil
}

// divConst divides by a positive constant where the quotient has a simpler form, or returns nil.
func divConst(x *Int, k *big.Int) *Int {
	if x.op == OpConst {
		return Big(new(big.Int).Quo(x.k, k))
	}
	if k.Cmp(bigOne) == 0 {
		return x
	}
	if m := magnitude(x); m != nil && m.Cmp(k) < 0 {
		return zero
	}
	if x.op == OpDiv { // (a / b) / k = a / (b·k)
		if b, ok := x.args[1].Const(); ok && b.Sign() > 0 {
			return Div(x.args[0], Big(new(big.Int).Mul(b, k)))
		}
	}
	a, b := split(x, k)
	if b.op == OpConst && b.k.Sign() == 0 {
		return a
	}
	if a.op != OpConst && nonNegative(x) && nonNegative(b) {
		return Add(a, Div(b, Big(k)))
	}
	return nil
}

// split returns x = k·a + b, with the terms of a that k divides. The constant of b is in [0, k).
func split(x *Int, k *big.Int) (a, b *Int) {
	c, terms := x.Linear()
	q, r := new(big.Int).DivMod(c, k, new(big.Int))
	sa, sb := summands{k: q}, summands{k: r}
	for _, t := range terms {
		d, m := new(big.Int).QuoRem(t.Coef, k, new(big.Int))
		if m.Sign() == 0 {
			sa.add(d, t.X)
		} else {
			sb.add(t.Coef, t.X)
		}
	}
	return sa.make(), sb.make()
}

// Rem returns x - y·(x / y), which has the sign of x. A divisor of zero is undefined.
func Rem(x, y *Int) *Int {
	if !known(x, y) {
		return unknown
	}
	if y.op == OpConst && y.k.Sign() != 0 {
		if y.k.Sign() < 0 {
			return Rem(x, Neg(y))
		}
		if z := remConst(x, y.k); z != nil {
			return z
		}
	}
	if nonNegative(x) && y.lo != nil && x.hi != nil && x.hi.Cmp(y.lo) < 0 {
		return x
	}
	z := &Int{op: OpRem, args: []*Int{x, y}, uniform: allUniform(x, y)}
	z.lo, z.hi = remRange(x, y)
	return seal(z)
}

// remConst computes the remainder of a division by a positive constant where it has a simpler
// form, or returns nil.
func remConst(x *Int, k *big.Int) *Int {
	if x.op == OpConst {
		return Big(new(big.Int).Rem(x.k, k))
	}
	if m := magnitude(x); m != nil && m.Cmp(k) < 0 {
		return x
	}
	a, b := split(x, k)
	if b.op == OpConst && b.k.Sign() == 0 {
		return zero
	}
	if n := int(k.TrailingZeroBits()); k.BitLen() == n+1 && Twos(x) >= n { // such as x - u2(x) of 4
		return zero
	}
	if nonNegative(x) && nonNegative(b) && (a.op != OpConst || a.k.Sign() != 0) {
		return Rem(b, Big(k))
	}
	return nil
}

// Min returns the lesser of x and y.
func Min(x, y *Int) *Int { return extremum(OpMin, x, y) }

// Max returns the greater of x and y.
func Max(x, y *Int) *Int { return extremum(OpMax, x, y) }

// extremum makes a minimum or maximum.
func extremum(op Op, x, y *Int) *Int {
	if !known(x, y) {
		return unknown
	}
	if f := Le(x, y); f.op == boolConst {
		if f.value == (op == OpMin) {
			return x
		}
		return y
	}
	if compare(x, y) > 0 {
		x, y = y, x
	}
	z := &Int{op: op, args: []*Int{x, y}, uniform: allUniform(x, y)}
	if op == OpMin {
		z.lo, z.hi = minBound(x.lo, y.lo), tighter(x.hi, y.hi, -1)
	} else {
		z.lo, z.hi = tighter(x.lo, y.lo, 1), maxBound(x.hi, y.hi)
	}
	return seal(z)
}

// Ite returns x if c, else y.
func Ite(c *Bool, x, y *Int) *Int {
	if c.op == boolConst {
		if c.value {
			return x
		}
		return y
	}
	if !known(x, y) || c.op == boolMaybe {
		return unknown
	}
	if x.Equal(y) {
		return x
	}
	z := &Int{op: OpIte, args: []*Int{x, y}, cond: c, uniform: allUniform(x, y) && c.Uniform()}
	z.lo, z.hi = join(x, y)
	return seal(z)
}
