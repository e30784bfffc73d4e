// Products of formats narrower than f64, in double precision.

package matrix

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// multiplyFloats is Multiply with sums in double precision, where b holds numbers.
func (p *Product) multiplyFloats(a Matrix, b []float64, c Matrix, m, n, k, blocks int) Matrix {
	d, rows, sums := New(blocks*m, n), make([]float64, blocks*m*k), make([]float64, blocks*m*n)
	fa, fc := p.number(p.A), Number(p.C)
	for r := range blocks * m {
		for i, v := range a.V[r*a.Cols : r*a.Cols+k] {
			rows[r*k+i] = fa(v)
		}
	}
	for i, v := range c.V {
		sums[i] = fc(v)
	}
	for i := range blocks {
		vector.AddProducts(vector.Numbers{V: sums[i*m*n:], Stride: n}, vector.Numbers{V: rows[i*m*k:], Stride: k},
			vector.Numbers{V: b[i*k*n:], Stride: n}, m, n, k)
	}
	for i, sum := range sums {
		d.V[i] = Rounded(p.D, p.Saturate, sum)
	}
	return d
}

// numbers returns the elements of B as numbers.
func (p *Product) numbers(b Matrix) []float64 {
	list, f := make([]float64, len(b.V)), p.number(p.B)
	for i, v := range b.V {
		list[i] = f(v)
	}
	return list
}

// sumsDoubles reports whether sums are in double precision and rounded once. Sums of integers are exact.
func (p *Product) sumsDoubles() bool { return p.A != isa.F64 && p.A != isa.B1 }

// number returns the function that converts elements of A or B to numbers.
func (p *Product) number(t isa.Type) func(v uint64) float64 {
	if p.Wide {
		return math.Float64frombits
	}
	return Number(t)
}
