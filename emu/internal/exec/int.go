// Integer arithmetic, carries, and dot products.

package exec

import (
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semInt is the semantics of integer arithmetic (PTX ISA, "Integer Arithmetic
// Instructions" and "Extended-Precision Integer Arithmetic Instructions"). The
// opcodes that exist for floating-point types too are dispatched to float.go.
var semInt = map[string]state.DecodeFunc{
	"add":   decodeArith,
	"sub":   decodeArith,
	"mul":   decodeArith,
	"mad":   decodeArith,
	"div":   decodeArith,
	"rem":   decodeArith,
	"min":   decodeArith,
	"max":   decodeArith,
	"abs":   decodeArith,
	"neg":   decodeArith,
	"sad":   decodeArith,
	"mul24": decodeArith,
	"mad24": decodeArith,
	"dp4a":  decodeDot,
	"dp2a":  decodeDot,
	"clmad": decodeCarryless,
	"addc":  decodeCarry,
	"subc":  decodeCarry,
	"madc":  decodeCarry,
}

// decodeArith selects the decode function for the type: integer or floating-point.
func decodeArith(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	t := in.Type(0)
	switch {
	case in.Has("cc"):
		return decodeCarry(d, in)
	case t == isa.F32 || t == isa.F64:
		return decodeFloat(d, in)
	case t == isa.F32x2:
		return decodePairF32(d, in)
	case t.Float():
		return decodeHalf(d, in)
	case in.Instr.Name == "min" || in.Instr.Name == "max":
		return chain(d, in, intMinMax(in))
	}
	return decode.Simple(d, in, intBody(in, t))
}

// intBody returns the body of an integer instruction for its type, nil if there is none.
func intBody(in *rewrite.Inst, t isa.Type) state.BodyFunc {
	switch in.Instr.Name {
	case "add":
		return intAdd(in, t)
	case "sub":
		return intSub(in, t)
	case "mul":
		return intMul(in, t)
	case "mad":
		return intMad(in, t)
	case "div":
		return byType(t, half2(num.Div[uint16]), half2(num.Div[int16]), map2(num.Div[uint32]), map2(num.Div[int32]),
			map2(num.Div[uint64]), map2(num.Div[int64]))
	case "rem":
		return byType(t, half2(num.Rem[uint16]), half2(num.Rem[int16]), map2(num.Rem[uint32]), map2(num.Rem[int32]),
			map2(num.Rem[uint64]), map2(num.Rem[int64]))
	case "sad":
		return byType(t, half3(num.Sad[uint16]), half3(num.Sad[int16]), map3(num.Sad[uint32]), map3(num.Sad[int32]),
			map3(num.Sad[uint64]), map3(num.Sad[int64]))
	case "abs":
		return byType(t, nil, half1(num.Abs[int16]), nil, map1(num.Abs[int32]), nil, map1(num.Abs[int64]))
	case "neg":
		if t.Lanes() > 1 {
			bits, signed := t.Bits()/t.Lanes(), t.Signed()
			return map1(func(a uint32) uint32 {
				return num.Packed(0, a, bits, signed, false, func(a, b int64) int64 { return a - b })
			})
		}
		return byType(t, nil, half1(func(a int16) int16 { return -a }), nil, map1(func(a int32) int32 { return -a }),
			nil, map1(func(a int64) int64 { return -a }))
	case "mul24":
		return int24(in, t, false)
	case "mad24":
		return int24(in, t, true)
	}
	return nil
}

// byType selects the body for an integer type of 16, 32 or 64 bits.
func byType(t isa.Type, u16, s16, u32, s32, u64, s64 state.BodyFunc) state.BodyFunc {
	switch t {
	case isa.U16, isa.B16:
		return u16
	case isa.S16:
		return s16
	case isa.U32, isa.B32:
		return u32
	case isa.S32:
		return s32
	case isa.U64, isa.B64:
		return u64
	case isa.S64:
		return s64
	}
	return nil
}

func intAdd(in *rewrite.Inst, t isa.Type) state.BodyFunc {
	switch {
	case t.Lanes() > 1:
		return packed(in, t, func(a, b int64) int64 { return a + b })
	case in.Has("sat") && t == isa.U32:
		return map2(func(a, b uint32) uint32 { return num.SatU32(int64(a) + int64(b)) })
	case in.Has("sat"):
		return map2(func(a, b int32) int32 { return num.SatS32(int64(a) + int64(b)) })
	}
	h := half2(func(a, b uint16) uint16 { return a + b })
	return byType(t, h, h, decode.ExecAdd[uint32], decode.ExecAdd[uint32], decode.ExecAdd[uint64],
		decode.ExecAdd[uint64])
}

func intSub(in *rewrite.Inst, t isa.Type) state.BodyFunc {
	switch {
	case t.Lanes() > 1:
		return packed(in, t, func(a, b int64) int64 { return a - b })
	case in.Has("sat"):
		return map2(func(a, b int32) int32 { return num.SatS32(int64(a) - int64(b)) })
	}
	h := half2(func(a, b uint16) uint16 { return a - b })
	return byType(t, h, h, execSub[uint32], execSub[uint32], execSub[uint64], execSub[uint64])
}

// packed returns the body of an operation on the elements of a packed integer type. .sat clamps the results, .relu
// raises negative ones to 0.
func packed(in *rewrite.Inst, t isa.Type, fn func(a, b int64) int64) state.BodyFunc {
	bits, signed, sat := t.Bits()/t.Lanes(), t.Signed(), in.Has("sat")
	op := fn
	if in.Has("relu") {
		op = func(a, b int64) int64 { return max(fn(a, b), 0) }
	}
	return map2(func(a, b uint32) uint32 { return num.Packed(a, b, bits, signed, sat, op) })
}

func intMul(in *rewrite.Inst, t isa.Type) state.BodyFunc {
	switch {
	case in.Has("wide"):
		return byType(t,
			map2(func(a, b uint32) uint32 { return uint32(uint16(a)) * uint32(uint16(b)) }),
			map2(func(a, b uint32) int32 { return int32(int16(a)) * int32(int16(b)) }),
			execMulWide[uint64, uint32], execMulWide[int64, int32], nil, nil)
	case in.Has("hi"):
		return byType(t, half2(num.MulHiU16), half2(num.MulHiS16), map2(num.MulHiU32), map2(num.MulHiS32),
			map2(num.MulHiU64), map2(num.MulHiS64))
	}
	h := half2(func(a, b uint16) uint16 { return a * b })
	return byType(t, h, h, execMul[uint32], execMul[uint32], execMul[uint64], execMul[uint64])
}

func intMad(in *rewrite.Inst, t isa.Type) state.BodyFunc {
	switch {
	case in.Has("wide"):
		return byType(t,
			map3(func(a, b, c uint32) uint32 { return uint32(uint16(a))*uint32(uint16(b)) + c }),
			map3(func(a, b uint32, c int32) int32 { return int32(int16(a))*int32(int16(b)) + c }),
			execMadWide[uint64, uint32], execMadWide[int64, int32], nil, nil)
	case in.Has("hi") && in.Has("sat"):
		return map3(func(a, b, c int32) int32 { return num.SatS32(int64(num.MulHiS32(a, b)) + int64(c)) })
	case in.Has("hi"):
		return byType(t,
			half3(func(a, b, c uint16) uint16 { return num.MulHiU16(a, b) + c }),
			half3(func(a, b, c int16) int16 { return num.MulHiS16(a, b) + c }),
			map3(func(a, b, c uint32) uint32 { return num.MulHiU32(a, b) + c }),
			map3(func(a, b, c int32) int32 { return num.MulHiS32(a, b) + c }),
			map3(func(a, b, c uint64) uint64 { return num.MulHiU64(a, b) + c }),
			map3(func(a, b, c int64) int64 { return num.MulHiS64(a, b) + c }))
	}
	h := half3(func(a, b, c uint16) uint16 { return a*b + c })
	return byType(t, h, h, execMad[uint32], execMad[uint32], execMad[uint64], execMad[uint64])
}

func int24(in *rewrite.Inst, t isa.Type, add bool) state.BodyFunc {
	signed, hi, sat := t.Signed(), in.Has("hi"), in.Has("sat")
	switch {
	case !add:
		return map2(func(a, b uint32) uint32 { return num.Mul24(a, b, signed, hi) })
	case sat:
		return map3(func(a, b uint32, c int32) int32 {
			return num.SatS32(int64(int32(num.Mul24(a, b, signed, hi))) + int64(c))
		})
	}
	return map3(func(a, b, c uint32) uint32 { return num.Mul24(a, b, signed, hi) + c })
}

// intMinMax returns the two-operand body of min and max.
func intMinMax(in *rewrite.Inst) state.BodyFunc {
	t := in.Type(0)
	if in.Instr.Name == "min" {
		if t.Lanes() > 1 {
			return packed(in, t, func(a, b int64) int64 { return min(a, b) })
		}
		return relu(in, byType(t, half2(func(a, b uint16) uint16 { return min(a, b) }),
			half2(func(a, b int16) int16 { return min(a, b) }),
			execMin[uint32], execMin[int32], execMin[uint64], execMin[int64]))
	}
	if t.Lanes() > 1 {
		return packed(in, t, func(a, b int64) int64 { return max(a, b) })
	}
	return relu(in, byType(t, half2(func(a, b uint16) uint16 { return max(a, b) }),
		half2(func(a, b int16) int16 { return max(a, b) }),
		execMax[uint32], execMax[int32], execMax[uint64], execMax[int64]))
}

// relu wraps a body of .s32 so that negative results become 0, if the instruction has .relu.
func relu(in *rewrite.Inst, body state.BodyFunc) state.BodyFunc {
	if !in.Has("relu") {
		return body
	}
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		body(x, in, m)
		d := x.Frame.R32(in.D)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			d[i] = uint32(max(int32(d[i]), 0))
		}
	}
}

