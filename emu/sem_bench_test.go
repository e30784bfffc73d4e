package emu

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"
)

// BenchmarkBodies measures lane bodies: a loop over 64 copies of an instruction
// in a full warp. The metric is ns per warp instruction.
func BenchmarkBodies(b *testing.B) {
	for _, text := range []string{
		"add.u32 %r2, %r3, %r4", "mad.lo.s32 %r2, %r3, %r4, %r2", "mul.wide.u32 %rd2, %r3, %r4", "shl.b32 %r2, %r3, 3", "setp.lt.s32 %p1, %r3, %r4", "selp.b32 %r2, %r3, %r4, %p1",
		"div.u32 %r2, %r3, 7", "cvt.u64.u32 %rd2, %r3", "mov.b64 %rd2, {%r3, %r4}", "bfe.u32 %r2, %r3, 3, 5", "lop3.b32 %r2, %r3, %r4, %r5, 0x96",
		"add.f32 %f2, %f3, %f4", "fma.rn.f32 %f2, %f3, %f4, %f2", "div.rn.f32 %f2, %f3, %f4", "add.rz.f32 %f2, %f3, %f4", "fma.rn.f64 %fd2, %fd3, %fd4, %fd2", "ex2.approx.f32 %f2, %f3", "fma.rn.f16x2 %r2, %r3, %r4, %r2",
		"ld.global.f32 %f2, [%rd5]", "st.global.f32 [%rd5], %f3", "ld.u32 %r2, [%rd5]", "ld.shared.u32 %r2, [%rd6]", "ld.u32 %r2, [%rd7]", "ld.local.u32 %r2, [%rd6]", "ld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd1]",
		"atom.global.add.u32 %r2, [%rd5], 1", "red.global.add.f32 [%rd5], %f3", "cvta.shared.u64 %rd2, %rd3",
	} {
		b.Run(strings.ReplaceAll(strings.Fields(text)[0], ".", "_"), func(b *testing.B) {
			body := `
	.shared .align 8 .b8 sh[1024];
	.local .align 8 .b8 lo[1024];
	mad.wide.u32 %rd5, %r0, 4, %rd1;
	mul.wide.u32 %rd6, %r0, 4;
	cvta.shared.u64 %rd7, %rd6;
	mov.u32 %r3, %r0;
	mov.u32 %r4, 77;
	cvt.rn.f32.u32 %f3, %r3;
	cvt.rn.f32.u32 %f4, %r4;
	cvt.rn.f64.u32 %fd3, %r3;
	mov.u32 %r9, 0;
L:
	` + strings.Repeat(text+";\n\t", 64) + `
	add.u32 %r9, %r9, 1;
	setp.lt.u32 %p0, %r9, 1000;
	@%p0 bra L;`
			m := machineFor(b, Config{}, warpKernel(body))
			buf, err := m.Alloc("buf", 4096)
			if err != nil {
				b.Fatal(err)
			}
			params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, buf), buf)
			var n uint64
			for b.Loop() {
				r, err := m.Launch(context.Background(), LaunchConfig{Kernel: "k", Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 32, Y: 1, Z: 1}, Params: params})
				if err != nil || len(r.Faults) > 0 {
					b.Fatal(err, r.Faults)
				}
				n += r.Stats.WarpInstructions
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/warpinst")
		})
	}
}
