// Pairs of accesses ordered by a flag: one thread waits for a value that another sets.

package static

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// orderedByFlag reports whether one thread's access happens before the other's because the other waits for a flag that
// only the first sets, after its access (HGRD §6.5, producer and consumer).
func (y *synchronisation) orderedByFlag(q *conflict) bool {
	return y.orderedByFlagFrom(q, q.x, 1, q.y, 2) || y.orderedByFlagFrom(q, q.y, 2, q.x, 1)
}

// orderedByFlagFrom reports whether access x of thread n happens before access z of thread m, which waits for a flag.
func (y *synchronisation) orderedByFlagFrom(q *conflict, x *item, n int, z *item, m int) bool {
	if len(y.kernel.Unknown) > 0 || y.traits.hidden != nil {
		return false
	}
	for _, poll := range y.items {
		if poll.acc.Frame != z.acc.Frame || poll.acc.Kind == isa.AccessStore || !poll.acc.Inst.Strong() ||
			poll.acc.Inst.StrongScope() < poll.scopeFor(q.kind) {
			continue
		}
		start, name, ok := y.startsWith(poll)
		if !ok || !y.waits(poll, z, start, q.kind) {
			continue
		}
		if y.acquiresFlag(q, x, n, poll, m, start) {
			y.uses(name)
			return true
		}
	}
	return false
}

// startsWith returns the initial value of the elements of an access's object that have the size of the access, and the
// name of that fact. Facts are about elements of 4 bytes; if all bits of these are equal, they are so in elements of
// any size.
func (m *model) startsWith(it *item) (*big.Int, string, bool) {
	if it.obj.v != nil && it.obj.space == isa.SpaceGlobal {
		return m.variableStarts(it)
	}
	p := m.pointer(&it.obj)
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

// variableStarts is startsWith for a variable of the module: zeros, or the initial value of a scalar, if nothing has
// written to it before.
func (m *model) variableStarts(it *item) (*big.Int, string, bool) {
	if !m.Given.First || slices.Contains(m.Given.Changed, it.obj.v.Name) {
		return nil, "", false
	}
	data, relocations, err := it.obj.v.Init(m.kernel.Func.Module)
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

// waits reports whether a thread makes an access only after it has read, by a strong operation, a value other than the
// initial one, and has fenced.
func (y *synchronisation) waits(poll, later *item, start *big.Int, kind Kind) bool {
	f, in := poll.acc.Frame, poll.acc.Inst
	if in.Guard != nil || !y.changed(later.acc.Cond, poll, start) {
		return false
	}
	return in.Sem.Acquires() || !f.Leads(in, later.acc.Inst, func(x *rewrite.Inst) bool {
		return x == in || isFence(x, poll.scopeFor(kind), isa.Sem.Acquires)
	})
}

// changed reports whether a condition excludes that a read has returned a value.
func (y *synchronisation) changed(cond *expr.Bool, poll *item, start *big.Int) bool {
	for _, p := range query.Conjuncts(nil, []*expr.Bool{cond}) {
		vs := p.Vars()
		if len(vs) != 1 || vs[0].Bool {
			continue
		}
		o := y.kernel.Origin(vs[0].Name)
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

// acquiresFlag reports whether thread m, if it finds the flag changed by access poll, has read from a release by thread
// n after its access x, directly or through atomic operations, which continue a release sequence (PTX ISA, "Observation
// Order"). Then the first write that changes the flag is such a release by thread n.
func (y *synchronisation) acquiresFlag(q *conflict, x *item, n int, poll *item, m int, start *big.Int) (found bool) {
	for _, w := range y.items {
		if !w.acc.Writes() {
			continue
		}
		r, _, _ := y.relate(poll, w)
		if r == apart {
			continue
		}
		if r != related || w.obj.base != poll.obj.base || !sameWord(w, poll) || !w.acc.Inst.Strong() ||
			w.acc.Inst.StrongScope() < w.scopeFor(q.kind) {
			return false
		}
		if y.writesBack(w) || y.continues(w, start, q.kind) {
			continue
		}
		if !y.releasedBy(x, w, q.kind) || !y.soleWriter(q, w, n, poll, m) {
			return false
		}
		found = true
	}
	return found
}

// writesBack reports whether an atomic operation writes the value that it found.
func (y *synchronisation) writesBack(w *item) bool {
	switch w.acc.AtomOp {
	case "cas":
		from, to, ok := y.swaps(w)
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

// continues reports whether a write is an atomic operation by a thread that has found the same object changed before:
// it then finds it changed, too (PTX ISA, "Coherence").
func (y *synchronisation) continues(w *item, start *big.Int, kind Kind) bool {
	if !w.acc.Atomic() || slices.ContainsFunc(w.acc.Addr.Vars(),
		func(v expr.Variable) bool { return y.kernel.Origin(v.Name) != nil }) {
		return false
	}
	return slices.ContainsFunc(y.items, func(r *item) bool {
		in := r.acc.Inst
		return r.acc.Kind != isa.AccessStore && in != w.acc.Inst && in.Guard == nil && in.Strong() &&
			in.StrongScope() >= w.scopeFor(kind) &&
			r.acc.Frame == w.acc.Frame && r.acc.ElemSize == w.acc.ElemSize && r.acc.Addr.Equal(w.acc.Addr) &&
			y.changed(w.acc.Cond, r, start)
	})
}

// releasedBy reports whether a write follows an access in any thread that makes both, and releases it.
func (y *synchronisation) releasedBy(x, w *item, kind Kind) bool {
	f := x.acc.Frame
	never := func(*rewrite.Inst) bool { return false }
	if w.acc.Frame != f || f.Leads(w.acc.Inst, x.acc.Inst, never) {
		return false
	}
	return w.acc.Inst.Sem.Releases() || !f.Leads(x.acc.Inst, w.acc.Inst, func(in *rewrite.Inst) bool {
		return isFence(in, w.scopeFor(kind), isa.Sem.Releases)
	})
}

// soleWriter reports whether only thread n writes, by w, to what thread m polls, whenever the accesses conflict.
func (y *synchronisation) soleWriter(q *conflict, w *item, n int, poll *item, m int) bool {
	for _, it := range []*item{q.x, q.y, w, poll} {
		y.findWraps(it)
	}
	refuted := func(goal []*expr.Bool, third, polled *expr.Int) bool {
		goal = append(goal, y.Ranges(3)...)
		goal = append(goal, otherThan(n), expr.Eq(expr.Wrap(expr.Sub(third, polled), 64, true), expr.Const(0)))
		return y.solve(q.together(goal), q.bounds(), query.NoModel).Unsat
	}
	goal, _ := q.exact()
	goal = append(append(goal, w.formulas(3)...), poll.formulas(m)...)
	if refuted(goal, w.addr.Instance(3), poll.addr.Instance(m)) {
		return true
	}
	goal, _ = q.fitting()
	third, c3 := w.fitting(3)
	polled, cm := poll.fitting(m)
	if !refuted(append(append(goal, c3...), cm...), third, polled) {
		return false
	}
	assumed, ok := q.assume(w, poll)
	y.uses(assumed...)
	return ok
}
