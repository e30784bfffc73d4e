// Tickets: what atomic additions to a counter return is different in every execution.

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/static/expr"
)

// ticket is the result of an atomic addition of a positive constant to a counter that changes in no other way.
type ticket struct {
	by    *item     // the addition
	value *expr.Int // variable
	step  int64     // the least constant that is added
	needs []string  // facts by which the counter changes in no other way
}

// distinct returns the conditions that results of additions to one counter are different in two threads. Read-modify-write
// operations on one location that are morally strong with each other are ordered, and each reads what the one before has written
// (PTX ISA, "Atomicity"). So two results are at least one addend apart, as long as the counter does not come around to where it
// has been; q.tickets has that as a need.
func (q *pairQuery) distinct() (out []*expr.Bool) {
	if q.kind == ownThread {
		return nil
	}
	for _, t := range q.a.ticketsOf(q.x, q.kind) {
		for _, u := range q.a.ticketsOf(q.y, q.kind) {
			if t.by.acc.ElemSize != u.by.acc.ElemSize || t.value.Variable().Lo.Cmp(u.value.Variable().Lo) != 0 {
				continue // one is read as signed, the other is not
			}
			if r, d, _ := q.a.relate(t.by, u.by); r != related || !d.Equal(expr.Const(0)) {
				continue
			}
			v, w, step := t.value.Instance(1), u.value.Instance(2), expr.Const(min(t.step, u.step))
			most := expr.Sub(expr.Shl(expr.Const(1), expr.Const(int64(8*t.by.acc.ElemSize))), step) // also where registers are read as signed
			beyond := func(d *expr.Int) *expr.Bool { return expr.All(expr.Ge(d, step), expr.Le(d, most)) }
			out = append(out, expr.Implies(expr.Eq(t.by.addr.Instance(1), u.by.addr.Instance(2)), expr.Any(beyond(expr.Sub(v, w)), beyond(expr.Sub(w, v)))))
			q.tickets = append(slices.Concat(q.tickets, t.needs, u.needs), t.need())
		}
	}
	return out
}

// need returns what keeps a counter from coming around to where it has been.
func (t *ticket) need() string {
	return fmt.Sprintf("tickets: the additions at %s add less than 2^%d to one counter in a launch", where(t.by.acc.Inst), 8*t.by.acc.ElemSize)
}

// ticketsOf returns the tickets on which an access depends.
func (a *analysis) ticketsOf(it *item, kind Kind) (out []ticket) {
	if it.data == "" || len(a.kernel.Unknown) > 0 || a.traits.hidden != nil || a.traits.tex != nil {
		return nil
	}
	bools := append([]*expr.Bool{it.cond}, it.sides...)
	for _, v := range expr.Vars([]*expr.Int{it.addr}, bools) {
		o := a.kernel.Origin(v.Name)
		if o == nil || o.Inst == nil || v.Bool || !o.Inst.Access.Atomic() {
			continue
		}
		for _, by := range a.items {
			if by.acc.Frame != o.Frame || by.acc.Inst != o.Inst {
				continue
			}
			if step, needs, ok := a.counts(by, kind); ok {
				out = append(out, ticket{by, expr.NewVar(v), step, append(needs, by.needs()...)})
			}
		}
	}
	return out
}

// counts returns the least constant that is added to what an access adds to, and whether nothing else changes it, by which facts.
func (a *analysis) counts(by *item, kind Kind) (step int64, needs []string, ok bool) {
	if kind == InterBlock && by.obj.space != isa.SpaceGlobal {
		return 0, nil, false
	}
	step, ok = addend(by, kind)
	for _, w := range a.items {
		if !ok {
			return 0, nil, false
		}
		if w == by || !w.acc.Writes() {
			continue
		}
		r, _, needed := a.relate(by, w)
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
	if !acc.Atomic() || acc.AtomOp != "add" || acc.Async || acc.Copy || !acc.Single() || acc.ElemSize != 4 && acc.ElemSize != 8 || in.StrongScope() < scope || in.Proxy() != isa.ProxyGeneric {
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
