// The opcodes whose results are modeled, as operations on integer expressions.

package symbolic

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// operation computes the value of an instruction's only destination; it returns false for an instruction that is not
// modeled.
type operation func(e *evaluation) (Value, bool)

// evaluation is the evaluation of one instruction.
type evaluation struct {
	f    *Frame
	in   *rewrite.Inst
	v    *rewrite.SSAValue
	at   int32 // index of the value
	bits int   // of the destination register
	elem int   // index of the element of a vector destination
	half int   // 1 for q in p|q
}

// operations maps the modeled calculations to their implementations. Other instructions return unconstrained variables.
var operations map[isa.Calc]operation

func init() { //nolint:gochecknoinits // they evaluate each other
	operations = map[isa.Calc]operation{
		isa.CalcCopy: (*evaluation).mov, isa.CalcConvertAddress: (*evaluation).convertAddress,
		isa.CalcConvert: (*evaluation).convert, isa.CalcLoad: (*evaluation).load,
		isa.CalcAdd: (*evaluation).add, isa.CalcSub: (*evaluation).sub, isa.CalcMul: (*evaluation).mul,
		isa.CalcMulAdd: (*evaluation).mad, isa.CalcMul24: (*evaluation).narrow,
		isa.CalcMulAdd24: (*evaluation).narrow,
		isa.CalcNegate:   (*evaluation).neg, isa.CalcAbs: (*evaluation).abs, isa.CalcMin: (*evaluation).extremum,
		isa.CalcMax:    (*evaluation).extremum,
		isa.CalcDivide: (*evaluation).div, isa.CalcRemainder: (*evaluation).rem,
		isa.CalcAnd: (*evaluation).bitwise, isa.CalcOr: (*evaluation).bitwise, isa.CalcXor: (*evaluation).bitwise,
		isa.CalcNot:       (*evaluation).not,
		isa.CalcShiftLeft: (*evaluation).shl, isa.CalcShiftRight: (*evaluation).shr,
		isa.CalcExtract: (*evaluation).extract,
		isa.CalcOnes:    (*evaluation).ones, isa.CalcLeadingZeros: (*evaluation).leadingZeros,
		isa.CalcReverse: (*evaluation).reversed, isa.CalcHighest: (*evaluation).highest,
		isa.CalcCompare: (*evaluation).compare, isa.CalcSelect: (*evaluation).selectp,
	}
}

// result returns the value that an instruction writes to a register.
func (f *Frame) result(v *rewrite.SSAValue, i int32) Value {
	in := v.Inst
	e := &evaluation{f: f, in: in, v: v, at: i, bits: v.Reg.Type.Bits()}
	if exactBits(in.Type(0))+exactBits(in.Type(1)) > 0 && e.destination() && e.elem == 0 {
		if out, ok := e.floating(); ok && (out.Number != nil) == v.Reg.Type.Float() {
			return out
		}
	}
	if op := operations[in.Instr.Calc]; op != nil && e.destination() {
		if out, ok := op(e); ok && (out.Int == nil || !out.Int.IsUnknown() || v.Reg.Type.Float()) {
			return out
		}
	}
	return f.opaque(v, e.origin(i))
}

// destination finds the part of the first operand that holds the value; it returns false if there is none.
func (e *evaluation) destination() bool {
	if len(e.in.Operands) == 0 || e.v.Reg.Vec > 1 {
		return false
	}
	o := &e.in.Operands[0]
	switch o.Kind {
	case rewrite.OperandReg:
		return o.Reg == e.v.Reg
	case rewrite.OperandVector, rewrite.OperandPair:
		for i := range o.Elems {
			if o.Elems[i].Reg == e.v.Reg {
				e.elem = i
				if o.Kind == rewrite.OperandPair {
					e.elem, e.half = 0, i
				}
				return true
			}
		}
	}
	return false
}

// origin returns the reason why a result is not known.
func (e *evaluation) origin(i int32) Origin {
	o := Origin{
		Inst: e.in, What: "the result of " + e.in.Instr.Name, value: i,
		Data: e.in.Instr.Calc != isa.CalcPeerAddress || e.fromMemory(),
	}
	switch {
	case e.in.Access.Atomic():
		o.What = "the result of an atomic operation"
	case e.in.Access.Kind == isa.AccessLoad:
		o.What = "a loaded value"
	default:
		if _, call := e.in.Call(); call {
			o.What = "the result of a call"
		}
	}
	return o
}

