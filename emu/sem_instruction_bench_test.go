package emu

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkInstructions is what an instruction takes that one warp executes over and over, in ns/instruction. Those
// without a handler in assembly are slower by a factor of ten to a thousand.
func BenchmarkInstructions(b *testing.B) {
	const rounds, unrolled = 1000, 16
	for _, text := range []string{
		"fma.rn.f32 %f1, %f1, %f2, %f3;", "fma.rn.f16x2 %r1, %r1, %r2, %r3;", "add.f16 %h1, %h1, %h2;", "fma.rn.bf16x2 %r1, %r1, %r2, %r3;",
		"cvt.f32.f16 %f1, %h1;", "cvt.rn.f16.f32 %h1, %f1;", "setp.gt.f16 %p1, %h1, %h2;", "mov.b32 {%h1, %h2}, %r1;",
		"fma.rn.sat.f32 %f1, %f1, %f2, %f3;", "cvt.rni.s32.f32 %r1, %f1;", "cvt.rn.f32.u8 %f1, %h1;",
		"fma.rn.relu.f16x2 %r1, %r1, %r2, %r3;", "cvt.rn.f16x2.e4m3x2 %r1, %h1;", "sin.approx.f32 %f1, %f1;", "ex2.approx.f32 %f1, %f1;", "rsqrt.approx.f32 %f1, %f1;",
		"add.cc.u32 %r1, %r1, %r2;", "cvt.rn.f64.s64 %fd1, %rd2;", "match.any.sync.b32 %r1, %r2, -1;", "dp4a.s32.s32 %r1, %r1, %r2, %r3;", "rem.s32 %r1, %r2, %r3;", "max.s16 %h1, %h1, %h2;",
		"fma.rm.f32 %f1, %f1, %f2, %f3;", "div.s64 %rd3, %rd2, %rd2;", "setp.lt.s16 %p1, %h1, %h2;", "ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%rd0];", "st.global.v4.u8 [%rd0+16], {%h1, %h2, %h3, %h4};",
	} {
		b.Run(strings.Fields(text)[0], func(b *testing.B) {
			m := machineFor(b, Config{}, warpKernel(fmt.Sprintf(`
	ld.global.v4.u32 {%%r1, %%r2, %%r3, %%r4}, [%%rd0];
	mov.b32 {%%h1, %%h2}, %%r2;
	cvt.rn.f32.u32 %%f1, %%r1;
	mov.f32 %%f2, 0f3F000000;
	mov.f32 %%f3, %%f2;
	cvt.s64.s32 %%rd2, %%r1;
	mov.u32 %%r5, 0;
again:
	%s
	add.u32 %%r5, %%r5, 1;
	setp.lt.u32 %%p2, %%r5, %d;
	@%%p2 bra again;`, strings.Repeat(text+"\n\t", unrolled), rounds)))
			in := make([]byte, 32*recordSize)
			for i := range in {
				in[i] = byte(3 + i%7) // divisors are not 0
			}
			runs := 0
			for ; b.Loop(); runs++ {
				if _, fault := launchWarp(b, m, in); fault != nil {
					b.Fatal(fault)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(runs)/rounds/unrolled, "ns/instruction")
		})
	}
}
