// The limits of tensor maps, and sizes derived from a map.

package tensor

import (
	"errors"
	"fmt"
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Checks of tensor maps, and properties of valid ones.

// Limits of tensor maps (CUDA Driver API, cuTensorMapEncodeTiled,
// cuTensorMapEncodeIm2col).
const (
	unit            = 16 // addresses, strides and rows are multiples of it, in bytes
	maxStride       = 1<<40 - 1
	maxBox          = 256
	maxStep         = 8
	maxColumnPixels = 1024
)

// Check returns an error if the map is not usable.
func (p *Image) Check() error {
	switch {
	case p.Rank >= MaxRank:
		return fmt.Errorf("more than %d dimensions", MaxRank)
	case int(p.Elem) >= len(elems):
		return fmt.Errorf("elements of type %d, expected 0 to %d", p.Elem, len(elems)-1)
	case p.Interleave != 0:
		return fmt.Errorf("interleave layout %d is not emulated: where its slices lie is not in the manual",
			p.Interleave)
	case p.Swizzle > mode96:
		return fmt.Errorf("swizzle mode %d, expected 0 to %d", p.Swizzle, mode96)
	case p.Swizzle == mode96 && (p.apart() || p.Im2col == 1+uint8(Wide128)):
		return errors.New("the 96-byte swizzle with elements that have gaps in shared memory, or in mode im2col::w::128")
	case p.Atomicity >= atoms || p.Atomicity != 0 && p.Swizzle != uint8(Swizzle128):
		return fmt.Errorf("swizzle atomicity %d with swizzle mode %d, expected 0, or 1 to 3 with mode 3", p.Atomicity,
			p.Swizzle)
	case p.Fill > 1:
		return fmt.Errorf("fill mode %d, expected 0 or 1", p.Fill)
	case p.Fill == 1 && !p.ElemType().Float():
		return fmt.Errorf("elements of type %s outside the tensor cannot be NaNs", p.ElemName())
	case p.Addr%unit != 0:
		return fmt.Errorf("address 0x%x, expected a multiple of %d", p.Addr, unit)
	}
	if err := p.checkColumn(); err != nil {
		return err
	}
	for d := range p.Dimensions() {
		if err := p.checkDim(d); err != nil {
			return fmt.Errorf("dimension %d: %w", d, err)
		}
	}
	if err := p.checkPacked(); err != nil {
		return err
	}
	row, span := p.rowBytes(), uint64(16)<<p.Swizzle
	if p.Swizzle == mode96 {
		span = 96
	}
	switch {
	case row%unit != 0:
		return fmt.Errorf("a box with rows of %d bytes, expected a multiple of %d", row, unit)
	case p.Swizzle != 0 && row != span:
		return fmt.Errorf("a box with rows of %d bytes, expected %d with that swizzle", row, span)
	}
	return nil
}

func (p *Image) checkDim(d int) error {
	switch {
	case p.Dims[d] == 0:
		return errors.New("no elements")
	case p.Im2col == 0 && (p.Box[d] < 1 || p.Box[d] > maxBox):
		return fmt.Errorf("a box of %d elements, expected 1 to %d", p.Box[d], maxBox)
	case p.Steps[d] < 1 || p.Steps[d] > maxStep:
		return fmt.Errorf("element stride %d, expected 1 to %d", p.Steps[d], maxStep)
	case d == 0:
		return nil
	case p.Strides[d-1]%unit != 0 || p.Strides[d-1] > maxStride:
		return fmt.Errorf("stride of %d bytes, expected a multiple of %d below 2^40", p.Strides[d-1], unit)
	}
	return nil
}

// Dimensions returns the number of dimensions.
func (p *Image) Dimensions() int { return int(p.Rank) + 1 }

// ElemType returns the type of an element; for packed elements, the type in which their bytes are copied.
func (p *Image) ElemType() isa.Type {
	if p.Packing() != PackedNot {
		return byteType
	}
	return elems[p.Elem].typ
}

// rowBytes returns the size of a row of the box, or of the channels of a pixel, in shared memory.
func (p *Image) rowBytes() uint64 {
	g := p.grain()
	return uint64(p.Box[0]) / uint64(g.elements) * uint64(g.tile)
}

// rows returns the number of elements of a tile in a dimension other than the first.
func (p *Image) rows(d int) uint64 {
	return (uint64(p.Box[d]) + uint64(p.Steps[d]) - 1) / uint64(p.Steps[d])
}

// TileBytes returns the size of a tile in shared memory.
func (p *Image) TileBytes() uint64 {
	n := p.rowBytes()
	if p.Im2col != 0 {
		return p.ColumnBytes(0)
	}
	for d := 1; d < p.Dimensions(); d++ {
		n *= p.rows(d)
	}
	return n
}

// Rounding returns the conversion of an element by a load, nil for none: tf32 is rounded to its precision, and with ftz
// subnormal numbers become zeros. It has the signature of a transfer's combine function.
func (p *Image) Rounding() func(_, v [2]uint64) [2]uint64 {
	e := elems[p.Elem]
	if e.typ != isa.TF32 && !e.ftz {
		return nil
	}
	to := num.F32
	if e.typ == isa.TF32 {
		to = num.TF32
	}
	c := num.FloatCvt{Mode: num.Mode{Round: num.RN, Ftz: e.ftz}}
	return func(_, v [2]uint64) [2]uint64 { return [2]uint64{c.Convert(num.F32, to, v[0]&math.MaxUint32)} }
}
