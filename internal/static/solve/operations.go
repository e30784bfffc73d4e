// Minimum, choice, and bitwise operations.

package solve

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// extremum translates a minimum or maximum.
func (t *translator) extremum(least bool, x, y poly) poly {
	key := "max"
	if least {
		key = "min"
	}
	key += x.key() + "," + y.key()
	if q, ok := t.others[key]; ok {
		return q
	}
	xlo, xhi := t.polyBounds(x)
	ylo, yhi := t.polyBounds(y)
	z := t.varPoly(t.fresh(least2(xlo, ylo), greatest2(xhi, yhi), t.uniformPoly(x) && t.uniformPoly(y)))
	dx, dy := z.sub(x), z.sub(y)
	if least {
		t.addFormula(allOf(t.leq(dx), t.leq(dy)), 0)
	} else {
		t.addFormula(allOf(t.geq(dx), t.geq(dy)), 0)
	}
	t.lemma(t.zero(dx), t.zero(dy))
	t.others[key] = z
	return z
}

// least2 returns the smaller and greatest2 the greater of two bounds, nil being infinite.
func least2(a, b *big.Int) *big.Int {
	if a == nil || b == nil || a.Cmp(b) < 0 {
		if b == nil {
			return nil
		}
		return a
	}
	return b
}

func greatest2(a, b *big.Int) *big.Int {
	if a == nil || b == nil || a.Cmp(b) > 0 {
		if b == nil {
			return nil
		}
		return a
	}
	return b
}

// choice translates c ? x : y.
func (t *translator) choice(e *expr.Int, x, y poly) poly {
	xlo, xhi := t.polyBounds(x)
	ylo, yhi := t.polyBounds(y)
	c, not := t.formula(e.Cond()), t.formula(expr.Not(e.Cond()))
	z := t.varPoly(t.fresh(least2(xlo, ylo), greatest2(xhi, yhi), e.Uniform()))
	t.lemma(not, t.zero(z.sub(x)))
	t.lemma(c, t.zero(z.sub(y)))
	return z
}

// bitwise translates and, or, exclusive or; all are expressed by and, which is a fresh variable.
func (t *translator) bitwise(op expr.Op, x, y poly) poly {
	and := t.bitAnd(x, y)
	switch op {
	case expr.OpOr:
		return x.add(y).sub(and)
	case expr.OpXor:
		z := x.add(y).addScaled(big.NewInt(-2), and)
		t.relateXor(x, y, z)
		t.relateXor(y, x, z)
		return z
	}
	return and
}

// maxRelated limits the number of operations that one operation is related to.
const maxRelated = 16

// partner is an exclusive or z of x with a second operand.
type partner struct{ x, z poly }

// relateXor relates exclusive ors with the same operand y: z determines x, and x determines z.
func (t *translator) relateXor(x, y, z poly) {
	key := y.key()
	for _, o := range t.partners[key] {
		if o.x.key() == x.key() {
			return
		}
	}
	for _, o := range t.partners[key] {
		t.lemma(t.nonzero(z.sub(o.x)), t.zero(o.z.sub(x)))
		t.lemma(t.zero(z.sub(o.x)), t.nonzero(o.z.sub(x)))
		t.lemma(t.nonzero(z.sub(o.z)), t.zero(x.sub(o.x)))
		t.lemma(t.zero(z.sub(o.z)), t.nonzero(x.sub(o.x)))
	}
	if len(t.partners[key]) < maxRelated {
		t.partners[key] = append(t.partners[key], partner{x, z})
	}
}

// bitAnd translates a bitwise and.
func (t *translator) bitAnd(x, y poly) poly {
	kx, ky := x.key(), y.key()
	if kx > ky {
		x, y, kx, ky = y, x, ky, kx
	}
	key := "&" + kx + "," + ky
	if q, ok := t.others[key]; ok {
		return q
	}
	xlo, xhi := t.polyBounds(x)
	ylo, yhi := t.polyBounds(y)
	xpos, ypos := xlo != nil && xlo.Sign() >= 0, ylo != nil && ylo.Sign() >= 0
	var lo, hi *big.Int
	if xpos {
		lo, hi = new(big.Int), xhi
	}
	if ypos && (!xpos || hi == nil || yhi != nil && yhi.Cmp(hi) < 0) {
		lo, hi = new(big.Int), yhi
	}
	v := t.fresh(lo, hi, t.uniformPoly(x) && t.uniformPoly(y))
	z := t.varPoly(v)
	if ypos { // x & y ≤ y
		t.addFormula(t.leq(z.sub(y)), 0)
	}
	if xpos {
		t.addFormula(t.leq(z.sub(x)), 0)
	}
	t.bitBounds(x, y, z, xpos && ypos, xhi, yhi)
	t.opaques = append(t.opaques, opaque{v, x, y, func(x, y *big.Int) *big.Int { return new(big.Int).And(x, y) }})
	t.others[key] = z
	t.ands = append(t.ands, conjunction{x, y, z})
	t.relateAnd(x, y, z)
	t.relateAnd(y, x, z)
	return z
}

// bitBounds asserts, for non-negative operands, that their exclusive or is below the next power of two, and that it is
// zero only for equal operands.
func (t *translator) bitBounds(x, y, and poly, natural bool, xhi, yhi *big.Int) {
	xor := x.add(y).addScaled(big.NewInt(-2), and)
	if natural && xhi != nil && yhi != nil {
		top := new(big.Int).Lsh(bigOne, uint(max(xhi.BitLen(), yhi.BitLen())))
		t.addFormula(allOf(t.geq(xor), t.leq(xor.sub(constPoly(top)).plus(1))), 0)
	}
	t.lemma(t.nonzero(xor), t.zero(x.sub(y)))
	t.lemma(t.nonzero(x.sub(y)), t.zero(xor))
}

// relateAnd adds that equal operands have equal conjunctions with y.
func (t *translator) relateAnd(x, y, z poly) {
	key := "&" + y.key()
	for _, o := range t.partners[key] {
		t.lemma(t.nonzero(x.sub(o.x)), t.zero(z.sub(o.z)))
	}
	if len(t.partners[key]) < maxRelated {
		t.partners[key] = append(t.partners[key], partner{x, z})
	}
}
