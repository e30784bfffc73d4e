// Matrices in memory and in registers: loads and stores of wmma, ldmatrix and stmatrix, and mma.sp with sparse
// operands.

package mma

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// tile is a matrix in memory that wmma.load and wmma.store access element by element.
type tile struct {
	ac       *state.Access
	t        isa.Type
	unit     isa.Type   // t, or the byte that holds several elements
	stride   state.Slot // distance in elements of one row, or column, from the next
	rowMajor bool
	frag     matrix.Fragment
	regs     []state.Operand
	seen     state.Access // for listeners: access to the elements of a register, if they are adjacent in memory, or to one element
}

// place returns the byte offset of an element from the start of the matrix, and the bit position in the byte of
// elements narrower than a byte.
func (t *tile) place(row, col int, stride uint32) (off uint64, shift uint) {
	q := uint64(row)*uint64(stride) + uint64(col)
	if !t.rowMajor {
		q = uint64(col)*uint64(stride) + uint64(row)
	}
	bit := q * uint64(t.t.Bits())
	return bit / 8, uint(bit % 8)
}

// each calls f with the memory of every element of the lanes in part, until an access faults.
func (t *tile) each(x *state.Engine, in *state.Inst, part state.Lanes,
	f func(lane, r, j int, p unsafe.Pointer, shift uint),
) {
	base, stride := x.Frame.R64(in.A), x.Frame.R32(t.stride)
	if x.Listener != nil {
		t.emit(x, in, part)
	}
	w := memory.Window(t.ac, x)
	faulted := false
	t.frag.Elements(func(lane, r, j, row, col int) {
		if faulted || !part.Has(lane) {
			return
		}
		off, shift := t.place(row, col, stride[lane])
		p := memory.Locate(t.ac, x, in, &w, base[lane]+t.ac.Off+off, lane)
		if faulted = p == nil; !faulted {
			f(lane, r, j, p, shift)
		}
	})
}

// adjacent reports whether the elements of a register are adjacent in memory.
func (t *tile) adjacent() bool { return t.rowMajor && t.frag.Cols%t.frag.Per == 0 }

// watched returns the access to emit for a register, or for each of its elements.
func (t *tile) watched() state.Access {
	seen := *t.ac
	if t.adjacent() {
		seen.Size = uint64(t.frag.Per*t.t.Bits()) / 8
	}
	return seen
}

// emit emits the access of each register of the lanes in part, or of each element if those of a register are not
// adjacent.
func (t *tile) emit(x *state.Engine, in *state.Inst, part state.Lanes) {
	if events.Ignored(&x.Emitter, &t.seen) {
		return
	}
	base, stride := x.Frame.R64(in.A), x.Frame.R32(t.stride)
	elements := t.frag.Per
	if t.adjacent() {
		elements = 1
	}
	for r := range t.frag.Regs {
		for j := range elements {
			for m := part; m != 0; m &= m - 1 {
				lane := m.First()
				row, col := t.frag.At(lane, r, j)
				off, _ := t.place(row, col, stride[lane])
				x.Addrs[lane] = events.Generic(t.ac, base[lane]+t.ac.Off+off)
			}
			events.EmitAccess(x, in, &t.seen, part, &x.Addrs)
		}
	}
}

func (t *tile) load(x *state.Engine, in *state.Inst, part state.Lanes) {
	f, width := x.Frame, t.t.Bits()
	t.each(x, in, part, func(lane, r, j int, p unsafe.Pointer, shift uint) {
		v := state.Peek(p, t.unit)[0] >> shift & (1<<width - 1)
		reg := t.regs[r]
		if j > 0 {
			v = f.Word(reg.Slot, reg.Wide(), lane) | v<<(j*width)
		}
		f.SetLane(reg.Slot, events.SlotBits(reg.Typ), lane, [2]uint64{v})
	})
}

func (t *tile) store(x *state.Engine, in *state.Inst, part state.Lanes) {
	f, width := x.Frame, t.t.Bits()
	t.each(x, in, part, func(lane, r, j int, p unsafe.Pointer, _ uint) {
		reg := t.regs[r]
		if state.Poke(p, t.unit, [2]uint64{f.Word(reg.Slot, reg.Wide(), lane) >> (j * width)}) {
			x.Wrote()
		}
	})
}

