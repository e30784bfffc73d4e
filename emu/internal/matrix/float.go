// Products of floating-point formats narrower than f64: blocks of a row and a matrix at a time.

package matrix

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// multiplyFloats is Multiply where sums are in double precision, with b as numbers.
func (p *Product) multiplyFloats(a Matrix, b []float64, c Matrix, m, n, k, blocks int) Matrix {
	d, row, sums := New(blocks*m, n), make([]float64, k), make([]float64, n)
	fa, fc := p.number(p.A), Number(p.C)
	for r := range blocks * m {
		for i, v := range a.V[r*a.Cols : r*a.Cols+k] {
			row[i] = fa(v)
		}
		for col, v := range c.V[r*n : (r+1)*n] {
			sums[col] = fc(v)
		}
		vector.AddProducts(sums, row, b[r/m*k*n:], n)
		out := d.V[r*n : (r+1)*n]
		for col, sum := range sums {
			out[col] = p.rounded(sum)
		}
	}
	return d
}

// numbers are the elements of B.
func (p *Product) numbers(b Matrix) []float64 {
	list, f := make([]float64, len(b.V)), p.number(p.B)
	for i, v := range b.V {
		list[i] = f(v)
	}
	return list
}

// MultiplyTransposed is Multiply for one product, of which b is given column by column.
func (p *Product) MultiplyTransposed(a, b, c Matrix, m, n, k int) Matrix {
	if !p.sumsDoubles() {
		return p.Multiply(a, b.Transposed(), c, m, n, k, 1)
	}
	list, f := make([]float64, n*k), p.number(p.B)
	for col := range n {
		for i, v := range b.V[col*k : (col+1)*k] {
			list[i*n+col] = f(v)
		}
	}
	return p.multiplyFloats(a, list, c, m, n, k, 1)
}

// sumsDoubles reports whether sums are in double precision and rounded once.
func (p *Product) sumsDoubles() bool { return p.A.Float() && p.A != isa.F64 }

// number is how elements of A or B are read.
func (p *Product) number(t isa.Type) func(v uint64) float64 {
	if p.Wide {
		return math.Float64frombits
	}
	return Number(t)
}

// Number is how the bits of a floating-point type are read as numbers.
func Number(t isa.Type) func(v uint64) float64 {
	f := scalar.Format(t)
	switch t {
	case isa.F32:
		return func(v uint64) float64 { return float64(math.Float32frombits(uint32(v))) }
	case isa.BF16:
		return func(v uint64) float64 { return float64(math.Float32frombits(uint32(v) << 16)) }
	case isa.F16:
		return func(v uint64) float64 {
			if e := v >> 10 & 31; e-1 < 30 { // neither subnormal nor infinite
				return math.Float64frombits(v>>15<<63 | (e+1023-15)<<52 | v&1023<<42)
			}
			return f.Float64(v)
		}
	}
	return f.Float64
}

// rounded is an element of the result when the sum is that.
func (p *Product) rounded(sum float64) uint64 {
	if p.D == isa.F32 && !p.Saturate && sum == sum {
		return uint64(math.Float32bits(float32(sum)))
	}
	f := scalar.Format(p.D)
	v := f.FromFloat64(sum, num.RN)
	if p.Saturate && (v == f.Inf(false) || v == f.Inf(true)) {
		v = f.MaxFinite(sum < 0)
	}
	return v
}
