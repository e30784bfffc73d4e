// Matrices in memory: loads and stores of wmma, ldmatrix and stmatrix.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
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
