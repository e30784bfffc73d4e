// Texture instructions: tex, tld4, txq, istypep.

package emu

import (
	"math"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/texture"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semTexture is the semantics of textures (PTX ISA, "Texture Instructions"): one-, two- and three-dimensional, arrays,
// cubes, multi-sample and depth textures, with levels of detail. Separate samplers are not emulated.
var semTexture = map[string]decodeFunc{
	"tex":     decodeTex,
	"tld4":    decodeTex,
	"txq":     decodeTextureQuery,
	"suq":     decodeTextureQuery,
	"istypep": decodeIstypep,
}

// textureShape returns the shape that the modifiers name; false for an unknown one.
func textureShape(in *rewrite.Inst) (texture.Shape, bool) {
	for _, set := range []string{"geom", "cube", "samples"} {
		if name := in.Mod(set); name != "" {
			s, ok := texture.Shapes[name]
			return s, ok
		}
	}
	return texture.Shape{}, false
}

// textureOperand is a decoded [a, c].
type textureOperand struct {
	ref    textureRef
	shape  texture.Shape
	coords []slot
	layer  slot
	sample slot
}

// textureOperand resolves operand i: the texture, and the coordinates of type t.
func (d *decoder) textureOperand(in *rewrite.Inst, i int, t isa.Type) (*textureOperand, error) {
	shape, ok := textureShape(in)
	op := &in.Operands[i]
	if !ok || len(op.Elems) > 1 {
		return nil, d.unsupported(in, "%s", in.Text())
	}
	o := &textureOperand{shape: shape}
	var err error
	if o.ref, err = d.textureRef(in, i); err != nil {
		return nil, err
	}
	if len(op.Elems) == 0 {
		return nil, d.errorf(in, "%s: operand %s has no coordinates", in.Text(), d.text(op))
	}
	parts := d.elemsOf(&op.Elems[0])
	if shape.Array {
		if o.layer, err = d.word(in, &parts[0], isa.U32); err != nil {
			return nil, err
		}
		parts = parts[1:]
	}
	if shape.Samples && len(parts) > 0 {
		if o.sample, err = d.word(in, &parts[0], isa.U32); err != nil {
			return nil, err
		}
		parts = parts[1:]
	}
	if len(parts) < shape.Dims {
		return nil, d.errorf(in, "%s: operand %s: %s, expected %d", in.Text(), d.text(op),
			diag.Plural(len(parts), "coordinate"), shape.Dims)
	}
	o.coords, err = d.words(in, parts[:shape.Dims], t)
	return o, err
}

// textureRef resolves the texture in operand i.
func (d *decoder) textureRef(in *rewrite.Inst, i int) (textureRef, error) {
	a, err := d.addr(in, i)
	v, _ := in.Operands[i].Sym.(*rewrite.Var)
	return textureRef{a.base, a.off, v}, err
}

// word resolves a 32-bit value.
func (d *decoder) word(in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (slot, error) {
	o, err := d.value(in, op, t)
	if err == nil {
		err = d.fitsType(in, op, t, o)
	}
	return o.slot, err
}

func (d *decoder) words(in *rewrite.Inst, ops []rewrite.Operand, t isa.Type) ([]slot, error) {
	out := make([]slot, len(ops))
	for i := range ops {
		var err error
		if out[i], err = d.word(in, &ops[i], t); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// at returns the coordinates of lane i, without the layer, and the layer.
func (o *textureOperand) at(f *frame, i int) (c [3]uint32, layer int64) {
	for k, s := range o.coords {
		c[k] = f.r32(s)[i]
	}
	if o.shape.Array {
		layer = int64(f.r32(o.layer)[i])
	}
	return c, layer
}

// find returns the texture of lane i, checked for the instruction's shape; nil after a fault.
func (o *textureOperand) find(x *engine, in *inst, i int) *Texture {
	t := x.texture(in, i, &o.ref)
	if t != nil && !o.shape.Fits(t) {
		x.raise(in, i, "out-of-bounds", t.Addr, "access with %s to a texture or surface with %s, %s and %s",
			diag.Plural(len(o.coords), "coordinate"), diag.Plural(t.Dims, "dimension"),
			diag.Plural(int(t.Layers), "layer"), diag.Plural(int(t.Samples), "sample"))
		return nil
	}
	return t
}

// decodeTex decodes tex{.base,.level,.grad}.geom.v4.dtype.ctype d{|p}, [a, c]{, lod
// or gradients}{, e}{, f}, and tld4.
func decodeTex(d *decoder, in *rewrite.Inst) (inst, error) {
	r, err := d.textureRead(in)
	if err != nil {
		return inst{}, err
	}
	dtype := in.Type(0)
	dst, resident, err := d.textureTarget(in, dtype)
	if err != nil {
		return inst{}, err
	}
	reads := new(texels)
	return inst{flags: flagVisible | flagFaults | flagResumable, body: func(x *engine, in *inst, m lanes) {
		reads.begin(x, in)
		defer reads.end()
		for ; m != 0; m &= m - 1 {
			i := m.first()
			t := r.operand.find(x, in, i)
			if t == nil || !r.possible(x, in, t, i) {
				return
			}
			v, err := r.read(x, t, i, reads.of(i))
			if err != nil {
				x.raise(in, i, "use-after-free", t.Addr, "texture: %v", err)
				return
			}
			storeTexel(x.frame, dst, dtype, t, v, i)
			if resident != slotTrue {
				*x.frame.p(resident) |= 1 << i
			}
		}
	}}, nil
}

// textureTarget resolves d or d|p: four elements, or two packed pairs.
func (d *decoder) textureTarget(in *rewrite.Inst, t isa.Type) (dst []operand, resident slot, err error) {
	op := &in.Operands[0]
	if op.Kind == rewrite.OperandPair {
		p, err := d.target(in, &op.Elems[1], isa.Pred)
		if err != nil {
			return nil, 0, err
		}
		op, resident = &op.Elems[0], p.slot
	}
	elems := d.elemsOf(op)
	if len(elems) != in.Vec {
		return nil, 0, d.errorf(in, "%s: operand %s: %s, expected %d", in.Text(), d.text(op),
			diag.Plural(len(elems), "element"), in.Vec)
	}
	for i := range elems {
		r, err := d.target(in, &elems[i], t)
		if err == nil {
			err = d.fitsType(in, &elems[i], t, r)
		}
		if err != nil {
			return nil, 0, err
		}
		dst = append(dst, r)
	}
	return dst, resident, nil
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
		operand: o, float: ctype.Float(), gather: in.Instr.Name == "tld4",
		channel: strings.Index("rgba", in.Mod("comp")),
	}
	for i := 2; i < len(in.Operands); i++ {
		if err := d.textureExtra(in, i, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// textureExtra resolves operand i: the level of detail, gradients, the offset e that is added to the coordinates, or
// the depth f. Without e, operand f takes its place and is recognised by its type.
func (d *decoder) textureExtra(in *rewrite.Inst, i int, r *textureRead) error {
	parts := d.elems(in, i)
	dims := min(len(parts), r.operand.shape.Dims)
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
		what := map[bool]string{
			false: "a depth texture is read without a depth to compare",
			true:  "a texture that is no depth texture is read with a depth to compare",
		}
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
	if r.operand.shape.Cube {
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
func (r *textureRead) readIndex(x *engine, t *Texture, i int, mm texture.Memory, c [3]uint32, off [3]int64,
	from texture.Place,
) (texture.Texel, error) {
	if r.lod != 0 {
		t = t.Level(int64(int32(x.frame.r32(r.lod)[i])))
	}
	for k := range from.At {
		from.At[k] = int64(int32(c[k])) + off[k]
	}
	return t.Fetch(mm, from)
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

// storeTexel writes a texel to the registers of lane i.
func storeTexel(f *frame, dst []operand, dtype isa.Type, t *Texture, v texture.Texel, i int) {
	half := func(k int) uint32 {
		if !t.Floating() {
			return v[k] & 0xffff
		}
		return uint32(num.F16.FromFloat64(float64(math.Float32frombits(v[k])), num.RN))
	}
	for k, r := range dst {
		switch dtype {
		case isa.F16:
			f.r32(r.slot)[i] = half(k)
		case isa.F16x2:
			f.r32(r.slot)[i] = half(2*k) | half(2*k+1)<<16
		default:
			f.r32(r.slot)[i] = v[k]
		}
	}
}

// decodeTextureQuery decodes txq.query.b32 d, [a]; txq.level.query.b32 d, [a], lod; and
// suq.
func decodeTextureQuery(d *decoder, in *rewrite.Inst) (inst, error) {
	ref, err := d.textureRef(in, 1)
	if err != nil {
		return inst{}, err
	}
	dst, err := d.dst(in)
	if err == nil {
		err = d.fits(in, 0, dst)
	}
	if err != nil {
		return inst{}, err
	}
	lod := d.constant(32, 0)
	if len(in.Operands) > 2 {
		if lod, err = d.word(in, &in.Operands[2], isa.U32); err != nil {
			return inst{}, err
		}
	}
	what := in.Mod("query")
	return inst{d: dst.slot, flags: flagFaults, body: func(x *engine, in *inst, m lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			t := x.texture(in, i, &ref)
			if t == nil {
				return
			}
			x.frame.r32(in.d)[i] = t.Level(int64(int32(x.frame.r32(lod)[i]))).Query(what)
		}
	}}, nil
}

// decodeIstypep decodes istypep.type p, a: whether a points to a variable of this opaque type.
func decodeIstypep(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	src, err := d.value(in, &in.Operands[1], isa.U64)
	if err == nil {
		err = d.fitsType(in, &in.Operands[1], isa.U64, src)
	}
	if err != nil {
		return inst{}, err
	}
	want, _ := isa.TypeOf(in.Mod("type"))
	return inst{d: dst.slot, a: src.slot, body: func(x *engine, in *inst, m lanes) {
		var is lanes
		for rest := m; rest != 0; rest &= rest - 1 {
			i := rest.first()
			if x.m.opaqueAt(x.frame.r64(in.a)[i]) == want {
				is |= 1 << i
			}
		}
		put(x.frame.p(in.d), m, is)
	}}, nil
}
