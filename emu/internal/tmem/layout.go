// The layout of the matrices of tcgen05.mma in tensor memory: data paths, scale factors, metadata of sparse matrices.

package tmem

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// Path is the mapping of rows and columns of D to lanes (PTX ISA, "Data Path Layout Organization"). The columns are in
// Parts consecutive groups. Each group has separate lanes, so that the other operands in tensor memory (A, scale
// factors, metadata) are stored once per group.
type Path struct {
	Rows, Parts int
	half        bool // 16 lanes of each quarter are used
}

// Path returns the layout for a block that takes part.
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

// Lane returns the lane of a row in the group of columns part, relative to the lane of the address.
func (l *Path) Lane(row, part int) int {
	if l.half {
		return row/16*Quarter + row%16
	}
	return row + part*l.Rows
}

// Aligned reports whether a matrix with this layout may begin at a lane.
func (l *Path) Aligned(lane int) bool { return lane == 0 || l.half && lane == 16 }

// ColumnsOfA returns the number of columns that A occupies in tensor memory.
func (p *Multiply) ColumnsOfA() int { return p.StoredK() * p.container() / 32 }

// container returns the width of elements of A in tensor memory.
func (p *Multiply) container() int {
	if p.Narrow() {
		return 8
	}
	return max(p.A.Bits(), 4)
}

// ElementOfA returns element k of a row of A from the cells of its lane.
func (p *Multiply) ElementOfA(cells []uint32, k int) uint64 {
	width := p.container()
	at := k * width
	v := uint64(cells[at/32]) >> (at % 32)
	if bits := p.A.Bits(); bits < width { // the element is in the middle
		return v >> ((width - bits) / 2) & (1<<bits - 1)
	}
	return v & (1<<width - 1)
}

// PerSlice returns the number of elements of a matrix in 16 bytes of shared memory. Narrow ones are packed, and
// followed by padding.
func (f *Form) PerSlice(t isa.Type) int {
	if f.Narrow() {
		return 16
	}
	return 128 / t.Bits()
}

// Tensor memory holds the scale factors of 32 rows of A, or columns of B, in the four bytes of a column. Further
// factors of the same rows follow after those of all rows, 128 or 256 (PTX ISA, "Scale Factor A ID", "Scale Factor B
// ID"; the figures for K = 96 agree with the layout in CUTLASS).
const (
	scaleBytes = 4
	scaleRows  = 128
)

// ScaleColumns returns the number of columns that the scale factors of the given number of rows of A, or columns of B,
// occupy; number is the index of the first factor.
func (p *Multiply) ScaleColumns(rows, number int) int {
	_, column, _ := PlaceOfScale(rows-1, 0, rows, number+p.Scales-1)
	return column + 1
}

// PlaceOfScale returns the cell of a scale factor of a row of A or a column of B, for lanes of a quarter, and the bit
// at which it begins; rows is the number of rows and number the index of the factor.
func PlaceOfScale(row, quarter, rows, number int) (lane, column, bit int) {
	over := (rows + scaleRows - 1) / scaleRows * scaleRows / Quarter
	return quarter*Quarter + row%Quarter, row/Quarter + number/scaleBytes*over, number % scaleBytes * 8
}

// ColumnsOfMeta returns the number of columns that the metadata of a sparse A occupies.
func (p *Multiply) ColumnsOfMeta() int {
	if p.A.Bits() >= 16 && !p.Narrow() {
		return 1
	}
	return 2
}

// PlaceOfMeta returns the place in tensor memory of the sparsity metadata of a chunk, which is 4 bits: the lane of row
// laneOf, a column relative to the address of the metadata, and a bit of that column's word. For elements of 16 bits
// and more the layout is that of the registers of mma.sp: the lane of row r, for r%16 < 8, holds 16 bits of row r and
// 16 bits of row r+8 for the first half of K, and the lane of row r+8 holds those of both rows for the second half.
func (p *Multiply) PlaceOfMeta(row, chunk int) (laneOf, column, bit int) {
	if p.ColumnsOfMeta() == 1 {
		return row/16*16 + row%8 + chunk/4*8, p.Selector, row/8%2*16 + chunk%4*4
	}
	return row, chunk / 8, chunk % 8 * 4
}
