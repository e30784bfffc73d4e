// Surface instructions: suld, sust, sured.

package emu

import (
	"math"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/internal/texture"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semSurface is the semantics of surfaces (PTX ISA, "Surface Instructions"): unformatted
// accesses, whose first coordinate counts bytes, and formatted ones, where it counts
// texels (Texture).
var semSurface = map[string]decodeFunc{
	"suld":  decodeSuld,
	"sust":  decodeSust,
	"sured": decodeSured,
}

// surfaceAccess is the common part of suld, sust and sured.
type surfaceAccess struct {
	*textureOperand
	size uint64 // bytes accessed by a lane; 0 for a formatted access to a texel
	mode string // trap, clamp or zero
	kind isa.AccessKind
}

// surface resolves the surface and the coordinates in operand i.
func (d *decoder) surface(in *rewrite.Inst, i int, size int, kind isa.AccessKind) (*surfaceAccess, error) {
	if !in.Has("b") {
		size = 0
	}
	o, err := d.textureOperand(in, i, isa.S32)
	mode := in.Mod("mode")
	if mode == "" {
		mode = "trap"
	}
	return &surfaceAccess{o, uint64(size), mode, kind}, err
}

// locate returns the memory that lane i accesses: nil outside of the surface if the mode is .zero, and after a fault.
func (s *surfaceAccess) locate(x *engine, in *inst, i int) unsafe.Pointer {
	t := s.find(x, in, i)
	if t == nil {
		return nil
	}
	size := s.size
	c, layer := s.at(x.frame, i)
	if size == 0 {
		size = t.TexelSize()
		x0 := max(math.MinInt32, min(int64(int32(c[0]))*int64(size), math.MaxInt32))
		c[0] = uint32(int32(x0 &^ int64(size-1)))
	}
	var at [3]int64
	outside := layer >= int64(max(t.Layers, 1))
	layer = min(layer, int64(max(t.Layers, 1))-1)
	for d := range s.coords {
		at[d] = int64(int32(c[d]))
		limit := t.Size(d) - 1
		if d == 0 {
			limit = (t.Size(0)*int64(t.TexelSize()) - int64(size)) &^ int64(size-1)
		}
		inside := max(0, min(at[d], limit))
		outside = outside || inside != at[d]
		at[d] = inside
	}
	switch {
	case at[0]&int64(size-1) != 0:
		x.raise(in, i, "misaligned", 0, "misaligned surface %s of %d bytes at byte %d of a row", s.kind.Word(), size, at[0])
		return nil
	case t.Size(0)*int64(t.TexelSize()) < int64(size), outside && s.mode == "trap":
		x.raise(in, i, "out-of-bounds", 0, "surface %s of %d bytes at coordinates %v, layer %d, which is outside the surface of %dx%dx%d texels of %d bytes",
			s.kind.Word(), size, signed(c[:len(s.coords)]), layer, t.Width, t.Height, t.Depth, t.TexelSize())
		return nil
	case outside && s.mode == "zero":
		return nil
	}
	addr := t.Addr + t.Offset(uint64(at[0]), at[1], at[2], layer)
	b, err := x.m.mem.At(addr, size)
	if err != nil {
		x.raise(in, i, "use-after-free", t.Addr, "surface: %v", err)
		return nil
	}
	if x.listener != nil {
		x.emitLaneAccess(in, s.kind, addr, size, i)
	}
	if s.kind != isa.AccessLoad {
		a := x.m.mem.Find(addr)
		a.Shadow.Set(addr-a.Base, size)
	} else if x.m.cfg.Uninitialised {
		x.fetched(in, addr, size, i)
	}
	return unsafe.Pointer(unsafe.SliceData(b))
}

// signed returns coordinates as signed numbers, for messages.
func signed(c []uint32) []int32 {
	out := make([]int32, len(c))
	for i := range c {
		out[i] = int32(c[i])
	}
	return out
}

// decodeSuld: suld.b.geom{.cop}{.vec}.dtype{.mode} d, [a, b].
func decodeSuld(d *decoder, in *rewrite.Inst) (inst, error) {
	regs, err := d.memRegs(in, 0, true)
	if err != nil {
		return inst{}, err
	}
	t := in.Decoded.Operands[0].Type
	s, err := d.surface(in, 1, len(regs)*t.Size(), isa.AccessLoad)
	if err != nil {
		return inst{}, err
	}
	return inst{flags: flagVisible | flagFaults | flagResumable, body: func(x *engine, in *inst, m lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := s.locate(x, in, i)
			if x.fault != nil {
				return
			}
			for k, r := range regs {
				var v [2]uint64
				if p != nil {
					v = peek(unsafe.Add(p, k*t.Size()), t)
				}
				x.frame.setLane(r.slot, slotBits(r.typ), i, v)
			}
		}
	}}, nil
}

