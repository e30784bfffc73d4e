package emu_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// sparseShapes are the shapes of mma.sp by the manual's sections "Matrix Fragments
// for sparse mma": firstcol gives the element of A's row at which the columns of
// element i of a lane begin, and A's rows follow from i.
var sparseShapes = []struct {
	shape, types string
	k            int
	na           int // stored elements of A in a lane
	chunk        int // columns with one pair of indices
	rowA         func(i int) bool
	firstcol     func(thread, i int) int
}{
	{"m16n8k16", "f32.f16.f16.f32", 16, 4, 4, func(i int) bool { return i < 2 }, func(t, _ int) int { return 4 * t }},
	{"m16n8k32", "f32.f16.f16.f32", 32, 8, 4, func(i int) bool { return i < 2 || i >= 4 && i < 6 }, func(t, i int) int { return 4*t + pick(i >= 4, 16) }},
	{"m16n8k16", "f16.f16.f16.f16", 16, 4, 4, func(i int) bool { return i < 2 }, func(t, _ int) int { return 4 * t }},
	{"m16n8k32", "f16.f16.f16.f16", 32, 8, 4, func(i int) bool { return i < 2 || i >= 4 && i < 6 }, func(t, i int) int { return 4*t + pick(i >= 4, 16) }},
	{"m16n8k16", "f32.bf16.bf16.f32", 16, 4, 4, func(i int) bool { return i < 2 }, func(t, _ int) int { return 4 * t }},
	{"m16n8k32", "f32.bf16.bf16.f32", 32, 8, 4, func(i int) bool { return i < 2 || i >= 4 && i < 6 }, func(t, i int) int { return 4*t + pick(i >= 4, 16) }},
	{"m16n8k16", "f32.tf32.tf32.f32", 16, 4, 2, func(i int) bool { return i == 0 || i == 2 }, func(t, i int) int { return 2*t + pick(i >= 2, 8) }},
	{"m16n8k8", "f32.tf32.tf32.f32", 8, 2, 2, func(i int) bool { return i == 0 }, func(t, _ int) int { return 2 * t }},
	{"m16n8k32", "s32.u8.s8.s32", 32, 8, 4, func(i int) bool { return i < 4 }, func(t, _ int) int { return 8 * t }},
	{"m16n8k64", "s32.s8.u8.s32", 64, 16, 4, func(i int) bool { return i < 4 || i >= 8 && i < 12 }, func(t, i int) int { return 8*t + pick(i >= 8, 32) }},
	{"m16n8k64", "f32.e5m2.e4m3.f32", 64, 16, 4, func(i int) bool { return i < 4 || i >= 8 && i < 12 }, func(t, i int) int { return 8*t + pick(i >= 8, 32) }},
	{"m16n8k64", "s32.s4.u4.s32", 64, 16, 8, func(i int) bool { return i < 8 }, func(t, _ int) int { return 16 * t }},
	{"m16n8k128", "s32.u4.s4.s32", 128, 32, 8, func(i int) bool { return i < 8 || i >= 16 && i < 24 }, func(t, i int) int { return 16*t + pick(i >= 16, 64) }},
}

// TestSparseMMA: a random half of each chunk is stored. The product is that of the
// whole matrix, with zeros.
func TestSparseMMA(t *testing.T) {
	for _, s := range sparseShapes {
		for selector := range 4 / (s.k / s.chunk / 4) {
			for _, variant := range []string{"sp", "sp::ordered_metadata"} {
				t.Run(fmt.Sprintf("%s.%s.%s.%d", variant, s.shape, s.types, selector), func(t *testing.T) {
					types := strings.Split(s.types, ".")
					rng := rand.New(rand.NewPCG(uint64(s.k), uint64(selector)))
					fill := func(rows, cols int) [][]int {
						m := make([][]int, rows)
						for i := range m {
							for range cols {
								m[i] = append(m[i], rng.IntN(15)-7)
							}
						}
						return m
					}
					b, c := fill(s.k, 8), fill(16, 8)
					full := make([][]int, 16)   // A with zeros
					stored := make([][]int, 16) // A without
					meta := make([][]uint32, 16)
					isStored := make([][]bool, 16)
					for row := range full {
						full[row], isStored[row] = make([]int, s.k), make([]bool, s.k)
						for chunk := range s.k / s.chunk {
							nibble, cols := randomChunk(rng, s.chunk)
							meta[row] = append(meta[row], nibble)
							for _, col := range cols {
								v := rng.IntN(15) - 7
								full[row][chunk*s.chunk+col], isStored[row][chunk*s.chunk+col] = v, true
								stored[row] = append(stored[row], v)
							}
						}
					}
					at := func(l, i int) (int, int) { // row, stored element
						per := 32 / formats[types[1]].bits
						return group(l) + pick(!s.rowA(i), 8), s.firstcol(inGroup(l), i)/2 + i%per
					}
					perRegB := 32 / formats[types[2]].bits
					elementB := func(l, i int) (int, int) {
						return inGroup(l)*perRegB + i%perRegB + i/perRegB*4*perRegB, group(l)
					}
					elementC := func(l, i int) (int, int) { return group(l) + pick(i >= 2, 8), inGroup(l)*2 + i&1 }
					na, ba := pack(s.na, formats[types[1]], stored, at)
					nb, bb := pack(s.k/4, formats[types[2]], b, elementB)
					nc, bc := pack(4, formats[types[3]], c, elementC)
					got := runSparse(t, variant+".sync.aligned."+s.shape, s.types, selector, []int{na, nb, nc, 1},
						[][]byte{ba, bb, bc, packMeta(meta, formats[types[1]].bits, selector)})
					for lane := range 32 {
						for i := range 4 {
							row, col := elementC(lane, i)
							sum := 0
							for k := range s.k {
								if isStored[row][k] {
									sum += (full[row][k] + offset(types[1])) * (b[k][col] + offset(types[2]))
								}
							}
							want, v := sumIn(types[0], sum, c[row][col]), getBits(got, 128*lane+formats[types[0]].bits*i, formats[types[0]].bits)
							if v != want {
								t.Fatalf("lane %d, element %d: %#x, want %#x", lane, i, v, want)
							}
						}
					}
				})
			}
		}
	}
}

