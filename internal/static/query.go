// Queries to the solver, and their budgets.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// answer is the answer of the solver.
type answer struct {
	sat, unsat bool
	model      *expr.Model
	core       []string
	reason     string
	proofs     []string // of unsat: the recorded refutations, see [Proofs]
	used       []int    // of unsat: the formulas of the goal that the proof uses
}

// effort is how hard the solver tries.
type effort uint8

const (
	cheap     effort = 1 << iota // a small part of the budget
	noModel                      // only unsatisfiability matters
	medium                       // more than cheap
	narrowing                    // a proof is repeated, see narrow
)

// Shares of the budget for a query.
const (
	defaultQuery = 4_000_000
	mediumQuery  = 1_500_000
	cheapQuery   = 400_000
)

// cachedQuery is a query with its answer.
type cachedQuery struct {
	goal  []*expr.Bool
	facts []solve.Fact
	e     effort
	loose []string // facts that the answer may have without need, the free ones of the query
	limit int64    // of the work for a query that was not decided because of it
	answer
}

// maxAnswered limits the cached queries.
const maxAnswered = 4000

// solve answers a query.
func (s *session) solve(goal []*expr.Bool, facts []solve.Fact, e effort) answer {
	return s.solveWith(nil, goal, facts, e)
}

// solveWith answers a query whose proof belongs to something that needs some facts in any case, which are free. The
// answer is from the cache if possible: unrolled loops and accesses of the fields of one struct have the same
// differences of addresses.
func (s *session) solveWith(free []string, goal []*expr.Bool, facts []solve.Fact, e effort) answer {
	switch {
	case s.over():
		return answer{reason: outOfTime}
	case expr.All(goal...) == expr.False:
		return answer{unsat: true}
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
		if known = q; q.reason != outOfWork || s.limit(e) <= q.limit {
			s.opt.Proofs.use(q.proofs...)
			return q.answer
		}
	}
	limit := s.limit(e)
	r := s.ask(free, goal, facts, e)
	s.opt.Proofs.use(r.proofs...)
	switch {
	case known != nil:
		known.answer, known.limit = r, limit
	case len(s.answers) < maxAnswered:
		q := &cachedQuery{goal: goal, facts: facts, e: e, limit: limit, answer: r}
		for _, name := range r.core {
			if slices.Contains(free, name) {
				q.loose = append(q.loose, name)
			}
		}
		s.answers[key] = append(s.answers[key], q)
	}
	return r
}

// same reports whether two queries are equal.
func (q *cachedQuery) same(goal []*expr.Bool, facts []solve.Fact, e effort) bool {
	return q.e == e && slices.EqualFunc(q.goal, goal, (*expr.Bool).Equal) &&
		slices.EqualFunc(q.facts, facts, func(f, g solve.Fact) bool {
			return f.Name == g.Name && f.Formula.Equal(g.Formula)
		})
}

// outOfWork is the reason for a query that was not decided within its limit of work.
const outOfWork = "budget"

// limit returns the limit of work for a query.
func (s *session) limit(e effort) int64 {
	limit := s.opt.Solve.Budget
	if limit == 0 {
		limit = defaultQuery
	}
	if e&cheap != 0 {
		limit = min(limit, cheapQuery)
	}
	if e&medium != 0 {
		limit = min(limit, mediumQuery)
	}
	return min(limit*s.patience, s.left)
}

