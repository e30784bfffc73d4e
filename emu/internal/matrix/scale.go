// Numbers of 4 and 6 bits in bytes, and scale factors of blocks of a matrix.

package matrix

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// In the kinds f8f6f4 and mxf8f6f4 every element of A and B occupies a byte: a 6-bit element the low bits, a 4-bit
// element the middle bits (PTX ISA, mma, ".kind").

// InByte is a type as wide as that byte, which determines the layout of fragments.
const InByte = isa.E4M3

// FromByte returns the bits of an element in its byte.
func FromByte(t isa.Type, b uint64) uint64 {
	switch t.Bits() {
	case 4:
		return b >> 2 & 0xf
	case 6:
		return b & 0x3f
	}
	return b
}

// Factor returns the value of a scale factor: ue8m0, or ue4m3, which has no sign.
func Factor(t isa.Type, v uint64) float64 {
	if t == isa.UE8M0 {
		return num.Scale(v)
	}
	return num.E4M3.Float64(v & 0x7f)
}

// Widen replaces every element of the matrix, of type t, by the bits of its value times its factor as f64: the product
// is exact.
func (m Matrix) Widen(t isa.Type, factor func(row, col int) float64) {
	f := scalar.Format(t)
	for i, v := range m.V {
		m.V[i] = math.Float64bits(f.Float64(v) * factor(i/m.Cols, i%m.Cols))
	}
}

// Scaling describes the scale factors of an operation: each of Vec blocks of a row of A, and of a column of B, has a
// factor, one of the bytes of a register from first on (PTX ISA, "Block Scaling for mma.sync").
type Scaling struct {
	Type isa.Type
	Vec  int // blocks of a row
	K    int // columns of A
}

// RowLane returns the lane that holds the factors of a row of A: one of the two in the row's quad that the thread
// selector can select.
func RowLane(row, thread int) int { return row%8*4 + 2*thread + row/8 }

// ColumnLane returns the lane that holds the factors of a column of B.
func ColumnLane(col, thread int) int { return col*4 + thread }

// Factor returns the factor of an element at index k of a row or column, from the register of its lane.
func (s *Scaling) Factor(data uint32, first, k int) float64 {
	return Factor(s.Type, uint64(data>>(8*(first+k*s.Vec/s.K))&0xff))
}

// Selects reports whether the selectors of bytes and threads are valid; threads is the number of threads to select
// from.
func (s *Scaling) Selects(first, thread uint32, threads int) bool {
	return first%uint32(s.Vec) == 0 && first < 4 && thread < uint32(threads)
}
