// Speculation (section 5): what a kernel keeps for child grids, and the launch of child grids.

package ldetector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// addChildren adds a copy of each transformable kernel, which executes one of its regions. The names are by kernel.
func addChildren(ctx *passes.Context) (map[string]string, error) {
	if err := instrument.Link(ctx, device.LDetectorLaunch(), abi.LDetectorParameters,
		abi.LDetectorLaunchChild); err != nil {
		return nil, err
	}
	if err := instrument.Link(ctx, device.LDetector(), abi.LDetectorEnvironment, abi.LDetectorCurrent,
		abi.LDetectorAbandon,
		abi.LDetectorChildBegin, abi.LDetectorChildSaved, abi.LDetectorChildEnd, abi.LDetectorChildTouch); err != nil {
		return nil, err
	}
	ed, names := ctx.Edit(), map[string]string{}
	for _, f := range ctx.Module.Funcs {
		if !expandable(f) || f.CFG().Degenerate || refuse(f, regionsOf(f, func() uint32 { return 0 })) != nil {
			continue
		}
		name, err := ed.CloneFunc(f, f.Name+"_region")
		if err != nil {
			continue // because of variables of its own: its regions are executed twice
		}
		names[f.Name] = name
	}
	return names, instrument.Apply(ctx, ed)
}

// speculable reports whether a child grid can execute the second pass of a region while the kernel continues: it must
// find the same global memory as the first pass, and depend on nothing else but registers and shared memory. Several
// arrays may lie at other addresses in the child grid.
func (k *kernel) speculable(r *region, refs map[*rewrite.Inst]address.MemRef,
	distinct func(a, b address.Root) bool,
) bool {
	if k.child == "" || r.skip != nil || len(r.calls) > 0 || len(k.shared) != 1 || exitsEarly(k) {
		return false
	}
	var stores []address.MemRef
	for _, in := range k.f.Insts {
		if ref, ok := refs[in]; ok && in.Access.Kind != isa.AccessLoad {
			stores = append(stores, ref)
		}
	}
	for _, in := range r.insts {
		ref, accesses := refs[in]
		switch {
		case slices.ContainsFunc(in.Operands, ofGrid):
			return false
		case !accesses || ref.Space == isa.SpaceShared || ref.Space == isa.SpaceConst || in.Has("nc"):
		case ref.Space != isa.SpaceGlobal:
			return false
		case in.Access.Kind == isa.AccessLoad && (len(k.calls) > 0 ||
			slices.ContainsFunc(stores, func(s address.MemRef) bool { return mayMeet(ref, s, distinct) })):
			return false
		}
	}
	return true
}

// ofGrid reports whether an operand is a special register whose value a child grid does not have.
func ofGrid(o rewrite.Operand) bool {
	if o.Kind != rewrite.OperandSpecial {
		return slices.ContainsFunc(o.Elems, ofGrid)
	}
	switch name := o.Special.Name; name {
	case "%tid", "%ntid", "%laneid":
		return false
	case "%ctaid", "%nctaid":
		return o.Member == ""
	default:
		return !strings.HasPrefix(name, "%lanemask")
	}
}

// registerUse is a value that a thread keeps for a child grid: a register, or a component of one, or a special register
// that differs there.
type registerUse struct {
	reg     *rewrite.Reg // nil for a special register
	member  string
	special string
}

// keeps returns the values that threads keep for the second pass of a region.
func (w *weaver) keeps(r *region) (list []registerUse) {
	for _, reg := range w.liveAt(r) {
		for _, m := range members(reg) {
			list = append(list, registerUse{reg: reg, member: m})
		}
	}
	for _, name := range blockSpecials {
		if slices.ContainsFunc(r.insts, func(in *rewrite.Inst) bool { return readsSpecial(in, name) }) {
			list = append(list, registerUse{special: name})
		}
	}
	return list
}

// blockSpecials lists the special registers that identify the block of the grid.
var blockSpecials = []string{"%ctaid.x", "%ctaid.y", "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z"}

func readsSpecial(in *rewrite.Inst, name string) bool {
	return slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
		return o.Kind == rewrite.OperandSpecial && o.Special.Name+o.Member == name
	})
}

