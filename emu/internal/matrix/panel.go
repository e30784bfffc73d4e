// Matrices in shared memory as panels of numbers, for products.

package matrix

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
)

// Buffers is memory that is reused by successive products.
type Buffers struct {
	Slices         [][2]uint64 // of a matrix in shared memory
	A, B, D, spare []float64
}

// Room returns n elements of a buffer with arbitrary contents.
func Room[T any](buffer *[]T, n int) []T {
	*buffer = slices.Grow((*buffer)[:0], n)[:n]
	return *buffer
}

// Panel is a matrix in shared memory as numbers: rows of A or columns of B, each with K elements.
type Panel struct {
	Rows, K int
	Per     int  // elements in a slice
	Across  bool // slices hold elements of adjacent rows
}

// SliceCount returns the number of lines, one for each row or, for a matrix stored across, one for each k, and the
// number of slices in a line.
func (p *Panel) SliceCount() (lines, line int) {
	if p.Across {
		return p.K, (p.Rows + p.Per - 1) / p.Per
	}
	return p.Rows, (p.K + p.Per - 1) / p.Per
}

// ByRows reads the slices, line after line, as rows.
func (p *Panel) ByRows(b *Buffers, to *[]float64, v *Values) vector.Numbers {
	return p.read(b, to, v, p.Across)
}

// ByColumns reads the slices, line after line, as columns.
func (p *Panel) ByColumns(b *Buffers, to *[]float64, v *Values) vector.Numbers {
	return p.read(b, to, v, !p.Across)
}

func (p *Panel) read(b *Buffers, to *[]float64, v *Values, transpose bool) vector.Numbers {
	lines, line := p.SliceCount()
	stride := line * p.Per
	if !transpose {
		v.Slices(Room(to, lines*stride), b.Slices, p.Per)
		return vector.Numbers{V: *to, Stride: stride}
	}
	from := vector.Numbers{V: Room(&b.spare, lines*stride), Stride: stride}
	v.Slices(from.V, b.Slices, p.Per)
	out := vector.Numbers{V: Room(to, lines*stride), Stride: lines}
	vector.Transpose(out, from, lines, stride)
	return out
}