// matrixRows is the access of ldmatrix and stmatrix: lane i of a matrix has the address of row i, of 16 bytes.
type matrixRows struct {
	ac     *state.Access
	regs   []state.Operand
	layout rowLayout
	store  bool
}

// rowLayout describes the elements of a matrix in memory that the lanes hold (PTX ISA, ldmatrix, stmatrix).
type rowLayout struct {
	rows, regs int // of a matrix: rows in memory, registers per lane
	width      int // bits of an element in a register
	packed     int // bits of an element in memory, if it is narrower
	at         func(lane, r, j int) (row, col int)
}

// rowLayoutOf returns the layout of a shape. For 8-bit elements, ldmatrix.m16n16.trans gives each lane four rows of two
// columns eight apart, and stmatrix.m16n8.trans stores an accumulator of mma column by column.
func rowLayoutOf(m, n int, trans, store bool) (rowLayout, bool) {
	switch {
	case m == 8 && n == 8 && trans:
		return rowLayout{8, 1, 16, 16, func(lane, _, j int) (int, int) { return lane%4*2 + j, lane / 4 }}, true
	case m == 8 && n == 8:
		return rowLayout{8, 1, 16, 16, func(lane, _, j int) (int, int) { return lane / 4, lane%4*2 + j }}, true
	case m == 8 && n == 16 && !store:
		return rowLayout{8, 1, 8, 8, func(lane, _, j int) (int, int) { return lane / 4, lane%4*4 + j }}, true
	case m == 16 && n == 16 && !store:
		return rowLayout{16, 2, 8, 8, func(lane, r, j int) (int, int) { return lane%4*4 + j, lane/4 + 8*r }}, true
	case m == 16 && n == 8 && store:
		return rowLayout{8, 1, 8, 8, func(lane, _, j int) (int, int) { return lane%4*2 + j%2, lane/4 + j/2*8 }}, true
	}
	return rowLayout{}, false
}

func (mr *matrixRows) exec(x *state.Engine, in *state.Inst, part state.Lanes) {
	if x.Listener != nil {
		if mr.store && x.Interest.Values && !events.Ignored(&x.Emitter, mr.ac) {
			mr.note(x, part)
		}
		events.Emit(mr.ac, x, in, in.A, part&(1<<(8*len(mr.regs))-1))
	}
	addr := x.Frame.R64(in.A)
	w := memory.Window(mr.ac, x)
	for k := range len(mr.regs) / mr.layout.regs {
		var rows [16]unsafe.Pointer
		for i := range mr.layout.rows {
			lane := mr.layout.rows*k + i
			if rows[i] = memory.Locate(mr.ac, x, in, &w, addr[lane]+mr.ac.Off, lane); rows[i] == nil {
				return
			}
		}
		for r := range mr.layout.regs {
			mr.register(x, k*mr.layout.regs+r, r, &rows, part)
		}
	}
}

// note records the rows that stmatrix stores: those of matrix k are at the addresses of the lanes from 8*k on.
func (mr *matrixRows) note(x *state.Engine, part state.Lanes) {
	l, rest := &mr.layout, vector.Row{}
	v := &x.Values
	v.New, v.Done = vector.Row{}, uint32(part)
	for k, reg := range mr.regs {
		words := x.Frame.R32(reg.Slot)
		for m := part; m != 0; m &= m - 1 {
			for j := range 32 / l.width {
				row, col := l.at(m.First(), 0, j)
				half, bit := &v.New, col*l.width
				if bit >= 64 {
					half, bit = &rest, bit-64
				}
				half[l.rows*k+row] |= uint64(words[m.First()]) >> (l.width * j) & events.LowBits(l.width) << bit
			}
		}
	}
	events.Fingerprint(&v.New, &rest)
}

