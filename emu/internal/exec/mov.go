// Data movement: mov, cvta, isspacep, packing and unpacking of vectors.

package exec

import (
	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semMove is the semantics of data movement between registers (PTX ISA, "Data
// Movement and Conversion Instructions": mov, cvta, isspacep; cvt is in
// cvt.go, the memory instructions in mem.go).
var semMove = map[string]state.DecodeFunc{
	"mov":      decodeMov,
	"cvta":     decodeCvta,
	"isspacep": decodeIsspacep,
}

// decodeMov decodes mov between registers, from constants and addresses, and
// between a register and the vector of its parts.
func decodeMov(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, src := decode.Elems(d, in, 0), decode.Elems(d, in, 1)
	t := in.Type(0)
	switch {
	case len(dst) > 1 && len(src) > 1:
		return movVector(d, in, dst, src)
	case len(dst) > 1:
		return unpack(d, in, dst)
	case len(src) > 1:
		return pack(d, in, src)
	}
	out, err := decodeMove(d, in, &src[0], t)
	if err != nil {
		return state.Inst{}, err
	}
	out.D, err = moved(d, in, &dst[0], t)
	return out, err
}

// decodeMove returns an instruction, without its destination, that copies one value of type t.
func decodeMove(d *state.Decoder, in *rewrite.Inst, src *rewrite.Operand, t isa.Type) (state.Inst, error) {
	a, err := decode.Value(d, in, src, t)
	if err != nil {
		return state.Inst{}, err
	}
	out := state.Inst{A: a.Slot, Body: MoveBody(t), Op: lowering.Move(events.SlotBits(t))}
	if src.Kind == rewrite.OperandSpecial {
		return moveSpecial(out, t, a), nil
	}
	return out, decode.FitsType(d, in, src, t, a)
}

// moved returns the register to which one value of type t is copied.
func moved(d *state.Decoder, in *rewrite.Inst, dst *rewrite.Operand, t isa.Type) (state.Slot, error) {
	p, err := decode.Target(d, in, dst, t)
	if err == nil {
		err = decode.FitsType(d, in, dst, t, p)
	}
	return p.Slot, err
}

// moveSpecial returns the copy of a special register, which mov may truncate or extend.
func moveSpecial(out state.Inst, t isa.Type, a state.Operand) state.Inst {
	switch {
	case a.Wide() && t.Bits() < 64:
		out.Body, out.Op = decode.ExecConvert[uint32, uint64], vector.Truncate
	case !a.Wide() && t.Bits() == 64:
		out.Body, out.Op = decode.ExecConvert[uint64, uint32], vector.Extend
	case t.Bits() == 16:
		out.Op = vector.Low16
		out.Body = map1(func(v uint32) uint32 { return v & 0xffff })
	}
	return out
}

// MoveBody returns a body that copies a value of type t.
func MoveBody(t isa.Type) state.BodyFunc {
	switch events.SlotBits(t) {
	case 1:
		return MovePredicate
	case 32:
		return execMove[uint32]
	case 64:
		return execMove[uint64]
	}
	return execMove128
}

// MovePredicate copies a predicate.
func MovePredicate(x *state.Engine, in *state.Inst, m state.Lanes) {
	Put(x.Frame.P(in.D), m, *x.Frame.P(in.A))
}

func execMove128(x *state.Engine, in *state.Inst, m state.Lanes) {
	dl, dh := x.Frame.R128(in.D)
	al, ah := x.Frame.R128(in.A)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		dl[i], dh[i] = al[i], ah[i]
	}
}

// movVector moves the elements of {a, b} one by one (mov.v2, mov.v4). All are read before any is written.
func movVector(d *state.Decoder, in *rewrite.Inst, dst, src []rewrite.Operand) (state.Inst, error) {
	t := in.Type(0)
	if len(dst) != len(src) {
		return state.Inst{}, decode.Errorf(d, in, "%s: %d elements into %d", in.Text(), len(src), len(dst))
	}
	moves := make([]state.Inst, 0, 2*len(dst))
	for i := range dst {
		m, err := decodeMove(d, in, &src[i], t)
		if err != nil {
			return state.Inst{}, err
		}
		m.D = decode.Temp(d, events.SlotBits(t))
		moves = append(moves, m)
	}
	for i := range dst {
		p, err := moved(d, in, &dst[i], t)
		if err != nil {
			return state.Inst{}, err
		}
		moves = append(moves, state.Inst{D: p, A: moves[i].D, Body: MoveBody(t), Op: lowering.Move(events.SlotBits(t))})
	}
	return sequence(d, moves), nil
}

// sequence emits all but the last of several instructions, and returns the last.
func sequence(d *state.Decoder, s []state.Inst) state.Inst {
	for _, i := range s[:len(s)-1] {
		decode.Emit(d, i)
	}
	return s[len(s)-1]
}

// part is one element of a packed value: the bits from bit shift on.
type part struct {
	slot  state.Slot
	shift uint // from bit 0 of the low or (high set) the high word
	bits  uint
	high  bool
	wide  bool // the element's slot holds 64 bits
}

// parts returns the layout of n elements in a value of type t.
func parts(d *state.Decoder, in *rewrite.Inst, elems []rewrite.Operand, dst bool) ([]part, error) {
	bits := in.Type(0).Bits() / len(elems)
	elem := weak.BitType(bits)
	if elem == isa.TypeNone || bits*len(elems) != in.Type(0).Bits() {
		return nil, decode.Errorf(d, in, "%s: %d elements cannot make up a .%s", in.Text(), len(elems), in.Type(0))
	}
	out := make([]part, len(elems))
	for i := range elems {
		resolve := decode.Value
		if dst {
			resolve = decode.Target
		}
		o, err := resolve(d, in, &elems[i], elem)
		if err != nil {
			return nil, err
		}
		if err := decode.FitsType(d, in, &elems[i], elem, o); err != nil {
			return nil, err
		}
		at := i * bits
		out[i] = part{slot: o.Slot, shift: uint(at % 64), bits: uint(bits), high: at >= 64, wide: bits == 64}
	}
	return out, nil
}

// pack decodes mov.b64 d, {a, b}.
func pack(d *state.Decoder, in *rewrite.Inst, elems []rewrite.Operand) (state.Inst, error) {
	ps, err := parts(d, in, elems, false)
	if err != nil {
		return state.Inst{}, err
	}
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if err := decode.FitsType(d, in, &in.Operands[0], in.Type(0), dst); err != nil {
		return state.Inst{}, err
	}
	if len(ps) == 2 && in.Type(0).Bits() <= 64 {
		body, op := packBody(in.Type(0))
		return state.Inst{D: dst.Slot, A: ps[0].slot, B: ps[1].slot, Body: body, Op: op}, nil
	}
	bits := events.SlotBits(in.Type(0))
	return state.Inst{D: dst.Slot, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.First()
			var v [2]uint64
			for _, p := range ps {
				w := x.Frame.Word(p.slot, p.wide, i) & (1<<p.bits - 1)
				v[async.Pick(p.high, 1, 0)] |= w << p.shift
			}
			x.Frame.SetLane(in.D, bits, i, v)
		}
	}}, nil
}

