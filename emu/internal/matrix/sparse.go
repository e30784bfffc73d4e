// Sparsity: the stored elements of a row of a sparse matrix.

package matrix

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// mma.sp and wgmma.mma_async.sp: half of the elements in each row of A are zero and not stored; metadata selects the
// stored ones (PTX ISA, "Matrix multiply-accumulate operation using mma.sp instruction with sparse matrix A").

// Sparsity is the layout of the metadata of a sparse matrix. A chunk of columns has four bits of metadata: two indices
// of two bits.
type Sparsity struct {
	typ      isa.Type
	Chunks   int // in a row
	Stored   int // stored elements of a chunk
	perIndex int // adjacent elements that an index stands for
	Threads  int // number of threads of each four that hold metadata
	First    int // first of these, from the sparsity selector
}

// SparsityOf returns the layout for rows of k elements of type t: two of four elements are stored, for 4-bit types two
// pairs of eight, for tf32 one of two.
func SparsityOf(t isa.Type, k int) Sparsity {
	s := Sparsity{typ: t, Chunks: k / 4, Stored: 2, perIndex: 1}
	switch t.Bits() {
	case 32:
		s.Chunks, s.Stored = k/2, 1
	case 4:
		s.Chunks, s.Stored, s.perIndex = k/8, 4, 2
	}
	s.Threads = s.Chunks * 4 / 16
	return s
}

// Place returns the place of the metadata of a chunk: a thread of the four that belong to the row, and a bit of its
// register. 16 bits of metadata for a row share a register with those of the row eight below. Longer metadata is split
// every 16 bits if elements have 16 or more bits; otherwise a register holds 32 bits of one row.
func (s *Sparsity) Place(row, chunk int) (thread, bit int) {
	below := row / 8
	if s.Threads == 1 || s.typ.Bits() >= 16 {
		return s.First + chunk/4, 16*below + chunk%4*4
	}
	return s.First + chunk/8*2 + below, chunk % 8 * 4
}

// Columns returns the columns of the stored elements of a chunk, from its metadata; false if that is invalid.
func (s *Sparsity) Columns(chunk int, meta uint32) ([4]int, bool) {
	low, high := int(meta&3), int(meta>>2&3)
	if s.Stored == 1 { // two indices: one for each half of the element
		return [4]int{2*chunk + high/2}, meta == 0b0100 || meta == 0b1110
	}
	var cols [4]int
	for i := range s.Stored {
		index := low
		if i >= s.perIndex {
			index = high
		}
		cols[i] = (4*chunk+index)*s.perIndex + i%s.perIndex
	}
	return cols, low != high
}
