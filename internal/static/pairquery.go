// The query for a pair: with and without wrap-around, and whether the result is a race.

package static

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/rules"
)

// pairQuery decides whether two threads race.
type pairQuery struct {
	rules.Conflict
	a     *analysis
	proof bool // only a proof by barriers and addresses is sought
}

// decide decides the pair. A proof that takes aligned accesses for granted, though the formulas do not show it, needs
// that unless there is one without. If no launch satisfies it, the pair is open.
func (q *pairQuery) decide() finding {
	f := q.attempt()
	if f.verdict != Clean || !q.Aligned {
		return f
	}
	again := *q
	again.Bytes, again.proof = true, true
	if g := again.attempt(); g.verdict == Clean {
		return g
	}
	for _, it := range []*kernel.Item{q.X, q.Y} {
		if q.a.NeverAligned(it) {
			return possible("the access at %s is misaligned in every launch in which neighbouring threads or iterations make it", kernel.Where(it.Access.Inst))
		}
	}
	f.needed = append(f.needed, kernel.Aligned)
	return f
}

// attempt first assumes that no index wraps around, which makes formulas simpler. A pair that cannot race then is free
// of races if no index wraps, which is proved for each index separately. If that fails, the query is repeated with
// wrap-around.
func (q *pairQuery) attempt() finding {
	goal, bounds := q.Fitting()
	r := q.Solve(goal, bounds, q.effort())
	if !r.Sat && !r.Unsat && q.effort() != 0 && !q.Anywhere && !loadedIndex(&q.Conflict) {
		if whatever := q.Solve(q.withoutMemory(goal), bounds, query.Medium|query.NoModel); whatever.Unsat {
			r = whatever
		}
	}
	if !r.Unsat && q.a.Traits.Fences && !q.Anywhere && !q.proof {
		if needed, ok := q.InOrder(); ok {
			return clean(BySynchronisation, needed...)
		}
	}
	if !r.Unsat && !q.Anywhere {
		if q.Loaded = q.Knowing(); len(q.Loaded) > 0 {
			r = q.Solve(goal, q.Bounds(), query.Medium)
			if !r.Sat && !r.Unsat {
				r = q.BySides(goal, r)
			}
		}
	}
	switch {
	case r.Sat:
		return q.satisfied(r.Model)
	case !r.Unsat:
		return q.undecided(r.Reason)
	}
	return q.wrapping(r.Core)
}

// withoutMemory returns those of the conditions that say nothing of contents of memory: where they contradict each
// other, two threads do not race whatever memory holds.
func (q *pairQuery) withoutMemory(conds []*expr.Bool) (out []*expr.Bool) {
	loaded := func(v expr.Variable) bool {
		v.Name, _, _ = strings.Cut(v.Name, "#")
		return q.a.FromMemory(v)
	}
	for _, c := range query.Conjuncts(nil, conds) {
		if !slices.ContainsFunc(c.Vars(), loaded) {
			out = append(out, c)
		}
	}
	return out
}

// effort returns a small effort if a proof is unlikely because the contents of memory decide.
func (q *pairQuery) effort() query.Effort {
	if q.X.Data != "" || q.Y.Data != "" {
		return query.Cheap
	}
	return 0
}

// wrapping completes a proof that assumes that nothing wraps around.
func (q *pairQuery) wrapping(core []string) finding {
	q.a.FindWraps(q.X)
	q.a.FindWraps(q.Y)
	needed := q.Used(core)
	open := append(q.X.OpenWraps(), q.Y.OpenWraps()...)
	if len(open) == 0 {
		return clean(ByFormulas, needed...)
	}
	if _, ok := q.Assume(); !ok {
		goal, bounds := q.Exact()
		r := q.Solve(goal, bounds, query.Cheap)
		if !r.Sat && !r.Unsat && len(q.Loaded) > 0 {
			r = q.BySides(goal, r)
		}
		if r.Unsat {
			return clean(ByFormulas, q.Used(r.Core)...)
		}
		if core, ok := q.FitByValues(); ok {
			return clean(ByFormulas, append(needed, q.Used(core)...)...)
		}
	}
	for _, w := range open {
		if !w.Host || !q.MayAssume() {
			return q.byCases(possible("an index may wrap around: %s", query.Short(w.Node.Args()[0])))
		}
		needed = append(needed, w.Assumption())
	}
	return clean(ByFormulas, needed...)
}

// satisfied returns the finding for values found by the solver: a race if two threads executed with them make it.
func (q *pairQuery) satisfied(m *expr.Model) finding {
	if q.a.opt.ProofOnly || q.proof || q.Kind == kernel.AnyThread { // only a proof counts for all threads of a block
		return q.byCases(possible("the conditions can be met"))
	}
	if g := q.a.Given; g.Unfollowed && g.Site == "" {
		return possible("no launch of the kernel is known in the program")
	} else if g.Unfollowed {
		return possible("what the launch at %s is given is not known, as host code was not followed to it in every way",
			g.Site)
	}
	w, m := q.search(m)
	if w != nil && (len(w.Memory) == 0 || q.a.opt.Contents && !loadedIndex(&q.Conflict)) {
		return finding{verdict: Racy, witness: w, data: len(w.Memory) > 0}
	}
	f, ok := q.reasons()
	if !ok {
		f = possible("the conditions can be met, but no execution was found")
	}
	if f = q.byCases(f); f.verdict != Possible {
		return f
	}
	if w == nil && !q.Anywhere {
		if f = q.within(f); f.verdict == Clean || f.fault != 0 {
			return f
		}
	}
	f.witness = w
	if q.a.byExecution() && !loadedIndex(&q.Conflict) {
		q.a.try(q, m)
	}
	return f
}

// loadedIndex reports whether what memory holds decides where one of the two accesses goes. Programs rely on what they
// put into such memory (permutations, claimed slots, rows of a sparse matrix): that certain contents let two threads
// race is no race of the program.
func loadedIndex(q *rules.Conflict) bool {
	return q.Contents.LoadedIndex(q.X) || q.Contents.LoadedIndex(q.Y)
}

// undecided returns the finding if the solver gave up.
func (q *pairQuery) undecided(why string) finding {
	f, ok := q.reasons()
	if !ok {
		f = possible("undecided: %s", why)
	}
	return q.byCases(f)
}

// reasons returns the finding if the accesses themselves leave the pair open.
func (q *pairQuery) reasons() (finding, bool) {
	for _, it := range []*kernel.Item{q.X, q.Y} {
		if it.Data != "" {
			f := possible("data-dependent: %s", it.Data)
			f.data = true
			return f, true
		}
	}
	if q.Anywhere {
		o, p := q.X.Object.Name(q.a.Kernel.Func), q.Y.Object.Name(q.a.Kernel.Func)
		if o == "" || p == "" {
			return possible("where an address leads is not known"), true
		}
		return possible("%s and %s may overlap", o, p), true
	}
	for _, it := range []*kernel.Item{q.X, q.Y} {
		if it.Opaque != "" {
			return possible("no closed formula: %s", it.Opaque), true
		}
	}
	return finding{}, false
}
