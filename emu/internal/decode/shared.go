// What decode functions of several chapters share: modifiers, words, widths, predicates.

package decode

import (
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Simple decodes an instruction that has a destination register and one to four source operands. Their slots are the
// fields D, A, B, C and Imm of the result, in this order.
// A nil body means that the instruction's types are not emulated.
func Simple(d *state.Decoder, in *rewrite.Inst, body state.BodyFunc) (state.Inst, error) {
	if body == nil {
		return state.Inst{}, Unsupported(d, in, "%s", in.Text())
	}
	dst, err := Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	out := state.Inst{Body: body, D: dst.Slot, Op: lowering.Arithmetic(in)}
	if err := Fits(d, in, 0, dst); err != nil {
		return state.Inst{}, err
	}
	for i := 1; i < len(in.Operands); i++ {
		s, err := Src(d, in, i)
		if err != nil {
			return state.Inst{}, err
		}
		if err := Fits(d, in, i, s); err != nil {
			return state.Inst{}, err
		}
		switch i {
		case 1:
			out.A = s.Slot
		case 2:
			out.B = s.Slot
		case 3:
			out.C = s.Slot
		default:
			out.Imm = int64(s.Slot)
		}
	}
	return out, nil
}

// Fits checks that a register is as wide as the instruction's operand, as bodies require.
func Fits(d *state.Decoder, in *rewrite.Inst, i int, o state.Operand) error {
	return FitsType(d, in, &in.Operands[i], in.Decoded.Operands[i].Type, o)
}

// FitsType returns an error unless an operand has the width of a type.
func FitsType(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand, want isa.Type, o state.Operand) error {
	if events.SlotBits(want) == events.SlotBits(o.Typ) {
		return nil
	}
	return Errorf(d, in, "%s: operand %s is .%s, expected .%s", in.Text(), Text(d, op), o.Typ, want)
}

// SetPred sets a predicate in the lanes of m to v.
func SetPred(f *state.Frame, s state.Slot, m, v state.Lanes) {
	p := f.P(s)
	*p = *p&^m | v&m
}

// SlotsOf returns registers as slot ranges, for copyLanes.
func SlotsOf(ops ...state.Operand) []state.SlotRange {
	var rs []state.SlotRange
	for _, o := range ops {
		if o.Slot != 0 {
			rs = AppendRange(rs, o.Slot, o.Typ)
		}
	}
	return rs
}

// Pair resolves the destination d|p in operand 0; p is slot 0 if absent.
func Pair(d *state.Decoder, in *rewrite.Inst, t isa.Type) (dst, p state.Operand, err error) {
	parts := Elems(d, in, 0)
	dst, err = Target(d, in, &parts[0], t)
	if err == nil && len(parts) > 1 {
		p, err = Target(d, in, &parts[1], isa.Pred)
	}
	return dst, p, err
}

// ModOf returns which of the words the instruction has as a modifier, "" for none.
func ModOf(in *rewrite.Inst, words ...string) string {
	for _, m := range in.Mods {
		for _, w := range words {
			if m == w {
				return w
			}
		}
	}
	return ""
}

// Values resolves operands as values of type t.
func Values(d *state.Decoder, in *rewrite.Inst, ops []rewrite.Operand, t isa.Type) ([]state.Slot, error) {
	out := make([]state.Slot, len(ops))
	for i := range ops {
		o, err := Value(d, in, &ops[i], t)
		if err == nil {
			err = FitsType(d, in, &ops[i], t, o)
		}
		if err != nil {
			return nil, err
		}
		out[i] = o.Slot
	}
	return out, nil
}

// WordOf resolves a 32-bit value.
func WordOf(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (state.Slot, error) {
	o, err := Value(d, in, op, t)
	if err == nil {
		err = FitsType(d, in, op, t, o)
	}
	return o.Slot, err
}

// Words resolves 32-bit values.
func Words(d *state.Decoder, in *rewrite.Inst, ops []rewrite.Operand, t isa.Type) ([]state.Slot, error) {
	out := make([]state.Slot, len(ops))
	for i := range ops {
		var err error
		if out[i], err = WordOf(d, in, &ops[i], t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Descriptor resolves operand i, a matrix descriptor.
func Descriptor(d *state.Decoder, in *rewrite.Inst, i int) (state.Operand, error) {
	r, err := Value(d, in, &in.Operands[i], isa.B64)
	if err == nil && !r.Wide() {
		err = Errorf(d, in, "%s: operand %s, expected a matrix descriptor of 64 bits", in.Text(),
			Text(d, &in.Operands[i]))
	}
	return r, err
}
