// Conversions: cvt and cvt.pack.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semConvert is the semantics of cvt and cvt.pack (PTX ISA, cvt).
var semConvert = map[string]decodeFunc{
	"cvt": decodeCvt,
}

// decodeCvt decodes the conversion between two scalar types; the other forms of
// cvt branch off.
func decodeCvt(d *decoder, in *rewrite.Inst) (inst, error) {
	to, from := in.Type(0), in.Type(1)
	switch {
	case in.Has("pack"):
		return d.cvtPack(in)
	case in.Has("rs"):
		return d.simple(in, nil)
	case to.Lanes() == 2 && len(in.Operands) <= 3:
		return d.cvtPacked(in, to, from)
	}
	a, err := d.src(in, 1)
	if err != nil {
		return inst{}, err
	}
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if a.typ.Bits() < from.Bits() || dst.typ.Bits() < to.Bits() || a.typ == isa.Pred || dst.typ == isa.Pred {
		return inst{}, d.errorf(in, "%s: registers .%s and .%s are too narrow", in.Text(), dst.typ, a.typ)
	}
	out := inst{d: dst.slot, a: a.slot, body: cvtBody(in, to, from, dst, a), op: vectorConversion(in, to, from, dst, a)}
	if out.body == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	return out, nil
}

// cvtBody is the body of a conversion between scalar types, nil when there is
// none.
func cvtBody(in *rewrite.Inst, to, from isa.Type, dst, src operand) bodyFunc {
	if body := plainConversion(in, to, from, dst, src); body != nil {
		return body
	}
	ti, intTo := intType(to)
	fi, intFrom := intType(from)
	tf, ff := scalar.Format(to), scalar.Format(from)
	m := mode(in)
	switch {
	case intTo && intFrom:
		return convert(dst, src, func(v uint64) uint64 { return fi.Convert(v, ti, m.Sat) })
	case intTo && ff != nil:
		return convert(dst, src, func(v uint64) uint64 { return ti.FromFloat(ff, v&widthMask(from), m.Round, m.Ftz) })
	case tf != nil && intFrom:
		return convert(dst, src, func(v uint64) uint64 {
			r := tf.FromInt(fi.Extend(v), fi.Signed, m.Round)
			if m.Sat {
				r = tf.Saturate(r)
			}
			return r
		})
	case tf != nil && ff != nil:
		c := floatCvt(in)
		return convert(dst, src, func(v uint64) uint64 { return c.Convert(ff, tf, v&widthMask(from)) })
	}
	return nil
}

// plainConversion is the body of frequent conversions that need no more than the
// host's, nil for others.
func plainConversion(in *rewrite.Inst, to, from isa.Type, dst, src operand) bodyFunc {
	if dst.typ.Bits() != to.Bits() || src.typ.Bits() != from.Bits() || in.Has("sat") || in.Has("ftz") {
		return nil
	}
	switch {
	case to.Float() || from.Float():
		switch {
		case to == isa.F64 && from == isa.S32:
			return execConvert[float64, int32]
		case to == isa.F64 && from == isa.U32:
			return execConvert[float64, uint32]
		case to == isa.F32 && from == isa.S32 && in.Has("rn"):
			return execConvert[float32, int32]
		case to == isa.F32 && from == isa.U32 && in.Has("rn"):
			return execConvert[float32, uint32]
		}
		return nil
	case to.Bits() == 64 && from == isa.U32:
		return execConvert[uint64, uint32]
	case to.Bits() == 64 && from == isa.S32:
		return execConvert[int64, int32]
	case to.Bits() == 32 && from.Bits() == 64:
		return execConvert[uint32, uint64]
	case to.Bits() == 64 && from.Bits() == 64:
		return execMove[uint64]
	case to.Bits() == 32 && from.Bits() == 32, to.Bits() == 32 && from == isa.U16, to.Bits() == 16 && from.Bits() == 16:
		return execMove[uint32]
	}
	return nil
}

// convert is a body from the source's slot to the destination's, by way of 64
// bits; fn extends its result as far as the destination's register goes.
func convert(dst, src operand, fn func(uint64) uint64) bodyFunc {
	mask := uint32(widthMask(dst.typ))
	switch {
	case dst.wide() && src.wide():
		return map1(fn)
	case dst.wide():
		return map1(func(v uint32) uint64 { return fn(uint64(v)) })
	case src.wide():
		return map1(func(v uint64) uint32 { return uint32(fn(v)) & mask })
	}
	return map1(func(v uint32) uint32 { return uint32(fn(uint64(v))) & mask })
}

// widthMask has a one for each bit of the type.
func widthMask(t isa.Type) uint64 { return ^uint64(0) >> (64 - min(t.Bits(), 64)) }

// intType is the integer type that num knows.
func intType(t isa.Type) (num.Int, bool) {
	k := t.Kind()
	return num.Int{Bits: uint(t.Bits()), Signed: t.Signed()}, (k == isa.KindSigned || k == isa.KindUnsigned) && t.Lanes() == 1
}

// floatCvt is the conversion between floating-point types that the modifiers
// spell.
func floatCvt(in *rewrite.Inst) num.FloatCvt {
	c := num.FloatCvt{Mode: mode(in), Relu: in.Has("relu"), SatFinite: in.Has("satfinite")}
	for _, s := range in.Mods {
		switch s {
		case "rni", "rzi", "rmi", "rpi":
			c.Integral = true
		}
	}
	return c
}

// packing is how a packed type holds its two numbers.
type packing struct {
	format *num.Format
	bits   uint // of one container, whose bits above the number are zero
}

var packings = map[isa.Type]packing{
	isa.F16x2: {num.F16, 16}, isa.BF16x2: {num.BF16, 16},
	isa.E4M3x2: {num.E4M3, 8}, isa.E5M2x2: {num.E5M2, 8}, isa.E3M2x2: {num.E3M2, 8}, isa.E2M3x2: {num.E2M3, 8}, isa.E2M1x2: {num.E2M1, 4},
}

// cvtPacked decodes conversions to a packed pair: from two f32, of which the
// first becomes the upper half, or from another packed pair.
func (d *decoder) cvtPacked(in *rewrite.Inst, to, from isa.Type) (inst, error) {
	c := floatCvt(in)
	t, ok := packings[to]
	f, pair := packings[from]
	switch {
	case !ok || !pair && from != isa.F32:
		return d.simple(in, nil)
	case !pair:
		return d.simple(in, map2(func(a, b uint32) uint32 {
			return uint32(c.Convert(num.F32, t.format, uint64(a))<<t.bits | c.Convert(num.F32, t.format, uint64(b)))
		}))
	}
	low := uint32(1)<<f.bits - 1
	return d.simple(in, map1(func(a uint32) uint32 {
		hi, lo := uint64(a>>f.bits&low), uint64(a&low)
		return uint32(c.Convert(f.format, t.format, hi)<<t.bits | c.Convert(f.format, t.format, lo))
	}))
}

// cvtPack decodes cvt.pack.
func (d *decoder) cvtPack(in *rewrite.Inst) (inst, error) {
	t, ok := intType(in.Type(0))
	switch {
	case !ok:
		return d.simple(in, nil)
	case len(in.Operands) == 3:
		return d.simple(in, map2(func(a, b uint32) uint32 { return t.Pack(a, b, 0) }))
	}
	return d.simple(in, map3(t.Pack))
}
