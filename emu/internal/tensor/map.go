// Package tensor holds tensor maps: objects of 128 bytes in memory that describe a tensor and the part of it that one
// instruction copies (PTX ISA, "Tensors", "Tensor-map"; CUDA Driver API, cuTensorMapEncodeTiled,
// cuTensorMapEncodeIm2col). NVIDIA's encoding is not public; this encoding is the emulator's own.
//
// The package maps the bytes of a tile to the bytes of a tensor. It does not depend on threads, and does not copy.
package tensor

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// MapSize is the size of a tensor map, bytes.
const MapSize = 128

// Swizzle is the permutation of the 16-byte units of a tile in shared memory.
type Swizzle uint8

// Swizzles, by the number of bytes within which units are permuted, which is also the size of a row of a swizzled box.
const (
	SwizzleNone Swizzle = iota
	Swizzle32
	Swizzle64
	Swizzle128
	// Swizzles that move more than 16 bytes at a time (CUDA Driver API, CUtensorMapSwizzle).
	Swizzle128Atom32
	Swizzle128Atom32Flip8 // also exchanges the halves of 16 bytes in every second line
	Swizzle128Atom64
	Swizzle96 // rows of 96 bytes, permuted as by Swizzle32
)

// mode96 is the mode of Swizzle96 in an Image (PTX ISA, tensormap.replace).
const mode96 = 4

// atomicity returns the base swizzle, and the code of the number of bytes that the swizzle keeps together (PTX ISA,
// tensormap.replace).
func (s Swizzle) atomicity() (mode Swizzle, atom uint8) {
	switch {
	case s == Swizzle96:
		return mode96, 0
	case s > Swizzle128:
		return Swizzle128, uint8(s - Swizzle128)
	}
	return s, 0
}

// MaxRank is the maximum number of dimensions.
const MaxRank = 5

// Map describes a tensor in device memory, and the box of it that one instruction copies. Dimensions are listed from
// the innermost on.
type Map struct {
	// Type is the type of an element: u8, u16, u32, s32, u64, s64, f16, bf16, f32, f64 or tf32; none if there is a
	// Packing.
	Type isa.Type
	// Packing is set for 4- and 6-bit elements.
	Packing Packing
	// Ftz flushes subnormal numbers to zero when elements of type f32 or tf32 are loaded.
	Ftz  bool
	Addr uint64   // generic address of the first element, a multiple of 16
	Dims []uint32 // elements; 1 to 5 dimensions
	// Strides are the distances in bytes between elements in all dimensions but the first, multiples of 16; nil for a
	// tensor without gaps.
	Strides []uint64
	// Box is the extent of a box in elements, 1 to 256 in every dimension. The size of a row is a multiple of 16 bytes.
	// It is nil if there is a Column.
	Box []uint32
	// Column, unless nil, makes instructions of the im2col modes copy columns instead of boxes.
	Column *Column
	// Steps are the element strides, 1 to 8: with 3, a tile has every third element of the box in that dimension. The
	// stride of the first dimension has no effect. Nil means 1.
	Steps   []uint32
	Swizzle Swizzle
	// FillNaN fills elements outside of the tensor with NaNs that have all bits set, instead of zeros.
	FillNaN bool
}

// Column describes the part that an instruction copies in the im2col modes from a tensor of images, of 3 to 5
// dimensions: channels, one to three spatial dimensions, and the number of the image (PTX ISA, "Im2col mode").
type Column struct {
	// Lower and Upper are the corners of the box that the pixels are taken from, in the spatial dimensions, or with
	// Wide only in the first of them: offsets from the first and from the last pixel of the image.
	Lower, Upper []int32
	Channels     uint32 // of a pixel, 1 to 256
	Pixels       uint32 // of a column, 1 to 1024; with Wide128 always 128
	Wide         Wide
}

// Wide is a mode of im2col columns that extend along the first spatial dimension only.
type Wide uint8

// Wide modes (PTX ISA, "im2col::w and im2col::w::128 modes").
const (
	WideNot Wide = iota // im2col
	WideW
	Wide128
)

// Encode checks a map and returns its bytes.
func (t *Map) Encode() ([]byte, error) {
	image, err := t.image()
	if err == nil {
		err = image.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("tensor map: %w", err)
	}
	return image.Bytes(), nil
}

// Image is the form of a tensor map in memory, little-endian.
type Image struct {
	Magic   uint64
	Addr    uint64
	Strides [MaxRank - 1]uint64
	Dims    [MaxRank]uint32
	Box     [MaxRank]uint32 // channels and pixels of a column
	Steps   [MaxRank]uint32
	Lower   [MaxRank - 2]int16 // of a column
	Upper   [MaxRank - 2]int16

	Rank       uint8 // number of dimensions minus one
	Elem       uint8 // index in elems
	Interleave uint8
	Swizzle    uint8
	Fill       uint8
	Im2col     uint8 // 1 plus the Wide of a column, 0 without a column
	Atomicity  uint8 // of the 128-byte swizzle
	_          uint8
}

