package emu

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Arithmetic of matrix instructions. Floating-point products of formats narrower
// than f64 are summed in double precision and rounded once: at least as exact as
// the manual asks ("at least single precision", in unspecified order). f64 is
// computed by fused multiply-adds, k ascending.

// matrix is a matrix of bit patterns, row by row.
type matrix struct {
	cols int
	v    []uint64
}

func newMatrix(rows, cols int) matrix { return matrix{cols, make([]uint64, rows*cols)} }

func (m matrix) at(row, col int) *uint64 { return &m.v[row*m.cols+col] }

// gather reads a matrix from the registers of a warp.
func (g *fragment) gather(f *frame, regs []operand, t isa.Type) matrix {
	m, width, mask := newMatrix(g.rows, g.cols), t.Bits(), ^uint64(0)
	if width < 64 {
		mask = 1<<width - 1
	}
	g.elements(func(lane, r, j, row, col int) {
		*m.at(row, col) = f.word(regs[r].slot, regs[r].wide(), lane) >> (j * width) & mask
	})
	return m
}

// scatter writes a matrix to the registers of the lanes in part.
func (g *fragment) scatter(f *frame, regs []operand, t isa.Type, m matrix, part lanes) {
	for ; part != 0; part &= part - 1 {
		lane := part.first()
		for r := range g.regs {
			var word uint64
			for j := range g.per {
				row, col := g.at(lane, r, j)
				word |= *m.at(row, col) << (j * t.Bits())
			}
			f.setLane(regs[r].slot, slotBits(regs[r].typ), lane, [2]uint64{word})
		}
	}
}

// product is the arithmetic of a matrix multiply-add.
type product struct {
	a, b, c, d isa.Type
	saturate   bool         // .satfinite
	round      num.Rounding // of f64
	and        bool         // of b1: .and in place of .xor
}

// accumulate is one element of the result: c plus the products of a row of a and
// a column of b, n long.
func (p *product) accumulate(c uint64, n int, pair func(i int) (a, b uint64)) uint64 {
	switch {
	case p.a == isa.F64:
		for i := range n {
			a, b := pair(i)
			c = num.FmaF64(a, b, c, p.round)
		}
		return c
	case p.a.Float():
		return p.floats(c, n, pair)
	}
	return p.integers(c, n, pair)
}

func (p *product) floats(c uint64, n int, pair func(i int) (a, b uint64)) uint64 {
	fa, fb, fd := scalar.Format(p.a), scalar.Format(p.b), scalar.Format(p.d)
	sum := scalar.Format(p.c).Float64(c)
	for i := range n {
		a, b := pair(i)
		sum += float64(fa.Float64(a) * fb.Float64(b))
	}
	v := fd.FromFloat64(sum, num.RN)
	if p.saturate && (v == fd.Inf(false) || v == fd.Inf(true)) {
		v = fd.MaxFinite(sum < 0)
	}
	return v
}

func (p *product) integers(c uint64, n int, pair func(i int) (a, b uint64)) uint64 {
	sum := int64(int32(c))
	for i := range n {
		a, b := pair(i)
		switch {
		case p.a != isa.B1:
			sum += scalar.Integer(a, p.a) * scalar.Integer(b, p.b)
		case p.and:
			sum += int64(bits.OnesCount64(a & b))
		default:
			sum += int64(bits.OnesCount64(a ^ b))
		}
	}
	if p.saturate {
		return uint64(uint32(num.SatS32(sum)))
	}
	return uint64(uint32(sum))
}

// multiply is a*b+c for matrices of m by k and k by n. Several products may stand
// below each other: a has blocks*m rows, b blocks*k, c blocks*m.
func (p *product) multiply(a, b, c matrix, m, n, k, blocks int) matrix {
	d := newMatrix(blocks*m, n)
	for row := range blocks * m {
		base := row / m * k
		for col := range n {
			*d.at(row, col) = p.accumulate(*c.at(row, col), k, func(i int) (uint64, uint64) {
				return *a.at(row, i), *b.at(base+i, col)
			})
		}
	}
	return d
}
