package emu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Tensor maps: objects of 128 bytes in memory that describe a tensor and the box that
// is copied from or to it (PTX ISA, "Tensors", "Tensor-map"; CUDA Driver API,
// cuTensorMapEncodeTiled). Their encoding is not public; this one is the emulator's
// own.

// TensorMapSize is the size of a tensor map, bytes.
const TensorMapSize = 128

// TensorSwizzle says how the 16-byte units of a tile are permuted in shared memory.
type TensorSwizzle uint8

// Swizzles, by the bytes in which units change places. A row of a swizzled box has as
// many.
const (
	SwizzleNone TensorSwizzle = iota
	Swizzle32
	Swizzle64
	Swizzle128
)

// maxTensorRank is the greatest number of dimensions.
const maxTensorRank = 5

// TensorMap describes a tensor in device memory, and the box of it that one
// instruction copies. Dimensions are in order from the innermost on.
type TensorMap struct {
	// Type is that of an element: u8, u16, u32, s32, u64, s64, f16, bf16, f32 or f64.
	Type isa.Type
	Addr uint64   // generic address of the first element, a multiple of 16
	Dims []uint32 // elements; 1 to 5 dimensions
	// Strides are the bytes from element to element in all dimensions but the first,
	// multiples of 16; nil for a tensor without gaps.
	Strides []uint64
	// Box is the extent of a box in elements, 1 to 256 in every dimension. A row of it has
	// a multiple of 16 bytes.
	Box []uint32
	// Steps are the element strides, 1 to 8: with 3, a tile has every third element of the
	// box in that dimension. That of the first dimension has no effect. Nil for 1.
	Steps   []uint32
	Swizzle TensorSwizzle
	// FillNaN makes elements outside the tensor NaNs with all bits set, and not zeros.
	FillNaN bool
}

// NewTensorMap writes a tensor map to device memory of its own and returns its generic
// address. A kernel may also have the bytes there as a parameter.
func (m *Machine) NewTensorMap(t TensorMap) (uint64, error) {
	image, err := t.image()
	if err == nil {
		err = image.check()
	}
	if err != nil {
		return 0, fmt.Errorf("tensor map: %w", err)
	}
	addr, err := m.Alloc("tensor map", TensorMapSize)
	if err != nil {
		return 0, err
	}
	return addr, m.Write(addr, image.bytes())
}

// tensorImage is a tensor map as it lies in memory, little-endian.
type tensorImage struct {
	Magic      uint64
	Addr       uint64
	Strides    [maxTensorRank - 1]uint64
	Dims       [maxTensorRank]uint32
	Box        [maxTensorRank]uint32
	Steps      [maxTensorRank]uint32
	Rank       uint32 // less one
	Elem       uint32 // index in tensorElems
	Interleave uint32
	Swizzle    uint32
	Fill       uint32
}

// tensorMagic begins every tensor map.
const tensorMagic = 0x70616d726f736e74

// tensorElems are the types of elements by their codes (PTX ISA, tensormap.replace);
// those that are rounded or unpacked on the way are not emulated.
var tensorElems = [16]isa.Type{
	0x0: isa.U8, 0x1: isa.U16, 0x2: isa.U32, 0x3: isa.S32, 0x4: isa.U64, 0x5: isa.S64,
	0x6: isa.F16, 0x7: isa.F32, 0x9: isa.F64, 0xa: isa.BF16,
}

// image encodes the map.
func (t *TensorMap) image() (*tensorImage, error) {
	rank := len(t.Dims)
	switch {
	case rank < 1 || rank > maxTensorRank:
		return nil, fmt.Errorf("%s, expected 1 to %d", plural(rank, "dimension"), maxTensorRank)
	case len(t.Box) != rank:
		return nil, fmt.Errorf("a box of %s, the tensor has %d", plural(len(t.Box), "dimension"), rank)
	case t.Strides != nil && len(t.Strides) != rank-1:
		return nil, fmt.Errorf("%s, expected %d", plural(len(t.Strides), "stride"), rank-1)
	case t.Steps != nil && len(t.Steps) != rank:
		return nil, fmt.Errorf("%s, expected %d", plural(len(t.Steps), "element stride"), rank)
	}
	p := &tensorImage{Magic: tensorMagic, Addr: t.Addr, Rank: uint32(rank - 1), Swizzle: uint32(t.Swizzle), Elem: math.MaxUint32}
	for code, elem := range tensorElems {
		if elem != isa.TypeNone && elem == t.Type {
			p.Elem = uint32(code)
		}
	}
	if p.Elem == math.MaxUint32 {
		return nil, fmt.Errorf("elements of type .%s, expected u8, u16, u32, s32, u64, s64, f16, bf16, f32 or f64", t.Type)
	}
	if t.FillNaN {
		p.Fill = 1
	}
	copy(p.Dims[:], t.Dims)
	copy(p.Box[:], t.Box)
	p.Steps = [maxTensorRank]uint32{1, 1, 1, 1, 1}
	copy(p.Steps[:], t.Steps)
	if t.Strides != nil {
		copy(p.Strides[:], t.Strides)
		return p, nil
	}
	for d, stride := 0, uint64(t.Type.Size()); d < rank-1; d++ {
		if stride > maxTensorStride/max(uint64(t.Dims[d]), 1) {
			return nil, fmt.Errorf("a tensor of extent %v has too many elements", t.Dims)
		}
		stride *= uint64(t.Dims[d])
		p.Strides[d] = stride
	}
	return p, nil
}