// fromMemory reports whether a source operand depends on the contents of memory.
func (e *evaluation) fromMemory() bool {
	for n := 1; n < len(e.in.Operands); n++ {
		x := e.raw(n)
		if x.IsUnknown() || slices.ContainsFunc(x.Vars(),
			func(v expr.Variable) bool { o := e.f.Kernel.Origin(v.Name); return o != nil && o.Data }) {
			return true
		}
	}
	return false
}

// typed returns a source operand as a number of the instruction's type.
func (e *evaluation) typed(n int) *expr.Int { return e.as(n, e.in.Type(0)) }

func (e *evaluation) as(n int, t isa.Type) *expr.Int {
	if n >= len(e.in.Operands) {
		return expr.Unknown()
	}
	return typed(e.f.operand(e.in, &e.in.Operands[n]), t)
}

// raw returns a source operand as an integer that is congruent modulo the width of the instruction's type.
func (e *evaluation) raw(n int) *expr.Int {
	if n >= len(e.in.Operands) {
		return expr.Unknown()
	}
	if v := e.f.operand(e.in, &e.in.Operands[n]); v.Int != nil {
		return v.Int
	}
	return expr.Unknown()
}

// plain reports whether the instruction computes integers of the register's width without further modifiers.
func (e *evaluation) plain() bool {
	t := e.in.Type(0)
	return integer(t) && t.Bits() == e.bits && !e.in.Has("sat") && e.in.Effects()&(isa.ReadsCarry|isa.WritesCarry) == 0
}

func integer(t isa.Type) bool {
	k := t.Kind()
	return t.Lanes() == 1 && t.Bits() >= 8 && t.Bits() <= 64 &&
		(k == isa.KindBits || k == isa.KindUnsigned || k == isa.KindSigned)
}

// known returns a value, and false if it is unknown.
func known(x *expr.Int) (Value, bool) { return Value{Int: x}, !x.IsUnknown() }

func (e *evaluation) copy() (Value, bool) {
	v := e.f.operand(e.in, &e.in.Operands[1])
	return v, v.Bool != nil || v.Int != nil && !v.Int.IsUnknown()
}

// mov copies, packs and unpacks. mov.v2 and mov.v4 copy element by element.
func (e *evaluation) mov() (Value, bool) {
	switch src := &e.in.Operands[1]; {
	case e.in.Operands[0].Kind != rewrite.OperandVector:
		return e.copy()
	case e.in.Vec > 1 && src.Kind == rewrite.OperandVector && e.elem < len(src.Elems):
		v := e.f.operand(e.in, &src.Elems[e.elem])
		return v, v.Int != nil && !v.Int.IsUnknown()
	case e.in.Vec > 1:
		return Value{}, false
	}
	at := 0
	for i := range e.elem {
		if r := e.in.Operands[0].Elems[i].Reg; r != nil {
			at += r.Type.Bits()
		} else {
			at += e.bits // "_" is as wide as its neighbours
		}
	}
	x := e.raw(1)
	if at == 0 {
		return known(x)
	}
	return known(expr.Shr(unsigned(x, e.in.Type(0).Bits()), expr.Const(int64(at))))
}

// convert evaluates cvt between integers: the source is interpreted as a number of its type, and reduced to a narrower
// one.
func (e *evaluation) convert() (Value, bool) {
	to, from := e.in.Type(0), e.in.Type(1)
	if !integer(to) || !integer(from) || e.in.Has("sat") {
		return Value{}, false
	}
	if to.Bits() <= from.Bits() && to.Bits() == e.bits {
		return known(e.raw(1))
	}
	x := e.as(1, from)
	if to.Bits() < e.bits { // the register is wider than the type: extend by the type's signedness
		x = typed(Value{Int: x}, to)
	}
	return known(x)
}

// load returns the value of a load: a parameter, or an unknown of the loaded width.
func (e *evaluation) load() (Value, bool) {
	if e.in.Access.Space == isa.SpaceParam {
		if v, ok := (parameters{e.f}).parameter(e.in, e.elem); ok {
			return e.extended(v)
		}
		return Value{}, false
	}
	t := e.in.Type(0)
	if !integer(t) || t.Bits() >= e.bits && t.Kind() != isa.KindUnsigned {
		return Value{}, false
	}
	return Value{Int: e.f.fresh(e.origin(e.at), t)}, true
}

