// Translation of formulas of package expr to a problem: polynomials, with fresh variables for other operations.

package solve

import (
	"context"
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// translator builds a problem from the formulas of a query.
type translator struct {
	*problem
	ints     map[string]int32 // variables of the problem by name in the query
	bools    map[string]int32
	subst    map[string]substitute
	memo     map[uint64][]translated // by hash
	tag      uint64                  // the facts of the substitutions used in the current formula
	quots    map[string]quotient
	byDiv    map[string][]quotient // divisions by a constant, for monotonicity
	others   map[string]poly       // results of other operations
	stated   []bounded             // bounds stated by the query
	rests    map[int32]poly        // by remainder variable r of a division by a constant: x - d·q
	partners map[string][]partner  // bitwise operations by their second operand
	ands     []conjunction         // the bitwise conjunctions, in the order of translation
	powers   []poly                // the powers of two with variable exponents
	ctx      context.Context
}

// full reports whether the problem does not grow any more: it is too large, or the context has ended.
func (t *translator) full() bool { return t.tooLarge() || t.ctx.Err() != nil }

// substitute is the expression that a variable equals according to a conjunct of the query.
type substitute struct {
	x   *expr.Int
	tag uint64
}

// translated is an expression and its polynomial, with the facts it depends on.
type translated struct {
	x   *expr.Int
	p   poly
	tag uint64
}

// newTranslator returns a translator with an empty problem.
func newTranslator(ctx context.Context) *translator {
	return &translator{
		problem: newProblem(), ctx: ctx,
		ints: make(map[string]int32), bools: make(map[string]int32),
		subst: make(map[string]substitute), memo: make(map[uint64][]translated),
		quots: make(map[string]quotient), byDiv: make(map[string][]quotient), others: make(map[string]poly),
		partners: make(map[string][]partner), rests: make(map[int32]poly),
	}
}

// tagged is a conjunct of the query, with the bit of the fact that it belongs to.
type tagged struct {
	f   *expr.Bool
	tag uint64
}

// conjuncts splits conjunctions.
func conjuncts(fs []tagged) []tagged {
	var flat []tagged
	for _, t := range fs {
		if t.f.Kind() != expr.KindAll {
			flat = append(flat, t)
			continue
		}
		for _, part := range t.f.Parts() {
			flat = append(flat, conjuncts([]tagged{{part, t.tag}})...)
		}
	}
	return flat
}

// translate builds the problem of a conjunction.
func (t *translator) translate(fs []tagged) {
	fs = conjuncts(fs)
	t.collectSubstitutes(fs)
	t.collectBounds(fs)
	for _, f := range fs {
		t.tag = 0
		g := t.formula(f.f)
		t.addFormula(g, f.tag|t.tag)
		if t.full() {
			return
		}
	}
	t.masks()
	t.assertRanges(fs)
	for len(t.pending) > 0 && !t.full() {
		q := t.pending[0]
		t.pending = t.pending[1:]
		t.radix(q, 0)
	}
}

// collectSubstitutes finds equations between a variable and a constant or another variable.
func (t *translator) collectSubstitutes(fs []tagged) {
	for _, f := range fs {
		if f.f.Kind() != expr.KindEq {
			continue
		}
		k, terms := f.f.Diff().Linear()
		switch {
		case len(terms) == 1:
			t.substitute(terms[0], expr.Big(new(big.Int).Neg(k)), f.tag)
		case len(terms) == 2 && k.Sign() == 0 && terms[1].X.Op() == expr.OpVar &&
			new(big.Int).Add(terms[0].Coef, terms[1].Coef).Sign() == 0:
			t.substitute(terms[0], terms[1].X, f.tag)
		}
	}
}

// substitute records that ±1 times the variable of a term equals x.
func (t *translator) substitute(term expr.Term, x *expr.Int, tag uint64) {
	if term.X.Op() != expr.OpVar || !term.Coef.IsInt64() {
		return
	}
	if term.Coef.Int64() == -1 && x.Op() == expr.OpConst {
		x = expr.Neg(x)
	} else if c := term.Coef.Int64(); c != 1 && c != -1 {
		return
	}
	a, atag := t.resolve(term.X)
	b, btag := t.resolve(x)
	if a.Op() != expr.OpVar {
		a, b = b, a
	}
	if a.Op() != expr.OpVar || a.Equal(b) {
		return
	}
	if b.Op() == expr.OpVar && a.Uniform() && !b.Uniform() { // keep the uniform variable
		a, b = b, a
	}
	t.subst[a.Variable().Name] = substitute{b, tag | atag | btag}
}

// resolve returns the substitute of a variable, and the facts of the substitution.
func (t *translator) resolve(x *expr.Int) (*expr.Int, uint64) {
	var tag uint64
	for x.Op() == expr.OpVar {
		s, ok := t.subst[x.Variable().Name]
		if !ok {
			break
		}
		x, tag = s.x, tag|s.tag
	}
	return x, tag
}

// assertRanges asserts the ranges of substituted variables for their substitutes, and all ranges of variables that
// occur with several.
func (t *translator) assertRanges(fs []tagged) {
	bs := make([]*expr.Bool, len(fs))
	for i, f := range fs {
		bs[i] = f.f
	}
	for _, v := range expr.Vars(nil, bs) {
		if v.Bool {
			continue
		}
		t.tag = 0
		q := t.varOf(&v)
		if v.Lo != nil {
			t.addFormula(t.geq(q.sub(constPoly(v.Lo))), t.tag)
		}
		if v.Hi != nil {
			t.addFormula(t.leq(q.sub(constPoly(v.Hi))), t.tag)
		}
	}
}

// varOf returns the polynomial of a variable of the query.
func (t *translator) varOf(v *expr.Variable) poly {
	x, tag := t.resolve(expr.NewVar(*v))
	t.tag |= tag
	if k, ok := x.Const(); ok {
		return constPoly(k)
	}
	v = x.Variable()
	id, ok := t.ints[v.Name]
	if !ok {
		id = t.newVar(bound(v.Lo, -inf), bound(v.Hi, inf), v.Uniform)
		t.ints[v.Name] = id
	}
	return t.varPoly(id)
}

// formula translates a condition.
func (t *translator) formula(f *expr.Bool) formula {
	switch f.Kind() {
	case expr.KindConst:
		if v, _ := f.Const(); v {
			return trueFormula
		}
		return falseFormula
	case expr.KindVar:
		return t.boolVar(f)
	case expr.KindAll, expr.KindAny:
		parts := make([]formula, len(f.Parts()))
		for i, part := range f.Parts() {
			parts[i] = t.formula(part)
		}
		return connect(f.Kind() == expr.KindAll, parts)
	case expr.KindEq, expr.KindNe, expr.KindLe:
		q, ok := t.poly(f.Diff())
		if !ok {
			t.lost = true
			return trueFormula
		}
		return t.comparison(f.Kind(), q)
	}
	t.lost = true // Maybe
	return trueFormula
}

// comparison returns q = 0, q ≠ 0 or q ≤ 0.
func (t *translator) comparison(kind expr.BoolKind, q poly) formula {
	switch kind {
	case expr.KindLe:
		t.inequalities = append(t.inequalities, q)
		return t.leq(q)
	case expr.KindNe:
		return t.nonzero(q)
	}
	n, ok := q.normal()
	if !ok {
		return falseFormula
	}
	t.pending = append(t.pending, n)
	if e, ok := t.expanded(n).normal(); ok && len(e) <= maxTerms {
		t.pending = append(t.pending, e)
	}
	t.inequalities = append(t.inequalities, n, n.neg())
	return t.zero(n)
}

// expanded returns a polynomial with remainders r of constant divisors replaced by x - d·q, which exposes congruences.
func (t *translator) expanded(q poly) poly {
	e := q
	for _, x := range q {
		if vs := t.list[x.m]; len(vs) == 1 && t.rests[vs[0]] != nil {
			e = e.addScaled(x.c, t.rests[vs[0]]).addScaled(new(big.Int).Neg(x.c), t.varPoly(vs[0]))
		}
	}
	return e
}

// boolVar returns the literal of a boolean variable.
func (t *translator) boolVar(f *expr.Bool) formula {
	v, negated := f.Variable()
	id, ok := t.bools[v.Name]
	if !ok {
		id = t.newVar(0, 1, v.Uniform)
		t.bools[v.Name] = id
	}
	if negated {
		return formula{lit: lit{id, true, 0}}
	}
	return formula{lit: lit{id, false, 1}}
}

// poly translates an expression; it returns false when the result is too large or unknown.
func (t *translator) poly(x *expr.Int) (poly, bool) {
	for _, m := range t.memo[x.Hash()] {
		if m.x.Equal(x) {
			t.tag |= m.tag
			return m.p, true
		}
	}
	outer := t.tag
	t.tag = 0
	q, ok := t.compute(x)
	if ok && len(q) <= maxTerms {
		t.memo[x.Hash()] = append(t.memo[x.Hash()], translated{x, q, t.tag})
	}
	t.tag |= outer
	return q, ok && len(q) <= maxTerms
}

// compute is poly without memoization.
func (t *translator) compute(x *expr.Int) (poly, bool) {
	switch x.Op() {
	case expr.OpConst:
		k, _ := x.Const()
		return constPoly(k), true
	case expr.OpVar:
		return t.varOf(x.Variable()), true
	case expr.OpUnknown:
		return nil, false
	case expr.OpSum:
		k, terms := x.Linear()
		q := constPoly(k)
		for _, term := range terms {
			r, ok := t.poly(term.X)
			if !ok {
				return nil, false
			}
			q = q.addScaled(term.Coef, r)
		}
		return q, true
	}
	args := make([]poly, len(x.Args()))
	for i, a := range x.Args() {
		q, ok := t.poly(a)
		if !ok {
			return nil, false
		}
		args[i] = q
	}
	return t.operation(x, args)
}

// operation translates an operation on polynomials.
func (t *translator) operation(x *expr.Int, args []poly) (poly, bool) {
	switch x.Op() {
	case expr.OpMul:
		q := args[0]
		for _, r := range args[1:] {
			var ok bool
			if q, ok = t.mulPoly(q, r); !ok {
				return nil, false
			}
		}
		return q, true
	case expr.OpDiv:
		d, ok := t.divide(args[0], args[1])
		return d.q, ok
	case expr.OpRem:
		d, ok := t.divide(args[0], args[1])
		return d.r, ok
	case expr.OpMin, expr.OpMax:
		return t.extremum(x.Op() == expr.OpMin, args[0], args[1]), true
	case expr.OpIte:
		return t.choice(x, args[0], args[1]), true
	case expr.OpAnd, expr.OpOr, expr.OpXor:
		return t.bitwise(x.Op(), args[0], args[1]), true
	case expr.OpShl:
		p, ok := t.powerOf2(x.Args()[1], args[1])
		if !ok {
			return nil, false
		}
		return t.mulPoly(args[0], p)
	case expr.OpShr:
		p, ok := t.powerOf2(x.Args()[1], args[1])
		if !ok {
			return nil, false
		}
		d, ok := t.floorDivide(args[0], p)
		return d.q, ok
	}
	bits, signed := x.Width()
	if x.Op() != expr.OpWrap {
		return t.count(x, args[0]), true
	}
	return t.wrap(args[0], bits, signed)
}

// polyBounds returns bounds of a polynomial from the ranges of its variables.
func (t *translator) polyBounds(q poly) (lo, hi *big.Int) {
	lo, hi = new(big.Int), new(big.Int)
	for _, term := range q {
		a, b := int64(1), int64(1)
		if term.m != 0 {
			v := t.variableOf(term.m)
			a, b = t.vars[v].lo, t.vars[v].hi
		}
		if term.c.Sign() < 0 {
			a, b = b, a
		}
		lo, hi = addBound(lo, term.c, a), addBound(hi, term.c, b)
	}
	return lo, hi
}

// addBound returns sum + c·b; nil and the limits are infinite.
func addBound(sum, c *big.Int, b int64) *big.Int {
	if sum == nil || b == inf || b == -inf {
		return nil
	}
	return new(big.Int).Add(sum, new(big.Int).Mul(c, big.NewInt(b)))
}

// uniformPoly reports whether a polynomial has the same value in all threads.
func (t *translator) uniformPoly(q poly) bool {
	for _, term := range q {
		for _, v := range t.list[term.m] {
			if !t.vars[v].uniform {
				return false
			}
		}
	}
	return true
}

// fresh returns a new variable with the given range.
func (t *translator) fresh(lo, hi *big.Int, uniform bool) int32 {
	return t.newVar(bound(lo, -inf), bound(hi, inf), uniform)
}
