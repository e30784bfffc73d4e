// Accesses that a thread has made before one of a pair: they stay in their allocations, too.

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
)

// earlierAccesses is the name of the way to prove a pair by accesses before it, which a test can switch off.
const earlierAccesses = "earlier accesses"

// maxBefore limits the accesses before one of a pair whose bounds are taken into a query.
const maxBefore = 8

// before returns accesses that a thread has made whenever it makes another, in the same iterations of the same loops:
// those that dominate it, and have no guard.
func before(m *kernel.Model, x *kernel.Item) (out []*kernel.Item) {
	f := x.Access.Frame
	to, cfg := f.Block(x.Access.Inst), f.Func.CFG()
	for _, it := range m.Items {
		in := it.Access.Inst
		if it.Access.Frame != f || in == x.Access.Inst || in.Guard != nil || it.Chosen || kernel.Async(it) ||
			it.Access.Async ||
			cfg.Degenerate {
			continue
		}
		if b := f.Block(in); b == to && in.Index < x.Access.Inst.Index ||
			b != to && cfg.Dominates(b, to) && f.Loop(b) == f.Loop(to) {
			if out = append(out, it); len(out) == maxBefore {
				break
			}
		}
	}
	return out
}

// within tries to prove a pair by that the accesses which the two threads have made before stay in their allocations.
// Then it names one that does not in any launch, if there is one: no launch satisfies what such a proof needs.
func (q *pairQuery) within(f finding) finding {
	if !q.Contents.Takes(earlierAccesses) {
		return f
	}
	goal, bounds := q.Fitting()
	var used []*kernel.Item
	for i, x := range []*kernel.Item{q.X, q.Y} {
		for _, it := range before(q.a.Model, x) {
			for _, more := range q.a.BoundsOf(it, i+1) {
				more.Formula = q.OneBlock(more.Formula)
				if n := slices.IndexFunc(bounds, func(g solve.Fact) bool { return g.Name == more.Name }); n >= 0 {
					bounds[n].Formula = expr.All(bounds[n].Formula, more.Formula)
				} else {
					bounds = append(bounds, more)
				}
				used = append(used, it)
			}
		}
	}
	if len(used) == 0 {
		return f
	}
	r := q.a.Solve(goal, bounds, query.Cheap)
	if !r.Unsat {
		return f
	}
	proof := q.wrapping(r.Core)
	if proof.verdict != Clean {
		return f
	}
	q.Contents.Applies(earlierAccesses)
	for _, it := range used {
		proof.needed = append(proof.needed, it.Needs()...)
		if q.a.leaves(it) {
			out := possible("in every launch a thread makes the access at %s outside of %s",
				kernel.Where(it.Access.Inst),
				q.a.Pointer(&it.Object).Buffer)
			out.fault = it.Access.Inst.Line
			return out
		}
	}
	return proof
}

// leaves reports whether there is a thread that is outside of an allocation with an access in every launch, if it makes
// the access, and adds the fault.
func (a *analysis) leaves(it *kernel.Item) bool {
	bounds := a.BoundsOf(it, 1)
	if len(bounds) == 0 || !a.Followed(it) || slices.ContainsFunc(it.Cond.Vars(), a.FromMemory) {
		return false
	}
	out := append(append(it.Formulas(1), a.Ranges(1)...), expr.Not(bounds[0].Formula))
	r := a.Solve(out, nil, query.Cheap)
	if !r.Sat || r.Model == nil {
		return false
	}
	var thread []*expr.Bool
	for _, d := range query.Dims {
		for _, kind := range []string{"tid", "ctaid"} {
			x := symbolic.Index(kind, d).Instance(1)
			if k := r.Model.Ints[x.Variable().Name]; k != nil { // else of an extent of 1, or one that does not matter
				thread = append(thread, expr.Eq(x, expr.Big(k)))
			}
		}
	}
	inside := append(slices.Clone(thread), expr.Any(bounds[0].Formula,
		expr.Not(expr.All(it.Cond.Instance(1), expr.All(a.Ranges(1)...)))))
	if !a.Solve(inside, nil, query.Cheap|query.NoModel).Unsat {
		return false
	}
	why := fmt.Sprintf("in every launch a thread makes the access at %s outside of %s", kernel.Where(it.Access.Inst),
		a.Pointer(&it.Object).Buffer)
	a.fault(it.Access.Inst, why, append(thread, it.Formulas(1)...))
	return true
}
