package emu_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// element is one element of a fragment as the manual describes it: row and column
// of element i of a lane.
type element func(lane, i int) (row, col int)

// The fragments of the manual's sections "Matrix Fragments for mma.mNnNkN", by
// their formulas: groupID is lane>>2, threadID_in_group is lane%4.
func group(lane int) int   { return lane >> 2 }
func inGroup(lane int) int { return lane % 4 }
func pick(c bool, n int) int {
	if c {
		return n
	}
	return 0
}

// Fragments that several shapes have: of 16-bit elements, of bits, and of the result.
var (
	halvesA8  element = func(l, i int) (int, int) { return group(l) + pick(i >= 2, 8), inGroup(l)*2 + i&1 }
	halvesB8  element = func(l, i int) (int, int) { return inGroup(l)*2 + i, group(l) }
	halvesA16 element = func(l, i int) (int, int) {
		return group(l) + pick(i/2%2 == 1, 8), inGroup(l)*2 + i&1 + pick(i >= 4, 8)
	}
	halvesB16 element = func(l, i int) (int, int) { return inGroup(l)*2 + i&1 + pick(i >= 2, 8), group(l) }
	bitsA     element = func(l, i int) (int, int) {
		return group(l) + pick(i/32%2 == 1, 8), inGroup(l)*32 + i&31 + pick(i >= 64, 128)
	}
	bitsB        element = func(l, i int) (int, int) { return inGroup(l)*32 + i&31 + pick(i >= 32, 128), group(l) }
	accumulators element = func(l, i int) (int, int) { return group(l) + pick(i >= 2, 8), inGroup(l)*2 + i&1 }
)

