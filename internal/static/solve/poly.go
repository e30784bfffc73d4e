// Polynomials with integer coefficients over the variables of a problem.

package solve

import (
	"encoding/binary"
	"math/big"
	"slices"
)

// maxTerms limits the terms of a polynomial; a larger one is omitted from the problem.
const maxTerms = 48

// maxDegree limits the factors of a monomial.
const maxDegree = 6

// mono is a product of variables, as its number in monos; 0 is the empty product.
type mono int32

// monos numbers the products of variables.
type monos struct {
	list  [][]int32 // the variables of each product, sorted
	index map[string]mono
}

// newMonos returns a table with the empty product.
func newMonos() *monos { return &monos{list: [][]int32{nil}, index: map[string]mono{"": 0}} }

// of returns the monomial of sorted variables.
func (t *monos) of(vs []int32) mono {
	key := monoKey(vs)
	m, ok := t.index[key]
	if !ok {
		m = mono(len(t.list))
		t.index[key] = m
		t.list = append(t.list, vs)
	}
	return m
}

// monoKey returns the key of the monomial of sorted variables.
func monoKey(vs []int32) string {
	var key []byte
	for _, v := range vs {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return string(key)
}

// mul returns the product.
func (t *monos) mul(a, b mono) mono {
	if a == 0 {
		return b
	}
	if b == 0 {
		return a
	}
	vs := slices.Concat(t.list[a], t.list[b])
	slices.Sort(vs)
	return t.of(vs)
}

// pterm is a term of a polynomial.
type pterm struct {
	m mono
	c *big.Int
}

// poly is a sum of terms, sorted by monomial number; no coefficient is 0.
type poly []pterm

// constPoly returns a constant.
func constPoly(k *big.Int) poly {
	if k.Sign() == 0 {
		return nil
	}
	return poly{{0, k}}
}

// addScaled returns p + k·q.
func (p poly) addScaled(k *big.Int, q poly) poly {
	r := make(poly, 0, len(p)+len(q))
	for len(p) > 0 || len(q) > 0 {
		switch {
		case len(q) == 0 || len(p) > 0 && p[0].m < q[0].m:
			r, p = append(r, p[0]), p[1:]
		case len(p) == 0 || q[0].m < p[0].m:
			r, q = append(r, pterm{q[0].m, new(big.Int).Mul(k, q[0].c)}), q[1:]
		default:
			c := new(big.Int).Mul(k, q[0].c)
			if c.Add(c, p[0].c); c.Sign() != 0 {
				r = append(r, pterm{p[0].m, c})
			}
			p, q = p[1:], q[1:]
		}
	}
	return r
}

// add and sub return p + q and p - q; plus adds a constant.
func (p poly) add(q poly) poly     { return p.addScaled(bigOne, q) }
func (p poly) sub(q poly) poly     { return p.addScaled(bigMinusOne, q) }
func (p poly) neg() poly           { return poly(nil).addScaled(bigMinusOne, p) }
func (p poly) plus(k int64) poly   { return p.add(constPoly(big.NewInt(k))) }
func (p poly) scaled(k int64) poly { return poly(nil).addScaled(big.NewInt(k), p) }

var (
	bigOne      = big.NewInt(1)
	bigMinusOne = big.NewInt(-1)
)

// mulPoly returns p·q, or false when it is too large.
func (t *monos) mulPoly(p, q poly) (poly, bool) {
	if len(p)*len(q) > 4*maxTerms {
		return nil, false
	}
	sum := make(map[mono]*big.Int)
	for _, a := range p {
		for _, b := range q {
			m := t.mul(a.m, b.m)
			if len(t.list[m]) > maxDegree {
				return nil, false
			}
			if sum[m] == nil {
				sum[m] = new(big.Int)
			}
			sum[m].Add(sum[m], new(big.Int).Mul(a.c, b.c))
		}
	}
	var r poly
	for m, c := range sum {
		if c.Sign() != 0 {
			r = append(r, pterm{m, c})
		}
	}
	slices.SortFunc(r, func(a, b pterm) int { return int(a.m) - int(b.m) })
	return r, len(r) <= maxTerms
}

// constant returns the value of a constant polynomial, or false if p is not constant.
func (p poly) constant() (*big.Int, bool) {
	switch {
	case len(p) == 0:
		return new(big.Int), true
	case len(p) == 1 && p[0].m == 0:
		return p[0].c, true
	}
	return nil, false
}

// positiveConst returns the value of a positive constant polynomial, or nil for any other.
func (p poly) positiveConst() *big.Int {
	if k, ok := p.constant(); ok && k.Sign() > 0 {
		return k
	}
	return nil
}

// normal returns p divided by the content of its terms, with the first term positive: the result is 0 exactly when p
// is. It returns false when no integers make p zero.
func (p poly) normal() (poly, bool) {
	g, k := new(big.Int), new(big.Int)
	sign := 0
	for _, t := range p {
		if t.m == 0 {
			k = t.c
			continue
		}
		if sign == 0 {
			sign = t.c.Sign()
		}
		g.GCD(nil, nil, g, new(big.Int).Abs(t.c))
	}
	if sign == 0 {
		return p, len(p) == 0
	}
	if new(big.Int).Rem(k, g).Sign() != 0 {
		return nil, false
	}
	if sign < 0 {
		g.Neg(g)
	}
	if g.Cmp(bigOne) == 0 {
		return p, true
	}
	r := make(poly, len(p))
	for i, t := range p {
		r[i] = pterm{t.m, new(big.Int).Quo(t.c, g)}
	}
	return r, true
}

// key returns a text that is equal for equal polynomials only.
func (p poly) key() string {
	var b []byte
	for _, t := range p {
		b = binary.AppendVarint(b, int64(t.m))
		b = t.c.Append(b, 36)
		b = append(b, ';')
	}
	return string(b)
}
