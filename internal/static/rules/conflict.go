// A conflict of two accesses, as formulas: two threads make them to common bytes.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// Conflict is that two threads make two accesses to common bytes, as formulas.
type Conflict struct {
	Contents Contents
	X, Y     *kernel.Item
	Kind     kernel.Kind
	Order    *expr.Bool
	Distance *expr.Int // between the objects' addresses
	Anywhere bool      // the addresses may be equal whatever the indices
	Bytes    bool      // accesses may be misaligned
	Aligned  bool      // the formulas are for accesses that are not misaligned
	tickets  []string  // needs of the conditions of distinct
	// Loaded has what is known of values out of memory, from the second attempt on, and needs what each of these facts
	// needs.
	Loaded []solve.Fact
	needs  map[string][]string
}

// Solve answers a query whose proof belongs to the pair alone, which needs the facts of its formulas in any case.
func (q *Conflict) Solve(goal []*expr.Bool, bounds []solve.Fact, e query.Effort, needed ...string) query.Answer {
	return q.Contents.SolveWith(slices.Concat(q.X.Needs(), q.Y.Needs(), needed), goal, bounds, e)
}

// Used returns the names of the facts of the formulas, and of those of a core.
func (q *Conflict) Used(core []string) []string {
	out := slices.Concat(q.X.Needs(), q.Y.Needs())
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

// Fitting returns the query under the assumption that no index wraps around. When the time is over, parts of queries
// are missing, and none is answered.
func (q *Conflict) Fitting() ([]*expr.Bool, []solve.Fact) {
	a1, c1 := q.X.Fitting(1)
	if q.Contents.Over() {
		return nil, nil
	}
	a2, c2 := q.Y.Fitting(2)
	return q.goal(a1, a2, append(c1, c2...)), q.Bounds()
}

// Exact returns the query with wrap-around.
func (q *Conflict) Exact() ([]*expr.Bool, []solve.Fact) {
	conds := append(q.X.Formulas(1), q.Y.Formulas(2)...)
	return q.goal(q.X.Addr.Instance(1), q.Y.Addr.Instance(2), conds), q.Bounds()
}

// Bounds returns the facts that both accesses stay in their allocations, and what is known of values out of memory.
func (q *Conflict) Bounds() []solve.Fact {
	f := slices.Concat(q.Contents.BoundsOf(q.X, 1), q.Contents.BoundsOf(q.Y, 2))
	if len(f) == 2 && f[0].Name == f[1].Name {
		f = []solve.Fact{{Name: f[0].Name, Formula: expr.All(f[0].Formula, f[1].Formula)}}
	}
	for i := range f {
		f[i].Formula = q.OneBlock(f[i].Formula)
	}
	return slices.Concat(f, q.Loaded)
}

// OneBlock puts both threads into one block, unless the kind requires different blocks.
func (q *Conflict) OneBlock(f *expr.Bool) *expr.Bool {
	if q.Kind == kernel.InterBlock {
		return f
	}
	return q.Contents.OneBlock(f)
}

// goal returns the condition that the threads are different, make the accesses without a barrier in between, and touch
// a common byte.
func (q *Conflict) goal(a1, a2 *expr.Int, conds []*expr.Bool) []*expr.Bool {
	touch := expr.True
	if !q.Anywhere {
		if touch = q.OneBlock(q.Overlap(a1, a2)); touch == expr.False {
			return []*expr.Bool{touch}
		}
	}
	goal := append([]*expr.Bool{kernel.Different(q.Kind), q.Order, touch}, conds...)
	goal = append(goal, q.Contents.Ranges(1)...)
	goal = append(goal, q.Contents.Ranges(2)...)
	if q.Kind != kernel.InterBlock {
		given := query.Conjuncts(nil, []*expr.Bool{kernel.Different(q.Kind), q.Order})
		goal = append(goal, q.Contents.Recurrences(q.X, q.Y, given)...)
	}
	for _, k := range q.says(rulesOfFormulas) {
		goal, q.tickets = append(goal, k.formula), append(q.tickets, k.needs...)
	}
	var out []*expr.Bool
	for _, f := range goal {
		if q.Contents.Over() {
			return nil
		}
		if f = q.OneBlock(f); f != expr.True {
			out = append(out, f)
		}
	}
	return out
}

// Overlap is the condition that the accesses touch a common byte.
func (q *Conflict) Overlap(a1, a2 *expr.Int) *expr.Bool {
	s1, s2 := int64(q.X.Access.Size), int64(q.Y.Access.Size)
	if q.X.Object.Base != q.Y.Object.Base { // whose addresses are variables, of which only the distance is known
		a1, a2 = q.X.Object.From(a1), q.Y.Object.From(a2)
	}
	d := expr.Wrap(expr.Add(expr.Sub(a1, a2), q.Distance), 64, true)
	if q.Kind == kernel.InterBlock && (q.X.Remote || q.Y.Remote) {
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
func (q *Conflict) multiples(d *expr.Int, size int64) bool {
	if size&(size-1) == 0 && int64(1)<<min(expr.Twos(d), 62) >= size {
		return true
	}
	if q.Bytes || q.X.Access.Bulk || q.Y.Access.Bulk {
		return false
	}
	q.Aligned = true
	return true
}

// MayAssume reports whether indices may be assumed not to wrap around: host code allocates the accessed memory, which
// the program would otherwise leave.
func (q *Conflict) MayAssume() bool {
	known := func(it *kernel.Item) bool {
		p := q.Contents.Pointer(&it.Object)
		return p != nil && p.Size != nil || it.Object.Var != nil
	}
	return q.Contents.Assumed.NoWrap || known(q.X) && known(q.Y)
}

// Assume returns the assumptions that nothing in the two accesses, and in some others, wraps around; ok is false if
// they may not be made.
func (q *Conflict) Assume(items ...*kernel.Item) (assumed []string, ok bool) {
	for _, it := range append(items, q.X, q.Y) {
		for _, w := range it.OpenWraps() {
			if !w.Host || !q.MayAssume() {
				return nil, false
			}
			assumed = append(assumed, w.Assumption())
		}
	}
	return assumed, true
}

// equal reports whether two addresses are equal by their formulas.
func (q *Conflict) equal(a1, a2, distance *expr.Int) bool {
	return q.OneBlock(expr.Eq(expr.Add(expr.Sub(a1, a2), distance), expr.Const(0))) == expr.True
}
