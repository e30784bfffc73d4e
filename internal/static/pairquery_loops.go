// Case analysis of a pair: a proof for all values that loops carry, or an execution with some of them.

package static

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// byCases tries to decide an open pair by a query for each combination of values that loops carry: a proof refutes all,
// and a race is shown by an execution with the values of one that is not refuted. It returns f if there is no such
// value, proof or execution.
func (q *pairQuery) byCases(f finding) finding {
	if !q.m.Takes(loopCases) {
		return f
	}
	var w *Witness
	c := q.cases(maxCases, &w)
	proved, some := c.decided(q.exact)
	for i := 0; some && !proved && w == nil && i < len(typical); i++ {
		inputs := c.inputs
		c = q.cases(maxTypical, &w)
		if c.pin(typical[i], append(q.m.scalars(), inputs...)) {
			c.decided(q.exact) // a proof would be one of some numbers alone
		}
	}
	if w != nil || proved {
		q.m.Applies(loopCases)
	}
	switch {
	case w != nil:
		return finding{verdict: Racy, witness: w}
	case !proved:
		return f
	}
	return clean(ByFormulas, q.used(slices.Sorted(maps.Keys(c.needed)))...)
}

// cases returns the case analysis of a pair with a limit of queries. It looks for a race as well, whose witness it
// stores, unless only a proof counts or contents of memory decide.
func (q *pairQuery) cases(queries int, w **Witness) *cases {
	c := newCases(q.m.model, queries, q.kind != InterBlock, q.x, q.y)
	if !q.proof && !q.anywhere && !q.a.opt.ProofOnly && !q.a.Given.Unfollowed && q.x.data == "" && q.y.data == "" {
		c.confirm = func(m *expr.Model) bool {
			if found := q.confirm(m); found != nil && len(found.Memory) == 0 {
				*w = found
			}
			return *w != nil
		}
	}
	return c
}
