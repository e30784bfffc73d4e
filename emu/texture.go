// Textures and surfaces of a device: creating, binding and reading them.

package emu

import (
	"fmt"
	"math"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/texture"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Texture is memory that kernels sample with tex, or access as a surface with suld, sust and
// sured.
type Texture = texture.Texture

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

// textureWindow is the value of the first texture object; these values are not addresses.
const textureWindow = 9 << 32

// NewTexture creates a texture object and returns its value, for a kernel's .u64 parameter. The memory must be allocated and stay
// allocated.
func (d *Device) NewTexture(t Texture) (uint64, error) {
	size, err := t.Init()
	if err != nil {
		return 0, err
	}
	if _, err := d.mem.At(t.Addr, size); err != nil {
		return 0, fmt.Errorf("texture: %w", err)
	}
	d.objects++
	h := textureWindow + 64*d.objects
	d.textures[h] = &t
	return h, nil
}

// BindTexture binds a module-scope .texref or .surfref variable.
func (m *Machine) BindTexture(name string, t Texture) error {
	v := m.symbols[name]
	if v == nil || v.Type != isa.TexRef && v.Type != isa.SurfRef {
		return fmt.Errorf("there is no .texref or .surfref %s in %s", name, m.src.AST.File.Name)
	}
	h, err := m.NewTexture(t)
	if err == nil {
		m.textures[m.vars[v]] = m.textures[h]
	}
	return err
}

// texture returns the texture that lane i names, nil after a fault.
func (x *engine) texture(in *inst, i int, ref *textureRef) *Texture {
	h := x.frame.r64(ref.base)[i] + uint64(ref.off)
	if t := x.m.textures[h]; t != nil {
		return t
	}
	name := fmt.Sprintf("0x%x, which is no texture object", h)
	if ref.variable != nil {
		name = ref.variable.Name + ", which is not bound"
	}
	x.raise(in, i, "out-of-bounds", 0, "access to the texture or surface %s", name)
	return nil
}

// textureRef is the texture operand of an instruction: a register, or a variable.
type textureRef struct {
	base     slot
	off      int64
	variable *rewrite.Var
}

// textureRead is a decoded tex or tld4, without the destination.
type textureRead struct {
	operand *textureOperand
	float   bool // coordinates are floating-point
	gather  bool
	channel int // of gather
	offsets []slot
	lod     slot // 0: none
	dx, dy  []slot
	depth   slot // 0: none
}

// textureRead resolves the operands after the destination.
func (d *decoder) textureRead(in *rewrite.Inst) (*textureRead, error) {
	ctype := in.Type(1)
	o, err := d.textureOperand(in, 1, ctype)
	if err != nil {
		return nil, err
	}
	r := &textureRead{
		operand: o, float: ctype.Float(), gather: in.Instr.Name == "tld4", channel: strings.Index("rgba", in.Mod("comp")),
	}
	for i := 2; i < len(in.Operands); i++ {
		if err := d.textureExtra(in, i, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// textureExtra resolves operand i: the level of detail, gradients, the offset e that is added to the coordinates, or the depth f.
// Without e, operand f takes its place and is recognised by its type.
func (d *decoder) textureExtra(in *rewrite.Inst, i int, r *textureRead) error {
	parts := d.elems(in, i)
	dims := min(len(parts), r.operand.geom.dims)
	name := in.Decoded.Operands[i].Spec.Name
	if first := &parts[0]; name == "e" && (first.Reg != nil && first.Reg.Type.Float() || first.Float) {
		name = "f"
	}
	var err error
	switch name {
	case "lod":
		r.lod, err = d.word(in, &in.Operands[i], in.Type(1))
	case "dPdx":
		r.dx, err = d.words(in, parts[:dims], isa.F32)
	case "dPdy":
		r.dy, err = d.words(in, parts[:dims], isa.F32)
	case "e":
		r.offsets, err = d.words(in, parts[:dims], isa.S32)
	case "f":
		r.depth, err = d.word(in, &parts[0], isa.F32)
	}
	return err
}

// possible raises a fault if the instruction does not match the texture of lane i.
func (r *textureRead) possible(x *engine, in *inst, t *Texture, i int) bool {
	switch {
	case (r.depth != 0) != (t.Compare != CompareNone):
		what := map[bool]string{false: "a depth texture is read without a depth to compare", true: "a texture that is no depth texture is read with a depth to compare"}
		x.raise(in, i, "unsupported", t.Addr, "%s", what[r.depth != 0])
		return false
	case r.dx != nil && t.Cube && t.Levels > 1:
		x.raise(in, i, "unsupported", t.Addr, "gradients on a cube with levels of detail are not emulated")
		return false
	}
	return true
}

// read returns the texel of lane i.
func (r *textureRead) read(x *engine, t *Texture, i int, mm texture.Memory) (texture.Texel, error) {
	f := x.frame
	c, layer := r.operand.at(f, i)
	from := texture.Place{Layer: layer}
	if r.operand.sample != 0 {
		from.Sample = f.r32(r.operand.sample)[i]
	}
	if r.depth != 0 {
		from.Depth = math.Float32frombits(f.r32(r.depth)[i])
	}
	var off [3]int64
	for k, s := range r.offsets {
		off[k] = int64(int32(f.r32(s)[i]))
	}
	if !r.float {
		return r.readIndex(x, t, i, mm, c, off, from)
	}
	at := floatsOf(c)
	if r.operand.geom.cube {
		t, at, from.Layer = t.Face(at, layer)
	}
	if r.gather {
		return t.Gather(mm, at, off, from, r.channel)
	}
	lod := 0.0
	switch {
	case r.lod != 0:
		lod = float64(math.Float32frombits(f.r32(r.lod)[i]))
	case r.dx != nil:
		lod = t.GradientLevel(gradient(f, r.dx, i), gradient(f, r.dy, i))
	}
	return t.SampleLevel(lod, func(level *Texture) (texture.Texel, error) { return level.Sample(mm, at, off, from) })
}

// readIndex returns the texel at integer coordinates.
func (r *textureRead) readIndex(x *engine, t *Texture, i int, mm texture.Memory, c [3]uint32, off [3]int64, from texture.Place) (texture.Texel, error) {
	if r.lod != 0 {
		t = t.Level(int64(int32(x.frame.r32(r.lod)[i])))
	}
	for k := range from.At {
		from.At[k] = int64(int32(c[k])) + off[k]
	}
	return t.Fetch(mm, from)
}

// texels is device memory from which an instruction reads texels, lane by lane. It emits them at the end of the instruction, one
// access for the n-th texels of all lanes.
type texels struct {
	x      *engine
	in     *inst
	access access
	reads  []texelRead // by the index of the texel in a lane
	lane   int         // the lane that reads now
	n      int         // number of texels that it has read
}

// texelRead is a texel for each of some lanes.
type texelRead struct {
	lanes lanes
	addrs [warpSize]uint64
}

// begin starts an instruction.
func (l *texels) begin(x *engine, in *inst) { l.x, l.in, l.access.size = x, in, 0 }

// of returns the memory for reads of lane i.
func (l *texels) of(i int) *texels {
	l.lane, l.n = i, 0
	return l
}

// Texel implements texture.Memory.
func (l *texels) Texel(addr, n uint64) ([]byte, error) {
	b, err := l.x.m.mem.At(addr, n)
	if err != nil {
		return nil, err
	}
	if l.x.listener != nil {
		l.note(addr, n)
	}
	if l.x.m.cfg.Uninitialised {
		l.x.fetched(l.in, addr, n, l.lane)
	}
	return b, nil
}

// note adds a texel to those of the instruction. Lanes may have textures with different texel sizes: only texels of equal size
// are combined.
func (l *texels) note(addr, size uint64) {
	if size != l.access.size {
		l.end()
		l.access = access{space: isa.SpaceGlobal, kind: isa.AccessLoad, size: size}
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
			l.x.emitAccess(l.in, &l.access, r.lanes, &r.addrs)
			r.lanes = 0
		}
	}
}

// gradient returns the gradient of lane i.
func gradient(f *frame, slots []slot, i int) (g [3]float32) {
	for k, s := range slots {
		g[k] = math.Float32frombits(f.r32(s)[i])
	}
	return g
}

func floatsOf(c [3]uint32) (v [3]float32) {
	for k := range c {
		v[k] = math.Float32frombits(c[k])
	}
	return v
}
