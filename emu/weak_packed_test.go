package emu_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// memories are configurations with each way to execute accesses to memory.
var memories = []emu.Config{{}, {Memory: emu.PTX}, {Memory: emu.PTX, Policy: emu.Executions}}

// TestPackedAtomics: atomic operations on packed values, on one of them and on vectors of them act on each value by
// itself and return what they have found, under each memory model. Results may be in the registers of operands, in
// another order.
func TestPackedAtomics(t *testing.T) {
	half := func(lo, hi float64) uint32 {
		return uint32(encodeReal(num.F16, lo)) | uint32(encodeReal(num.F16, hi))<<16
	}
	bhalf := func(lo, hi float64) uint32 {
		return uint32(encodeReal(num.BF16, lo)) | uint32(encodeReal(num.BF16, hi))<<16
	}
	const one, six, both = "0x3c003c00", "0x46003c00", "atom.relaxed.gpu.global.add.noftz"
	for _, c := range []struct {
		name, body string
		threads    uint32
		old, want  []uint32
	}{
		{"sums", both + ".f16x2 %r6, [%base], " + one + ";", 12, []uint32{half(1, -40)}, []uint32{half(13, -28)}},
		{"sums of bf16", "red.relaxed.gpu.global.add.noftz.bf16x2 [%base], 0x3f80bf80;", 12, []uint32{bhalf(1, -40)}, []uint32{bhalf(-11, -28)}},
		{"sums, and of the upper value", "red.relaxed.gpu.global.add.noftz.f16x2 [%base], " + one + "; .reg .b16 %h; mov.b16 %h, 0x3c00; red.relaxed.gpu.global.add.noftz.f16 [%base+2], %h;", 12, []uint32{half(1, -40)}, []uint32{half(13, -16)}},
		{"no carry", both + ".f16x2 %r6, [%base], 0x0000fbff;", 1, []uint32{half(-65504, 2)}, []uint32{0x4000fc00}},
		{"found", "mov.b32 %r6, " + six + "; " + both + ".f16x2 %r6, [%base], %r6; st.global.b32 [%base+4], %r6;", 1, []uint32{half(2, -3), 0}, []uint32{half(3, 3), half(2, -3)}},
		{"a vector", "mov.b32 %r6, " + one + "; mov.b32 %r7, " + six + "; " + both + ".v2.f16x2 {%r7, %r6}, [%base], {%r6, %r7}; st.global.v2.b32 [%base+8], {%r7, %r6};", 1, []uint32{half(2, -3), half(4, 5), 0, 0}, []uint32{half(3, -2), half(5, 11), half(2, -3), half(4, 5)}},
		{"a vector of f32", "mov.b32 %r6, 0x3f800000; mov.b32 %r7, 0x40000000; atom.relaxed.gpu.global.add.v2.f32 {%r7, %r6}, [%base], {%r6, %r7}; st.global.v2.b32 [%base+8], {%r7, %r6};", 1, []uint32{0x3f800000, 0, 9, 9}, []uint32{0x40000000, 0x40000000, 0x3f800000, 0}},
		{"maxima of bf16", "mov.b32 %r6, 0x3f80bf80; red.relaxed.gpu.global.max.noftz.v2.bf16x2 [%base], {%r6, %r6};", 32, []uint32{bhalf(-2, 2), bhalf(3, 0)}, []uint32{bhalf(-1, 2), bhalf(3, 1)}},
	} {
		for k, cfg := range memories {
			t.Run(fmt.Sprint(c.name, " ", k), func(t *testing.T) {
				m := loadWith(t, header100+kernel(c.body+" ret;"), cfg)
				buf := alloc(t, m, "buf", len(c.want))
				fillWords(t, m, buf, len(c.old), func(i int) uint32 { return c.old[i] })
				clean(t, launch(t, m, 1, c.threads, buf))
				if got := words(t, m, buf, len(c.want)); !slices.Equal(got, c.want) {
					t.Errorf("got %#x, want %#x", got, c.want)
				}
			})
		}
	}
}
