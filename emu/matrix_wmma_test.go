package emu_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// wmmaShapes are the shapes and types of wmma.mma, with the registers of the fragments
// (PTX ISA, "Matrix Fragments for WMMA"). The manual leaves open which element a thread
// has where: what wmma.store writes is compared.
var wmmaShapes = []struct {
	shape      string
	m, n, k    int
	a, c       string // types of A and B, and of C and D
	na, nb, nc int    // registers
}{
	{"m16n16k16", 16, 16, 16, "f16", "f32", 8, 8, 8},
	{"m32n8k16", 32, 8, 16, "f16", "f16", 8, 8, 4},
	{"m8n32k16", 8, 32, 16, "f16", "f32", 8, 8, 8},
	{"m16n16k16", 16, 16, 16, "bf16", "f32", 4, 4, 8},
	{"m8n32k16", 8, 32, 16, "bf16", "f32", 2, 8, 8},
	{"m32n8k16", 32, 8, 16, "bf16", "f32", 8, 2, 8},
	{"m16n16k8", 16, 16, 8, "tf32", "f32", 4, 4, 8},
	{"m8n8k4", 8, 8, 4, "f64", "f64", 1, 1, 2},
	{"m16n16k16", 16, 16, 16, "u8", "s32", 2, 2, 8},
	{"m16n16k16", 16, 16, 16, "s8", "s32", 2, 2, 8},
	{"m8n32k16", 8, 32, 16, "s8", "s32", 1, 4, 8},
	{"m32n8k16", 32, 8, 16, "u8", "s32", 4, 1, 8},
	{"m8n8k32", 8, 8, 32, "s4", "s32", 1, 1, 2},
	{"m8n8k32", 8, 8, 32, "u4", "s32", 1, 1, 2},
	{"m8n8k128", 8, 8, 128, "b1", "s32", 1, 1, 2},
}

// wmmaFormat is how numbers of a type are made: as for mma, and what only wmma has.
func wmmaFormat(t string) format {
	switch t {
	case "bf16":
		return format{16, func(v int) uint64 { return num.BF16.FromFloat64(float64(v)/2, num.RN) }}
	case "b1":
		return format{1, func(v int) uint64 { return uint64(v & 1) }}
	}
	return formats[t]
}

