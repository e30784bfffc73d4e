// Values that come out of memory: what is known of those of two threads.

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// reading is a value that a load or an atomic operation returns.
type reading struct {
	by    *item
	value *expr.Int // variable
}

// site is a reading of one of the two threads of a pair.
type site struct {
	reading
	thread int
}

func (s *site) addr() *expr.Int { return s.by.addr.Instance(s.thread) }
func (s *site) val() *expr.Int  { return s.value.Instance(s.thread) }

// Limits of what is said of the values of a pair.
const (
	maxReadings   = 10  // of an access
	maxKnown      = 60  // formulas
	maxKnownNodes = 900 // of their formulas
)

// readings returns the values out of memory on which an access depends, those that decide from where others are read
// included.
func (m *model) readings(it *item) (out []reading) {
	if it.data == "" || len(m.kernel.Unknown) > 0 || m.traits.hidden != nil || m.traits.tex != nil {
		return nil
	}
	vars := expr.Vars([]*expr.Int{it.addr}, append([]*expr.Bool{it.cond}, it.sides...))
	for i := 0; i < len(vars) && len(out) < maxReadings; i++ {
		by := m.readerOf(vars[i])
		if by == nil {
			continue
		}
		out = append(out, reading{by: by, value: expr.NewVar(vars[i])})
		for _, v := range by.addr.Vars() {
			if !slices.ContainsFunc(vars, func(w expr.Variable) bool { return w.Name == v.Name }) {
				vars = append(vars, v)
			}
		}
	}
	return out
}

// readerOf returns the access whose result a variable stands for; nil for other variables, and for results of several
// elements.
func (m *model) readerOf(v expr.Variable) *item {
	o := m.kernel.Origin(v.Name)
	if o == nil || o.Inst == nil || v.Bool || o.Loop() != nil || len(o.Inst.Operands) == 0 ||
		o.Inst.Operands[0].Kind != rewrite.OperandReg {
		return nil
	}
	list := m.readers[loadKey{o.Frame, o.Inst}]
	if len(list) != 1 || list[0].chosen || async(list[0]) || !list[0].acc.Single() || list[0].addr.IsUnknown() {
		return nil
	}
	return list[0]
}

// sites returns the values out of memory on which the two accesses depend.
func (q *conflict) sites() (sites []site) {
	if q.kind == ownThread {
		return nil
	}
	for i, it := range []*item{q.x, q.y} {
		for _, r := range q.m.readings(it) {
			sites = append(sites, site{r, i + 1})
		}
	}
	return sites
}

// eachPair returns what a function says of each two values out of memory.
func (q *conflict) eachPair(of func(s, t *site) []known) (out []known) {
	sites := q.sites()
	for i := range sites {
		for k := range i {
			out = append(out, of(&sites[k], &sites[i])...)
		}
	}
	return out
}

