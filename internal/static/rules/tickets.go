// Tickets: what atomic additions to a counter return is different in every execution.

package rules

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// ticket is the result of an atomic addition of a positive number, which is the same in the launch, to a counter that
// changes in no other way.
type ticket struct {
	by    *kernel.Item // the addition
	value *expr.Int    // variable
	step  *expr.Int    // the least that is added
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
			one := expr.Eq(t.by.Addr.Instance(1), u.by.Addr.Instance(2))
			apart := expr.Implies(one, t.apart(&u, 1, 2))
			out = append(out, known{apart, append(slices.Concat(t.needs, u.needs), t.need())})
		}
	}
	return out
}

// apart is the condition that the tickets of two threads are at least what is added apart, also where registers are
// read as signed.
func (t *ticket) apart(u *ticket, first, second int) *expr.Bool {
	v, w, step := t.value.Instance(first), u.value.Instance(second), least(t.step, u.step)
	most := expr.Sub(expr.Shl(expr.Const(1), expr.Const(int64(8*t.by.Access.ElemSize))), step)
	beyond := func(d *expr.Int) *expr.Bool { return expr.All(expr.Ge(d, step), expr.Le(d, most)) }
	return expr.Any(beyond(expr.Sub(v, w)), beyond(expr.Sub(w, v)))
}

// least returns what two numbers are at least.
func least(x, y *expr.Int) *expr.Int {
	if x.Equal(y) {
		return x
	}
	lo, _ := x.Range()
	if other, _ := y.Range(); other.Cmp(lo) < 0 {
		lo = other
	}
	return expr.Big(lo)
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

// counts returns the least that is added to what an access adds to, and whether nothing else changes it, by which
// facts.
func (m Contents) counts(by *kernel.Item, kind kernel.Kind) (step *expr.Int, needs []string, ok bool) {
	if kind == kernel.InterBlock && by.Object.Space != isa.SpaceGlobal {
		return nil, nil, false
	}
	step, ok = m.addend(by, kind)
	for _, w := range m.Items {
		if !ok {
			return nil, nil, false
		}
		if w == by || !w.Access.Writes() {
			continue
		}
		r, _, needed := m.Relate(by, w)
		if needs = append(needs, needed...); r == kernel.Apart {
			continue
		}
		k, adds := m.addend(w, kind)
		if ok = adds && w.Access.ElemSize == by.Access.ElemSize; ok {
			step = least(step, k)
		}
	}
	return step, needs, ok
}

// addend returns what an access adds atomically, for the threads of a kind of race: a positive number that is the same
// in the launch.
func (m Contents) addend(it *kernel.Item, kind kernel.Kind) (*expr.Int, bool) {
	acc, scope := it.Access, isa.ScopeCTA
	if kind == kernel.InterBlock {
		scope = isa.ScopeGPU
	}
	in := acc.Inst
	t := in.Type(0)
	if !acc.Atomic() || acc.AtomOp != "add" || acc.Async || acc.Copy || !acc.Single() ||
		acc.ElemSize != 4 && acc.ElemSize != 8 || in.StrongScope() < scope || in.Proxy() != isa.ProxyGeneric {
		return nil, false
	}
	if k := t.Kind(); k != isa.KindUnsigned && k != isa.KindSigned || acc.Value < 0 || acc.Value >= len(in.Operands) {
		return nil, false
	}
	x := acc.Frame.Operand(in, acc.Value)
	varies := func(v expr.Variable) bool { return !v.Uniform || m.Kernel.Origin(v.Name) != nil }
	lo, hi := x.Range()
	if lo == nil || hi == nil || lo.Sign() <= 0 || hi.Cmp(big.NewInt(1<<16)) >= 0 ||
		slices.ContainsFunc(x.Vars(), varies) {
		return nil, false
	}
	return x, true
}
