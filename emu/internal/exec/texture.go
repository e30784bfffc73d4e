// Texture instructions: tex, tld4, txq, istypep.

package exec

import (
	"math"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/texture"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semTexture is the semantics of textures (PTX ISA, "Texture Instructions"): one-, two- and three-dimensional, arrays,
// cubes, multi-sample and depth textures, with levels of detail. Separate samplers are not emulated.
var semTexture = map[string]state.DecodeFunc{
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
	coords []state.Slot
	layer  state.Slot
	sample state.Slot
}

// decodeTextureOperand resolves operand i: the texture, and the coordinates of type t.
func decodeTextureOperand(d *state.Decoder, in *rewrite.Inst, i int, t isa.Type) (*textureOperand, error) {
	shape, ok := textureShape(in)
	op := &in.Operands[i]
	if !ok || len(op.Elems) > 1 {
		return nil, decode.Unsupported(d, in, "%s", in.Text())
	}
	o := &textureOperand{shape: shape}
	var err error
	if o.ref, err = decodeTextureRef(d, in, i); err != nil {
		return nil, err
	}
	if len(op.Elems) == 0 {
		return nil, decode.Errorf(d, in, "%s: operand %s has no coordinates", in.Text(), decode.Text(d, op))
	}
	parts := decode.ElemsOf(d, &op.Elems[0])
	if shape.Array {
		if o.layer, err = decode.WordOf(d, in, &parts[0], isa.U32); err != nil {
			return nil, err
		}
		parts = parts[1:]
	}
	if shape.Samples && len(parts) > 0 {
		if o.sample, err = decode.WordOf(d, in, &parts[0], isa.U32); err != nil {
			return nil, err
		}
		parts = parts[1:]
	}
	if len(parts) < shape.Dims {
		return nil, decode.Errorf(d, in, "%s: operand %s: %s, expected %d", in.Text(), decode.Text(d, op),
			diag.Plural(len(parts), "coordinate"), shape.Dims)
	}
	o.coords, err = decode.Words(d, in, parts[:shape.Dims], t)
	return o, err
}

// decodeTextureRef resolves the texture in operand i.
func decodeTextureRef(d *state.Decoder, in *rewrite.Inst, i int) (textureRef, error) {
	a, err := decode.Addr(d, in, i)
	v, _ := in.Operands[i].Sym.(*rewrite.Var)
	return textureRef{a.Base, a.Off, v}, err
}

// at returns the coordinates of lane i, without the layer, and the layer.
func (o *textureOperand) at(f *state.Frame, i int) (c [3]uint32, layer int64) {
	for k, s := range o.coords {
		c[k] = f.R32(s)[i]
	}
	if o.shape.Array {
		layer = int64(f.R32(o.layer)[i])
	}
	return c, layer
}

// find returns the texture of lane i, checked for the instruction's shape; nil after a fault.
func (o *textureOperand) find(x *state.Engine, in *state.Inst, i int) *state.Texture {
	t := findTexture(x, in, i, &o.ref)
	if t != nil && !o.shape.Fits(t) {
		faults.Raise(x, in, i, "out-of-bounds", t.Addr, "access with %s to a texture or surface with %s, %s and %s",
			diag.Plural(len(o.coords), "coordinate"), diag.Plural(t.Dims, "dimension"),
			diag.Plural(int(t.Layers), "layer"), diag.Plural(int(t.Samples), "sample"))
		return nil
	}
	return t
}

// decodeTex decodes tex{.base,.level,.grad}.geom.v4.dtype.ctype d{|p}, [a, c]{, lod
// or gradients}{, e}{, f}, and tld4.
func decodeTex(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	r, err := decodeTextureRead(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	dtype := in.Type(0)
	dst, resident, err := textureTarget(d, in, dtype)
	if err != nil {
		return state.Inst{}, err
	}
	reads := new(texels)
	return state.Inst{
		Flags: state.FlagVisible | state.FlagFaults | state.FlagResumable,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			reads.begin(x, in)
			defer reads.end()
			for ; m != 0; m &= m - 1 {
				i := m.First()
				t := r.operand.find(x, in, i)
				if t == nil || !r.possible(x, in, t, i) {
					return
				}
				v, err := r.read(x, t, i, reads.of(i))
				if err != nil {
					faults.Raise(x, in, i, "use-after-free", t.Addr, "texture: %v", err)
					return
				}
				storeTexel(x.Frame, dst, dtype, t, v, i)
				if resident != state.SlotTrue {
					*x.Frame.P(resident) |= 1 << i
				}
			}
		},
	}, nil
}

// textureTarget resolves d or d|p: four elements, or two packed pairs.
func textureTarget(d *state.Decoder, in *rewrite.Inst,
	t isa.Type,
) (dst []state.Operand, resident state.Slot, err error) {
	op := &in.Operands[0]
	if op.Kind == rewrite.OperandPair {
		p, err := decode.Target(d, in, &op.Elems[1], isa.Pred)
		if err != nil {
			return nil, 0, err
		}
		op, resident = &op.Elems[0], p.Slot
	}
	elems := decode.ElemsOf(d, op)
	if len(elems) != in.Vec {
		return nil, 0, decode.Errorf(d, in, "%s: operand %s: %s, expected %d", in.Text(), decode.Text(d, op),
			diag.Plural(len(elems), "element"), in.Vec)
	}
	for i := range elems {
		r, err := decode.Target(d, in, &elems[i], t)
		if err == nil {
			err = decode.FitsType(d, in, &elems[i], t, r)
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
	offsets []state.Slot
	lod     state.Slot // 0: none
	dx, dy  []state.Slot
	depth   state.Slot // 0: none
}

// decodeTextureRead resolves the operands after the destination.
func decodeTextureRead(d *state.Decoder, in *rewrite.Inst) (*textureRead, error) {
	ctype := in.Type(1)
	o, err := decodeTextureOperand(d, in, 1, ctype)
	if err != nil {
		return nil, err
	}
	r := &textureRead{
		operand: o, float: ctype.Float(), gather: in.Instr.Name == "tld4",
		channel: strings.Index("rgba", in.Mod("comp")),
	}
	for i := 2; i < len(in.Operands); i++ {
		if err := textureExtra(d, in, i, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// textureExtra resolves operand i: the level of detail, gradients, the offset e that is added to the coordinates, or
// the depth f. Without e, operand f takes its place and is recognised by its type.
func textureExtra(d *state.Decoder, in *rewrite.Inst, i int, r *textureRead) error {
	parts := decode.Elems(d, in, i)
	dims := min(len(parts), r.operand.shape.Dims)
	name := in.Decoded.Operands[i].Spec.Name
	if first := &parts[0]; name == "e" && (first.Reg != nil && first.Reg.Type.Float() || first.Float) {
		name = "f"
	}
	var err error
	switch name {
	case "lod":
		r.lod, err = decode.WordOf(d, in, &in.Operands[i], in.Type(1))
	case "dPdx":
		r.dx, err = decode.Words(d, in, parts[:dims], isa.F32)
	case "dPdy":
		r.dy, err = decode.Words(d, in, parts[:dims], isa.F32)
	case "e":
		r.offsets, err = decode.Words(d, in, parts[:dims], isa.S32)
	case "f":
		r.depth, err = decode.WordOf(d, in, &parts[0], isa.F32)
	}
	return err
}

// possible raises a fault if the instruction does not match the texture of lane i.
func (r *textureRead) possible(x *state.Engine, in *state.Inst, t *state.Texture, i int) bool {
	switch {
	case (r.depth != 0) != (t.Compare != CompareNone):
		what := map[bool]string{
			false: "a depth texture is read without a depth to compare",
			true:  "a texture that is no depth texture is read with a depth to compare",
		}
		faults.Raise(x, in, i, "unsupported", t.Addr, "%s", what[r.depth != 0])
		return false
	case r.dx != nil && t.Cube && t.Levels > 1:
		faults.Raise(x, in, i, "unsupported", t.Addr, "gradients on a cube with levels of detail are not emulated")
		return false
	}
	return true
}

// read returns the texel of lane i.
func (r *textureRead) read(x *state.Engine, t *state.Texture, i int, mm texture.Memory) (texture.Texel, error) {
	f := x.Frame
	c, layer := r.operand.at(f, i)
	from := texture.Place{Layer: layer}
	if r.operand.sample != 0 {
		from.Sample = f.R32(r.operand.sample)[i]
	}
	if r.depth != 0 {
		from.Depth = math.Float32frombits(f.R32(r.depth)[i])
	}
	var off [3]int64
	for k, s := range r.offsets {
		off[k] = int64(int32(f.R32(s)[i]))
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
		lod = float64(math.Float32frombits(f.R32(r.lod)[i]))
	case r.dx != nil:
		lod = t.GradientLevel(gradient(f, r.dx, i), gradient(f, r.dy, i))
	}
	return t.SampleLevel(lod, func(level *state.Texture) (texture.Texel,
		error,
	) {
		return level.Sample(mm, at, off, from)
	})
}

// readIndex returns the texel at integer coordinates.
func (r *textureRead) readIndex(x *state.Engine, t *state.Texture, i int, mm texture.Memory, c [3]uint32, off [3]int64,
	from texture.Place,
) (texture.Texel, error) {
	if r.lod != 0 {
		t = t.Level(int64(int32(x.Frame.R32(r.lod)[i])))
	}
	for k := range from.At {
		from.At[k] = int64(int32(c[k])) + off[k]
	}
	return t.Fetch(mm, from)
}

// gradient returns the gradient of lane i.
func gradient(f *state.Frame, slots []state.Slot, i int) (g [3]float32) {
	for k, s := range slots {
		g[k] = math.Float32frombits(f.R32(s)[i])
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
func storeTexel(f *state.Frame, dst []state.Operand, dtype isa.Type, t *state.Texture, v texture.Texel, i int) {
	half := func(k int) uint32 {
		if !t.Floating() {
			return v[k] & 0xffff
		}
		return uint32(num.F16.FromFloat64(float64(math.Float32frombits(v[k])), num.RN))
	}
	for k, r := range dst {
		switch dtype {
		case isa.F16:
			f.R32(r.Slot)[i] = half(k)
		case isa.F16x2:
			f.R32(r.Slot)[i] = half(2*k) | half(2*k+1)<<16
		default:
			f.R32(r.Slot)[i] = v[k]
		}
	}
}

// decodeTextureQuery decodes txq.query.b32 d, [a]; txq.level.query.b32 d, [a], lod; and
// suq.
func decodeTextureQuery(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	ref, err := decodeTextureRef(d, in, 1)
	if err != nil {
		return state.Inst{}, err
	}
	dst, err := decode.Dst(d, in)
	if err == nil {
		err = decode.Fits(d, in, 0, dst)
	}
	if err != nil {
		return state.Inst{}, err
	}
	lod := decode.Constant(d, 32, 0)
	if len(in.Operands) > 2 {
		if lod, err = decode.WordOf(d, in, &in.Operands[2], isa.U32); err != nil {
			return state.Inst{}, err
		}
	}
	what := in.Mod("query")
	return state.Inst{D: dst.Slot, Flags: state.FlagFaults, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.First()
			t := findTexture(x, in, i, &ref)
			if t == nil {
				return
			}
			x.Frame.R32(in.D)[i] = t.Level(int64(int32(x.Frame.R32(lod)[i]))).Query(what)
		}
	}}, nil
}

// decodeIstypep decodes istypep.type p, a: whether a points to a variable of this opaque type.
func decodeIstypep(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	src, err := decode.Value(d, in, &in.Operands[1], isa.U64)
	if err == nil {
		err = decode.FitsType(d, in, &in.Operands[1], isa.U64, src)
	}
	if err != nil {
		return state.Inst{}, err
	}
	want, _ := isa.TypeOf(in.Mod("type"))
	return state.Inst{D: dst.Slot, A: src.Slot, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		var is state.Lanes
		for rest := m; rest != 0; rest &= rest - 1 {
			i := rest.First()
			if opaqueAt(x.M, x.Frame.R64(in.A)[i]) == want {
				is |= 1 << i
			}
		}
		Put(x.Frame.P(in.D), m, is)
	}}, nil
}
