package emu_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// A multicast object of one device (PTX ISA 9.7.9.14): a reduction over its replicas is the value of the one
// there is, a store writes it, and a reduction into all of them is one into it.

// TestMultimem loads two to four words through multimem.ld_reduce and stores them further on.
func TestMultimem(t *testing.T) {
	for _, row := range []string{
		"weak.global.add.u32", "relaxed.sys.global.min.s32", "acquire.gpu.or.b32", "relaxed.cta.max.u64 64", "weak.xor.b64 64", "add.f32",
		"weak.global.add.v2.f32", "weak.global.add.v4.f32", "add.f64 64", "relaxed.sys.global.add.acc::f32.f16x2", "weak.min.bf16x2", "max.v4.f16x2",
		"weak.add.acc::f16.e5m2x4", "relaxed.gpu.global.add.v4.e4m3x4", "weak.max.u64 64", "relaxed.sys.add.acc::f32.v2.f16 16", "weak.min.v8.bf16 16",
		"relaxed.cta.global.max.v4.e4m3x2 16", "weak.add.acc::f16.v4.e5m2 8", "acquire.sys.min.v8.e4m3 8",
	} {
		form, wide, _ := strings.Cut(row, " ")
		n := 1
		for _, vec := range []int{2, 4, 8} {
			if strings.Contains(form, fmt.Sprintf(".v%d.", vec)) {
				n = vec
			}
		}
		reg, size := map[string]string{"": "%r", "64": "%q", "16": "%h", "8": "%b"}[wide], map[string]int{"": 4, "64": 8, "16": 2, "8": 1}[wide]
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("%s%d", reg, 10+i))
		}
		regs := strings.Join(list, ", ")
		if n > 1 {
			regs = "{" + regs + "}"
		}
		op := form[strings.LastIndex(form, ".")+1:] // the type
		vec := ""
		if n > 1 {
			vec = fmt.Sprintf(".v%d", n)
		}
		body := fmt.Sprintf(".reg .b64 %%q<18>; .reg .b16 %%h<18>; .reg .b8 %%b<18>; multimem.ld_reduce.%s %s, [%%base]; multimem.st.weak.global%s.%s [%%base+64], %s; multimem.st.release.gpu%s.%s [%%base+96], %s; ret;", form, regs, vec, op, regs, vec, op, regs)
		for _, cfg := range memories {
			m := loadWith(t, header100+kernel(body), cfg)
			buf := alloc(t, m, "buf", 32)
			fillWords(t, m, buf, 16, func(i int) uint32 { return 0x3c003c00 + uint32(i) })
			clean(t, launch(t, m, 1, 1, buf))
			out := words(t, m, buf, 32)
			for i := range n * size / 4 {
				if out[16+i] != out[i] || out[24+i] != out[i] || out[i] == 0 {
					t.Errorf("%s, word %d: got %#x and %#x, want %#x", form, i, out[16+i], out[24+i], out[i])
				}
			}
		}
	}
}

// TestMultimemReduce adds, compares and combines: 64 threads into one word each operation.
func TestMultimemReduce(t *testing.T) {
	var sum float64
	for i := range 64 {
		sum += float64(i)
	}
	half := uint32(num.F16.FromFloat64(64, num.RN))
	for _, c := range []struct {
		op, value string
		old, want uint32
	}{
		{"relaxed.sys.global.add.u32 [%base], %r5", "add.u32 %r5, %r1, 0", 7, 7 + 2016},
		{"release.gpu.global.min.s32 [%base], %r5", "sub.s32 %r5, %r1, 5", 7, 0xfffffffb},
		{"max.u32 [%base], %r5", "mov.u32 %r5, %r1", 7, 63},
		{"relaxed.cluster.global.or.b32 [%base], %r5", "mov.u32 %r5, %r1", 0x100, 0x13f},
		{"relaxed.sys.xor.b32 [%base], %r5", "and.b32 %r5, %r1, 31; shl.b32 %r5, 1, %r5", 0x12345678, 0x12345678}, // twice each bit
		{"relaxed.sys.global.add.f32 [%base], %r5", "cvt.rn.f32.u32 %r5, %r1", 0, math.Float32bits(float32(sum))},
		{"relaxed.sys.global.add.f16x2 [%base], %r5", "mov.u32 %r5, 0x3c003c00", 0, half | half<<16},
		{"release.gpu.min.v2.f16x2 [%base], {%r5, %r5}", "mov.u32 %r5, 0x3c004000", 0x44003800, 0x3c003800},
		{"global.add.v2.f16 [%base], {%one, %one}", ".reg .b16 %one; mov.b16 %one, 0x3c00", 0, half | half<<16},
		{"add.f64 [%base], %rd1", "mov.u64 %rd1, 0x3ff0000000000000", 0, 0},
		{"relaxed.sys.global.add.v2.f32 [%base], {%r5, %r5}", "mov.u32 %r5, 0x3f800000", 0, math.Float32bits(64)},
	} {
		op := "multimem.red." + c.op
		for _, cfg := range memories[:2] { // so many operations on one word have too many executions
			m := loadWith(t, header100+kernel(c.value+"; "+op+"; ret;"), cfg)
			buf := alloc(t, m, "buf", 64)
			fillWords(t, m, buf, 1, func(int) uint32 { return c.old })
			clean(t, launch(t, m, 1, 64, buf))
			if got := words(t, m, buf, 2)[0]; got != c.want {
				t.Errorf("%s: got %#x, want %#x", op, got, c.want)
			}
		}
	}
}

// TestMultimemShared: the address is one of global memory.
func TestMultimemShared(t *testing.T) {
	m := loadWith(t, header100+".shared .align 4 .u32 word;\n"+kernel("mov.u64 %rd1, word; cvta.shared.u64 %rd1, %rd1; multimem.ld_reduce.weak.add.u32 %r5, [%rd1]; ret;"), emu.Config{})
	r := launch(t, m, 1, 1, alloc(t, m, "buf", 1))
	if len(r.Faults) != 1 || r.Faults[0].Class != "out-of-bounds" {
		t.Errorf("got %v", r.Faults)
	}
}