// TestWMMALayouts multiplies small integers (halves, for floating point) with all layouts and a
// row length beyond the matrix, and compares with the product computed here.
func TestWMMALayouts(t *testing.T) {
	for _, s := range wmmaShapes {
		for _, layouts := range [][4]string{{"row", "col", "row", "row"}, {"col", "row", "col", "row"}, {"row", "row", "row", "col"}, {"col", "col", "col", "col"}} {
			if small := formats[s.a].bits == 4 || s.a == "b1"; small && (layouts[0] != "row" || layouts[1] != "col") {
				continue // the manual has no others
			}
			ops := []string{""}
			if s.a == "b1" {
				ops = []string{".xor.popc", ".and.popc"}
			}
			for _, op := range ops {
				t.Run(fmt.Sprint(s.shape, ".", s.a, ".", s.c, op, layouts), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(uint64(s.m), uint64(s.k)))
					a, b, c := randomMatrix(rng, s.m, s.k), randomMatrix(rng, s.k, s.n), randomMatrix(rng, s.m, s.n)
					in := strided(a, wmmaFormat(s.a), layouts[0])
					atB := len(in)
					in = append(in, strided(b, wmmaFormat(s.a), layouts[1])...)
					atC := len(in)
					in = append(in, strided(c, wmmaFormat(s.c), layouts[2])...)
					want := make([][]uint64, s.m)
					for i := range want {
						for j := range s.n {
							want[i] = append(want[i], wmmaElement(s.a, s.c, op, a[i], column(b, j), c[i][j]))
						}
					}
					fa, fb, fc := fragment("%a", s.na), fragment("%b", s.nb), fragment("%c", s.nc)
					types := fmt.Sprintf("%s.%s", s.c, s.c)
					if s.a != "f16" {
						types = strings.Join([]string{s.c, s.a, s.a, s.c}, ".")
					}
					body := fmt.Sprintf(".reg .b32 %%l; .reg .%[1]s %%a<8>, %%b<8>; .reg .%[2]s %%c<8>;\n", wmmaRegister(s.a), wmmaRegister(s.c)) +
						fmt.Sprintf("mov.u32 %%l, %d; wmma.load.a.sync.aligned.%s.%s.global.%s %s, [%%p0], %%l;\n", stride(s.m, s.k, layouts[0]), layouts[0], s.shape, s.a, fa) +
						fmt.Sprintf("mov.u32 %%l, %d; wmma.load.b.sync.aligned.%s.%s.global.%s %s, [%%p0+%d], %%l;\n", stride(s.k, s.n, layouts[1]), layouts[1], s.shape, s.a, fb, atB) +
						fmt.Sprintf("mov.u32 %%l, %d; wmma.load.c.sync.aligned.%s.%s.global.%s %s, [%%p0+%d], %%l;\n", stride(s.m, s.n, layouts[2]), layouts[2], s.shape, s.c, fc, atC) +
						fmt.Sprintf("wmma.mma%s.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;\n", op, layouts[0], layouts[1], s.shape, types, fc, fa, fb, fc) +
						fmt.Sprintf("mov.u32 %%l, %d; wmma.store.d.sync.aligned.%s.%s.global.%s [%%p0+%d], %s, %%l;\n", stride(s.m, s.n, layouts[3]), layouts[3], s.shape, s.c, len(in), fc)
					compareMatrix(t, matrixKernel(t, body, in, len(strided(c, wmmaFormat(s.c), layouts[3]))), want, wmmaFormat(s.c).bits, layouts[3])
				})
			}
		}
	}
}

// wmmaElement is an element of D from a row of A, a column of B and an element of C.
func wmmaElement(a, c, op string, row, col []int, add int) uint64 {
	sum := 0
	for i := range row {
		switch op {
		case ".xor.popc":
			sum += bits.OnesCount(uint(row[i]&1 ^ col[i]&1))
		case ".and.popc":
			sum += row[i] & col[i] & 1
		default:
			sum += (row[i] + offset(a)) * (col[i] + offset(a))
		}
	}
	switch exact := float64(sum)/4 + float64(add)/2; c { // halves times halves are quarters, C is in halves
	case "f64":
		return math.Float64bits(exact)
	case "f16":
		return num.F16.FromFloat64(exact, num.RN)
	}
	return formats[c].encode(sum + add)
}

func wmmaRegister(t string) string {
	switch t {
	case "f64", "f32":
		return t
	}
	return "b32"
}

func fragment(reg string, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint(reg, i))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

func randomMatrix(rng *rand.Rand, rows, cols int) [][]int {
	m := make([][]int, rows)
	for i := range m {
		for range cols {
			m[i] = append(m[i], rng.IntN(15)-7)
		}
	}
	return m
}

func column(m [][]int, j int) []int {
	var c []int
	for _, row := range m {
		c = append(c, row[j])
	}
	return c
}

// stride is the distance of rows or columns in memory, in elements: whole 16 bytes of any
// type, and more than there are (PTX ISA, "wmma.load", stride).
func stride(rows, cols int, layout string) int {
	n := cols
	if layout == "col" {
		n = rows
	}
	return (n+127)/128*128 + 128
}

// strided lays a matrix out in memory, with zeros between.
func strided(m [][]int, f format, layout string) []byte {
	rows, cols := len(m), len(m[0])
	step := stride(rows, cols, layout)
	out := make([]byte, max(rows, cols)*step*f.bits/8)
	for i := range m {
		for j, v := range m[i] {
			putBits(out, elementAt(i, j, step, layout)*f.bits, f.bits, f.encode(v))
		}
	}
	return out
}

