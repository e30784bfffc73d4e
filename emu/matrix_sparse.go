// Fragments of matrices in registers, and mma.sp with sparse operands.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// mma.sp: decoding, and the metadata of lanes.

// gather reads a matrix from the registers of a warp.
func gather(g *matrix.Fragment, f *frame, regs []operand, t isa.Type) matrix.Matrix {
	m, width, mask := matrix.New(g.Rows, g.Cols), t.Bits(), ^uint64(0)
	if width < 64 {
		mask = 1<<width - 1
	}
	g.Elements(func(lane, r, j, row, col int) {
		*m.At(row, col) = f.word(regs[r].slot, regs[r].wide(), lane) >> (j * width) & mask
	})
	return m
}

// scatter writes a matrix to the registers of the lanes in part.
func scatter(g *matrix.Fragment, f *frame, regs []operand, t isa.Type, m matrix.Matrix, part lanes) {
	for ; part != 0; part &= part - 1 {
		lane := part.first()
		for r := range g.Regs {
			var word uint64
			for j := range g.Per {
				row, col := g.At(lane, r, j)
				word |= *m.At(row, col) << (j * t.Bits())
			}
			f.setLane(regs[r].slot, slotBits(regs[r].typ), lane, [2]uint64{word})
		}
	}
}

// decodeSparseMMA: mma.sp{::ordered_metadata}.sync.aligned.shape.row.col.dtype.atype.btype.ctype
// d, a, b, c, e, f.
func decodeSparseMMA(d *decoder, in *rewrite.Inst) (inst, error) {
	m, _, k := shapeOf(in)
	p := productOf(in, in.Type(0), in.Type(1), in.Type(2), in.Type(3))
	frags := [4]matrix.Fragment{matrix.FragmentC(m, p.D), matrix.FragmentA(m, k/2, p.A), matrix.FragmentB(k, p.B), matrix.FragmentC(m, p.C)}
	var regs [4][]operand
	for i, t := range []isa.Type{p.D, p.A, p.B, p.C} {
		var err error
		if regs[i], err = d.registers(in, i, frags[i].Regs, width(t), i == 0); err != nil {
			return inst{}, err
		}
	}
	meta, err := d.word(in, &in.Operands[4], isa.B32)
	if err != nil {
		return inst{}, err
	}
	s := matrix.SparsityOf(p.A, k)
	if err := d.sparsitySelector(in, &in.Operands[5], &s); err != nil {
		return inst{}, err
	}
	op := &syncOp{writes: slotsOf(regs[0]...), reads: slotsOf(operand{meta, isa.B32})}
	for _, r := range regs[1:] {
		op.reads = append(op.reads, slotsOf(r...)...)
	}
	op.body = func(x *engine, in *inst, part lanes) {
		f := x.frame
		cols, ok := allColumns(&s, x, in, f.r32(meta), m)
		if !ok {
			return
		}
		a, b, c := gather(&frags[1], f, regs[1], p.A), gather(&frags[2], f, regs[2], p.B), gather(&frags[3], f, regs[3], p.C)
		scatter(&frags[0], f, regs[0], p.D, p.MultiplySparse(a, b, c, cols), part)
	}
	return d.wholeWarp(op, inst{flags: flagFaults}), nil
}

// sparsitySelector resolves the constant that says which threads hold metadata.
func (d *decoder) sparsitySelector(in *rewrite.Inst, op *rewrite.Operand, s *matrix.Sparsity) error {
	if limit := uint64(4 / s.Threads); op.Kind != rewrite.OperandImm || op.Imm >= limit {
		return d.errorf(in, "%s: sparsity selector %s, expected a constant below %d", in.Text(), d.text(op), limit)
	}
	s.First = int(op.Imm) * s.Threads
	return nil
}

// allColumns are the columns of the stored elements, row by row. Metadata that the
// manual calls invalid is a fault.
func allColumns(s *matrix.Sparsity, x *engine, in *inst, meta *vec32, rows int) ([][]int, bool) {
	out := make([][]int, rows)
	for row := range out {
		for chunk := range s.Chunks {
			thread, bit := s.Place(row, chunk)
			lane := row%8*4 + thread
			cols, ok := s.Columns(chunk, meta[lane]>>bit&15)
			if !ok {
				x.raise(in, lane, "unsupported", 0, "invalid sparsity metadata 0x%x for row %d, chunk %d: the result is undefined", meta[lane]>>bit&15, row, chunk)
				return nil, false
			}
			out[row] = append(out[row], cols[:s.Stored]...)
		}
	}
	return out, true
}
