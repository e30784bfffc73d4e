// Queries to the solver, and their budgets.

package query

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// Answer is the answer of the solver.
type Answer struct {
	Sat, Unsat bool
	Model      *expr.Model
	Core       []string
	Reason     string
	Proofs     []string // of unsat: the recorded refutations, see [Proofs]
	used       []int    // of unsat: the formulas of the goal that the proof uses
}

// Effort is how hard the solver tries.
type Effort uint8

// Efforts, and what else a query is asked with.
const (
	Cheap     Effort = 1 << iota // a small part of the budget
	NoModel                      // only unsatisfiability matters
	Medium                       // more than cheap
	narrowing                    // a proof is repeated, see narrow
)

// Shares of the budget for a query.
const (
	DefaultQuery = 4_000_000
	mediumQuery  = 1_500_000
	cheapQuery   = 400_000
)

// cachedQuery is a query with its answer.
type cachedQuery struct {
	goal  []*expr.Bool
	facts []solve.Fact
	e     Effort
	loose []string // facts that the answer may have without need, the free ones of the query
	limit int64    // of the work for a query that was not decided because of it
	Answer
}

// maxAnswered limits the cached queries.
const maxAnswered = 4000

// Solve answers a query.
func (s *Session) Solve(goal []*expr.Bool, facts []solve.Fact, e Effort) Answer {
	return s.SolveWith(nil, goal, facts, e)
}

// SolveWith answers a query whose proof belongs to something that needs some facts in any case, which are free. The
// answer is from the cache if possible: unrolled loops and accesses of the fields of one struct have the same
// differences of addresses.
func (s *Session) SolveWith(free []string, goal []*expr.Bool, facts []solve.Fact, e Effort) Answer {
	switch {
	case s.Over():
		return Answer{Reason: OutOfTime}
	case expr.All(goal...) == expr.False:
		return Answer{Unsat: true}
	}
	key := uint64(e)
	for _, f := range goal {
		key = key*1_000_003 ^ f.Hash()
	}
	for _, f := range facts {
		key = key*1_000_003 ^ f.Formula.Hash()
	}
	var known *cachedQuery
	for _, q := range s.answers[key] {
		if !q.same(goal, facts, e) || slices.ContainsFunc(q.loose,
			func(name string) bool { return !slices.Contains(free, name) }) {
			continue
		}
		if known = q; q.Reason != outOfWork || s.limit(e) <= q.limit {
			s.opt.Proofs.use(q.Proofs...)
			return q.Answer
		}
	}
	limit := s.limit(e)
	r := s.ask(free, goal, facts, e)
	s.opt.Proofs.use(r.Proofs...)
	switch {
	case known != nil:
		known.Answer, known.limit = r, limit
	case len(s.answers) < maxAnswered:
		q := &cachedQuery{goal: goal, facts: facts, e: e, limit: limit, Answer: r}
		for _, name := range r.Core {
			if slices.Contains(free, name) {
				q.loose = append(q.loose, name)
			}
		}
		s.answers[key] = append(s.answers[key], q)
	}
	return r
}

// same reports whether two queries are equal.
func (q *cachedQuery) same(goal []*expr.Bool, facts []solve.Fact, e Effort) bool {
	return q.e == e && slices.EqualFunc(q.goal, goal, (*expr.Bool).Equal) &&
		slices.EqualFunc(q.facts, facts, func(f, g solve.Fact) bool {
			return f.Name == g.Name && f.Formula.Equal(g.Formula)
		})
}

// outOfWork is the reason for a query that was not decided within its limit of work.
const outOfWork = "budget"

// limit returns the limit of work for a query.
func (s *Session) limit(e Effort) int64 {
	limit := s.opt.Solve.Budget
	if limit == 0 {
		limit = DefaultQuery
	}
	if e&Cheap != 0 {
		limit = min(limit, cheapQuery)
	}
	if e&Medium != 0 {
		limit = min(limit, mediumQuery)
	}
	return min(limit*s.Patience, s.Left)
}

