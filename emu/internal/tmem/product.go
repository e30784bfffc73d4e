// Arithmetic of tcgen05.mma. Sums are in double precision and rounded once, as those of mma.

package tmem

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Values is how bit patterns of a type are read as numbers: a table for types of up to 16 bits.
type Values struct {
	table []float64
	of    func(v uint64) float64
}

// At is the number that a bit pattern means.
func (f *Values) At(v uint64) float64 {
	if f.table != nil {
		return f.table[v]
	}
	return f.of(v)
}

// ValuesOf is how elements of a type are read, with the opposite sign if so.
func ValuesOf(t isa.Type, negate bool) *Values {
	sign := 1.0
	if negate {
		sign = -1
	}
	f := &Values{of: func(v uint64) float64 { return sign * valueOf(t, v) }}
	if t.Bits() > 8 {
		if t.Float() && !negate {
			f.of = matrix.Number(t)
		}
		return f
	}
	f.table = make([]float64, 1<<t.Bits())
	for v := range f.table {
		f.table[v] = f.of(uint64(v))
	}
	return f
}

func valueOf(t isa.Type, v uint64) float64 {
	switch {
	case t == isa.UE8M0 && v == 0xff:
		return math.NaN()
	case t == isa.UE8M0:
		return math.Ldexp(1, int(v)-127)
	case t == isa.UE4M3:
		return num.E4M3.Float64(v & 0x7f)
	case t == isa.E3M2:
		return num.E3M2.Float64(v)
	case t == isa.E2M3:
		return num.E2M3.Float64(v)
	case t == isa.E2M1:
		return num.E2M1.Float64(v)
	case t.Float():
		return matrix.Number(t)(v)
	}
	return float64(scalar.Integer(v, t))
}

// Row is one row of A: its stored elements, and the rows of B that they are multiplied by, one after
// the other when there are none.
type Row struct {
	Elements []float64
	In       []int
}

// Accumulate adds a row of A times B to sums, one for each column; rows of b are stride apart.
func (r *Row) Accumulate(sums, b []float64, stride int) {
	if r.In == nil {
		vector.AddProducts(sums, r.Elements, b, stride)
		return
	}
	for i, k := range r.In {
		vector.AddProducts(sums, r.Elements[i:i+1], b[k*stride:], stride)
	}
}

// Cell is what a cell of D holds when the sum is that.
func (p *Multiply) Cell(sum float64) uint32 {
	switch {
	case p.D == isa.S32 && p.Saturate:
		return uint32(num.SatS32(int64(sum)))
	case p.D == isa.S32:
		return uint32(int64(sum))
	case p.D == isa.F32 && sum == sum:
		return math.Float32bits(float32(sum))
	}
	return uint32(scalar.Format(p.D).FromFloat64(sum, num.RN))
}

// Columns are the columns of A that the stored elements of a row are, from its metadata, the bits of
// each chunk by its number.
func (p *Multiply) Columns(row int, meta func(chunk int) uint32) ([]int, *diag.Violation) {
	s := matrix.SparsityOf(p.A, p.K)
	if p.Narrow() { // in containers: four elements have two, whatever their width
		s = matrix.SparsityOf(isa.E4M3, p.K)
	}
	var out []int
	for chunk := range s.Chunks {
		bits := meta(chunk) & 15
		cols, ok := s.Columns(chunk, bits)
		if !ok {
			return nil, diag.Violationf("unsupported", "invalid sparsity metadata 0x%x for row %d, chunk %d: the result is undefined", bits, row, chunk)
		}
		out = append(out, cols[:s.Stored]...)
	}
	return out, nil
}

// ZeroColumns are the columns of B that count as zero, by a zero-column mask descriptor, and how far
// the columns are shifted (PTX ISA, "Zero-Column Mask Descriptor").
func (p *Multiply) ZeroColumns(desc uint64) (zero []bool, shift int) {
	zero, shift = make([]bool, p.N), int(desc>>56&63)
	if desc>>39&1 == 0 {
		return zero, shift
	}
	skip, use := int(desc>>40&0xff)+1, int(desc>>48&0xff)+1
	parts := Lanes / p.M
	for i := range parts {
		zeros := desc>>(32+i)&1 != 0
		left := use
		if zeros {
			left = skip
		}
		left -= int(desc >> (8 * i) & 0xff)
		for n := range p.N / parts {
			for left <= 0 {
				if zeros = !zeros; zeros {
					left += skip
				} else {
					left += use
				}
			}
			zero[i*(p.N/parts)+n] = zeros
			left--
		}
	}
	return zero, shift
}
