// Accesses that are misaligned in all launches in which they matter: the need that they are not is none that a launch
// satisfies.

package static

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
)

// neverAligned reports whether an access is misaligned, which is a fault (PTX ISA, "Addresses as Operands"): whenever a
// thread makes it; or whenever two neighbouring threads, or one thread in two consecutive iterations, make it, of which
// one then does it at an address that is no multiple of its size.
func (m *model) neverAligned(it *item) bool {
	if it.misaligned == nil {
		found := m.findMisaligned(it)
		it.misaligned = &found
	}
	return *it.misaligned
}

func (m *model) findMisaligned(it *item) bool {
	size := it.acc.Size
	if size < 2 || size&(size-1) != 0 || it.acc.Bulk || it.addr.IsUnknown() {
		return false
	}
	at := it.addr
	if v := it.obj.v; v != nil && v.Align%size == 0 && !it.offset.IsUnknown() {
		at = it.offset
	}
	aligned := func(n int) *expr.Bool {
		return expr.Eq(expr.Wrap(at.Instance(n), bits.TrailingZeros(uint(size)), false), expr.Const(0))
	}
	if one := append(it.formulas(1), m.Ranges(1)...); m.Incompatible(one, aligned(1)) {
		return true
	}
	for _, near := range neighbours(it) {
		two := append(append(it.formulas(1), it.formulas(2)...),
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
func neighbours(it *item) (out [][]*expr.Bool) {
	var all []*expr.Int
	for _, d := range query.Dims {
		all = append(all, symbolic.Index("tid", d))
	}
	for _, l := range it.acc.Frame.LoopsAround(it.acc.Frame.Block(it.acc.Inst)) {
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
