// Pairs of accesses ordered by a flag: one thread waits for a value that another sets.

package rules

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// orderedByFlag reports whether one thread's access happens before the other's because the other waits for a flag that
// only the first sets, after its access (HGRD §6.5, producer and consumer).
func (y *synchronisation) orderedByFlag(q *Conflict) bool {
	return y.orderedByFlagFrom(q, q.X, 1, q.Y, 2) || y.orderedByFlagFrom(q, q.Y, 2, q.X, 1)
}

// orderedByFlagFrom reports whether access x of thread n happens before access z of thread m, which waits for a flag.
func (y *synchronisation) orderedByFlagFrom(q *Conflict, x *kernel.Item, n int, z *kernel.Item, m int) bool {
	if len(y.Kernel.Unknown) > 0 || y.Traits.Hidden != nil {
		return false
	}
	for _, poll := range y.Items {
		if poll.Access.Frame != z.Access.Frame || poll.Access.Kind == isa.AccessStore || !poll.Access.Inst.Strong() ||
			poll.Access.Inst.StrongScope() < y.scopeFor(poll, q.Kind) {
			continue
		}
		start, name, ok := StartsWith(y.Model, poll)
		if !ok || !y.waits(poll, z, start, q.Kind) {
			continue
		}
		if y.acquiresFlag(q, x, n, poll, m, start) {
			y.uses(name)
			return true
		}
	}
	return false
}

// StartsWith returns the initial value of the elements of an access's object that have the size of the access, and the
// name of that fact. Facts are about elements of 4 bytes; if all bits of these are equal, they are so in elements of
// any size.
func StartsWith(m *kernel.Model, it *kernel.Item) (*big.Int, string, bool) {
	if it.Object.Var != nil && it.Object.Space == isa.SpaceGlobal {
		return variableStarts(m, it)
	}
	p := m.Pointer(&it.Object)
	if p == nil || p.Initial == nil {
		return nil, "", false
	}
	k, ok := p.Initial.Const()
	if !ok || !k.IsInt64() {
		return nil, "", false
	}
	_, ok = BytesOf(k.Int64(), it.Access.ElemSize)
	return k, p.Init, ok
}

// variableStarts is StartsWith for a variable of the module: zeros, or the initial value of a scalar, if nothing has
// written to it before.
func variableStarts(m *kernel.Model, it *kernel.Item) (*big.Int, string, bool) {
	if !m.Given.First || slices.Contains(m.Given.Changed, it.Object.Var.Name) {
		return nil, "", false
	}
	data, relocations, err := it.Object.Var.Init(m.Kernel.Func.Module)
	if err != nil || len(relocations) > 0 {
		return nil, "", false
	}
	value := new(big.Int)
	for i := range data {
		value.Or(value, new(big.Int).Lsh(big.NewInt(int64(data[i])), uint(8*i)))
	}
	if value.Sign() != 0 && it.Object.Var.Size != uint64(it.Access.ElemSize) {
		return nil, "", false
	}
	return value, fmt.Sprintf("%s starts with %s, as the module says", it.Object.Var.Name, value), true
}

// waits reports whether a thread makes an access only after it has read, by a strong operation, a value other than the
// initial one, and has fenced.
func (y *synchronisation) waits(poll, later *kernel.Item, start *big.Int, kind kernel.Kind) bool {
	f, in := poll.Access.Frame, poll.Access.Inst
	if in.Guard != nil || !y.changed(later.Access.Cond, poll, start) {
		return false
	}
	return in.Sem.Acquires() || !f.Leads(in, later.Access.Inst, func(x *rewrite.Inst) bool {
		return x == in || isFence(x, y.scopeFor(poll, kind), isa.Sem.Acquires)
	})
}

// changed reports whether a condition excludes that a read has returned a value.
func (y *synchronisation) changed(cond *expr.Bool, poll *kernel.Item, start *big.Int) bool {
	for _, p := range query.Conjuncts(nil, []*expr.Bool{cond}) {
		vs := p.Vars()
		if len(vs) != 1 || vs[0].Bool {
			continue
		}
		o := y.Kernel.Origin(vs[0].Name)
		if o == nil || o.Frame != poll.Access.Frame || o.Inst != poll.Access.Inst {
			continue
		}
		m := expr.NewModel()
		m.Ints[vs[0].Name], _ = expr.Wrap(expr.Big(start), 8*poll.Access.ElemSize, vs[0].Lo.Sign() < 0).Const()
		if v, err := p.Eval(m); err == nil && !v {
			return true
		}
	}
	return false
}

