package emu

import (
	"math"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Formatted surface accesses: sust.p converts components to the format of the surface,
// sured.p takes the type of the operation from it (PTX ISA, sust, sured).

// storeTexels is sust.p with the components in regs. Components of the surface that
// the vector lacks become 0; the manual calls them unpredictable.
func (s *surfaceAccess) storeTexels(regs []operand, t isa.Type) inst {
	return inst{flags: flagVisible | flagFaults | flagResumable, exec: func(x *exec, in *inst, m lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := s.locate(x, in, i)
			if x.fault != nil {
				return
			}
			if p == nil {
				continue
			}
			tex := s.find(x, in, i)
			var v texel
			for k, r := range regs {
				v[k] = uint32(x.frame.lane(r.slot, slotBits(r.typ), i)[0] & widthMask(t))
			}
			if tex.encode(unsafe.Slice((*byte)(p), tex.texelSize()), v) {
				x.wrote()
			}
		}
	}}
}

// encode writes a texel: of 32-bit numbers to integers, of f32 to floating-point formats
// and fractions. It reports whether memory changed.
func (t *Texture) encode(b []byte, v texel) bool {
	changed := false
	for k := range t.Channels {
		raw := t.rawChannel(v[k])
		for i := range t.Format.Size() {
			p := &b[k*t.Format.Size()+i]
			changed = changed || *p != byte(raw>>(8*i))
			*p = byte(raw >> (8 * i))
		}
	}
	return changed
}

// rawChannel is a component in the texture's format. Integers lose the bits that do not
// fit.
func (t *Texture) rawChannel(v uint32) uint32 {
	f := float64(math.Float32frombits(v))
	switch {
	case t.Format == isa.F16:
		return uint32(num.F16.FromFloat64(f, num.RN))
	case t.Fraction:
		limit, low := t.fractionLimit(), 0.0
		if t.Format.Signed() {
			low = -1
		}
		if f != f {
			f = 0
		}
		return uint32(int64(math.RoundToEven(max(low, min(f, 1)) * float64(limit))))
	}
	return v
}

// fractionLimit is the number that reads as 1.
func (t *Texture) fractionLimit() int64 {
	limit := int64(1)<<t.Format.Bits() - 1
	if t.Format.Signed() {
		limit >>= 1
	}
	return limit
}

// reducedType is the type of sured.p on the surface of lane i: that of its texels, which
// must be integers as wide as the operand. TypeNone after a fault.
func (s *surfaceAccess) reducedType(x *exec, in *inst, i int, t isa.Type) isa.Type {
	tex := s.find(x, in, i)
	switch {
	case tex == nil:
		return isa.TypeNone
	case tex.floating() || tex.Format.Bits() != 32 || tex.texelSize() != uint64(t.Size()):
		x.raise(in, i, "unsupported", tex.Addr, "reduction of %d bytes on a surface with %s of type .%s: the result is undefined", t.Size(), diag.Plural(tex.Channels, "channel"), tex.Format)
		return isa.TypeNone
	case tex.Format.Signed() && t.Size() == 8:
		return isa.S64
	case tex.Format.Signed():
		return isa.S32
	case t.Size() == 8:
		return isa.U64
	}
	return isa.U32
}
