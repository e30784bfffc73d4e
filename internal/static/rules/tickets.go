// Tickets: what atomic additions to a counter return is different in every execution.

package rules

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// ticket is the result of an atomic addition of a positive constant to a counter that changes in no other way.
type ticket struct {
	by    *kernel.Item // the addition
	value *expr.Int    // variable
	step  int64        // the least constant that is added
	needs []string     // facts by which the counter changes in no other way
}

// distinct returns the conditions that results of additions to one counter are different in two threads.
func (q *Conflict) distinct() (out []known) {
	if q.Kind == kernel.OwnThread {
		return nil
	}
	for _, t := range q.Contents.ticketsOf(q.X, q.Kind) {
		for _, u := range q.Contents.ticketsOf(q.Y, q.Kind) {
			if t.by.Access.ElemSize != u.by.Access.ElemSize || t.value.Variable().Lo.Cmp(u.value.Variable().Lo) != 0 {
				continue // one is read as signed, the other is not
			}
			if r, d, _ := q.Contents.Relate(t.by, u.by); r != kernel.Related || !d.Equal(expr.Const(0)) {
				continue
			}
			v, w, step := t.value.Instance(1), u.value.Instance(2), expr.Const(min(t.step, u.step))
			most := expr.Sub(expr.Shl(expr.Const(1), expr.Const(int64(8*t.by.Access.ElemSize))), step) // also where registers are read as signed
			beyond := func(d *expr.Int) *expr.Bool { return expr.All(expr.Ge(d, step), expr.Le(d, most)) }
			one := expr.Eq(t.by.Addr.Instance(1), u.by.Addr.Instance(2))
			apart := expr.Implies(one, expr.Any(beyond(expr.Sub(v, w)), beyond(expr.Sub(w, v))))
			out = append(out, known{apart, append(slices.Concat(t.needs, u.needs), t.need())})
		}
	}
	return out
}

// need returns what keeps a counter from coming around to where it has been.
func (t *ticket) need() string {
	return fmt.Sprintf("tickets: the additions at %s add less than 2^%d to one counter in a launch",
		kernel.Where(t.by.Access.Inst), 8*t.by.Access.ElemSize)
}

// ticketsOf returns the tickets on which an access depends.
func (m Contents) ticketsOf(it *kernel.Item, kind kernel.Kind) (out []ticket) {
	if it.Data == "" || len(m.Kernel.Unknown) > 0 || m.Traits.Hidden != nil || m.Traits.Tex != nil {
		return nil
	}
	bools := append([]*expr.Bool{it.Cond}, it.Sides...)
	for _, v := range expr.Vars([]*expr.Int{it.Addr}, bools) {
		o := m.Kernel.Origin(v.Name)
		if o == nil || o.Inst == nil || v.Bool || !o.Inst.Access.Atomic() {
			continue
		}
		for _, by := range m.Items {
			if by.Access.Frame != o.Frame || by.Access.Inst != o.Inst {
				continue
			}
			if step, needs, ok := m.counts(by, kind); ok {
				out = append(out, ticket{by, expr.NewVar(v), step, append(needs, by.Needs()...)})
			}
		}
	}
	return out
}

// counts returns the least constant that is added to what an access adds to, and whether nothing else changes it, by
// which facts.
func (m Contents) counts(by *kernel.Item, kind kernel.Kind) (step int64, needs []string, ok bool) {
	if kind == kernel.InterBlock && by.Object.Space != isa.SpaceGlobal {
		return 0, nil, false
	}
	step, ok = addend(by, kind)
	for _, w := range m.Items {
		if !ok {
			return 0, nil, false
		}
		if w == by || !w.Access.Writes() {
			continue
		}
		r, _, needed := m.Relate(by, w)
		if needs = append(needs, needed...); r == kernel.Apart {
			continue
		}
		var k int64
		k, ok = addend(w, kind)
		ok = ok && w.Access.ElemSize == by.Access.ElemSize
		step = min(step, k)
	}
	return step, needs, ok
}

// addend returns the constant that an access adds atomically, for the threads of a kind of race.
func addend(it *kernel.Item, kind kernel.Kind) (int64, bool) {
	acc, scope := it.Access, isa.ScopeCTA
	if kind == kernel.InterBlock {
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