// ask decides a query by the refutation of another one, or sends it to the solver.
func (s *session) ask(free []string, goal []*expr.Bool, facts []solve.Fact, e effort) answer {
	if s.opt.Proofs == nil {
		goal = flatten(nil, goal)
	}
	q := s.filled(goal, facts)
	if s.refuted != nil {
		if r := s.refuted.find(goal, facts, free, s.rough); r != nil {
			return answer{unsat: true, core: r.core}
		}
	}
	r := s.search(free, goal, facts, q, e)
	if r.unsat && s.refuted != nil {
		s.refuted.add(chosen(goal, r.used), facts, r.core, free, s.rough)
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
func (s *session) search(free []string, goal []*expr.Bool, facts []solve.Fact, q filled, e effort) answer {
	if expr.All(q.goal...) == expr.False {
		return s.narrow(free, goal, facts, answer{unsat: true, used: q.contradictory()}, q)
	}
	if q.tooLarge() {
		return answer{reason: "the formulas are too large"}
	}
	limit := s.limit(e)
	switch {
	case s.over():
		return answer{reason: outOfTime}
	case limit <= 0 || s.err != nil:
		return answer{reason: outOfWork}
	}
	r := s.decideQuery(solve.Query{Goal: q.goal, Facts: q.facts, Free: free}, limit, e)
	if r.unsat {
		return s.narrow(free, goal, facts, r, q)
	}
	s.addConstants(r.model)
	return r
}

// addConstants adds to a model, which may be nil, the variables whose definition is a constant.
func (s *session) addConstants(m *expr.Model) {
	for _, d := range s.order {
		if k, ok := s.defs[d].Const(); ok && m != nil {
			m.Ints[d] = k
		}
	}
}

// decideQuery answers a query within a limit of work, by a solver or from the record of proofs.
func (s *session) decideQuery(q solve.Query, limit int64, e effort) answer {
	if s.opt.Proofs.checks() {
		return s.opt.Proofs.look(q, e)
	}
	s.queries++
	r, err := solve.Solve(s.ctx, q, solve.Options{Budget: limit, NoModel: e&noModel != 0, NoCore: s.opt.Solve.NoCore})
	if err != nil {
		return s.failed(err)
	}
	s.left -= r.Work + 1000
	s.work += r.Work + 1000
	out := answer{
		sat: r.Verdict == solve.Sat, unsat: r.Verdict == solve.Unsat, model: r.Model, core: r.Core,
		reason: r.Reason, used: r.Used,
	}
	if out.unsat && s.opt.Proofs != nil {
		if out = s.opt.Proofs.record(s.ctx, q, e, out, r.Work); !out.unsat && s.over() {
			out.reason = outOfTime
		}
	}
	return out
}

// failed returns the answer to a query with which a solver failed: because the time is over, or with an error of the
// analysis.
func (s *session) failed(err error) answer {
	if !s.over() {
		s.err = err
	}
	return answer{reason: outOfTime}
}

// maxQuery limits the nodes of the formulas of a query as trees: the solver's tables grow with their square.
const maxQuery = 2500

func (q *filled) tooLarge() bool {
	n := 0
	for _, f := range q.goal {
		n += f.Size()
	}
	for _, f := range q.facts {
		n += f.Formula.Size()
	}
	return n > maxQuery
}

var dims = []byte("xyz")

// ranges is the condition that the indices of a thread are within the launch.
func (s *session) ranges(thread int) []*expr.Bool {
	if s.inLaunch[thread] != nil {
		return slices.Clip(s.inLaunch[thread])
	}
	var out []*expr.Bool
	for _, d := range dims {
		for _, kind := range []string{"tid", "ctaid"} {
			out = append(out, expr.Lt(symbolic.Index(kind, d), facts.Dim("n"+kind, d)).Instance(thread))
		}
	}
	s.inLaunch[thread] = append(out, s.perBlock())
	return slices.Clip(s.inLaunch[thread])
}

// index returns the variable of an index; see symbolic.Index.
func (s *session) index(kind string, d byte) *expr.Int { return symbolic.Index(kind, d) }

// maxThreads is the maximal number of threads of a block, unless a directive limits it further.
const maxThreads = 1024

// perBlock is the condition that a block does not exceed the maximal number of threads.
func (l *launchFacts) perBlock() *expr.Bool {
	n := expr.Mul(facts.Dim("ntid", 'x'), facts.Dim("ntid", 'y'), facts.Dim("ntid", 'z'))
	f := expr.Le(n, expr.Const(l.threads))
	if len(f.Subst(l.filling).Vars()) < 2 {
		return f
	}
	return expr.True // the product costs more than it helps
}

// boundsOf is the condition that an access stays in its allocation, if that is known.
func (m *model) boundsOf(it *item, thread int) []solve.Fact {
	p := m.pointer(&it.obj)
	if p == nil || p.Size == nil || p.Offset == nil || it.offset.IsUnknown() {
		return nil
	}
	if it.bounds[thread] != nil {
		return it.bounds[thread]
	}
	at := expr.Add(expr.Wrap(it.offset, 64, true), p.Offset)
	end := expr.Add(at, expr.Const(int64(it.acc.Size)))
	it.bounds[thread] = []solve.Fact{{Name: p.Bound, Formula: expr.All(expr.Ge(at, expr.Const(0)),
		expr.Le(end, p.Size)).Instance(thread)}}
	return it.bounds[thread]
}

// provenIn reports whether an access to a variable provably stays in it: its offset is at most last.
func (m *model) provenIn(it *item, last int64) bool {
	if it.inside == nil {
		m.findWraps(it)
		out := expr.Any(expr.Lt(it.offset, expr.Const(0)), expr.Gt(it.offset, expr.Const(last))).Instance(1)
		goal := append(append(it.formulas(1), m.ranges(1)...), out)
		r := m.solve(goal, nil, cheap|noModel)
		if !r.unsat {
			r.core, r.unsat = m.neverByCases(it, goal)
		}
		it.inside = &r
	}
	return it.inside.unsat
}

// neverInside reports whether an access is outside of its allocation whenever it is made.
func (m *model) neverInside(it *item) bool {
	if it.within == nil {
		bounds := m.boundsOf(it, 1)
		r := m.solve(append(it.formulas(1), m.ranges(1)...), bounds, cheap|noModel)
		r.unsat = r.unsat && len(bounds) > 0 && slices.Contains(r.core, bounds[0].Name)
		it.within = &r
	}
	return it.within.unsat
}

// shownInside reports whether the record has a launch in which an access is made inside of its allocation.
func (m *model) shownInside(it *item) bool {
	if it.shown == nil {
		shown := m.satisfiable(append(it.formulas(1), m.ranges(1)...), m.boundsOf(it, 1))
		it.shown = &shown
	}
	return *it.shown
}

// different is the condition that two threads can race in a kind of race (HGRD, Table 2).
func (s *session) different(kind Kind) *expr.Bool {
	if kind == InterBlock {
		var ne []*expr.Bool
		for _, d := range dims {
			x := symbolic.Index("ctaid", d)
			ne = append(ne, expr.Ne(x.Instance(1), x.Instance(2)))
		}
		return expr.Any(ne...)
	}
	switch other := expr.Not(sameThread()); kind {
	case IntraWarp:
		return expr.All(other, sameWarp())
	case IntraBlock:
		return expr.All(other, expr.Not(sameWarp()))
	case ownThread:
		return sameThread()
	default: // anyThread
		return other
	}
}

// sameThread is the condition that two threads of a block are one.
func sameThread() *expr.Bool {
	var eq []*expr.Bool
	for _, d := range dims {
		x := symbolic.Index("tid", d)
		eq = append(eq, expr.Eq(x.Instance(1), x.Instance(2)))
	}
	return expr.All(eq...)
}

// sameWarp is the condition that two threads of a block are in one warp.
func sameWarp() *expr.Bool {
	warp := func(n int) *expr.Int {
		return expr.Div(symbolic.Flat().Instance(n), expr.Const(isa.WarpSize))
	}
	return expr.Eq(warp(1), warp(2))
}

// anyThread is for both kinds within a block.
const anyThread = kinds

// oneBlock puts the second thread into the block of the first.
var oneBlock = expr.Substitution{Int: func(v expr.Variable) *expr.Int {
	if len(v.Name) == 9 && v.Name[:6] == "ctaid." && v.Name[7:] == "#2" {
		v.Name = v.Name[:7] + "#1"
		return expr.NewVar(v)
	}
	return nil
}}

// refuteInBlock asks whether conditions are contradictory for two threads of one block.
func (s *session) refuteInBlock(conds []*expr.Bool) answer {
	goal := slices.Concat(conds, s.ranges(1), s.ranges(2))
	for i := range goal {
		goal[i] = goal[i].Subst(oneBlock)
	}
	return s.solve(goal, nil, cheap|noModel)
}