// acquiresFlag reports whether thread m, if it finds the flag changed by access poll, has read from a release by thread
// n after its access x, directly or through atomic operations, which continue a release sequence (PTX ISA, "Observation
// Order"). Then the first write that changes the flag is such a release by thread n.
func (y *synchronisation) acquiresFlag(
	q *Conflict, x *kernel.Item, n int, poll *kernel.Item, m int, start *big.Int,
) (found bool) {
	for _, w := range y.Items {
		if !w.Access.Writes() {
			continue
		}
		r, _, _ := y.relate(poll, w)
		if r == kernel.Apart {
			continue
		}
		if r != kernel.Related || w.Object.Base != poll.Object.Base || !sameWord(w, poll) || !w.Access.Inst.Strong() ||
			w.Access.Inst.StrongScope() < y.scopeFor(w, q.Kind) {
			return false
		}
		if y.writesBack(w) || y.continues(w, start, q.Kind) {
			continue
		}
		if !y.releasedBy(x, w, q.Kind) || !y.soleWriter(q, w, n, poll, m) {
			return false
		}
		found = true
	}
	return found
}

// writesBack reports whether an atomic operation writes the value that it found.
func (y *synchronisation) writesBack(w *kernel.Item) bool {
	switch w.Access.AtomOp {
	case "cas":
		from, to, ok := y.swaps(w)
		return ok && from.Cmp(to) == 0
	case "add", "or", "xor":
		n := w.Access.Value
		if n < 0 || n >= len(w.Access.Inst.Operands) {
			return false
		}
		k, ok := w.Access.Frame.Operand(w.Access.Inst, n).Const()
		return ok && k.Sign() == 0
	}
	return false
}

// continues reports whether a write is an atomic operation by a thread that has found the same object changed before:
// it then finds it changed, too (PTX ISA, "Coherence").
func (y *synchronisation) continues(w *kernel.Item, start *big.Int, kind kernel.Kind) bool {
	if !w.Access.Atomic() || slices.ContainsFunc(w.Access.Addr.Vars(),
		func(v expr.Variable) bool { return y.Kernel.Origin(v.Name) != nil }) {
		return false
	}
	return slices.ContainsFunc(y.Items, func(r *kernel.Item) bool {
		in := r.Access.Inst
		return r.Access.Kind != isa.AccessStore && in != w.Access.Inst && in.Guard == nil && in.Strong() &&
			in.StrongScope() >= y.scopeFor(w, kind) &&
			r.Access.Frame == w.Access.Frame && r.Access.ElemSize == w.Access.ElemSize &&
			r.Access.Addr.Equal(w.Access.Addr) &&
			y.changed(w.Access.Cond, r, start)
	})
}

// releasedBy reports whether a write follows an access in any thread that makes both, and releases it.
func (y *synchronisation) releasedBy(x, w *kernel.Item, kind kernel.Kind) bool {
	f := x.Access.Frame
	never := func(*rewrite.Inst) bool { return false }
	if w.Access.Frame != f || f.Leads(w.Access.Inst, x.Access.Inst, never) {
		return false
	}
	return w.Access.Inst.Sem.Releases() || !f.Leads(x.Access.Inst, w.Access.Inst, func(in *rewrite.Inst) bool {
		return isFence(in, y.scopeFor(w, kind), isa.Sem.Releases)
	})
}

// soleWriter reports whether only thread n writes, by w, to what thread m polls, whenever the accesses conflict.
func (y *synchronisation) soleWriter(q *Conflict, w *kernel.Item, n int, poll *kernel.Item, m int) bool {
	for _, it := range []*kernel.Item{q.X, q.Y, w, poll} {
		y.FindWraps(it)
	}
	refuted := func(goal []*expr.Bool, third, polled *expr.Int) bool {
		goal = append(goal, y.Ranges(3)...)
		goal = append(goal, kernel.OtherThan(n), expr.Eq(expr.Wrap(expr.Sub(third, polled), 64, true), expr.Const(0)))
		return y.solve(q.together(goal), q.Bounds(), query.NoModel).Unsat
	}
	goal, _ := q.Exact()
	goal = append(append(goal, w.Formulas(3)...), poll.Formulas(m)...)
	if refuted(goal, w.Addr.Instance(3), poll.Addr.Instance(m)) {
		return true
	}
	goal, _ = q.Fitting()
	third, c3 := w.Fitting(3)
	polled, cm := poll.Fitting(m)
	if !refuted(append(append(goal, c3...), cm...), third, polled) {
		return false
	}
	assumed, ok := q.Assume(w, poll)
	y.uses(assumed...)
	return ok
}

// BytesOf returns what a load of size bytes reads if each 32-bit word of memory holds k, as facts about initial
// contents say. ok is false if that depends on the position of the load in a word, or on the size of the elements that
// the host has filled: for parts of words, and for two words, unless all bytes are the same.
func BytesOf(k int64, size int) (uint64, bool) {
	v := uint64(uint32(k))
	if size < 4 {
		return v & (1<<(8*size) - 1), k == 0 || uint32(k) == math.MaxUint32
	}
	if size == 8 {
		v |= v << 32
	}
	return v, size <= 4 || k == 0 || uint32(k) == math.MaxUint32
}
