// Case analysis: pairs whose formulas become simple if a value carried by a loop, such as a distance that doubles, is a
// constant.

package static

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// maxCases limits the queries for one pair.
const maxCases = 2000

// loopCase has values of variables of one thread, and a condition that holds with them.
type loopCase struct {
	name   string
	values map[string]*expr.Int
	when   *expr.Bool
}

// byCases tries to decide an open pair by a query for each combination of values that loops carry: a proof refutes all,
// and a race is shown by an execution with the values of one that is not refuted. It returns f if there is no such
// value, proof or execution.
func (q *pairQuery) byCases(f finding) finding {
	if !q.m.takes(loopCases) {
		return f
	}
	c := q.witnessing(q.cases(maxCases))
	proved, some := c.decided()
	for i := 0; some && !proved && c.witness == nil && i < len(typical); i++ {
		inputs := c.inputs
		c = q.witnessing(q.cases(maxTypical))
		if c.pin(typical[i], inputs); len(c.pinned) > 0 {
			c.decided() // a proof would be one of some numbers alone
		}
	}
	if c.witness != nil || proved {
		q.m.applies(loopCases)
	}
	switch {
	case c.witness != nil:
		return finding{verdict: Racy, witness: c.witness}
	case !proved:
		return f
	}
	return clean(ByFormulas, q.used(slices.Sorted(maps.Keys(c.needed)))...)
}

// witnessing has a case analysis look for a race as well, unless only a proof counts or contents of memory decide.
func (q *pairQuery) witnessing(c *cases) *cases {
	if !q.proof && !q.anywhere && !q.a.opt.ProofOnly && !q.a.given.Unfollowed && q.x.data == "" && q.y.data == "" {
		c.confirm = q.confirm
	}
	return c
}

// cases returns the case analysis of a pair with a limit of queries.
func (q *conflict) cases(queries int) *cases {
	none := expr.Substitution{Int: func(expr.Variable) *expr.Int { return nil }}
	return &cases{q: q, items: []*item{q.x, q.y}, queries: queries, needed: make(map[string]bool), pinning: none}
}

// decided looks for a proof or a witness. some reports whether loops carry anything that the accesses depend on.
func (c *cases) decided() (proved, some bool) {
	vars := c.carried()
	if len(vars) == 0 {
		return false, false
	}
	goal, bounds := c.q.exact()
	for _, v := range c.pinned {
		goal = append(goal, expr.Eq(expr.NewVar(v), c.pinning.Int(v)))
	}
	return c.unsatisfiable(goal, bounds, vars), true
}

// unsatisfiable reports whether a query has no solution in any case of what loops carry. needed has the facts by which
// that is so.
func (c *cases) unsatisfiable(goal []*expr.Bool, bounds []solve.Fact, vars []carried) bool {
	m := c.q.m
	rough := m.rough
	m.rough = true
	proved := c.proved(append(goal, c.left...), bounds, vars, [2][]loopCase{})
	m.rough = rough
	return proved && c.tried == 0
}

// maxInside limits the queries about where one access leads.
const maxInside = 400

// neverByCases reports whether thread 1 never makes an access so that formulas hold, by a query for each combination of
// values that loops carry, and by which facts.
func (m *model) neverByCases(it *item, goal []*expr.Bool) ([]string, bool) {
	c := (&conflict{m: contents{model: m}, x: it, y: it, kind: anyThread}).cases(maxInside)
	c.items = c.items[:1]
	vars := c.carried()
	if len(vars) == 0 || !m.takes(loopCases) {
		return nil, false
	}
	proved := c.unsatisfiable(goal, nil, vars)
	if proved {
		m.applies(loopCases)
	}
	return slices.Sorted(maps.Keys(c.needed)), proved
}

// maxTypical limits the queries with typical numbers.
const maxTypical = 100

// pin gives a value to the numbers that host code passes, and that loops start from, unless facts make them constant.
func (c *cases) pin(n int64, inputs []expr.Variable) {
	for _, v := range append(c.q.m.scalars(), inputs...) {
		if v.Uniform && c.q.m.defs[v.Name] == nil && !c.q.m.pointerLike(v) &&
			!slices.ContainsFunc(c.pinned, func(w expr.Variable) bool { return w.Name == v.Name }) {
			c.pinned = append(c.pinned, v)
		}
	}
	c.pinning.Int = func(v expr.Variable) *expr.Int {
		if slices.ContainsFunc(c.pinned, func(w expr.Variable) bool { return w.Name == v.Name }) {
			return expr.Const(n)
		}
		return nil
	}
}

