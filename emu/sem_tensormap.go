package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/tensor"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semTensorMap is the semantics of editing tensor maps (PTX ISA, tensormap.replace,
// tensormap.cp_fenceproxy).
var semTensorMap = map[string]decodeFunc{"tensormap": decodeTensorMap}

// decodeTensorMap decodes tensormap.replace and tensormap.cp_fenceproxy.
func decodeTensorMap(d *decoder, in *rewrite.Inst) (inst, error) {
	if in.Has("cp_fenceproxy") {
		return d.tensorMapCopy(in)
	}
	field := tensor.FieldNamed(in.Mod("field"))
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
	if field.Ordinals > 0 {
		if ord, err = d.word(in, &in.Operands[1], isa.U32); err != nil {
			return inst{}, err
		}
	}
	return inst{flags: flagVisible | flagFaults | flagResumable, exec: func(x *exec, in *inst, m lanes) {
		o.tell(x, in, m)
		for ; m != 0 && x.fault == nil; m &= m - 1 {
			i := m.first()
			n := int(x.frame.r32(ord)[i])
			if n > 0 && n >= field.Ordinals {
				x.raise(in, i, "out-of-bounds", o.addr(x, i), "ordinal %d of a field of a tensor map, expected less than %d", n, field.Ordinals)
				return
			}
			o.edit(x, in, i, func(p *tensor.Image) { p.Replace(field, n, x.frame.word(v.slot, v.wide(), i)) })
		}
	}}, nil
}

// tensorMapCopy: tensormap.cp_fenceproxy [dst], [src], size copies a map from shared to
// global memory. Its fence has nothing to do.
func (d *decoder) tensorMapCopy(in *rewrite.Inst) (inst, error) {
	if size := &in.Operands[2]; size.Kind != rewrite.OperandImm || size.Imm != tensor.MapSize {
		return inst{}, d.errorf(in, "%s: size %s, expected %d", in.Text(), d.text(size), tensor.MapSize)
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
