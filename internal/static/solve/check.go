// The check of proofs over bounds: each step is followed, nothing is searched. It shares the translation of formulas
// with the search, and none of its arithmetic.

package solve

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// Check reports why a proof does not show that no values satisfy all formulas; nil if it does.
func Check(fs []*expr.Bool, p *Proof) error {
	switch p.Method {
	case Bits:
		return checkBits(fs, p)
	case Parity:
		return checkParity(fs)
	}
	if p.Method != Bounds {
		return fmt.Errorf("unknown method %q", p.Method)
	}
	r, err := p.parse()
	if err != nil {
		return err
	}
	a := newAttempt(Query{Goal: fs}, DefaultBudget, true)
	a.translate(context.Background(), nil)
	if a.t.tooLarge() {
		return errors.New("the formulas are too large")
	}
	c := &checker{p: a.t.problem, rows: r.rows, learned: make(map[int32][]lit), defined: make(map[int32]int32)}
	c.sync()
	for i := range r.steps {
		done, err := c.follow(&r.steps[i])
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		if done {
			return nil
		}
	}
	return errors.New("the steps do not end in a contradiction")
}

// checker follows the steps of a proof.
type checker struct {
	p       *problem
	rows    []row
	lo, hi  []int64
	learned map[int32][]lit
	defined map[int32]int32 // by variable: the linear constraint that defines it
	linears int             // number of those in defined
	undo    []restored      // bounds to restore after a learned clause
}

// restored is a former bound.
type restored struct {
	v   int32
	up  bool
	was int64
}

// sync adds what the last lemma has added to the problem.
func (c *checker) sync() {
	for v := len(c.lo); v < len(c.p.vars); v++ {
		c.lo, c.hi = append(c.lo, c.p.vars[v].lo), append(c.hi, c.p.vars[v].hi)
	}
	for ; c.linears < len(c.p.linears); c.linears++ {
		c.defined[c.p.linears[c.linears].vs[0]] = int32(c.linears)
	}
}

// follow follows a step; done says that it has shown the contradiction.
func (c *checker) follow(s *step) (done bool, err error) {
	switch {
	case s.lemma != nil:
		if !s.lemma.valid(c.p) {
			return false, errors.New("the lemma is about something that the formulas do not have")
		}
		s.lemma.add(c.p)
		if c.p.tooLarge() {
			return false, errors.New("the lemmas are too large")
		}
		c.sync()
		return false, nil
	case s.id == 0:
		return c.apply(s.chain)
	}
	for _, l := range s.lits {
		if int(l.v) >= len(c.lo) {
			return false, fmt.Errorf("there is no variable %d", l.v)
		}
	}
	conflict := false
	c.undo = c.undo[:0]
	for _, l := range s.lits {
		conflict = c.set(l.not()) || conflict
	}
	if !conflict {
		conflict, err = c.apply(s.chain)
	}
	for i := len(c.undo) - 1; i >= 0; i-- {
		if u := c.undo[i]; u.up {
			c.hi[u.v] = u.was
		} else {
			c.lo[u.v] = u.was
		}
	}
	if err == nil && !conflict {
		err = errors.New("the constraints do not contradict the negation of the clause")
	}
	c.learned[s.id] = s.lits
	return false, err
}

// apply applies constraints until one contradicts the bounds.
func (c *checker) apply(chain []cause) (conflict bool, err error) {
	for _, x := range chain {
		if conflict, err = c.constraint(x); conflict || err != nil {
			return conflict, err
		}
	}
	return false, nil
}

// constraint applies a constraint.
func (c *checker) constraint(x cause) (conflict bool, err error) {
	switch x.kind {
	case byClause:
		if int(x.at) < len(c.p.clauses) {
			return c.clause(c.p.clauses[x.at].lits), nil
		}
	case byLearned:
		if lits, ok := c.learned[x.at]; ok {
			return c.clause(lits), nil
		}
	case byLinear:
		if int(x.at) < len(c.p.linears) {
			var terms row
			for i, v := range c.p.linears[x.at].vs {
				terms = append(terms, term{v, big.NewInt(c.p.linears[x.at].cs[i])})
			}
			return c.linear(terms), nil
		}
	case byProduct:
		if int(x.at) < len(c.p.products) {
			return c.product(c.p.products[x.at]), nil
		}
	case byRow:
		if err := c.follows(c.rows[x.at]); err != nil {
			return false, err
		}
		return c.linear(c.rows[x.at]), nil
	}
	return false, fmt.Errorf("there is no constraint %c%d", letters[x.kind], x.at)
}

// clause applies a disjunction: if one literal is left, it holds.
func (c *checker) clause(lits []lit) (conflict bool) {
	open := 0
	var last lit
	for _, l := range lits {
		if l.up && c.lo[l.v] <= l.c || !l.up && c.hi[l.v] >= l.c {
			open, last = open+1, l
		}
	}
	return open == 0 || open == 1 && c.set(last)
}

// set makes a literal true; it reports a contradiction.
func (c *checker) set(l lit) (conflict bool) {
	if l.up {
		if l.c < c.hi[l.v] {
			c.undo = append(c.undo, restored{l.v, true, c.hi[l.v]})
			c.hi[l.v] = l.c
		}
	} else if l.c > c.lo[l.v] {
		c.undo = append(c.undo, restored{l.v, false, c.lo[l.v]})
		c.lo[l.v] = l.c
	}
	return c.lo[l.v] > c.hi[l.v]
}

