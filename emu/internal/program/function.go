// Decoded functions and their activation frames; which functions are decoded.

package program

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// BodyAt returns the innermost body that contains an instruction of the code, nil for none.
func BodyAt(fn *state.Function, pc int32) *state.Body {
	n, _ := slices.BinarySearchFunc(fn.Bodies, pc+1, func(b *state.Body,
		pc int32,
	) int {
		return cmp.Compare(b.Starts[0], pc)
	})
	if n == 0 {
		return nil
	}
	b := fn.Bodies[n-1] // the last one that begins at pc or before
	for b != nil && pc >= b.Starts[len(b.Starts)-1] {
		b = b.Outer
	}
	return b
}

// newLiveSet sorts registers by width.
func newLiveSet(rs []state.SlotRange) *state.LiveSet {
	l := &state.LiveSet{}
	for _, r := range rs {
		switch r.Lane {
		case 0:
			l.Preds = append(l.Preds, r.Slot)
		case 4:
			l.R32 = append(l.R32, r.Slot)
		default:
			l.R64 = append(l.R64, r.Slot)
		}
	}
	return l
}

// addressesKey is the memo key of takesAddresses.
type addressesKey struct{}

// takesAddresses reports whether an instruction takes the address of a function. Then threads may call functions, or
// launch kernels, that their kernel does not name.
func takesAddresses(mod *rewrite.Module) bool {
	return mod.Memo(addressesKey{}, func() any {
		return slices.ContainsFunc(mod.Funcs, func(f *rewrite.Func) bool {
			return slices.ContainsFunc(f.Insts,
				takesAddress)
		})
	}).(bool)
}

func takesAddress(in *rewrite.Inst) bool {
	c, call := in.Call()
	if call && c.Func == nil {
		return true // of any function
	}
	return slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
		f, is := o.Sym.(*rewrite.Func)
		return is && (!call || f != c.Func)
	})
}

// DecodeReachable decodes kernels and all functions that they may call, except those that are decoded already.
// Functions all of whose calls are inlined are not decoded separately.
func DecodeReachable(m *state.Machine, kernels []*state.Function) error {
	var errs ptxgrammar.ErrorList
	var work []*state.Function
	seen := map[*state.Function]bool{}
	visit := func(fn *state.Function) {
		if !seen[fn] {
			seen[fn] = true
			work = append(work, fn)
		}
	}
	for _, k := range kernels {
		visit(k)
	}
	for _, fn := range m.InTables {
		visit(fn)
	}
	for len(work) > 0 && len(errs) < maxProblems {
		fn := work[0]
		work = work[1:]
		if fn.Code == nil {
			if found := Decode(m, fn); len(found) > 0 {
				errs, fn.Code = append(errs, found...), nil
			}
		}
		for _, callee := range fn.Calls {
			visit(callee)
		}
	}
	if len(errs) > 0 {
		errs.Sort()
		return slices.CompactFunc(errs, func(a, b *ptxgrammar.Error) bool { return *a == *b }) // of an instruction that is inlined twice
	}
	for _, k := range kernels {
		grids.SharedLayout(m, k) // computed here because launches need it
	}
	return nil
}
