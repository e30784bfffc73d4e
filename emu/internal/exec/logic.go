// Logic, shifts and bit-field operations.

package exec

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semLogic is the semantics of logic, shift and bit-field instructions (PTX ISA,
// "Logic and Shift Instructions" and the bit counting part of "Integer Arithmetic
// Instructions").
var semLogic = map[string]state.DecodeFunc{
	"and":   decodeLogic,
	"or":    decodeLogic,
	"xor":   decodeLogic,
	"not":   decodeLogic,
	"cnot":  decodeLogic,
	"lop3":  decodeLop3,
	"shf":   decodeBits,
	"shl":   decodeBits,
	"shr":   decodeBits,
	"popc":  decodeBits,
	"clz":   decodeBits,
	"brev":  decodeBits,
	"bfind": decodeBits,
	"fns":   decodeBits,
	"bfe":   decodeBits,
	"bfi":   decodeBits,
	"bmsk":  decodeBits,
	"szext": decodeBits,
	"prmt":  decodeBits,
}

// decodeLogic decodes the bitwise operations; on predicates they operate on the masks of all lanes at once.
func decodeLogic(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	t := in.Type(0)
	wide := t.Bits() == 64
	pick := func(p, w32, w64 state.BodyFunc) (state.Inst, error) {
		switch {
		case t == isa.Pred:
			return decode.Simple(d, in, p)
		case wide:
			return decode.Simple(d, in, w64)
		}
		return decode.Simple(d, in, w32)
	}
	switch in.Instr.Name {
	case "and":
		return pick(predBody(func(a, b state.Lanes) state.Lanes { return a & b }), execAnd[uint32], execAnd[uint64])
	case "or":
		return pick(predBody(func(a, b state.Lanes) state.Lanes { return a | b }), execOr[uint32], execOr[uint64])
	case "xor":
		return pick(predBody(func(a, b state.Lanes) state.Lanes { return a ^ b }), execXor[uint32], execXor[uint64])
	case "cnot":
		if t.Bits() == 16 {
			return decode.Simple(d, in, half1(num.Cnot[uint16]))
		}
		return pick(nil, map1(num.Cnot[uint32]), map1(num.Cnot[uint64]))
	}
	if t.Bits() == 16 {
		return decode.Simple(d, in, half1(func(a uint16) uint16 { return ^a }))
	}
	return pick(predBody(func(a, _ state.Lanes) state.Lanes { return ^a }),
		map1(func(a uint32) uint32 { return ^a }), map1(func(a uint64) uint64 { return ^a }))
}

// predBody returns the body of an operation on predicates.
func predBody(fn func(a, b state.Lanes) state.Lanes) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		d := x.Frame.P(in.D)
		*d = *d&^m | fn(*x.Frame.P(in.A), *x.Frame.P(in.B))&m
	}
}

// decodeBits decodes shifts and bit-field operations by type.
func decodeBits(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	i, err := decode.Simple(d, in, bitsBody(in, in.Type(0)))
	if err == nil && in.Instr.Name == "bfe" && in.Type(0) == isa.U64 {
		vectorBfe64(d, in, &i)
	}
	return i, err
}

// vectorBfe64 translates a bfe.u64 with constant position and length to assembly.
func vectorBfe64(d *state.Decoder, in *rewrite.Inst, i *state.Inst) {
	pos, length := &in.Operands[2], &in.Operands[3]
	if pos.Kind != rewrite.OperandImm || length.Kind != rewrite.OperandImm || pos.Imm > 0xff {
		return
	}
	field := num.Bfe64(math.MaxUint64, 0, uint32(length.Imm), false)
	i.Op, i.Form = vector.ShrU64, &state.VectorForm{}
	i.Form.Add(vector.ShrU64, uint32(i.D), uint32(i.A), uint32(i.B))
	i.Form.Add(vector.And64, uint32(i.D), uint32(i.D), uint32(decode.Constant(d, 64, field)))
}

func bitsBody(in *rewrite.Inst, t isa.Type) state.BodyFunc {
	wide, signed := t.Bits() == 64, t.Signed()
	pick := func(w32, w64 state.BodyFunc) state.BodyFunc {
		if wide {
			return w64
		}
		return w32
	}
	clamp := in.Has("clamp")
	switch in.Instr.Name {
	case "shl":
		if t.Bits() == 16 {
			return map2(func(a, n uint32) uint32 { return a << n & 0xffff })
		}
		return pick(execShl[uint32], execShl[uint64])
	case "shr":
		return shrBody(t)
	case "shf":
		left, wrap := in.Has("l"), in.Has("wrap")
		return map3(func(a, b, n uint32) uint32 { return num.Shf(a, b, n, left, wrap) })
	case "popc":
		return pick(map1(num.Popc32), map1(num.Popc64))
	case "clz":
		return pick(map1(num.Clz32), map1(num.Clz64))
	case "brev":
		return pick(map1(num.Brev32), map1(num.Brev64))
	case "bfind":
		return bfindBody(t, in.Has("shiftamt"))
	case "fns":
		return map3(func(mask, base uint32, n int32) uint32 { return num.Fns(mask, base, n) })
	case "bfe":
		return pick(map3(func(a, b, c uint32) uint32 { return num.Bfe32(a, b, c, signed) }),
			map3(func(a uint64, b, c uint32) uint64 { return num.Bfe64(a, b, c, signed) }))
	case "bfi":
		return pick(map4(num.Bfi32), map4(num.Bfi64))
	case "bmsk":
		return map2(func(a, b uint32) uint32 { return num.Bmsk(a, b, clamp) })
	case "szext":
		return map2(func(a, b uint32) uint32 { return num.Szext(a, b, signed, clamp) })
	case "prmt":
		return prmtBody(in)
	}
	return nil
}

