// Data movement: mov, cvta, isspacep, packing and unpacking of vectors.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semMove is the semantics of data movement between registers (PTX ISA, "Data
// Movement and Conversion Instructions": mov, cvta, isspacep; cvt is in
// sem_cvt.go, the memory instructions in sem_mem.go).
var semMove = map[string]decodeFunc{
	"mov":      decodeMov,
	"cvta":     decodeCvta,
	"isspacep": decodeIsspacep,
}

// decodeMov decodes mov between registers, from constants and addresses, and
// between a register and the vector of its parts.
func decodeMov(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, src := d.elems(in, 0), d.elems(in, 1)
	t := in.Type(0)
	switch {
	case len(dst) > 1 && len(src) > 1:
		return d.movVector(in, dst, src)
	case len(dst) > 1:
		return d.unpack(in, dst)
	case len(src) > 1:
		return d.pack(in, src)
	}
	out, err := d.move(in, &src[0], t)
	if err != nil {
		return inst{}, err
	}
	out.d, err = d.moved(in, &dst[0], t)
	return out, err
}

// move returns an instruction, without its destination, that copies one value of type t.
func (d *decoder) move(in *rewrite.Inst, src *rewrite.Operand, t isa.Type) (inst, error) {
	a, err := d.value(in, src, t)
	if err != nil {
		return inst{}, err
	}
	out := inst{a: a.slot, body: moveBody(t), op: lowering.Move(slotBits(t))}
	if src.Kind == rewrite.OperandSpecial {
		return moveSpecial(out, t, a), nil
	}
	return out, d.fitsType(in, src, t, a)
}

// moved returns the register to which one value of type t is copied.
func (d *decoder) moved(in *rewrite.Inst, dst *rewrite.Operand, t isa.Type) (slot, error) {
	p, err := d.target(in, dst, t)
	if err == nil {
		err = d.fitsType(in, dst, t, p)
	}
	return p.slot, err
}

// moveSpecial returns the copy of a special register, which mov may truncate or extend.
func moveSpecial(out inst, t isa.Type, a operand) inst {
	switch {
	case a.wide() && t.Bits() < 64:
		out.body, out.op = execConvert[uint32, uint64], vector.Truncate
	case !a.wide() && t.Bits() == 64:
		out.body, out.op = execConvert[uint64, uint32], vector.Extend
	case t.Bits() == 16:
		out.op = vector.Low16
		out.body = map1(func(v uint32) uint32 { return v & 0xffff })
	}
	return out
}

// moveBody returns a body that copies a value of type t.
func moveBody(t isa.Type) bodyFunc {
	switch slotBits(t) {
	case 1:
		return execMovePred
	case 32:
		return execMove[uint32]
	case 64:
		return execMove[uint64]
	}
	return execMove128
}

func execMovePred(x *engine, in *inst, m lanes) { put(x.frame.p(in.d), m, *x.frame.p(in.a)) }

func execMove128(x *engine, in *inst, m lanes) {
	dl, dh := x.frame.r128(in.d)
	al, ah := x.frame.r128(in.a)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		dl[i], dh[i] = al[i], ah[i]
	}
}

// movVector moves the elements of {a, b} one by one (mov.v2, mov.v4). All are read before any is written.
func (d *decoder) movVector(in *rewrite.Inst, dst, src []rewrite.Operand) (inst, error) {
	t := in.Type(0)
	if len(dst) != len(src) {
		return inst{}, d.errorf(in, "%s: %d elements into %d", in.Text(), len(src), len(dst))
	}
	moves := make([]inst, 0, 2*len(dst))
	for i := range dst {
		m, err := d.move(in, &src[i], t)
		if err != nil {
			return inst{}, err
		}
		m.d = d.temp(slotBits(t))
		moves = append(moves, m)
	}
	for i := range dst {
		p, err := d.moved(in, &dst[i], t)
		if err != nil {
			return inst{}, err
		}
		moves = append(moves, inst{d: p, a: moves[i].d, body: moveBody(t), op: lowering.Move(slotBits(t))})
	}
	return d.sequence(moves), nil
}

// sequence emits all but the last of several instructions, and returns the last.
func (d *decoder) sequence(s []inst) inst {
	for _, i := range s[:len(s)-1] {
		d.emit(i)
	}
	return s[len(s)-1]
}