var mmaShapes = []struct {
	shape, types string // d.a.b.c
	m, n, k      int
	na, nb, nc   int // elements of a lane
	a, b, c      element
}{
	{"m16n8k8", "f32.f16.f16.f32", 16, 8, 8, 4, 2, 4, halvesA8, halvesB8, accumulators},
	{"m16n8k16", "f32.f16.f16.f32", 16, 8, 16, 8, 4, 4, halvesA16, halvesB16, accumulators},
	{
		"m16n8k8", "f32.tf32.tf32.f32", 16, 8, 8, 4, 2, 4,
		func(l, i int) (int, int) { return group(l) + pick(i == 1 || i == 3, 8), inGroup(l) + pick(i >= 2, 4) },
		func(l, i int) (int, int) { return inGroup(l) + pick(i == 1, 4), group(l) },
		func(l, i int) (int, int) { return group(l) + pick(i >= 2, 8), inGroup(l)*2 + i&1 },
	},
	{
		"m16n8k32", "s32.s8.s8.s32", 16, 8, 32, 16, 8, 4,
		func(l, i int) (int, int) {
			return group(l) + pick(i/4%2 == 1, 8), inGroup(l)*4 + i&3 + pick(i >= 8, 16)
		},
		func(l, i int) (int, int) { return inGroup(l)*4 + i&3 + pick(i >= 4, 16), group(l) },
		func(l, i int) (int, int) { return group(l) + pick(i >= 2, 8), inGroup(l)*2 + i&1 },
	},
	{
		"m16n8k32", "f32.e4m3.e5m2.f32", 16, 8, 32, 16, 8, 4,
		func(l, i int) (int, int) {
			return group(l) + pick(i/4%2 == 1, 8), inGroup(l)*4 + i&3 + pick(i >= 8, 16)
		},
		func(l, i int) (int, int) { return inGroup(l)*4 + i&3 + pick(i >= 4, 16), group(l) },
		func(l, i int) (int, int) { return group(l) + pick(i >= 2, 8), inGroup(l)*2 + i&1 },
	},
	{
		"m8n8k16", "s32.u8.s8.s32", 8, 8, 16, 4, 4, 2,
		func(l, i int) (int, int) { return group(l), inGroup(l)*4 + i },
		func(l, i int) (int, int) { return inGroup(l)*4 + i, group(l) },
		func(l, i int) (int, int) { return group(l), inGroup(l)*2 + i },
	},
	{
		"m16n8k64", "s32.u4.s4.s32", 16, 8, 64, 32, 16, 4,
		func(l, i int) (int, int) {
			return group(l) + pick(i/8%2 == 1, 8), inGroup(l)*8 + i&7 + pick(i >= 16, 32)
		},
		func(l, i int) (int, int) { return inGroup(l)*8 + i&7 + pick(i >= 8, 32), group(l) },
		func(l, i int) (int, int) { return group(l) + pick(i >= 2, 8), inGroup(l)*2 + i&1 },
	},
	{
		"m16n8k32", "kind::f8f6f4.f32.e5m2.e4m3.f32", 16, 8, 32, 16, 8, 4,
		func(l, i int) (int, int) {
			return group(l) + pick(i/4%2 == 1, 8), inGroup(l)*4 + i&3 + pick(i >= 8, 16)
		},
		func(l, i int) (int, int) { return inGroup(l)*4 + i&3 + pick(i >= 4, 16), group(l) },
		func(l, i int) (int, int) { return group(l) + pick(i >= 2, 8), inGroup(l)*2 + i&1 },
	},
	{
		"m16n8k32", "f16.e5m2.e4m3.f16", 16, 8, 32, 16, 8, 4,
		func(l, i int) (int, int) {
			return group(l) + pick(i/4%2 == 1, 8), inGroup(l)*4 + i&3 + pick(i >= 8, 16)
		},
		func(l, i int) (int, int) { return inGroup(l)*4 + i&3 + pick(i >= 4, 16), group(l) },
		func(l, i int) (int, int) { return group(l) + pick(i >= 2, 8), inGroup(l)*2 + i&1 },
	},
	{"m16n8k8", "f16.f16.f16.f16", 16, 8, 8, 4, 2, 4, halvesA8, halvesB8, accumulators},
	{"m16n8k16", "f16.f16.f16.f16", 16, 8, 16, 8, 4, 4, halvesA16, halvesB16, accumulators},
	{"m16n8k8", "f32.bf16.bf16.f32", 16, 8, 8, 4, 2, 4, halvesA8, halvesB8, accumulators},
	{"m16n8k16", "f32.bf16.bf16.f32", 16, 8, 16, 8, 4, 4, halvesA16, halvesB16, accumulators},
	{"m8n8k128", "s32.b1.b1.s32.xor.popc", 8, 8, 128, 32, 32, 2, bitsA, bitsB, accumulators},
	{"m8n8k128", "s32.b1.b1.s32.and.popc", 8, 8, 128, 32, 32, 2, bitsA, bitsB, accumulators},
	{"m16n8k128", "s32.b1.b1.s32.xor.popc", 16, 8, 128, 64, 32, 4, bitsA, bitsB, accumulators},
	{"m16n8k256", "s32.b1.b1.s32.and.popc", 16, 8, 256, 128, 64, 4, bitsA, bitsB, accumulators},
	{"m16n8k256", "s32.b1.b1.s32.xor.popc", 16, 8, 256, 128, 64, 4, bitsA, bitsB, accumulators},
	// Four products at once, of the quads l%16/4: their rows stand below each other.
	{
		"m8n8k4", "f16.f16.f16.f16", 8, 8, 4, 4, 4, 8,
		func(l, i int) (int, int) { return l%16/4*8 + l%4 + pick(l >= 16, 4), i },
		func(l, i int) (int, int) { return l%16/4*4 + i, l%4 + pick(l >= 16, 4) },
		func(l, i int) (int, int) { return l%16/4*8 + l%4 + pick(l >= 16, 4), i },
	},
	{
		"m8n8k4", "f32.f16.f16.f32", 8, 8, 4, 4, 4, 8,
		func(l, i int) (int, int) { return l%16/4*8 + l%4 + pick(l >= 16, 4), i },
		func(l, i int) (int, int) { return l%16/4*4 + i, l%4 + pick(l >= 16, 4) },
		func(l, i int) (int, int) {
			return l%16/4*8 + l&1 + i&2 + pick(l >= 16, 4), i&4 + l&2 + i&1
		},
	},
	{
		"m8n8k4", "f64.f64.f64.f64", 8, 8, 4, 1, 1, 2,
		func(l, _ int) (int, int) { return l >> 2, l % 4 },
		func(l, _ int) (int, int) { return l % 4, l >> 2 },
		func(l, i int) (int, int) { return l >> 2, l%4*2 + i&1 },
	},
}

