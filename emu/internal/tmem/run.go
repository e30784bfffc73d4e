// The execution of a tcgen05.mma: its accesses to shared and tensor memory, and its results.

package tmem

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
)

// Block is the memory of a block that takes part.
type Block struct {
	Shared []byte
	*Memory
}

// Product is a product with all its operands.
type Product struct {
	*Multiply
	Path   Path
	Blocks []Block // one, or with .cta_group::2 the pair

	D                         Addr
	A                         Addr // if FromTensor
	FromTensor                bool
	Down                      bool // the rows of A move down by one after the multiplication
	Meta, FactorsA, FactorsB  Addr
	Enable                    bool // D is added, after scaling
	ScaleD                    int  // D is multiplied by 2 to the power of -ScaleD
	Disabled                  [8]uint32
	Zero                      []bool // columns of B that count as zero
	Shift                     int    // shift of the columns of B
	inA, inB                  matrix.Descriptor
	valuesA, valuesB, factors *matrix.Values
	buffers                   *matrix.Buffers // set during Run
}

// Describe reads the descriptors of the matrices in shared memory.
func (w *Product) Describe(a, b uint64) (bad *diag.Violation) {
	if !w.FromTensor {
		if w.inA, bad = w.descriptorIn(a, "A", w.Multiply.A.Bits(), w.AcrossA); bad != nil {
			return bad
		}
	}
	w.inB, bad = w.descriptorIn(b, "B", w.B.Bits(), w.AcrossB)
	w.valuesA, w.valuesB = matrix.ValuesOf(w.Multiply.A, w.NegateA), matrix.ValuesOf(w.B, w.NegateB)
	if w.Scales > 0 {
		w.factors = matrix.ValuesOf(w.Scale, false)
	}
	return bad
}

// descriptorIn reads the descriptor of a matrix in shared memory (PTX ISA, "Valid Combinations of
// Type-Size, Major-ness and Swizzling").
func (w *Product) descriptorIn(v uint64, name string, bits int, across bool) (matrix.Descriptor, *diag.Violation) {
	s, problem := matrix.TensorDescriptor(v)
	switch {
	case problem != "":
	case s.Absolute() && w.K != longK:
		problem = "an absolute leading dimension, by bit 52, goes with rows of 48 bytes only"
	case across && bits == 32 && !s.WideAtoms():
		problem = "a transposed matrix of 32-bit elements has the 128-byte swizzling of 32-byte atoms only"
	case s.WideAtoms() && (!across || bits != 32):
		problem = "only transposed matrices of 32-bit elements have swizzling of 32-byte atoms"
	}
	if problem != "" {
		return s, diag.Violationf("unsupported", "descriptor 0x%x of %s: %s", v, name, problem)
	}
	return s, nil
}

// Check returns a violation if the place of a matrix in tensor memory is invalid.
func (w *Product) Check() *diag.Violation {
	switch {
	case w.Shift != 0 && w.Shift+w.N > 256:
		return diag.Violationf("unsupported", "columns %d to %d of B", w.Shift, w.Shift+w.N-1)
	case w.Selector > 1:
		return diag.Violationf("unsupported",
			"sparsity selector %d, expected 0 or 1: which metadata others select is in figures of the manual only",
			w.Selector)
	case w.Down && w.Rows() != Lanes:
		return diag.Violationf("unsupported",
			".ashift with M = %d for %s, of which not every lane of tensor memory has one row of A", w.M,
			diag.Plural(len(w.Blocks), "block"))
	}
	type place struct {
		name    string
		at      Addr
		columns int
	}
	first := w.D.Lane()
	if !w.Path.Aligned(first) {
		return diag.Violationf("misaligned", "D at lane %d of tensor memory, for M = %d", first, w.M)
	}
	places := []place{{"D", w.D, w.N / w.Path.Parts}}
	if w.FromTensor {
		places = append(places, place{"A", w.A, w.ColumnsOfA()})
	}
	if w.Sparse {
		places = append(places, place{"the metadata", w.Meta, w.ColumnsOfMeta() + w.Selector})
	}
	if w.Scales > 0 {
		places = append(places, place{"the scale factors of A", w.FactorsA, w.ScaleColumns(w.Rows(), w.ScaleA)},
			place{"the scale factors of B", w.FactorsB, w.ScaleColumns(w.N/w.Path.Parts, w.ScaleB)})
	}
	for _, l := range places {
		if l.at.Lane() != first {
			return diag.Violationf("misaligned", "%s at lane %d of tensor memory, and D at lane %d", l.name,
				l.at.Lane(), first)
		}
		for _, b := range w.Blocks {
			if bad := b.Check(first, Lanes-first, l.at.Column(), l.columns); bad != nil {
				bad.Msg = l.name + ": " + bad.Msg
				return bad
			}
		}
	}
	return nil
}

