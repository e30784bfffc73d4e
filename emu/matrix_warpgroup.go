// Matrices in shared memory that wgmma reads through descriptors.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Matrices of wgmma in shared memory, which a 64-bit descriptor describes (PTX ISA,
// "Asynchronous Warpgroup Level Matrix Shared Memory Layout"), and the fragments of
// wgmma that mma does not have.

const (
	// groupWarps is how many warps a warpgroup has; the first one's number in the
	// block is a multiple of it.
	groupWarps = 4
	// groupRows is how many rows of the accumulator and of A belong to one warp.
	groupRows = 16
	// sliceBytes is the unit that layouts move: neighbouring elements of a row of
	// A, a column of B, or of a transposed matrix across.
	sliceBytes = 16
	// coreRows is how many slices stand below each other in one piece.
	coreRows = 8
)

// fragmentD is the 16 by n part that a warp holds of the accumulator of wgmma:
// fragments of mma, side by side.
func fragmentD(n int, t isa.Type) matrix.Fragment {
	c := matrix.FragmentC(groupRows, t)
	return matrix.Fragment{Rows: groupRows, Cols: n, Regs: c.Regs * n / c.Cols, Per: c.Per, At: func(lane, r, j int) (int, int) {
		row, col := c.At(lane, r%c.Regs, j)
		return row, col + r/c.Regs*c.Cols
	}}
}

// descriptor is a matrix descriptor, decoded.
type descriptor struct {
	start           uint64 // shared address in the block, in bytes
	leading, stride uint64 // offsets in bytes
	// base is the number, modulo 8, of the 128-byte line at which the swizzling
	// pattern starts; 0 when that is as aligned as the pattern is long.
	base uint64
	// slices is how many slices of a line the swizzling permutes: 1, when there is
	// none, to 8.
	slices uint64
}

// descriptorOf decodes the 64 bits: start, leading and stride in units of 16 bytes
// at bits 0, 16 and 32, the base offset at bit 49, the swizzling at bit 62.
func descriptorOf(v uint64) descriptor {
	bytes := func(at int) uint64 { return v >> at & 0x3fff * sliceBytes }
	return descriptor{
		start: bytes(0), leading: bytes(16), stride: bytes(32), base: v >> 49 & 7,
		slices: [...]uint64{1, 8, 4, 2}[v>>62],
	}
}

// swizzled is the address at which what belongs at addr is: the number of the slice
// in its line is combined with that of the line.
func (m *descriptor) swizzled(addr uint64) uint64 {
	const line = coreRows * sliceBytes
	return addr ^ (addr/line-m.base)&(m.slices-1)*sliceBytes
}

// alongK is the offset, before swizzling, of slice number i of a row of A or a
// column of B, whose elements follow each other along K.
func (m *descriptor) alongK(row, i uint64) uint64 {
	off := row/coreRows*m.stride + row%coreRows*m.slices*sliceBytes
	if m.slices == 1 {
		return off + i*m.leading
	}
	return off + i*sliceBytes
}

// acrossK is alongK for transposed matrices: slice number i of those that hold
// column k of A, or row k of B.
func (m *descriptor) acrossK(k, i uint64) uint64 {
	to, over := m.leading, m.stride // the next slices, the next eight k
	if m.slices == 1 {
		to, over = m.stride, m.leading
	}
	return i/m.slices*to + i%m.slices*sliceBytes + k/coreRows*over + k%coreRows*m.slices*sliceBytes
}

// place is the shared address of the slice that element k of a row of A, or of a
// column of B, is in, and the number of the element in it.
func (m *descriptor) place(row, k, perSlice int, trans bool) (addr uint64, i int) {
	var off uint64
	if trans {
		off, i = m.acrossK(uint64(k), uint64(row/perSlice)), row%perSlice
	} else {
		off, i = m.alongK(uint64(row), uint64(k/perSlice)), k%perSlice
	}
	return m.swizzled(m.start + off), i
}

// sharedMatrix is a matrix operand in shared memory: of A the rows of one warp, or
// B, whose columns are called rows here.
type sharedMatrix struct {
	t       isa.Type
	rows, k int
	trans   bool // along the rows' direction in place of K
	ac      access
}

func newSharedMatrix(t isa.Type, rows, k int, trans bool) *sharedMatrix {
	return &sharedMatrix{t, rows, k, trans, access{space: isa.SpaceShared, size: sliceBytes, kind: isa.AccessLoad, async: AsyncMatrices}}
}

// load reads the rows from first on, for a lane that stands for all; false when
// that faulted.
func (s *sharedMatrix) load(x *engine, in *inst, desc uint64, first, lane int) (matrix.Matrix, bool) {
	d := descriptorOf(desc)
	d.start += x.cta.sharedBase()
	s.emit(x, in, &d, first)
	w := s.ac.window(x)
	width, out := s.t.Bits(), matrix.New(s.rows, s.k)
	for row := range s.rows {
		for k := range s.k {
			addr, i := d.place(first+row, k, 8*sliceBytes/width, s.trans)
			p := s.ac.locate(x, in, &w, addr, lane)
			if p == nil {
				return matrix.Matrix{}, false
			}
			*out.At(row, k) = (*[2]uint64)(p)[i*width/64] >> (i * width % 64) & (1<<width - 1)
		}
	}
	return out, true
}

// emit reports the slices that hold the rows from first on, as accesses of the lanes of the
// warp, a slice each: the warp reads them together, and waits together.
func (s *sharedMatrix) emit(x *engine, in *inst, d *descriptor, first int) {
	if x.ignored(&s.ac) {
		return
	}
	perSlice := 8 * sliceBytes / s.t.Bits()
	addrs := make([]uint64, 0, s.rows*s.k)
	for row := range s.rows {
		for k := range s.k {
			addr, _ := d.place(first+row, k, perSlice, s.trans)
			addrs = append(addrs, addr)
		}
	}
	slices.Sort(addrs)
	ac := s.ac
	for some := range slices.Chunk(slices.Compact(addrs), warpSize) {
		for i, addr := range some {
			x.addrs[i] = ac.generic(addr)
		}
		x.emitAccess(in, &ac, lanes(1<<len(some)-1), &x.addrs)
	}
}

// uniform is the value of a register that all lanes in part must agree on; what
// names it in the fault when they do not.
func (x *engine) uniform(in *inst, r operand, part lanes, what string) (uint64, bool) {
	first := part.first()
	v := x.frame.word(r.slot, r.wide(), first)
	for ; part != 0; part &= part - 1 {
		lane := part.first()
		if u := x.frame.word(r.slot, r.wide(), lane); u != v {
			x.raise(in, lane, "unsupported", 0, "%s is 0x%x in lane %d and 0x%x in lane %d: the result is undefined", what, v, first, u, lane)
			return 0, false
		}
	}
	return v, true
}