// format says how elements of a type are made and read.
type format struct {
	bits   int
	encode func(v int) uint64
}

var formats = map[string]format{
	"f16":  {16, func(v int) uint64 { return num.F16.FromFloat64(float64(v)/2, num.RN) }},
	"bf16": {16, func(v int) uint64 { return num.BF16.FromFloat64(float64(v)/2, num.RN) }},
	"tf32": {32, func(v int) uint64 { return uint64(math.Float32bits(float32(v)/2)) | 0x1fff }}, // low bits are ignored
	"f32":  {32, func(v int) uint64 { return uint64(math.Float32bits(float32(v) / 4)) }},
	"f64":  {64, func(v int) uint64 { return math.Float64bits(float64(v) / 2) }},
	"e4m3": {8, func(v int) uint64 { return num.E4M3.FromFloat64(float64(v)/2, num.RN) }},
	"e5m2": {8, func(v int) uint64 { return num.E5M2.FromFloat64(float64(v)/2, num.RN) }},
	"s8":   {8, func(v int) uint64 { return uint64(uint8(v)) }},
	"u8":   {8, func(v int) uint64 { return uint64(uint8(v + 8)) }},
	"s4":   {4, func(v int) uint64 { return uint64(v & 15) }},
	"u4":   {4, func(v int) uint64 { return uint64(v + 8&15) }},
	"b1":   {1, func(v int) uint64 { return uint64(v & 1) }},
	"s32":  {32, func(v int) uint64 { return uint64(uint32(v)) }},
}

// offset is what the encoding of unsigned types adds.
func offset(t string) int { return pick(t[0] == 'u', 8) }

// TestMMA multiplies small integers (halves, for floating point) in every layout of
// the manual and compares with the product computed here.
func TestMMA(t *testing.T) {
	for _, s := range mmaShapes {
		t.Run(s.shape+"."+s.types, func(t *testing.T) {
			types := strings.Split(strings.TrimPrefix(s.types, "kind::f8f6f4."), ".") // d, a, b, c and more
			rng := rand.New(rand.NewPCG(1, 2))
			fill := func(rows, cols int) [][]int {
				m := make([][]int, rows)
				for i := range m {
					m[i] = make([]int, cols)
					for j := range m[i] {
						m[i][j] = rng.IntN(15) - 7
					}
				}
				return m
			}
			products := 1
			if types[1] == "f16" && s.k == 4 {
				products = 4
			}
			a, b, c := fill(products*s.m, s.k), fill(products*s.k, s.n), fill(products*s.m, s.n)
			na, ba := pack(s.na, formats[types[1]], a, s.a)
			nb, bb := pack(s.nb, formats[types[2]], b, s.b)
			nc, bc := pack(s.nc, formats[types[3]], c, s.c)
			got := runMMA(t, s.shape, s.types, []int{na, nb, nc}, [][]byte{ba, bb, bc})
			width := formats[types[0]].bits / 8
			for lane := range 32 {
				for i := range s.nc {
					row, col := s.c(lane, i)
					sum := 0
					for k := range s.k {
						sum += productIn(types, a[row][k], b[row/s.m*s.k+k][col])
					}
					want := sumIn(types[0], sum, c[row][col])
					var word [8]byte
					copy(word[:], got[(lane*s.nc+i)*width:][:width])
					if v := binary.LittleEndian.Uint64(word[:]); v != want {
						t.Fatalf("lane %d, element %d (row %d, column %d): got %#x, want %#x", lane, i, row, col, v, want)
					}
				}
			}
		})
	}
}

// productIn is a product of elements; of bits, what counts of them.
func productIn(types []string, a, b int) int {
	if types[1] == "b1" {
		switch types[4] {
		case "and":
			return a & b & 1
		case "xor":
			return (a ^ b) & 1
		}
	}
	return (a + offset(types[1])) * (b + offset(types[2]))
}

// sumIn is a sum of products and c in a format: halves times halves are quarters, and c is in
// quarters or, where it has the format of the factors, halves.
func sumIn(format string, sum, c int) uint64 {
	x := float64(sum)/4 + float64(c)/2
	switch format {
	case "f64":
		return math.Float64bits(x)
	case "f16":
		return num.F16.FromFloat64(x, num.RN)
	}
	return formats[format].encode(sum + c)
}

