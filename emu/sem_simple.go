// Instructions with register operands and one body: decoding them and their rounding.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// simple decodes an instruction whose operands are a destination and one to four
// sources, in the order d, a, b, c, imm; body nil means that the instruction's
// types are not emulated.
func (d *decoder) simple(in *rewrite.Inst, body bodyFunc) (inst, error) {
	if body == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	out := inst{body: body, d: dst.slot, op: vectorOp(in)}
	if err := d.fits(in, 0, dst); err != nil {
		return inst{}, err
	}
	for i := 1; i < len(in.Operands); i++ {
		s, err := d.src(in, i)
		if err != nil {
			return inst{}, err
		}
		if err := d.fits(in, i, s); err != nil {
			return inst{}, err
		}
		switch i {
		case 1:
			out.a = s.slot
		case 2:
			out.b = s.slot
		case 3:
			out.c = s.slot
		default:
			out.imm = int64(s.slot)
		}
	}
	return out, nil
}

// fits checks that a register is as wide as the instruction's operand: the bodies
// rely on it.
func (d *decoder) fits(in *rewrite.Inst, i int, o operand) error {
	return d.fitsType(in, &in.Operands[i], in.Decoded.Operands[i].Type, o)
}

func (d *decoder) fitsType(in *rewrite.Inst, op *rewrite.Operand, want isa.Type, o operand) error {
	if slotBits(want) == slotBits(o.typ) {
		return nil
	}
	return d.errorf(in, "%s: operand %s is .%s, expected .%s", in.Text(), d.text(op), o.typ, want)
}

// mode is the rounding, flushing and saturation that the modifiers spell.
func mode(in *rewrite.Inst) num.Mode {
	m := num.Mode{Ftz: in.Has("ftz"), Sat: in.Has("sat")}
	for _, s := range in.Mods {
		if r, ok := roundings[s]; ok {
			m.Round = r
		}
	}
	return m
}

var roundings = map[string]num.Rounding{
	"rn": num.RN, "rz": num.RZ, "rm": num.RM, "rp": num.RP, "rna": num.RNA,
	"rni": num.RN, "rzi": num.RZ, "rmi": num.RM, "rpi": num.RP,
}