// ask decides a query by the refutation of another one, or sends it to the solver.
func (s *Session) ask(free []string, goal []*expr.Bool, facts []solve.Fact, e Effort) Answer {
	if s.opt.Proofs == nil {
		goal = Conjuncts(nil, goal)
	}
	q := s.filled(goal, facts)
	if s.refuted != nil {
		if r := s.refuted.find(goal, facts, free, s.Rough); r != nil {
			return Answer{Unsat: true, Core: r.core}
		}
	}
	r := s.search(free, goal, facts, q, e)
	if r.Unsat && s.refuted != nil {
		s.refuted.add(chosen(goal, r.used), facts, r.Core, free, s.Rough)
	}
	return r
}

// chosen returns the formulas with the given indices.
func chosen(goal []*expr.Bool, indices []int) (out []*expr.Bool) {
	for _, i := range indices {
		out = append(out, goal[i])
	}
	return out
}

// search sends a query to the solver, unless its formulas contradict each other as they are.
func (s *Session) search(free []string, goal []*expr.Bool, facts []solve.Fact, q filled, e Effort) Answer {
	if expr.All(q.goal...) == expr.False {
		return s.narrow(free, goal, facts, Answer{Unsat: true, used: q.contradictory()}, q)
	}
	if q.tooLarge() {
		return Answer{Reason: "the formulas are too large"}
	}
	limit := s.limit(e)
	switch {
	case s.Over():
		return Answer{Reason: OutOfTime}
	case limit <= 0 || s.Err != nil:
		return Answer{Reason: outOfWork}
	}
	r := s.decideQuery(solve.Query{Goal: q.goal, Facts: q.facts, Free: free}, limit, e)
	if r.Unsat {
		return s.narrow(free, goal, facts, r, q)
	}
	s.addConstants(r.Model)
	return r
}

// addConstants adds to a model, which may be nil, the variables whose definition is a constant.
func (s *Session) addConstants(m *expr.Model) {
	for _, d := range s.Defined {
		if k, ok := s.Definitions[d].Const(); ok && m != nil {
			m.Ints[d] = k
		}
	}
}

// decideQuery answers a query within a limit of work, by a solver or from the record of proofs.
func (s *Session) decideQuery(q solve.Query, limit int64, e Effort) Answer {
	if s.opt.Proofs.checks() {
		return s.opt.Proofs.look(q, e)
	}
	s.Queries++
	r, err := solve.Solve(s.ctx, q, solve.Options{Budget: limit, NoModel: e&NoModel != 0, NoCore: s.opt.Solve.NoCore})
	if err != nil {
		return s.failed(err)
	}
	s.Left -= r.Work + 1000
	s.Work += r.Work + 1000
	out := Answer{
		Sat: r.Verdict == solve.Sat, Unsat: r.Verdict == solve.Unsat, Model: r.Model, Core: r.Core,
		Reason: r.Reason, used: r.Used,
	}
	if out.Unsat && s.opt.Proofs != nil {
		if out = s.opt.Proofs.record(s.ctx, q, e, out, r.Work); !out.Unsat && s.Over() {
			out.Reason = OutOfTime
		}
	}
	return out
}

// failed returns the answer to a query with which a solver failed: because the time is over, or with an error of the
// analysis.
func (s *Session) failed(err error) Answer {
	if !s.Over() {
		s.Err = err
	}
	return Answer{Reason: OutOfTime}
}

// MaxQuery limits the nodes of the formulas of a query as trees: the solver's tables grow with their square.
const MaxQuery = 2500

func (q *filled) tooLarge() bool {
	n := 0
	for _, f := range q.goal {
		n += f.Size()
	}
	for _, f := range q.facts {
		n += f.Formula.Size()
	}
	return n > MaxQuery
}
