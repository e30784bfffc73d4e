// Where accesses lead: in their allocations, provably or shown by a launch.

package static

import (
	"maps"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

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
		goal := append(append(it.formulas(1), m.Ranges(1)...), out)
		r := m.Solve(goal, nil, query.Cheap|query.NoModel)
		if !r.Unsat {
			r.Core, r.Unsat = m.neverByCases(it, goal)
		}
		it.inside = &r
	}
	return it.inside.Unsat
}

// knownInside reports whether it is known already that an access to a variable stays in it.
func (it *item) knownInside() bool { return it.inside != nil && it.inside.Unsat }

// neverInside reports whether an access is outside of its allocation whenever it is made.
func (m *model) neverInside(it *item) bool {
	if it.within == nil {
		bounds := m.boundsOf(it, 1)
		r := m.Solve(append(it.formulas(1), m.Ranges(1)...), bounds, query.Cheap|query.NoModel)
		r.Unsat = r.Unsat && len(bounds) > 0 && slices.Contains(r.Core, bounds[0].Name)
		it.within = &r
	}
	return it.within.Unsat
}

// shownInside reports whether the record has a launch in which an access is made inside of its allocation.
func (m *model) shownInside(it *item) bool {
	if it.shown == nil {
		shown := m.Satisfiable(append(it.formulas(1), m.Ranges(1)...), m.boundsOf(it, 1))
		it.shown = &shown
	}
	return *it.shown
}

// neverByCases reports whether thread 1 never makes an access so that formulas hold, by a query for each combination of
// values that loops carry, and by which facts.
func (m *model) neverByCases(it *item, goal []*expr.Bool) ([]string, bool) {
	c := newCases(m, maxInside, true, it)
	vars := c.carried()
	if len(vars) == 0 || !m.Takes(loopCases) {
		return nil, false
	}
	proved := c.unsatisfiable(goal, nil, vars)
	if proved {
		m.Applies(loopCases)
	}
	return slices.Sorted(maps.Keys(c.needed)), proved
}

// maxInside limits the queries about where one access leads.
const maxInside = 400

// others returns the conditions on an access for values with which two threads make other accesses: that it reads the
// same in both at one address, and that it stays in its allocation in each of them.
func (it *item) others(m *model) *[3][]*expr.Bool {
	if it.stays != nil {
		return it.stays
	}
	it.stays = &[3][]*expr.Bool{}
	if f := m.readsEqual(it); f != nil {
		it.stays[0] = append(it.stays[0], f)
	}
	for thread := 1; thread <= 2; thread++ {
		for _, f := range m.boundsOf(it, thread) {
			it.stays[thread] = append(it.stays[thread], expr.Implies(it.cond.Instance(thread), f.Formula))
		}
	}
	return it.stays
}

// readsEqual is the condition that a load reads the same in both threads if its address is the same; nil for other
// accesses.
func (m *model) readsEqual(it *item) *expr.Bool {
	name := m.loadName(it.acc.Frame, it.acc.Inst, 0)
	if name == "" || it.addr.IsUnknown() {
		return nil
	}
	v := expr.Var(name, math.MinInt64, math.MaxInt64)
	for _, x := range m.variables() {
		if x.Name == name && !x.Bool {
			v = expr.NewVar(x)
		}
	}
	return expr.Implies(expr.Eq(it.addr.Instance(1), it.addr.Instance(2)), expr.Eq(v.Instance(1), v.Instance(2)))
}

// neverInVariable reports whether an access is outside of its variable whenever it is made, and of the same variable of
// other blocks of the cluster, if it may be to their memory.
func (m *model) neverInVariable(it *item) bool {
	last := int64(it.obj.v.Size) - int64(it.acc.Size)
	lo, hi := it.offset.Range()
	switch {
	case it.obj.v.Size == 0 || it.acc.Size == 0 || it.offset.IsUnknown():
		return false // an array of unknown length, or an access of unknown size
	case last < 0:
		return true
	case lo != nil && hi != nil && lo.Sign() >= 0 && hi.IsInt64() && hi.Int64() <= last:
		return false
	}
	if it.within == nil {
		at := expr.Wrap(it.offset, 64, true)
		if it.remote {
			at = betweenRanks(at)
		}
		inside := expr.All(expr.Ge(at, expr.Const(0)), expr.Le(at, expr.Const(last))).Instance(1)
		r := m.Solve(append(append(it.formulas(1), m.Ranges(1)...), inside), nil, query.Cheap|query.NoModel)
		it.within = &r
	}
	return it.within.Unsat
}
