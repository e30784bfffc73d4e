// Where tcgen05.mma finds the elements of matrices in tensor memory: data paths, scale factors,
// metadata of sparse matrices.

package tmem

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// Path is how the rows and columns of D go to lanes (PTX ISA, "Data Path Layout Organization").
// The columns are in Parts groups that follow each other; each group has lanes of its own, so that
// what else is in tensor memory is there for each of them: A, scale factors, metadata.
type Path struct {
	Rows, Parts int
	half        bool // 16 lanes of each quarter are used
}

// Path is that of a block that takes part.
func (p *Multiply) Path() Path {
	switch rows := p.Rows(); {
	case p.Ws:
		return Path{Rows: rows, Parts: Lanes / rows}
	case rows == 64 && p.Pair && !p.Sparse:
		return Path{Rows: rows, Parts: 2}
	default:
		return Path{Rows: rows, Parts: 1, half: rows == 64}
	}
}

// Lane is the lane of a row in the group of columns part, relative to that of the address.
func (l *Path) Lane(row, part int) int {
	if l.half {
		return row/16*Quarter + row%16
	}
	return row + part*l.Rows
}

// Aligned reports whether a matrix with this layout may begin at a lane.
func (l *Path) Aligned(lane int) bool { return lane == 0 || l.half && lane == 16 }

// ColumnsOfA is how many columns A takes in tensor memory.
func (p *Multiply) ColumnsOfA() int { return p.StoredK() * p.container() / 32 }

// container is the width in which elements of A stand in tensor memory.
func (p *Multiply) container() int {
	if p.Narrow() {
		return 8
	}
	return max(p.A.Bits(), 4)
}

// ElementOfA is element k of a row of A in the cells of its lane.
func (p *Multiply) ElementOfA(cells []uint32, k int) uint64 {
	width := p.container()
	at := k * width
	v := uint64(cells[at/32]) >> (at % 32)
	if bits := p.A.Bits(); bits < width { // in the middle
		return v >> ((width - bits) / 2) & (1<<bits - 1)
	}
	return v & (1<<width - 1)
}

// PerSlice is how many elements of a matrix 16 bytes of shared memory hold. Narrow ones are packed,
// and followed by padding.
func (f *Form) PerSlice(t isa.Type) int {
	if f.Narrow() {
		return 16
	}
	return 128 / t.Bits()
}

// Tensor memory holds the scale factors of 32 rows of A, or columns of B, in the four bytes of a column. More factors of the
// same rows follow when those of all rows, of 128 or 256, have been listed (PTX ISA, "Scale Factor A ID", "Scale Factor B ID";
// the figures for K = 96 agree with the layout that CUTLASS has for it).
const (
	scaleBytes = 4
	scaleRows  = 128
)

// ScaleColumns is how many columns the scale factors of so many rows of A, or columns of B, take, of which the first
// has a number.
func (p *Multiply) ScaleColumns(rows, number int) int {
	_, column, _ := PlaceOfScale(rows-1, 0, rows, number+p.Scales-1)
	return column + 1
}

// PlaceOfScale is the cell of a scale factor of a row of A or a column of B, of so many rows, for lanes of a quarter, and the
// bit at which it begins; number is that of the factor.
func PlaceOfScale(row, quarter, rows, number int) (lane, column, bit int) {
	over := (rows + scaleRows - 1) / scaleRows * scaleRows / Quarter
	return quarter*Quarter + row%Quarter, row/Quarter + number/scaleBytes*over, number % scaleBytes * 8
}

// ColumnsOfMeta is how many columns the metadata of a sparse A takes.
func (p *Multiply) ColumnsOfMeta() int {
	if p.A.Bits() >= 16 && !p.Narrow() {
		return 1
	}
	return 2
}

// PlaceOfMeta returns where tensor memory holds the sparsity metadata of a chunk, which is 4 bits: in the lane of row
// laneOf, at a column counted from the address of the metadata, from a bit of that column's word on. For elements of 16 bits
// and more the layout is that of the registers of mma.sp: the lane of row r, for r%16 < 8, holds 16 bits of row r and
// 16 bits of row r+8 for the first half of K, and the lane of row r+8 holds those of both rows for the second half.
func (p *Multiply) PlaceOfMeta(row, chunk int) (laneOf, column, bit int) {
	if p.ColumnsOfMeta() == 1 {
		return row/16*16 + row%8 + chunk/4*8, p.Selector, row/8%2*16 + chunk%4*4
	}
	return row, chunk / 8, chunk % 8 * 4
}
