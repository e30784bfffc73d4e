// A problem: clauses of bounds on integer variables, some of which are linear forms or products of others.

package solve

import (
	"encoding/binary"
	"math/big"
)

// lit is a literal, a bound on a variable: v ≤ c if up, else v ≥ c.
type lit struct {
	v  int32
	up bool
	c  int64
}

// not returns the negation.
func (l lit) not() lit {
	if l.up {
		return lit{l.v, false, l.c + 1}
	}
	return lit{l.v, true, l.c - 1}
}

// variable is a variable of a problem.
type variable struct {
	lo, hi  int64 // -inf, inf: unbounded
	uniform bool
	aux     int32 // index of the definition of an auxiliary condition + 1, or 0
	defined bool  // it stands for a linear form
}

// linear is the constraint Σ cs·vs = 0. The first variable, with coefficient -1, stands for the form defined by the
// others.
type linear struct {
	vs []int32
	cs []int64
}

// product is the constraint m = a·b.
type product struct{ m, a, b int32 }

// opaque is the constraint z = f(x, y) for polynomials x and y; it is enforced only for the values of a candidate.
type opaque struct {
	z    int32
	x, y poly
	f    func(x, y *big.Int) *big.Int // returns nil where it is undefined
}

// clause is a disjunction. Its tag is the set of facts that it derives from.
type clause struct {
	lits []lit
	tag  uint64
}

// problem is the input of the search.
type problem struct {
	*monos
	vars     []variable
	clauses  []clause
	linears  []linear
	products []product
	opaques  []opaque
	auxes    [][]int32        // the clauses that define an auxiliary condition
	forms    map[string]int32 // the variable that stands for a linear form
	monoVar  map[mono]int32
	lost     bool // something could not be represented and was omitted
	lemmas   map[string]bool
	pending  []poly // equations whose lemmas have not been added yet

	literalCount int // of all clauses

	inequalities []poly // inequalities of the query that may be multiplied by a factor
}

// Limits of a problem: the number of linear forms, of entries of a tableau over them (16 bytes each), and of literals.
// Linear forms beyond the first limit are omitted; a problem beyond the other limits is not decided.
const (
	maxForms    = 1500
	maxEntries  = 4_000_000
	maxLiterals = 1_000_000
)

// tooLarge reports whether a problem exceeds a limit.
func (p *problem) tooLarge() bool {
	return len(p.vars)*len(p.linears) > maxEntries || p.literalCount > maxLiterals
}

// newProblem returns a problem without variables.
func newProblem() *problem {
	return &problem{
		monos: newMonos(), forms: make(map[string]int32), monoVar: make(map[mono]int32),
		lemmas: make(map[string]bool),
	}
}

// newVar adds a variable.
func (p *problem) newVar(lo, hi int64, uniform bool) int32 {
	p.vars = append(p.vars, variable{lo: lo, hi: hi, uniform: uniform})
	return int32(len(p.vars) - 1)
}

// bound returns a bound as int64, or none beyond the limit.
func bound(b *big.Int, none int64) int64 {
	if b == nil || b.CmpAbs(big.NewInt(limit)) >= 0 {
		return none
	}
	return b.Int64()
}

// varPoly returns a variable as a polynomial.
func (p *problem) varPoly(v int32) poly { return poly{{p.of([]int32{v}), bigOne}} }

// variableOf returns the variable that stands for a monomial. At its first use it is defined as the product of the
// first variable and the rest.
func (p *problem) variableOf(m mono) int32 {
	vs := p.list[m]
	if len(vs) == 1 {
		return vs[0]
	}
	if v, ok := p.monoVar[m]; ok {
		return v
	}
	a, b := vs[0], p.variableOf(p.of(vs[1:]))
	x, y := &p.vars[a], &p.vars[b]
	lo, hi := productBounds(x.lo, x.hi, y.lo, y.hi)
	if a == b {
		lo = max(lo, 0)
	}
	v := p.newVar(lo, hi, x.uniform && y.uniform)
	p.monoVar[m] = v
	p.products = append(p.products, product{v, a, b})
	p.productLemmas(v, a, b)
	return v
}

// productBounds returns bounds of a product.
func productBounds(alo, ahi, blo, bhi int64) (lo, hi int64) {
	if alo == -inf || ahi == inf || blo == -inf || bhi == inf {
		if alo >= 0 && blo >= 0 {
			return product128(alo, blo).clamp(), inf
		}
		return -inf, inf
	}
	w := product128(alo, blo)
	lw, hw := w, w
	for _, x := range []wide{product128(alo, bhi), product128(ahi, blo), product128(ahi, bhi)} {
		if x.sub(lw).negative() {
			lw = x
		}
		if hw.sub(x).negative() {
			hw = x
		}
	}
	return lw.clamp(), hw.clamp()
}

