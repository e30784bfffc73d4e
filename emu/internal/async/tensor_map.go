// Tensor maps in memory: creating, reading and editing them.

package async

import (
	"bytes"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/tensor"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
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

// tensorObject is the operand that holds the address of a tensor map.
type tensorObject struct {
	ac *state.Access // access to one half: maps are aligned to 64 bytes
	at state.Slot
}

// decodeTensorObject resolves operand i: a generic address, or a variable.
func decodeTensorObject(d *state.Decoder, in *rewrite.Inst, i int) (*tensorObject, error) {
	ac, out, err := memory.DecodeAccess(d, in, i, isa.AccessLoad, TensorMapSize/2)
	if err != nil {
		return nil, err
	}
	ac.Space, ac.Overrun, ac.Origin = isa.SpaceNone, nil, nil
	if v, ok := in.Operands[i].Sym.(*rewrite.Var); ok {
		ac.Space = v.Space
	}
	return &tensorObject{ac, out.A}, nil
}

// addr returns the address of lane i's map.
func (o *tensorObject) addr(x *state.Engine, i int) uint64 { return x.Frame.R64(o.at)[i] + o.ac.Off }

// halves returns the two halves of lane i's map in memory, nil after a fault.
func (o *tensorObject) halves(x *state.Engine, in *state.Inst, i int) (lo, hi []byte) {
	var halves [2][]byte
	w, addr := memory.Window(o.ac, x), o.addr(x, i)
	for k := range halves {
		p := memory.Locate(o.ac, x, in, &w, addr+uint64(k)*o.ac.Size, i)
		if p == nil {
			return nil, nil
		}
		halves[k] = unsafe.Slice((*byte)(p), o.ac.Size)
	}
	return halves[0], halves[1]
}

// read returns lane i's map, nil after a fault.
func (o *tensorObject) read(x *state.Engine, in *state.Inst, i int) *tensor.Image {
	return o.decode(x, in, i, tensor.MapAt)
}

// decode returns lane i's map decoded by at, nil after a fault.
func (o *tensorObject) decode(x *state.Engine, in *state.Inst, i int,
	at func(b []byte) (*tensor.Image, error),
) *tensor.Image {
	lo, hi := o.halves(x, in, i)
	if lo == nil {
		return nil
	}
	t, err := at(append(bytes.Clone(lo), hi...))
	if err != nil {
		faults.Raise(x, in, i, "uninitialised", events.Generic(o.ac, o.addr(x, i)), "address 0x%x: %v", o.addr(x, i),
			err)
	}
	return t
}

// tensorMapAccess resolves operand i as the address of a map in a state space.
func tensorMapAccess(d *state.Decoder, in *rewrite.Inst, i int, kind isa.AccessKind,
	space isa.Space,
) (*tensorObject, error) {
	ac, out, err := memory.DecodeAccess(d, in, i, kind, TensorMapSize/2)
	if err != nil {
		return nil, err
	}
	ac.Space, ac.Cluster, ac.Overrun = space, false, nil
	return &tensorObject{ac, out.A}, nil
}

// emit emits the access to whole maps.
func (o *tensorObject) emit(x *state.Engine, in *state.Inst, m state.Lanes) {
	whole := *o.ac
	whole.Size = TensorMapSize
	events.Emit(&whole, x, in, o.at, m)
}

// emitRead emits that an asynchronous operation of lane i reads the map, if a kernel can write there: parameters and
// constants stay as they are.
func (o *tensorObject) emitRead(x *state.Engine, in *state.Inst, async abi.AsyncKind, i int) {
	if events.Ignored(&x.Emitter, o.ac) {
		return
	}
	addr := events.Generic(o.ac, o.addr(x, i))
	if x.M.Dev.Mem.SpaceOf(addr) != isa.SpaceGlobal {
		return
	}
	if a := x.M.Dev.Mem.Find(addr); a == nil || a.Readonly {
		return
	}
	whole := *o.ac
	whole.Size, whole.Space, whole.Async, whole.TensorMap = TensorMapSize, isa.SpaceGlobal, async, true
	x.Addrs[i] = addr
	events.EmitAccess(x, in, &whole, 1<<i, &x.Addrs)
}

// edit applies f to lane i's map.
func (o *tensorObject) edit(x *state.Engine, in *state.Inst, i int, f func(p *tensor.Image)) {
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
		x.Wrote()
	}
}

