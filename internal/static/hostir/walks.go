// Pointers that move through one object in a loop, by a number of bytes that counts as a counter does.

package hostir

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// walk makes the offset of a pointer, which stays in its object, what the binding is about.
func (x *executor) walk(b *binding) {
	name := b.first.To.Name
	if b.o != nil {
		name = x.hint(b.o, b.at)
	}
	b.base, b.ordered, b.plain = b.first.To, false, false
	b.first = memory.Value{Num: b.first.Offset, Signed: true, Bits: 64}
	b.leaf = x.leaf(name+".at", 64, true)
}

// stored returns a value of the binding as the program has it.
func (b *binding) stored(v memory.Value) memory.Value {
	if b.base == nil {
		return v
	}
	return memory.Value{To: b.base, Offset: v.Num}
}

// offset returns the offset of a value in the object of the binding; unknown for other values.
func (b *binding) offset(v memory.Value) memory.Value {
	if v.To != b.base || v.Offset == nil {
		return memory.Value{}
	}
	return memory.Value{Num: v.Offset, Signed: true, Bits: 64}
}

// leaves makes pointers unknown that an iteration has led out of their object, and reports whether there are some.
func leaves(list []*binding, backs []edge) (again bool) {
	for _, b := range list {
		if b.base != nil && slices.ContainsFunc(backs, func(e edge) bool { return !b.valueAt(e).Known() }) {
			b.first, b.leaf = b.stored(b.first), memory.Value{}
			b.base, b.counter = nil, counter{plain: true}
			again = true
		}
	}
	return again
}

// withdraw removes bindings from the orders; those of pointers that move through one object are followed as such.
func (x *executor) withdraw(g *orders, which, moving func(*binding) bool) {
	var on []*binding
	for _, b := range g.of {
		if which(b) && moving(b) {
			on = append(on, b)
		}
	}
	g.remove(which)
	for _, b := range on {
		x.walk(b)
	}
}

// stays reports whether a binding is a pointer into one object in all orders and in a further one.
func (g *orders) stays(b *binding, further []memory.Value) bool {
	j, o := slices.Index(g.of, b), b.first.To
	elsewhere := func(row []memory.Value) bool { return row[j].To != o || row[j].Offset == nil }
	return o != nil && o.Kind != memory.Foreign && !slices.ContainsFunc(g.list, elsewhere) && !elsewhere(further)
}

// walks reports whether a binding is a pointer into one object that has moved twice by the same distance.
func (g *orders) walks(b *binding) bool {
	n := len(g.list)
	if n < 3 || !g.stays(b, g.list[0]) {
		return false
	}
	j := slices.Index(g.of, b)
	at := func(i int) *expr.Int { return g.list[i][j].Offset }
	step := expr.Sub(at(n-1), at(n-2))
	return step.Equal(expr.Sub(at(n-2), at(n-3))) && !step.Equal(expr.Const(0))
}
