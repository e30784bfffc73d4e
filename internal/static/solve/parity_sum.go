// Sums of integers whose bits are sums modulo 2. Where bits are carried, they are products.

package solve

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// column holds the bits of one weight in a sum, added and subtracted.
type column struct{ plus, minus []parity }

// add adds a bit. The same bit, subtracted before, cancels it.
func (c *column) add(f parity, negative bool) {
	same, other := &c.plus, &c.minus
	if negative {
		same, other = other, same
	}
	if i := slices.Index(*other, f); i >= 0 {
		*other = slices.Delete(*other, i, i+1)
		return
	}
	*same = append(*same, f)
}

// narrow leaves at most one bit in a column and moves carries to the next one: f + g is their sum modulo 2 and twice
// their product, f - g is that sum less twice the product of g and the negation of f.
func (t *atomizer) narrow(c, next *column) bool {
	for len(c.plus)+len(c.minus) > 1 {
		var f, g, carry parity
		var ok, borrows bool
		negative := len(c.plus) == 0
		switch {
		case len(c.plus) > 1:
			f, g, c.plus = c.plus[0], c.plus[1], c.plus[2:]
			carry, ok = t.product(f, g)
		case negative:
			f, g, c.minus = c.minus[0], c.minus[1], c.minus[2:]
			carry, ok = t.product(f, g)
		default:
			f, g, c.plus, c.minus = c.plus[0], c.minus[0], c.plus[1:], c.minus[1:]
			carry, ok = t.product(f.plus(oneBit), g)
			borrows = true
		}
		if !ok {
			return false
		}
		if carry != (parity{}) {
			next.add(carry, negative || borrows)
		}
		if f = f.plus(g); f != (parity{}) {
			c.add(f, negative)
		}
	}
	return true
}

// columns is a sum by weight.
type columns [maxVector + 1]column

// addVector adds c·v; false when the weights are too large. The digits of c are -1, 0 and 1, so that 2 to the power of
// k less 2 to the power of n, as of the bits from n to k, has two.
func (s *columns) addVector(v vector, c *big.Int) bool {
	k := new(big.Int).Set(c)
	for shift := 0; k.Sign() != 0; shift++ {
		if k.Bit(0) == 1 {
			negative := k.Bit(1) == 1
			if negative {
				k.Add(k, bigOne)
			} else {
				k.Sub(k, bigOne)
			}
			if !s.addShifted(v, shift, negative) {
				return false
			}
		}
		k.Rsh(k, 1)
	}
	return true
}

// addShifted adds or subtracts a vector times a power of two.
func (s *columns) addShifted(v vector, shift int, negative bool) bool {
	for i, f := range v {
		if f == (parity{}) {
			continue
		}
		if shift+i >= maxVector {
			return false
		}
		s[shift+i].add(f, negative != (i == len(v)-1))
	}
	return true
}

// vector returns the bits of a sum modulo 2 to the power of n, nil where there are too many atoms. With n = maxVector
// nothing is reduced.
func (t *atomizer) vector(s *columns, n int) vector {
	var z vector
	for i := range n {
		c, next := &s[i], &s[i+1]
		if !t.narrow(c, next) {
			return nil
		}
		switch {
		case len(c.minus) == 1 && n == maxVector && s.emptyFrom(i+1):
			return append(z, c.minus[0]) // the sign
		case len(c.minus) == 1: // -f is f less 2·f
			z = append(z, c.minus[0])
			next.add(c.minus[0], true)
		case len(c.plus) == 1:
			z = append(z, c.plus[0])
		default:
			z = append(z, parity{})
		}
	}
	if n == maxVector && !s.emptyFrom(n) {
		return nil
	}
	for len(z) > 1 && z[len(z)-1] == (parity{}) && z[len(z)-2] == (parity{}) {
		z = z[:len(z)-1]
	}
	if z[len(z)-1] != (parity{}) {
		z = append(z, parity{})
	}
	return z
}