func elementAt(row, col, step int, layout string) int {
	if layout == "col" {
		return col*step + row
	}
	return row*step + col
}

func putBits(b []byte, at, n int, v uint64) {
	for i := range n {
		b[(at+i)/8] |= byte(v>>i&1) << ((at + i) % 8)
	}
}

func getBits(b []byte, at, n int) (v uint64) {
	for i := range n {
		v |= uint64(b[(at+i)/8]>>((at+i)%8)&1) << i
	}
	return v
}

func compareMatrix(t *testing.T, got []byte, want [][]uint64, width int, layout string) {
	t.Helper()
	step := stride(len(want), len(want[0]), layout)
	for i := range want {
		for j, w := range want[i] {
			if v := getBits(got, elementAt(i, j, step, layout)*width, width); v != w {
				t.Fatalf("row %d, column %d: got %#x, want %#x", i, j, v, w)
			}
		}
	}
}

// byteListener counts the accesses to each byte from the first one on that an instruction accesses.
type byteListener struct {
	emu.Follower
	count map[uint64]int
}

func (l *byteListener) Accesses(b *abi.Batch) {
	for a := range b.All() {
		for m := a.Mask; m != 0 && l.Inst(a.Site).OpaqueMatrix(); m &= m - 1 {
			for n := range uint64(a.Bytes) {
				l.count[a.At(bits.TrailingZeros32(m))+n]++
			}
		}
	}
}

// TestWMMAEvents: listeners see which bytes wmma.load and wmma.store access: those of the rows or columns of the matrix
// and not what lies between, and a byte that is stored once.
func TestWMMAEvents(t *testing.T) {
	for _, s := range wmmaShapes {
		for _, c := range []struct {
			op, layout, typ string
			rows, cols      int
			regs, most      int
		}{
			{"load.a", "row", s.a, s.m, s.k, s.na, 0},
			{"load.a", "col", s.a, s.m, s.k, s.na, 0},
			{"load.b", "row", s.a, s.k, s.n, s.nb, 0},
			{"load.b", "col", s.a, s.k, s.n, s.nb, 0},
			{"store.d", "row", s.c, s.m, s.n, s.nc, 1},
			{"store.d", "col", s.c, s.m, s.n, s.nc, 1},
		} {
			width := wmmaFormat(c.typ).bits
			if width < 8 && (c.layout == "row") != (c.op == "load.a") {
				continue // the manual has no others
			}
			lines, length := c.rows, c.cols
			if c.layout == "col" {
				lines, length = length, lines
			}
			apart := 2 * length // elements from one line to the next
			operands := fmt.Sprintf("%s, [%%p], %d", fragment("%f", c.regs), apart)
			if c.most > 0 {
				operands = fmt.Sprintf("[%%p], %s, %d", fragment("%f", c.regs), apart)
			}
			op := fmt.Sprintf("wmma.%s.sync.aligned.%s.%s.global.%s %s;", c.op, c.layout, s.shape, c.typ, operands)
			l := &byteListener{count: map[uint64]int{}}
			m := load(t, fmt.Sprintf(".visible .entry k(.param .u64 p) { .reg .b64 %%p; .reg .%s %%f<8>; ld.param.u64 %%p, [p]; %s ret; }", wmmaRegister(c.typ), op), emu.Config{Listener: l})
			p := alloc(t, m, "p", 1<<16)
			clean(t, launch(t, m, 1, 32, p))
			if want := lines * length * width / 8; len(l.count) != want {
				t.Errorf("%s: %d bytes, want %d", op, len(l.count), want)
			}
			for line := range lines {
				for b := range length * width / 8 {
					at := p + uint64(line*apart*width/8+b)
					if n := l.count[at]; n == 0 || c.most > 0 && n > c.most {
						t.Fatalf("%s: byte %d of line %d is accessed %d times", op, b, line, n)
					}
				}
			}
		}
	}
}
