// Pairs of accesses ordered by a flag: one thread waits for a value that another sets.

package static

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/static/expr"
)

// orderedByFlag reports whether one thread's access happens before the other's because the other waits for a flag that only the
// first sets, after its access (HGRD §6.5, producer and consumer).
func (q *pairQuery) orderedByFlag() bool {
	return q.orderedByFlagFrom(q.x, 1, q.y, 2) || q.orderedByFlagFrom(q.y, 2, q.x, 1)
}

// orderedByFlagFrom is orderedByFlag from access x of thread n to access y of thread m.
func (q *pairQuery) orderedByFlagFrom(x *item, n int, y *item, m int) bool {
	a := q.a
	if len(a.kernel.Unknown) > 0 || a.traits.hidden != nil {
		return false
	}
	for _, poll := range a.items {
		if poll.acc.Frame != y.acc.Frame || poll.acc.Kind == isa.AccessStore || !poll.acc.Inst.Strong() || poll.acc.Inst.StrongScope() < poll.scopeFor(q.kind) {
			continue
		}
		start, name, ok := a.startsWith(poll)
		if !ok || !a.waits(poll, y, start, q.kind) {
			continue
		}
		if q.acquiresFlag(x, n, poll, m, start) {
			a.relies(name)
			return true
		}
	}
	return false
}

// startsWith returns the initial value of the elements of an access's object that have the size of the access, and the name of that fact.
// Facts are about elements of 4 bytes; if all bits of these are equal, they are so in elements of any size.
func (a *analysis) startsWith(it *item) (*big.Int, string, bool) {
	if it.obj.v != nil && it.obj.space == isa.SpaceGlobal {
		return a.variableStarts(it)
	}
	p := a.pointer(&it.obj)
	if p == nil || p.Initial == nil {
		return nil, "", false
	}
	k, ok := p.Initial.Const()
	if !ok || !k.IsInt64() {
		return nil, "", false
	}
	_, ok = bytesOf(k.Int64(), it.acc.ElemSize)
	return k, p.Init, ok
}

// variableStarts is startsWith for a variable of the module: zeros, or the initial value of a scalar, if nothing has written to
// it before.
func (a *analysis) variableStarts(it *item) (*big.Int, string, bool) {
	if !a.given.First || slices.Contains(a.given.Changed, it.obj.v.Name) {
		return nil, "", false
	}
	data, relocations, err := it.obj.v.Init(a.kernel.Func.Module)
	if err != nil || len(relocations) > 0 {
		return nil, "", false
	}
	value := new(big.Int)
	for i := range data {
		value.Or(value, new(big.Int).Lsh(big.NewInt(int64(data[i])), uint(8*i)))
	}
	if value.Sign() != 0 && it.obj.v.Size != uint64(it.acc.ElemSize) {
		return nil, "", false
	}
	return value, fmt.Sprintf("%s starts with %s, as the module says", it.obj.v.Name, value), true
}

// waits reports whether a thread makes an access only after it has read, by a strong operation, a value other than the initial
// one, and has fenced.
func (a *analysis) waits(poll, y *item, start *big.Int, kind Kind) bool {
	f, in := poll.acc.Frame, poll.acc.Inst
	if in.Guard != nil || !a.changed(y.acc.Cond, poll, start) {
		return false
	}
	return in.Sem.Acquires() || !f.Leads(in, y.acc.Inst, func(x *rewrite.Inst) bool {
		return x == in || isFence(x, poll.scopeFor(kind), isa.Sem.Acquires)
	})
}

// changed reports whether a condition excludes that a read has returned a value.
func (a *analysis) changed(cond *expr.Bool, poll *item, start *big.Int) bool {
	for _, p := range conjuncts(cond) {
		vs := p.Vars()
		if len(vs) != 1 || vs[0].Bool {
			continue
		}
		o := a.kernel.Origin(vs[0].Name)
		if o == nil || o.Frame != poll.acc.Frame || o.Inst != poll.acc.Inst {
			continue
		}
		m := expr.NewModel()
		m.Ints[vs[0].Name], _ = expr.Wrap(expr.Big(start), 8*poll.acc.ElemSize, vs[0].Lo.Sign() < 0).Const()
		if v, err := p.Eval(m); err == nil && !v {
			return true
		}
	}
	return false
}

