// Instructions that edit tensor maps: tensormap.replace, cp_fenceproxy and query.

package async

import (
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/tensor"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// SemTensorMap is the semantics of editing tensor maps (PTX ISA, tensormap.replace,
// tensormap.cp_fenceproxy).
var SemTensorMap = map[string]state.DecodeFunc{"tensormap": decodeTensorMap}

// strideInBytes is the first version of PTX in which tensormap.replace takes strides in bytes. Before, the value is
// without the lowest 4 bits, which are 0. The manual documents neither; compilers emit both: CUTLASS
// (tma_descriptor_replace_dims_strides_in_shared_mem) for CUDA before 12.5, and Triton for PTX before 8.5.
const strideInBytes = 85

// decodeTensorMap decodes tensormap.replace and tensormap.cp_fenceproxy.
func decodeTensorMap(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	switch {
	case in.Has("cp_fenceproxy"):
		return tensorMapCopy(d, in)
	case in.Has("query"):
		return tensorMapQuery(d, in)
	}
	field := tensor.FieldNamed(in.Mod("field"))
	if field == nil {
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
	}
	o, err := tensorMapAccess(d, in, 0, isa.AccessReduce, in.Space)
	if err != nil {
		return state.Inst{}, err
	}
	val := len(in.Operands) - 1
	t := in.Decoded.Operands[val].Type
	v, err := decode.Value(d, in, &in.Operands[val], t)
	if err != nil {
		return state.Inst{}, err
	}
	if err = decode.FitsType(d, in, &in.Operands[val], t, v); err != nil {
		return state.Inst{}, err
	}
	ord := decode.Constant(d, 32, 0)
	if field.Ordinals > 0 {
		if ord, err = decode.WordOf(d, in, &in.Operands[1], isa.U32); err != nil {
			return state.Inst{}, err
		}
	}
	shift := 0
	if in.Mod("field") == "global_stride" && d.M.Src.AST.Version < strideInBytes {
		shift = 4
	}
	return state.Inst{
		Flags: state.FlagVisible | state.FlagFaults | state.FlagResumable,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			o.emit(x, in, m)
			for ; m != 0 && x.Fault == nil; m &= m - 1 {
				i := m.First()
				n := int(x.Frame.R32(ord)[i])
				if n > 0 && n >= field.Ordinals {
					faults.Raise(x, in, i, "out-of-bounds", o.addr(x, i),
						"ordinal %d of a field of a tensor map, expected less than %d", n, field.Ordinals)
					return
				}
				o.edit(x, in, i, func(p *tensor.Image) { p.Replace(field, n, x.Frame.Word(v.Slot, v.Wide(), i)<<shift) })
			}
		},
	}, nil
}

// tensorMapCopy: tensormap.cp_fenceproxy [dst], [src], size copies a map from shared to global memory. Its fence has no
// effect.
func tensorMapCopy(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	if size := &in.Operands[2]; size.Kind != rewrite.OperandImm || size.Imm != tensor.MapSize {
		return state.Inst{}, decode.Errorf(d, in, "%s: size %s, expected %d", in.Text(), decode.Text(d, size),
			tensor.MapSize)
	}
	to, err := tensorMapAccess(d, in, 0, isa.AccessStore, isa.SpaceGlobal)
	if err != nil {
		return state.Inst{}, err
	}
	from, err := tensorMapAccess(d, in, 1, isa.AccessLoad, isa.SpaceShared)
	if err != nil {
		return state.Inst{}, err
	}
	return state.Inst{
		Flags: state.FlagVisible | state.FlagFaults | state.FlagResumable,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			from.emit(x, in, m)
			events.EmitTogether(x, in, m)
			to.emit(x, in, m)
			events.EmitTogether(x, in, m)
			for ; m != 0; m &= m - 1 {
				i := m.First()
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
				x.Wrote()
			}
		},
	}, nil
}

// tensorMapQuery: tensormap.query.alloc_class_large p, [addr]. All maps are of the small class, as on devices where the
// class has no effect (CUDA Driver API, cuTensorMapSetAllocationClass); no instruction sets another one.
func tensorMapQuery(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, err := decode.Dst(d, in)
	if err == nil {
		err = decode.FitsType(d, in, &in.Operands[0], isa.Pred, dst)
	}
	if err != nil {
		return state.Inst{}, err
	}
	o, err := tensorMapAccess(d, in, 1, isa.AccessLoad, in.Space)
	return state.Inst{
		D: dst.Slot, Flags: state.FlagVisible | state.FlagFaults | state.FlagResumable,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			o.emit(x, in, m)
			for r := m; r != 0; r &= r - 1 {
				if o.read(x, in, r.First()) == nil {
					return
				}
			}
			decode.SetPred(x.Frame, in.D, m, 0)
		},
	}, err
}
