// Package matrix holds the arithmetic of matrix instructions, the layout of matrices in lanes and registers, and the
// metadata of sparse matrices. It does not depend on registers themselves, nor on instructions.
package matrix

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Arithmetic of matrix instructions. Floating-point products of formats narrower than f64 are summed in double
// precision and rounded once, which is at least as exact as the manual requires ("at least single precision", in
// unspecified order). f64 is computed by fused multiply-adds, k ascending.

// Matrix is a matrix of bit patterns, row by row.
type Matrix struct {
	Cols int
	V    []uint64
}

// New returns a matrix of zero bits.
func New(rows, cols int) Matrix { return Matrix{cols, make([]uint64, rows*cols)} }

// At returns the element in a row and a column.
func (m Matrix) At(row, col int) *uint64 { return &m.V[row*m.Cols+col] }

// Product is the arithmetic of a matrix multiply-add.
type Product struct {
	A, B, C, D isa.Type
	Saturate   bool         // .satfinite
	Round      num.Rounding // of f64
	And        bool         // of b1: .and in place of .xor
	Wide       bool         // elements of a and b are the bits of f64, regardless of A and B
}

// accumulate returns one element of the result: c plus the products of a row of a and a column of b, of length n.
func (p *Product) accumulate(c uint64, n int, pair func(i int) (a, b uint64)) uint64 {
	switch {
	case p.A == isa.F64:
		for i := range n {
			a, b := pair(i)
			c = num.FmaF64(a, b, c, p.Round)
		}
		return c
	case p.A.Float():
		return p.floats(c, n, pair)
	}
	return p.integers(c, n, pair)
}

func (p *Product) floats(c uint64, n int, pair func(i int) (a, b uint64)) uint64 {
	fa, fb, sum := p.number(p.A), p.number(p.B), Number(p.C)(c)
	for i := range n {
		a, b := pair(i)
		sum += float64(fa(a) * fb(b))
	}
	return Rounded(p.D, p.Saturate, sum)
}

func (p *Product) integers(c uint64, n int, pair func(i int) (a, b uint64)) uint64 {
	sum := int64(int32(c))
	for i := range n {
		a, b := pair(i)
		switch {
		case p.A != isa.B1:
			sum += scalar.Integer(a, p.A) * scalar.Integer(b, p.B)
		case p.And:
			sum += int64(bits.OnesCount64(a & b))
		default:
			sum += int64(bits.OnesCount64(a ^ b))
		}
	}
	if p.Saturate {
		return uint64(uint32(num.SatS32(sum)))
	}
	return uint64(uint32(sum))
}

// Multiply returns a*b+c for matrices of m by k and k by n. Several products may be stacked: a has blocks*m rows, b
// blocks*k, c blocks*m.
func (p *Product) Multiply(a, b, c Matrix, m, n, k, blocks int) Matrix {
	if p.sumsDoubles() {
		return p.multiplyFloats(a, p.numbers(b), c, m, n, k, blocks)
	}
	d := New(blocks*m, n)
	for row := range blocks * m {
		base := row / m * k
		for col := range n {
			*d.At(row, col) = p.accumulate(*c.At(row, col), k, func(i int) (uint64, uint64) {
				return *a.At(row, i), *b.At(base+i, col)
			})
		}
	}
	return d
}

// Transposed returns m with rows and columns exchanged.
func (m Matrix) Transposed() Matrix {
	t := New(m.Cols, len(m.V)/m.Cols)
	for row := range len(m.V) / m.Cols {
		for col := range m.Cols {
			*t.At(col, row) = *m.At(row, col)
		}
	}
	return t
}

// MultiplySparse returns a*b+c, where element i of a row of a is in column cols[row][i].
func (p *Product) MultiplySparse(a, b, c Matrix, cols [][]int) Matrix {
	out := New(len(cols), c.Cols)
	for row := range cols {
		for col := range c.Cols {
			*out.At(row, col) = p.accumulate(*c.At(row, col), a.Cols, func(i int) (uint64, uint64) {
				return *a.At(row, i), *b.At(cols[row][i], col)
			})
		}
	}
	return out
}