// pack lays a matrix out as the registers of 32 lanes and returns the number of
// registers.
func pack(n int, f format, m [][]int, at element) (regs int, b []byte) {
	width := max(32, f.bits)
	regs = n * f.bits / width
	b = make([]byte, 32*regs*width/8)
	for lane := range 32 {
		for i := range n {
			row, col := at(lane, i)
			bit := lane*regs*width + i*f.bits
			v := f.encode(m[row][col]) << (bit % 8)
			for k := 0; k < (f.bits+7)/8; k++ {
				b[bit/8+k] |= byte(v >> (8 * k))
			}
		}
	}
	return regs, b
}

// runMMA executes one mma with registers from three buffers.
func runMMA(t *testing.T, shape, types string, regs []int, data [][]byte) []byte {
	t.Helper()
	wide := strings.HasPrefix(types, "f64")
	typ, size := "b32", 4
	if wide {
		typ, size = "b64", 8
	}
	var body strings.Builder
	operands := make([]string, 4)
	for i, prefix := range []string{"%a", "%b", "%c"} {
		fmt.Fprintf(&body, ".reg .%s %s<%d>; ld.param.u64 %%p, [p%d]; mad.wide.u32 %%p, %%t, %d, %%p;\n", typ, prefix, regs[i], i, regs[i]*size)
		var list []string
		for r := range regs[i] {
			fmt.Fprintf(&body, "ld.global.%s %s%d, [%%p+%d];\n", typ, prefix, r, r*size)
			list = append(list, fmt.Sprintf("%s%d", prefix, r))
		}
		operands[i+1] = "{" + strings.Join(list, ", ") + "}"
	}
	operands[0] = operands[3]
	fmt.Fprintf(&body, "mma.sync.aligned.%s.row.col.%s %s;\nld.param.u64 %%p, [p3]; mad.wide.u32 %%p, %%t, %d, %%p;\n", shape, types, strings.Join(operands, ", "), regs[2]*size)
	for r := range regs[2] {
		fmt.Fprintf(&body, "st.global.%s [%%p+%d], %%c%d;\n", typ, r*size, r)
	}
	target := header
	if strings.HasPrefix(types, "kind") {
		target = ".version 8.7\n.target sm_120a\n.address_size 64\n"
	}
	m := loadText(t, target+".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3) {\n.reg .b64 %p; .reg .b32 %t; mov.u32 %t, %tid.x;\n"+body.String()+"ret; }")
	var params []uint64
	for i, d := range append(data, make([]byte, len(data[2]))) {
		addr, err := m.Alloc(fmt.Sprint("p", i), uint64(len(d)))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Write(addr, d); err != nil {
			t.Fatal(err)
		}
		params = append(params, addr)
	}
	clean(t, launch(t, m, 1, 32, params...))
	out := make([]byte, len(data[2]))
	if err := m.Read(params[3], out); err != nil {
		t.Fatal(err)
	}
	emu.CountResults(m, len(out)/4)
	return out
}

// matrixKernel runs a kernel of one warp on a buffer that holds in, followed by
// room for n bytes, and returns those.
func matrixKernel(t *testing.T, body string, in []byte, n int) []byte {
	t.Helper()
	m := load(t, ".visible .entry k(.param .u64 p) {\n.reg .b64 %p<4>; .reg .b32 %r<40>; .reg .f32 %f<20>; .reg .b64 %out;\n"+
		".shared .align 16 .b8 tile[1024];\nld.param.u64 %p0, [p]; mov.u32 %r0, %tid.x;\n"+body+"ret; }", emu.Config{})
	addr, err := m.Alloc("buf", uint64(len(in)+n))
	if err != nil {
		t.Fatal(err)
	}
	if err = m.Write(addr, in); err != nil {
		t.Fatal(err)
	}
	clean(t, launch(t, m, 1, 32, addr))
	out := make([]byte, n)
	if err = m.Read(addr+uint64(len(in)), out); err != nil {
		t.Fatal(err)
	}
	emu.CountResults(m, n/4)
	return out
}

// numbered is n 16-bit numbers, 0 and up.
func numbered(n int) []byte {
	b := make([]byte, 0, 2*n)
	for i := range n {
		b = binary.LittleEndian.AppendUint16(b, uint16(i))
	}
	return b
}

