// The input and output registers of regions, and the saving of registers.

package ldetector

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// savedRegister is the code that saves and restores a register around a region.
type savedRegister struct{ save, restore string }

// save returns the code for registers that are live at the start of a region and written in it: the upward-exposed ones
// (4.2, Definition 2).
func (w *weaver) save(r *region) []savedRegister {
	var list []savedRegister
	for _, reg := range w.liveAt(r) {
		if !slices.ContainsFunc(r.insts, func(in *rewrite.Inst) bool { return in.Writes(reg) }) {
			continue
		}
		for _, m := range members(reg) {
			list = append(list, w.keep(reg, reg.Name+m))
		}
	}
	return list
}

func (w *weaver) keep(r *rewrite.Reg, name string) savedRegister {
	bits := r.Type.Bits()
	switch {
	case r.Type == isa.Pred:
		to := w.ed.FreshReg(w.f, isa.Pred)
		fmt.Fprintf(&w.unset, "mov.pred %s, 0;\n", to)
		return savedRegister{fmt.Sprintf("mov.pred %s, %s;\n", to, name), fmt.Sprintf("mov.pred %s, %s;\n", name, to)}
	case bits == 8:
		to := w.ed.FreshReg(w.f, isa.B16)
		fmt.Fprintf(&w.unset, "mov.b16 %s, 0;\n", to)
		return savedRegister{
			fmt.Sprintf("cvt.u16.u8 %s, %s;\n", to, name),
			fmt.Sprintf("cvt.u8.u16 %s, %s;\n", name, to),
		}
	}
	to := w.ed.FreshReg(w.f, bitType(bits))
	fmt.Fprintf(&w.unset, "mov.b%d %s, 0;\n", bits, to)
	return savedRegister{
		fmt.Sprintf("mov.b%d %s, %s;\n", bits, to, name),
		fmt.Sprintf("mov.b%d %s, %s;\n", bits, name, to),
	}
}

// liveRegs is the registers that are live just before each instruction where a region starts or ends.
type liveRegs map[*rewrite.Inst][]*rewrite.Reg

// liveAround returns them for the regions of a function, in one walk back through each block.
func liveAround(f *rewrite.Func, regions []*region) liveRegs {
	var at []*rewrite.Inst
	for _, r := range regions {
		if r.start != nil && r.from < len(f.Insts) {
			at = append(at, f.Insts[r.from])
		}
		at = append(at, r.ends...)
	}
	slices.SortFunc(at, func(a, b *rewrite.Inst) int { return cmp.Compare(b.Index, a.Index) })
	live, c := liveRegs{}, f.Liveness().Cursor()
	for _, in := range slices.Compact(at) {
		live[in] = inSet(f, c.Before(in))
	}
	return live
}

// liveAt returns the registers that are live at the start of a region.
func (w *weaver) liveAt(r *region) []*rewrite.Reg {
	f := w.f
	switch {
	case r.start == nil:
		return inSet(f, f.Liveness().In(f.CFG().Blocks[0]))
	case r.from == f.CFG().BlockOf[r.start.Index].End:
		return inSet(f, f.Liveness().Out(f.CFG().BlockOf[r.start.Index]))
	}
	return w.live[f.Insts[r.from]]
}

func inSet(f *rewrite.Func, live rewrite.RegSet) []*rewrite.Reg {
	var list []*rewrite.Reg
	for _, r := range f.Regs {
		if live.Has(r) {
			list = append(list, r)
		}
	}
	return list
}

// endings returns the regions that end at each barrier.
func endings(regions []*region) map[*rewrite.Inst][]*region {
	at := map[*rewrite.Inst][]*region{}
	for _, r := range regions {
		for _, end := range r.ends {
			at[end] = append(at[end], r)
		}
	}
	return at
}

// leaving returns the output registers of regions that end at a barrier: those live there that checked regions ending
// there write. A child grid has the same ones as its kernel.
func (w *weaver) leaving(end *rewrite.Inst) []*rewrite.Reg {
	var list []*rewrite.Reg
	for _, reg := range w.live[end] {
		written := slices.ContainsFunc(w.endings[end], func(r *region) bool {
			return r.skip == nil && slices.ContainsFunc(r.insts, func(in *rewrite.Inst) bool { return in.Writes(reg) })
		})
		if written && !w.hidden(end, reg) {
			list = append(list, reg)
		}
	}
	return list
}

// hidden reports whether a register may be invisible at a barrier inside braces because another of its name is declared
// there.
func (w *weaver) hidden(in *rewrite.Inst, reg *rewrite.Reg) bool {
	return !w.outer[in] && slices.ContainsFunc(w.f.Regs,
		func(r *rewrite.Reg) bool { return r != reg && r.Name == reg.Name })
}
