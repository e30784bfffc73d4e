// Accesses that are misaligned in all launches in which they matter: the need that they are not is none that a launch
// satisfies.

package kernel

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
)

// NeverAligned reports whether an access is misaligned, which is a fault (PTX ISA, "Addresses as Operands"): whenever a
// thread makes it; or whenever two neighbouring threads, or one thread in two consecutive iterations, make it, of which
// one then does it at an address that is no multiple of its size.
func (m *Model) NeverAligned(it *Item) bool {
	if it.misaligned == nil {
		found := m.findMisaligned(it)
		it.misaligned = &found
	}
	return *it.misaligned
}

func (m *Model) findMisaligned(it *Item) bool {
	size := it.Access.Size
	if size < 2 || size&(size-1) != 0 || it.Access.Bulk || it.Addr.IsUnknown() {
		return false
	}
	at := it.Addr
	if v := it.Object.Var; v != nil && v.Align%size == 0 && !it.Offset.IsUnknown() {
		at = it.Offset
	}
	aligned := func(n int) *expr.Bool {
		return expr.Eq(expr.Wrap(at.Instance(n), bits.TrailingZeros(uint(size)), false), expr.Const(0))
	}
	if one := append(it.Formulas(1), m.Ranges(1)...); m.Incompatible(one, aligned(1)) {
		return true
	}
	for _, near := range neighbours(it) {
		two := append(append(it.Formulas(1), it.Formulas(2)...),
			append(append(near, m.Ranges(1)...), m.Ranges(2)...)...)
		for i := range two {
			two[i] = two[i].Subst(query.OneBlock)
		}
		if m.Incompatible(two, aligned(1).Subst(query.OneBlock), aligned(2).Subst(query.OneBlock)) {
			return true
		}
	}
	return false
}

// neighbours returns conditions under which two executions of an access are neighbours: by an index of the thread, or
// by the iteration of a loop around it.
func neighbours(it *Item) (out [][]*expr.Bool) {
	var all []*expr.Int
	for _, d := range query.Dims {
		all = append(all, symbolic.Index("tid", d))
	}
	for _, l := range it.Access.Frame.LoopsAround(it.Access.Frame.Block(it.Access.Inst)) {
		all = append(all, l.Round)
	}
	for i := range all {
		var near []*expr.Bool
		for k, x := range all {
			ahead := int64(0)
			if k == i {
				ahead = 1
			}
			near = append(near, expr.Eq(expr.Sub(x.Instance(2), x.Instance(1)), expr.Const(ahead)))
		}
		out = append(out, near)
	}
	return out
}