// fillTile copies 512 bytes to shared memory; %r1 becomes the address of row
// %laneid of the 8x8 matrices there.
const fillTile = `
	mov.u32 %r2, tile; shl.b32 %r3, %r0, 4; add.u32 %r1, %r2, %r3; cvt.u64.u32 %p1, %r3; add.u64 %p1, %p0, %p1;
	ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%p1]; st.shared.v4.b32 [%r1], {%r4, %r5, %r6, %r7}; bar.warp.sync -1;
	mad.wide.u32 %out, %r0, 16, %p0;
`

// TestLdmatrix loads four matrices of the numbers 0 to 255 (PTX ISA, "ldmatrix":
// thread i gets elements 2*(i%4) and 2*(i%4)+1 of row i/4, with .trans of column
// i/4), and stores them again with stmatrix, and transposes one with movmatrix.
func TestLdmatrix(t *testing.T) {
	const save = "st.global.v4.b32 [%out+512], {%r10, %r11, %r12, %r13};\n"
	at := func(matrix, row, col int) uint32 { return uint32(64*matrix + 8*row + col) }
	for _, c := range []struct {
		name, body string
		want       func(lane, matrix int) uint32
	}{
		{
			"plain", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r1];" + save,
			func(l, m int) uint32 { return at(m, l/4, l%4*2) | at(m, l/4, l%4*2+1)<<16 },
		},
		{
			"trans", "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, %r13}, [%r1];" + save,
			func(l, m int) uint32 { return at(m, l%4*2, l/4) | at(m, l%4*2+1, l/4)<<16 },
		},
		{
			"movmatrix", `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r1];
			movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r11;` + save,
			func(l, m int) uint32 {
				if m == 1 {
					return at(m, l%4*2, l/4) | at(m, l%4*2+1, l/4)<<16
				}
				return at(m, l/4, l%4*2) | at(m, l/4, l%4*2+1)<<16
			},
		},
		{
			"stmatrix", `ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r1];
			stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r1], {%r10, %r11, %r12, %r13};
			bar.warp.sync -1;
			ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, %r13}, [%r1];` + save,
			func(l, m int) uint32 { return at(m, l/4, l%4*2) | at(m, l/4, l%4*2+1)<<16 },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := matrixKernel(t, fillTile+c.body, numbered(256), 512)
			for lane := range 32 {
				for m := range 4 {
					if v, want := binary.LittleEndian.Uint32(got[lane*16+m*4:]), c.want(lane, m); v != want {
						t.Fatalf("lane %d, matrix %d: got %#x, want %#x", lane, m, v, want)
					}
				}
			}
		})
	}
}

// TestWMMA multiplies two 16x16 matrices of f16, one of them by columns, into f32.
func TestWMMA(t *testing.T) {
	var in []byte
	val := func(i int) float64 { return float64(i%13 - 6) }
	for i := range 512 {
		in = binary.LittleEndian.AppendUint16(in, uint16(num.F16.FromFloat64(val(i), num.RN)))
	}
	regs := func(prefix string, from, n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprint(prefix, from+i))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	a, b, c := regs("%r", 8, 8), regs("%r", 16, 8), regs("%f", 0, 8)
	var zero strings.Builder
	for i := range 8 {
		fmt.Fprintf(&zero, "mov.f32 %%f%d, 0f3F800000;", i) // 1.0
	}
	got := matrixKernel(t, zero.String()+
		"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "+a+", [%p0];\n"+
		"mov.u32 %r1, 16; wmma.load.b.sync.aligned.col.m16n16k16.global.f16 "+b+", [%p0+512], %r1;\n"+
		"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 "+c+", "+a+", "+b+", "+c+";\n"+
		"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%p0+1024], "+c+";\n", in, 1024)
	for row := range 16 {
		for col := range 16 {
			want := 1.0
			for k := range 16 {
				want += val(row*16+k) * val(256+col*16+k)
			}
			if v := math.Float32frombits(binary.LittleEndian.Uint32(got[(row*16+col)*4:])); float64(v) != want {
				t.Fatalf("row %d, column %d: got %v, want %v", row, col, v, want)
			}
		}
	}
}