// randomChunk picks what is stored of a chunk: its metadata and the columns.
func randomChunk(rng *rand.Rand, width int) (uint32, []int) {
	lo := rng.IntN(3)
	hi := lo + 1 + rng.IntN(3-lo)
	switch width {
	case 2:
		if lo == 0 {
			return 0b0100, []int{0}
		}
		return 0b1110, []int{1}
	case 8: // pairs
		return uint32(hi<<2 | lo), []int{2 * lo, 2*lo + 1, 2 * hi, 2*hi + 1}
	}
	return uint32(hi<<2 | lo), []int{lo, hi}
}

// packMeta lays metadata out as the registers of 32 lanes, by the manual's figures.
func packMeta(meta [][]uint32, bits, selector int) []byte {
	var words [32]uint32
	for row, chunks := range meta {
		for chunk, nibble := range chunks {
			lane, bit := row%8*4, 0
			switch {
			case len(chunks) == 4: // T(f): [0..15] row, [16..31] row + 8
				lane, bit = lane+selector, 4*chunk+pick(row >= 8, 16)
			case len(chunks) == 8 && bits >= 16: // T(2f): columns 0-15, T(2f+1): columns 16-31
				lane, bit = lane+2*selector+chunk/4, 4*(chunk%4)+pick(row >= 8, 16)
			case len(chunks) == 8: // T(2f): row, T(2f+1): row + 8
				lane, bit = lane+2*selector+pick(row >= 8, 1), 4*chunk
			default: // T0, T1: the first half of row and row + 8; T2, T3: the second
				lane, bit = lane+chunk/8*2+pick(row >= 8, 1), 4*(chunk%8)
			}
			words[lane] |= nibble << bit
		}
	}
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// runSparse executes one mma.sp with registers from four buffers; the last is the
// metadata.
func runSparse(t *testing.T, op, types string, selector int, regs []int, data [][]byte) []byte {
	t.Helper()
	var body strings.Builder
	var operands []string
	for i, prefix := range []string{"%a", "%b", "%c", "%e"} {
		fmt.Fprintf(&body, ".reg .b32 %s<%d>; ld.param.u64 %%p, [p%d]; mad.wide.u32 %%p, %%t, %d, %%p;\n", prefix, regs[i], i, regs[i]*4)
		var list []string
		for r := range regs[i] {
			fmt.Fprintf(&body, "ld.global.b32 %s%d, [%%p+%d];\n", prefix, r, r*4)
			list = append(list, fmt.Sprintf("%s%d", prefix, r))
		}
		operands = append(operands, "{"+strings.Join(list, ", ")+"}")
	}
	operands[3] = "%e0"
	fmt.Fprintf(&body, "mma.%s.row.col.%s %s, %s, %d;\nld.param.u64 %%p, [p4]; mad.wide.u32 %%p, %%t, 16, %%p;\n", op, types, operands[2], strings.Join(operands, ", "), selector)
	for r := range regs[2] {
		fmt.Fprintf(&body, "st.global.b32 [%%p+%d], %%c%d;\n", r*4, r)
	}
	src := ".visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param .u64 p4) {\n.reg .b64 %p; .reg .b32 %t; mov.u32 %t, %tid.x;\n" + body.String() + "ret; }"
	m := load(t, src, emu.Config{})
	var params []uint64
	for i, d := range append(data, make([]byte, 512)) {
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
	out := make([]byte, 512)
	if err := m.Read(params[4], out); err != nil {
		t.Fatal(err)
	}
	emu.CountResults(m, len(out)/4)
	return out
}

// TestSparseErrors: a selector that the shape does not have, and metadata that the
// manual forbids.
func TestSparseErrors(t *testing.T) {
	module := func(selector string) string {
		return ".visible .entry k() {\n.reg .b32 %r<20>; .reg .f32 %f<8>;\nmov.u32 %r9, 0;\nmma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5,%r6,%r7}, {%f0,%f1,%f2,%f3}, %r9, " + selector + ";\nret; }"
	}
	for _, selector := range []string{"2", "%r9"} {
		if _, err := tryLoad(module(selector), emu.Config{}); err == nil || !strings.Contains(err.Error(), "expected a constant below 2") {
			t.Errorf("selector %s: %v", selector, err)
		}
	}
	r := launch(t, load(t, module("1"), emu.Config{}), 1, 32)
	if len(r.Faults) == 0 || !strings.Contains(r.Faults[0].Message, "invalid sparsity metadata 0x0 for row 0") {
		t.Errorf("metadata 0: %v", r.Faults)
	}
}