// truth is the truth value of a literal as far as the ranges decide it at its creation.
type truth uint8

const (
	open truth = iota
	always
	never
)

// form returns the variable that stands for the terms of a polynomial, its constant k, and the factor g with poly =
// g·variable + k; false if the terms cannot be represented. For a constant g is 0.
func (p *problem) form(q poly) (v int32, g, k *big.Int, ok bool) {
	n, k := q, new(big.Int)
	if len(q) > 0 && q[0].m == 0 {
		n, k = q[1:], q[0].c
	}
	if len(n) == 0 {
		return 0, new(big.Int), k, true
	}
	g = new(big.Int)
	for _, t := range n {
		g.GCD(nil, nil, g, new(big.Int).Abs(t.c))
	}
	if n[0].c.Sign() < 0 {
		g.Neg(g)
	}
	if len(n) == 1 {
		return p.variableOf(n[0].m), g, k, true
	}
	lin := linear{vs: []int32{0}, cs: []int64{-1}}
	var key []byte
	uniform := true
	for _, t := range n {
		c := new(big.Int).Quo(t.c, g)
		if c.CmpAbs(big.NewInt(maxCoef)) >= 0 {
			p.lost = true
			return 0, nil, nil, false
		}
		w := p.variableOf(t.m)
		uniform = uniform && p.vars[w].uniform
		lin.vs, lin.cs = append(lin.vs, w), append(lin.cs, c.Int64())
		key = binary.AppendVarint(binary.AppendVarint(key, int64(w)), c.Int64())
	}
	v, known := p.forms[string(key)]
	if !known && len(p.linears) >= maxForms {
		p.lost = true
		return 0, nil, nil, false
	}
	if !known {
		lo, hi := p.linearBounds(lin)
		v = p.newVar(lo, hi, uniform)
		p.vars[v].defined = true
		lin.vs[0] = v
		p.forms[string(key)] = v
		p.linears = append(p.linears, lin)
	}
	return v, g, k, true
}

// linearBounds returns bounds of the sum of the terms after the first.
func (p *problem) linearBounds(lin linear) (lo, hi int64) {
	var slo, shi wide
	nlo, nhi := false, false
	for i, v := range lin.vs[1:] {
		c := lin.cs[i+1]
		l, h := p.vars[v].lo, p.vars[v].hi
		if c < 0 {
			l, h = h, l
		}
		nlo, nhi = nlo || l == inf || l == -inf, nhi || h == inf || h == -inf
		slo, shi = slo.add(product128(c, l)), shi.add(product128(c, h))
	}
	lo, hi = slo.clamp(), shi.clamp()
	if nlo {
		lo = -inf
	}
	if nhi {
		hi = inf
	}
	return lo, hi
}

// le returns the literal q ≤ 0. It returns true for what cannot be represented.
func (p *problem) le(q poly) (lit, truth) {
	v, g, k, ok := p.form(q)
	if !ok {
		return lit{}, always
	}
	if g.Sign() == 0 {
		if k.Sign() <= 0 {
			return lit{}, always
		}
		return lit{}, never
	}
	// g·v ≤ -k
	m := new(big.Int).Neg(k)
	if g.Sign() > 0 {
		m.Div(m, g)
		return p.literal(v, true, m)
	}
	h := new(big.Int).Neg(g) // v ≥ k/h rounded up
	m.Div(m, h).Neg(m)
	return p.literal(v, false, m)
}

// literal returns a bound on a variable as a literal, or its truth if the range decides it.
func (p *problem) literal(v int32, up bool, c *big.Int) (lit, truth) {
	x := &p.vars[v]
	far := c.CmpAbs(big.NewInt(limit)) >= 0
	switch {
	case far && (c.Sign() > 0) == up: // it can only fail beyond the limit
		return lit{}, always
	case far && x.hi != inf && x.lo != -inf:
		return lit{}, never
	case far:
		p.lost = true
		return lit{}, always
	}
	l := lit{v, up, c.Int64()}
	switch {
	case up && x.hi <= l.c || !up && x.lo >= l.c:
		return lit{}, always
	case up && x.lo > l.c || !up && x.hi < l.c:
		return lit{}, never
	}
	return l, open
}

// lemma adds a disjunction of formulas that is always true.
func (p *problem) lemma(fs ...formula) { p.addFormula(anyOf(fs...), 0) }