// register moves the elements of register r of a matrix between the lanes in part and the rows in memory.
func (mr *matrixRows) register(x *state.Engine, reg, r int, rows *[16]unsafe.Pointer, part state.Lanes) {
	values, l := x.Frame.R32(mr.regs[reg].Slot), &mr.layout
	t := isa.B16
	if l.width == 8 {
		t = isa.B8
	}
	for m := part; m != 0; m &= m - 1 {
		lane, word := m.First(), uint32(0)
		for j := range 32 / l.width {
			row, col := l.at(lane, r, j)
			switch {
			case mr.store:
				if state.Poke(unsafe.Add(rows[row], col*t.Size()), t,
					[2]uint64{uint64(values[lane] >> (l.width * j))}) {
					x.Wrote()
				}
			case l.packed < l.width: // the row ends with padding
				bit := col * l.packed
				pair := *(*[2]uint8)(unsafe.Add(rows[row], bit/8))
				word |= (uint32(pair[0]) | uint32(pair[1])<<8) >> (bit % 8) & (1<<l.packed - 1) << (l.width * j)
			default:
				word |= uint32(state.Peek(unsafe.Add(rows[row], col*t.Size()), t)[0]) << (l.width * j)
			}
		}
		if !mr.store {
			values[lane] = word
		}
	}
}

// mma.sp: decoding, and the metadata of lanes.

// gather reads a matrix from the registers of a warp.
func gather(g *matrix.Fragment, f *state.Frame, regs []state.Operand, t isa.Type) matrix.Matrix {
	m, width, mask := matrix.New(g.Rows, g.Cols), t.Bits(), ^uint64(0)
	if width < 64 {
		mask = 1<<width - 1
	}
	for r, reg := range regs {
		for j := range g.Per {
			places, shift := g.Places(r, j), j*width
			if reg.Wide() {
				for lane, v := range f.R64(reg.Slot) {
					m.V[places[lane]] = v >> shift & mask
				}
				continue
			}
			for lane, v := range f.R32(reg.Slot) {
				m.V[places[lane]] = uint64(v) >> shift & mask
			}
		}
	}
	return m
}

// scatter writes a matrix to the registers of the lanes in part.
func scatter(g *matrix.Fragment, f *state.Frame, regs []state.Operand, t isa.Type, m matrix.Matrix, part state.Lanes) {
	width := t.Bits()
	for r, reg := range regs {
		var words state.Vec64
		for j := range g.Per {
			for lane, at := range g.Places(r, j) {
				words[lane] |= m.V[at] << (j * width)
			}
		}
		bits := events.SlotBits(reg.Typ)
		for rest := part; rest != 0; rest &= rest - 1 {
			lane := rest.First()
			f.SetLane(reg.Slot, bits, lane, [2]uint64{words[lane]})
		}
	}
}

// heldMatrix is an operand of wgmma in the registers of a warp.
type heldMatrix struct {
	matrix.Fragment
	t      isa.Type
	values *matrix.Values
	regs   []state.Operand
	// pairs says that two registers each hold eight rows of eight neighbouring floats, as in an accumulator.
	pairs bool
}

// held resolves operand i to the registers of a fragment. With negate, its elements are read with the opposite sign.
func held(d *state.Decoder, in *rewrite.Inst, i int, g matrix.Fragment, t isa.Type, negate,
	dst bool,
) (heldMatrix, error) {
	regs, err := Registers(d, in, i, g.Regs, width(t), dst)
	return heldMatrix{g.Placed(), t, matrix.ValuesOf(t, negate), regs, dst && t == isa.F32}, err
}

// eachPair calls use for pairs of registers of floats, with the position of their elements in the matrix.
func (h *heldMatrix) eachPair(f *state.Frame, m vector.Numbers, use func(m vector.Numbers, even, odd *state.Vec32)) {
	for r := 0; r < len(h.regs); r += 2 {
		use(m.From(r/2%2*8, r/4*8), f.R32(h.regs[r].Slot), f.R32(h.regs[r+1].Slot))
	}
}

// read converts the elements of the registers to floats and writes them to the matrix to, which has the fragment's rows
// and columns.
func (h *heldMatrix) read(f *state.Frame, to vector.Numbers) {
	if h.pairs {
		h.eachPair(f, to, func(m vector.Numbers, even, odd *state.Vec32) {
			vector.WidenPairs(m, even, odd)
		})
		return
	}
	bits := h.t.Bits()
	mask := uint64(1)<<bits - 1
	for r, reg := range h.regs {
		for j := range h.Per {
			places, shift := h.Places(r, j), j*bits
			for lane, v := range f.R32(reg.Slot) {
				to.V[places[lane]] = h.values.At(uint64(v) >> shift & mask)
			}
		}
	}
}

