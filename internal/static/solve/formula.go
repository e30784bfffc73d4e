// Formulas over the literals of a problem, in negation normal form, and their conversion to clauses.

package solve

// formula is a literal, a truth value, or a conjunction or disjunction of formulas.
type formula struct {
	truth truth // of a constant; open for other formulas
	lit   lit
	parts []formula // operands of a connective
	all   bool      // it is a conjunction, else a disjunction
}

var (
	trueFormula  = formula{truth: always}
	falseFormula = formula{truth: never}
)

// connective reports whether f is a conjunction or disjunction.
func (f formula) connective() bool { return f.parts != nil }

// allOf returns a conjunction.
func allOf(fs ...formula) formula { return connect(true, fs) }

// anyOf returns a disjunction.
func anyOf(fs ...formula) formula { return connect(false, fs) }

// connect makes a conjunction or disjunction.
func connect(all bool, fs []formula) formula {
	neutral, absorbing := always, never
	if !all {
		neutral, absorbing = never, always
	}
	parts := make([]formula, 0, len(fs))
	for _, f := range fs {
		switch {
		case f.truth == absorbing:
			return f
		case f.truth == neutral:
		case f.connective() && f.all == all:
			parts = append(parts, f.parts...)
		default:
			parts = append(parts, f)
		}
	}
	switch len(parts) {
	case 0:
		return formula{truth: neutral}
	case 1:
		return parts[0]
	}
	return formula{parts: parts, all: all}
}

// leq returns q ≤ 0.
func (p *problem) leq(q poly) formula {
	l, t := p.le(q)
	return formula{truth: t, lit: l}
}

// geq returns q ≥ 0.
func (p *problem) geq(q poly) formula { return p.leq(q.neg()) }

// zero returns q = 0, nonzero q ≠ 0.
func (p *problem) zero(q poly) formula { return allOf(p.leq(q), p.geq(q)) }

func (p *problem) nonzero(q poly) formula { return anyOf(p.leq(q.plus(1)), p.geq(q.plus(-1))) }

// addFormula adds the clauses of a formula.
func (p *problem) addFormula(f formula, tag uint64) {
	switch {
	case f.truth == always:
	case f.connective() && f.all:
		for _, part := range f.parts {
			p.addFormula(part, tag)
		}
	default:
		p.addLiterals(p.literals(f), tag)
	}
}

// addLiterals adds a clause.
func (p *problem) addLiterals(lits []lit, tag uint64) {
	p.clauses = append(p.clauses, clause{lits, tag})
	p.literalCount += len(lits)
}

// literals returns a disjunction as literals, with an auxiliary variable for each conjunction.
func (p *problem) literals(f formula) []lit {
	switch {
	case f.truth == never:
		return nil
	case !f.connective():
		return []lit{f.lit}
	case f.all:
		return []lit{p.auxiliary(f)}
	}
	var lits []lit
	for _, part := range f.parts {
		lits = append(lits, p.literals(part)...)
	}
	return lits
}

// auxiliary returns the literal of a new variable that implies a conjunction.
func (p *problem) auxiliary(f formula) lit {
	v := p.newVar(0, 1, false)
	p.auxes = append(p.auxes, nil)
	n := len(p.auxes)
	p.vars[v].aux = int32(n)
	var defs []int32
	for _, part := range f.parts {
		lits := append([]lit{{v, true, 0}}, p.literals(part)...)
		p.addLiterals(lits, 0)
		defs = append(defs, int32(len(p.clauses)-1))
	}
	p.auxes[n-1] = defs
	return lit{v, false, 1}
}
