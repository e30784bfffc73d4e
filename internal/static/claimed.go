// Claimed words: of the threads that swap a value out of a word into which nothing stores it, one gets it.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// taken returns that two atomic operations of two threads on one word do not both find a value that both replace and that nothing
// stores. Read-modify-write operations on one location that are morally strong with each other are ordered, and each reads what the
// one before has written (PTX ISA, "Atomicity"). So the first that finds the value replaces it, and no later one finds it.
func (q *conflict) taken(s, t *site) (out []known) {
	if s.thread == t.thread || !q.m.swapping(s.by, q.kind) || !q.m.swapping(t.by, q.kind) || s.by.acc.ElemSize != t.by.acc.ElemSize {
		return nil
	}
	r, distance, needed := q.m.relate(s.by, t.by)
	if r != related {
		return nil
	}
	bits := 8 * s.by.acc.ElemSize
	same := expr.Eq(expr.Add(expr.Sub(s.addr(), t.addr()), distance), expr.Const(0))
	for _, free := range q.m.replaced(s.by, t.by) {
		more, ok := q.m.neverStored(s.by, free, q.kind)
		if !ok {
			continue
		}
		found := func(x *site) *expr.Bool {
			return expr.Eq(expr.Wrap(x.val(), bits, false), expr.Wrap(free, bits, false))
		}
		out = append(out, known{expr.Not(expr.All(same, found(s), found(t))), slices.Concat(needed, more, s.by.needs(), t.by.needs())})
	}
	return out
}

// swapping reports whether an access is an atomic exchange or compare-and-swap whose scope includes all threads that use the word.
func (m contents) swapping(it *item, kind Kind) bool {
	return (it.acc.AtomOp == "cas" || it.acc.AtomOp == "exch") && m.onWord(it, kind)
}

// onWord reports whether an access is to a whole word, by a strong operation whose scope includes all threads that use the word.
func (m contents) onWord(it *item, kind Kind) bool {
	acc := it.acc
	in := acc.Inst
	if kind == InterBlock && it.obj.space != isa.SpaceGlobal || async(it) || !acc.Single() || acc.ElemSize < 2 || acc.ElemSize > 8 {
		return false
	}
	return in.Strong() && in.Proxy() == isa.ProxyGeneric && in.StrongScope() >= it.scopeFor(kind) && !in.Type(0).Float()
}

// replaced returns the values, the same in the whole launch, that two operations may both take out of a word: what a compare-and-swap
// expects, and the usual values of a free word for exchanges.
func (m contents) replaced(x, y *item) (out []*expr.Int) {
	var of [2][]*expr.Int
	for i, it := range []*item{x, y} {
		if it.acc.AtomOp == "exch" {
			continue
		}
		from, _, ok := m.swapped(it)
		if !ok || slices.ContainsFunc(from.Vars(), func(v expr.Variable) bool { return !v.Uniform || m.kernel.Origin(v.Name) != nil }) {
			return nil
		}
		of[i] = []*expr.Int{from}
	}
	usual := []*expr.Int{expr.Const(0), expr.Const(-1), expr.Const(1)}
	switch {
	case of[0] == nil && of[1] == nil:
		return usual
	case of[0] == nil:
		return of[1]
	case of[1] == nil:
		return of[0]
	case of[0][0].Equal(of[1][0]):
		return of[0]
	}
	return nil
}

// swapped returns the values that a compare-and-swap expects and writes.
func (m contents) swapped(it *item) (from, to *expr.Int, ok bool) {
	n := it.acc.Value
	if it.acc.AtomOp != "cas" || n < 0 || n+1 >= len(it.acc.Inst.Operands) {
		return nil, nil, false
	}
	from, to = it.acc.Frame.Operand(it.acc.Inst, n), it.acc.Frame.Operand(it.acc.Inst, n+1)
	return from, to, !from.IsUnknown() && !to.IsUnknown()
}

// neverStored reports whether no access of the kernel writes a value to the word of an atomic operation, and with which facts.
func (m contents) neverStored(by *item, value *expr.Int, kind Kind) (needs []string, ok bool) {
	for _, w := range m.items {
		if !w.acc.Writes() {
			continue
		}
		r, _, needed := m.relate(by, w)
		if needs = append(needs, needed...); r == apart {
			continue
		}
		if w.acc.ElemSize != by.acc.ElemSize || !m.onWord(w, kind) {
			return nil, false
		}
		more, other := m.storesOther(w, value)
		if !other {
			return nil, false
		}
		needs = append(needs, more...)
	}
	return needs, true
}

// storesOther reports whether a store, exchange or compare-and-swap never writes a value, and with which facts.
func (m contents) storesOther(w *item, value *expr.Int) ([]string, bool) {
	var to *expr.Int
	switch n := w.acc.Value; {
	case w.acc.AtomOp == "cas":
		_, to, _ = m.swapped(w)
	case n >= 0 && n < len(w.acc.Inst.Operands) && (w.acc.AtomOp == "exch" || w.acc.Kind == isa.AccessStore):
		to = w.acc.Frame.Operand(w.acc.Inst, n)
	}
	if to == nil || to.IsUnknown() {
		return nil, false
	}
	bits := 8 * w.acc.ElemSize
	same := expr.Eq(expr.Wrap(to, bits, false), expr.Wrap(value, bits, false))
	if same == expr.False {
		return w.needs(), true
	}
	goal := append(append(w.formulas(1), m.ranges(1)...), same.Instance(1))
	r := m.solve(goal, nil, cheap|noModel)
	return append(w.needs(), r.core...), r.unsat
}
