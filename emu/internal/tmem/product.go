// Arithmetic of tcgen05.mma. Sums are in double precision and rounded once, as in mma.

package tmem

import (
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// buffers are unused matrix.Buffers.
var buffers = sync.Pool{New: func() any { return new(matrix.Buffers) }}

// Columns returns the columns of A for the stored elements of a row, from its metadata; meta returns the bits of a
// chunk.
func (p *Multiply) Columns(row int, meta func(chunk int) uint32) ([]int, *diag.Violation) {
	s := matrix.SparsityOf(p.A, p.K)
	if p.Narrow() { // in containers two of four elements are stored, whatever their width
		s = matrix.SparsityOf(isa.E4M3, p.K)
	}
	var out []int
	for chunk := range s.Chunks {
		bits := meta(chunk) & 15
		cols, ok := s.Columns(chunk, bits)
		if !ok {
			return nil, diag.Violationf("unsupported",
				"invalid sparsity metadata 0x%x for row %d, chunk %d: the result is undefined", bits, row, chunk)
		}
		out = append(out, cols[:s.Stored]...)
	}
	return out, nil
}

// ZeroColumns returns the columns of B that count as zero according to a zero-column mask descriptor, and the shift of
// the columns (PTX ISA, "Zero-Column Mask Descriptor").
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

// multiplicand is A of a block: its rows, for each group of columns of D in turn. If A is sparse, in has for each row
// the rows of B that its elements are multiplied by.
type multiplicand struct {
	vector.Numbers
	in [][]int
}

// readB reads B row by row, the blocks of a pair one after the other.
func (w *Product) readB() (vector.Numbers, *diag.Violation) {
	columns := w.N / len(w.Blocks)
	var all vector.Numbers
	for i := range w.Blocks {
		s := w.slicesOfB()
		if bad := w.load(&s, i); bad != nil {
			return all, bad
		}
		part := s.ByColumns(w.buffers, &w.buffers.B, w.valuesB)
		if len(w.Blocks) == 1 {
			all = part
			break
		}
		if i == 0 {
			all = vector.Numbers{V: make([]float64, w.K*w.N), Stride: w.N}
		}
		for k := range w.K {
			copy(all.From(k, i*columns).V, part.Row(k, columns))
		}
	}
	for n, zero := range w.Zero {
		for k := 0; zero && k < w.K; k++ {
			all.V[k*all.Stride+n] = 0
		}
	}
	return all, nil
}

// readA reads A of a block.
func (w *Product) readA(block int) (multiplicand, *diag.Violation) {
	b, k := &w.Blocks[block], w.StoredK()
	var a multiplicand
	if !w.FromTensor {
		s := w.slicesOfA()
		if bad := w.load(&s, block); bad != nil {
			return a, bad
		}
		part := s.ByRows(w.buffers, &w.buffers.A, w.valuesA)
		if len(w.Blocks) == 1 && w.Path.Parts == 1 {
			a.Numbers = part
		} else {
			a.Numbers = vector.Numbers{
				V:      slices.Repeat(part.V[:w.Path.Rows*part.Stride], w.Path.Parts),
				Stride: part.Stride,
			}
		}
	} else {
		a.Numbers = vector.Numbers{V: make([]float64, w.Path.Rows*w.Path.Parts*k), Stride: k}
	}
	if !w.FromTensor && !w.Sparse && w.Scales == 0 {
		return a, nil
	}
	for i := range w.Path.Rows * w.Path.Parts {
		row, part := i%w.Path.Rows, i/w.Path.Rows
		lane := w.D.Lane() + w.Path.Lane(row, part)
		elements := a.Row(i, k)
		if w.FromTensor {
			cells := b.Row(lane, w.A.Column(), w.ColumnsOfA())
			for k := range elements {
				elements[k] = w.valuesA.At(w.ElementOfA(cells, k))
			}
		}
		var in []int
		if w.Sparse {
			var bad *diag.Violation
			in, bad = w.Columns(row, func(chunk int) uint32 {
				laneOf, column, bit := w.PlaceOfMeta(row, chunk)
				return b.Row(w.D.Lane()+w.Path.Lane(laneOf, part), w.Meta.Column()+column, 1)[0] >> bit
			})
			if bad != nil {
				return a, bad
			}
			a.in = append(a.in, in)
		}
		if w.Scales > 0 {
			w.scaleRow(b, elements, in, row, lane/Quarter)
		}
	}
	return a, nil
}

// scaleRow applies the scale factors of A to a row; quarter is the quarter of lanes whose factors are used.
func (w *Product) scaleRow(b *Block, elements []float64, in []int, row, quarter int) {
	factors := w.factorsOf(b, w.FactorsA, row, quarter, w.Rows(), w.ScaleA)
	per := w.K / w.Scales
	for i := range elements {
		k := i
		if in != nil {
			k = in[i]
		}
		elements[i] *= factors[k/per]
	}
}

// scaledB returns the columns of B of a group, with the scale factors in a quarter of the lanes applied.
func (w *Product) scaledB(own *Block, b vector.Numbers, part, quarter int) vector.Numbers {
	n := w.N / w.Path.Parts
	out := b.From(0, part*n)
	if w.Scales == 0 {
		return out
	}
	out.V = slices.Clone(out.V)
	per := w.K / w.Scales
	for col := range n {
		factors := w.factorsOf(own, w.FactorsB, col, quarter, n, w.ScaleB)
		for k := range w.K {
			out.V[k*out.Stride+col] *= factors[k/per]
		}
	}
	return out
}

// multiply computes the rows of the result matrix D that one CTA stores in its tensor memory. It processes one quarter
// of the lanes at a time, because the rows in a quarter have the same scale factors of B.
func (w *Product) multiply(block int, a *multiplicand, b vector.Numbers) {
	own, columns, old := &w.Blocks[block], w.N/w.Path.Parts, matrix.ValuesOf(w.Multiply.D, false)
	for first := 0; first < w.Path.Rows*w.Path.Parts; {
		part := first / w.Path.Rows
		quarter := w.laneOfRow(first) / Quarter
		end := first + 1
		for end < (part+1)*w.Path.Rows && w.laneOfRow(end)/Quarter == quarter {
			end++
		}
		sums := vector.Numbers{V: matrix.Room(&w.buffers.D, (end-first)*columns), Stride: columns}
		w.readD(own, old, sums, first)
		a.addTo(sums, w.scaledB(own, b, part, quarter), first, end, columns, w.K)
		for row := first; row < end; row++ {
			if lane := w.laneOfRow(row); !w.disabled(block, lane) {
				matrix.Results(own.Row(lane, w.D.Column(), columns), w.Multiply.D, w.Saturate,
					sums.Row(row-first, columns))
			}
		}
		first = end
	}
}

// laneOfRow returns the lane of a row of D; rows are numbered for each group of columns in turn.
func (w *Product) laneOfRow(row int) int {
	return w.D.Lane() + w.Path.Lane(row%w.Path.Rows, row/w.Path.Rows)
}

// readD reads rows of D from first on, or zeros if D is not added.
func (w *Product) readD(own *Block, old *matrix.Values, sums vector.Numbers, first int) {
	if !w.Enable {
		clear(sums.V)
		return
	}
	for at := 0; at < len(sums.V); at += sums.Stride {
		old.Cells(sums.V[at:][:sums.Stride], own.Row(w.laneOfRow(first+at/sums.Stride), w.D.Column(), sums.Stride))
	}
	if w.ScaleD > 0 {
		factor := 1 / float64(uint(1)<<w.ScaleD)
		for i := range sums.V {
			sums.V[i] *= factor
		}
	}
}

// addTo adds the products of rows from first to end and k rows of b.
func (a *multiplicand) addTo(sums, b vector.Numbers, first, end, columns, k int) {
	if a.in == nil {
		vector.AddProducts(sums, a.From(first, 0), b, end-first, columns, k)
		return
	}
	for row := first; row < end; row++ {
		for i, k := range a.in[row] {
			vector.AddProducts(sums.From(row-first, 0), a.From(row, i), b.From(k, 0), 1, columns, 1)
		}
	}
}