// decodeSust: sust.p, and sust.b.geom{.cop}{.vec}.ctype{.mode} [a, b], c.
func decodeSust(d *decoder, in *rewrite.Inst) (inst, error) {
	regs, err := d.memRegs(in, 1, false)
	if err != nil {
		return inst{}, err
	}
	t := in.Decoded.Operands[1].Type
	s, err := d.surface(in, 0, len(regs)*t.Size(), isa.AccessStore)
	if err != nil {
		return inst{}, err
	}
	if !in.Has("b") {
		return s.storeTexels(regs, t), nil
	}
	return inst{flags: flagVisible | flagFaults | flagResumable, body: func(x *engine, in *inst, m lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := s.locate(x, in, i)
			if x.fault != nil {
				return
			}
			for k, r := range regs {
				if p != nil && poke(unsafe.Add(p, k*t.Size()), t, x.frame.lane(r.slot, slotBits(r.typ), i)) {
					x.wrote()
				}
			}
		}
	}}, nil
}

// decodeSured: sured{.b,.p}.op.geom.ctype.mode [a, b], c.
func decodeSured(d *decoder, in *rewrite.Inst) (inst, error) {
	t := in.Type(0)
	src, err := d.src(in, 1)
	if err == nil {
		err = d.fits(in, 1, src)
	}
	if err != nil {
		return inst{}, err
	}
	s, err := d.surface(in, 0, t.Size(), isa.AccessReduce)
	if err != nil {
		return inst{}, err
	}
	op := in.Mod("op")
	return inst{flags: flagVisible | flagFaults | flagResumable, body: func(x *engine, in *inst, m lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			t := t
			if s.size == 0 {
				if t = s.reducedType(x, in, i, t); t == isa.TypeNone {
					return
				}
			}
			p := s.locate(x, in, i)
			if x.fault != nil {
				return
			}
			if p == nil {
				continue
			}
			old := peek(p, t)[0]
			if poke(p, t, [2]uint64{reduceSurface(op, t, old, x.frame.word(src.slot, src.wide(), i))}) {
				x.wrote()
			}
		}
	}}, nil
}

// reduceSurface combines the old value and the operand.
func reduceSurface(op string, t isa.Type, a, b uint64) uint64 {
	less := a < b
	if t.Signed() {
		less = scalar.Integer(a, t) < scalar.Integer(b, t)
	}
	switch op {
	case "add":
		return a + b
	case "and":
		return a & b
	case "or":
		return a | b
	case "min":
		return pick(less, a, b)
	}
	return pick(less, b, a)
}

// Formatted surface accesses: sust.p converts components to the format of the surface,
// sured.p takes the type of the operation from it (PTX ISA, sust, sured).

// storeTexels decodes sust.p with the components in regs. Components of the surface that the vector does not have become 0; in
// the manual they are unpredictable.
func (s *surfaceAccess) storeTexels(regs []operand, t isa.Type) inst {
	return inst{flags: flagVisible | flagFaults | flagResumable, body: func(x *engine, in *inst, m lanes) {
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
			var v texture.Texel
			for k, r := range regs {
				v[k] = uint32(x.frame.lane(r.slot, slotBits(r.typ), i)[0] & widthMask(t))
			}
			if tex.Encode(unsafe.Slice((*byte)(p), tex.TexelSize()), v) {
				x.wrote()
			}
		}
	}}
}

// reducedType returns the type of sured.p on the surface of lane i: that of its texels, which must be integers as wide as the
// operand. It returns TypeNone after a fault.
func (s *surfaceAccess) reducedType(x *engine, in *inst, i int, t isa.Type) isa.Type {
	tex := s.find(x, in, i)
	switch {
	case tex == nil:
		return isa.TypeNone
	case tex.Floating() || tex.Format.Bits() != 32 || tex.TexelSize() != uint64(t.Size()):
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
