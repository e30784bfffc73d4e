// Candidate launches of a pair's witness: the solver's model, and models with smaller sizes. Both threads are executed
// in each.

package static

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
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
	if w == nil && !q.Anywhere {
		w = q.confirmWithin()
	}
	if w != nil && w.Launched() <= MaxThreads || small != nil {
		return w, m
	}
	if small = q.smallest(m); small == nil {
		return w, m
	}
	less := q.shown(small)
	q.a.smallFirst = q.a.smallFirst || less != nil
	if less == nil && w != nil {
		return w, m
	}
	return less, small
}

// MaxThreads is the number of threads of the largest launch that shows a race in an execution.
const MaxThreads = 1 << 24

// Launched returns the number of threads of the launch of a witness; one above MaxThreads if it is at least that.
func (w *Witness) Launched() uint64 {
	n := uint64(1)
	for i := range 3 {
		for _, extent := range []uint32{w.Grid[i], w.Block[i]} {
			if n *= max(uint64(extent), 1); n > MaxThreads {
				return n
			}
		}
	}
	return n
}

// shown returns the witness of a model if an execution confirms it; nil if the formulas leave the addresses open.
func (q *pairQuery) shown(m *expr.Model) *Witness {
	if q.Anywhere {
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

// atMost reports whether the sizes of the launch of a model are from 0 to a limit.
func (q *pairQuery) atMost(m *expr.Model, limit int64) bool {
	for _, x := range q.a.Sizes() {
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
	more, sizes := q.rounds(), slices.Clone(q.a.Sizes())
	for _, v := range expr.Vars(nil, more) {
		if v.Uniform && !v.Bool {
			sizes = append(sizes, expr.NewVar(v))
		}
	}
	for _, x := range sizes {
		more = append(more, expr.Ge(x, expr.Const(0)), expr.Le(x, expr.Const(limit)))
	}
	return q.valuesWith(more)
}

// valuesWith returns values for which the pair's conditions and others are met, nil if none are found.
func (q *pairQuery) valuesWith(more []*expr.Bool) *expr.Model {
	goal, bounds := q.Fitting()
	for _, f := range more {
		goal = append(goal, q.OneBlock(f))
	}
	if r := q.a.Solve(goal, bounds, query.Cheap); r.Sat {
		return r.Model
	}
	return nil
}

// confirmWithin tries values for which both threads make the iterations of the loops around the accesses; then also
// those for which other accesses stay in their allocations, and loads of one address read one value.
func (q *pairQuery) confirmWithin() *Witness {
	rounds, others := q.rounds(), q.others()
	for _, limit := range smaller {
		if len(rounds) == 0 {
			break
		}
		if m := q.smaller(limit); m != nil {
			if w := q.confirm(m); w != nil {
				return w
			}
			break
		}
	}
	if len(others) == 0 {
		return nil
	}
	if m := q.valuesWith(append(rounds, others...)); m != nil {
		return q.confirm(m)
	}
	return nil
}

// rounds returns what is known of the iterations in which threads make the accesses. The formulas of an access have it
// only if its address or condition varies with the iteration.
func (q *pairQuery) rounds() (out []*expr.Bool) {
	for i, it := range []*kernel.Item{q.X, q.Y} {
		f := it.Access.Frame
		for _, l := range f.LoopsAround(f.Block(it.Access.Inst)) {
			for _, known := range append(l.Facts(1), l.Filled(q.a.Filling)...) {
				if known = known.Subst(q.a.Filling); known != expr.True {
					out = append(out, known.Instance(i+1))
				}
			}
		}
	}
	return out
}

// others returns that all other accesses of the two threads stay in their allocations, and that loads of one address
// read one value.
func (q *pairQuery) others() (out []*expr.Bool) {
	for _, it := range q.a.Items {
		of := it.Others(q.a.Model)
		out = append(out, of[0]...)
		if it != q.X { // else the query has the bounds
			out = append(out, of[1]...)
		}
		if it != q.Y {
			out = append(out, of[2]...)
		}
	}
	return out
}
