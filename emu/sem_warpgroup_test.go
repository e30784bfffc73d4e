package emu_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// warpgroupKernel is a kernel around one wgmma.
func warpgroupKernel(body string) string {
	return `.visible .entry k() {
	.reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %b; .reg .f32 %f<4>;
	.shared .align 1024 .b8 tile[1024];
	mov.u32 %r0, %tid.x; mov.b64 %b, 0x1000080000; mov.u32 %r5, tile;
	setp.lt.u32 %p1, %r0, 1000; setp.eq.u32 %p0, %r0, 5; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0;
` + body + "\nret; }"
}

const smallMMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r1, %r2, %r3, %r4}, %b, "

// TestWgmmaFaults: what the manual leaves undefined, and addresses beyond shared
// memory.
func TestWgmmaFaults(t *testing.T) {
	for _, c := range []struct {
		name, body string
		threads    uint32
		class, msg string
	}{
		{"in bounds", smallMMA + "%p1, 1, 1, 0;", 256, "", ""},
		{"incomplete", smallMMA + "%p1, 1, 1, 0;", 96, "barrier-divergence", "a warpgroup has 4 warps, but only 3 are left in the block from warp 0 on"},
		{"second incomplete", smallMMA + "%p1, 1, 1, 0;", 160, "barrier-divergence", "a warpgroup has 4 warps, but only 1 are left in the block from warp 4 on"},
		{"descriptors", "@%p0 mov.b64 %b, 64;" + smallMMA + "%p1, 1, 1, 0;", 128, "unsupported", "the descriptor of B is 0x1000080000 in lane 0 and 0x40 in lane 5: the result is undefined"},
		{"scale-d", smallMMA + "%p0, 1, 1, 0;", 128, "unsupported", "scale-d is true in lanes 0x20 only of 0xffffffff: the result is undefined"},
		{"metadata", "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r1, %r2, %r3, %r4}, %b, %r1, 0, %p1, 1, 1, 0;", 128, "unsupported", "invalid sparsity metadata 0x0 for row 0, chunk 0"},
		{"out of bounds", "mov.b64 %b, 0x10003f0000;" + smallMMA + "%p1, 1, 1, 0;", 128, "out-of-bounds", "read of 16 bytes at shared address 0x400"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := load(t, warpgroupKernel(begin+c.body), emu.Config{})
			r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(c.threads)})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case c.class == "":
				clean(t, r)
			case len(r.Faults) == 0:
				t.Error("no fault")
			case r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Error(), c.msg):
				t.Errorf("got %s: %s, want %s: %s", r.Faults[0].Class, r.Faults[0], c.class, c.msg)
			}
		})
	}
}

// TestWgmmaErrors: constants that the manual does not allow.
func TestWgmmaErrors(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{smallMMA + "%p1, 2, 1, 0;", "factor 2, expected 1 or -1"},
		{smallMMA + "%p1, 1, 0, 0;", "factor 0, expected 1 or -1"},
		{smallMMA + "%p1, 1, 1, 2;", "transposition 2, expected 0 or 1"},
		{smallMMA + "%p1, 1, 1, 0, 0;", `"{%r1, %r2, %r3, %r4}" has 4 elements, expected 1`},
		{"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, 0, %b, %p1, 1, 1, 0;", "operand 0 has 1 register, expected 4"},
		{"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r1, %r2, %r3, %r4}, %b, %r0, 2, %p1, 1, 1, 0;", "sparsity selector 2, expected a constant below 2"},
	} {
		if _, err := tryLoad(warpgroupKernel(c.body), emu.Config{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.body, err, c.want)
		}
	}
}

// TestWgmmaAccess: listeners learn which slices of shared memory each warp reads.
func TestWgmmaAccess(t *testing.T) {
	l := &matrixListener{}
	m := load(t, warpgroupKernel("mov.b64 %b, 0x1000080004;"+begin+smallMMA+"%p1, 1, 1, 0;"), emu.Config{Listener: l})
	clean(t, launch(t, m, 1, 128))
	if l.n != 4 || l.bad.AccessClass != nil {
		t.Errorf("%d accesses, expected 4; unexpected: %+v", l.n, l.bad)
	}
}

// matrixListener expects matrices of 16 slices that begin at byte 64 of shared memory.
type matrixListener struct {
	emu.NopListener
	n   int
	bad abi.Access
}

func (l *matrixListener) Accesses(b *abi.Batch) {
	l.n++
	a := b.List[0]
	for i := range 16 {
		if a.Bytes != 16 || a.Mask != 1<<16-1 || a.Space != abi.SpaceShared || b.Async != abi.AsyncMatrices || a.At(i)&0xffffff != 64+16*uint64(i) {
			l.bad = a
		}
	}
}

// TestWgmmaWait: a group of products is one of the warpgroup. When a warp has waited for it, the other
// warps have read their operands, so that they may be overwritten; a warp that does not come to the
// group leaves the others waiting.
func TestWgmmaWait(t *testing.T) {
	const product = `.visible .entry k(.param .u64 out) {
	.reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %b; .reg .b64 %o; .reg .f32 %f<4>;
	.shared .align 1024 .b8 tile[256];
	mov.u32 %r0, %tid.x; mov.u32 %r5, tile; mov.b32 %r1, 0x3c003c00; mov.b32 %r4, 0;
	ld.param.u64 %o, [out]; mad.wide.u32 %o, %r0, 4, %o;
	shr.u32 %r6, %r5, 4; cvt.u64.u32 %b, %r6; or.b64 %b, %b, 0x1000080000;
	setp.ge.u32 %p1, %r0, 128; setp.ge.u32 %p2, %r0, 64;
	shl.b32 %r6, %r0, 1; add.u32 %r6, %r6, tile; mov.b32 %r7, 0x3c00; @!%p1 st.shared.u16 [%r6], %r7;
	bar.sync 0;
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r1, %r1, %r1, %r1}, %b, 0, 1, 1, 0;
	`
	const wait = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
	const end = "setp.eq.u32 %p0, %r0, 0; @%p0 st.shared.v4.b32 [tile], {%r4, %r4, %r4, %r4}; st.global.f32 [%o], %f0; ret; }"
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		m := load(t, product+wait+end, cfg)
		out := alloc(t, m, "out", 128)
		clean(t, launch(t, m, 1, 128, out))
		for i, w := range words(t, m, out, 128) {
			if v := f32(w); v != 16 {
				t.Fatalf("thread %d has %v, want 16", i, v)
			}
		}
	})
	m := load(t, product+"@%p2 bra.uni off;"+wait+"bra.uni on; off: bar.sync 1, 96; on:"+end, emu.Config{})
	r := launch(t, m, 1, 128, alloc(t, m, "out", 128))
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Error(), "64 threads wait for other warps of their warpgroup") {
		t.Errorf("%v", r.Faults)
	}
	m = load(t, product+"@%p2 ret;"+wait+end, emu.Config{})
	clean(t, launch(t, m, 1, 128, alloc(t, m, "out", 128)))
}