// keepFor returns statements that keep what a child grid needs of a region, if the library requests it.
func (w *weaver) keepFor(r *region) string {
	if !w.k.spec[r.number] {
		return ""
	}
	at, v, none, past := w.reg("kept at", isa.B64), w.reg("value", isa.B64), w.reg("same", isa.Pred),
		w.ed.FreshLabel(w.f)
	var text strings.Builder
	text.WriteString(w.call(abi.LDetectorEnvironment, "b64", at, "b32 "+w.current()))
	fmt.Fprintf(&text, "setp.eq.u64 %s, %s, 0;\n@%s bra %s;\n", none, at, none, past)
	list := w.keeps(r)
	for i, x := range list {
		if x.reg != nil {
			text.WriteString(w.widen(x.reg, x.member, v))
		} else {
			fmt.Fprintf(&text, "mov.u32 %[1]s, %[2]s;\ncvt.u64.u32 %[3]s, %[1]s;\n", w.reg("bits32", isa.B32),
				x.special, v)
		}
		fmt.Fprintf(&text, "st.u64 [%s+%d], %s;\n", at, 8*i, v)
	}
	w.p.result.ChildRegisters = max(w.p.result.ChildRegisters, len(list))
	return text.String() + past + ":\n"
}

// launch returns statements that launch a child grid if the library has requested it, and remove that request from its
// result. The grid gets the kernel's parameters and the environment.
func (w *weaver) launch() string {
	if len(w.k.spec) == 0 {
		return ""
	}
	action, is, bit := w.reg("action", isa.B32), w.reg("same", isa.Pred), w.reg("bits32", isa.B32)
	env, buffer, child := w.reg("kept at", isa.B64), w.reg("value", isa.B64), w.reg("mixed", isa.B64)
	past, fail := w.ed.FreshLabel(w.f), w.ed.FreshLabel(w.f)
	var text strings.Builder
	fmt.Fprintf(&text, "and.b32 %s, %s, %d;\nsetp.eq.u32 %s, %s, 0;\n@%s bra %s;\n", bit, action, abi.LDetectorLaunch,
		is, bit, is, past)
	fmt.Fprintf(&text, "sub.u32 %s, %s, %d;\n", action, action, abi.LDetectorLaunch)
	copies, size := w.parameters(buffer)
	text.WriteString(w.call(abi.LDetectorCurrent, "b64", env) + w.call(abi.LDetectorParameters, "b64", buffer,
		fmt.Sprint("b32 ", size+8)))
	fmt.Fprintf(&text, "setp.eq.u64 %s, %s, 0;\n@%s bra %s;\n%sst.u64 [%s+%d], %s;\nmov.u64 %s, %s;\n", is, buffer, is,
		fail, copies, buffer, size, env, child, w.k.child)
	text.WriteString(w.call(abi.LDetectorLaunchChild, "b32", bit, "b64 "+child, "b64 "+buffer))
	fmt.Fprintf(&text, "setp.ne.u32 %s, %s, 0;\n@%s bra %s;\n%s:\ncall %s;\n%s:\n", is, bit, is, past, fail,
		abi.LDetectorAbandon, past)
	return text.String()
}

// parameters returns statements that copy the kernel's parameters to a buffer, in the layout of a kernel's parameters
// (PTX ISA, "Kernel Function Parameters"), and the size up to the next pointer.
func (w *weaver) parameters(buffer string) (text string, size int) {
	word := map[int]string{
		8: w.reg("bits64", isa.B64), 4: w.reg("bits32", isa.B32), 2: w.reg("bits16", isa.B16),
		1: w.reg("bits16", isa.B16),
	}
	var b strings.Builder
	for _, v := range w.f.Params {
		size = (size + v.Align - 1) / v.Align * v.Align
		for at := 0; at < int(v.Size); {
			n := min(v.Align, 8)
			for n > int(v.Size)-at {
				n /= 2
			}
			fmt.Fprintf(&b, "ld.param.b%d %s, [%s+%d];\nst.b%d [%s+%d], %s;\n", 8*n, word[n], v.Name, at, 8*n, buffer,
				size+at, word[n])
			at += n
		}
		size += int(v.Size)
	}
	return b.String(), (size + 7) / 8 * 8
}