// packBody returns a body that combines two halves, and its operation.
func packBody(t isa.Type) (state.BodyFunc, vector.Op) {
	switch t.Bits() {
	case 64:
		return map2(func(lo, hi uint32) uint64 { return uint64(hi)<<32 | uint64(lo) }), vector.Pack64
	case 32:
		return map2(func(lo, hi uint32) uint32 { return hi<<16 | lo&0xffff }), vector.Pack32
	}
	return map2(func(lo, hi uint32) uint32 { return hi&0xff<<8 | lo&0xff }), vector.Slow
}

// unpack decodes mov.b64 {a, b}, d.
func unpack(d *state.Decoder, in *rewrite.Inst, elems []rewrite.Operand) (state.Inst, error) {
	ps, err := parts(d, in, elems, true)
	if err != nil {
		return state.Inst{}, err
	}
	src, err := decode.Src(d, in, 1)
	if err != nil {
		return state.Inst{}, err
	}
	if err := decode.FitsType(d, in, &in.Operands[1], in.Type(0), src); err != nil {
		return state.Inst{}, err
	}
	if len(ps) == 2 && in.Type(0).Bits() == 64 {
		return state.Inst{A: src.Slot, B: ps[0].slot, C: ps[1].slot, Body: execUnpack64, Op: vector.Unpack64}, nil
	}
	if len(ps) == 2 && in.Type(0).Bits() == 32 {
		return state.Inst{A: src.Slot, B: ps[0].slot, C: ps[1].slot, Body: execUnpack32, Op: vector.Unpack32}, nil
	}
	bits := events.SlotBits(in.Type(0))
	return state.Inst{A: src.Slot, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.First()
			v := x.Frame.Lane(in.A, bits, i)
			for _, p := range ps {
				w := v[async.Pick(p.high, 1, 0)] >> p.shift & (1<<p.bits - 1)
				x.Frame.SetLane(p.slot, async.Pick(p.wide, 64, 32), i, [2]uint64{w})
			}
		}
	}}, nil
}

