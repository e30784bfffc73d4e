package emu

import (
	"bytes"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/tensor"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Tensor maps of the device, and operands that hold the address of one.

// TensorMapSize is the size of a tensor map, bytes.
const TensorMapSize = tensor.MapSize

// TensorMap describes a tensor in device memory, and the box of it that one instruction
// copies.
type TensorMap = tensor.Map

// TensorColumn is what an instruction copies in the im2col modes.
type TensorColumn = tensor.Column

// TensorSwizzle says how the 16-byte units of a tile are permuted in shared memory.
type TensorSwizzle = tensor.Swizzle

// Swizzles, by the bytes in which units change places.
const (
	SwizzleNone = tensor.SwizzleNone
	Swizzle32   = tensor.Swizzle32
	Swizzle64   = tensor.Swizzle64
	Swizzle128  = tensor.Swizzle128
)

// NewTensorMap writes a tensor map to device memory of its own and returns its generic
// address. A kernel may also have the bytes there as a parameter.
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

// tensorObject is the operand that holds the address of a tensor map.
type tensorObject struct {
	ac *access // to half of it: maps are aligned to 64 bytes
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

// addr is the address of lane i's map.
func (o *tensorObject) addr(x *exec, i int) uint64 { return x.frame.r64(o.at)[i] + o.ac.off }

// halves are the two halves of lane i's map in memory, nil after a fault.
func (o *tensorObject) halves(x *exec, in *inst, i int) (lo, hi []byte) {
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

// read is lane i's map, nil after a fault.
func (o *tensorObject) read(x *exec, in *inst, i int) *tensor.Image {
	return o.decode(x, in, i, tensor.MapAt)
}

// decode is lane i's map as a function reads it, nil after a fault.
func (o *tensorObject) decode(x *exec, in *inst, i int, at func(b []byte) (*tensor.Image, error)) *tensor.Image {
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

// tensorMapAccess resolves operand i as the address of a map in a space.
func (d *decoder) tensorMapAccess(in *rewrite.Inst, i int, kind isa.AccessKind, space isa.Space) (*tensorObject, error) {
	ac, out, err := d.decodeAccess(in, i, kind, TensorMapSize/2)
	if err != nil {
		return nil, err
	}
	ac.space, ac.cluster, ac.overrun = space, false, nil
	return &tensorObject{ac, out.a}, nil
}

// tell reports the access to whole maps to the listener.
func (o *tensorObject) tell(x *exec, in *inst, m lanes) {
	whole := *o.ac
	whole.size = TensorMapSize
	whole.tell(x, in, o.at, m)
}

// edit changes lane i's map.
func (o *tensorObject) edit(x *exec, in *inst, i int, f func(p *tensor.Image)) {
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
