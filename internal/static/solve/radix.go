// Lemmas that make products decidable by linear arithmetic: an equation S·Q + R = 0 whose stride S is equal for both
// threads is treated as a number in mixed radix. Either both digits are zero, or the remainder R is at least one stride
// away from zero. All lemmas are tautologies.

package solve

import (
	"math/big"
	"slices"
)

// maxDepth limits how often the digits of an equation are split recursively.
const maxDepth = 3

// maxRadixTerms limits the terms of an equation that is split.
const maxRadixTerms = 24

// maxLemmas limits the number of equations of a problem that are split.
const maxLemmas = 400

// radix adds the lemmas of the equation e = 0.
func (t *translator) radix(e poly, depth int) {
	if depth > maxDepth || len(e) > maxRadixTerms || len(t.lemmas) > maxLemmas || t.tooLarge() {
		return
	}
	e, ok := e.normal()
	if !ok {
		return
	}
	if key := e.key(); t.lemmas[key] {
		return
	} else {
		t.lemmas[key] = true
	}
	given := t.nonzero(e)
	if given.truth == always {
		return
	}
	t.constantStrides(e, given, depth)
	for _, s := range t.strides(e) {
		q, r := t.splitBy(e, s)
		t.digits(given, t.varPoly(s), q, r)
		t.radix(q, depth+1)
		t.radix(r, depth+1)
	}
}

// strides returns the uniform variables in the products of an equation.
func (t *translator) strides(e poly) []int32 {
	var found []int32
	for _, uniform := range []bool{true, false} {
		for _, term := range e {
			vs := t.list[term.m]
			if len(vs) < 2 {
				continue
			}
			for _, v := range vs {
				if t.vars[v].uniform == uniform && !slices.Contains(found, v) {
					found = append(found, v)
				}
			}
		}
		if len(found) > 0 {
			break
		}
	}
	slices.Sort(found)
	return found
}

// splitBy returns e = s·q + r, where no term of r has the factor s.
func (t *translator) splitBy(e poly, s int32) (q, r poly) {
	for _, term := range e {
		vs := t.list[term.m]
		i := slices.Index(vs, s)
		if i < 0 {
			r = append(r, term)
			continue
		}
		rest := slices.Delete(slices.Clone(vs), i, i+1)
		q = append(q, pterm{t.of(rest), term.c})
	}
	slices.SortFunc(q, func(a, b pterm) int { return int(a.m) - int(b.m) })
	return q, r
}

// digits adds what follows from s·q + r = 0, each lemma with given as an alternative: r = 0 if q = 0; otherwise |r| ≥
// |s|, with the sign opposite to s·q.
func (t *translator) digits(given formula, s, q, r poly) {
	qzero, rzero := t.nonzero(q), t.zero(r)
	t.lemma(given, qzero, rzero)
	for _, sign := range []int64{1, -1} {
		u := s.scaled(sign) // |s|, assuming that this is positive
		none := t.leq(u)
		if none.truth == always {
			continue
		}
		up, down := t.leq(q.scaled(sign)), t.geq(q.scaled(sign))
		t.lemma(given, none, up, t.leq(r.add(u)))
		t.lemma(given, none, down, t.geq(r.sub(u)))
	}
	t.lemma(given, t.nonzero(s), rzero)
}

// constantStrides adds the same lemmas with the coefficients of an equation as strides.
func (t *translator) constantStrides(e poly, given formula, depth int) {
	var ks []*big.Int
	for _, term := range e {
		k := new(big.Int).Abs(term.c)
		if term.m != 0 && k.Cmp(bigOne) > 0 && !slices.ContainsFunc(ks,
			func(o *big.Int) bool { return o.Cmp(k) == 0 }) {
			ks = append(ks, k)
		}
	}
	slices.SortFunc(ks, func(a, b *big.Int) int { return b.Cmp(a) })
	for _, k := range withDivisors(ks) {
		var q, r poly
		for _, term := range e {
			d, m := new(big.Int).QuoRem(term.c, k, new(big.Int))
			if m.Sign() == 0 {
				q = append(q, pterm{term.m, d})
			} else {
				r = append(r, term)
			}
		}
		if len(r) == 0 || len(q) == 0 {
			continue
		}
		t.digits(given, constPoly(k), q, r)
		t.radix(q, depth+1)
		t.radix(r, depth+1)
	}
}

// withDivisors returns numbers in descending order, and behind them the common divisors above 1 of two that follow each
// other: where 3·c and 2·q are multiples of one stride, no coefficient is the stride.
func withDivisors(ks []*big.Int) []*big.Int {
	out := slices.Clone(ks)
	for i := 1; i < len(ks); i++ {
		g := new(big.Int).GCD(nil, nil, ks[i-1], ks[i])
		if g.Cmp(bigOne) > 0 && !slices.ContainsFunc(out, func(k *big.Int) bool { return k.Cmp(g) == 0 }) {
			out = append(out, g)
		}
	}
	return out
}

// productLemmas adds the properties of m = a·b by the signs of a and b, and for factors 0 and 1.
func (p *problem) productLemmas(m, a, b int32) {
	pm, pa, pb := p.varPoly(m), p.varPoly(a), p.varPoly(b)
	p.lemma(p.nonzero(pa), p.zero(pm))
	p.lemma(p.nonzero(pb), p.zero(pm))
	p.lemma(p.nonzero(pa.plus(-1)), p.zero(pm.sub(pb)))
	p.lemma(p.nonzero(pb.plus(-1)), p.zero(pm.sub(pa)))
	for _, sa := range []int64{1, -1} {
		for _, sb := range []int64{1, -1} {
			// under sa·a ≥ 1 and sb·b ≥ 1: sa·sb·m ≥ sa·a and ≥ sb·b
			x, y, z := pa.scaled(sa), pb.scaled(sb), pm.scaled(sa*sb)
			p.lemma(p.leq(x), p.leq(y), p.geq(z.sub(x)))
			p.lemma(p.leq(x), p.leq(y), p.geq(z.sub(y)))
		}
	}
}
