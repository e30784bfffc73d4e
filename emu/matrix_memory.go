// Matrices in memory and in registers: loads and stores of wmma, ldmatrix and stmatrix, and mma.sp with sparse operands.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// tile is a matrix in memory that wmma.load and wmma.store access, element by
// element.
type tile struct {
	ac       *access
	t        isa.Type
	unit     isa.Type // t, or the byte that holds several
	stride   slot     // elements from one row, or column, to the next
	rowMajor bool
	frag     matrix.Fragment
	regs     []operand
}

// place is the byte address of an element relative to the matrix, and the
// position in it of elements narrower than a byte.
func (t *tile) place(row, col int, stride uint32) (off uint64, shift uint) {
	q := uint64(row)*uint64(stride) + uint64(col)
	if !t.rowMajor {
		q = uint64(col)*uint64(stride) + uint64(row)
	}
	bit := q * uint64(t.t.Bits())
	return bit / 8, uint(bit % 8)
}

// each calls f with the memory of every element of the lanes in part, until an
// access faults.
func (t *tile) each(x *engine, in *inst, part lanes, f func(lane, r, j int, p unsafe.Pointer, shift uint)) {
	base, stride := x.frame.r64(in.a), x.frame.r32(t.stride)
	if x.listener != nil {
		matrix := access{space: t.ac.space, off: t.ac.off, kind: t.ac.kind} // its beginning
		matrix.emit(x, in, in.a, part)
	}
	w := t.ac.window(x)
	faulted := false
	t.frag.Elements(func(lane, r, j, row, col int) {
		if faulted || !part.has(lane) {
			return
		}
		off, shift := t.place(row, col, stride[lane])
		p := t.ac.locate(x, in, &w, base[lane]+t.ac.off+off, lane)
		if faulted = p == nil; !faulted {
			f(lane, r, j, p, shift)
		}
	})
}

func (t *tile) load(x *engine, in *inst, part lanes) {
	f, width := x.frame, t.t.Bits()
	t.each(x, in, part, func(lane, r, j int, p unsafe.Pointer, shift uint) {
		v := peek(p, t.unit)[0] >> shift & (1<<width - 1)
		reg := t.regs[r]
		if j > 0 {
			v = f.word(reg.slot, reg.wide(), lane) | v<<(j*width)
		}
		f.setLane(reg.slot, slotBits(reg.typ), lane, [2]uint64{v})
	})
}

func (t *tile) store(x *engine, in *inst, part lanes) {
	f, width := x.frame, t.t.Bits()
	t.each(x, in, part, func(lane, r, j int, p unsafe.Pointer, _ uint) {
		reg := t.regs[r]
		if poke(p, t.unit, [2]uint64{f.word(reg.slot, reg.wide(), lane) >> (j * width)}) {
			x.wrote()
		}
	})
}

// matrixRows is the access of ldmatrix and stmatrix: lane i of matrix r/8 names
// row i%8, of eight 16-bit elements.
type matrixRows struct {
	ac    *access
	regs  []operand
	trans bool
	store bool
}

func (mr *matrixRows) exec(x *engine, in *inst, part lanes) {
	if x.listener != nil {
		mr.ac.emit(x, in, in.a, part&(1<<(8*len(mr.regs))-1))
	}
	addr := x.frame.r64(in.a)
	w := mr.ac.window(x)
	for r := range mr.regs {
		var rows [8]unsafe.Pointer
		for i := range rows {
			lane := 8*r + i
			if rows[i] = mr.ac.locate(x, in, &w, addr[lane]+mr.ac.off, lane); rows[i] == nil {
				return
			}
		}
		mr.matrix(x, r, &rows, part)
	}
}

// matrix moves one matrix between its rows in memory and register r of the lanes
// in part: lane i has elements 2*(i%4) and 2*(i%4)+1 of row i/4, or of column i/4
// with .trans.
func (mr *matrixRows) matrix(x *engine, r int, rows *[8]unsafe.Pointer, part lanes) {
	reg := x.frame.r32(mr.regs[r].slot)
	for m := part; m != 0; m &= m - 1 {
		lane := m.first()
		for j := range 2 {
			row, col := lane/4, lane%4*2+j
			if mr.trans {
				row, col = col, row
			}
			p := unsafe.Add(rows[row], 2*col)
			if mr.store {
				if poke(p, isa.B16, [2]uint64{uint64(reg[lane] >> (16 * j))}) {
					x.wrote()
				}
				continue
			}
			v := uint32(peek(p, isa.B16)[0]) << (16 * j)
			if j > 0 {
				v |= reg[lane]
			}
			reg[lane] = v
		}
	}
}

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