// chain decodes d = a op b, and d = (a op b) op c for the three-input forms.
func chain(d *state.Decoder, in *rewrite.Inst, body state.BodyFunc) (state.Inst, error) {
	out, err := decode.Simple(d, in, body)
	if err != nil || len(in.Operands) < 4 {
		return out, err
	}
	t := decode.Temp(d, events.SlotBits(in.Type(0)))
	decode.Emit(d, state.Inst{Body: body, D: t, A: out.A, B: out.B, Op: out.Op})
	out.A, out.B, out.C = t, out.C, 0
	return out, nil
}

// decodeDot decodes dp4a and dp2a.
func decodeDot(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	sa, sb, hi := in.Type(0).Signed(), in.Type(1).Signed(), in.Has("hi")
	if in.Instr.Name == "dp4a" {
		return decode.Simple(d, in, map3(func(a, b, c uint32) uint32 { return num.Dp4a(a, b, c, sa, sb) }))
	}
	return decode.Simple(d, in, map3(func(a, b, c uint32) uint32 { return num.Dp2a(a, b, c, sa, sb, hi) }))
}

// decodeCarryless decodes clmad, a product of polynomials.
func decodeCarryless(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	hi := in.Has("hi")
	return decode.Simple(d, in, map3(func(a, b, c uint64) uint64 { return num.Clmad(a, b, hi) ^ c }))
}