// bytes is the image in memory.
func (p *tensorImage) bytes() []byte {
	b, err := binary.Append(nil, binary.LittleEndian, p)
	if err != nil {
		panic("BUG: emu: tensor map: " + err.Error())
	}
	return append(b, make([]byte, TensorMapSize-len(b))...)
}

// tensorMapAt reads a tensor map.
func tensorMapAt(b []byte) (*tensorImage, error) {
	p := &tensorImage{}
	if _, err := binary.Decode(b, binary.LittleEndian, p); err != nil {
		panic("BUG: emu: tensor map: " + err.Error())
	}
	if p.Magic != tensorMagic {
		return nil, errors.New("there is no tensor map here: it has not been made, or has been overwritten")
	}
	return p, nil
}

// Limits of tensor maps (CUDA Driver API, cuTensorMapEncodeTiled).
const (
	maxTensorStride = 1<<40 - 1
	maxTensorBox    = 256
	maxTensorStep   = 8
)

// check says what makes the map unusable.
func (p *tensorImage) check() error {
	switch {
	case p.Rank >= maxTensorRank:
		return fmt.Errorf("%d dimensions, expected 1 to %d", uint64(p.Rank)+1, maxTensorRank)
	case p.Elem >= uint32(len(tensorElems)) || tensorElems[p.Elem] == isa.TypeNone:
		return fmt.Errorf("elements of type %d are not emulated", p.Elem)
	case p.Interleave != 0:
		return fmt.Errorf("interleave layout %d is not emulated", p.Interleave)
	case p.Swizzle > uint32(Swizzle128):
		return fmt.Errorf("swizzle mode %d is not emulated", p.Swizzle)
	case p.Fill > 1:
		return fmt.Errorf("fill mode %d, expected 0 or 1", p.Fill)
	case p.Fill == 1 && !p.elem().Float():
		return fmt.Errorf("elements of type .%s outside the tensor cannot be NaNs", p.elem())
	case p.Addr%bulkUnit != 0:
		return fmt.Errorf("address 0x%x, expected a multiple of %d", p.Addr, bulkUnit)
	}
	for d := range p.rank() {
		if err := p.checkDim(d); err != nil {
			return fmt.Errorf("dimension %d: %w", d, err)
		}
	}
	row, span := p.rowBytes(), uint64(16)<<p.Swizzle
	switch {
	case row%bulkUnit != 0:
		return fmt.Errorf("a box with rows of %d bytes, expected a multiple of %d", row, bulkUnit)
	case p.Swizzle != 0 && row != span:
		return fmt.Errorf("a box with rows of %d bytes, expected %d with that swizzle", row, span)
	}
	return nil
}

func (p *tensorImage) checkDim(d int) error {
	switch {
	case p.Dims[d] == 0:
		return errors.New("no elements")
	case p.Box[d] < 1 || p.Box[d] > maxTensorBox:
		return fmt.Errorf("a box of %d elements, expected 1 to %d", p.Box[d], maxTensorBox)
	case p.Steps[d] < 1 || p.Steps[d] > maxTensorStep:
		return fmt.Errorf("element stride %d, expected 1 to %d", p.Steps[d], maxTensorStep)
	case d == 0:
		return nil
	case p.Strides[d-1]%bulkUnit != 0 || p.Strides[d-1] > maxTensorStride:
		return fmt.Errorf("stride of %d bytes, expected a multiple of %d below 2^40", p.Strides[d-1], bulkUnit)
	}
	return nil
}

// rank is the number of dimensions.
func (p *tensorImage) rank() int { return int(p.Rank) + 1 }

// elem is the type of an element.
func (p *tensorImage) elem() isa.Type { return tensorElems[p.Elem] }

// rowBytes is the size of a row of the box.
func (p *tensorImage) rowBytes() uint64 { return uint64(p.Box[0]) * uint64(p.elem().Size()) }

// rows is how many elements a tile has in a dimension but the first.
func (p *tensorImage) rows(d int) uint64 {
	return (uint64(p.Box[d]) + uint64(p.Steps[d]) - 1) / uint64(p.Steps[d])
}

// tileBytes is the size of a tile in shared memory.
func (p *tensorImage) tileBytes() uint64 {
	n := p.rowBytes()
	for d := 1; d < p.rank(); d++ {
		n *= p.rows(d)
	}
	return n
}
