package emu

import (
	"fmt"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semTensorMap is the semantics of editing tensor maps (PTX ISA, tensormap.replace,
// tensormap.cp_fenceproxy).
var semTensorMap = map[string]decodeFunc{"tensormap": decodeTensorMap}

// tensorField is a field that tensormap.replace sets. The edited map is checked when it
// is used: one field alone may not fit the others.
type tensorField struct {
	name     string
	bit      int // in tensorImage.missing, of ordinal 0
	ordinals int // how many there are of it; 0 for a field without
	set      func(p *tensorImage, ord int, v uint64)
}

// tensorFields are the fields.
var tensorFields = []tensorField{
	{"global_address", 0, 0, func(p *tensorImage, _ int, v uint64) { p.Addr = v }},
	{"rank", 1, 0, func(p *tensorImage, _ int, v uint64) { p.Rank = code(v) }},
	{"elemtype", 2, 0, func(p *tensorImage, _ int, v uint64) { p.Elem = code(v) }},
	{"interleave_layout", 3, 0, func(p *tensorImage, _ int, v uint64) { p.Interleave = code(v) }},
	{"swizzle_mode", 4, 0, func(p *tensorImage, _ int, v uint64) { p.Swizzle = code(v) }},
	{"fill_mode", 5, 0, func(p *tensorImage, _ int, v uint64) { p.Fill = code(v) }},
	{"box_dim", 6, maxTensorRank, func(p *tensorImage, ord int, v uint64) { p.Box[ord] = uint32(v) }},
	{"global_dim", 11, maxTensorRank, func(p *tensorImage, ord int, v uint64) { p.Dims[ord] = uint32(v) }},
	{"element_stride", 16, maxTensorRank, func(p *tensorImage, ord int, v uint64) { p.Steps[ord] = uint32(v) }},
	{"global_stride", 21, maxTensorRank - 1, func(p *tensorImage, ord int, v uint64) { p.Strides[ord] = v }},
}

// fieldNamed is the field of that name in the instruction, nil when there is none.
func fieldNamed(name string) *tensorField {
	if i := slices.IndexFunc(tensorFields, func(f tensorField) bool { return f.name == name }); i >= 0 {
		return &tensorFields[i]
	}
	return nil
}

// A program may make a map out of 128 zero bytes with tensormap.replace alone, as Triton
// does. Until then its first word says which fields have been set.
const (
	tensorDraft     = 0x74666172 << 32
	tensorDraftMask = 1<<32 - 1
)

// draftAt reads a map to change a field of it; zeros are a map without fields.
func draftAt(b []byte) (*tensorImage, error) {
	p := decodeTensorImage(b)
	switch {
	case p.Magic == tensorMagic || p.draft():
		return p, nil
	case *p == tensorImage{}:
		p.Magic = tensorDraft
		return p, nil
	}
	return nil, errNoTensorMap
}

// draft reports whether the map has been made out of zeros.
func (p *tensorImage) draft() bool { return p.Magic&^tensorDraftMask == tensorDraft }

// replace sets a field.
func (p *tensorImage) replace(f *tensorField, ord int, v uint64) {
	f.set(p, ord, v)
	if p.draft() {
		p.Magic |= 1 << (f.bit + ord)
	}
}

// missing names a field that a map made out of zeros lacks, "" when there is none. The
// dimensions that it must have follow from the rank.
func (p *tensorImage) missing() string {
	if !p.draft() {
		return ""
	}
	for _, f := range tensorFields {
		if f.ordinals == 0 && p.Magic>>f.bit&1 == 0 {
			return f.name
		}
	}
	for _, f := range tensorFields {
		n := min(f.ordinals, p.rank())
		if f.name == "global_stride" {
			n = min(f.ordinals, p.rank()-1)
		}
		for ord := range n {
			if p.Magic>>(f.bit+ord)&1 == 0 {
				return fmt.Sprintf("%s %d", f.name, ord)
			}
		}
	}
	return ""
}

// code is a code of the manual's tables; what is none stays none.
func code(v uint64) uint8 { return uint8(min(uint32(v), math.MaxUint8)) }

// decodeTensorMap decodes tensormap.replace and tensormap.cp_fenceproxy.
func decodeTensorMap(d *decoder, in *rewrite.Inst) (inst, error) {
	if in.Has("cp_fenceproxy") {
		return d.tensorMapCopy(in)
	}
	field := fieldNamed(in.Mod("field"))
	if field == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	o, err := d.tensorMapAccess(in, 0, isa.AccessReduce, in.Space)
	if err != nil {
		return inst{}, err
	}
	val := len(in.Operands) - 1
	t := in.Decoded.Operands[val].Type
	v, err := d.value(in, &in.Operands[val], t)
	if err != nil {
		return inst{}, err
	}
	if err = d.fitsType(in, &in.Operands[val], t, v); err != nil {
		return inst{}, err
	}
	ord := d.constant(32, 0)
	if field.ordinals > 0 {
		if ord, err = d.word(in, &in.Operands[1], isa.U32); err != nil {
			return inst{}, err
		}
	}
	return inst{flags: flagVisible | flagFaults | flagResumable, exec: func(x *exec, in *inst, m lanes) {
		o.tell(x, in, m)
		for ; m != 0 && x.fault == nil; m &= m - 1 {
			i := m.first()
			n := int(x.frame.r32(ord)[i])
			if n > 0 && n >= field.ordinals {
				x.raise(in, i, "out-of-bounds", o.addr(x, i), "ordinal %d of a field of a tensor map, expected less than %d", n, field.ordinals)
				return
			}
			o.edit(x, in, i, func(p *tensorImage) { p.replace(field, n, x.frame.word(v.slot, v.wide(), i)) })
		}
	}}, nil
}

// tensorMapCopy: tensormap.cp_fenceproxy [dst], [src], size copies a map from shared to
// global memory. Its fence has nothing to do.
func (d *decoder) tensorMapCopy(in *rewrite.Inst) (inst, error) {
	if size := &in.Operands[2]; size.Kind != rewrite.OperandImm || size.Imm != TensorMapSize {
		return inst{}, d.errorf(in, "%s: size %s, expected %d", in.Text(), d.text(size), TensorMapSize)
	}
	to, err := d.tensorMapAccess(in, 0, isa.AccessStore, isa.SpaceGlobal)
	if err != nil {
		return inst{}, err
	}
	from, err := d.tensorMapAccess(in, 1, isa.AccessLoad, isa.SpaceShared)
	if err != nil {
		return inst{}, err
	}
	return inst{flags: flagVisible | flagFaults | flagResumable, exec: func(x *exec, in *inst, m lanes) {
		from.tell(x, in, m)
		to.tell(x, in, m)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			src, src2 := from.halves(x, in, i)
			if src == nil {
				return
			}
			dst, dst2 := to.halves(x, in, i)
			if dst == nil {
				return
			}
			copy(dst, src)
			copy(dst2, src2)
			x.wrote()
		}
	}}, nil
}