// acquiresFlag reports whether thread m, if it finds the flag changed by access poll, has read from a release by thread n after
// its access x, directly or through atomic operations, which continue a release sequence (PTX ISA, "Observation Order"). Then
// the first write that changes the flag is such a release by thread n.
func (q *pairQuery) acquiresFlag(x *item, n int, poll *item, m int, start *big.Int) (found bool) {
	a := q.a
	for _, w := range a.items {
		if !w.acc.Writes() {
			continue
		}
		r, _, _ := a.relate(poll, w)
		if r == apart {
			continue
		}
		if r != related || w.obj.base != poll.obj.base || !sameWord(w, poll) || !w.acc.Inst.Strong() || w.acc.Inst.StrongScope() < w.scopeFor(q.kind) {
			return false
		}
		if a.writesBack(w) || a.continues(w, start, q.kind) {
			continue
		}
		if !a.releasedBy(x, w, q.kind) || !q.soleWriter(w, n, poll, m) {
			return false
		}
		found = true
	}
	return found
}

// writesBack reports whether an atomic operation writes the value that it found.
func (a *analysis) writesBack(w *item) bool {
	switch w.acc.AtomOp {
	case "cas":
		from, to, ok := a.swaps(w)
		return ok && from.Cmp(to) == 0
	case "add", "or", "xor":
		n := w.acc.Value
		if n < 0 || n >= len(w.acc.Inst.Operands) {
			return false
		}
		k, ok := w.acc.Frame.Operand(w.acc.Inst, n).Const()
		return ok && k.Sign() == 0
	}
	return false
}

// continues reports whether a write is an atomic operation by a thread that has found the same object changed before: it then
// finds it changed, too (PTX ISA, "Coherence").
func (a *analysis) continues(w *item, start *big.Int, kind Kind) bool {
	if !w.acc.Atomic() || slices.ContainsFunc(w.acc.Addr.Vars(), func(v expr.Variable) bool { return a.kernel.Origin(v.Name) != nil }) {
		return false
	}
	return slices.ContainsFunc(a.items, func(r *item) bool {
		in := r.acc.Inst
		return r.acc.Kind != isa.AccessStore && in != w.acc.Inst && in.Guard == nil && in.Strong() && in.StrongScope() >= w.scopeFor(kind) &&
			r.acc.Frame == w.acc.Frame && r.acc.ElemSize == w.acc.ElemSize && r.acc.Addr.Equal(w.acc.Addr) && a.changed(w.acc.Cond, r, start)
	})
}

// releasedBy reports whether a write follows an access in any thread that makes both, and releases it.
func (a *analysis) releasedBy(x, w *item, kind Kind) bool {
	f := x.acc.Frame
	never := func(*rewrite.Inst) bool { return false }
	if w.acc.Frame != f || f.Leads(w.acc.Inst, x.acc.Inst, never) {
		return false
	}
	return w.acc.Inst.Sem.Releases() || !f.Leads(x.acc.Inst, w.acc.Inst, func(in *rewrite.Inst) bool {
		return isFence(in, w.scopeFor(kind), isa.Sem.Releases)
	})
}

// soleWriter reports whether only thread n writes, by w, to what thread m polls, whenever the accesses race.
func (q *pairQuery) soleWriter(w *item, n int, poll *item, m int) bool {
	a := q.a
	for _, it := range []*item{q.x, q.y, w, poll} {
		a.findWraps(it)
	}
	refuted := func(goal []*expr.Bool, third, polled *expr.Int) bool {
		goal = append(goal, a.ranges(3)...)
		goal = append(goal, a.otherThan(n), expr.Eq(expr.Wrap(expr.Sub(third, polled), 64, true), expr.Const(0)))
		for i := range goal {
			goal[i] = q.oneBlock(goal[i])
		}
		return a.solve(goal, q.bounds(), noModel).unsat
	}
	goal, _ := q.exact()
	goal = append(append(goal, w.formulas(3)...), poll.formulas(m)...)
	if refuted(goal, w.addr.Instance(3), poll.addr.Instance(m)) {
		return true
	}
	goal, _ = q.fitting()
	third, c3 := w.fitting(3)
	polled, cm := poll.fitting(m)
	return refuted(append(append(goal, c3...), cm...), third, polled) && q.assume(w, poll)
}

// otherThan is the condition that the third thread is not thread n.
func (a *analysis) otherThan(n int) *expr.Bool {
	var ne []*expr.Bool
	for _, d := range dims {
		for _, x := range []*expr.Int{a.index("tid", d), a.index("ctaid", d)} {
			ne = append(ne, expr.Ne(x.Instance(3), x.Instance(n)))
		}
	}
	return expr.Any(ne...)
}
