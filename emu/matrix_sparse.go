package emu

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// mma.sp and wgmma.mma_async.sp: half of the elements in each row of A are zero and not stored; metadata
// says which (PTX ISA, "Matrix multiply-accumulate operation using mma.sp instruction
// with sparse matrix A").

// sparsity is how the metadata of a sparse matrix is laid out. A chunk of columns has
// four bits of metadata: two indices of two bits.
type sparsity struct {
	t        isa.Type
	chunks   int // in a row
	stored   int // elements stored of a chunk
	perIndex int // neighbouring elements that an index stands for
	threads  int // of each four that hold metadata
	first    int // of those, from the sparsity selector
}

// sparsityOf is the layout for rows of k elements of type t: of four elements two
// are stored, of eight of 4 bits two pairs, of two of tf32 one.
func sparsityOf(t isa.Type, k int) sparsity {
	s := sparsity{t: t, chunks: k / 4, stored: 2, perIndex: 1}
	switch t.Bits() {
	case 32:
		s.chunks, s.stored = k/2, 1
	case 4:
		s.chunks, s.stored, s.perIndex = k/8, 4, 2
	}
	s.threads = s.chunks * 4 / 16
	return s
}

// place is where the metadata of a chunk stands: a thread of the four that belong to
// the row, and a bit of its register. 16 bits of metadata for a row share a register
// with the row eight below. Longer metadata is cut every 16 bits when elements have 16
// or more bits; otherwise a register holds 32 bits of one row.
func (s *sparsity) place(row, chunk int) (thread, bit int) {
	below := row / 8
	if s.threads == 1 || s.t.Bits() >= 16 {
		return s.first + chunk/4, 16*below + chunk%4*4
	}
	return s.first + chunk/8*2 + below, chunk % 8 * 4
}

// columns are the columns that the stored elements of a chunk stand in, from the
// metadata; false when it is invalid.
func (s *sparsity) columns(chunk int, meta uint32) ([4]int, bool) {
	low, high := int(meta&3), int(meta>>2&3)
	if s.stored == 1 { // an index for each half of the element
		return [4]int{2*chunk + high/2}, meta == 0b0100 || meta == 0b1110
	}
	var cols [4]int
	for i := range s.stored {
		index := low
		if i >= s.perIndex {
			index = high
		}
		cols[i] = (4*chunk+index)*s.perIndex + i%s.perIndex
	}
	return cols, low != high
}

// decodeSparseMMA: mma.sp{::ordered_metadata}.sync.aligned.shape.row.col.dtype.atype.btype.ctype
// d, a, b, c, e, f.
func decodeSparseMMA(d *decoder, in *rewrite.Inst) (inst, error) {
	m, _, k := shapeOf(in)
	p := productOf(in, in.Type(0), in.Type(1), in.Type(2), in.Type(3))
	frags := [4]fragment{fragmentC(m, p.d), fragmentA(m, k/2, p.a), fragmentB(k, p.b), fragmentC(m, p.c)}
	var regs [4][]operand
	for i, t := range []isa.Type{p.d, p.a, p.b, p.c} {
		var err error
		if regs[i], err = d.registers(in, i, frags[i].regs, width(t), i == 0); err != nil {
			return inst{}, err
		}
	}
	meta, err := d.word(in, &in.Operands[4], isa.B32)
	if err != nil {
		return inst{}, err
	}
	s := sparsityOf(p.a, k)
	if err := d.sparsitySelector(in, &in.Operands[5], &s); err != nil {
		return inst{}, err
	}
	op := &syncOp{writes: slotsOf(regs[0]...), reads: slotsOf(operand{meta, isa.B32})}
	for _, r := range regs[1:] {
		op.reads = append(op.reads, slotsOf(r...)...)
	}
	op.body = func(x *exec, in *inst, part lanes) {
		f := x.frame
		cols, ok := s.allColumns(x, in, f.r32(meta), m)
		if !ok {
			return
		}
		a, b, c := frags[1].gather(f, regs[1], p.a), frags[2].gather(f, regs[2], p.b), frags[3].gather(f, regs[3], p.c)
		frags[0].scatter(f, regs[0], p.d, p.multiplySparse(a, b, c, cols), part)
	}
	return d.wholeWarp(op, inst{flags: flagFaults}), nil
}

// sparsitySelector resolves the constant that says which threads hold metadata.
func (d *decoder) sparsitySelector(in *rewrite.Inst, op *rewrite.Operand, s *sparsity) error {
	if limit := uint64(4 / s.threads); op.Kind != rewrite.OperandImm || op.Imm >= limit {
		return d.errorf(in, "%s: sparsity selector %s, expected a constant below %d", in.Text(), d.text(op), limit)
	}
	s.first = int(op.Imm) * s.threads
	return nil
}

// multiplySparse is a*b+c, where element i of a row of a stands in column cols[row][i].
func (p *product) multiplySparse(a, b, c matrix, cols [][]int) matrix {
	out := newMatrix(len(cols), c.cols)
	for row := range cols {
		for col := range c.cols {
			*out.at(row, col) = p.accumulate(*c.at(row, col), a.cols, func(i int) (uint64, uint64) {
				return *a.at(row, i), *b.at(cols[row][i], col)
			})
		}
	}
	return out
}

// allColumns are the columns of the stored elements, row by row. Metadata that the
// manual calls invalid is a fault.
func (s *sparsity) allColumns(x *exec, in *inst, meta *vec32, rows int) ([][]int, bool) {
	out := make([][]int, rows)
	for row := range out {
		for chunk := range s.chunks {
			thread, bit := s.place(row, chunk)
			lane := row%8*4 + thread
			cols, ok := s.columns(chunk, meta[lane]>>bit&15)
			if !ok {
				x.raise(in, lane, "unsupported", 0, "invalid sparsity metadata 0x%x for row %d, chunk %d: the result is undefined", meta[lane]>>bit&15, row, chunk)
				return nil, false
			}
			out[row] = append(out[row], cols[:s.stored]...)
		}
	}
	return out, true
}
