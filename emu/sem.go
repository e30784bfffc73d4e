// The table of decode functions by opcode, and the decoding of instructions with register operands and one body.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semanticsTables are the semantics of PTX by opcode, one table per chapter of the manual. To emulate another opcode, add an
// entry to the table of its chapter.
var semanticsTables = []map[string]decodeFunc{
	semControl,
	semSync,
	semInt,
	semCompare,
	semLogic,
	semFloat,
	semMove,
	semConvert,
	semMemory,
	semCache,
	semAtomic,
	semAsync,
	semTensorMap,
	semBarrierObject,
	semCluster,
	semLaunchControl,
	semMatrix,
	semWarpgroup,
	semTensorMemory,
	semVideo,
	semStack,
	semTexture,
	semSurface,
}

// semantics combines all tables.
var semantics = func() map[string]decodeFunc {
	all := map[string]decodeFunc{}
	for _, t := range semanticsTables {
		for name, f := range t {
			if all[name] != nil {
				panic("BUG: emu: " + name + " has two semantics")
			}
			all[name] = f
		}
	}
	return all
}()

// semCache is the semantics of cache control, which has no effect here.
var semCache = map[string]decodeFunc{
	"prefetch":      decodeHint,
	"prefetchu":     decodeHint,
	"applypriority": decodeHint,
	"discard":       decodeHint,
	"createpolicy":  decodePolicy,
}

// decodeHint decodes instructions that only affect caches.
func decodeHint(d *decoder, in *rewrite.Inst) (inst, error) {
	return inst{body: func(*engine, *inst, lanes) {}}, nil
}

// decodePolicy decodes createpolicy: policies are opaque, and all have the same value.
func decodePolicy(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err := d.fitsType(in, &in.Operands[0], isa.B64, dst); err != nil {
		return inst{}, err
	}
	return inst{d: dst.slot, a: d.constant(64, 0), body: execMove[uint64]}, nil
}

// simple decodes an instruction whose operands are a destination and one to four sources, in the order d, a, b, c, imm. A nil
// body means that the instruction's types are not emulated.
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

// fits checks that a register is as wide as the instruction's operand, as bodies require.
func (d *decoder) fits(in *rewrite.Inst, i int, o operand) error {
	return d.fitsType(in, &in.Operands[i], in.Decoded.Operands[i].Type, o)
}

func (d *decoder) fitsType(in *rewrite.Inst, op *rewrite.Operand, want isa.Type, o operand) error {
	if slotBits(want) == slotBits(o.typ) {
		return nil
	}
	return d.errorf(in, "%s: operand %s is .%s, expected .%s", in.Text(), d.text(op), o.typ, want)
}

// mode returns the rounding, flushing and saturation of the modifiers.
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