// cases is the state of the proof of a pair.
type cases struct {
	q       *conflict
	confirm func(*expr.Model) *Witness // executes the two threads; nil: only a proof is sought
	items   []*item                    // the accesses, that of thread i+1 at i
	left    []*expr.Bool               // of loops before the accesses
	queries int                        // that remain
	needed  map[string]bool            // names of facts
	tried   int                        // combinations that were not refuted
	witness *Witness                   // of a race in one of these
	inputs  []expr.Variable            // what loops start from
	pinned  []expr.Variable            // that have a typical value
	pinning expr.Substitution
}

// maxTried limits the combinations that are not refuted with whose values threads are executed.
const maxTried = 3

// shows looks for a witness in a combination that was not refuted. It returns whether to look at further combinations:
// after the first of these there is no proof, only a witness is sought.
func (c *cases) shows(goal []*expr.Bool, bounds []solve.Fact) bool {
	if c.tried++; c.confirm == nil {
		return false
	}
	r := c.q.m.solve(goal, bounds, cheap)
	if !r.sat || r.model == nil {
		return c.tried < maxTried
	}
	if w := c.confirm(r.model); w != nil && len(w.Memory) == 0 {
		c.witness = w
		return false
	}
	return c.tried < maxTried
}

// proved reports whether a query is unsatisfiable in all cases of what loops carry in the two threads, of which some
// are given.
func (c *cases) proved(goal []*expr.Bool, bounds []solve.Fact, vars []carried, given [2][]loopCase) bool {
	v := vars[0]
	for _, d := range v.cases(given[v.thread-1]) {
		if c.queries < 0 || c.q.m.left <= 0 || c.q.m.over() {
			return false
		}
		g, b := c.at(v.thread, d, goal, bounds)
		if expr.All(g...) == expr.False || len(vars)%len(c.items) == 1%len(c.items) && c.ask(g, b) {
			continue // the variables of all threads are fixed
		}
		now := given
		now[v.thread-1] = append(slices.Clip(given[v.thread-1]), d)
		if len(vars) == 1 && !c.shows(g, b) || len(vars) > 1 && !c.proved(g, b, vars[1:], now) {
			return false
		}
	}
	return true
}

// ask reports whether the query is unsatisfiable.
func (c *cases) ask(goal []*expr.Bool, bounds []solve.Fact) bool {
	if c.queries--; c.queries < 0 {
		return false
	}
	r := c.q.solve(goal, bounds, cheap|noModel, slices.Collect(maps.Keys(c.needed))...)
	for _, n := range r.core {
		c.needed[n] = true
	}
	return r.unsat
}

// caseWork is the work units of each node of a formula in which a variable is replaced.
const caseWork = 10

// at returns a query in one case of a thread, with variables replaced by their values. If a formula of the goal becomes
// False, it is the goal.
func (c *cases) at(thread int, d loopCase, goal []*expr.Bool, bounds []solve.Fact) ([]*expr.Bool, []solve.Fact) {
	values := make(map[string]*expr.Int)
	for name, x := range d.values {
		if x = x.Instance(thread); c.q.kind != InterBlock {
			x = x.Subst(oneBlock)
		}
		values[fmt.Sprint(name, "#", thread)] = x
	}
	s := expr.Substitution{Int: func(v expr.Variable) *expr.Int { return values[v.Name] }}
	if d.when != expr.True {
		goal = append(slices.Clip(goal), c.q.oneBlock(d.when.Instance(thread)))
	}
	g, b := make([]*expr.Bool, len(goal)), slices.Clone(bounds)
	for i, f := range goal {
		if g[i] = c.put(f, s); g[i] == expr.False {
			return g[i : i+1], nil
		}
	}
	for i := range b {
		b[i].Formula = c.put(b[i].Formula, s)
	}
	return g, b
}

// put returns a formula with variables replaced.
func (c *cases) put(f *expr.Bool, s expr.Substitution) *expr.Bool {
	g := f.Subst(s)
	if g != f {
		c.q.m.left -= caseWork * int64(f.Size())
	}
	return g
}
