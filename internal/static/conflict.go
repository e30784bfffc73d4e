// A conflict of two accesses, as formulas: two threads make them to common bytes.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// conflict is that two threads make two accesses to common bytes, as formulas.
type conflict struct {
	m        contents
	x, y     *kernel.Item
	kind     kernel.Kind
	order    *expr.Bool
	distance *expr.Int // between the objects' addresses
	anywhere bool      // the addresses may be equal whatever the indices
	bytes    bool      // accesses may be misaligned
	aligned  bool      // the formulas are for accesses that are not misaligned
	tickets  []string  // needs of the conditions of distinct
	// loaded has what is known of values out of memory, from the second attempt on, and needs what each of these facts
	// needs.
	loaded []solve.Fact
	needs  map[string][]string
}

// solve answers a query whose proof belongs to the pair alone, which needs the facts of its formulas in any case.
func (q *conflict) solve(goal []*expr.Bool, bounds []solve.Fact, e query.Effort, needed ...string) query.Answer {
	return q.m.SolveWith(slices.Concat(q.x.Needs(), q.y.Needs(), needed), goal, bounds, e)
}

// used returns the names of the facts of the formulas, and of those of a core.
func (q *conflict) used(core []string) []string {
	out := slices.Concat(q.x.Needs(), q.y.Needs())
	for _, name := range core {
		if more, ok := q.needs[name]; ok {
			out = append(out, more...)
		} else {
			out = append(out, name)
		}
	}
	out = append(out, q.tickets...)
	slices.Sort(out)
	return slices.Compact(out)
}

// fitting returns the query under the assumption that no index wraps around. When the time is over, parts of queries
// are missing, and none is answered.
func (q *conflict) fitting() ([]*expr.Bool, []solve.Fact) {
	a1, c1 := q.x.Fitting(1)
	if q.m.Over() {
		return nil, nil
	}
	a2, c2 := q.y.Fitting(2)
	return q.goal(a1, a2, append(c1, c2...)), q.bounds()
}

// exact returns the query with wrap-around.
func (q *conflict) exact() ([]*expr.Bool, []solve.Fact) {
	conds := append(q.x.Formulas(1), q.y.Formulas(2)...)
	return q.goal(q.x.Addr.Instance(1), q.y.Addr.Instance(2), conds), q.bounds()
}

func (q *conflict) bounds() []solve.Fact {
	f := slices.Concat(q.m.BoundsOf(q.x, 1), q.m.BoundsOf(q.y, 2))
	if len(f) == 2 && f[0].Name == f[1].Name {
		f = []solve.Fact{{Name: f[0].Name, Formula: expr.All(f[0].Formula, f[1].Formula)}}
	}
	for i := range f {
		f[i].Formula = q.oneBlock(f[i].Formula)
	}
	return slices.Concat(f, q.loaded)
}

// oneBlock puts both threads into one block, unless the kind requires different blocks.
func (q *conflict) oneBlock(f *expr.Bool) *expr.Bool {
	if q.kind == kernel.InterBlock {
		return f
	}
	return q.m.OneBlock(f)
}

// goal returns the condition that the threads are different, make the accesses without a barrier in between, and touch
// a common byte.
func (q *conflict) goal(a1, a2 *expr.Int, conds []*expr.Bool) []*expr.Bool {
	touch := expr.True
	if !q.anywhere {
		if touch = q.oneBlock(q.overlap(a1, a2)); touch == expr.False {
			return []*expr.Bool{touch}
		}
	}
	goal := append([]*expr.Bool{kernel.Different(q.kind), q.order, touch}, conds...)
	goal = append(goal, q.m.Ranges(1)...)
	goal = append(goal, q.m.Ranges(2)...)
	if q.kind != kernel.InterBlock {
		goal = append(goal, q.m.Recurrences(q.x, q.y, query.Conjuncts(nil, []*expr.Bool{kernel.Different(q.kind), q.order}))...)
	}
	for _, k := range q.says(rulesOfFormulas) {
		goal, q.tickets = append(goal, k.formula), append(q.tickets, k.needs...)
	}
	var out []*expr.Bool
	for _, f := range goal {
		if q.m.Over() {
			return nil
		}
		if f = q.oneBlock(f); f != expr.True {
			out = append(out, f)
		}
	}
	return out
}

// overlap is the condition that the accesses touch a common byte.
func (q *conflict) overlap(a1, a2 *expr.Int) *expr.Bool {
	s1, s2 := int64(q.x.Access.Size), int64(q.y.Access.Size)
	d := expr.Wrap(expr.Add(expr.Sub(a1, a2), q.distance), 64, true)
	if q.kind == kernel.InterBlock && (q.x.Remote || q.y.Remote) {
		d = kernel.BetweenRanks(d)
	}
	switch {
	case s1 == 0 || s2 == 0:
		return expr.Maybe()
	case s1 == s2 && q.multiples(d, s1):
		return expr.Eq(d, expr.Const(0))
	}
	return expr.All(expr.Gt(d, expr.Const(-s1)), expr.Lt(d, expr.Const(s2)))
}

// multiples reports whether the distance of the two addresses is a multiple of their size: by its formula, or because
// addresses are multiples of the size of the access, or it faults (PTX ISA, "Addresses as Operands"). Bulk copies have
// no such alignment.
func (q *conflict) multiples(d *expr.Int, size int64) bool {
	if size&(size-1) == 0 && int64(1)<<min(expr.Twos(d), 62) >= size {
		return true
	}
	if q.bytes || q.x.Access.Bulk || q.y.Access.Bulk {
		return false
	}
	q.aligned = true
	return true
}

// mayAssume reports whether indices may be assumed not to wrap around: host code allocates the accessed memory, which
// the program would otherwise leave.
func (q *conflict) mayAssume() bool {
	known := func(it *kernel.Item) bool {
		p := q.m.Pointer(&it.Object)
		return p != nil && p.Size != nil || it.Object.Var != nil
	}
	return q.m.Assumed.NoWrap || known(q.x) && known(q.y)
}

// assume returns the assumptions that nothing in the two accesses, and in some others, wraps around; ok is false if
// they may not be made.
func (q *conflict) assume(items ...*kernel.Item) (assumed []string, ok bool) {
	for _, it := range append(items, q.x, q.y) {
		for _, w := range it.OpenWraps() {
			if !w.Host || !q.mayAssume() {
				return nil, false
			}
			assumed = append(assumed, w.Assumption())
		}
	}
	return assumed, true
}

// equal reports whether two addresses are equal by their formulas.
func (q *conflict) equal(a1, a2, distance *expr.Int) bool {
	return q.oneBlock(expr.Eq(expr.Add(expr.Sub(a1, a2), distance), expr.Const(0))) == expr.True
}
