// Four- and six-bit elements: their packing in a tensor and in a tile.

package tensor

import (
	"errors"
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Packing is the layout of elements of fewer than eight bits in shared memory; in a tensor they have no gaps (PTX ISA,
// "Sub-byte Types").
type Packing uint8

// Packings.
const (
	PackedNot    Packing = iota
	Packed4              // .b4x16: without gaps
	Packed4Apart         // .b4x16_p64: 16 elements in eight bytes, and eight bytes of padding
	Packed6Apart         // .b6x16_p32: 16 elements in twelve bytes, and four bytes of padding; stores take .b6p2x16, an element in the low bits of each byte
)

// grain is a group of elements that is copied as a whole, with its sizes in bytes in tensor and tile.
type grain struct{ elements, tensor, tile int64 }

// packings are the names of the packings and their grains.
var packings = [...]struct {
	name string
	grain
}{
	Packed4:      {".b4x16", grain{2, 1, 1}},
	Packed4Apart: {".b4x16_p64", grain{16, 8, 16}},
	Packed6Apart: {".b6x16_p32", grain{16, 12, 16}},
}

// grain returns the grain of the map's elements.
func (p *Image) grain() grain {
	e := elems[p.Elem]
	if e.packing != PackedNot {
		return packings[e.packing].grain
	}
	size := int64(e.typ.Size())
	return grain{1, size, size}
}

// Packing returns the packing of the elements.
func (p *Image) Packing() Packing { return elems[p.Elem].packing }

// apart reports whether the elements have gaps in shared memory.
func (p *Image) apart() bool { return p.Packing() > Packed4 }

// ElemName returns the name of the element type.
func (p *Image) ElemName() string {
	if e := elems[p.Elem]; e.packing == PackedNot {
		return "." + e.typ.String()
	}
	return packings[p.Packing()].name
}

// Restrictions of the first dimension of tensors and boxes for elements with gaps in shared memory (PTX ISA,
// "Restriction on Tensor Copy instructions").
const (
	apartElements = 128
	apartUnit     = 32 // addresses and strides are multiples of it, in bytes
)

// FirstUnit returns the unit of the first coordinate of a copy.
func (p *Image) FirstUnit() int32 {
	if p.apart() {
		return apartElements
	}
	return int32(p.grain().elements)
}

// checkPacked returns an error if a map with packed elements is not usable.
func (p *Image) checkPacked() error {
	if p.Packing() == PackedNot {
		return nil
	}
	name := p.ElemName()
	if g := p.grain().elements; int64(p.Dims[0])%g != 0 || int64(p.Box[0])%g != 0 {
		return fmt.Errorf("%d elements of type %s in a row of the tensor, %d of the box, expected multiples of %d",
			p.Dims[0], name, p.Box[0], g)
	}
	if !p.apart() {
		return nil
	}
	switch {
	case p.Box[0] != apartElements:
		return fmt.Errorf("a box with rows of %d elements of type %s, expected %d", p.Box[0], name, apartElements)
	case p.Dims[0]%apartElements != 0:
		return fmt.Errorf("rows of %d elements of type %s, expected a multiple of %d", p.Dims[0], name, apartElements)
	case p.Addr%apartUnit != 0:
		return fmt.Errorf("address 0x%x of elements of type %s, expected a multiple of %d", p.Addr, name, apartUnit)
	case p.Swizzle != 0 && (p.Swizzle != uint8(Swizzle128) || p.Atomicity == atom32Flip8):
		return fmt.Errorf("elements of type %s with swizzle mode %d and atomicity %d, expected none, or the 128-byte swizzle without flips", name, p.Swizzle, p.Atomicity)
	}
	for d := range p.Dimensions() - 1 {
		if p.Strides[d]%apartUnit != 0 {
			return fmt.Errorf("dimension %d: stride of %d bytes, expected a multiple of %d for elements of type %s",
				d+1, p.Strides[d], apartUnit, name)
		}
	}
	return nil
}

// Counted returns how many of the bytes of a tile complete on an mbarrier: the padding does not count. (The manual does
// not say so, but CUTLASS counts the bits of the elements.)
func (p *Image) Counted(tile uint64) uint64 {
	g := p.grain()
	return tile / uint64(g.tile) * uint64(g.tensor)
}

// checkStore returns an error if a copy from shared memory to the tensor is not possible.
func (p *Image) checkStore(reduces bool) error {
	switch {
	case p.Packing() == PackedNot:
		return nil
	case reduces:
		return fmt.Errorf("a reduction of elements of type %s", p.ElemName())
	case p.Packing() == Packed4Apart:
		return errors.New("a store of elements of type .b4x16_p64, which are loaded only")
	}
	return nil
}

// CheckCopy returns an error if a copy breaks a rule for packed elements: the box's coordinate in the innermost
// dimension, first, must be a multiple of a unit, and some types cannot be stored or reduced.
func (p *Image) CheckCopy(first int32, stores, reduces bool) error {
	if unit := p.FirstUnit(); first%unit != 0 {
		return fmt.Errorf("first coordinate %d, expected a multiple of %d for elements of type %s", first, unit,
			p.ElemName())
	}
	if stores {
		return p.checkStore(reduces)
	}
	return nil
}

// PackSixes packs the low six bits of each byte of a tile, 16 elements in twelve bytes.
func PackSixes(to, from []byte) {
	for i := 0; i+4 <= len(from); i += 4 {
		v := uint32(from[i]&63) | uint32(from[i+1]&63)<<6 | uint32(from[i+2]&63)<<12 | uint32(from[i+3]&63)<<18
		at := i / 4 * 3
		to[at], to[at+1], to[at+2] = byte(v), byte(v>>8), byte(v>>16)
	}
}

// typeNames are the element types without a packing, for messages.
const typeNames = "u8, u16, u32, s32, u64, s64, f16, bf16, f32, f64 or tf32; f32 and tf32 with or without ftz"

// codeOf returns the code of an element type.
func (t *Map) codeOf() (uint8, error) {
	for code, e := range elems {
		if e == (elem{t.Type, t.Ftz, t.Packing}) && e != (elem{}) {
			return uint8(code), nil
		}
	}
	if t.Packing != PackedNot {
		return 0, fmt.Errorf("a packing and elements of type .%s", t.Type)
	}
	return 0, fmt.Errorf("elements of type .%s, expected %s", t.Type, typeNames)
}

// rowSize returns the size in bytes of a row of the tensor without gaps.
func (t *Map) rowSize() uint64 {
	size := uint64(t.Type.Size())
	if t.Packing != PackedNot {
		g := packings[t.Packing].grain
		return uint64(t.Dims[0]) / uint64(g.elements) * uint64(g.tensor)
	}
	return size * uint64(t.Dims[0])
}

// byteType is the type in which packed elements are copied.
const byteType = isa.U8
