// Texture instructions: tex, tld4, txq, istypep.

package emu

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/texture"
	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semTexture is the semantics of textures (PTX ISA, "Texture Instructions"): one-, two- and three-dimensional, arrays, cubes,
// multi-sample and depth textures, with levels of detail. Separate samplers are not emulated.
var semTexture = map[string]decodeFunc{
	"tex":     decodeTex,
	"tld4":    decodeTex,
	"txq":     decodeTextureQuery,
	"suq":     decodeTextureQuery,
	"istypep": decodeIstypep,
}

// geometry is the texture shape that an instruction specifies.
type geometry struct {
	dims    int // number of coordinates
	array   bool
	cube    bool
	samples bool
}

var geometries = map[string]geometry{
	"1d": {dims: 1}, "2d": {dims: 2}, "3d": {dims: 3}, "a1d": {dims: 1, array: true}, "a2d": {dims: 2, array: true},
	"2dms": {dims: 2, samples: true}, "a2dms": {dims: 2, array: true, samples: true},
	"cube": {dims: 3, cube: true}, "acube": {dims: 3, array: true, cube: true},
}

// geometryOf returns the shape that the modifiers specify; false for an unknown one.
func geometryOf(in *rewrite.Inst) (geometry, bool) {
	for _, set := range []string{"geom", "cube", "samples"} {
		if name := in.Mod(set); name != "" {
			g, ok := geometries[name]
			return g, ok
		}
	}
	return geometry{}, false
}

// fits reports whether a texture has the shape.
func (g geometry) fits(t *Texture) bool {
	if g.cube {
		return t.Cube && (t.Layers > 6) == g.array
	}
	return !t.Cube && t.Dims == g.dims && (t.Layers > 0) == g.array && (g.samples || t.Samples == 1)
}

// textureOperand is a decoded [a, c].
type textureOperand struct {
	ref    textureRef
	geom   geometry
	coords []slot
	layer  slot
	sample slot
}

// textureOperand resolves operand i: the texture, and the coordinates of type t.
func (d *decoder) textureOperand(in *rewrite.Inst, i int, t isa.Type) (*textureOperand, error) {
	geom, ok := geometryOf(in)
	op := &in.Operands[i]
	if !ok || len(op.Elems) > 1 {
		return nil, d.unsupported(in, "%s", in.Text())
	}
	o := &textureOperand{geom: geom}
	var err error
	if o.ref, err = d.textureRef(in, i); err != nil {
		return nil, err
	}
	if len(op.Elems) == 0 {
		return nil, d.errorf(in, "%s: operand %s has no coordinates", in.Text(), d.text(op))
	}
	parts := d.elemsOf(&op.Elems[0])
	if geom.array {
		if o.layer, err = d.word(in, &parts[0], isa.U32); err != nil {
			return nil, err
		}
		parts = parts[1:]
	}
	if geom.samples && len(parts) > 0 {
		if o.sample, err = d.word(in, &parts[0], isa.U32); err != nil {
			return nil, err
		}
		parts = parts[1:]
	}
	if len(parts) < geom.dims {
		return nil, d.errorf(in, "%s: operand %s: %s, expected %d", in.Text(), d.text(op), diag.Plural(len(parts), "coordinate"), geom.dims)
	}
	o.coords, err = d.words(in, parts[:geom.dims], t)
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
	if o.geom.array {
		layer = int64(f.r32(o.layer)[i])
	}
	return c, layer
}

// find returns the texture of lane i, checked for the instruction's shape; nil after a fault.
func (o *textureOperand) find(x *engine, in *inst, i int) *Texture {
	t := x.texture(in, i, &o.ref)
	if t != nil && !o.geom.fits(t) {
		x.raise(in, i, "out-of-bounds", t.Addr, "access with %s to a texture or surface with %s, %s and %s",
			diag.Plural(len(o.coords), "coordinate"), diag.Plural(t.Dims, "dimension"), diag.Plural(int(t.Layers), "layer"), diag.Plural(int(t.Samples), "sample"))
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
	return inst{flags: flagVisible | flagFaults | flagResumable, body: func(x *engine, in *inst, m lanes) {
		x.texels.begin(x, in)
		defer x.texels.end()
		for ; m != 0; m &= m - 1 {
			i := m.first()
			t := r.operand.find(x, in, i)
			if t == nil || !r.possible(x, in, t, i) {
				return
			}
			v, err := r.read(x, t, i, x.texels.of(i))
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
		return nil, 0, d.errorf(in, "%s: operand %s: %s, expected %d", in.Text(), d.text(op), diag.Plural(len(elems), "element"), in.Vec)
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

// opaqueAt returns the type of the opaque variable at an address, TypeNone if there is none.
func (m *Machine) opaqueAt(addr uint64) isa.Type {
	name, off, ok := m.mem.Describe(addr)
	if v := m.symbols[name]; ok && off == 0 && v != nil && m.vars[v] == addr && v.Type >= isa.TexRef && v.Type <= isa.SurfRef {
		return v.Type
	}
	return isa.TypeNone
}