// emptyFrom reports whether nothing is added with the weights from 2 to the power of i on.
func (s *columns) emptyFrom(i int) bool {
	for ; i < len(s); i++ {
		if len(s[i].plus)+len(s[i].minus) > 0 {
			return false
		}
	}
	return true
}

// sum returns the bits of a sum modulo 2 to the power of n, see vector.
func (t *atomizer) sum(k *big.Int, terms []expr.Term, n int) vector {
	var s columns
	if !s.addVector(constant(k), bigOne) {
		return nil
	}
	for _, x := range terms {
		t.work += 20
		if v := t.int(x.X); v == nil || !s.addVector(v, x.Coef) {
			return nil
		}
	}
	return t.vector(&s, min(n, maxVector))
}

// halves are two numbers a and b of which only the difference is known.
type halves struct {
	a, b vector
	ok   bool
}

// sides splits a difference into two numbers a and b: it is 0 where they are equal.
func (t *atomizer) sides(d *expr.Int) (a, b vector, ok bool) {
	h, known := t.halves[d]
	if !known {
		k, terms := d.Linear()
		h.a, h.b, h.ok = t.split(terms, k)
		t.halves[d] = h
	}
	return h.a, h.b, h.ok
}

// split splits terms and a constant into a and -b, so that neither is negative where that is known: terms with common
// variables are on one side. The constant is where it needs no products: x ^ 4 is x + 4 - 2·(x & 4).
func (t *atomizer) split(terms []expr.Term, k *big.Int) (a, b vector, ok bool) {
	var sums [2]columns
	for len(terms) > 0 {
		var group []expr.Term
		group, terms = related(terms)
		v, side, simple := t.oneSide(group, k)
		if k.Sign() != 0 && simple {
			k = new(big.Int)
		} else {
			v, side, _ = t.oneSide(group, new(big.Int))
		}
		if v == nil || !sums[side].addVector(v, bigOne) {
			return nil, nil, false
		}
	}
	if !sums[max(0, -k.Sign())].addVector(constant(new(big.Int).Abs(k)), bigOne) {
		return nil, nil, false
	}
	a, b = t.vector(&sums[0], maxVector), t.vector(&sums[1], maxVector)
	return a, b, a != nil && b != nil
}

// oneSide returns the bits of the sum of terms and a constant, or those of its negation on side 1: preferably of that
// which is not negative, and needs no products. The last result says that there is one.
func (t *atomizer) oneSide(terms []expr.Term, k *big.Int) (v vector, side int, simple bool) {
	negated, minus := make([]expr.Term, len(terms)), new(big.Int).Neg(k)
	for i, x := range terms {
		t.int(x.X)
		negated[i] = expr.Term{Coef: new(big.Int).Neg(x.Coef), X: x.X}
	}
	t.frozen = true
	v, w := t.sum(k, terms, maxVector), t.sum(minus, negated, maxVector)
	t.frozen = false
	switch {
	case v != nil && v.nonNegative():
		return v, 0, true
	case w != nil && w.nonNegative():
		return w, 1, true
	case k.Sign() != 0:
		return nil, 0, false
	case terms[0].Coef.Sign() > 0:
		return t.sum(k, terms, maxVector), 0, false
	}
	return t.sum(minus, negated, maxVector), 1, false
}

// related returns a copy of the terms that the first one shares variables with, directly or not, and the others.
func related(terms []expr.Term) (group, rest []expr.Term) {
	names := make(map[string]bool)
	group, rest = append(group, terms[0]), slices.Clone(terms[1:])
	for i := 0; i < len(group); i++ {
		for _, v := range group[i].X.Vars() {
			names[v.Name] = true
		}
		rest = slices.DeleteFunc(rest, func(t expr.Term) bool {
			if !slices.ContainsFunc(t.X.Vars(), func(v expr.Variable) bool { return names[v.Name] }) {
				return false
			}
			group = append(group, t)
			return true
		})
	}
	return group, rest
}
