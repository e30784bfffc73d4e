// Refinement: lemmas that exclude a candidate whose product variables differ from the products of its values.

package solve

import (
	"math/big"
	"slices"
)

// maxRefinements limits the number of refinements of a query.
const maxRefinements = 60

// refine adds lemmas that exclude the candidate: first lemmas that may lead to a proof; if there are none and not
// proofsOnly, lemmas about the candidate's values. It returns false if it finds none.
func (s *search) refine(proofsOnly bool) bool {
	if s.refined++; s.refined > maxRefinements {
		return false
	}
	if s.multiply() {
		return true
	}
	if s.refined%diveLength == 0 {
		s.rewind(0)
	}
	return !proofsOnly && s.fixValues()
}

// diveLength is the number of refinements after which the search restarts.
const diveLength = 12

// multiply adds s·q ≤ 0 for inequalities q ≤ 0 of the query that the candidate satisfies and uniform factors s ≥ 0 of
// its wrong products, where the candidate violates s·q ≤ 0.
func (s *search) multiply() bool {
	n := len(s.p.clauses)
	for _, f := range s.factors() {
		x, ok := s.integerValue(f)
		if !ok || x.Sign() < 0 {
			continue
		}
		for i, q := range s.p.inequalities {
			if len(q) > maxMultiplied || !s.p.named(q) {
				continue
			}
			s.work += int64(len(q))
			v, ok := s.linearValue(q)
			if !ok || v.Sign() > 0 {
				continue
			}
			sq, ok := s.p.times(f, q)
			if !ok {
				continue
			}
			if v, ok = s.linearValue(sq); ok && v.Sign() > 0 {
				s.lemma(multiplied{f, int32(i)})
			}
		}
	}
	return len(s.p.clauses) > n
}

// lemma adds a lemma to the problem, and to the record.
func (s *search) lemma(l lemma) {
	s.record.refined(l)
	l.add(s.p)
}

// times returns v·q if all its monomials have variables.
func (p *problem) times(v int32, q poly) (poly, bool) {
	out := make(poly, 0, len(q))
	for _, t := range q {
		m, ok := p.find(v, p.list[t.m])
		if _, named := p.monoVar[m]; !ok || len(p.list[m]) > 1 && !named {
			return nil, false
		}
		out = append(out, pterm{m, t.c})
	}
	slices.SortFunc(out, func(a, b pterm) int { return int(a.m) - int(b.m) })
	return out, true
}

// find returns the monomial of v and others, if it is known.
func (t *monos) find(v int32, others []int32) (mono, bool) {
	vs := append([]int32{v}, others...)
	slices.Sort(vs)
	m, ok := t.index[monoKey(vs)]
	return m, ok
}

// maxMultiplied limits the terms of inequalities that are multiplied.
const maxMultiplied = 12

// factors returns the uniform factors of the candidate's wrong products.
func (s *search) factors() []int32 {
	var found []int32
	seen := make(map[int32]bool)
	for _, m := range s.p.products {
		if !s.wrongProduct(m) {
			continue
		}
		for _, v := range []int32{m.a, m.b} {
			if s.p.vars[v].uniform && !seen[v] {
				seen[v] = true
				found = append(found, v)
			}
		}
	}
	return found
}

// named reports whether all monomials of a polynomial have variables.
func (p *problem) named(q poly) bool {
	for _, t := range q {
		if len(p.list[t.m]) > 1 {
			if _, ok := p.monoVar[t.m]; !ok {
				return false
			}
		}
	}
	return true
}

// linearValue returns the value of a polynomial, using the values of the variables that stand for its monomials.
func (s *search) linearValue(q poly) (*big.Int, bool) {
	sum := new(big.Int)
	for _, t := range q {
		x := bigOne
		if t.m != 0 {
			var ok bool
			if x, ok = s.integerValue(s.p.variableOf(t.m)); !ok {
				return nil, false
			}
		}
		sum.Add(sum, new(big.Int).Mul(t.c, x))
	}
	return sum, true
}

// fixValues adds lemmas for the current values: if a = v, then a·b = v·b. It returns false if none excludes the
// candidate.
func (s *search) fixValues() bool {
	n := len(s.p.clauses)
	wrong := -1
	for i, m := range s.p.products {
		if s.wrongProduct(m) && (wrong < 0 || s.p.vars[m.a].uniform && !s.p.vars[s.p.products[wrong].a].uniform) {
			wrong = i
		}
	}
	if wrong >= 0 {
		m := s.p.products[wrong]
		a := m.a
		b := m.b
		if !s.p.vars[a].uniform && s.p.vars[b].uniform {
			a, b = b, a
		}
		s.fixFactor(m.m, a, b)
	}
	for i := range s.p.opaques {
		s.fixOpaque(int32(i))
	}
	return len(s.p.clauses) > n
}

// wrongProduct reports whether the candidate's value of a product variable differs from the product of its factors'
// values.
func (s *search) wrongProduct(m product) bool {
	x, ok1 := s.integerValue(m.m)
	a, ok2 := s.integerValue(m.a)
	b, ok3 := s.integerValue(m.b)
	return ok1 && ok2 && ok3 && new(big.Int).Mul(a, b).Cmp(x) != 0
}

// fixFactor adds the lemma m = v·b if a = v, for the candidate's value v of a.
func (s *search) fixFactor(m, a, b int32) {
	v, ok := s.integerValue(a)
	if !ok || v.CmpAbs(big.NewInt(maxCoef)) >= 0 {
		return
	}
	s.wants = append(s.wants, lit{a, true, v.Int64()}, lit{a, false, v.Int64()})
	s.lemma(fixed{m, a, b, v})
}

// fixOpaque adds the lemma z = f(x, y) for the values of x and y, if the candidate's z differs.
func (s *search) fixOpaque(i int32) {
	o := &s.p.opaques[i]
	z, ok1 := s.integerValue(o.z)
	x, ok2 := s.polyValue(o.x)
	y, ok3 := s.polyValue(o.y)
	if !ok1 || !ok2 || !ok3 {
		return
	}
	want := o.f(x, y)
	if want == nil || want.Cmp(z) == 0 {
		return
	}
	s.lemma(evaluated{i, x, y})
}
