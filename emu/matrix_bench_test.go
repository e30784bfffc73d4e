package emu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// BenchmarkProducts measures wgmma and tcgen05.mma as kernels for products of matrices of halves use
// them, with operands in swizzled shared memory: nanoseconds for a multiply-add.
func BenchmarkProducts(b *testing.B) {
	const times = 64
	for _, c := range []struct {
		name, body string
		adds       int // of one instruction
	}{
		{"wgmma 64x64x16", groupLoop(64), 64 * 64 * 16},
		{"wgmma 64x256x16", groupLoop(256), 64 * 256 * 16},
		{"tcgen05.mma 128x64x16", tensorLoop(64), 128 * 64 * 16},
		{"tcgen05.mma 128x256x16", tensorLoop(256), 128 * 256 * 16},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := load(b, `.visible .entry k() {
	.reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %a; .reg .b64 %b; .reg .f32 %f<128>;
	.shared .align 1024 .b8 left[16384]; .shared .align 1024 .b8 right[32768]; .shared .align 8 .b64 bar; .shared .b32 slot;
	mov.u32 %r0, %tid.x; mov.u32 %r1, left; shr.u32 %r1, %r1, 4; mov.u32 %r2, right; shr.u32 %r2, %r2, 4; mov.u32 %r3, 0;
`+strings.ReplaceAll(c.body, "TIMES", fmt.Sprint(times))+"ret; }", emu.Config{})
			for b.Loop() {
				clean(b, launch(b, m, 1, 128))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(times*c.adds), "ns/multiply-add")
		})
	}
}

// groupLoop multiplies 64 rows by n columns by wgmma, TIMES times.
func groupLoop(n int) string {
	return `cvt.u64.u32 %a, %r1; or.b64 %a, %a, 0x4000004000010000; cvt.u64.u32 %b, %r2; or.b64 %b, %b, 0x4000004000010000;
	again: wgmma.fence.sync.aligned; setp.ne.u32 %p0, %r3, 0;
	wgmma.mma_async.sync.aligned.m64n` + fmt.Sprint(n) + `k16.f32.f16.f16 ` + list("%f", n/2) + `, %a, %b, %p0, 1, 1, 0, 0;
	wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
	add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, TIMES; @%p1 bra again;
	`
}

// tensorLoop multiplies 128 rows by n columns by tcgen05.mma, TIMES times.
func tensorLoop(n int) string {
	return `cvt.u64.u32 %a, %r1; or.b64 %a, %a, 0x4000404000010000; cvt.u64.u32 %b, %r2; or.b64 %b, %b, 0x4000404000010000;
	setp.eq.u32 %p1, %r0, 0; setp.lt.u32 %p2, %r0, 32; mov.u32 %r4, bar; mov.u32 %r5, slot;
	@%p1 mbarrier.init.shared.b64 [%r4], 1;
	@!%p2 bra ready;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r5], 256;
	ready: bar.sync 0; ld.shared.u32 %r6, [slot];
	@!%p1 bra done;
	again: setp.ne.u32 %p0, %r3, 0;
	tcgen05.mma.cta_group::1.kind::f16 [%r6], %a, %b, ` + fmt.Sprint(128/16<<24|n/8<<17|1<<4) + `, %p0;
	add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, TIMES; @%p0 bra again;
	tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r4];
	done: mbarrier.try_wait.parity.shared.b64 %p0, [%r4], 0; @!%p0 bra done;
	bar.sync 0; @!%p2 bra end;
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r6, 256;
	end: `
}
