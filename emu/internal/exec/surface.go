// Textures and surfaces of a device: creating and binding them, their memory, and the surface instructions suld, sust
// and sured.

package exec

import (
	"fmt"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/texture"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// LOD selects levels of detail.
type LOD = texture.LOD

// AddressMode determines the result outside of a texture.
type AddressMode = texture.AddressMode

// CompareMode is a depth comparison.
type CompareMode = texture.CompareMode

// Address modes. Wrap and mirror act as clamp if coordinates are not normalised.
const (
	AddressClamp  = texture.AddressClamp
	AddressBorder = texture.AddressBorder
	AddressWrap   = texture.AddressWrap
	AddressMirror = texture.AddressMirror
)

// Comparisons of the instruction's operand with the texel.
const (
	CompareNone         = texture.CompareNone
	CompareNever        = texture.CompareNever
	CompareLess         = texture.CompareLess
	CompareEqual        = texture.CompareEqual
	CompareLessEqual    = texture.CompareLessEqual
	CompareGreater      = texture.CompareGreater
	CompareNotEqual     = texture.CompareNotEqual
	CompareGreaterEqual = texture.CompareGreaterEqual
	CompareAlways       = texture.CompareAlways
)

// TextureWindow is the value of the first texture object; these values are not addresses.
const TextureWindow = 9 << 32

// findTexture returns the texture that lane i names, nil after a fault.
func findTexture(x *state.Engine, in *state.Inst, i int, ref *textureRef) *state.Texture {
	h := x.Frame.R64(ref.base)[i] + uint64(ref.off)
	if t := x.M.Dev.Textures[h]; t != nil {
		return t
	}
	name := fmt.Sprintf("0x%x, which is no texture object", h)
	if ref.variable != nil {
		name = ref.variable.Name + ", which is not bound"
	}
	faults.Raise(x, in, i, "out-of-bounds", 0, "access to the texture or surface %s", name)
	return nil
}

// textureRef is the texture operand of an instruction: a register, or a variable.
type textureRef struct {
	base     state.Slot
	off      int64
	variable *rewrite.Var
}

// opaqueAt returns the type of the opaque variable at an address, TypeNone if there is none.
func opaqueAt(m *state.Machine, addr uint64) isa.Type {
	name, off, ok := m.Dev.Mem.Describe(addr)
	if v := m.Symbols[name]; ok && off == 0 && v != nil && m.Vars[v] == addr && v.Type >= isa.TexRef &&
		v.Type <= isa.SurfRef {
		return v.Type
	}
	return isa.TypeNone
}

// texels is device memory from which an instruction reads texels, lane by lane. It emits them at the end of the
// instruction, one access for the n-th texels of all lanes.
type texels struct {
	x      *state.Engine
	in     *state.Inst
	access state.Access
	reads  []texelRead // by the index of the texel in a lane
	lane   int         // the lane that reads now
	n      int         // number of texels that it has read
}

// texelRead is a texel for each of some lanes.
type texelRead struct {
	lanes state.Lanes
	addrs [state.WarpSize]uint64
}

// begin starts an instruction.
func (l *texels) begin(x *state.Engine, in *state.Inst) { l.x, l.in, l.access.Size = x, in, 0 }

// of returns the memory for reads of lane i.
func (l *texels) of(i int) *texels {
	l.lane, l.n = i, 0
	return l
}

// Texel implements texture.Memory.
func (l *texels) Texel(addr, n uint64) ([]byte, error) {
	b, err := l.x.M.Dev.Mem.At(addr, n)
	if err != nil {
		return nil, err
	}
	if l.x.Listener != nil {
		l.note(addr, n)
	}
	if l.x.M.Cfg.Uninitialised {
		memory.Fetched(l.x, l.in, addr, n, l.lane)
	}
	return b, nil
}

// note adds a texel to those of the instruction. Lanes may have textures with different texel sizes: only texels of
// equal size are combined.
func (l *texels) note(addr, size uint64) {
	if size != l.access.Size {
		l.end()
		l.access = state.Access{Space: isa.SpaceGlobal, Kind: isa.AccessLoad, Size: size}
	}
	if l.n == len(l.reads) {
		l.reads = append(l.reads, texelRead{})
	}
	r := &l.reads[l.n]
	l.n++
	r.lanes |= 1 << l.lane
	r.addrs[l.lane] = addr
}

// end emits the texels that the instruction has read.
func (l *texels) end() {
	for k := range l.reads {
		if r := &l.reads[k]; r.lanes != 0 {
			events.EmitAccess(l.x, l.in, &l.access, r.lanes, &r.addrs)
			r.lanes = 0
		}
	}
}

// semSurface is the semantics of surfaces (PTX ISA, "Surface Instructions"): the first
// coordinate of an unformatted access is in bytes, that of a formatted access in
// texels (Texture).
var semSurface = map[string]state.DecodeFunc{
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
func surface(d *state.Decoder, in *rewrite.Inst, i int, size int, kind isa.AccessKind) (*surfaceAccess, error) {
	if !in.Has("b") {
		size = 0
	}
	o, err := decodeTextureOperand(d, in, i, isa.S32)
	mode := in.Mod("mode")
	if mode == "" {
		mode = "trap"
	}
	return &surfaceAccess{o, uint64(size), mode, kind}, err
}

// locate returns the memory that lane i accesses: nil outside of the surface if the mode is .zero, and after a fault.
func (s *surfaceAccess) locate(x *state.Engine, in *state.Inst, i int) unsafe.Pointer {
	t := s.find(x, in, i)
	if t == nil {
		return nil
	}
	size := s.size
	words, layer := s.at(x.Frame, i)
	c := []int32{int32(words[0]), int32(words[1]), int32(words[2])}[:len(s.coords)]
	if size == 0 {
		size, c[0] = t.TexelSize(), t.ByteOf(c[0])
	}
	at, layer, outside := t.Clamp(c, layer, size)
	switch {
	case at[0]&int64(size-1) != 0:
		faults.Raise(x, in, i, "misaligned", 0, "misaligned surface %s of %d bytes at byte %d of a row", s.kind.Word(),
			size,
			at[0])
		return nil
	case t.RowSize() < int64(size), outside && s.mode == "trap":
		faults.Raise(x, in, i, "out-of-bounds", 0,
			"surface %s of %d bytes at coordinates %v, layer %d, which is outside the surface of %dx%dx%d texels of %d bytes",
			s.kind.Word(), size, c, layer, t.Width, t.Height, t.Depth, t.TexelSize())
		return nil
	case outside && s.mode == "zero":
		return nil
	}
	addr := t.Addr + t.Offset(uint64(at[0]), at[1], at[2], layer)
	b, err := x.M.Dev.Mem.At(addr, size)
	if err != nil {
		faults.Raise(x, in, i, "use-after-free", t.Addr, "surface: %v", err)
		return nil
	}
	if x.Listener != nil {
		events.EmitLaneAccess(x, in, s.kind, addr, size, i)
	}
	if s.kind != isa.AccessLoad {
		a := x.M.Dev.Mem.Find(addr)
		a.Shadow.Set(addr-a.Base, size)
	} else if x.M.Cfg.Uninitialised {
		memory.Fetched(x, in, addr, size, i)
	}
	return unsafe.Pointer(unsafe.SliceData(b))
}

// each returns an instruction that calls do for each lane, with the memory that it accesses, nil for none.
func (s *surfaceAccess) each(do func(x *state.Engine, in *state.Inst, i int, p unsafe.Pointer)) state.Inst {
	return state.Inst{
		Flags: state.FlagVisible | state.FlagFaults | state.FlagResumable,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			for ; m != 0; m &= m - 1 {
				i := m.First()
				p := s.locate(x, in, i)
				if x.Fault != nil {
					return
				}
				do(x, in, i, p)
			}
		},
	}
}

// decodeSuld: suld.b.geom{.cop}{.vec}.dtype{.mode} d, [a, b].
func decodeSuld(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	regs, err := decode.MemRegs(d, in, 0, true)
	if err != nil {
		return state.Inst{}, err
	}
	t := in.Decoded.Operands[0].Type
	s, err := surface(d, in, 1, len(regs)*t.Size(), isa.AccessLoad)
	if err != nil {
		return state.Inst{}, err
	}
	return s.each(func(x *state.Engine, _ *state.Inst, i int, p unsafe.Pointer) {
		for k, r := range regs {
			var v [2]uint64
			if p != nil {
				v = state.Peek(unsafe.Add(p, k*t.Size()), t)
			}
			x.Frame.SetLane(r.Slot, events.SlotBits(r.Typ), i, v)
		}
	}), nil
}

// decodeSust: sust.p, and sust.b.geom{.cop}{.vec}.ctype{.mode} [a, b], c.
func decodeSust(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	regs, err := decode.MemRegs(d, in, 1, false)
	if err != nil {
		return state.Inst{}, err
	}
	t := in.Decoded.Operands[1].Type
	s, err := surface(d, in, 0, len(regs)*t.Size(), isa.AccessStore)
	if err != nil {
		return state.Inst{}, err
	}
	if !in.Has("b") {
		return s.storeTexels(regs, t), nil
	}
	return s.each(func(x *state.Engine, _ *state.Inst, i int, p unsafe.Pointer) {
		for k, r := range regs {
			if p != nil && state.Poke(unsafe.Add(p, k*t.Size()), t, x.Frame.Lane(r.Slot, events.SlotBits(r.Typ), i)) {
				x.Wrote()
			}
		}
	}), nil
}

// decodeSured: sured{.b,.p}.op.geom.ctype.mode [a, b], c.
func decodeSured(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	t := in.Type(0)
	src, err := decode.Src(d, in, 1)
	if err == nil {
		err = decode.Fits(d, in, 1, src)
	}
	if err != nil {
		return state.Inst{}, err
	}
	s, err := surface(d, in, 0, t.Size(), isa.AccessReduce)
	if err != nil {
		return state.Inst{}, err
	}
	op := in.Mod("op")
	return state.Inst{
		Flags: state.FlagVisible | state.FlagFaults | state.FlagResumable,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			for ; m != 0; m &= m - 1 {
				i := m.First()
				t := t
				if s.size == 0 {
					if t = s.reducedType(x, in, i, t); t == isa.TypeNone {
						return
					}
				}
				p := s.locate(x, in, i)
				if x.Fault != nil {
					return
				}
				if p == nil {
					continue
				}
				old := state.Peek(p, t)[0]
				if state.Poke(p, t, [2]uint64{texture.Reduce(op, t, old, x.Frame.Word(src.Slot, src.Wide(), i))}) {
					x.Wrote()
				}
			}
		},
	}, nil
}

