// Division, shifts and wrap-around: fresh variables q and r with x = d·q + r.

package solve

import (
	"fmt"
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// quotient is a translated division.
type quotient struct{ x, q, r poly }

// divide translates a truncated division.
func (t *translator) divide(x, d poly) (quotient, bool) {
	xlo, xhi := t.polyBounds(x)
	k := d.positiveConst()
	if k != nil && xlo != nil && xlo.Sign() >= 0 {
		if z, ok := t.divideParts(x, k, xhi); ok {
			return z, true
		}
	}
	key := "/" + x.key() + "/" + d.key()
	if z, ok := t.quots[key]; ok {
		return z, true
	}
	dlo, dhi := t.polyBounds(d)
	uniform := t.uniformPoly(x) && t.uniformPoly(d)
	qlo, qhi, rlo, rhi := quotientBounds(xlo, xhi, dlo, dhi)
	qv, rv := t.fresh(qlo, qhi, uniform), t.fresh(rlo, rhi, uniform)
	z := quotient{x, t.varPoly(qv), t.varPoly(rv)}
	if !t.define(z, d) {
		return z, false
	}
	t.quots[key] = z
	t.truncation(z, d)
	if k != nil {
		t.relate(z, k)
	}
	return z, true
}

// divideParts divides a non-negative x by a constant that divides some of its coefficients or is greater than x.
func (t *translator) divideParts(x poly, k, xhi *big.Int) (quotient, bool) {
	if xhi != nil && xhi.Cmp(k) < 0 {
		return quotient{x, nil, x}, true
	}
	var a, b poly
	for _, term := range x {
		q, r := new(big.Int).DivMod(term.c, k, new(big.Int))
		if r.Sign() == 0 || term.m == 0 {
			if q.Sign() != 0 {
				a = append(a, pterm{term.m, q})
			}
		}
		if r.Sign() != 0 {
			if term.m == 0 {
				b = append(b, pterm{0, r})
			} else {
				b = append(b, term)
			}
		}
	}
	if len(a) == 0 {
		return quotient{}, false
	}
	if blo, _ := t.polyBounds(b); blo == nil || blo.Sign() < 0 {
		return quotient{}, false
	}
	if len(b) == 0 {
		return quotient{x, a, nil}, true
	}
	z, ok := t.divide(b, constPoly(k))
	return quotient{x, a.add(z.q), z.r}, ok
}

// quotientBounds returns ranges of the quotient and remainder of a truncated division.
func quotientBounds(xlo, xhi, dlo, dhi *big.Int) (qlo, qhi, rlo, rhi *big.Int) {
	if xlo != nil && xhi != nil {
		m := new(big.Int).Abs(xlo)
		if h := new(big.Int).Abs(xhi); h.Cmp(m) > 0 {
			m = h
		}
		rhi = m
		if dlo != nil && dlo.Sign() > 0 {
			m = new(big.Int).Quo(m, dlo)
		}
		qlo, qhi, rlo = new(big.Int).Neg(m), m, new(big.Int).Neg(rhi)
	}
	if dlo != nil && dhi != nil && dlo.Sign() > 0 {
		if m := new(big.Int).Sub(dhi, bigOne); rhi == nil || m.Cmp(rhi) < 0 {
			rlo, rhi = new(big.Int).Neg(m), m
		}
	}
	if xlo != nil && xlo.Sign() >= 0 && dlo != nil && dlo.Sign() > 0 {
		qlo = new(big.Int)
		rlo = qlo
	}
	return qlo, qhi, rlo, rhi
}

// define asserts x = d·q + r, unless d is zero.
func (t *translator) define(z quotient, d poly) bool {
	dq, ok := t.mulPoly(d, z.q)
	if !ok {
		return false
	}
	e, ok := z.x.sub(dq).sub(z.r).normal()
	if !ok {
		return false
	}
	if len(e) > maxTerms {
		return false
	}
	if d.positiveConst() != nil {
		t.rests[t.list[z.r[0].m][0]] = z.x.sub(dq)
	}
	dlo, _ := t.polyBounds(d)
	if dlo == nil || dlo.Sign() <= 0 {
		t.lemma(t.zero(d), t.zero(e))
	} else {
		t.addFormula(t.zero(e), 0)
	}
	t.pending = append(t.pending, e)
	t.inequalities = append(t.inequalities, e, e.neg(), z.r.sub(d).plus(1))
	return true
}

// truncation asserts the signs and sizes of quotient and remainder.
func (t *translator) truncation(z quotient, d poly) {
	for _, dsign := range []int64{1, -1} {
		for _, xsign := range []int64{1, -1} {
			// under sd·d ≥ 1 and sx·x ≥ 0: 0 ≤ sx·r < sd·d and sx·sd·q ≥ 0
			sd, sx := d.scaled(dsign), z.x.scaled(xsign)
			r, q := z.r.scaled(xsign), z.q.scaled(xsign*dsign)
			outside := anyOf(t.leq(sd), t.leq(sx.plus(1)))
			if xsign < 0 && outside.truth == always {
				continue
			}
			t.lemma(outside, allOf(t.geq(r), t.leq(r.sub(sd).plus(1)), t.geq(q)))
		}
	}
}

// relate adds relations between this division and others by the same constant or of the same dividend.
func (t *translator) relate(z quotient, k *big.Int) {
	xk := z.x.key()
	for _, o := range t.byDiv[k.String()] {
		// x - x' > 0 ⇒ q - q' ≥ 0, and q = q' ⇒ x - x' = r - r'
		dx, dq := z.x.sub(o.x), z.q.sub(o.q)
		if len(dx) > maxTerms {
			continue
		}
		t.lemma(t.leq(dq), t.geq(dx.plus(-1)))
		t.lemma(t.geq(dq), t.leq(dx.plus(1)))
		t.lemma(t.nonzero(dq), t.zero(dx.sub(z.r.sub(o.r))))
	}
	t.byDiv[k.String()] = append(t.byDiv[k.String()], z)
	lo, _ := t.polyBounds(z.x)
	if lo == nil || lo.Sign() < 0 {
		return
	}
	for _, o := range t.byDiv["x"+xk] { // x/(a·b) = (x/a)/b
		ko, _ := o.x.constant()
		big1, small, m := z.q, o.q, k
		if k.Cmp(ko) < 0 {
			big1, small, m = o.q, z.q, ko
		}
		n := k
		if m == k {
			n = ko
		}
		f, rest := new(big.Int).QuoRem(m, n, new(big.Int))
		if rest.Sign() != 0 || f.Cmp(bigOne) == 0 {
			continue
		}
		r := t.fresh(new(big.Int), new(big.Int).Sub(f, bigOne), t.uniformPoly(z.x))
		e, _ := small.addScaled(new(big.Int).Neg(f), big1).sub(t.varPoly(r)).normal()
		t.addFormula(t.zero(e), 0)
		t.pending = append(t.pending, e)
	}
	t.byDiv["x"+xk] = append(t.byDiv["x"+xk], quotient{constPoly(k), z.q, z.r})
}

// floorDivide translates x / d rounded down, for d > 0.
func (t *translator) floorDivide(x, d poly) (quotient, bool) {
	xlo, xhi := t.polyBounds(x)
	if xlo != nil && xlo.Sign() >= 0 {
		return t.divide(x, d)
	}
	key := "f" + x.key() + "/" + d.key()
	if z, ok := t.quots[key]; ok {
		return z, true
	}
	dlo, dhi := t.polyBounds(d)
	qlo, qhi, _, _ := quotientBounds(xlo, xhi, dlo, dhi)
	if qlo != nil {
		qlo = new(big.Int).Sub(qlo, bigOne)
	}
	var rhi *big.Int // with a negative dividend the remainder can exceed it
	if dhi != nil {
		rhi = new(big.Int).Sub(dhi, bigOne)
	}
	uniform := t.uniformPoly(x) && t.uniformPoly(d)
	qv, rv := t.fresh(qlo, qhi, uniform), t.fresh(new(big.Int), rhi, uniform)
	z := quotient{x, t.varPoly(qv), t.varPoly(rv)}
	if !t.define(z, d) {
		return z, false
	}
	t.quots[key] = z
	t.addFormula(t.leq(z.r.sub(d).plus(1)), 0)
	return z, true
}

// wrap translates the reduction of x to a width.
func (t *translator) wrap(x poly, bits int, signed bool) (poly, bool) {
	lo, hi := new(big.Int), new(big.Int).Lsh(bigOne, uint(bits))
	m := constPoly(new(big.Int).Set(hi))
	if signed {
		hi = new(big.Int).Rsh(hi, 1)
		lo = new(big.Int).Neg(hi)
	}
	if t.fits(x, lo, new(big.Int).Sub(hi, bigOne)) {
		return x, true
	}
	if bits > maxWrapBits {
		return t.wideWrap(x, lo, hi, bits)
	}
	z, ok := t.floorDivide(x.sub(constPoly(lo)), m) // x - lo = 2^bits·q + r, and the value is r + lo
	if !ok {
		return nil, false
	}
	return z.r.add(constPoly(lo)), true
}

// maxWrapBits is the greatest width whose modulus fits a coefficient.
const maxWrapBits = 39

// halfBits is the width of the first step for greater widths.
const halfBits = 32

// wideWrap translates the reduction of x to the values lo … hi - 1 of more than maxWrapBits bits: x = 2^32·w + r with w
// = 2^(bits-32)·q.
func (t *translator) wideWrap(x poly, lo, hi *big.Int, bits int) (poly, bool) {
	if bits-halfBits > maxWrapBits {
		return nil, false
	}
	key := fmt.Sprintf("w%d,%s:%s", bits, lo, x.key())
	if z, ok := t.others[key]; ok {
		return z, true
	}
	xlo, xhi := t.polyBounds(x)
	var qlo, qhi, wlo, whi *big.Int
	if xlo != nil && xhi != nil {
		qlo = new(big.Int).Rsh(new(big.Int).Sub(xlo, lo), uint(bits))
		qhi = new(big.Int).Rsh(new(big.Int).Sub(xhi, lo), uint(bits))
		wlo, whi = new(big.Int).Lsh(qlo, uint(bits-halfBits)), new(big.Int).Lsh(qhi, uint(bits-halfBits))
	}
	uniform := t.uniformPoly(x)
	q, w := t.varPoly(t.fresh(qlo, qhi, uniform)), t.varPoly(t.fresh(wlo, whi, uniform))
	r := t.varPoly(t.fresh(lo, new(big.Int).Sub(hi, bigOne), uniform))
	t.addFormula(t.zero(w.addScaled(new(big.Int).Lsh(bigMinusOne, uint(bits-halfBits)), q)), 0)
	e := x.sub(r).addScaled(new(big.Int).Lsh(bigMinusOne, halfBits), w)
	if len(e) > maxTerms {
		return nil, false
	}
	t.addFormula(t.zero(e), 0)
	t.pending = append(t.pending, e)
	t.inequalities = append(t.inequalities, e, e.neg())
	t.others[key] = r
	t.rests[t.list[r[0].m][0]] = x.addScaled(new(big.Int).Lsh(bigMinusOne, halfBits), w)
	return r, true
}

// powerOf2 returns 2^k for the shift count k.
func (t *translator) powerOf2(k *expr.Int, count poly) (poly, bool) {
	lo, hi := k.Range()
	if c, ok := count.constant(); ok {
		lo, hi = c, c
	}
	if lo == nil || lo.Sign() < 0 || hi == nil || hi.Cmp(big.NewInt(expr.MaxBits)) > 0 {
		return nil, false
	}
	if lo.Cmp(hi) == 0 {
		return constPoly(new(big.Int).Lsh(bigOne, uint(lo.Int64()))), true
	}
	key := "2^" + count.key()
	if q, ok := t.others[key]; ok {
		return q, true
	}
	plo, phi := new(big.Int).Lsh(bigOne, uint(lo.Int64())), new(big.Int).Lsh(bigOne, uint(hi.Int64()))
	v := t.fresh(plo, phi, t.uniformPoly(count))
	q := t.varPoly(v)
	t.others[key] = q
	t.powers = append(t.powers, q)
	t.addFormula(t.geq(q.sub(count).plus(-1)), 0) // 2^k ≥ k + 1
	if width := new(big.Int).Sub(hi, lo); width.Cmp(big.NewInt(63)) <= 0 {
		for i := lo.Int64(); i <= hi.Int64(); i++ {
			e := q.sub(constPoly(new(big.Int).Lsh(bigOne, uint(i))))
			t.lemma(t.leq(count.plus(1-i)), t.geq(count.plus(-1-i)), t.zero(e))
		}
	}
	t.opaques = append(t.opaques, opaque{v, count, nil, func(x, _ *big.Int) *big.Int {
		if x.Sign() < 0 || x.Cmp(big.NewInt(expr.MaxBits)) > 0 {
			return nil
		}
		return new(big.Int).Lsh(bigOne, uint(x.Int64()))
	}})
	return q, true
}