// write rounds sums and writes them to the registers of the lanes in part.
func (h *heldMatrix) write(f *state.Frame, sums vector.Numbers, saturate bool, part state.Lanes) {
	if h.pairs && part == state.AllLanes {
		h.eachPair(f, sums, func(m vector.Numbers, even, odd *state.Vec32) {
			vector.NarrowPairs(even, odd, m)
		})
		return
	}
	bits := h.t.Bits()
	for r, reg := range h.regs {
		to := f.R32(reg.Slot)
		for rest := part; rest != 0; rest &= rest - 1 {
			lane, word := rest.First(), uint64(0)
			for j := range h.Per {
				word |= matrix.Rounded(h.t, saturate, sums.V[h.Places(r, j)[lane]]) << (j * bits)
			}
			to[lane] = uint32(word)
		}
	}
}

// decodeSparseMMA: mma.sp{::ordered_metadata}.sync.aligned.shape.row.col.dtype.atype.btype.ctype
// d, a, b, c, e, f.
func decodeSparseMMA(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	m, _, k := shapeOf(in)
	p := productOf(in, in.Type(0), in.Type(1), in.Type(2), in.Type(3))
	frags := [4]matrix.Fragment{
		matrix.FragmentC(m, p.D), matrix.FragmentA(m, k/2, p.A), matrix.FragmentB(k, p.B),
		matrix.FragmentC(m, p.C),
	}
	var regs [4][]state.Operand
	for i, t := range []isa.Type{p.D, p.A, p.B, p.C} {
		var err error
		if regs[i], err = Registers(d, in, i, frags[i].Regs, width(t), i == 0); err != nil {
			return state.Inst{}, err
		}
	}
	meta, err := decode.WordOf(d, in, &in.Operands[4], isa.B32)
	if err != nil {
		return state.Inst{}, err
	}
	s := matrix.SparsityOf(p.A, k)
	if err := sparsitySelector(d, in, &in.Operands[5], &s); err != nil {
		return state.Inst{}, err
	}
	op := &state.SyncOp{
		Writes: decode.SlotsOf(regs[0]...),
		Reads:  decode.SlotsOf(state.Operand{Slot: meta, Typ: isa.B32}),
	}
	for _, r := range regs[1:] {
		op.Reads = append(op.Reads, decode.SlotsOf(r...)...)
	}
	op.Body = func(x *state.Engine, in *state.Inst, part state.Lanes) {
		f := x.Frame
		cols, ok := allColumns(&s, x, in, f.R32(meta), m)
		if !ok {
			return
		}
		a, b, c := gather(&frags[1], f, regs[1], p.A), gather(&frags[2], f, regs[2], p.B),
			gather(&frags[3], f, regs[3], p.C)
		scatter(&frags[0], f, regs[0], p.D, p.MultiplySparse(a, b, c, cols), part)
	}
	return WholeWarp(d, op, state.Inst{Flags: state.FlagFaults}), nil
}

// sparsitySelector resolves the constant that selects the threads that hold metadata.
func sparsitySelector(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand, s *matrix.Sparsity) error {
	if limit := uint64(4 / s.Threads); op.Kind != rewrite.OperandImm || op.Imm >= limit {
		return decode.Errorf(d, in, "%s: sparsity selector %s, expected a constant below %d", in.Text(),
			decode.Text(d, op), limit)
	}
	s.First = int(op.Imm) * s.Threads
	return nil
}

// allColumns returns the columns of the stored elements, row by row. Metadata that is invalid according to the manual
// is a fault.
func allColumns(s *matrix.Sparsity, x *state.Engine, in *state.Inst, meta *state.Vec32, rows int) ([][]int, bool) {
	out := make([][]int, rows)
	for row := range out {
		for chunk := range s.Chunks {
			thread, bit := s.Place(row, chunk)
			lane := row%8*4 + thread
			cols, ok := s.Columns(chunk, meta[lane]>>bit&15)
			if !ok {
				faults.Raise(x, in, lane, "unsupported", 0,
					"invalid sparsity metadata 0x%x for row %d, chunk %d: the result is undefined", meta[lane]>>bit&15,
					row, chunk)
				return nil, false
			}
			out[row] = append(out[row], cols[:s.Stored]...)
		}
	}
	return out, true
}
