// The search: conflict-driven, with bounds as literals and the linear relaxation as theory.

package solve

import (
	"context"
	"math/big"
)

// status is the outcome of a search.
type status uint8

const (
	gaveUp status = iota // out of budget, or nothing left to try
	noneExists
	found
)

// search decides a problem.
type search struct {
	*propagator
	tab     *tableau
	ctx     context.Context
	err     error
	budget  int64
	tag     uint64 // with noneExists: the facts that were used
	refined int
	wants   []lit // literals to decide first, set by refinement
	nextCtx int64
}

// newSearch returns a search of a problem within a budget of work units.
func newSearch(ctx context.Context, p *problem, budget int64) *search {
	s := &search{propagator: newPropagator(p), ctx: ctx, budget: budget}
	s.tab = newTableau(&s.trail)
	return s
}

// run searches until no values can exist, accept accepts a candidate, or the budget ends. accept returns ok for a
// candidate that it accepts; otherwise it has refined the problem, or returns stop if it cannot.
func (s *search) run(accept func(s *search) (ok, stop bool)) status {
	if !s.enter() {
		return noneExists
	}
	for {
		if s.exhausted() {
			return gaveUp
		}
		clear(s.visits)
		if !s.propagate() || !s.relax() {
			if !s.backjump() {
				return noneExists
			}
			continue
		}
		if s.exhausted() { // the relaxation was not completed
			return gaveUp
		}
		if l, open := s.wanted(); open {
			s.decide(l)
			continue
		}
		if l, open := s.choose(); open {
			s.decide(l)
			continue
		}
		ok, stop := accept(s)
		if ok {
			return found
		}
		if stop {
			return gaveUp
		}
		if !s.resume() {
			return noneExists
		}
	}
}

// wanted returns the next unassigned literal that refinement wants to be decided, if any.
func (s *search) wanted() (lit, bool) {
	for len(s.wants) > 0 {
		l := s.wants[0]
		s.wants = s.wants[1:]
		if !s.holds(l) && !s.fails(l) {
			return l, true
		}
	}
	return lit{}, false
}

// resume continues after a refinement with the current decisions, unless a new clause holds at level 0. It returns
// false on a contradiction.
func (s *search) resume() bool {
	for _, c := range s.p.clauses[s.unitsDone:] {
		if len(c.lits) < 2 {
			s.rewind(0)
			break
		}
	}
	if s.enter() {
		return true
	}
	return s.level > 0 && s.backjump()
}

// exhausted reports whether the budget is spent or the context has ended.
func (s *search) exhausted() bool {
	if s.work >= s.nextCtx {
		s.nextCtx = s.work + lookAfter
		if s.err = s.ctx.Err(); s.err != nil {
			return true
		}
	}
	return s.err != nil || s.work >= s.budget
}

// enter adds variables, constraints and clauses that were added to the problem. It returns false on a conflict, which
// is a contradiction at level 0.
func (s *search) enter() bool {
	s.sync()
	s.tab.sync(s.p)
	if s.p.tooLarge() {
		s.budget = 0
	}
	for ; s.unitsDone < len(s.p.clauses); s.unitsDone++ {
		c := s.p.clauses[s.unitsDone]
		if s.addClause(clause{append([]lit{}, c.lits...), c.tag}, cause{byClause, int32(s.unitsDone)}) {
			continue
		}
		if s.level == 0 {
			l, _ := s.analyze()
			s.tag = l.tag
		}
		s.unitsDone++
		return false
	}
	return true
}

// relax checks the linear relaxation.
func (s *search) relax() bool { return s.tab.check(s.budget) }

// rewind backtracks to a level.
func (s *search) rewind(level int32) {
	s.undo(level)
	s.restart()
	s.tab.seen = min(s.tab.seen, len(s.events))
}

// backjump learns a clause from the conflict and backtracks. It returns false if no values exist at all.
func (s *search) backjump() bool {
	s.wants = s.wants[:0]
	for {
		l, ok := s.analyze()
		if !ok {
			s.tag = l.tag
			return false
		}
		s.rewind(l.level)
		if s.addClause(clause{l.lits, l.tag}, s.record.learned(l)) {
			return true
		}
	}
}

// value returns the truth of a literal under the values of the relaxation.
func (s *search) value(l lit) bool {
	if x := s.p.vars[l.v].aux; x > 0 {
		return s.auxValue(l.v, x) != l.up
	}
	c := s.tab.cmpInt(s.tab.val[l.v], l.c)
	if l.up {
		return c <= 0
	}
	return c >= 0
}

// auxValue returns the truth of an auxiliary condition: by its bounds if they decide it, otherwise by its definition.
func (s *search) auxValue(v, x int32) bool {
	if s.lo[v] == s.hi[v] {
		return s.lo[v] == 1
	}
	for _, i := range s.p.auxes[x-1] {
		if !s.anyValue(s.p.clauses[i].lits[1:]) {
			return false
		}
	}
	return true
}

// anyValue reports whether at least one literal is true under the values of the relaxation.
func (s *search) anyValue(lits []lit) bool {
	for _, l := range lits {
		s.work++
		if s.value(l) {
			return true
		}
	}
	return false
}

// choose returns the literal to decide: from the violated clause with the fewest unassigned literals, otherwise one
// that splits on a fractional value. It returns false for a candidate.
func (s *search) choose() (lit, bool) {
	best, fewest := lit{}, 1<<30
	for i := range s.clauses {
		lits := s.clauses[i].lits
		s.work++
		if len(lits) < 2 || s.anyValue(lits) {
			continue
		}
		open, first := 0, lit{}
		for _, l := range lits {
			if !s.fails(l) {
				if open == 0 {
					first = l
				}
				open++
			}
		}
		if open > 0 && open < fewest {
			best, fewest = first, open
		}
	}
	if fewest < 1<<30 {
		return best, true
	}
	for v := range s.p.vars {
		if x := s.tab.val[v]; s.p.vars[v].aux == 0 && !s.tab.integer(x) {
			if f, ok := s.tab.floor(x); ok && f > -inf && f < inf {
				return lit{int32(v), true, f}, true
			}
		}
	}
	return lit{}, false
}

// integerValue returns the value of a variable in a candidate, and false if it is not an integer.
func (s *search) integerValue(v int32) (*big.Int, bool) {
	x := s.tab.val[v]
	if !s.tab.integer(x) {
		return nil, false
	}
	return s.tab.value(x).Num(), true
}

// polyValue returns the value of a polynomial in a candidate, computed from its variables, not from the product
// variables.
func (s *search) polyValue(q poly) (*big.Int, bool) {
	sum := new(big.Int)
	for _, term := range q {
		x := new(big.Int).Set(term.c)
		for _, v := range s.p.list[term.m] {
			y, ok := s.integerValue(v)
			if !ok {
				return nil, false
			}
			x.Mul(x, y)
		}
		sum.Add(sum, x)
	}
	return sum, true
}