// knowing returns the formulas of values as facts, and records what each needs.
func (q *conflict) knowing() (out []solve.Fact) {
	q.needs = make(map[string][]string)
	nodes := 0
	for _, k := range q.says(rulesOfValues) {
		f := q.oneBlock(k.formula)
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
func (q *conflict) equalLoads(s, t *site) []known {
	v, w := s.value.Variable(), t.value.Variable()
	if s.by.acc.Kind != isa.AccessLoad || t.by.acc.Kind != isa.AccessLoad || s.by.acc.ElemSize != t.by.acc.ElemSize ||
		v.Lo.Cmp(w.Lo) != 0 || v.Hi.Cmp(w.Hi) != 0 {
		return nil
	}
	r, distance, needed := q.m.relate(s.by, t.by)
	if r != related {
		return nil
	}
	more, ok := q.m.constant(s.by)
	if ok && t.by != s.by {
		var others []string
		others, ok = q.m.constant(t.by)
		more = append(slices.Clone(more), others...)
	}
	d := expr.Add(expr.Sub(s.addr(), t.addr()), distance)
	if ok {
		needed = slices.Concat(needed, more, s.by.needs(), t.by.needs())
		if out := q.ordered(s, t, needed); out != nil {
			return out
		}
		return []known{{expr.Implies(expr.Eq(d, expr.Const(0)), expr.Eq(s.val(), t.val())), needed}}
	}
	if s.thread != t.thread {
		return nil
	}
	if more, ok = q.m.unchanged(s.by, t.by); !ok {
		return nil
	}
	return []known{{
		expr.Implies(expr.Eq(d, expr.Const(0)), expr.Eq(s.val(), t.val())),
		slices.Concat(needed, more, s.by.needs(), t.by.needs()),
	}}
}

// ordered returns what a fact about the elements of one allocation says of the values of two loads from it.
func (q *conflict) ordered(s, t *site, needed []string) []known {
	p, o := q.m.pointer(&s.by.obj), q.m.pointer(&t.by.obj)
	if p == nil || o == nil || p.Order == "" || p.Buffer != o.Buffer || p.Offset == nil || o.Offset == nil {
		return nil
	}
	bits := 8 * s.by.acc.ElemSize
	at := func(x *site, from *facts.Pointer) *expr.Int {
		return expr.Add(expr.Wrap(x.by.offset.Instance(x.thread), 64, true), from.Offset)
	}
	d := expr.Sub(at(s, p), at(t, o))
	needed = slices.Concat(needed, []string{sized(p.Ordered, s.by), sized(o.Ordered, t.by)})
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
func (q *conflict) sides() *expr.Int {
	for _, r := range q.m.readings(q.x) {
		p := q.m.pointer(&r.by.obj)
		if p == nil || p.Order != facts.Ascending || !slices.ContainsFunc(q.m.readings(q.y),
			func(s reading) bool { return s.by == r.by }) {
			continue
		}
		at := func(thread int) *expr.Int { return expr.Wrap(r.by.offset.Instance(thread), 64, true) }
		return expr.Sub(at(1), at(2))
	}
	return nil
}

// ofOrdered reports whether a variable is an element of an ascending allocation.
func (m *model) ofOrdered(v expr.Variable) bool {
	by := m.readerOf(v)
	if by == nil {
		return false
	}
	p := m.pointer(&by.obj)
	return p != nil && p.Order == facts.Ascending
}

// bySides asks a query that was not decided for each order of the places in an ascending allocation: it is
// unsatisfiable if it is for all.
func (q *conflict) bySides(goal []*expr.Bool, undecided answer) answer {
	d := q.sides()
	if d == nil || !q.m.takes(sidesOfOrder) {
		return undecided
	}
	out := answer{unsat: true}
	for _, side := range []*expr.Bool{expr.Lt(d, expr.Const(0)), expr.Gt(d, expr.Const(0)), expr.Eq(d, expr.Const(0))} {
		r := q.solve(append(slices.Clip(goal), q.oneBlock(side)), q.bounds(), medium)
		if !r.unsat {
			return undecided
		}
		out.core, out.proofs = append(out.core, r.core...), append(out.proofs, r.proofs...)
	}
	q.m.applies(sidesOfOrder)
	slices.Sort(out.core)
	out.core = slices.Compact(out.core)
	return out
}

// sized returns the need of a fact about elements for those that a load reads: 4-byte elements in order say nothing of
// their bytes.
func sized(name string, l *item) string {
	return fmt.Sprintf("%s, of size %d", name, l.acc.ElemSize)
}

// constant reports whether a weak load is of memory that no thread of the launch writes to, and with which facts.
func (m *model) constant(l *item) ([]string, bool) {
	if l.acc.Inst.Strong() || l.obj.base == "" || l.obj.space != isa.SpaceGlobal && l.obj.space != isa.SpaceConst {
		return nil, false
	}
	if l.kept == nil {
		l.kept = &kept{ok: true}
		for _, w := range m.items {
			if !w.acc.Writes() {
				continue
			}
			r, _, needed := m.relate(l, w)
			l.kept.ok = l.kept.ok && r == apart
			l.kept.needs = append(l.kept.needs, needed...)
		}
	}
	return l.kept.needs, l.kept.ok
}

// kept is the result of constant.
type kept struct {
	ok    bool
	needs []string
}

// fitByValues reports whether what is known of loaded values shows, for two threads that make the accesses, that no
// index wraps around, and returns the core of the proofs. An index may have others in it, which come first.
func (q *conflict) fitByValues() (core []string, ok bool) {
	if len(q.loaded) == 0 && !q.anywhere {
		q.loaded = q.knowing()
	}
	if len(q.loaded) == 0 {
		return nil, false
	}
	goal := slices.Concat(q.x.formulas(1), q.y.formulas(2), q.m.ranges(1), q.m.ranges(2))
	for i, it := range []*item{q.x, q.y} {
		for _, w := range it.openWraps() {
			_, fits := inner(w.node)
			fits = fits.Instance(i + 1)
			r := q.m.solve(q.together(append(slices.Clip(goal), expr.Not(fits))), q.bounds(), medium|noModel)
			if !r.unsat {
				return nil, false
			}
			goal, core = append(goal, fits), append(core, r.core...)
		}
	}
	return core, true
}

// together puts both threads of all formulas into one block, unless the kind requires different blocks.
func (q *conflict) together(fs []*expr.Bool) []*expr.Bool {
	out := make([]*expr.Bool, len(fs))
	for i, f := range fs {
		out[i] = q.oneBlock(f)
	}
	return out
}
