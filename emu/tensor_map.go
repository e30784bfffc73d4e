// Tensor maps in memory: creating, reading and editing them.

package emu

import (
	"bytes"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/tensor"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TensorMapSize is the size of a tensor map, bytes.
const TensorMapSize = tensor.MapSize

// TensorMap describes a tensor in device memory, and the box of it that one instruction copies.
type TensorMap = tensor.Map

// TensorColumn describes the part that an instruction copies in the im2col modes.
type TensorColumn = tensor.Column

// TensorWide is a mode of im2col columns that extend along the first spatial dimension only.
type TensorWide = tensor.Wide

// Wide im2col modes.
const (
	TensorWideNot = tensor.WideNot
	TensorWideW   = tensor.WideW
	TensorWide128 = tensor.Wide128
)

// TensorSwizzle is the permutation of the 16-byte units of a tile in shared memory.
type TensorSwizzle = tensor.Swizzle

// Swizzles, by the bytes within which units are permuted.
const (
	SwizzleNone = tensor.SwizzleNone
	Swizzle32   = tensor.Swizzle32
	Swizzle64   = tensor.Swizzle64
	Swizzle128  = tensor.Swizzle128

	Swizzle128Atom32      = tensor.Swizzle128Atom32
	Swizzle128Atom32Flip8 = tensor.Swizzle128Atom32Flip8
	Swizzle128Atom64      = tensor.Swizzle128Atom64

	Swizzle96 = tensor.Swizzle96
)

// TensorPacking is the layout of 4- and 6-bit elements in a tensor and in shared memory.
type TensorPacking = tensor.Packing

// Packings.
const (
	TensorPackedNot    = tensor.PackedNot
	TensorPacked4      = tensor.Packed4
	TensorPacked4Apart = tensor.Packed4Apart
	TensorPacked6Apart = tensor.Packed6Apart
)

// NewTensorMap writes a tensor map to a new allocation of device memory and returns its generic address. Its bytes may also be
// passed to a kernel as a parameter.
func (d *Device) NewTensorMap(t TensorMap) (uint64, error) {
	b, err := t.Encode()
	if err != nil {
		return 0, err
	}
	addr, err := d.Alloc("tensor map", TensorMapSize)
	if err != nil {
		return 0, err
	}
	return addr, d.Write(addr, b)
}

// TensorMapAddress returns the offset of the tensor's address in the bytes of a tensor map; false for other bytes.
func TensorMapAddress(b []byte) (offset int, ok bool) {
	if len(b) != TensorMapSize {
		return 0, false
	}
	_, err := tensor.MapAt(b)
	return tensor.AddressOffset, err == nil
}

// MoveTensorMap returns the bytes of a tensor map with another tensor address.
func MoveTensorMap(b []byte, addr uint64) ([]byte, error) {
	p, err := tensor.MapAt(b)
	if err != nil {
		return nil, err
	}
	p.Addr = addr
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p.Bytes(), nil
}

// tensorObject is the operand that holds the address of a tensor map.
type tensorObject struct {
	ac *access // access to one half: maps are aligned to 64 bytes
	at slot
}

// tensorObject resolves operand i: a generic address, or a variable.
func (d *decoder) tensorObject(in *rewrite.Inst, i int) (*tensorObject, error) {
	ac, out, err := d.decodeAccess(in, i, isa.AccessLoad, TensorMapSize/2)
	if err != nil {
		return nil, err
	}
	ac.space, ac.overrun, ac.origin = isa.SpaceNone, nil, nil
	if v, ok := in.Operands[i].Sym.(*rewrite.Var); ok {
		ac.space = v.Space
	}
	return &tensorObject{ac, out.a}, nil
}

// addr returns the address of lane i's map.
func (o *tensorObject) addr(x *engine, i int) uint64 { return x.frame.r64(o.at)[i] + o.ac.off }

// halves returns the two halves of lane i's map in memory, nil after a fault.
func (o *tensorObject) halves(x *engine, in *inst, i int) (lo, hi []byte) {
	var halves [2][]byte
	w, addr := o.ac.window(x), o.addr(x, i)
	for k := range halves {
		p := o.ac.locate(x, in, &w, addr+uint64(k)*o.ac.size, i)
		if p == nil {
			return nil, nil
		}
		halves[k] = unsafe.Slice((*byte)(p), o.ac.size)
	}
	return halves[0], halves[1]
}

// read returns lane i's map, nil after a fault.
func (o *tensorObject) read(x *engine, in *inst, i int) *tensor.Image {
	return o.decode(x, in, i, tensor.MapAt)
}

// decode returns lane i's map decoded by at, nil after a fault.
func (o *tensorObject) decode(x *engine, in *inst, i int, at func(b []byte) (*tensor.Image, error)) *tensor.Image {
	lo, hi := o.halves(x, in, i)
	if lo == nil {
		return nil
	}
	t, err := at(append(bytes.Clone(lo), hi...))
	if err != nil {
		x.raise(in, i, "uninitialised", o.ac.generic(o.addr(x, i)), "address 0x%x: %v", o.addr(x, i), err)
	}
	return t
}

// tensorMapAccess resolves operand i as the address of a map in a state space.
func (d *decoder) tensorMapAccess(in *rewrite.Inst, i int, kind isa.AccessKind, space isa.Space) (*tensorObject, error) {
	ac, out, err := d.decodeAccess(in, i, kind, TensorMapSize/2)
	if err != nil {
		return nil, err
	}
	ac.space, ac.cluster, ac.overrun = space, false, nil
	return &tensorObject{ac, out.a}, nil
}

// emit emits the access to whole maps.
func (o *tensorObject) emit(x *engine, in *inst, m lanes) {
	whole := *o.ac
	whole.size = TensorMapSize
	whole.emit(x, in, o.at, m)
}

// edit applies f to lane i's map.
func (o *tensorObject) edit(x *engine, in *inst, i int, f func(p *tensor.Image)) {
	p := o.decode(x, in, i, tensor.DraftAt)
	if p == nil {
		return
	}
	f(p)
	lo, hi := o.halves(x, in, i)
	if lo == nil {
		return
	}
	if b := p.Bytes(); !bytes.Equal(b, append(bytes.Clone(lo), hi...)) {
		copy(hi, b[copy(lo, b):])
		x.wrote()
	}
}

// semTensorMap is the semantics of editing tensor maps (PTX ISA, tensormap.replace,
// tensormap.cp_fenceproxy).
var semTensorMap = map[string]decodeFunc{"tensormap": decodeTensorMap}

// strideInBytes is the first version of PTX in which tensormap.replace takes strides in bytes. Before, the value is without the
// lowest 4 bits, which are 0. The manual documents neither; compilers emit both: CUTLASS
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
				x.raise(in, i, "out-of-bounds", o.addr(x, i), "ordinal %d of a field of a tensor map, expected less than %d", n, field.Ordinals)
				return
			}
			o.edit(x, in, i, func(p *tensor.Image) { p.Replace(field, n, x.frame.word(v.slot, v.wide(), i)<<shift) })
		}
	}}, nil
}

