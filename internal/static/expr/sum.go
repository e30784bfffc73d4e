// Sums and products, and the order of expressions that makes them canonical.

package expr

import (
	"math/big"
	"slices"
	"strings"
)

// Add returns a sum.
func Add(xs ...*Int) *Int {
	s := summands{k: new(big.Int)}
	for _, x := range xs {
		if x.op == OpUnknown {
			return unknown
		}
		s.add(bigOne, x)
	}
	return s.make()
}

// Sub returns x - y.
func Sub(x, y *Int) *Int {
	if !known(x, y) {
		return unknown
	}
	s := summands{k: new(big.Int)}
	s.add(bigOne, x)
	s.add(big.NewInt(-1), y)
	return s.make()
}

// Neg returns -x.
func Neg(x *Int) *Int { return Sub(zero, x) }

// scaled returns k·x.
func scaled(k *big.Int, x *Int) *Int {
	if x.op == OpUnknown {
		return unknown
	}
	s := summands{k: new(big.Int)}
	s.add(k, x)
	return s.make()
}

// summands collects the terms of a sum.
type summands struct {
	k     *big.Int
	terms []Term
}

// add adds c·x.
func (s *summands) add(c *big.Int, x *Int) {
	k, terms := x.Linear()
	s.k.Add(s.k, new(big.Int).Mul(c, k))
	for _, t := range terms {
		s.terms = append(s.terms, Term{Coef: new(big.Int).Mul(c, t.Coef), X: t.X})
	}
}

// make returns the sum in its canonical form.
func (s *summands) make() *Int {
	slices.SortStableFunc(s.terms, func(a, b Term) int { return compare(a.X, b.X) })
	terms := s.terms[:0]
	for _, t := range s.terms {
		if n := len(terms); n > 0 && terms[n-1].X.Equal(t.X) {
			terms[n-1].Coef = new(big.Int).Add(terms[n-1].Coef, t.Coef)
			continue
		}
		terms = append(terms, t)
	}
	terms = slices.DeleteFunc(terms, func(t Term) bool { return t.Coef.Sign() == 0 })
	if len(terms) == 0 {
		return Big(s.k)
	}
	if len(terms) == 1 && s.k.Sign() == 0 && terms[0].Coef.Cmp(bigOne) == 0 {
		return terms[0].X
	}
	return newSum(s.k, terms)
}

// newSum makes the node of a canonical sum.
func newSum(k *big.Int, terms []Term) *Int {
	x := &Int{op: OpSum, k: k, terms: terms, lo: k, hi: k, uniform: true}
	if k.BitLen() > MaxBits {
		return unknown
	}
	for _, t := range terms {
		if t.Coef.BitLen() > MaxBits {
			return unknown
		}
		x.uniform = x.uniform && t.X.uniform
	}
	pairs, rest := slicesOf(terms)
	for _, p := range pairs {
		lo, hi := scale(p.coef, p.lo, p.hi)
		x.lo, x.hi = addBound(x.lo, lo), addBound(x.hi, hi)
	}
	for _, t := range rest {
		lo, hi := scale(t.Coef, t.X.lo, t.X.hi)
		x.lo, x.hi = addBound(x.lo, lo), addBound(x.hi, hi)
	}
	return seal(x)
}

// Mul returns a product.
func Mul(xs ...*Int) *Int {
	coef := big.NewInt(1)
	var factors []*Int
	for _, x := range xs {
		if x.op == OpUnknown {
			return unknown
		}
		k, terms := x.Linear()
		switch {
		case len(terms) == 0:
			coef.Mul(coef, k)
		case len(terms) == 1 && k.Sign() == 0:
			coef.Mul(coef, terms[0].Coef)
			if terms[0].X.op == OpMul {
				factors = append(factors, terms[0].X.args...)
			} else {
				factors = append(factors, terms[0].X)
			}
		default:
			factors = append(factors, x)
		}
		if coef.BitLen() > MaxBits {
			return unknown
		}
	}
	switch {
	case coef.Sign() == 0:
		return zero
	case len(factors) == 0:
		return Big(coef)
	case len(factors) == 1:
		return scaled(coef, factors[0])
	}
	return scaled(coef, newProduct(factors))
}

// newProduct makes the node of a product of non-constant factors.
func newProduct(factors []*Int) *Int {
	slices.SortStableFunc(factors, compare)
	x := &Int{op: OpMul, args: factors, lo: bigOne, hi: bigOne, uniform: allUniform(factors...)}
	for _, f := range factors {
		x.lo, x.hi = mulRange(x.lo, x.hi, f.lo, f.hi)
	}
	if len(factors)%2 == 0 && square(factors) && (x.lo == nil || x.lo.Sign() < 0) {
		x.lo = zero.k
	}
	return seal(x)
}

// square reports whether sorted factors come in equal pairs.
func square(factors []*Int) bool {
	for i := 0; i < len(factors); i += 2 {
		if !factors[i].Equal(factors[i+1]) {
			return false
		}
	}
	return true
}

// compare orders expressions by structure: variables by name first, then products, then the rest.
func compare(x, y *Int) int {
	if x == y {
		return 0
	}
	switch {
	case x.op != y.op:
		return int(x.op) - int(y.op)
	case x.op == OpVar:
		return strings.Compare(x.v.Name, y.v.Name)
	case x.op == OpConst:
		return x.k.Cmp(y.k)
	case x.op == OpSum:
		return compareSums(x, y)
	}
	if c := int(x.bits) - int(y.bits); c != 0 {
		return c
	}
	if x.signed != y.signed {
		if x.signed {
			return 1
		}
		return -1
	}
	if x.cond != nil {
		if c := compareBools(x.cond, y.cond); c != 0 {
			return c
		}
	}
	return slices.CompareFunc(x.args, y.args, compare)
}

// compareSums orders sums by their terms, then by their constants.
func compareSums(x, y *Int) int {
	c := slices.CompareFunc(x.terms, y.terms, func(a, b Term) int {
		if d := compare(a.X, b.X); d != 0 {
			return d
		}
		return a.Coef.Cmp(b.Coef)
	})
	if c != 0 {
		return c
	}
	return x.k.Cmp(y.k)
}
