// Functions of all bits of a number: their count without leading zeros, the count of the set ones, and their reverse.

package solve

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// count translates a function z of the bits of a number x, which is not negative. z is a fresh variable, enforced for
// the values of a candidate. All three are 0 exactly for 0. For the length, 2^(z-1) <= x < 2^z unless x is 0.
func (t *translator) count(e *expr.Int, x poly) poly {
	bits, _ := e.Width()
	key := e.Op().Name(bits) + x.key()
	if q, ok := t.others[key]; ok {
		return q
	}
	lo, hi := e.Range()
	v := t.fresh(lo, hi, t.uniformPoly(x))
	z := t.varPoly(v)
	t.others[key] = z
	t.opaques = append(t.opaques, opaque{v, x, nil, func(k, _ *big.Int) *big.Int {
		if k.Sign() < 0 || k.BitLen() > bits {
			return nil
		}
		n, _ := e.Op().Count(k, bits).Const()
		return n
	}})
	t.lemma(t.nonzero(x), t.zero(z))
	t.lemma(t.zero(x), t.nonzero(z))
	if p, ok := t.powerOf2(e, z); ok && e.Op() == expr.OpLen {
		t.addFormula(t.leq(x.sub(p).plus(1)), 0)
		t.lemma(t.zero(x), t.leq(p.addScaled(big.NewInt(-2), x)))
	}
	return z
}

// count translates a function of the bits of a vector that is not negative.
func (b *blaster) count(e *expr.Int, x bitvec) bitvec {
	bits, _ := e.Width()
	lo, hi := e.Range()
	one := func(l blit) bitvec { return bitvec{[]blit{l, btrue.not()}, new(big.Int), bigOne} }
	z := constVec(new(big.Int))
	switch e.Op() {
	case expr.OpLen: // the highest bit that is set decides, and is seen last
		for i := range bits {
			z = b.choose2(x.bit(i), constVec(big.NewInt(int64(i+1))), z)
		}
	case expr.OpOnes:
		for i := range bits {
			z = b.add2(z, one(x.bit(i)))
		}
	default:
		z = bitvec{bits: make([]blit, bits+1)}
		for i := range bits {
			z.bits[bits-1-i] = x.bit(i)
		}
		z.bits[bits] = btrue.not()
	}
	return z.within(lo, hi)
}