// extended returns a loaded number extended to a register that may be wider.
func (e *evaluation) extended(v Value) (Value, bool) {
	t := e.in.Type(0)
	if v.Int == nil || v.Int.IsUnknown() {
		return Value{Int: expr.Unknown()}, true
	}
	if integer(t) && t.Bits() < e.bits {
		v.Int = typed(v, t)
	}
	return v, true
}

func (e *evaluation) add() (Value, bool) {
	if !e.plain() {
		return Value{}, false
	}
	return known(addHigh(e.raw(1), e.raw(2)))
}

func (e *evaluation) sub() (Value, bool) {
	if !e.plain() {
		return Value{}, false
	}
	return known(expr.Sub(e.raw(1), e.raw(2)))
}

// product returns the product of the first two source operands by the modifier: lo, hi or wide.
func (e *evaluation) product() (x *expr.Int, ok bool) {
	t := e.in.Type(0)
	if !integer(t) || e.in.Has("sat") || e.in.Effects()&(isa.ReadsCarry|isa.WritesCarry) != 0 {
		return nil, false
	}
	switch {
	case e.in.Has("wide"):
		return expr.Mul(e.typed(1), e.typed(2)), 2*t.Bits() == e.bits
	case e.in.Has("hi"):
		return shiftRight(expr.Mul(e.typed(1), e.typed(2)), expr.Const(int64(t.Bits())), 2*t.Bits()), t.Bits() == e.bits
	}
	return expr.Mul(e.raw(1), e.raw(2)), t.Bits() == e.bits
}

func (e *evaluation) mul() (Value, bool) {
	x, ok := e.product()
	if !ok {
		return Value{}, false
	}
	return known(x)
}

func (e *evaluation) mad() (Value, bool) {
	x, ok := e.product()
	if !ok {
		return Value{}, false
	}
	return known(addHigh(x, e.raw(3)))
}

// narrow evaluates mul24.lo and mad24.lo: the low 32 bits of the product of the low 24 bits of the first two source
// operands (PTX ISA, "mul24").
func (e *evaluation) narrow() (Value, bool) {
	if !e.in.Has("lo") || !e.plain() {
		return Value{}, false
	}
	signed := e.in.Type(0).Kind() == isa.KindSigned
	x := expr.Mul(expr.Wrap(e.raw(1), 24, signed), expr.Wrap(e.raw(2), 24, signed))
	if e.in.Instr.Calc == isa.CalcMulAdd24 {
		x = addHigh(x, e.raw(3))
	}
	return known(x)
}

func (e *evaluation) neg() (Value, bool) {
	x := e.raw(1)
	return Value{Int: expr.Neg(x)}, e.plain() && !x.IsUnknown()
}

func (e *evaluation) abs() (Value, bool) {
	if !e.plain() {
		return Value{}, false
	}
	x := e.typed(1)
	return known(expr.Ite(expr.Ge(x, expr.Const(0)), x, expr.Neg(x)))
}

func (e *evaluation) extremum() (Value, bool) {
	if !e.plain() {
		return Value{}, false
	}
	x := expr.Max(e.typed(1), e.typed(2))
	if e.in.Instr.Calc == isa.CalcMin {
		x = expr.Min(e.typed(1), e.typed(2))
	}
	if e.in.Has("relu") {
		x = expr.Max(x, expr.Const(0))
	}
	return known(x)
}

// div evaluates a division by a divisor that is not 0; the result of division by 0 is unspecified (PTX ISA, "div").
func (e *evaluation) div() (Value, bool) {
	y := e.typed(2)
	if !e.plain() || mayBeZero(y) {
		return Value{}, false
	}
	return known(expr.Div(e.typed(1), y))
}

func (e *evaluation) rem() (Value, bool) {
	y := e.typed(2)
	if !e.plain() || mayBeZero(y) {
		return Value{}, false
	}
	return known(expr.Rem(e.typed(1), y))
}

// mayBeZero reports whether a divisor is the constant 0 or unknown. For other divisors the result of expr.Div is
// arbitrary where the divisor is 0, like the instruction's.
func mayBeZero(y *expr.Int) bool {
	k, ok := y.Const()
	return ok && k.Sign() == 0 || y.IsUnknown()
}
