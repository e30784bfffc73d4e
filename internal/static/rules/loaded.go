// Values that come out of memory: what is known of those of two threads.

package rules

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// site is a reading of one of the two threads of a pair.
type site struct {
	kernel.Reading
	thread int
}

func (s *site) addr() *expr.Int { return s.By.Addr.Instance(s.thread) }
func (s *site) val() *expr.Int  { return s.Value.Instance(s.thread) }

// Limits of what is said of the values of a pair.
const (
	maxKnown      = 60  // formulas
	maxKnownNodes = 900 // of their formulas
)

// sites returns the values out of memory on which the two accesses depend.
func (q *Conflict) sites() (sites []site) {
	if q.Kind == kernel.OwnThread {
		return nil
	}
	for i, it := range []*kernel.Item{q.X, q.Y} {
		for _, r := range q.Contents.Readings(it) {
			sites = append(sites, site{r, i + 1})
		}
	}
	return sites
}

// eachPair returns what a function says of each two values out of memory.
func (q *Conflict) eachPair(of func(s, t *site) []known) (out []known) {
	sites := q.sites()
	for i := range sites {
		for k := range i {
			out = append(out, of(&sites[k], &sites[i])...)
		}
	}
	return out
}

// Knowing returns the formulas of values as facts, and records what each needs.
func (q *Conflict) Knowing() (out []solve.Fact) {
	q.needs = make(map[string][]string)
	nodes := 0
	for _, k := range q.says(rulesOfValues) {
		f := q.OneBlock(k.formula)
		if nodes += f.Size(); f == expr.True || len(out) == maxKnown || nodes > maxKnownNodes {
			continue
		}
		name := fmt.Sprintf("value %d", len(out))
		q.needs[name] = k.needs
		out = append(out, solve.Fact{Name: name, Formula: f})
	}
	return out
}

// equalLoads returns that two loads from one address return one value, if the kernel does not write to the object.
func (q *Conflict) equalLoads(s, t *site) []known {
	v, w := s.Value.Variable(), t.Value.Variable()
	if s.By.Access.Kind != isa.AccessLoad || t.By.Access.Kind != isa.AccessLoad ||
		s.By.Access.ElemSize != t.By.Access.ElemSize ||
		v.Lo.Cmp(w.Lo) != 0 || v.Hi.Cmp(w.Hi) != 0 {
		return nil
	}
	r, distance, needed := q.Contents.Relate(s.By, t.By)
	if r != kernel.Related {
		return nil
	}
	more, ok := q.Contents.Constant(s.By)
	if ok && t.By != s.By {
		var others []string
		others, ok = q.Contents.Constant(t.By)
		more = append(slices.Clone(more), others...)
	}
	d := expr.Add(expr.Sub(s.addr(), t.addr()), distance)
	if ok {
		needed = slices.Concat(needed, more, s.By.Needs(), t.By.Needs())
		if out := q.ordered(s, t, needed); out != nil {
			return out
		}
		return []known{{expr.Implies(expr.Eq(d, expr.Const(0)), expr.Eq(s.val(), t.val())), needed}}
	}
	if s.thread != t.thread {
		return nil
	}
	if more, ok = q.Contents.unchanged(s.By, t.By); !ok {
		return nil
	}
	return []known{{
		expr.Implies(expr.Eq(d, expr.Const(0)), expr.Eq(s.val(), t.val())),
		slices.Concat(needed, more, s.By.Needs(), t.By.Needs()),
	}}
}

