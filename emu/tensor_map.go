package emu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Tensor maps: objects of 128 bytes in memory that describe a tensor and what one
// instruction copies from or to it (PTX ISA, "Tensors", "Tensor-map"; CUDA Driver API,
// cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col). Their encoding is not public; this
// one is the emulator's own.

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
	// Type is that of an element: u8, u16, u32, s32, u64, s64, f16, bf16, f32, f64 or
	// tf32.
	Type isa.Type
	// Ftz makes subnormal numbers zeros when elements of type f32 or tf32 are loaded.
	Ftz  bool
	Addr uint64   // generic address of the first element, a multiple of 16
	Dims []uint32 // elements; 1 to 5 dimensions
	// Strides are the bytes from element to element in all dimensions but the first,
	// multiples of 16; nil for a tensor without gaps.
	Strides []uint64
	// Box is the extent of a box in elements, 1 to 256 in every dimension. A row of it has
	// a multiple of 16 bytes. It is nil when there is a Column.
	Box []uint32
	// Column, when not nil, makes instructions of the im2col modes copy columns in place
	// of boxes.
	Column *TensorColumn
	// Steps are the element strides, 1 to 8: with 3, a tile has every third element of the
	// box in that dimension. That of the first dimension has no effect. Nil for 1.
	Steps   []uint32
	Swizzle TensorSwizzle
	// FillNaN makes elements outside the tensor NaNs with all bits set, and not zeros.
	FillNaN bool
}

// TensorColumn is what an instruction copies in the im2col modes from a tensor of images,
// of 3 to 5 dimensions: channels, one to three of space, and the number of the image (PTX
// ISA, "Im2col mode").
type TensorColumn struct {
	// Lower and Upper are the corners of the box that the pixels are taken from, in the
	// dimensions of space: offsets from the first and from the last pixel of the image.
	Lower, Upper []int32
	Channels     uint32 // of a pixel, 1 to 256
	Pixels       uint32 // of a column, 1 to 1024
}

// NewTensorMap writes a tensor map to device memory of its own and returns its generic
// address. A kernel may also have the bytes there as a parameter.
func (d *Device) NewTensorMap(t TensorMap) (uint64, error) {
	image, err := t.image()
	if err == nil {
		err = image.check()
	}
	if err != nil {
		return 0, fmt.Errorf("tensor map: %w", err)
	}
	addr, err := d.Alloc("tensor map", TensorMapSize)
	if err != nil {
		return 0, err
	}
	return addr, d.Write(addr, image.bytes())
}

// tensorImage is a tensor map as it lies in memory, little-endian.
type tensorImage struct {
	Magic   uint64
	Addr    uint64
	Strides [maxTensorRank - 1]uint64
	Dims    [maxTensorRank]uint32
	Box     [maxTensorRank]uint32 // channels and pixels of a column
	Steps   [maxTensorRank]uint32
	Lower   [maxTensorRank - 2]int16 // of a column
	Upper   [maxTensorRank - 2]int16

	Rank       uint8 // less one
	Elem       uint8 // index in tensorElems
	Interleave uint8
	Swizzle    uint8
	Fill       uint8
	Im2col     uint8 // 1 when there is a column
	_          [2]uint8
}

// tensorMagic begins every tensor map.
const tensorMagic = 0x70616d726f736e74

// tensorElem is a type of elements.
type tensorElem struct {
	t   isa.Type
	ftz bool
}

// tensorElems are the types of elements by their codes (PTX ISA, tensormap.replace);
// those of sm_100 that are unpacked on the way are not emulated.
var tensorElems = [16]tensorElem{
	0x0: {t: isa.U8}, 0x1: {t: isa.U16}, 0x2: {t: isa.U32}, 0x3: {t: isa.S32}, 0x4: {t: isa.U64}, 0x5: {t: isa.S64},
	0x6: {t: isa.F16}, 0x7: {t: isa.F32}, 0x8: {isa.F32, true}, 0x9: {t: isa.F64}, 0xa: {t: isa.BF16},
	0xb: {t: isa.TF32}, 0xc: {isa.TF32, true},
}

