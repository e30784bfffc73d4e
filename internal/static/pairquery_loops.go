// Case analysis of a pair: a proof for all values that loops carry, or an execution with some of them.

package static

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
)

// byCases tries to decide an open pair by a query for each combination of values that loops carry: a proof refutes all,
// and a race is shown by an execution with the values of one that is not refuted. It returns f if there is no such
// value, proof or execution.
func (q *pairQuery) byCases(f finding) finding {
	if !q.Contents.Takes(kernel.LoopCases) {
		return f
	}
	var w *Witness
	c := q.cases(kernel.MaxCases, &w)
	proved, some := c.Decided(q.Exact)
	for i := 0; some && !proved && w == nil && i < len(typical); i++ {
		inputs := c.Inputs
		c = q.cases(kernel.MaxTypical, &w)
		if c.Pin(typical[i], append(q.Contents.Scalars(), inputs...)) {
			c.Decided(q.Exact) // a proof would be one of some numbers alone
		}
	}
	if w != nil || proved {
		q.Contents.Applies(kernel.LoopCases)
	}
	switch {
	case w != nil:
		return finding{verdict: Racy, witness: w}
	case !proved:
		return f
	}
	return clean(ByFormulas, q.Used(slices.Sorted(maps.Keys(c.Needed)))...)
}

// cases returns the case analysis of a pair with a limit of queries. It looks for a race as well, whose witness it
// stores, unless only a proof counts or contents of memory decide.
func (q *pairQuery) cases(queries int, w **Witness) *kernel.Cases {
	c := kernel.NewCases(q.Contents.Model, queries, q.Kind != kernel.InterBlock, q.X, q.Y)
	if !q.proof && !q.Anywhere && !q.a.opt.ProofOnly && !q.a.Given.Unfollowed && q.X.Data == "" && q.Y.Data == "" {
		c.Confirm = func(m *expr.Model) bool {
			if found := q.confirm(m); found != nil && len(found.Memory) == 0 {
				*w = found
			}
			return *w != nil
		}
	}
	return c
}