// execUnpack64 splits a into its low half (b) and its high half (c).
func execUnpack64(x *state.Engine, in *state.Inst, m state.Lanes) {
	a, lo, hi := x.Frame.R64(in.A), x.Frame.R32(in.B), x.Frame.R32(in.C)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		lo[i], hi[i] = uint32(a[i]), uint32(a[i]>>32)
	}
}

// execUnpack32 splits a into its low half (b) and its high half (c).
func execUnpack32(x *state.Engine, in *state.Inst, m state.Lanes) {
	a, lo, hi := x.Frame.R32(in.A), x.Frame.R32(in.B), x.Frame.R32(in.C)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		v := a[i]
		lo[i], hi[i] = v&0xffff, v>>16
	}
}

// decodeCvta decodes cvta and cvta.to: a generic address is the address in a space plus the start of the space's
// window.
func decodeCvta(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	base := gmem.SpaceBase(in.Space)
	if in.Has("to") {
		base = -base
	}
	if in.Type(0).Bits() == 32 {
		low := uint32(base)
		return decode.Simple(d, in, map1(func(a uint32) uint32 { return a + low }))
	}
	if base == 0 {
		out, err := decode.Simple(d, in, execMove[uint64])
		out.Op = vector.Mov64
		return out, err
	}
	out, err := decode.Simple(d, in, map1(func(a uint64) uint64 { return a + base }))
	out.Op, out.B = vector.Add64, decode.Constant(d, 64, base)
	return out, err
}

// decodeIsspacep decodes isspacep: whether a generic address is in a window. Constant variables are not global, the
// kernel's parameters are.
func decodeIsspacep(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	a, err := decode.Src(d, in, 1)
	if err != nil {
		return state.Inst{}, err
	}
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if !a.Wide() {
		return state.Inst{}, decode.Unsupported(d, in, "%s: 32-bit generic addresses", in.Text())
	}
	want, cluster := in.Space, in.Has("shared::cluster")
	i := state.Inst{D: dst.Slot, A: a.Slot, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		d, a := x.Frame.P(in.D), x.Frame.R64(in.A)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			*d &^= 1 << i
			space := x.M.Dev.Mem.DeclaredSpace(a[i])
			if space == want && (cluster || want != isa.SpaceShared || state.RankOf(a[i]) == x.CTA.Rank) ||
				space == isa.SpaceParam && want == isa.SpaceGlobal {
				*d |= 1 << i
			}
		}
	}}
	vectorIsspacep(d, &i, want)
	return i, decode.Fits(d, in, 0, dst)
}

// vectorIsspacep translates i to assembly, where comparing with a window is sufficient. Of a global address it is not:
// a .const variable of any module on the device may be there, also of one that is loaded later.
func vectorIsspacep(d *state.Decoder, i *state.Inst, want isa.Space) {
	if want != isa.SpaceLocal && want != isa.SpaceParam {
		return
	}
	t := uint32(decode.Temp(d, 64))
	i.Op, i.Form = vector.SetLeU64, &state.VectorForm{}
	i.Form.Add(vector.Sub64, t, uint32(i.A), uint32(decode.Constant(d, 64, gmem.SpaceBase(want))))
	i.Form.Add(i.Op, uint32(i.D), t, uint32(decode.Constant(d, 64, 1<<gmem.SlotBits-1)))
}