// ordered returns what a fact about the elements of one allocation says of the values of two loads from it.
func (q *Conflict) ordered(s, t *site, needed []string) []known {
	p, o := q.Contents.Pointer(&s.By.Object), q.Contents.Pointer(&t.By.Object)
	if p == nil || o == nil || p.Order == "" || p.Buffer != o.Buffer || p.Offset == nil || o.Offset == nil {
		return nil
	}
	bits := 8 * s.By.Access.ElemSize
	at := func(x *site, from *facts.Pointer) *expr.Int {
		return expr.Add(expr.Wrap(x.By.Offset.Instance(x.thread), 64, true), from.Offset)
	}
	d := expr.Sub(at(s, p), at(t, o))
	needed = slices.Concat(needed, []string{kernel.Sized(p.Ordered, s.By), kernel.Sized(o.Ordered, t.By)})
	if p.Order == facts.Distinct {
		return []known{{expr.Iff(expr.Eq(d, expr.Const(0)), expr.Eq(s.val(), t.val())), needed}}
	}
	v, w := expr.Wrap(s.val(), bits, true), expr.Wrap(t.val(), bits, true)
	return []known{
		{expr.Implies(expr.Le(d, expr.Const(0)), expr.Le(v, w)), needed},
		{expr.Implies(expr.Ge(d, expr.Const(0)), expr.Ge(v, w)), needed},
	}
}

// sides returns the places of what the threads load by one instruction from an ascending allocation, the first minus
// the second.
func (q *Conflict) sides() *expr.Int {
	for _, r := range q.Contents.Readings(q.X) {
		p := q.Contents.Pointer(&r.By.Object)
		if p == nil || p.Order != facts.Ascending || !slices.ContainsFunc(q.Contents.Readings(q.Y),
			func(s kernel.Reading) bool { return s.By == r.By }) {
			continue
		}
		at := func(thread int) *expr.Int { return expr.Wrap(r.By.Offset.Instance(thread), 64, true) }
		return expr.Sub(at(1), at(2))
	}
	return nil
}

// BySides asks a query that was not decided for each order of the places in an ascending allocation: it is
// unsatisfiable if it is for all.
func (q *Conflict) BySides(goal []*expr.Bool, undecided query.Answer) query.Answer {
	d := q.sides()
	if d == nil || !q.Contents.Takes(sidesOfOrder) {
		return undecided
	}
	out := query.Answer{Unsat: true}
	for _, side := range []*expr.Bool{expr.Lt(d, expr.Const(0)), expr.Gt(d, expr.Const(0)), expr.Eq(d, expr.Const(0))} {
		r := q.Solve(append(slices.Clip(goal), q.OneBlock(side)), q.Bounds(), query.Medium)
		if !r.Unsat {
			return undecided
		}
		out.Core, out.Proofs = append(out.Core, r.Core...), append(out.Proofs, r.Proofs...)
	}
	q.Contents.Applies(sidesOfOrder)
	slices.Sort(out.Core)
	out.Core = slices.Compact(out.Core)
	return out
}

// FitByValues reports whether what is known of loaded values shows, for two threads that make the accesses, that no
// index wraps around, and returns the core of the proofs. An index may have others in it, which come first.
func (q *Conflict) FitByValues() (core []string, ok bool) {
	if len(q.Loaded) == 0 && !q.Anywhere {
		q.Loaded = q.Knowing()
	}
	if len(q.Loaded) == 0 {
		return nil, false
	}
	goal := slices.Concat(q.X.Formulas(1), q.Y.Formulas(2), q.Contents.Ranges(1), q.Contents.Ranges(2))
	for i, it := range []*kernel.Item{q.X, q.Y} {
		for _, w := range it.OpenWraps() {
			_, fits := kernel.Unwrap(w.Node)
			fits = fits.Instance(i + 1)
			r := q.Contents.Solve(q.together(append(slices.Clip(goal), expr.Not(fits))), q.Bounds(),
				query.Medium|query.NoModel)
			if !r.Unsat {
				return nil, false
			}
			goal, core = append(goal, fits), append(core, r.Core...)
		}
	}
	return core, true
}

// together puts both threads of all formulas into one block, unless the kind requires different blocks.
func (q *Conflict) together(fs []*expr.Bool) []*expr.Bool {
	out := make([]*expr.Bool, len(fs))
	for i, f := range fs {
		out[i] = q.OneBlock(f)
	}
	return out
}
