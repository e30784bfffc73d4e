// Conversions: cvt and cvt.pack.

package exec

import (
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/mma"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semConvert is the semantics of cvt and cvt.pack (PTX ISA, cvt).
var semConvert = map[string]state.DecodeFunc{
	"cvt": decodeCvt,
}

// decodeCvt decodes the conversion between two scalar types, and dispatches to the other forms of cvt.
func decodeCvt(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	to, from := in.Type(0), in.Type(1)
	switch {
	case in.Has("pack"):
		return cvtPack(d, in)
	case in.Has("rs"):
		return cvtStochastic(d, in, to)
	case to.Lanes() == 2:
		return cvtPacked(d, in, to, from)
	}
	a, err := decode.Src(d, in, 1)
	if err != nil {
		return state.Inst{}, err
	}
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if a.Typ.Bits() < from.Bits() || dst.Typ.Bits() < to.Bits() || a.Typ == isa.Pred || dst.Typ == isa.Pred {
		return state.Inst{}, decode.Errorf(d, in, "%s: registers .%s and .%s are too narrow", in.Text(), dst.Typ, a.Typ)
	}
	out := state.Inst{
		D: dst.Slot, A: a.Slot, Body: cvtBody(in, to, from, dst, a),
		Op: lowering.Conversion(in, to, from, dst.Typ, a.Typ),
	}
	if out.Body == nil {
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
	}
	return out, nil
}

// cvtBody returns the body of a conversion between scalar types, nil if there is none.
func cvtBody(in *rewrite.Inst, to, from isa.Type, dst, src state.Operand) state.BodyFunc {
	if body := plainConversion(in, to, from, dst, src); body != nil {
		return body
	}
	ti, intTo := intType(to)
	fi, intFrom := intType(from)
	tf, ff := scalar.Format(to), scalar.Format(from)
	m := mma.Mode(in)
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

// plainConversion returns the body of frequent conversions that a Go conversion computes, nil for others.
func plainConversion(in *rewrite.Inst, to, from isa.Type, dst, src state.Operand) state.BodyFunc {
	if dst.Typ.Bits() != to.Bits() || src.Typ.Bits() != from.Bits() || in.Has("sat") || in.Has("ftz") {
		return nil
	}
	switch {
	case to.Float() || from.Float():
		switch {
		case to == isa.F64 && from == isa.S32:
			return decode.ExecConvert[float64, int32]
		case to == isa.F64 && from == isa.U32:
			return decode.ExecConvert[float64, uint32]
		case to == isa.F32 && from == isa.S32 && in.Has("rn"):
			return decode.ExecConvert[float32, int32]
		case to == isa.F32 && from == isa.U32 && in.Has("rn"):
			return decode.ExecConvert[float32, uint32]
		}
		return nil
	case to.Bits() == 64 && from == isa.U32:
		return decode.ExecConvert[uint64, uint32]
	case to.Bits() == 64 && from == isa.S32:
		return decode.ExecConvert[int64, int32]
	case to.Bits() == 32 && from.Bits() == 64:
		return decode.ExecConvert[uint32, uint64]
	case to.Bits() == 64 && from.Bits() == 64:
		return execMove[uint64]
	case to.Bits() == 32 && from.Bits() == 32, to.Bits() == 32 && from == isa.U16, to.Bits() == 16 && from.Bits() == 16:
		return execMove[uint32]
	}
	return nil
}

// convert returns a body that reads the source slot, converts 64-bit values with fn, and writes the destination slot;
// fn extends its result to the width of the destination register.
func convert(dst, src state.Operand, fn func(uint64) uint64) state.BodyFunc {
	mask := uint32(widthMask(dst.Typ))
	switch {
	case dst.Wide() && src.Wide():
		return map1(fn)
	case dst.Wide():
		return map1(func(v uint32) uint64 { return fn(uint64(v)) })
	case src.Wide():
		return map1(func(v uint64) uint32 { return uint32(fn(v)) & mask })
	}
	return map1(func(v uint32) uint32 { return uint32(fn(uint64(v))) & mask })
}

// widthMask returns a mask with a one for each bit of the type.
func widthMask(t isa.Type) uint64 { return ^uint64(0) >> (64 - min(t.Bits(), 64)) }

// intType returns the corresponding integer type of package num.
func intType(t isa.Type) (num.Int, bool) {
	k := t.Kind()
	return num.Int{Bits: uint(t.Bits()), Signed: t.Signed()}, (k == isa.KindSigned || k == isa.KindUnsigned) &&
		t.Lanes() == 1
}

// floatCvt returns the conversion between floating-point types that the modifiers specify.
func floatCvt(in *rewrite.Inst) num.FloatCvt {
	c := num.FloatCvt{Mode: mma.Mode(in), Relu: in.Has("relu"), SatFinite: in.Has("satfinite")}
	for _, s := range in.Mods {
		switch s {
		case "rni", "rzi", "rmi", "rpi":
			c.Integral = true
		}
	}
	return c
}

// packing describes how a packed type stores its numbers.
type packing struct {
	format *num.Format // nil for ue8m0 and s2f6
	bits   uint        // width of the container of one number; its bits above the number's width are zero
}

var packings = map[isa.Type]packing{
	isa.F16x2: {num.F16, 16}, isa.BF16x2: {num.BF16, 16},
	isa.E4M3x2: {num.E4M3, 8}, isa.E5M2x2: {num.E5M2, 8}, isa.E3M2x2: {num.E3M2, 8}, isa.E2M3x2: {num.E2M3, 8},
	isa.E2M1x2: {num.E2M1, 4},
	isa.E4M3x4: {num.E4M3, 8}, isa.E5M2x4: {num.E5M2, 8}, isa.E3M2x4: {num.E3M2, 8}, isa.E2M3x4: {num.E2M3, 8},
	isa.E2M1x4:  {num.E2M1, 4},
	isa.UE8M0x2: {bits: 8}, isa.S2F6x2: {bits: 8},
}

// cvtPacked decodes conversions to a packed pair: from two f32, the first of which becomes the upper half, or from
// another packed pair.
func cvtPacked(d *state.Decoder, in *rewrite.Inst, to, from isa.Type) (state.Inst, error) {
	t, ok := packings[to]
	f, pair := packings[from]
	if !ok || !pair && from != isa.F32 {
		return decode.Simple(d, in, nil)
	}
	convert := elementCvt(in, to, from)
	if !pair {
		both := func(a, b, scale uint32) uint32 {
			return convert(uint64(a), scale>>8)<<t.bits | convert(uint64(b), scale)
		}
		if in.Has(scaledMod) {
			return decode.Simple(d, in, map3(both))
		}
		return decode.Simple(d, in, map2(func(a, b uint32) uint32 { return both(a, b, noScale) }))
	}
	low := uint32(1)<<f.bits - 1
	both := func(a, scale uint32) uint32 {
		return convert(uint64(a>>f.bits&low), scale>>8)<<t.bits | convert(uint64(a&low), scale)
	}
	if in.Has(scaledMod) {
		return decode.Simple(d, in, map2(both))
	}
	return decode.Simple(d, in, map1(func(a uint32) uint32 { return both(a, noScale) }))
}

// The modifier for a pair of scale factors, and the factors used without it.
const (
	scaledMod = "scaled::n2::ue8m0"
	noScale   = num.ScaleOne<<8 | num.ScaleOne
)

// elementCvt returns the conversion of one number of a pair. Conversions to s2f6 divide by the scale factor, those to
// bf16 multiply by it.
func elementCvt(in *rewrite.Inst, to, from isa.Type) func(v uint64, scale uint32) uint32 {
	c := floatCvt(in)
	source := packings[from].format
	if from == isa.F32 {
		source = num.F32
	}
	switch to {
	case isa.UE8M0x2:
		return func(v uint64, _ uint32) uint32 { return uint32(num.ToScale(source.Float64(v), c.Round, c.SatFinite)) }
	case isa.S2F6x2:
		return func(v uint64, scale uint32) uint32 {
			return uint32(num.ToFixed(source.Float64(v)/num.Scale(uint64(scale)), c.Relu))
		}
	}
	target := packings[to].format
	read := num.Scale
	switch {
	case from == isa.S2F6x2:
		read = num.Fixed
	case from != isa.UE8M0x2:
		read = source.Float64
	}
	if !in.Has(scaledMod) && source != nil {
		return func(v uint64, _ uint32) uint32 { return uint32(c.Convert(source, target, v)) }
	}
	return func(v uint64, scale uint32) uint32 {
		return uint32(c.FromFloat64(target, read(v)*num.Scale(uint64(scale))))
	}
}

// cvtStochastic decodes the conversions with .rs of two or four f32, the first of which becomes the uppermost.
func cvtStochastic(d *state.Decoder, in *rewrite.Inst, to isa.Type) (state.Inst, error) {
	t := packings[to]
	c := floatCvt(in)
	pick, width := randomBits(to)
	if to.Lanes() == 2 {
		return decode.Simple(d, in, map3(func(a, b, random uint32) uint32 {
			return uint32(c.Stochastic(t.format, num.F32.Float64(uint64(a)), pick(random, 0), width)<<16 |
				c.Stochastic(t.format, num.F32.Float64(uint64(b)), pick(random, 1), width))
		}))
	}
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	from, err := mma.Registers(d, in, 1, 4, 32, false)
	if err != nil {
		return state.Inst{}, err
	}
	random, err := decode.Src(d, in, 2)
	if err != nil {
		return state.Inst{}, err
	}
	for i, o := range []state.Operand{dst, {}, random} {
		if i != 1 {
			if err := decode.Fits(d, in, i, o); err != nil {
				return state.Inst{}, err
			}
		}
	}
	return state.Inst{D: dst.Slot, A: random.Slot, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		var values [4]*state.Vec32
		for k := range values {
			values[k] = x.Frame.R32(from[k].Slot)
		}
		d, random := x.Frame.R32(in.D), x.Frame.R32(in.A)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			r := uint64(0)
			for k, v := range values {
				r = r<<t.bits | c.Stochastic(t.format, num.F32.Float64(uint64(v[i])), pick(random[i], k), width)
			}
			d[i] = uint32(r)
		}
	}}, nil
}

