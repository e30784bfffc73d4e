// Tickets: what atomic additions to a counter return is different in every execution.

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// ticket is the result of an atomic addition of a positive constant to a counter that changes in no other way.
type ticket struct {
	by    *item     // the addition
	value *expr.Int // variable
	step  int64     // the least constant that is added
	needs []string  // facts by which the counter changes in no other way
}

// distinct returns the conditions that results of additions to one counter are different in two threads.
func (q *conflict) distinct() (out []known) {
	if q.kind == ownThread {
		return nil
	}
	for _, t := range q.m.ticketsOf(q.x, q.kind) {
		for _, u := range q.m.ticketsOf(q.y, q.kind) {
			if t.by.acc.ElemSize != u.by.acc.ElemSize || t.value.Variable().Lo.Cmp(u.value.Variable().Lo) != 0 {
				continue // one is read as signed, the other is not
			}
			if r, d, _ := q.m.relate(t.by, u.by); r != related || !d.Equal(expr.Const(0)) {
				continue
			}
			v, w, step := t.value.Instance(1), u.value.Instance(2), expr.Const(min(t.step, u.step))
			most := expr.Sub(expr.Shl(expr.Const(1), expr.Const(int64(8*t.by.acc.ElemSize))), step) // also where registers are read as signed
			beyond := func(d *expr.Int) *expr.Bool { return expr.All(expr.Ge(d, step), expr.Le(d, most)) }
			one := expr.Eq(t.by.addr.Instance(1), u.by.addr.Instance(2))
			apart := expr.Implies(one, expr.Any(beyond(expr.Sub(v, w)), beyond(expr.Sub(w, v))))
			out = append(out, known{apart, append(slices.Concat(t.needs, u.needs), t.need())})
		}
	}
	return out
}

// need returns what keeps a counter from coming around to where it has been.
func (t *ticket) need() string {
	return fmt.Sprintf("tickets: the additions at %s add less than 2^%d to one counter in a launch",
		where(t.by.acc.Inst), 8*t.by.acc.ElemSize)
}

// ticketsOf returns the tickets on which an access depends.
func (m contents) ticketsOf(it *item, kind Kind) (out []ticket) {
	if it.data == "" || len(m.kernel.Unknown) > 0 || m.traits.hidden != nil || m.traits.tex != nil {
		return nil
	}
	bools := append([]*expr.Bool{it.cond}, it.sides...)
	for _, v := range expr.Vars([]*expr.Int{it.addr}, bools) {
		o := m.kernel.Origin(v.Name)
		if o == nil || o.Inst == nil || v.Bool || !o.Inst.Access.Atomic() {
			continue
		}
		for _, by := range m.items {
			if by.acc.Frame != o.Frame || by.acc.Inst != o.Inst {
				continue
			}
			if step, needs, ok := m.counts(by, kind); ok {
				out = append(out, ticket{by, expr.NewVar(v), step, append(needs, by.needs()...)})
			}
		}
	}
	return out
}

// counts returns the least constant that is added to what an access adds to, and whether nothing else changes it, by
// which facts.
func (m contents) counts(by *item, kind Kind) (step int64, needs []string, ok bool) {
	if kind == InterBlock && by.obj.space != isa.SpaceGlobal {
		return 0, nil, false
	}
	step, ok = addend(by, kind)
	for _, w := range m.items {
		if !ok {
			return 0, nil, false
		}
		if w == by || !w.acc.Writes() {
			continue
		}
		r, _, needed := m.relate(by, w)
		if needs = append(needs, needed...); r == apart {
			continue
		}
		var k int64
		k, ok = addend(w, kind)
		ok = ok && w.acc.ElemSize == by.acc.ElemSize
		step = min(step, k)
	}
	return step, needs, ok
}

// addend returns the constant that an access adds atomically, for the threads of a kind of race.
func addend(it *item, kind Kind) (int64, bool) {
	acc, scope := it.acc, isa.ScopeCTA
	if kind == InterBlock {
		scope = isa.ScopeGPU
	}
	in := acc.Inst
	t := in.Type(0)
	if !acc.Atomic() || acc.AtomOp != "add" || acc.Async || acc.Copy || !acc.Single() ||
		acc.ElemSize != 4 && acc.ElemSize != 8 || in.StrongScope() < scope || in.Proxy() != isa.ProxyGeneric {
		return 0, false
	}
	if k := t.Kind(); k != isa.KindUnsigned && k != isa.KindSigned || acc.Value < 0 || acc.Value >= len(in.Operands) {
		return 0, false
	}
	k, ok := acc.Frame.Operand(in, acc.Value).Const()
	if !ok || !k.IsInt64() || k.Int64() <= 0 || k.Int64() >= 1<<16 {
		return 0, false
	}
	return k.Int64(), true
}