// tensorMapCopy: tensormap.cp_fenceproxy [dst], [src], size copies a map from shared to global memory. Its fence has no effect.
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
		to.emit(x, in, m)
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

// tensorMapQuery: tensormap.query.alloc_class_large p, [addr]. All maps are of the small class, as on devices where the class has
// no effect (CUDA Driver API, cuTensorMapSetAllocationClass); no instruction sets another one.
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

// overrideSpan is the number of bytes from an overriding address that must be allocated (PTX ISA 9.4, "Tensor Base Address
// Override").
const overrideSpan = 128 << 10

// tensorOverride holds the properties of a tensor that an instruction states in place of those in the map (PTX ISA 9.4,
// "Overriding tensor property value"). Without an address there are none.
type tensorOverride struct {
	addr  slot   // of the tensor
	dims  []slot // elements, in the low 8 bits
	lower []slot // strides in 16 bytes: the low 32 bits
	upper slot   // and the next 4, packed
}

// tensorOverride resolves what stands between the address of a map and the coordinates.
func (d *decoder) tensorOverride(in *rewrite.Inst, op *rewrite.Operand) (o tensorOverride, err error) {
	if !in.Has("override::global_address") {
		return o, nil
	}
	addr, err := d.values(in, op.Elems[:1], isa.U64)
	if err != nil {
		return o, err
	}
	o.addr = addr[0]
	for k, part := range op.Elems[1 : len(op.Elems)-1] {
		switch k {
		case 0:
			o.dims, err = d.bytesOf(in, d.elemsOf(&part))
		case 1:
			o.lower, err = d.values(in, d.elemsOf(&part), isa.B32)
		case 2:
			var upper []slot
			if upper, err = d.values(in, []rewrite.Operand{part}, isa.B16); err == nil {
				o.upper = upper[0]
			}
		}
		if err != nil {
			return o, err
		}
	}
	if rank := int(in.Mod("dim")[0] - '0'); len(op.Elems) > 2 && (len(o.dims) != rank || len(o.lower) != rank-1) {
		return o, d.errorf(in, "%s: %d sizes and %d strides for %d dimensions", in.Text(), len(o.dims), len(o.lower), rank)
	}
	return o, nil
}

// bytesOf resolves operands of 8 or 16 bits.
func (d *decoder) bytesOf(in *rewrite.Inst, ops []rewrite.Operand) ([]slot, error) {
	out := make([]slot, len(ops))
	for i := range ops {
		v, err := d.value(in, &ops[i], isa.B16)
		if err != nil {
			return nil, err
		}
		out[i] = v.slot
	}
	return out, nil
}

// apply changes lane i's map t, which is a copy. It returns false after a fault.
func (o *tensorOverride) apply(x *engine, in *inst, t *tensor.Image, coords []slot, i int) bool {
	if o.addr == 0 {
		return true
	}
	t.Addr = x.frame.r64(o.addr)[i]
	if _, bad := x.m.mem.Check(t.Addr, overrideSpan); bad != nil {
		x.raise(in, i, bad.Class, t.Addr, "an overriding tensor address 0x%x, from which %d bytes must be allocated: the range %s", t.Addr, overrideSpan, bad.Msg)
		return false
	}
	if t.Addr%tensor.Unit != 0 {
		x.raise(in, i, "misaligned", t.Addr, "an overriding tensor address 0x%x, expected a multiple of %d", t.Addr, tensor.Unit)
		return false
	}
	for k, dim := range o.dims {
		if at := int32(x.frame.r32(coords[k])[i]); at != 0 {
			x.raise(in, i, "out-of-bounds", t.Addr, "coordinate %d of a tensor whose size is overridden, expected 0", at)
			return false
		}
		t.Dims[k] = x.frame.r32(dim)[i] & 0xff
	}
	for k, lower := range o.lower {
		t.Strides[k] = (uint64(x.frame.r32(lower)[i]) + uint64(x.frame.r32(o.upper)[i]>>(4*k)&0xf)<<32) << 4
	}
	return true
}
