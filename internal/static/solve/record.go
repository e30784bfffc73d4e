// Records of a search: what a proof consists of, so that [Check] can follow it without a search.

package solve

import "math/big"

// causeKind is the kind of a constraint that changes bounds.
type causeKind uint8

// The kinds of causes. The zero value is a decision.
const (
	byDecision causeKind = iota
	byClause             // of the problem
	byLearned            // a learned clause
	byLinear             // a linear constraint of the problem
	byProduct            // a product of the problem
	byRow                // a linear constraint that follows from those of the problem
)

// cause is a constraint by its kind and its number among those of the kind.
type cause struct {
	kind causeKind
	at   int32
}

// term is a term of a row.
type term struct {
	v int32
	c *big.Int
}

// row is the constraint that the sum of the terms is 0.
type row []term

// lemma is a disjunction that is always true, and that refinement adds to a problem.
type lemma interface {
	// valid reports whether the variables and constraints that it speaks of exist.
	valid(p *problem) bool
	add(p *problem)
}

// step is a step of a record: a lemma, constraints that hold without decisions, or a learned clause with the
// constraints that contradict its negation.
type step struct {
	lemma lemma
	id    int32 // of a learned clause, from 1 on; 0 for other steps
	lits  []lit
	chain []cause
}

// record is the record of a search. Nil records nothing.
type record struct {
	steps   []step
	rows    []row
	learnt  int32
	clauses [][]blit // learned by the Boolean solver
}

// always records a constraint that changes bounds without decisions.
func (r *record) always(by cause) {
	if r == nil {
		return
	}
	if n := len(r.steps); n > 0 && r.steps[n-1].id == 0 && r.steps[n-1].lemma == nil {
		r.steps[n-1].chain = append(r.steps[n-1].chain, by)
		return
	}
	r.steps = append(r.steps, step{chain: []cause{by}})
}

// learned records a learned clause, and returns it as a cause.
func (r *record) learned(l learned) cause {
	if r == nil {
		return cause{}
	}
	r.learnt++
	lits := append([]lit{}, l.lits...) // propagation reorders those of the clause
	r.steps = append(r.steps, step{id: r.learnt, lits: lits, chain: l.chain})
	return cause{byLearned, r.learnt}
}

// refined records a lemma.
func (r *record) refined(l lemma) {
	if r != nil {
		r.steps = append(r.steps, step{lemma: l})
	}
}

// row records the row of a basic variable, with whole coefficients.
func (r *record) row(t *tableau, basic int32) cause {
	scale := big.NewInt(1)
	for _, k := range t.row[basic] {
		if d := t.value(k).Denom(); !k.isZero() {
			g := new(big.Int).GCD(nil, nil, scale, d)
			scale.Mul(scale, new(big.Int).Quo(d, g))
		}
	}
	out := row{{basic, new(big.Int).Neg(scale)}}
	for v, k := range t.row[basic] {
		if !k.isZero() {
			q := t.value(k)
			c := new(big.Int).Mul(q.Num(), new(big.Int).Quo(scale, q.Denom()))
			out = append(out, term{int32(v), c})
		}
	}
	r.rows = append(r.rows, out)
	return cause{byRow, int32(len(r.rows) - 1)}
}

// bits records a clause that the Boolean solver learned.
func (r *record) bits(c []blit) {
	if r != nil {
		r.clauses = append(r.clauses, append([]blit{}, c...))
	}
}

// trim drops the learned clauses that no later step uses.
func (r *record) trim() {
	used := make(map[int32]bool)
	kept := len(r.steps)
	for i := len(r.steps) - 1; i >= 0; i-- {
		s := r.steps[i]
		if s.id > 0 && !used[s.id] {
			continue
		}
		for _, c := range s.chain {
			if c.kind == byLearned {
				used[c.at] = true
			}
		}
		kept--
		r.steps[kept] = s
	}
	r.steps = r.steps[kept:]
}

// multiplied is the lemma of a factor f ≥ 0 and an inequality q ≤ 0 of the problem: f·q ≤ 0.
type multiplied struct{ f, q int32 }

func (l multiplied) valid(p *problem) bool {
	return l.f >= 0 && int(l.f) < len(p.vars) && l.q >= 0 && int(l.q) < len(p.inequalities)
}

func (l multiplied) add(p *problem) {
	q := p.inequalities[l.q]
	if fq, ok := p.times(l.f, q); ok {
		p.lemma(p.geq(q.plus(-1)), p.leq(p.varPoly(l.f).plus(1)), p.leq(fq))
	}
}

// fixed is the lemma of a product m = a·b for a value: if a is the value, m is the value times b.
type fixed struct {
	m, a, b int32
	value   *big.Int
}

func (l fixed) valid(p *problem) bool {
	for _, x := range p.products {
		if x.m == l.m && (x.a == l.a && x.b == l.b || x.a == l.b && x.b == l.a) {
			return l.value.CmpAbs(big.NewInt(maxCoef)) < 0
		}
	}
	return false
}

func (l fixed) add(p *problem) {
	pm, pb := p.varPoly(l.m), p.varPoly(l.b)
	p.lemma(p.nonzero(p.varPoly(l.a).sub(constPoly(l.value))), p.zero(pm.addScaled(new(big.Int).Neg(l.value), pb)))
}

// evaluated is the lemma of an opaque operation for values of its operands.
type evaluated struct {
	opaque int32
	x, y   *big.Int
}

func (l evaluated) valid(p *problem) bool {
	return l.opaque >= 0 && int(l.opaque) < len(p.opaques) && l.x.BitLen() <= maxOperandBits &&
		l.y.BitLen() <= maxOperandBits &&
		p.opaques[l.opaque].f(l.x, l.y) != nil
}

// maxOperandBits limits the operands of a lemma, which come out of a file.
const maxOperandBits = 4096

func (l evaluated) add(p *problem) {
	o := &p.opaques[l.opaque]
	is := o.f(l.x, l.y)
	p.lemma(p.nonzero(o.x.sub(constPoly(l.x))), p.nonzero(o.y.sub(constPoly(l.y))),
		p.zero(p.varPoly(o.z).sub(constPoly(is))))
}