// carryKey is the key in Decoder.Consts of the slot of CC.CF: a predicate per frame, since the condition code is not
// preserved across calls (PTX ISA, "Extended-Precision Integer Arithmetic Instructions").
var carryKey = state.ConstKey{Bits: 0}

// carry returns the slot of the condition code register.
func carry(d *state.Decoder) state.Slot {
	s, ok := d.Consts[carryKey]
	if !ok {
		s = decode.Alloc(d, 1)
		d.Consts[carryKey] = s
		d.Fn.Zeroed = append(d.Fn.Zeroed, state.SlotRange{Slot: s, Lane: 0}) // functions start without a carry
	}
	return s
}

// carryOp describes a carry-chain instruction.
type carryOp struct {
	sub, mul, hi bool
	in, out      bool // reads, writes CC.CF
	cc           state.Slot
}

// decodeCarry decodes add.cc, addc, sub.cc, subc, mad.cc and madc.
func decodeCarry(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	t := in.Type(0)
	op := carryOp{
		sub: in.Instr.Calc == isa.CalcSub, mul: in.Instr.Calc == isa.CalcMulAdd, hi: in.Has("hi"),
		in: in.Effects().Has(isa.ReadsCarry), out: in.Effects().Has(isa.WritesCarry), cc: carry(d),
	}
	hi32, hi64 := num.MulHiU32, num.MulHiU64
	if t.Signed() {
		hi32 = func(a, b uint32) uint32 { return uint32(num.MulHiS32(int32(a), int32(b))) }
		hi64 = func(a, b uint64) uint64 { return uint64(num.MulHiS64(int64(a), int64(b))) }
	}
	if t.Bits() == 64 {
		return decode.Simple(d, in, carryBody(op, (*state.Frame).R64, hi64, num.Add64, num.Sub64))
	}
	return decode.Simple(d, in, carryBody(op, (*state.Frame).R32, hi32, num.Add32, num.Sub32))
}

// carryBody returns the body for numbers of one width, given functions for reading their registers and for their
// arithmetic.
func carryBody[T uint32 | uint64](op carryOp, regs func(*state.Frame, state.Slot) *[state.WarpSize]T, hi func(a, b T) T,
	add,
	sub func(a, b T, carry bool) (T, bool),
) state.BodyFunc {
	step := add
	if op.sub {
		step = sub
	}
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		d, a, b, c := regs(x.Frame, in.D), regs(x.Frame, in.A), regs(x.Frame, in.B), regs(x.Frame, in.C)
		cc := x.Frame.P(op.cc)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			l, r := a[i], b[i]
			switch {
			case op.mul && op.hi:
				l, r = hi(l, r), c[i]
			case op.mul:
				l, r = l*r, c[i]
			}
			v, carry := step(l, r, op.in && cc.Has(i))
			d[i] = v
			op.set(cc, i, carry)
		}
	}
}

// set writes lane i of CC.CF if the instruction writes it.
func (op carryOp) set(cc *state.Lanes, i int, carry bool) {
	switch {
	case !op.out:
	case carry:
		*cc |= 1 << i
	default:
		*cc &^= 1 << i
	}
}
