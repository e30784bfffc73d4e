package emu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// bytesKernel copies 512 bytes of the buffer to a tile, each lane's row of 16 bytes being at 16 times
// a permutation of the lane, and executes op on the row's address %r7; the tile and registers %r10 to
// %r13 follow in the buffer.
func bytesKernel(op string) string {
	var b strings.Builder
	b.WriteString(header100 + ".shared .align 16 .b8 tile[512];\n.visible .entry k(.param .u64 p) {\n.reg .b32 %r<20>; .reg .b64 %d<4>;\n" +
		"mov.u32 %r1, %tid.x; ld.param.u64 %d0, [p]; mul.wide.u32 %d1, %r1, 16; add.u64 %d1, %d0, %d1;\n" +
		"mul.lo.u32 %r2, %r1, 5; and.b32 %r2, %r2, 31; mov.u32 %r3, tile; mad.lo.u32 %r7, %r2, 16, %r3; mad.lo.u32 %r8, %r1, 16, %r3;\n" +
		"ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%d1]; st.shared.v4.b32 [%r8], {%r10, %r11, %r12, %r13}; bar.sync 0;\n")
	b.WriteString(op + "\nbar.sync 0; st.global.v4.b32 [%d1+512], {%r10, %r11, %r12, %r13};\n" +
		"ld.shared.v4.b32 {%r10, %r11, %r12, %r13}, [%r8]; st.global.v4.b32 [%d1+1024], {%r10, %r11, %r12, %r13}; ret;\n}\n")
	return b.String()
}

// rowByte is byte b of row number i in memory: lane i's address is 5*i, the bytes are numbered.
func rowByte(i, b int) byte { return byte(37*(i*5%32*16+b) + i*5%32/3) }

// TestMatrixBytes loads and stores matrices of 8-bit elements and of narrower ones (PTX ISA
// 9.7.14.5.15 and .16). Registers of ldmatrix.m16n16.trans: four rows, from four times the lane's place
// in its quad on, of the column of the quad, then of that eight further.
func TestMatrixBytes(t *testing.T) {
	element := func(width int) func(row, col int) uint32 { // of a row of 16 packed elements
		return func(row, col int) uint32 {
			v := uint32(0)
			for k := range width {
				bit := col*width + k
				v |= uint32(rowByte(row, bit/8)>>(bit%8)&1) << k
			}
			return v
		}
	}
	regs := func(n int) string { return strings.Join([]string{"%r10", "%r11", "%r12", "%r13"}[:n], ", ") }
	for format, width := range map[string]int{"b8": 8, "b8x16.b6x16_p32": 6, "b8x16.b4x16_p64": 4} {
		at := element(width)
		for n := 1; n <= 2; n++ {
			op := fmt.Sprintf("ldmatrix.sync.aligned.m16n16.x%d.trans.shared.%s {%s}, [%%r7];", n, format, regs(2*n))
			checkBytes(t, op, 2*n, func(lane, r int) (v uint32) {
				for j := range 4 {
					v |= at(r/2*16+lane%4*4+j, lane/4+r%2*8) << (8 * j)
				}
				return v
			})
		}
		for _, n := range []int{1, 2, 4} {
			if width == 8 {
				continue // a row of that shape is ldmatrix.m8n8.b16
			}
			op := fmt.Sprintf("ldmatrix.sync.aligned.m8n16.x%d.shared::cta.%s {%s}, [%%r7];", n, format, regs(n))
			checkBytes(t, op, n, func(lane, r int) (v uint32) {
				for j := range 4 {
					v |= at(r*8+lane/4, lane%4*4+j) << (8 * j)
				}
				return v
			})
		}
	}
}

func checkBytes(t *testing.T, op string, n int, want func(lane, r int) uint32) {
	t.Helper()
	m := loadWith(t, bytesKernel(op), emu.Config{})
	out := runBytes(t, m)
	for lane := range 32 {
		for r := range n {
			if got := out[128+lane*4+r]; got != want(lane, r) {
				t.Fatalf("%s lane %d, register %d: got %#x, want %#x", op, lane, r, got, want(lane, r))
			}
		}
	}
}

// runBytes runs bytesKernel on numbered rows; row i of lane i's address is that of rowByte.
func runBytes(t *testing.T, m *emu.Machine) []uint32 {
	t.Helper()
	buf := alloc(t, m, "buf", 3*128)
	fillWords(t, m, buf, 128, func(i int) uint32 {
		v := uint32(0)
		for b := range 4 {
			at := 4*i + b
			v |= uint32(byte(37*at+at/16/3)) << (8 * b)
		}
		return v
	})
	clean(t, launch(t, m, 1, 32, buf))
	return words(t, m, buf, 3*128)
}

// TestStoreMatrixBytes: lane i holds elements (i/4, 2*(i%4)), the next in the row, and the two eight rows
// below, as after mma; with .trans each row in memory is a column.
func TestStoreMatrixBytes(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		regs := strings.Join([]string{"%r10", "%r11", "%r12", "%r13"}[:n], ", ")
		fill := ""
		for r := range n {
			fill += fmt.Sprintf("mad.lo.u32 %%r1%d, %%r1, 0x01030507, %d;\n", r, 0x11*(r+1))
		}
		m := loadWith(t, bytesKernel(fill+fmt.Sprintf("stmatrix.sync.aligned.m16n8.x%d.trans.shared.b8 [%%r7], {%s};", n, regs)), emu.Config{})
		tile := runBytes(t, m)[256:]
		for r := range n {
			for row := range 16 {
				for col := range 8 {
					lane, j := row%8*4+col/2, col%2+row/8*2
					want := byte((uint32(lane)*0x01030507 + uint32(0x11*(r+1))) >> (8 * j))
					at := (r*8+col)*5%32*16 + row
					if got := byte(tile[at/4] >> (at % 4 * 8)); got != want {
						t.Fatalf("x%d, matrix %d, element %d, %d: got %#x, want %#x", n, r, row, col, got, want)
					}
				}
			}
		}
	}
}
