// Case analysis: pairs whose formulas become simple if a value carried by a loop, such as a distance that doubles, is a
// constant.

package kernel

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// MaxCases limits the queries for one pair.
const MaxCases = 2000

// loopCase has values of variables of one thread, and a condition that holds with them.
type loopCase struct {
	name   string
	values map[string]*expr.Int
	when   *expr.Bool
}

// Decided looks for a proof of a query or a witness. some reports whether loops carry anything that the accesses
// depend on.
func (c *Cases) Decided(query func() ([]*expr.Bool, []solve.Fact)) (proved, some bool) {
	vars := c.carried()
	if len(vars) == 0 {
		return false, false
	}
	goal, bounds := query()
	for _, v := range c.pinned {
		goal = append(goal, expr.Eq(expr.NewVar(v), c.pinning.Int(v)))
	}
	return c.unsatisfiable(goal, bounds, vars), true
}

// unsatisfiable reports whether a query has no solution in any case of what loops carry. needed has the facts by which
// that is so.
func (c *Cases) unsatisfiable(goal []*expr.Bool, bounds []solve.Fact, vars []carried) bool {
	rough := c.m.Rough
	c.m.Rough = true
	proved := c.proved(append(goal, c.left...), bounds, vars, [2][]loopCase{})
	c.m.Rough = rough
	return proved && c.tried == 0
}

// MaxTypical limits the queries with typical numbers.
const MaxTypical = 100

// Pin gives a value to those of some numbers that are the same in all threads, unless facts make them constant. It
// reports whether there are any.
func (c *Cases) Pin(n int64, numbers []expr.Variable) bool {
	for _, v := range numbers {
		if v.Uniform && c.m.Definitions[v.Name] == nil && !c.m.pointerLike(v) &&
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
	return len(c.pinned) > 0
}

// Cases is the state of the proof of a pair, or of where the access of one thread leads.
type Cases struct {
	m       *Model
	items   []*Item                // the accesses, that of thread i+1 at i
	inBlock bool                   // both threads are in one block
	Confirm func(*expr.Model) bool // executes the two threads: whether they race; nil: only a proof is sought
	left    []*expr.Bool           // of loops before the accesses
	queries int                    // that remain
	Needed  map[string]bool        // names of facts
	tried   int                    // combinations that were not refuted
	Inputs  []expr.Variable        // what loops start from
	pinned  []expr.Variable        // that have a typical value
	pinning expr.Substitution
}

// NewCases returns the case analysis of accesses with a limit of queries.
func NewCases(m *Model, queries int, inBlock bool, items ...*Item) *Cases {
	none := expr.Substitution{Int: func(expr.Variable) *expr.Int { return nil }}
	return &Cases{m: m, items: items, inBlock: inBlock, queries: queries, Needed: make(map[string]bool), pinning: none}
}

// oneBlock puts both threads into one block, unless they may be in different ones.
func (c *Cases) oneBlock(f *expr.Bool) *expr.Bool {
	if !c.inBlock {
		return f
	}
	return c.m.OneBlock(f)
}

// needs returns the names of the facts on which the formulas of the accesses rest.
func (c *Cases) needs() (out []string) {
	for _, it := range c.items {
		out = append(out, it.Needs()...)
	}
	return out
}

// maxTried limits the combinations that are not refuted with whose values threads are executed.
const maxTried = 3

// shows looks for a witness in a combination that was not refuted. It returns whether to look at further combinations:
// after the first of these there is no proof, only a witness is sought.
func (c *Cases) shows(goal []*expr.Bool, bounds []solve.Fact) bool {
	if c.tried++; c.Confirm == nil {
		return false
	}
	r := c.m.Solve(goal, bounds, query.Cheap)
	if !r.Sat || r.Model == nil {
		return c.tried < maxTried
	}
	return !c.Confirm(r.Model) && c.tried < maxTried
}

// proved reports whether a query is unsatisfiable in all cases of what loops carry in the two threads, of which some
// are given.
func (c *Cases) proved(goal []*expr.Bool, bounds []solve.Fact, vars []carried, given [2][]loopCase) bool {
	v := vars[0]
	for _, d := range v.cases(given[v.thread-1]) {
		if c.queries < 0 || c.m.Left <= 0 || c.m.Over() {
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
func (c *Cases) ask(goal []*expr.Bool, bounds []solve.Fact) bool {
	if c.queries--; c.queries < 0 {
		return false
	}
	free := append(c.needs(), slices.Collect(maps.Keys(c.Needed))...)
	r := c.m.SolveWith(free, goal, bounds, query.Cheap|query.NoModel)
	for _, n := range r.Core {
		c.Needed[n] = true
	}
	return r.Unsat
}

// caseWork is the work units of each node of a formula in which a variable is replaced.
const caseWork = 10

// at returns a query in one case of a thread, with variables replaced by their values. If a formula of the goal becomes
// False, it is the goal.
func (c *Cases) at(thread int, d loopCase, goal []*expr.Bool, bounds []solve.Fact) ([]*expr.Bool, []solve.Fact) {
	values := make(map[string]*expr.Int)
	for name, x := range d.values {
		if x = x.Instance(thread); c.inBlock {
			x = x.Subst(query.OneBlock)
		}
		values[fmt.Sprint(name, "#", thread)] = x
	}
	s := expr.Substitution{Int: func(v expr.Variable) *expr.Int { return values[v.Name] }}
	if d.when != expr.True {
		goal = append(slices.Clip(goal), c.oneBlock(d.when.Instance(thread)))
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
func (c *Cases) put(f *expr.Bool, s expr.Substitution) *expr.Bool {
	g := f.Subst(s)
	if g != f {
		c.m.Left -= caseWork * int64(f.Size())
	}
	return g
}
