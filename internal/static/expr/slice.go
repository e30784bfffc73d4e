// Slices: some of the bits of a number, in place, as a difference of two remainders of it.

package expr

import (
	"math/big"
	"slices"
)

// A slice is coef·(y - z), where z is y modulo 2 to the power of low.
type slice struct {
	coef   *big.Int
	low    int
	lo, hi *big.Int // the least and the greatest value of y - z; nil is unbounded
}

// maxSliced limits the terms of a sum in which slices are looked for.
const maxSliced = 32

// slicesOf finds pairs of terms that are slices, and returns the other terms, too.
func slicesOf(terms []Term) (pairs []slice, rest []Term) {
	if len(terms) < 2 || len(terms) > maxSliced {
		return nil, terms
	}
	for i := range terms {
		z := terms[i]
		if z.X == nil || z.X.op != OpWrap || z.X.signed {
			continue
		}
		if j := wider(terms, i); j >= 0 {
			if rest == nil {
				rest = slices.Clone(terms)
			}
			y := terms[j].X
			p := slice{coef: terms[j].Coef, low: int(z.X.bits), hi: y.hi}
			low := new(big.Int).Lsh(bigOne, uint(p.low))
			if y.lo != nil {
				p.lo = new(big.Int).Sub(y.lo, new(big.Int).Mod(y.lo, low))
			}
			if y.op == OpWrap && !y.signed {
				p.hi = low.Sub(new(big.Int).Lsh(bigOne, uint(y.bits)), low)
			}
			pairs = append(pairs, p)
			rest[i].X, rest[j].X = nil, nil
			terms = rest
		}
	}
	if pairs == nil {
		return nil, terms
	}
	return pairs, slices.DeleteFunc(rest, func(t Term) bool { return t.X == nil })
}

// wider returns the term that makes a slice with a remainder: the number itself or its next greater remainder, with the
// opposite coefficient; -1 if there is none.
func wider(terms []Term, at int) int {
	found, z := -1, terms[at]
	for j, y := range terms {
		if y.X == nil || j == at || y.Coef.Sign() == z.Coef.Sign() || y.Coef.CmpAbs(z.Coef) != 0 {
			continue
		}
		whole := y.X.Equal(z.X.args[0])
		part := y.X.op == OpWrap && !y.X.signed && y.X.bits > z.X.bits && y.X.args[0].Equal(z.X.args[0])
		if (whole || part) && (found < 0 || terms[found].X.op != OpWrap || part && y.X.bits < terms[found].X.bits) {
			found = j
		}
	}
	return found
}
