// Where accesses lead: in their allocations, provably or shown by a launch.

package kernel

import (
	"maps"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// BoundsOf is the condition that an access stays in its allocation, if that is known.
func (m *Model) BoundsOf(it *Item, thread int) []solve.Fact {
	p := m.Pointer(&it.Object)
	if p == nil || p.Size == nil || p.Offset == nil || it.Offset.IsUnknown() {
		return nil
	}
	if it.bounds[thread] != nil {
		return it.bounds[thread]
	}
	at := expr.Add(expr.Wrap(it.Offset, 64, true), p.Offset)
	end := expr.Add(at, expr.Const(int64(it.Access.Size)))
	it.bounds[thread] = []solve.Fact{{Name: p.Bound, Formula: expr.All(expr.Ge(at, expr.Const(0)),
		expr.Le(end, p.Size)).Instance(thread)}}
	return it.bounds[thread]
}

// provenIn reports whether an access to a variable provably stays in it: its offset is at most last.
func (m *Model) provenIn(it *Item, last int64) bool {
	if it.inside == nil {
		m.FindWraps(it)
		out := expr.Any(expr.Lt(it.Offset, expr.Const(0)), expr.Gt(it.Offset, expr.Const(last))).Instance(1)
		goal := append(append(it.Formulas(1), m.Ranges(1)...), out)
		r := m.Solve(goal, nil, query.Cheap|query.NoModel)
		if !r.Unsat {
			r.Core, r.Unsat = m.neverByCases(it, goal)
		}
		it.inside = &r
	}
	return it.inside.Unsat
}

// KnownInside reports whether it is known already that an access to a variable stays in it.
func (it *Item) KnownInside() bool { return it.inside != nil && it.inside.Unsat }

// NeverInside reports whether an access is outside of its allocation whenever it is made.
func (m *Model) NeverInside(it *Item) bool {
	if it.within == nil {
		bounds := m.BoundsOf(it, 1)
		r := m.Solve(append(it.Formulas(1), m.Ranges(1)...), bounds, query.Cheap|query.NoModel)
		r.Unsat = r.Unsat && len(bounds) > 0 && slices.Contains(r.Core, bounds[0].Name)
		it.within = &r
	}
	return it.within.Unsat
}

// ShownInside reports whether the record has a launch in which an access is made inside of its allocation.
func (m *Model) ShownInside(it *Item) bool {
	if it.shown == nil {
		shown := m.Satisfiable(append(it.Formulas(1), m.Ranges(1)...), m.BoundsOf(it, 1))
		it.shown = &shown
	}
	return *it.shown
}

// neverByCases reports whether thread 1 never makes an access so that formulas hold, by a query for each combination of
// values that loops carry, and by which facts.
func (m *Model) neverByCases(it *Item, goal []*expr.Bool) ([]string, bool) {
	c := NewCases(m, maxInside, true, it)
	vars := c.carried()
	if len(vars) == 0 || !m.Takes(LoopCases) {
		return nil, false
	}
	proved := c.unsatisfiable(goal, nil, vars)
	if proved {
		m.Applies(LoopCases)
	}
	return slices.Sorted(maps.Keys(c.Needed)), proved
}

// maxInside limits the queries about where one access leads.
const maxInside = 400

// Others returns the conditions on an access for values with which two threads make other accesses: that it reads the
// same in both at one address, and that it stays in its allocation in each of them.
func (it *Item) Others(m *Model) *[3][]*expr.Bool {
	if it.stays != nil {
		return it.stays
	}
	it.stays = &[3][]*expr.Bool{}
	if f := m.readsEqual(it); f != nil {
		it.stays[0] = append(it.stays[0], f)
	}
	for thread := 1; thread <= 2; thread++ {
		for _, f := range m.BoundsOf(it, thread) {
			it.stays[thread] = append(it.stays[thread], expr.Implies(it.Cond.Instance(thread), f.Formula))
		}
	}
	return it.stays
}

// readsEqual is the condition that a load reads the same in both threads if its address is the same; nil for other
// accesses.
func (m *Model) readsEqual(it *Item) *expr.Bool {
	name := m.LoadName(it.Access.Frame, it.Access.Inst, 0)
	if name == "" || it.Addr.IsUnknown() {
		return nil
	}
	v := expr.Var(name, math.MinInt64, math.MaxInt64)
	for _, x := range m.Variables() {
		if x.Name == name && !x.Bool {
			v = expr.NewVar(x)
		}
	}
	return expr.Implies(expr.Eq(it.Addr.Instance(1), it.Addr.Instance(2)), expr.Eq(v.Instance(1), v.Instance(2)))
}

// NeverInVariable reports whether an access is outside of its variable whenever it is made, and of the same variable of
// other blocks of the cluster, if it may be to their memory.
func (m *Model) NeverInVariable(it *Item) bool {
	last := int64(it.Object.Var.Size) - int64(it.Access.Size)
	lo, hi := it.Offset.Range()
	switch {
	case it.Object.Var.Size == 0 || it.Access.Size == 0 || it.Offset.IsUnknown():
		return false // an array of unknown length, or an access of unknown size
	case last < 0:
		return true
	case lo != nil && hi != nil && lo.Sign() >= 0 && hi.IsInt64() && hi.Int64() <= last:
		return false
	}
	if it.within == nil {
		at := expr.Wrap(it.Offset, 64, true)
		if it.Remote {
			at = BetweenRanks(at)
		}
		inside := expr.All(expr.Ge(at, expr.Const(0)), expr.Le(at, expr.Const(last))).Instance(1)
		r := m.Solve(append(append(it.Formulas(1), m.Ranges(1)...), inside), nil, query.Cheap|query.NoModel)
		it.within = &r
	}
	return it.within.Unsat
}
