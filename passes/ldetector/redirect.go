// Redirection of accesses of shared memory to the running warp's copy (section 3.2, Table 2).

package ldetector

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// body rewrites the accesses of one function.
type body struct {
	p      *plan
	ed     *rewrite.Editor
	f      *rewrite.Func
	spaces map[*rewrite.Inst]isa.Space // of accesses, where known
	regs   map[string]string           // scratch registers and others, by purpose

	original    *rewrite.Func // in the copy that child grids execute, the original; else nil
	environment string        // its parameter
}

func newBody(p *plan, ed *rewrite.Editor, f *rewrite.Func) *body {
	b := &body{p: p, ed: ed, f: f, spaces: spacesOf(f), regs: map[string]string{}}
	return b
}

// spacesOf returns the known state spaces of the accesses of a function.
func spacesOf(f *rewrite.Func) map[*rewrite.Inst]isa.Space {
	spaces := map[*rewrite.Inst]isa.Space{}
	for _, ref := range address.MemRefsOf(f) {
		if ref.Operand == ref.Inst.Access.Addr {
			spaces[ref.Inst] = ref.Space
		}
	}
	return spaces
}

// reg returns the function's register for a purpose.
func (b *body) reg(purpose string, t isa.Type) string {
	if b.regs[purpose] == "" {
		b.regs[purpose] = b.ed.FreshReg(b.f, t)
	}
	return b.regs[purpose]
}

// delta returns the register whose sum with an address in the shared window is the generic address to access.
func (b *body) delta() string { return b.reg("delta", isa.B64) }

// shift returns the register whose sum with a generic address of shared memory is the address to access.
func (b *body) shift() string { return b.reg("shift", isa.B64) }

// redirected reports whether accesses of an instruction are redirected: plain ones that are, or may be, of shared
// memory.
func redirected(in *rewrite.Inst, space isa.Space) bool {
	own := in.Access.Space
	return plainAccess(in) && (own == isa.SpaceShared ||
		own == isa.SpaceNone && (space == isa.SpaceShared || space == isa.SpaceNone))
}

// redirect redirects the accesses of the function.
func (b *body) redirect() {
	for _, in := range b.f.Insts {
		if !instrument.Own(b.instruction(in)) || !redirected(in, b.spaces[in]) {
			continue
		}
		if !b.child() {
			b.p.ctx.Count("accesses redirected", 1)
		}
		if in.Access.Space == isa.SpaceShared {
			b.redirectShared(in)
		} else {
			b.redirectGeneric(in)
		}
	}
}

// redirectShared converts an access in the shared window to one at a generic address.
func (b *body) redirectShared(in *rewrite.Inst) {
	to := b.reg("address", isa.B64)
	o := &in.Operands[in.Access.Addr]
	base, off := b.base(in, o, to)
	b.ed.InsertBefore(in, fmt.Sprintf("%s\nadd.s64 %s, %s, %s;%s", base.text, to, base.reg, b.delta(),
		b.touch(in, to, off)))
	b.replace(in, to, off)
}

// redirectGeneric redirects a generic address if it is of shared memory.
func (b *body) redirectGeneric(in *rewrite.Inst) {
	to := b.reg("address", isa.B64)
	o := &in.Operands[in.Access.Addr]
	base, off := b.base(in, o, to)
	if b.spaces[in] == isa.SpaceShared {
		b.ed.InsertBefore(in, fmt.Sprintf("%s\nadd.s64 %s, %s, %s;%s", base.text, to, base.reg, b.shift(),
			b.touch(in, to, off)))
	} else {
		is, by := b.reg("is shared", isa.Pred), b.reg("by", isa.B64)
		b.ed.InsertBefore(in,
			fmt.Sprintf("%[1]s\nisspacep.shared %[4]s, %[3]s;\nselp.b64 %[5]s, %[6]s, 0, %[4]s;\nadd.s64 %[2]s, %[3]s, %[5]s;%[7]s",
				base.text, to, base.reg, is, by, b.shift(), b.touch(in, to, off)))
	}
	b.replace(in, to, off)
}

// touch returns statements that report an access to the library when the region is executed to find the accesses of
// racing bytes. Register to holds the redirected address without its constant offset.
func (b *body) touch(in *rewrite.Inst, to string, off int64) string {
	if !b.p.result.Options.Sites {
		return ""
	}
	info := in.Access.Size
	if in.Access.Writes() {
		info |= abi.LDetectorTouchWrite
	}
	past, address := b.ed.FreshLabel(b.f), to
	text := fmt.Sprintf("\n@!%s bra %s;\n", b.reg("watch", isa.Pred), past)
	if in.Guard != nil {
		text += fmt.Sprintf("%sbra %s;\n", guardOf(in, true), past)
	}
	if off != 0 {
		address = b.reg("touched", isa.B64)
		text += fmt.Sprintf("add.s64 %s, %s, %d;\n", address, to, off)
	}
	args := []string{"b64 " + address, fmt.Sprint("b32 ", b.p.site(b.instruction(in))), fmt.Sprint("b32 ", info)}
	if b.child() {
		return text + b.call(abi.LDetectorChildTouch, "", "",
			append([]string{"b64 " + b.env()}, args...)...) + past + ":"
	}
	return text + b.call(abi.LDetectorTouch, "", "", args...) + past + ":"
}

