package matrix

import (
	"math"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// The fragments of mma as the manual writes them (PTX ISA, "Matrix Fragments for mma.m..."):
// group is laneid>>2, in is laneid%4, i the number of the element.
func TestFragments(t *testing.T) {
	plus := func(cond bool, n int) int {
		if cond {
			return n
		}
		return 0
	}
	for name, c := range map[string]struct {
		f        Fragment
		elements int // of a lane
		at       func(group, in, i int) (row, col int)
	}{
		"m16n8k16 f16 A": {FragmentA(16, 16, isa.F16), 8, func(g, in, i int) (int, int) {
			return g + plus(i&2 != 0, 8), in*2 + i&1 + plus(i >= 4, 8)
		}},
		"m16n8k8 f16 A": {FragmentA(16, 8, isa.F16), 4, func(g, in, i int) (int, int) {
			return g + plus(i >= 2, 8), in*2 + i&1
		}},
		"m16n8k8 tf32 A": {FragmentA(16, 8, isa.TF32), 4, func(g, in, i int) (int, int) {
			return g + plus(i == 1 || i == 3, 8), in + plus(i >= 2, 4)
		}},
		"m8n8k4 f64 A": {FragmentA(8, 4, isa.F64), 1, func(g, in, _ int) (int, int) { return g, in }},
		"m8n8k16 s8 A": {FragmentA(8, 16, isa.S8), 4, func(g, in, i int) (int, int) { return g, in*4 + i }},
		"m16n8k32 u8 A": {FragmentA(16, 32, isa.U8), 16, func(g, in, i int) (int, int) {
			return g + plus(i/4&1 != 0, 8), in*4 + i&3 + plus(i >= 8, 16)
		}},
		"m16n8k64 s4 A": {FragmentA(16, 64, isa.S4), 32, func(g, in, i int) (int, int) {
			return g + plus(i/8&1 != 0, 8), in*8 + i&7 + plus(i >= 16, 32)
		}},
		"m16n8k256 b1 A": {FragmentA(16, 256, isa.B1), 128, func(g, in, i int) (int, int) {
			return g + plus(i/32&1 != 0, 8), in*32 + i&31 + plus(i >= 64, 128)
		}},
		"m16n8k16 f16 B": {FragmentB(16, isa.F16), 4, func(g, in, i int) (int, int) { return in*2 + i&1 + plus(i >= 2, 8), g }},
		"m16n8k32 s8 B":  {FragmentB(32, isa.S8), 8, func(g, in, i int) (int, int) { return in*4 + i&3 + plus(i >= 4, 16), g }},
		"m8n8k4 f64 B":   {FragmentB(4, isa.F64), 1, func(g, in, _ int) (int, int) { return in, g }},
		"m16n8 f32 C": {FragmentC(16, isa.F32), 4, func(g, in, i int) (int, int) {
			return g + plus(i >= 2, 8), in*2 + i&1
		}},
		"m16n8 f16 C": {FragmentC(16, isa.F16), 4, func(g, in, i int) (int, int) {
			return g + plus(i >= 2, 8), in*2 + i&1
		}},
		"m8n8 s32 C": {FragmentC(8, isa.S32), 2, func(g, in, i int) (int, int) { return g, in*2 + i&1 }},
	} {
		if got := c.f.Regs * c.f.Per; got != c.elements {
			t.Errorf("%s: %d elements of a lane, expected %d", name, got, c.elements)
		}
		c.f.Elements(func(lane, r, j, row, col int) {
			if wantRow, wantCol := c.at(lane>>2, lane%4, r*c.f.Per+j); row != wantRow || col != wantCol {
				t.Errorf("%s, lane %d, element %d: (%d,%d), expected (%d,%d)", name, lane, r*c.f.Per+j, row, col, wantRow, wantCol)
			}
		})
	}
}

// The fragments of mma.m8n8k4 with .f16 (PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16
// floating point type"). Quads 0 to 3 and the quad 16 lanes above compute products 0 to 3.
func TestQuadPairs(t *testing.T) {
	high := func(lane int) int { return lane / 16 * 4 }
	for name, c := range map[string]struct {
		f          Fragment
		rows, cols int // of one matrix
		at         func(lane, i int) (row, col int)
	}{
		"A row":    {QuadPairA(true), 8, 4, func(lane, i int) (int, int) { return lane%4 + high(lane), i }},
		"A column": {QuadPairA(false), 8, 4, func(lane, i int) (int, int) { return i%4 + high(lane), lane % 4 }},
		"B row":    {QuadPairB(true), 4, 8, func(lane, i int) (int, int) { return lane % 4, i + high(lane) }},
		"B column": {QuadPairB(false), 4, 8, func(lane, i int) (int, int) { return i, lane%4 + high(lane) }},
		"C f16":    {QuadPairC(isa.F16), 8, 8, func(lane, i int) (int, int) { return lane%4 + high(lane), i }},
		"C f32":    {QuadPairC(isa.F32), 8, 8, func(lane, i int) (int, int) { return lane&1 + i&2 + high(lane), i&4 + lane&2 + i&1 }},
	} {
		c.f.Elements(func(lane, r, j, row, col int) {
			wantRow, wantCol := c.at(lane, r*c.f.Per+j)
			wantRow += lane % 16 / 4 * c.rows
			if row != wantRow || col != wantCol {
				t.Errorf("%s, lane %d, element %d: (%d,%d), expected (%d,%d)", name, lane, r*c.f.Per+j, row, col, wantRow, wantCol)
			}
		})
	}
}

// Every fragment holds each element of its matrix, those of mma exactly once.
func TestFragmentsCover(t *testing.T) {
	for name, f := range map[string]Fragment{
		"A": FragmentA(16, 32, isa.S8), "B": FragmentB(64, isa.U4), "C": FragmentC(16, isa.F64),
		"quads A": QuadPairA(false), "quads B": QuadPairB(true), "quads C": QuadPairC(isa.F32),
	} {
		seen := make([]int, f.Rows*f.Cols)
		f.Elements(func(_, _, _, row, col int) { seen[row*f.Cols+col]++ })
		for i, n := range seen {
			if n != 1 {
				t.Errorf("%s: (%d,%d) is held %d times", name, i/f.Cols, i%f.Cols, n)
			}
		}
	}
	f := OpaqueFragment(16, 16, 8, 2) // registers for twice the matrix
	n := 0
	f.Elements(func(_, _, _, _, _ int) { n++ })
	if n != 2*16*16 {
		t.Errorf("an opaque fragment holds %d elements", n)
	}
}

func f32s(v ...float32) (out []uint64) {
	for _, x := range v {
		out = append(out, uint64(math.Float32bits(x)))
	}
	return out
}

// Products of 1x2 and 2x1 matrices.
func TestMultiply(t *testing.T) {
	for name, c := range map[string]struct {
		p    Product
		a, b []uint64
		c    uint64
		want uint64
	}{
		"u8":                    {Product{A: isa.U8, B: isa.U8, C: isa.S32, D: isa.S32}, []uint64{255, 2}, []uint64{255, 3}, 1, 255*255 + 6 + 1},
		"s8 by u8":              {Product{A: isa.S8, B: isa.U8, C: isa.S32, D: isa.S32}, []uint64{0xff, 0x80}, []uint64{255, 1}, 0, 0xfffffe81},
		"s32 wraps":             {Product{A: isa.U8, B: isa.U8, C: isa.S32, D: isa.S32}, []uint64{1, 0}, []uint64{1, 0}, math.MaxInt32, 1 << 31},
		"s32 saturates":         {Product{A: isa.U8, B: isa.U8, C: isa.S32, D: isa.S32, Saturate: true}, []uint64{1, 0}, []uint64{1, 0}, math.MaxInt32, math.MaxInt32},
		"b1 xor":                {Product{A: isa.B1, B: isa.B1, C: isa.S32, D: isa.S32}, []uint64{1, 1}, []uint64{0, 1}, 5, 6},
		"b1 and":                {Product{A: isa.B1, B: isa.B1, C: isa.S32, D: isa.S32, And: true}, []uint64{1, 1}, []uint64{0, 1}, 5, 6},
		"f16 to f32":            {Product{A: isa.F16, B: isa.F16, C: isa.F32, D: isa.F32}, []uint64{0x3c00, 0x4000}, []uint64{0x4000, 0xc000}, f32s(0.5)[0], f32s(-1.5)[0]},
		"f16 overflows":         {Product{A: isa.F16, B: isa.F16, C: isa.F16, D: isa.F16}, []uint64{0x7bff, 0x7bff}, []uint64{0x3c00, 0x3c00}, 0, 0x7c00},
		"f16 satfinite":         {Product{A: isa.F16, B: isa.F16, C: isa.F16, D: isa.F16, Saturate: true}, []uint64{0x7bff, 0x7bff}, []uint64{0x3c00, 0x3c00}, 0, 0x7bff},
		"f64 by fused products": {Product{A: isa.F64, B: isa.F64, C: isa.F64, D: isa.F64}, []uint64{math.Float64bits(1 + 0x1p-52), 0}, []uint64{math.Float64bits(1 - 0x1p-52), 0}, math.Float64bits(-1), math.Float64bits(-0x1p-104)},
	} {
		a, b, acc := Matrix{2, c.a}, Matrix{1, c.b}, Matrix{1, []uint64{c.c}}
		if got := *c.p.Multiply(a, b, acc, 1, 1, 2, 1).At(0, 0); got != c.want {
			t.Errorf("%s: %#x, expected %#x", name, got, c.want)
		}
	}
}

// Several products stand below each other, and a sparse product is the dense one with zeros.
func TestMultiplyShapes(t *testing.T) {
	p := Product{A: isa.S8, B: isa.S8, C: isa.S32, D: isa.S32}
	a, b, c := Matrix{2, []uint64{1, 2, 3, 4}}, Matrix{1, []uint64{5, 6, 7, 8}}, New(2, 1)
	d := p.Multiply(a, b, c, 1, 1, 2, 2)
	if *d.At(0, 0) != 1*5+2*6 || *d.At(1, 0) != 3*7+4*8 {
		t.Errorf("blocks: %v", d.V)
	}
	sparse := p.MultiplySparse(Matrix{2, []uint64{10, 20}}, Matrix{1, []uint64{1, 2, 3, 4}}, New(1, 1), [][]int{{1, 3}})
	if got := *sparse.At(0, 0); got != 10*2+20*4 {
		t.Errorf("sparse: %d", got)
	}
	if m := (Matrix{3, []uint64{1, 2, 3, 4, 5, 6}}).Transposed(); *m.At(2, 1) != 6 || *m.At(0, 1) != 4 || m.Cols != 2 {
		t.Errorf("transposed: %+v", m)
	}
}

// Metadata of sparse matrices (PTX ISA, "Sparse matrix storage"): two of four elements, pairs of
// eight at 4 bits, and of two tf32 elements one, for which only 0b1110 and 0b0100 are valid.
func TestSparsityColumns(t *testing.T) {
	for _, c := range []struct {
		t     isa.Type
		k     int
		chunk int
		meta  uint32
		want  []int
		ok    bool
	}{
		{isa.F16, 16, 0, 0b0100, []int{0, 1}, true},
		{isa.F16, 16, 3, 0b1110, []int{14, 15}, true},
		{isa.F16, 16, 1, 0b1101, []int{5, 7}, true},
		{isa.F16, 16, 1, 0b0101, nil, false}, // one element twice
		{isa.S8, 64, 2, 0b1100, []int{8, 11}, true},
		{isa.U4, 128, 1, 0b1001, []int{10, 11, 12, 13}, true},
		{isa.TF32, 16, 2, 0b0100, []int{4}, true},
		{isa.TF32, 16, 2, 0b1110, []int{5}, true},
		{isa.TF32, 16, 2, 0b1001, nil, false},
	} {
		s := SparsityOf(c.t, c.k)
		cols, ok := s.Columns(c.chunk, c.meta)
		if ok != c.ok {
			t.Errorf("%s, metadata %04b: valid %t", c.t, c.meta, ok)
			continue
		}
		for i, want := range c.want {
			if s.Stored != len(c.want) || cols[i] != want {
				t.Errorf("%s, chunk %d, metadata %04b: %v, expected %v", c.t, c.chunk, c.meta, cols[:s.Stored], c.want)
				break
			}
		}
	}
}

// The metadata of the two rows and all chunks lies in disjoint bits of the threads of a quad.
func TestSparsityPlaces(t *testing.T) {
	for _, c := range []struct {
		t isa.Type
		k int
	}{{isa.F16, 16}, {isa.F16, 32}, {isa.TF32, 8}, {isa.TF32, 16}, {isa.S8, 32}, {isa.S8, 64}, {isa.U4, 64}, {isa.U4, 128}} {
		s := SparsityOf(c.t, c.k)
		seen := make(map[[2]int]bool)
		for _, row := range []int{0, 8} {
			for chunk := range s.Chunks {
				thread, bit := s.Place(row, chunk)
				at := [2]int{thread, bit}
				if seen[at] || bit%4 != 0 || bit > 28 || thread > 3 {
					t.Errorf("%s, k %d: row %d, chunk %d at thread %d, bit %d", c.t, c.k, row, chunk, thread, bit)
				}
				seen[at] = true
			}
		}
	}
}
