// Speculation (section 5): the copy of a kernel that a child grid executes. It executes one region of the kernel, on
// the copies of shared memory that the kernel has left.

package ldetector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// weaveChild transforms the copy of a kernel, which has the same instructions.
func (p *plan) weaveChild(ed *rewrite.Editor, k *kernel) error {
	f := ed.Module().Func(k.child)
	number := k.regions[0].number - 1
	copied := &kernel{f: f, shared: sharedVars([]*rewrite.Func{f}), spec: k.spec}
	copied.regions = regionsOf(f, func() uint32 { number++; return number })
	for i, r := range copied.regions {
		r.skip, r.from = k.regions[i].skip, k.regions[i].from
	}
	b := newBody(p, ed, f)
	b.original = k.f
	param, err := ed.AddParam(f, isa.B64, "environment", nil)
	if err != nil {
		return err
	}
	b.environment = param
	return newWeaver(b, copied).weave()
}

// child reports whether the function is executed by child grids.
func (b *body) child() bool { return b.original != nil }

// instruction returns the user's instruction of which in is a copy, or in itself.
func (b *body) instruction(in *rewrite.Inst) *rewrite.Inst {
	if b.child() {
		return b.original.Insts[in.Index]
	}
	return in
}

// env returns the register that holds the environment of a child grid.
func (b *body) env() string { return b.reg("environment", isa.B64) }

// repeats reports whether a region may be repeated here: it must be checked and, in a child grid, be one that is left
// to child grids.
func (w *weaver) repeats(r *region) bool {
	return r.skip == nil && (!w.child() || w.k.spec[r.number])
}

// repeated returns the regions that may be repeated here, by increasing number.
func (w *weaver) repeated() []*region {
	return slices.DeleteFunc(slices.Clone(w.k.regions), func(r *region) bool { return !w.repeats(r) })
}

// fewRegions is the number of regions up to which dispatch compares with one after the other.
const fewRegions = 8

// dispatch returns statements that jump to the label of the current region; they leave the kernel or go on if it is
// none of the regions. They execute a number of comparisons that is logarithmic in that of the regions, since each
// repetition begins with them.
func (w *weaver) dispatch(regions []*region, labels map[*region]string) string {
	var text strings.Builder
	same := w.reg("same", isa.Pred)
	if n := len(regions) / 2; len(regions) > fewRegions {
		later := w.ed.FreshLabel(w.f)
		fmt.Fprintf(&text, "setp.ge.u32 %s, %s, %d;\n@%s bra %s;\n", same, w.current(), regions[n].number, same, later)
		text.WriteString(w.dispatch(regions[:n], labels))
		fmt.Fprintf(&text, "bra %s;\n%s:\n%s", w.leave, later, w.dispatch(regions[n:], labels))
		return text.String()
	}
	for _, r := range regions {
		fmt.Fprintf(&text, "setp.eq.u32 %s, %s, %d;\n@%s bra %s;\n", same, w.current(), r.number, same, labels[r])
	}
	return text.String()
}

// childPrologue writes the start of a child grid: each thread restores what it has kept, and jumps to where the region
// is repeated.
func (w *weaver) childPrologue(needsShift bool) {
	saved, v := w.reg("kept at", isa.B64), w.reg("value", isa.B64)
	fmt.Fprintf(&w.entry, "ld.param.b64 %s, [%s];\n", w.env(), w.environment)
	w.bounds()
	w.entry.WriteString(w.call(abi.LDetectorChildBegin, "b64", w.delta(), "b64 "+w.env(), "b32 "+w.reg("low", isa.B32)))
	w.entry.WriteString(w.shifted(needsShift) + w.unwatched())
	w.entry.WriteString(w.call(abi.LDetectorChildSaved, "b64", saved, "b64 "+w.env()))
	fmt.Fprintf(&w.entry, "ld.u64 %[1]s, [%[2]s];\ncvt.u32.u64 %[3]s, %[1]s;\nmov.b64 %[4]s, 0;\n", v, saved,
		w.current(), w.reg("stores", isa.B64))
	var gets strings.Builder
	labels := map[*region]string{}
	for _, r := range w.repeated() {
		labels[r] = w.ed.FreshLabel(w.f)
		fmt.Fprintf(&gets, "%s:\n", labels[r])
		for i, x := range w.keeps(r) {
			fmt.Fprintf(&gets, "ld.u64 %s, [%s+%d];\n%s", v, saved, 8*(i+1), w.get(x, v))
		}
		for _, s := range w.saves[r] {
			gets.WriteString(s.save)
		}
		fmt.Fprintf(&gets, "bra %s;\n", w.restart[r])
	}
	w.entry.WriteString(w.unset.String())
	w.entry.WriteString(w.dispatch(w.repeated(), labels))
	fmt.Fprintf(&w.entry, "bra %s;\n%s", w.leave, gets.String())
}

// get moves a kept value from a register of 64 bits to its destination.
func (w *weaver) get(x registerUse, v string) string {
	if x.reg == nil {
		return fmt.Sprintf("cvt.u32.u64 %s, %s;\n", w.special(x.special), v)
	}
	name := x.reg.Name + x.member
	switch bits := x.reg.Type.Bits(); {
	case x.reg.Type == isa.Pred:
		return fmt.Sprintf("setp.ne.u64 %s, %s, 0;\n", name, v)
	case bits == 64:
		return fmt.Sprintf("mov.b64 %s, %s;\n", name, v)
	case bits == 8:
		return fmt.Sprintf("cvt.u8.u64 %s, %s;\n", name, v)
	default:
		t := w.reg(fmt.Sprint("bits", bits), bitType(bits))
		return fmt.Sprintf("cvt.u%[1]d.u64 %[2]s, %[3]s;\nmov.b%[1]d %[4]s, %[2]s;\n", bits, t, v, name)
	}
}

// special returns the register that holds the value of a special register of the kernel's grid.
func (w *weaver) special(name string) string {
	if w.regs[name] == "" {
		fmt.Fprintf(&w.unset, "mov.u32 %s, 0;\n", w.reg(name, isa.B32))
	}
	return w.regs[name]
}

// childAccesses replaces instructions that differ in a child grid: it only adds stores outside of shared memory to the
// digest, and reads of block indices get those of the kernel's grid.
func (w *weaver) childAccesses() {
	for _, in := range w.f.Insts {
		if !w.checked(in) {
			continue
		}
		if outward(in, w.spaces[in]) {
			w.digestStore(in)
			w.ed.Delete(in)
		}
		if slices.ContainsFunc(blockSpecials, func(name string) bool { return readsSpecial(in, name) }) {
			w.ed.Replace(in, w.withSpecials(in))
		}
	}
}

// withSpecials returns the text of an instruction with the special registers replaced by those of the kernel's grid.
func (w *weaver) withSpecials(in *rewrite.Inst) string {
	m := w.f.Module.AST
	src, at := w.f.Module.Source(), m.InstRange(in.AST).Start
	var text strings.Builder
	for i := range in.Operands {
		o := &in.Operands[i]
		if o.Kind == rewrite.OperandSpecial && slices.Contains(blockSpecials, o.Special.Name+o.Member) {
			r := m.OperandRange(o.AST)
			text.WriteString(string(src[at:r.Start]) + w.special(o.Special.Name+o.Member))
			at = r.End
		}
	}
	return text.String() + string(src[at:m.InstRange(in.AST).End])
}