// Formatted surface accesses: sust.p converts components to the format of the surface,
// sured.p takes the type of the operation from it (PTX ISA, sust, sured).

// storeTexels decodes sust.p with the components in regs. Components of the surface that the vector does not have
// become 0; in the manual they are unpredictable.
func (s *surfaceAccess) storeTexels(regs []state.Operand, t isa.Type) state.Inst {
	return s.each(func(x *state.Engine, in *state.Inst, i int, p unsafe.Pointer) {
		if p == nil {
			return
		}
		tex := s.find(x, in, i)
		var v texture.Texel
		for k, r := range regs {
			v[k] = uint32(x.Frame.Lane(r.Slot, events.SlotBits(r.Typ), i)[0] & widthMask(t))
		}
		if tex.Encode(unsafe.Slice((*byte)(p), tex.TexelSize()), v) {
			x.Wrote()
		}
	})
}

// reducedType returns the type of sured.p on the surface of lane i: that of its texels, which must be integers as wide
// as the operand. It returns TypeNone after a fault.
func (s *surfaceAccess) reducedType(x *state.Engine, in *state.Inst, i int, t isa.Type) isa.Type {
	tex := s.find(x, in, i)
	switch {
	case tex == nil:
		return isa.TypeNone
	case tex.Floating() || tex.Format.Bits() != 32 || tex.TexelSize() != uint64(t.Size()):
		faults.Raise(x, in, i, "unsupported", tex.Addr,
			"reduction of %d bytes on a surface with %s of type .%s: the result is undefined", t.Size(),
			diag.Plural(tex.Channels, "channel"), tex.Format)
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
