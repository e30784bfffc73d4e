// Video instructions: scalar and SIMD.

package exec

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semVideo is the semantics of video instructions (PTX ISA, "Scalar Video
// Instructions" and "SIMD Video Instructions").
var semVideo = map[string]state.DecodeFunc{
	"vadd":     decodeVideo,
	"vsub":     decodeVideo,
	"vabsdiff": decodeVideo,
	"vmin":     decodeVideo,
	"vmax":     decodeVideo,
	"vshl":     decodeVideo,
	"vshr":     decodeVideo,
	"vset":     decodeVideo,
	"vmad":     decodeVmad,

	"vadd2":     decodeVideoSIMD,
	"vsub2":     decodeVideoSIMD,
	"vavrg2":    decodeVideoSIMD,
	"vabsdiff2": decodeVideoSIMD,
	"vmin2":     decodeVideoSIMD,
	"vmax2":     decodeVideoSIMD,
	"vset2":     decodeVideoSIMD,
	"vadd4":     decodeVideoSIMD,
	"vsub4":     decodeVideoSIMD,
	"vavrg4":    decodeVideoSIMD,
	"vabsdiff4": decodeVideoSIMD,
	"vmin4":     decodeVideoSIMD,
	"vmax4":     decodeVideoSIMD,
	"vset4":     decodeVideoSIMD,
}

// videoOperand is operand i without its selector and sign.
type videoOperand struct {
	slot     state.Slot
	selector string // "b0", "h10", "" for none
	negated  bool
}

// videoOperands resolves the operands of a video instruction.
func videoOperands(d *state.Decoder, in *rewrite.Inst) ([4]videoOperand, error) {
	var out [4]videoOperand
	for i := range in.Operands {
		op, t := in.Operands[i], in.Decoded.Operands[i].Type
		out[i].selector, out[i].negated = strings.TrimPrefix(op.Member, "."), op.Neg
		if op.Kind != rewrite.OperandSpecial {
			op.Member = ""
		}
		op.Neg = false
		resolve := decode.Value
		if i == 0 {
			resolve = decode.Target
		}
		o, err := resolve(d, in, &op, t)
		if err == nil {
			err = decode.Fits(d, in, i, o)
		}
		if err != nil {
			return out, err
		}
		out[i].slot = o.Slot
	}
	return out, nil
}

// videoInst returns the instruction d = fn(a, b, c); the last operand may be absent.
func videoInst(ops [4]videoOperand, fn func(a, b, c uint32) uint32) state.Inst {
	return state.Inst{D: ops[0].slot, A: ops[1].slot, B: ops[2].slot, C: ops[3].slot, Body: map3(fn)}
}

// videoPart returns the byte or half-word that operand i selects.
func videoPart(d *state.Decoder, in *rewrite.Inst, i int, selector string) (num.Part, error) {
	if selector == "" {
		return num.Word, nil
	}
	if len(selector) == 2 {
		switch kind, n := selector[0], uint(selector[1]-'0'); {
		case kind == 'b' && n < 4:
			return num.Part{Shift: 8 * n, Bits: 8}, nil
		case kind == 'h' && n < 2:
			return num.Part{Shift: 16 * n, Bits: 16}, nil
		}
	}
	return num.Part{}, decode.Errorf(d, in, "%s: operand %s: expected a selector .b0 to .b3, .h0 or .h1, found .%s",
		in.Text(),
		decode.Text(d, &in.Operands[i]), selector)
}

// videoParts returns the parts that d, a and b select.
func videoParts(d *state.Decoder, in *rewrite.Inst, ops [4]videoOperand) (parts [3]num.Part, err error) {
	for i := range parts {
		if parts[i], err = videoPart(d, in, i, ops[i].selector); err != nil {
			return parts, err
		}
	}
	return parts, nil
}

// videoOp returns the operation of the opcode, or the comparison of vset.
func videoOp(in *rewrite.Inst) num.VideoOp {
	name := strings.Trim(in.Instr.Name[1:], "24")
	if name == "set" {
		return num.VideoCompare(in.Mod("cmp"))
	}
	return num.VideoOps[name]
}

// videoTypes returns whether d, a and b are signed; the result of vset is unsigned.
func videoTypes(in *rewrite.Inst) (d, a, b bool) {
	if strings.HasPrefix(in.Instr.Name, "vset") {
		return false, in.Type(0).Signed(), in.Type(1).Signed()
	}
	return in.Type(0).Signed(), in.Type(1).Signed(), in.Type(2).Signed()
}

// decodeVideo decodes the scalar instructions: vop.dtype.atype.btype{.sat}{.op2}
// d{.dsel}, a{.asel}, b{.bsel}{, c}.
func decodeVideo(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	ops, err := videoOperands(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	parts, err := videoParts(d, in, ops)
	if err != nil {
		return state.Inst{}, err
	}
	v := &num.Video{
		Op: videoOp(in), Dst: parts[0], A: parts[1], B: parts[2],
		Sat: in.Has("sat"), Wrap: in.Has("wrap"), Clamp: in.Has("clamp"), Second: num.VideoOps[in.Mod("op2")],
	}
	v.SignedD, v.SignedA, v.SignedB = videoTypes(in)
	switch merges := v.Dst != num.Word; {
	case merges && v.Second != nil:
		return state.Inst{}, decode.Errorf(d, in, "%s: a destination with selector cannot go with .%s", in.Text(),
			in.Mod("op2"))
	case merges && len(in.Operands) < 4:
		return state.Inst{}, decode.Errorf(d, in, "%s: destination %s needs an operand c to merge into", in.Text(),
			decode.Text(d, &in.Operands[0]))
	}
	return videoInst(ops, v.Apply), nil
}

// decodeVmad decodes vmad.dtype.atype.btype{.po}{.sat}{.scale} d, {-}a{.asel},
// {-}b{.bsel}, {-}c.
func decodeVmad(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	ops, err := videoOperands(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	parts, err := videoParts(d, in, ops)
	if err != nil {
		return state.Inst{}, err
	}
	v := &num.Vmad{
		A: parts[1], B: parts[2], SignedA: in.Type(1).Signed(), SignedB: in.Type(2).Signed(),
		NegProduct: ops[1].negated != ops[2].negated, NegC: ops[3].negated, PlusOne: in.Has("po"), Sat: in.Has("sat"),
		Shift: map[string]uint{"shr7": 7, "shr15": 15}[in.Mod("scale")],
	}
	switch {
	case parts[0] != num.Word:
		return state.Inst{}, decode.Errorf(d, in, "%s: destination %s cannot have a selector", in.Text(),
			decode.Text(d, &in.Operands[0]))
	case v.NegC && v.NegProduct:
		return state.Inst{}, decode.Errorf(d, in, "%s: the product and c cannot both be negated", in.Text())
	case v.PlusOne && (ops[1].negated || ops[2].negated || v.NegC):
		return state.Inst{}, decode.Errorf(d, in, "%s: .po does not go with negated operands", in.Text())
	}
	return videoInst(ops, v.Apply), nil
}

// decodeVideoSIMD decodes vop2 and vop4: vop4.dtype.atype.btype{.sat}{.add}
// d{.mask}, a{.asel}, b{.bsel}, c.
func decodeVideoSIMD(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	ops, err := videoOperands(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	v := &num.VideoSIMD{Op: videoOp(in), Lanes: 4, Sat: in.Has("sat"), Add: in.Has("add")}
	v.SignedD, v.SignedA, v.SignedB = videoTypes(in)
	kind, defaults := byte('b'), [3]string{"b3210", "b3210", "b7654"}
	if strings.HasSuffix(in.Instr.Name, "2") {
		v.Lanes, kind, defaults = 2, 'h', [3]string{"h10", "h10", "h32"}
	}
	if v.Sat && v.Add {
		return state.Inst{}, decode.Errorf(d, in, "%s: .sat does not go with .add", in.Text())
	}
	var picks [3][]int
	for i, def := range defaults {
		s := ops[i].selector
		if s == "" {
			s = def
		}
		if picks[i] = elementNumbers(s, kind); picks[i] == nil || !validPicks(picks[i], i, v.Lanes) {
			return state.Inst{}, decode.Errorf(d, in, "%s: operand %s: bad selector .%s, expected one like .%s",
				in.Text(),
				decode.Text(d, &in.Operands[i]), s, def)
		}
	}
	for _, n := range picks[0] {
		v.Mask |= 1 << n
	}
	copy(v.A[:], picks[1])
	copy(v.B[:], picks[2])
	return videoInst(ops, v.Apply), nil
}

// elementNumbers returns the digits of a selector such as b3210, the last first; nil if it does not begin with kind.
func elementNumbers(selector string, kind byte) []int {
	if selector[0] != kind {
		return nil
	}
	var out []int
	for i := len(selector) - 1; i > 0; i-- {
		out = append(out, int(selector[i]-'0'))
	}
	return out
}

// validPicks checks the selector of operand i: a mask selects some elements of d, each once, the highest first; a
// source selects one element for each lane, from two operands.
func validPicks(picks []int, i, lanes int) bool {
	limit := 2 * lanes
	if i == 0 {
		limit = lanes
		if !slices.IsSorted(picks) || len(slices.Compact(slices.Clone(picks))) != len(picks) {
			return false
		}
	} else if len(picks) != lanes {
		return false
	}
	return slices.Max(picks) < limit
}