// part is one element of a packed value: the bits from bit shift on.
type part struct {
	slot  slot
	shift uint // from bit 0 of the low or (high set) the high word
	bits  uint
	high  bool
	wide  bool // the element's slot holds 64 bits
}

// parts returns the layout of n elements in a value of type t.
func (d *decoder) parts(in *rewrite.Inst, elems []rewrite.Operand, dst bool) ([]part, error) {
	bits := in.Type(0).Bits() / len(elems)
	elem := bitType(bits)
	if elem == isa.TypeNone || bits*len(elems) != in.Type(0).Bits() {
		return nil, d.errorf(in, "%s: %d elements cannot make up a .%s", in.Text(), len(elems), in.Type(0))
	}
	out := make([]part, len(elems))
	for i := range elems {
		resolve := (*decoder).value
		if dst {
			resolve = (*decoder).target
		}
		o, err := resolve(d, in, &elems[i], elem)
		if err != nil {
			return nil, err
		}
		if err := d.fitsType(in, &elems[i], elem, o); err != nil {
			return nil, err
		}
		at := i * bits
		out[i] = part{slot: o.slot, shift: uint(at % 64), bits: uint(bits), high: at >= 64, wide: bits == 64}
	}
	return out, nil
}

// bitType returns the bit type of the given width.
func bitType(bits int) isa.Type {
	switch bits {
	case 8:
		return isa.B8
	case 16:
		return isa.B16
	case 32:
		return isa.B32
	case 64:
		return isa.B64
	}
	return isa.TypeNone
}

// pack decodes mov.b64 d, {a, b}.
func (d *decoder) pack(in *rewrite.Inst, elems []rewrite.Operand) (inst, error) {
	ps, err := d.parts(in, elems, false)
	if err != nil {
		return inst{}, err
	}
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err := d.fitsType(in, &in.Operands[0], in.Type(0), dst); err != nil {
		return inst{}, err
	}
	if len(ps) == 2 && in.Type(0).Bits() <= 64 {
		body, op := packBody(in.Type(0))
		return inst{d: dst.slot, a: ps[0].slot, b: ps[1].slot, body: body, op: op}, nil
	}
	bits := slotBits(in.Type(0))
	return inst{d: dst.slot, body: func(x *engine, in *inst, m lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			var v [2]uint64
			for _, p := range ps {
				w := x.frame.word(p.slot, p.wide, i) & (1<<p.bits - 1)
				v[pick(p.high, 1, 0)] |= w << p.shift
			}
			x.frame.setLane(in.d, bits, i, v)
		}
	}}, nil
}

// packBody returns a body that combines two halves, and its operation.
func packBody(t isa.Type) (bodyFunc, vector.Op) {
	switch t.Bits() {
	case 64:
		return map2(func(lo, hi uint32) uint64 { return uint64(hi)<<32 | uint64(lo) }), vector.Pack64
	case 32:
		return map2(func(lo, hi uint32) uint32 { return hi<<16 | lo&0xffff }), vector.Pack32
	}
	return map2(func(lo, hi uint32) uint32 { return hi&0xff<<8 | lo&0xff }), vector.Slow
}

// unpack decodes mov.b64 {a, b}, d.
func (d *decoder) unpack(in *rewrite.Inst, elems []rewrite.Operand) (inst, error) {
	ps, err := d.parts(in, elems, true)
	if err != nil {
		return inst{}, err
	}
	src, err := d.src(in, 1)
	if err != nil {
		return inst{}, err
	}
	if err := d.fitsType(in, &in.Operands[1], in.Type(0), src); err != nil {
		return inst{}, err
	}
	if len(ps) == 2 && in.Type(0).Bits() == 64 {
		return inst{a: src.slot, b: ps[0].slot, c: ps[1].slot, body: execUnpack64, op: vector.Unpack64}, nil
	}
	if len(ps) == 2 && in.Type(0).Bits() == 32 {
		return inst{a: src.slot, b: ps[0].slot, c: ps[1].slot, body: execUnpack32, op: vector.Unpack32}, nil
	}
	bits := slotBits(in.Type(0))
	return inst{a: src.slot, body: func(x *engine, in *inst, m lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			v := x.frame.lane(in.a, bits, i)
			for _, p := range ps {
				w := v[pick(p.high, 1, 0)] >> p.shift & (1<<p.bits - 1)
				x.frame.setLane(p.slot, pick(p.wide, 64, 32), i, [2]uint64{w})
			}
		}
	}}, nil
}