// registerValue is a register and the statements that set it; no statements for a register of the user.
type registerValue struct{ text, reg string }

// base returns the 64-bit address of an operand without its constant offset, and the offset. It may use register to.
func (b *body) base(in *rewrite.Inst, o *rewrite.Operand, to string) (c registerValue, off int64) {
	text := in.Func.Module.AST.OperandText(o.AST)
	if v, ok := o.Sym.(*rewrite.Var); ok {
		c = registerValue{fmt.Sprintf("mov.u64 %s, %s;", to, v.Name), to}
		if o.Kind == rewrite.OperandSum {
			c.text = fmt.Sprintf("mov.u64 %s, %s;", to, text) // array[%r]
		} else {
			off = o.Off
		}
		if in.Access.Space == isa.SpaceNone {
			c.text += fmt.Sprintf("\ncvta.%s.u64 %s, %s;", v.Space, to, to)
		}
		return c, off
	}
	switch {
	case o.Reg == nil:
		return registerValue{fmt.Sprintf("mov.b64 %s, %d;", to, o.Off), to}, 0
	case o.Reg.Type.Bits() == 32:
		return registerValue{fmt.Sprintf("cvt.u64.u32 %s, %s%s;", to, o.Reg.Name, o.Member), to}, o.Off
	}
	return registerValue{"", o.Reg.Name + o.Member}, o.Off
}

// replace replaces the address of an access by a generic one.
func (b *body) replace(in *rewrite.Inst, to string, off int64) {
	m := in.Func.Module.AST
	src := in.Func.Module.Source()
	whole, opcode, part := m.InstRange(in.AST), m.OpcodeRange(in.AST), m.OperandRange(in.Operands[in.Access.Addr].AST)
	if off != 0 {
		to = fmt.Sprintf("%s+%d", to, off)
	}
	b.ed.Replace(in, string(src[whole.Start:opcode.Start])+withoutSpace(string(src[opcode.Start:opcode.End]))+
		string(src[opcode.End:part.Start])+"["+to+"]"+string(src[part.End:whole.End]))
}

// withoutSpace returns an opcode for generic addresses.
func withoutSpace(opcode string) string {
	opcode = strings.Replace(opcode, ".shared::cta", "", 1)
	return strings.Replace(opcode, ".shared", "", 1)
}

// accesses returns the accesses of shared memory of a region, in source order.
func (p *plan) accesses(r *region) []abi.LDetectorTouching {
	insts := append([]*rewrite.Inst{}, r.insts...)
	for _, f := range r.calls {
		insts = append(insts, f.Insts...)
	}
	refs := map[*rewrite.Func]map[*rewrite.Inst]address.MemRef{}
	var list []abi.LDetectorTouching
	for _, in := range insts {
		if refs[in.Func] == nil {
			refs[in.Func] = refsOf(in.Func)
		}
		ref := refs[in.Func][in]
		if !instrument.Own(in) || !redirected(in, ref.Space) {
			continue
		}
		list = append(list, abi.LDetectorTouching{Site: p.site(in), Writes: in.Access.Writes()})
	}
	return list
}

// touched adds to the table of sites the accesses that would be redirected and reported to the library.
func (p *plan) touched() {
	if !p.result.Options.Sites {
		return
	}
	list := p.called()
	for _, k := range p.kernels {
		list = append(list, k.f)
	}
	for _, f := range list {
		spaces := spacesOf(f)
		for _, in := range f.Insts {
			if instrument.Own(in) && redirected(in, spaces[in]) {
				p.site(in)
			}
		}
	}
}

// refsOf returns the accesses of a function by instruction. Do not modify the result.
func refsOf(f *rewrite.Func) map[*rewrite.Inst]address.MemRef {
	return f.Memo(refsKey{}, func() any {
		refs := map[*rewrite.Inst]address.MemRef{}
		for _, ref := range address.MemRefsOf(f) {
			if ref.Operand == ref.Inst.Access.Addr {
				refs[ref.Inst] = ref
			}
		}
		return refs
	}).(map[*rewrite.Inst]address.MemRef)
}

// refsKey is the key under which a function caches its refsOf.
type refsKey struct{}

// Functions of the library, for calls in text.
const (
	enter   = abi.LDetectorEnter
	dynSize = abi.LDetectorDynamic
	begin   = abi.LDetectorBegin
	end     = abi.LDetectorEnd
)