// image encodes the map.
func (t *TensorMap) image() (*tensorImage, error) {
	rank := len(t.Dims)
	switch {
	case rank < 1 || rank > maxTensorRank:
		return nil, fmt.Errorf("%s, expected 1 to %d", diag.Plural(rank, "dimension"), maxTensorRank)
	case t.Column != nil && t.Box != nil:
		return nil, errors.New("both a box and a column")
	case t.Column == nil && len(t.Box) != rank:
		return nil, fmt.Errorf("a box of %s, the tensor has %d", diag.Plural(len(t.Box), "dimension"), rank)
	case t.Strides != nil && len(t.Strides) != rank-1:
		return nil, fmt.Errorf("%s, expected %d", diag.Plural(len(t.Strides), "stride"), rank-1)
	case t.Steps != nil && len(t.Steps) != rank:
		return nil, fmt.Errorf("%s, expected %d", diag.Plural(len(t.Steps), "element stride"), rank)
	}
	code := slices.Index(tensorElems[:], tensorElem{t.Type, t.Ftz})
	if code < 0 || t.Type == isa.TypeNone {
		return nil, fmt.Errorf("elements of type .%s, expected u8, u16, u32, s32, u64, s64, f16, bf16, f32, f64 or tf32; f32 and tf32 with or without ftz", t.Type)
	}
	p := &tensorImage{Magic: tensorMagic, Addr: t.Addr, Rank: uint8(rank - 1), Swizzle: uint8(t.Swizzle), Elem: uint8(code)}
	if t.FillNaN {
		p.Fill = 1
	}
	copy(p.Dims[:], t.Dims)
	copy(p.Box[:], t.Box)
	p.Steps = [maxTensorRank]uint32{1, 1, 1, 1, 1}
	copy(p.Steps[:], t.Steps)
	if err := p.setColumn(t.Column); err != nil {
		return nil, err
	}
	return p, p.setStrides(t)
}

// setStrides fills in the strides, by default those of a tensor without gaps.
func (p *tensorImage) setStrides(t *TensorMap) error {
	if t.Strides != nil {
		copy(p.Strides[:], t.Strides)
		return nil
	}
	for d, stride := 0, uint64(t.Type.Size()); d < p.rank()-1; d++ {
		if stride > maxTensorStride/max(uint64(t.Dims[d]), 1) {
			return fmt.Errorf("a tensor of extent %v has too many elements", t.Dims)
		}
		stride *= uint64(t.Dims[d])
		p.Strides[d] = stride
	}
	return nil
}

// bytes is the image in memory.
func (p *tensorImage) bytes() []byte {
	b, err := binary.Append(nil, binary.LittleEndian, p)
	if err != nil || len(b) != TensorMapSize {
		panic(fmt.Sprintf("BUG: emu: tensor map of %d bytes: %v", len(b), err))
	}
	return b
}

// decodeTensorImage reads the bytes of a tensor map.
func decodeTensorImage(b []byte) *tensorImage {
	p := &tensorImage{}
	if _, err := binary.Decode(b, binary.LittleEndian, p); err != nil {
		panic("BUG: emu: tensor map: " + err.Error())
	}
	return p
}

var errNoTensorMap = errors.New("there is no tensor map here: it has not been made, or has been overwritten")

// tensorMapAt reads a tensor map that is complete.
func tensorMapAt(b []byte) (*tensorImage, error) {
	p := decodeTensorImage(b)
	if p.Magic != tensorMagic && !p.draft() {
		return nil, errNoTensorMap
	}
	if field := p.missing(); field != "" {
		return nil, fmt.Errorf("the tensor map here lacks %s, which no tensormap.replace has set", field)
	}
	return p, nil
}
