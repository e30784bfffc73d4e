// Instructions that access registers only.

package replay

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// trunc returns the low bits of a register.
func trunc(x uint64, bits int) uint64 {
	if bits >= 64 {
		return x
	}
	return x & (1<<bits - 1)
}

// extend returns the low bits, as a number of a type, extended to 64 bits.
func extend(x uint64, t isa.Type) uint64 {
	n := t.Bits()
	if n >= 64 || n == 0 {
		return x
	}
	if t.Signed() {
		return uint64(int64(x<<(64-n)) >> (64 - n))
	}
	return trunc(x, n)
}

// operand returns the value of a source operand.
func (t *thread) operand(a *activation, in *rewrite.Inst, o *rewrite.Operand) value {
	switch o.Kind {
	case rewrite.OperandReg:
		if o.Member != "" || o.Reg.Vec > 1 {
			return value{}
		}
		v := a.regs[o.Reg.Index]
		if o.Not {
			v.bits ^= 1
		}
		if o.Neg {
			v.bits = trunc(-v.bits, o.Reg.Type.Bits())
		}
		return v
	case rewrite.OperandImm:
		return value{bits: o.Imm, known: !o.Float}
	case rewrite.OperandSpecial:
		return t.special(o)
	case rewrite.OperandSymbol:
		if v, ok := o.Sym.(*rewrite.Var); ok {
			return value{bits: t.launch.Symbol(a.frame, v) + uint64(o.Off), known: true}
		}
	case rewrite.OperandVector:
		return t.pack(a, in, o)
	}
	return value{}
}

func (t *thread) pack(a *activation, in *rewrite.Inst, o *rewrite.Operand) value {
	out, at := value{known: true}, 0
	for i := range o.Elems {
		e := &o.Elems[i]
		if e.Reg == nil {
			return value{}
		}
		v := t.operand(a, in, e)
		out.known = out.known && v.known
		out.bits |= trunc(v.bits, e.Reg.Type.Bits()) << at
		at += e.Reg.Type.Bits()
	}
	if at > 64 {
		return value{}
	}
	return out
}

func (t *thread) special(o *rewrite.Operand) value {
	number := func(x [3]uint32) value {
		if len(o.Member) != 2 || o.Member[1] < 'x' || o.Member[1] > 'z' {
			return value{}
		}
		return value{bits: uint64(x[o.Member[1]-'x']), known: true}
	}
	switch o.Special.Name {
	case "%tid":
		return number(t.thread)
	case "%ctaid":
		return number(t.block)
	case "%ntid":
		return number(t.launch.Block)
	case "%nctaid":
		return number(t.launch.Grid)
	case "%laneid":
		b := t.launch.Block
		flat := t.thread[0] + b[0]*(t.thread[1]+b[1]*t.thread[2])
		return value{bits: uint64(flat % isa.WarpSize), known: true}
	}
	return value{}
}

// compute executes an instruction that accesses registers only.
func (t *thread) compute(a *activation, in *rewrite.Inst) {
	sync := false
	if len(in.Operands) == 0 {
		return
	}
	in.Uses(func(r *rewrite.Reg) { sync = sync || a.regs[r.Index].sync && !a.regs[r.Index].known })
	op := operations[in.Instr.Calc]
	dst := &in.Operands[0]
	if op == nil || dst.Kind == rewrite.OperandReg && dst.Reg.Vec > 1 || in.Has("sat") || in.Effects()&(isa.ReadsCarry|isa.WritesCarry) != 0 {
		t.forget(a, in)
		in.Defs(func(r *rewrite.Reg) { a.regs[r.Index].sync = sync })
		return
	}
	c := &calc{t: t, a: a, in: in, ok: true}
	for n := 1; n < len(in.Operands); n++ {
		v := t.operand(a, in, &in.Operands[n])
		c.ok = c.ok && v.known
		c.src = append(c.src, v.bits)
	}
	if in.Instr.Calc == isa.CalcSelect {
		c.choose()
	}
	x := op(c)
	c.put(dst, value{bits: x, known: c.ok, sync: sync})
}

// calc is the execution of an instruction.
type calc struct {
	t   *thread
	a   *activation
	in  *rewrite.Inst
	src []uint64
	ok  bool
}

// choose makes the result of selp known if the chosen source is.
func (c *calc) choose() {
	p := c.t.operand(c.a, c.in, &c.in.Operands[3])
	n := 1
	if p.bits&1 == 0 {
		n = 2
	}
	v := c.t.operand(c.a, c.in, &c.in.Operands[n])
	c.ok = p.known && v.known
	c.src[0] = v.bits
}

// put writes the destination: a register, the elements of a vector, or p|q.
func (c *calc) put(dst *rewrite.Operand, v value) {
	switch dst.Kind {
	case rewrite.OperandReg:
		v.bits = trunc(v.bits, dst.Reg.Type.Bits())
		c.a.regs[dst.Reg.Index] = v
	case rewrite.OperandVector: // mov
		for i := range dst.Elems {
			if r := dst.Elems[i].Reg; r != nil {
				c.a.regs[r.Index] = value{bits: trunc(v.bits, r.Type.Bits()), known: v.known, sync: v.sync}
				v.bits >>= r.Type.Bits() & 63
			} else {
				v.known = false
			}
		}
	case rewrite.OperandPair:
		for i := range dst.Elems {
			if r := dst.Elems[i].Reg; r != nil {
				c.a.regs[r.Index] = value{bits: v.bits >> i & 1, known: v.known, sync: v.sync}
			}
		}
	}
}

// typed returns a source as a number of the instruction's type.
func (c *calc) typed(n int) uint64 { return c.as(n, c.in.Type(0)) }

