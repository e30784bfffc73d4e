// Instructions that edit tensor maps: tensormap.replace, cp_fenceproxy and query.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/tensor"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// semTensorMap is the semantics of editing tensor maps (PTX ISA, tensormap.replace,
// tensormap.cp_fenceproxy).
var semTensorMap = map[string]decodeFunc{"tensormap": decodeTensorMap}

// strideInBytes is the first version of PTX in which tensormap.replace takes strides in bytes. Before, the value is
// without the lowest 4 bits, which are 0. The manual documents neither; compilers emit both: CUTLASS
// (tma_descriptor_replace_dims_strides_in_shared_mem) for CUDA before 12.5, and Triton for PTX before 8.5.
const strideInBytes = 85

// decodeTensorMap decodes tensormap.replace and tensormap.cp_fenceproxy.
func decodeTensorMap(d *decoder, in *rewrite.Inst) (inst, error) {
	switch {
	case in.Has("cp_fenceproxy"):
		return d.tensorMapCopy(in)
	case in.Has("query"):
		return d.tensorMapQuery(in)
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
	shift := 0
	if in.Mod("field") == "global_stride" && d.m.src.AST.Version < strideInBytes {
		shift = 4
	}
	return inst{flags: flagVisible | flagFaults | flagResumable, body: func(x *engine, in *inst, m lanes) {
		o.emit(x, in, m)
		for ; m != 0 && x.fault == nil; m &= m - 1 {
			i := m.first()
			n := int(x.frame.r32(ord)[i])
			if n > 0 && n >= field.Ordinals {
				x.raise(in, i, "out-of-bounds", o.addr(x, i),
					"ordinal %d of a field of a tensor map, expected less than %d", n, field.Ordinals)
				return
			}
			o.edit(x, in, i, func(p *tensor.Image) { p.Replace(field, n, x.frame.word(v.slot, v.wide(), i)<<shift) })
		}
	}}, nil
}

// emitTogether emits that lanes have synchronised: the copy is one of the whole warp, and no program puts a barrier
// between its lanes and the one that uses the map.
func (x *engine) emitTogether(in *inst, m lanes) {
	if x.listener != nil {
		x.emitBarrierEvent(x.warp, x.instOf(in), m, abi.EventWarpSync, 0, 0)
	}
}

// tensorMapCopy: tensormap.cp_fenceproxy [dst], [src], size copies a map from shared to global memory. Its fence has no
// effect.
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
	return inst{flags: flagVisible | flagFaults | flagResumable, body: func(x *engine, in *inst, m lanes) {
		from.emit(x, in, m)
		x.emitTogether(in, m)
		to.emit(x, in, m)
		x.emitTogether(in, m)
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

// tensorMapQuery: tensormap.query.alloc_class_large p, [addr]. All maps are of the small class, as on devices where the
// class has no effect (CUDA Driver API, cuTensorMapSetAllocationClass); no instruction sets another one.
func (d *decoder) tensorMapQuery(in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err == nil {
		err = d.fitsType(in, &in.Operands[0], isa.Pred, dst)
	}
	if err != nil {
		return inst{}, err
	}
	o, err := d.tensorMapAccess(in, 1, isa.AccessLoad, in.Space)
	return inst{d: dst.slot, flags: flagVisible | flagFaults | flagResumable, body: func(x *engine, in *inst, m lanes) {
		o.emit(x, in, m)
		for r := m; r != 0; r &= r - 1 {
			if o.read(x, in, r.first()) == nil {
				return
			}
		}
		setPred(x.frame, in.d, m, 0)
	}}, err
}