// limitTo makes x the greatest or least value of a variable, as far as bounds represent it.
func (c *checker) limitTo(v int32, up bool, x *big.Int) (conflict bool) {
	other := c.hi[v]
	if up {
		other = c.lo[v]
	}
	if k := big.NewInt(other); other != inf && other != -inf && (up && x.Cmp(k) < 0 || !up && x.Cmp(k) > 0) {
		return true
	}
	return x.CmpAbs(big.NewInt(inf)) < 0 && c.set(lit{v, up, x.Int64()})
}

// linear applies Σ c·v = 0 to the bounds of each variable.
func (c *checker) linear(terms row) (conflict bool) {
	for _, up := range []bool{true, false} { // the least, then the greatest sum of the others bounds each term
		sum, open := new(big.Int), -1
		unbounded := 0
		for i, t := range terms {
			if x := c.extreme(t, !up); x != nil {
				sum.Add(sum, x)
			} else {
				unbounded, open = unbounded+1, i
			}
		}
		for i, t := range terms {
			if unbounded > 1 || unbounded == 1 && i != open {
				continue
			}
			rest := new(big.Int).Neg(sum)
			if unbounded == 0 {
				rest.Add(rest, c.extreme(t, !up))
			}
			// c·v ≤ rest if up, else c·v ≥ rest
			if t.c.Sign() > 0 == up {
				rest = floorDiv(rest, t.c)
			} else {
				rest = rest.Neg(floorDiv(rest.Neg(rest), t.c))
			}
			before := len(c.undo)
			if c.limitTo(t.v, up == (t.c.Sign() > 0), rest) {
				return true
			}
			if len(c.undo) > before && unbounded == 0 { // the sum counts the bound as it was
				sum = c.least(terms, !up)
			}
		}
	}
	return false
}

// least returns the least or greatest sum of terms, all of which are bounded.
func (c *checker) least(terms row, greatest bool) *big.Int {
	sum := new(big.Int)
	for _, t := range terms {
		sum.Add(sum, c.extreme(t, greatest))
	}
	return sum
}

// extreme returns the least or greatest value of a term, nil if it has none.
func (c *checker) extreme(t term, greatest bool) *big.Int {
	b := c.lo[t.v]
	if greatest == (t.c.Sign() > 0) {
		b = c.hi[t.v]
	}
	if b == inf || b == -inf {
		return nil
	}
	return new(big.Int).Mul(t.c, big.NewInt(b))
}

// floorDiv returns x/d rounded down.
func floorDiv(x, d *big.Int) *big.Int {
	if d.Sign() < 0 {
		x, d = new(big.Int).Neg(x), new(big.Int).Neg(d)
	}
	return new(big.Int).Div(x, d) // Euclidean, which rounds down for d > 0
}

// follows reports an error unless a linear form is 0 by the definitions of its variables.
func (c *checker) follows(terms row) error {
	sum := make(map[int32]*big.Int)
	add := func(v int32, k *big.Int) {
		if sum[v] == nil {
			sum[v] = new(big.Int)
		}
		sum[v].Add(sum[v], k)
	}
	top := int32(-1)
	for _, t := range terms {
		if int(t.v) >= len(c.lo) || t.c.Sign() == 0 {
			return fmt.Errorf("a linear form has no term %d*%d", t.v, t.c)
		}
		add(t.v, t.c)
		top = max(top, t.v)
	}
	for v := top; v >= 0; v-- { // a variable is defined by earlier ones
		k := sum[v]
		if k == nil || k.Sign() == 0 {
			continue
		}
		at, ok := c.defined[v]
		if !ok {
			return errors.New("a linear form does not follow from the definitions")
		}
		l := &c.p.linears[at]
		for i, w := range l.vs[1:] {
			if w >= v {
				return errors.New("a definition of a later variable")
			}
			add(w, new(big.Int).Mul(k, big.NewInt(l.cs[i+1])))
		}
	}
	return nil
}

// product applies m = a·b to the bounds of m, and to those of a factor if the other one does not change its sign.
func (c *checker) product(m product) (conflict bool) {
	lo, hi := productBounds(c.lo[m.a], c.hi[m.a], c.lo[m.b], c.hi[m.b])
	if m.a == m.b {
		lo = max(lo, 0)
	}
	if lo > -inf && lo < inf && c.set(lit{m.m, false, lo}) || hi > -inf && hi < inf && c.set(lit{m.m, true, hi}) {
		return true
	}
	return c.factor(m.m, m.a, m.b) || c.factor(m.m, m.b, m.a)
}

// factor applies m = a·b to the bounds of a.
func (c *checker) factor(m, a, b int32) (conflict bool) {
	blo, bhi, mlo, mhi := c.lo[b], c.hi[b], c.lo[m], c.hi[m]
	if blo <= 0 && bhi >= 0 {
		return false
	}
	if bhi < 0 { // a·(-b) = -m
		blo, bhi, mlo, mhi = -bhi, -blo, -mhi, -mlo
	}
	d := blo
	if mhi < 0 {
		d = bhi
	}
	if mhi != inf && d != inf && c.limitTo(a, true, floorDiv(big.NewInt(mhi), big.NewInt(d))) {
		return true
	}
	if d = blo; mlo > 0 {
		d = bhi
	}
	if mlo == -inf || d == inf {
		return false
	}
	up := floorDiv(big.NewInt(-mlo), big.NewInt(d))
	return c.limitTo(a, false, up.Neg(up))
}