// execUnpack64 splits a into its low half (b) and its high half (c).
func execUnpack64(x *engine, in *inst, m lanes) {
	a, lo, hi := x.frame.r64(in.a), x.frame.r32(in.b), x.frame.r32(in.c)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		lo[i], hi[i] = uint32(a[i]), uint32(a[i]>>32)
	}
}

// execUnpack32 splits a into its low half (b) and its high half (c).
func execUnpack32(x *engine, in *inst, m lanes) {
	a, lo, hi := x.frame.r32(in.a), x.frame.r32(in.b), x.frame.r32(in.c)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		v := a[i]
		lo[i], hi[i] = v&0xffff, v>>16
	}
}

// word returns lane i of a slot of 32 or 64 bits.
func (f *frame) word(s slot, wide bool, i int) uint64 {
	if wide {
		return f.r64(s)[i]
	}
	return uint64(f.r32(s)[i])
}

// lane returns lane i of a slot of 32, 64 or 128 bits, low word first.
func (f *frame) lane(s slot, bits, i int) [2]uint64 {
	if bits == 128 {
		lo, hi := f.r128(s)
		return [2]uint64{lo[i], hi[i]}
	}
	return [2]uint64{f.word(s, bits == 64, i)}
}

// setLane writes lane i of a slot of 32, 64 or 128 bits.
func (f *frame) setLane(s slot, bits, i int, v [2]uint64) {
	switch bits {
	case 32:
		f.r32(s)[i] = uint32(v[0])
	case 64:
		f.r64(s)[i] = v[0]
	default:
		lo, hi := f.r128(s)
		lo[i], hi[i] = v[0], v[1]
	}
}

// decodeCvta decodes cvta and cvta.to: a generic address is the address in a space plus the start of the space's
// window.
func decodeCvta(d *decoder, in *rewrite.Inst) (inst, error) {
	base := gmem.SpaceBase(in.Space)
	if in.Has("to") {
		base = -base
	}
	if in.Type(0).Bits() == 32 {
		low := uint32(base)
		return d.simple(in, map1(func(a uint32) uint32 { return a + low }))
	}
	if base == 0 {
		out, err := d.simple(in, execMove[uint64])
		out.op = vector.Mov64
		return out, err
	}
	out, err := d.simple(in, map1(func(a uint64) uint64 { return a + base }))
	out.op, out.b = vector.Add64, d.constant(64, base)
	return out, err
}

// decodeIsspacep decodes isspacep: whether a generic address is in a window. Constant variables are not global.
func decodeIsspacep(d *decoder, in *rewrite.Inst) (inst, error) {
	a, err := d.src(in, 1)
	if err != nil {
		return inst{}, err
	}
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if !a.wide() {
		return inst{}, d.unsupported(in, "%s: 32-bit generic addresses", in.Text())
	}
	want, cluster := in.Space, in.Has("shared::cluster")
	i := inst{d: dst.slot, a: a.slot, body: func(x *engine, in *inst, m lanes) {
		d, a := x.frame.p(in.d), x.frame.r64(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			*d &^= 1 << i
			if x.m.dev.mem.DeclaredSpace(a[i]) == want && (cluster || want != isa.SpaceShared ||
				rankOf(a[i]) == x.cta.rank) {
				*d |= 1 << i
			}
		}
	}}
	d.vectorIsspacep(&i, want)
	return i, d.fits(in, 0, dst)
}

// vectorIsspacep translates i to assembly, where comparing with a window is sufficient. Of a global address it is not:
// a .const variable of any module on the device may be there, also of one that is loaded later.
func (d *decoder) vectorIsspacep(i *inst, want isa.Space) {
	if want != isa.SpaceLocal && want != isa.SpaceParam {
		return
	}
	t := uint32(d.temp(64))
	i.op, i.form = vector.SetLeU64, &vectorForm{}
	i.form.add(vector.Sub64, t, uint32(i.a), uint32(d.constant(64, gmem.SpaceBase(want))))
	i.form.add(i.op, uint32(i.d), t, uint32(d.constant(64, 1<<gmem.SlotBits-1)))
}
