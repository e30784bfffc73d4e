// Arguments of hooks: the instructions that compute them.

package rewrite

import (
	"fmt"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// arg returns the register or immediate to be stored in a parameter of type want. It first writes the instructions that
// compute it.
func (c *callWriter) arg(a Arg, want isa.Type) (string, error) {
	switch a.kind {
	case argConst32:
		return fmt.Sprint(a.bits), sized(want, 32)
	case argConst64:
		return fmt.Sprint(a.bits), sized(want, 64)
	case argAddr:
		if err := sized(want, 64); err != nil {
			return "", err
		}
		return c.address(a.operand)
	case argReg:
		return c.convert(&Operand{Kind: OperandReg, Reg: a.reg}, a.reg.Type, want, c.after)
	case argGuard:
		return c.guardValue(want)
	case argAddrOf:
		if err := sized(want, 64); err != nil {
			return "", err
		}
		other := *c
		other.in, other.after = a.in, false
		from, err := other.address(a.operand)
		c.pre = other.pre
		return from, err
	}
	o, typ, dst, err := c.operand(a)
	if err != nil {
		return "", err
	}
	return c.convert(o, typ, want, c.after && dst)
}

// sized checks the width of a parameter.
func sized(want isa.Type, bits int) error {
	if want.Bits() != bits {
		return fmt.Errorf("the parameter is .%s, the argument has %d bits", want, bits)
	}
	return nil
}

func (c *callWriter) temp(class regClass) string { return c.fe.temp(c.s, class) }

// emit adds an instruction that computes an argument.
func (c *callWriter) emit(late bool, format string, args ...any) {
	if late {
		c.post = append(c.post, fmt.Sprintf(format, args...))
	} else {
		c.pre = append(c.pre, fmt.Sprintf(format, args...))
	}
}

// guardValue returns the guard as a number.
func (c *callWriter) guardValue(want isa.Type) (string, error) {
	if err := sized(want, 32); err != nil {
		return "", err
	}
	if c.in.Guard == nil {
		return "1", nil
	}
	return c.convert(&Operand{Kind: OperandReg, Reg: c.in.Guard, Not: c.in.GuardNot}, isa.Pred, want, false)
}

// operand returns the operand or vector element that an argument names, its type, and whether the instruction writes
// it.
func (c *callWriter) operand(a Arg) (o *Operand, typ isa.Type, dst bool, err error) {
	if a.operand < 0 || a.operand >= len(c.in.Operands) || a.operand >= len(c.in.Decoded.Operands) {
		return nil, 0, false, fmt.Errorf("the instruction has no operand %d", a.operand)
	}
	o, info := &c.in.Operands[a.operand], c.in.Decoded.Operands[a.operand]
	if o.Kind == OperandVector {
		if a.elem < 0 || a.elem >= len(o.Elems) {
			return nil, 0, false, fmt.Errorf("operand %d has no element %d", a.operand, a.elem)
		}
		o = &o.Elems[a.elem]
	}
	if o.wholeVector() {
		if a.elem < 0 || a.elem >= o.Reg.Vec {
			return nil, 0, false, fmt.Errorf("operand %d has no element %d", a.operand, a.elem)
		}
		o = &Operand{Kind: OperandReg, AST: o.AST, Reg: o.Reg, Member: "." + "xyzw"[a.elem:a.elem+1]}
	}
	if o.Kind == OperandPair {
		o = &o.Elems[0]
	}
	typ = info.Type
	if typ == isa.TypeNone && o.Kind == OperandReg {
		typ = o.Reg.Type
	}
	if o.Kind == OperandNone {
		return nil, 0, false, fmt.Errorf("operand %d is discarded", a.operand)
	}
	return o, typ, info.Role == isa.RoleDst, nil
}

// convert converts a value of type typ to the width of want, in a register of bit type or as an immediate. late is for
// values read after the instruction.
func (c *callWriter) convert(o *Operand, typ, want isa.Type, late bool) (string, error) {
	if typ == isa.TypeNone || typ.Bits() > want.Bits() && typ != isa.Pred {
		return "", fmt.Errorf("a .%s value does not fit a .%s parameter", typ, want)
	}
	class := classOf(want)
	width := max(want.Bits(), 16)
	r := ""
	switch {
	case o.Kind == OperandImm:
		return immediate(o, typ)
	case typ == isa.Pred && o.Kind == OperandReg:
		one, zero := 1, 0
		if o.Not {
			one, zero = 0, 1
		}
		r = c.temp(class)
		c.emit(late, "selp.b%d %s, %d, %d, %s;", width, r, one, zero, o.Reg.Name)
		return r, nil
	case o.Kind == OperandReg:
		return c.widen(o, typ, class, width, late)
	case o.Kind == OperandSum && o.Sym == nil && o.Reg.Type.Bits() >= 16:
		bits := o.Reg.Type.Bits()
		r = c.temp(classOf(o.Reg.Type))
		c.emit(late, "add.u%d %s, %s, %d;", bits, r, o.Reg.Name, int64(uint64(o.Off)<<(64-bits))>>(64-bits))
		return c.widen(&Operand{Kind: OperandReg, Reg: &Reg{Name: r, Type: o.Reg.Type, Vec: 1}}, typ, class, width,
			late)
	case o.Kind == OperandSpecial:
		r = c.temp(classOf(o.Special.Type))
		c.emit(late, "mov.%s %s, %s%s;", o.Special.Type, r, o.Special.Name, o.Member)
		return c.widen(&Operand{Kind: OperandReg, Reg: &Reg{Name: r, Type: o.Special.Type, Vec: 1}}, o.Special.Type,
			class, width, late)
	}
	return "", fmt.Errorf("the value of %q cannot be passed", c.in.Func.Module.AST.OperandText(o.AST))
}

// widen moves a register to a class of at least its width. No copy is needed if it fits as it is, unless the
// instruction executes before the call.
func (c *callWriter) widen(o *Operand, typ isa.Type, class regClass, width int, late bool) (string, error) {
	name := o.Reg.Name + o.Member
	have := o.Reg.Type
	if o.Neg {
		return "", fmt.Errorf("the value of -%s cannot be passed", name)
	}
	if typ.Bits() == width && have.Bits() == width && (late || !c.after) {
		return name, nil
	}
	if typ.Float() && typ.Bits() < width {
		return "", fmt.Errorf("a .%s value does not fit a parameter of %d bits", typ, width)
	}
	if have.Float() && have.Bits() < width {
		// cvt between integers does not accept a register of a floating-point type.
		bits := c.temp(classOf(have))
		c.emit(late, "mov.b%d %s, %s;", have.Bits(), bits, name)
		name = bits
	}
	r := c.temp(class)
	switch {
	case typ.Bits() == width && have.Bits() == width:
		c.emit(late, "mov.b%d %s, %s;", width, r, name)
	case typ.Signed():
		c.emit(late, "cvt.s%d.s%d %s, %s;", width, typ.Bits(), r, name)
	default:
		c.emit(late, "cvt.u%d.u%d %s, %s;", width, typ.Bits(), r, name)
	}
	return r, nil
}

// immediate returns a constant operand as an integer of its type.
func immediate(o *Operand, typ isa.Type) (string, error) {
	bits := o.Imm
	if o.Float {
		f := math.Float64frombits(bits)
		if o.Single {
			f = float64(math.Float32frombits(uint32(bits)))
		}
		switch typ.Bits() {
		case 32:
			bits = uint64(math.Float32bits(float32(f)))
			if o.Single {
				bits = o.Imm
			}
		case 64:
			bits = math.Float64bits(f)
		default:
			return "", fmt.Errorf("a .%s constant cannot be passed", typ)
		}
	}
	if typ.Signed() {
		return fmt.Sprint(int64(bits)), nil
	}
	return fmt.Sprint(typ.Truncate(bits)), nil
}

// address computes the generic effective address of an operand before the
// instruction executes.
func (c *callWriter) address(n int) (string, error) {
	if n < 0 || n >= len(c.in.Operands) || c.in.Operands[n].Kind != OperandAddr && c.in.Operands[n].Kind != OperandSum {
		return "", fmt.Errorf("operand %d is not an address", n)
	}
	o := &c.in.Operands[n]
	space := c.spaceOf(n)
	from := ""
	switch sym := o.Sym.(type) {
	case *Var:
		if space == isa.SpaceNone {
			space = sym.Space
		}
		from = c.temp(class64)
		c.emit(false, "mov.u64 %s, %s;", from, sym.Name)
		if o.Kind == OperandSum {
			sum := c.temp(class64)
			c.emit(false, "add.s64 %s, %s, %s;", sum, from, c.scaled(o))
			from = sum
		} else {
			from = c.offset(from, o.Off)
		}
	case nil:
		from = c.base(o)
	default:
		return "", fmt.Errorf("the address of %s cannot be passed", sym.SymbolName())
	}
	if space == isa.SpaceParam {
		return "", fmt.Errorf("a parameter has no generic address")
	}
	return c.generic(from, c.spaceWord(space)), nil
}

// spaceOf returns the state space that the n-th operand points into.
func (c *callWriter) spaceOf(n int) isa.Space {
	if a := c.in.Copy; a.Kind != isa.AccessNone && a.Addr == n {
		return a.Space
	}
	return c.in.Access.Space
}

// base returns a register that holds register + offset, or an absolute address.
// Addresses in narrow registers are zero-extended after the addition.
func (c *callWriter) base(o *Operand) string {
	if o.Reg == nil {
		r := c.temp(class64)
		c.emit(false, "mov.u64 %s, %d;", r, uint64(o.Off))
		return r
	}
	name := o.Reg.Name + o.Member
	if o.Reg.Type.Bits() == 64 {
		return c.offset(name, o.Off)
	}
	if o.Off != 0 {
		sum := c.temp(class32)
		c.emit(false, "add.s32 %s, %s, %d;", sum, name, int32(o.Off))
		name = sum
	}
	r := c.temp(class64)
	c.emit(false, "cvt.u64.u32 %s, %s;", r, name)
	return r
}

// scaled returns a register of 64 bits that holds register * scale + offset, computed in the width of the register and
// zero-extended.
func (c *callWriter) scaled(o *Operand) string {
	if o.Reg.Type.Bits() == 64 {
		r := c.temp(class64)
		c.emit(false, "mad.lo.s64 %s, %s, %d, %d;", r, o.Reg.Name, o.Scale, o.Off)
		return r
	}
	sum, r := c.temp(class32), c.temp(class64)
	c.emit(false, "mad.lo.s32 %s, %s, %d, %d;", sum, o.Reg.Name, o.Scale, int32(o.Off))
	c.emit(false, "cvt.u64.u32 %s, %s;", r, sum)
	return r
}

// offset returns a register that holds base + off.
func (c *callWriter) offset(base string, off int64) string {
	if off == 0 {
		return base
	}
	r := c.temp(class64)
	c.emit(false, "add.s64 %s, %s, %d;", r, base, off)
	return r
}

// spaceWord returns a space in the spelling of cvta; .shared::cluster is kept.
func (c *callWriter) spaceWord(space isa.Space) string {
	if space == isa.SpaceShared && slices.Contains(c.in.Mods, "shared::cluster") {
		return "shared::cluster"
	}
	return space.String()
}

// generic returns a register that holds a generic address. After the instruction a user's register may have changed, so
// a copy is returned.
func (c *callWriter) generic(from, space string) string {
	if space == isa.SpaceNone.String() {
		if !c.after {
			return from
		}
		r := c.temp(class64)
		c.emit(false, "mov.b64 %s, %s;", r, from)
		return r
	}
	r := c.temp(class64)
	c.emit(false, "cvta.%s.u64 %s, %s;", space, r, from)
	return r
}
