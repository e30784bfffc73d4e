// Candidate launches of a pair's witness: the solver's model, and models with smaller sizes. Both threads are executed
// in each.

package static

import (
	"fmt"
	"math"
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// smaller are the limits of numbers and extents in the launches that are tried after that of the solver's values: in a
// launch of an extreme size, threads make more steps than are executed, leave their allocations, or are too many to be
// executed at all.
var smaller = []int64{64, 4096}

// search returns a witness of the pair, nil if none is found, and the values of the last launch that was tried. Small
// launches come first once one has shown a race that the solver's values did not show.
func (q *pairQuery) search(m *expr.Model) (*Witness, *expr.Model) {
	if m == nil {
		return nil, nil
	}
	var small *expr.Model
	if q.a.smallFirst {
		if small = q.smallest(m); small != nil {
			if w := q.shown(small); w != nil {
				return w, small
			}
		}
	}
	w := q.shown(m)
	if w == nil && !q.anywhere {
		w = q.confirmWithin()
	}
	if w != nil || small != nil {
		return w, m
	}
	if small = q.smallest(m); small == nil {
		return nil, m
	}
	w = q.shown(small)
	q.a.smallFirst = q.a.smallFirst || w != nil
	return w, small
}

// shown returns the witness of a model if an execution confirms it; nil if the formulas leave the addresses open.
func (q *pairQuery) shown(m *expr.Model) *Witness {
	if q.anywhere {
		return nil
	}
	return q.confirm(m)
}

// smallest returns values of a smaller launch than those of a model; nil if none are found.
func (q *pairQuery) smallest(m *expr.Model) *expr.Model {
	for _, limit := range smaller {
		if q.atMost(m, limit) {
			return nil
		}
		if n := q.smaller(limit); n != nil {
			return n
		}
	}
	return nil
}

// sizes returns the numbers of a launch that decide how long and how large it is: those that host code passes, and
// extents.
func (m *model) sizes() []*expr.Int {
	if m.sized != nil {
		return m.sized
	}
	m.sized = []*expr.Int{}
	for _, d := range dims {
		for _, of := range []string{"ntid", "nctaid"} {
			if x := facts.Dim(of, d).Subst(m.filling); len(x.Vars()) > 0 {
				m.sized = append(m.sized, x)
			}
		}
	}
	numbers := m.scalars()
	for _, f := range m.facts {
		numbers = append(numbers, f.Formula.Vars()...)
	}
	seen := make(map[string]bool)
	for _, v := range numbers {
		var p facts.Param
		if n, _ := fmt.Sscanf(v.Name, "p%d@%d", &p.Index, &p.Offset); v.Bool || seen[v.Name] ||
			n > 0 && m.isPointer(p) {
			continue
		}
		seen[v.Name] = true
		m.sized = append(m.sized, expr.NewVar(v))
	}
	return m.sized
}

// atMost reports whether the sizes of the launch of a model are from 0 to a limit.
func (q *pairQuery) atMost(m *expr.Model, limit int64) bool {
	for _, x := range q.a.sizes() {
		for _, v := range x.Vars() {
			if k := m.Ints[v.Name]; k != nil && (k.Sign() < 0 || k.Cmp(big.NewInt(limit)) > 0) {
				return false
			}
		}
	}
	return true
}

// smaller returns values for which the pair's conditions are met in a launch whose sizes are at most a limit, nil if
// none are found.
func (q *pairQuery) smaller(limit int64) *expr.Model {
	goal, bounds := q.fitting()
	for _, x := range q.a.sizes() {
		goal = append(goal, expr.Ge(x, expr.Const(0)), expr.Le(x, expr.Const(limit)))
	}
	if r := q.a.solve(goal, bounds, cheap); r.sat {
		return r.model
	}
	return nil
}

// confirmWithin tries values for which other accesses stay in their allocations, too, and loads of one address read one
// value.
func (q *pairQuery) confirmWithin() *Witness {
	goal, bounds := q.fitting()
	n := len(goal)
	for _, it := range q.a.items {
		for _, f := range it.others(q.a.model)[0] {
			goal = append(goal, q.oneBlock(f))
		}
		if it == q.x || it == q.y {
			continue
		}
		for thread := 1; thread <= 2; thread++ {
			for _, f := range it.others(q.a.model)[thread] {
				goal = append(goal, q.oneBlock(f))
			}
		}
	}
	if len(goal) == n {
		return nil
	}
	if r := q.a.solve(goal, bounds, cheap); r.sat && r.model != nil {
		return q.confirm(r.model)
	}
	return nil
}

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