// tensorMap returns the tensor map of lane i, checked for the instruction; nil after a fault.
func (c *tensorCopy) tensorMap(x *state.Engine, in *state.Inst, i int) *tensor.Image {
	t := c.object.read(x, in, i)
	if t == nil || !c.override.apply(x, in, t, c.coords, i) {
		return nil
	}
	addr := c.object.addr(x, i)
	if err := t.Check(); err != nil {
		faults.Raise(x, in, i, "unsupported", addr, "tensor map at address 0x%x: %v", addr, err)
		return nil
	}
	if t.Im2col != c.im2col {
		what := []string{
			"boxes", "columns of images", "columns of images in mode im2col::w",
			"columns of images in mode im2col::w::128",
		}
		faults.Raise(x, in, i, "out-of-bounds", addr,
			"the instruction copies %s, the tensor map at address 0x%x is for %s",
			what[c.im2col], addr, what[t.Im2col])
		return nil
	}
	if t.Dimensions() != c.rank {
		faults.Raise(x, in, i, "out-of-bounds", addr, "%s in a tensor of %s, as the tensor map at address 0x%x says",
			diag.Plural(len(c.coords), "coordinate"), diag.Plural(t.Dimensions(), "dimension"), addr)
		return nil
	}
	if c.rows && t.Box[1] != 1 {
		faults.Raise(x, in, i, "out-of-bounds", addr,
			"rows of boxes with %d of them, as the tensor map at address 0x%x says, expected 1", t.Box[1], addr)
		return nil
	}
	return t
}

// overrideSpan is the number of bytes from an overriding address that must be allocated (PTX ISA 9.4, "Tensor Base
// Address Override").
const overrideSpan = 128 << 10

// tensorOverride holds the properties of a tensor that an instruction states in place of those in the map (PTX ISA 9.4,
// "Overriding tensor property value"). Without an address there are none.
type tensorOverride struct {
	addr  state.Slot   // of the tensor
	dims  []state.Slot // elements, in the low 8 bits
	lower []state.Slot // strides in 16 bytes: the low 32 bits
	upper state.Slot   // and the next 4, packed
}

// decodeTensorOverride resolves what stands between the address of a map and the coordinates.
func decodeTensorOverride(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand) (o tensorOverride, err error) {
	if !in.Has("override::global_address") {
		return o, nil
	}
	addr, err := decode.Values(d, in, op.Elems[:1], isa.U64)
	if err != nil {
		return o, err
	}
	o.addr = addr[0]
	for k, part := range op.Elems[1 : len(op.Elems)-1] {
		switch k {
		case 0:
			o.dims, err = bytesOf(d, in, decode.ElemsOf(d, &part))
		case 1:
			o.lower, err = decode.Values(d, in, decode.ElemsOf(d, &part), isa.B32)
		case 2:
			var upper []state.Slot
			if upper, err = decode.Values(d, in, []rewrite.Operand{part}, isa.B16); err == nil {
				o.upper = upper[0]
			}
		}
		if err != nil {
			return o, err
		}
	}
	if rank := int(in.Mod("dim")[0] - '0'); len(op.Elems) > 2 && (len(o.dims) != rank || len(o.lower) != rank-1) {
		return o, decode.Errorf(d, in, "%s: %d sizes and %d strides for %d dimensions", in.Text(), len(o.dims),
			len(o.lower),
			rank)
	}
	return o, nil
}

// bytesOf resolves operands of 8 or 16 bits.
func bytesOf(d *state.Decoder, in *rewrite.Inst, ops []rewrite.Operand) ([]state.Slot, error) {
	out := make([]state.Slot, len(ops))
	for i := range ops {
		v, err := decode.Value(d, in, &ops[i], isa.B16)
		if err != nil {
			return nil, err
		}
		out[i] = v.Slot
	}
	return out, nil
}

// apply changes lane i's map t, which is a copy. It returns false after a fault.
func (o *tensorOverride) apply(x *state.Engine, in *state.Inst, t *tensor.Image, coords []state.Slot, i int) bool {
	if o.addr == 0 {
		return true
	}
	t.Addr = x.Frame.R64(o.addr)[i]
	if _, bad := x.M.Dev.Mem.Check(t.Addr, overrideSpan); bad != nil {
		faults.Raise(x, in, i, bad.Class, t.Addr,
			"an overriding tensor address 0x%x, from which %d bytes must be allocated: the range %s", t.Addr,
			overrideSpan, bad.Msg)
		return false
	}
	if t.Addr%tensor.Unit != 0 {
		faults.Raise(x, in, i, "misaligned", t.Addr, "an overriding tensor address 0x%x, expected a multiple of %d",
			t.Addr,
			tensor.Unit)
		return false
	}
	for k, dim := range o.dims {
		if at := int32(x.Frame.R32(coords[k])[i]); at != 0 {
			faults.Raise(x, in, i, "out-of-bounds", t.Addr,
				"coordinate %d of a tensor whose size is overridden, expected 0",
				at)
			return false
		}
		t.Dims[k] = x.Frame.R32(dim)[i] & 0xff
	}
	for k, lower := range o.lower {
		t.Strides[k] = (uint64(x.Frame.R32(lower)[i]) + uint64(x.Frame.R32(o.upper)[i]>>(4*k)&0xf)<<32) << 4
	}
	return true
}