// Run computes the product.
func (w *Product) Run() *diag.Violation {
	if bad := w.Check(); bad != nil {
		return bad
	}
	w.buffers = buffers.Get().(*matrix.Buffers)
	defer buffers.Put(w.buffers)
	b, bad := w.readB()
	if bad != nil {
		return bad
	}
	a := make([]multiplicand, len(w.Blocks)) // read all of A before D changes, which may overlap it
	for i := range w.Blocks {
		if a[i], bad = w.readA(i); bad != nil {
			return bad
		}
	}
	for i := range w.Blocks {
		w.multiply(i, &a[i], b)
	}
	if w.Down {
		w.shiftDown()
	}
	return nil
}

// shiftDown moves the rows of A down by one: each lane except the last receives the contents of the next (PTX ISA,
// tcgen05.mma, ".ashift").
func (w *Product) shiftDown() {
	column, n := w.A.Column(), w.ColumnsOfA()
	for i := range w.Blocks {
		for lane := range Lanes - 1 {
			copy(w.Blocks[i].Row(lane, column, n), w.Blocks[i].Row(lane+1, column, n))
		}
	}
}

// slicesOfA returns the rows of A of a block, in shared memory.
func (w *Product) slicesOfA() matrix.Slices {
	return matrix.SlicesAt(w.inA, matrix.Panel{
		Rows: w.Path.Rows, K: w.StoredK(), Per: w.PerSlice(w.Multiply.A), Across: w.AcrossA,
	}, 0)
}

// slicesOfB returns the columns of B of a block.
func (w *Product) slicesOfB() matrix.Slices {
	return matrix.SlicesAt(w.inB, matrix.Panel{
		Rows: w.N / len(w.Blocks), K: w.K, Per: w.PerSlice(w.B), Across: w.AcrossB,
	}, w.Shift)
}

// load copies slices in a block's memory.
func (w *Product) load(s *matrix.Slices, block int) *diag.Violation {
	lines, line := s.SliceCount()
	to := matrix.Room(&w.buffers.Slices, lines*line)
	for n := range lines {
		for i := range line {
			p, bad := Slice(w.Blocks[block].Shared, s.At(n, i))
			if bad != nil {
				return bad
			}
			to[n*line+i] = *p
		}
	}
	return nil
}

// Slice returns 16 bytes of a block's shared memory.
func Slice(shared []byte, addr uint64) (*[2]uint64, *diag.Violation) {
	if addr+matrix.SliceBytes > uint64(len(shared)) {
		return nil, diag.Violationf("out-of-bounds",
			"read of %d bytes at shared address 0x%x: the block has %d bytes of shared memory", matrix.SliceBytes, addr,
			len(shared))
	}
	return (*[2]uint64)(unsafe.Pointer(&shared[addr])), nil
}

// factorsOf returns the scale factors of a row of A or a column of B, from index first on, in a quarter of the lanes;
// rows is the number of rows.
func (w *Product) factorsOf(b *Block, at Addr, row, quarter, rows, first int) []float64 {
	out := make([]float64, w.Scales)
	for i := range out {
		lane, column, bit := PlaceOfScale(row, quarter, rows, first+i)
		out[i] = w.factors.At(uint64(b.Row(lane, at.Column()+column, 1)[0] >> bit & 0xff))
	}
	return out
}

func (w *Product) disabled(block, lane int) bool {
	return w.Disabled[block*4+lane/32]>>(lane%32)&1 != 0
}

// Slices calls f for the slices of shared memory that the product reads, those of a matrix of a block at a time.
func (w *Product) Slices(f func(block int, s matrix.Slices)) {
	for block := range w.Blocks {
		if !w.FromTensor {
			f(block, w.slicesOfA())
		}
		f(block, w.slicesOfB())
	}
}

// Cells calls f for all cells that the product accesses, as columns of one lane at a time.
func (w *Product) Cells(f func(block, lane, column, columns int, writes bool)) {
	for block := range w.Blocks {
		for r := range w.Path.Rows * w.Path.Parts {
			lane := w.D.Lane() + w.Path.Lane(r%w.Path.Rows, r/w.Path.Rows)
			if w.FromTensor {
				f(block, lane, w.A.Column(), w.ColumnsOfA(), false)
			}
			if w.Down && lane < Lanes-1 {
				f(block, lane, w.A.Column(), w.ColumnsOfA(), true)
			}
			if w.Sparse {
				f(block, lane, w.Meta.Column()+w.Selector, w.ColumnsOfMeta(), false)
			}
			if w.Scales > 0 {
				f(block, lane, w.FactorsA.Column(), w.ScaleColumns(w.Rows(), w.ScaleA), false)
				f(block, lane, w.FactorsB.Column(), w.ScaleColumns(w.N/w.Path.Parts, w.ScaleB), false)
			}
			if w.Enable {
				f(block, lane, w.D.Column(), w.N/w.Path.Parts, false)
			}
			if !w.disabled(block, lane) {
				f(block, lane, w.D.Column(), w.N/w.Path.Parts, true)
			}
		}
	}
}