// AddressOffset is the offset of Image.Addr.
const AddressOffset = 8

// magic is the first word of every tensor map.
const magic = 0x70616d726f736e74

// elem is an element type.
type elem struct {
	typ     isa.Type
	ftz     bool
	packing Packing
}

// elems are the element types by their codes (PTX ISA, tensormap.replace).
var elems = [16]elem{
	0x0: {typ: isa.U8}, 0x1: {typ: isa.U16}, 0x2: {typ: isa.U32}, 0x3: {typ: isa.S32}, 0x4: {typ: isa.U64},
	0x5: {typ: isa.S64},
	0x6: {typ: isa.F16}, 0x7: {typ: isa.F32}, 0x8: {typ: isa.F32, ftz: true}, 0x9: {typ: isa.F64}, 0xa: {typ: isa.BF16},
	0xb: {typ: isa.TF32}, 0xc: {typ: isa.TF32, ftz: true}, 0xd: {packing: Packed4}, 0xe: {packing: Packed4Apart},
	0xf: {packing: Packed6Apart},
}

// image encodes the map.
func (t *Map) image() (*Image, error) {
	rank := len(t.Dims)
	switch {
	case rank < 1 || rank > MaxRank:
		return nil, fmt.Errorf("%s, expected 1 to %d", diag.Plural(rank, "dimension"), MaxRank)
	case t.Column != nil && t.Box != nil:
		return nil, errors.New("both a box and a column")
	case t.Column == nil && len(t.Box) != rank:
		return nil, fmt.Errorf("a box of %s, the tensor has %d", diag.Plural(len(t.Box), "dimension"), rank)
	case t.Strides != nil && len(t.Strides) != rank-1:
		return nil, fmt.Errorf("%s, expected %d", diag.Plural(len(t.Strides), "stride"), rank-1)
	case t.Steps != nil && len(t.Steps) != rank:
		return nil, fmt.Errorf("%s, expected %d", diag.Plural(len(t.Steps), "element stride"), rank)
	}
	code, err := t.codeOf()
	if err != nil {
		return nil, err
	}
	swizzle, atom := t.Swizzle.atomicity()
	p := &Image{Magic: magic, Addr: t.Addr, Rank: uint8(rank - 1), Swizzle: uint8(swizzle), Atomicity: atom, Elem: code}
	if t.FillNaN {
		p.Fill = 1
	}
	copy(p.Dims[:], t.Dims)
	copy(p.Box[:], t.Box)
	p.Steps = [MaxRank]uint32{1, 1, 1, 1, 1}
	copy(p.Steps[:], t.Steps)
	if err := p.setColumn(t.Column); err != nil {
		return nil, err
	}
	return p, p.setStrides(t)
}

// setStrides fills in the strides, by default those of a tensor without gaps.
func (p *Image) setStrides(t *Map) error {
	if t.Strides != nil {
		copy(p.Strides[:], t.Strides)
		return nil
	}
	stride := t.rowSize()
	for d := range p.Dimensions() - 1 {
		rows := uint64(1)
		if d > 0 {
			rows = uint64(t.Dims[d])
		}
		if stride > maxStride/max(rows, 1) {
			return fmt.Errorf("a tensor of extent %v has too many elements", t.Dims)
		}
		stride *= rows
		p.Strides[d] = stride
	}
	return nil
}

// AllStrides returns the strides, also for a tensor without gaps.
func (t *Map) AllStrides() ([]uint64, error) {
	p, err := t.image()
	if err != nil {
		return nil, err
	}
	return p.Strides[:p.Rank], nil
}

// Bytes returns the image as bytes.
func (p *Image) Bytes() []byte {
	b, err := binary.Append(nil, binary.LittleEndian, p)
	if err != nil || len(b) != MapSize {
		panic(fmt.Sprintf("BUG: emu: tensor map of %d bytes: %v", len(b), err))
	}
	return b
}

// decodeImage reads the bytes of a tensor map.
func decodeImage(b []byte) *Image {
	p := &Image{}
	if _, err := binary.Decode(b, binary.LittleEndian, p); err != nil {
		panic("BUG: emu: tensor map: " + err.Error())
	}
	return p
}

var errNoMap = errors.New("there is no tensor map here: it has not been made, or has been overwritten")

// MapAt reads a complete tensor map.
func MapAt(b []byte) (*Image, error) {
	p := decodeImage(b)
	if p.Magic != magic && !p.draft() {
		return nil, errNoMap
	}
	if field := p.missing(); field != "" {
		return nil, fmt.Errorf("the tensor map here lacks %s, which no tensormap.replace has set", field)
	}
	return p, nil
}