func shrBody(t isa.Type) state.BodyFunc {
	h := map2(func(a, n uint32) uint32 { return a & 0xffff >> n })
	return byType(t, h, map2(func(a, n uint32) uint32 { return uint32(uint16(int16(a) >> n)) }),
		execShr[uint32], execShr[int32], execShr[uint64], execShr[int64])
}

func bfindBody(t isa.Type, shiftamt bool) state.BodyFunc {
	if t.Bits() == 64 {
		return map1(func(a uint64) uint32 { return num.Bfind(a, 64, t.Signed(), shiftamt) })
	}
	if t.Signed() {
		return map1(func(a int32) uint32 { return num.Bfind(uint64(int64(a)), 32, true, shiftamt) })
	}
	return map1(func(a uint32) uint32 { return num.Bfind(uint64(a), 32, false, shiftamt) })
}

func prmtBody(in *rewrite.Inst) state.BodyFunc {
	mode := num.PrmtIndex
	for _, s := range in.Mods {
		if p, ok := num.PrmtOf(s); ok {
			mode = max(mode, p)
		}
	}
	return map3(func(a, b, c uint32) uint32 { return num.Prmt(a, b, c, mode) })
}

// decodeLop3 decodes lop3.b32 d, a, b, c, lut and the form with a predicate,
// lop3.BoolOp.b32 d|p, a, b, c, lut, q.
func decodeLop3(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	lutAt := 4
	lut := in.Operands[lutAt].Imm
	if in.Operands[lutAt].Kind != rewrite.OperandImm || lut > 0xff {
		return state.Inst{}, decode.Errorf(d, in, "%s: the look-up table must be a constant from 0 to 255", in.Text())
	}
	var out state.Inst
	src := [3]*state.Slot{&out.A, &out.B, &out.C}
	for i := range src {
		s, err := decode.Src(d, in, i+1)
		if err != nil {
			return state.Inst{}, err
		}
		if err := decode.Fits(d, in, i+1, s); err != nil {
			return state.Inst{}, err
		}
		*src[i] = s.Slot
	}
	dst, err := decode.Target(d, in, &decode.Elems(d, in, 0)[0], isa.B32)
	if err != nil {
		return state.Inst{}, err
	}
	out.D = dst.Slot
	plain := map3(func(a, b, c uint32) uint32 { return num.Lop3(a, b, c, uint32(lut)) })
	if in.Operands[0].Kind != rewrite.OperandPair {
		out.Body, out.Op, out.Imm = plain, lop3Op(lut), int64(lut)
		return out, decode.FitsType(d, in, &in.Operands[0], isa.B32, dst)
	}
	return lop3Pred(d, in, out, plain)
}

// lop3Op returns the assembly operation for a function of three bits: two simple steps for frequent functions, Lop3 for
// others, which looks each bit up in the table.
func lop3Op(lut uint64) vector.Op {
	switch lut {
	case 0xf0&0xcc | 0xaa:
		return vector.AndOr32
	case ^0xf0&0xcc | 0xaa:
		return vector.NotAndOr32
	case (0xf0 ^ 0xcc) & 0xaa:
		return vector.XorAnd32
	case 0xf0 ^ 0xcc | 0xaa:
		return vector.XorOr32
	case 0xf0 | 0xcc | 0xaa:
		return vector.OrOr32
	}
	return vector.Lop3
}

// lop3Pred adds the predicate p = (d != 0) BoolOp q.
func lop3Pred(d *state.Decoder, in *rewrite.Inst, out state.Inst, plain state.BodyFunc) (state.Inst, error) {
	p, err := decode.Target(d, in, &decode.Elems(d, in, 0)[1], isa.Pred)
	if err != nil {
		return state.Inst{}, err
	}
	q, err := decode.Pred(d, in, 5)
	if err != nil {
		return state.Inst{}, err
	}
	op := num.And
	for _, s := range in.Mods {
		if b, ok := num.BoolOf(s); ok {
			op = b
		}
	}
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		plain(x, in, m)
		var nonzero state.Lanes
		for i, v := range x.Frame.R32(in.D) {
			if v != 0 {
				nonzero |= 1 << i
			}
		}
		pd := x.Frame.P(p.Slot)
		*pd = *pd&^m | state.Lanes(op.Apply(uint32(nonzero), uint32(*x.Frame.P(q))))&m
	}
	return out, nil
}
