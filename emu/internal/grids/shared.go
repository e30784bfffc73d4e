// The layout of shared memory.

package grids

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Size returns the size of the reserved part and of the variables with a fixed size.
func Size(l *state.SharedLayout) uint64 { return l.Reserved + l.Static }

// SharedLayout places the reserved shared memory if a kernel or its callees ask where it is, and the shared variables
// that they use: sized ones in order of declaration, then, all at the same offset, the unsized extern arrays, which are
// dynamic shared memory. It is cached for decoded kernels.
func SharedLayout(m *state.Machine, kernel *state.Function) *state.SharedLayout {
	if kernel.Shared != nil {
		return kernel.Shared
	}
	l := placeShared(m, kernel)
	if kernel.Code != nil {
		kernel.Shared = l
	}
	return l
}

// placeShared computes a SharedLayout.
func placeShared(m *state.Machine, kernel *state.Function) *state.SharedLayout {
	used := map[*rewrite.Var]bool{}
	seen := map[*state.Function]bool{}
	var reached []*state.Function
	for _, root := range append([]*state.Function{kernel}, m.InTables...) {
		Walk(m, root, seen, func(fn *state.Function) {
			reached = append(reached, fn)
			for _, r := range fn.SharedRefs {
				used[r.V] = true
			}
		})
	}
	l := &state.SharedLayout{Offsets: map[*rewrite.Var]uint64{}}
	top, dynamicAlign := uint64(0), uint64(1)
	if r := m.Src.Reserved; used[r] {
		l.Offsets[r], l.Reserved, top = 0, r.Size, r.Size
	}
	place := func(vars []*rewrite.Var) {
		for _, v := range vars {
			if !used[v] || v.Space != isa.SpaceShared {
				continue
			}
			align := uint64(v.Align)
			if v.Size == 0 {
				dynamicAlign = max(dynamicAlign, align)
				continue
			}
			l.Offsets[v], top = PlaceAfter(top, v.Size, align) // the launch reports a size that is too large
		}
	}
	place(m.Src.Globals)
	slices.SortFunc(reached, func(f, g *state.Function) int { return f.Index - g.Index })
	for _, fn := range reached {
		place(fn.Src.Locals)
	}
	top, _ = PlaceAfter(top, 0, dynamicAlign)
	for v := range used {
		if v.Size == 0 {
			l.Offsets[v] = top
		}
	}
	l.Static = top - l.Reserved
	return l
}

// Walk calls f for a function, its callees, and the functions whose address it takes.
func Walk(m *state.Machine, fn *state.Function, seen map[*state.Function]bool, f func(*state.Function)) {
	if seen[fn] {
		return
	}
	seen[fn] = true
	f(fn)
	for _, callee := range fn.Calls {
		Walk(m, callee, seen, f)
	}
}

// Sizes and alignments of variables come from the program. Their sums are computed here, without overflow.

// TooFar is an offset beyond every limit on memory. A sum that overflows becomes TooFar, so that the comparison with
// the limit fails.
const TooFar = 1 << 62

// PlaceAfter places an object with a size and an alignment, a power of two, after the offset top. It returns the
// object's start and end, TooFar at most.
func PlaceAfter(top, size, align uint64) (at, end uint64) {
	at, over := bits.Add64(top, align-1, 0)
	if at &^= align - 1; over != 0 || at > TooFar {
		return TooFar, TooFar
	}
	if end, over = bits.Add64(at, size, 0); over != 0 || end > TooFar {
		end = TooFar
	}
	return at, end
}
