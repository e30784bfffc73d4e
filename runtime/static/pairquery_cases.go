// Case analysis: pairs whose formulas become simple if a value carried by a loop, such as a distance that doubles, is a constant.

package static

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/solve"
)

// maxCases limits the queries for one pair.
const maxCases = 2000

// carried is a variable of one of the two threads, with all its values.
type carried struct {
	name   string
	values []*big.Int
}

// byCases tries to prove an open pair by a query for each combination of values that loops carry. It returns f if there is no
// such value, or no proof.
func (q *pairQuery) byCases(f finding) finding {
	vars := q.carried()
	if len(vars) == 0 {
		return f
	}
	goal, bounds := q.exact()
	c := cases{q: q, left: maxCases, needed: make(map[string]bool)}
	rough := q.a.rough
	q.a.rough = true
	proved := c.proved(goal, bounds, vars)
	if q.a.rough = rough; !proved {
		return f
	}
	var core []string
	for n := range c.needed {
		core = append(core, n)
	}
	return clean(ByFormulas, q.used(core)...)
}

// carried returns the variables with few values, alternating between the two threads.
func (q *pairQuery) carried() []carried {
	var out []carried
	seen := make(map[string]bool)
	for _, it := range []*item{q.x, q.y} {
		for _, v := range expr.Vars([]*expr.Int{it.addr}, append([]*expr.Bool{it.cond}, it.sides...)) {
			o := q.a.kernel.Origin(v.Name)
			if o == nil || seen[v.Name] {
				continue
			}
			seen[v.Name] = true
			if values := o.Orbit(v); values != nil {
				out = append(out, carried{v.Name + "#1", values}, carried{v.Name + "#2", values})
			}
		}
	}
	return out
}

// cases is the state of the proof of a pair.
type cases struct {
	q      *pairQuery
	left   int             // remaining queries
	needed map[string]bool // names of facts
}

// proved reports whether a query is unsatisfiable for all values of some variables.
func (c *cases) proved(goal []*expr.Bool, bounds []solve.Fact, vars []carried) bool {
	for _, d := range vars[0].values {
		if c.left < 0 || c.q.a.left <= 0 || c.q.a.over() {
			return false
		}
		g, b := c.at(vars[0].name, d, goal, bounds)
		if expr.All(g...) == expr.False || len(vars)%2 == 1 && c.ask(g, b) {
			continue // the variables of both threads are fixed
		}
		if len(vars) == 1 || !c.proved(g, b, vars[1:]) {
			return false
		}
	}
	return true
}

// ask reports whether the query is unsatisfiable.
func (c *cases) ask(goal []*expr.Bool, bounds []solve.Fact) bool {
	if c.left--; c.left < 0 {
		return false
	}
	r := c.q.a.solve(goal, bounds, cheap|noModel)
	for _, n := range r.core {
		c.needed[n] = true
	}
	return r.unsat
}

// caseWork is the work units of each node of a formula in which a variable is replaced.
const caseWork = 10

// at returns a query with a variable replaced by a value. If a formula of the goal becomes False, it is the goal.
func (c *cases) at(name string, value *big.Int, goal []*expr.Bool, bounds []solve.Fact) ([]*expr.Bool, []solve.Fact) {
	s := expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if v.Name == name {
			return expr.Big(value)
		}
		return nil
	}}
	g, b := make([]*expr.Bool, len(goal)), slices.Clone(bounds)
	for i, f := range goal {
		c.q.a.left -= caseWork * int64(f.Size())
		if g[i] = f.Subst(s); g[i] == expr.False {
			return g[i : i+1], nil
		}
	}
	for i := range b {
		c.q.a.left -= caseWork * int64(b[i].Formula.Size())
		b[i].Formula = b[i].Formula.Subst(s)
	}
	return g, b
}