// randomBits returns a function that selects the random bits of element k of a packed type, and their number: for f16
// 13 and for bf16 16 bits of its half; for elements of 8 or 6 bits 16 bits, which two neighbours share; for e2m1 8
// bits, the first two from the upper bytes of the halves (PTX ISA, cvt, rbits).
func randomBits(to isa.Type) (pick func(random uint32, k int) uint64, width uint) {
	switch to {
	case isa.F16x2:
		return func(r uint32, k int) uint64 { return uint64(r >> (16 - 16*k) & 0x1fff) }, 13
	case isa.BF16x2:
		return func(r uint32, k int) uint64 { return uint64(r >> (16 - 16*k) & 0xffff) }, 16
	case isa.E2M1x4:
		return func(r uint32, k int) uint64 { return uint64(r >> ([4]int{24, 8, 16, 0}[k]) & 0xff) }, 8
	}
	return func(r uint32, k int) uint64 { return uint64(r >> (16 - 16*(k/2)) & 0xffff) }, 16
}

// cvtPack decodes cvt.pack.
func cvtPack(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	t, ok := intType(in.Type(0))
	switch {
	case !ok:
		return decode.Simple(d, in, nil)
	case len(in.Operands) == 3:
		return decode.Simple(d, in, map2(func(a, b uint32) uint32 { return t.Pack(a, b, 0) }))
	}
	return decode.Simple(d, in, map3(t.Pack))
}