func (c *calc) as(n int, t isa.Type) uint64 {
	if n >= len(c.src) || t.Float() || t.Lanes() > 1 {
		c.ok = false
		return 0
	}
	return extend(c.src[n], t)
}

func (c *calc) signed() bool { return c.in.Type(0).Signed() }

var operations map[isa.Calc]func(*calc) uint64

func init() { //nolint:gochecknoinits // products and conversions look operations up themselves
	first := func(c *calc) uint64 { return c.src[0] }
	operations = map[isa.Calc]func(*calc) uint64{
		isa.CalcCopy: first, isa.CalcConvertAddress: first, isa.CalcSelect: first, isa.CalcConvert: (*calc).convert,
		isa.CalcAdd: func(c *calc) uint64 { return c.typed(0) + c.typed(1) },
		isa.CalcSub: func(c *calc) uint64 { return c.typed(0) - c.typed(1) },
		isa.CalcMul: (*calc).product, isa.CalcMulAdd: func(c *calc) uint64 { return c.product() + c.src[2] },
		isa.CalcNegate: func(c *calc) uint64 { return -c.typed(0) }, isa.CalcAbs: (*calc).abs,
		isa.CalcMin: (*calc).least, isa.CalcMax: (*calc).most, isa.CalcDivide: (*calc).div, isa.CalcRemainder: (*calc).rem,
		isa.CalcAnd: func(c *calc) uint64 { return c.src[0] & c.src[1] },
		isa.CalcOr:  func(c *calc) uint64 { return c.src[0] | c.src[1] },
		isa.CalcXor: func(c *calc) uint64 { return c.src[0] ^ c.src[1] }, isa.CalcNot: (*calc).not,
		isa.CalcShiftLeft: (*calc).shl, isa.CalcShiftRight: (*calc).shr, isa.CalcCompare: (*calc).compare, isa.CalcExtract: (*calc).extract,
	}
}

func (c *calc) convert() uint64 {
	to, from := c.in.Type(0), c.in.Type(1)
	if to.Float() || from.Float() || to.Lanes() > 1 {
		c.ok = false
		return 0
	}
	return extend(c.as(0, from), to)
}

func (c *calc) product() uint64 {
	x, y := c.typed(0), c.typed(1)
	t := c.in.Type(0)
	if !c.in.Has("hi") {
		return x * y
	}
	if t.Bits() < 64 {
		return uint64(int64(x*y) >> t.Bits())
	}
	hi, _ := bits.Mul64(x, y)
	if t.Signed() {
		hi -= uint64(int64(x)>>63)&y + uint64(int64(y)>>63)&x
	}
	return hi
}

func (c *calc) abs() uint64 {
	x := c.typed(0)
	if int64(x) < 0 {
		return -x
	}
	return x
}

func (c *calc) less(x, y uint64) bool {
	if c.signed() {
		return int64(x) < int64(y)
	}
	return x < y
}

func (c *calc) least() uint64 {
	if x, y := c.typed(0), c.typed(1); c.less(x, y) {
		return x
	} else {
		return y
	}
}

func (c *calc) most() uint64 {
	if x, y := c.typed(0), c.typed(1); c.less(x, y) {
		return y
	} else {
		return x
	}
}

func (c *calc) div() uint64 {
	x, y := c.typed(0), c.typed(1)
	if y == 0 || c.signed() && y == ^uint64(0) && int64(x) == -1<<63 {
		c.ok = false
		return 0
	}
	if c.signed() {
		return uint64(int64(x) / int64(y))
	}
	return x / y
}

func (c *calc) rem() uint64 {
	x, y := c.typed(0), c.typed(1)
	if y == 0 || c.signed() && y == ^uint64(0) {
		c.ok = c.ok && y != 0
		return 0
	}
	if c.signed() {
		return uint64(int64(x) % int64(y))
	}
	return x % y
}

func (c *calc) not() uint64 {
	if c.in.Type(0) == isa.Pred {
		return ^c.src[0] & 1
	}
	return ^c.src[0]
}

func (c *calc) shl() uint64 {
	if n := c.as(1, isa.U32); n < 64 {
		return c.src[0] << n
	}
	return 0
}

func (c *calc) shr() uint64 {
	n := min(c.as(1, isa.U32), 63)
	x := c.typed(0)
	if c.signed() {
		return uint64(int64(x) >> n)
	}
	if c.as(1, isa.U32) > 63 {
		return 0
	}
	return x >> n
}

func (c *calc) extract() uint64 {
	pos, n, t := c.as(1, isa.U32), c.as(2, isa.U32), c.in.Type(0)
	if n < 1 || pos+n > uint64(t.Bits()) {
		c.ok = false
		return 0
	}
	x := trunc(c.src[0], t.Bits()) >> pos
	if t.Signed() {
		return uint64(int64(x<<(64-n)) >> (64 - n))
	}
	return trunc(x, int(n))
}

// compare is setp: bit 0 is p, bit 1 is q.
func (c *calc) compare() uint64 {
	how, ok := c.in.Comparison()
	if !ok || c.in.Type(0).Float() {
		c.ok = false
		return 0
	}
	x, y := c.typed(0), c.typed(1)
	order := 0
	if x != y {
		order = 1
		if c.less(x, y) {
			order = -1
		}
	}
	p := how.Of(order)
	q := !p
	if len(c.src) > 2 {
		r := c.src[2]&1 != 0
		switch c.in.Mod("BoolOp") {
		case "and":
			p, q = p && r, q && r
		case "or":
			p, q = p || r, q || r
		case "xor":
			p, q = p != r, q != r
		}
	}
	out := uint64(0)
	if p {
		out |= 1
	}
	if q {
		out |= 2
	}
	return out
}
