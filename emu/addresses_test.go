package emu_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestManyDeviceAllocations: a thread that allocates and frees 40,000 times, with stores in between, gets memory each
// time, and freed memory is not returned by the next allocation.
func TestManyDeviceAllocations(t *testing.T) {
	const text = `.extern .func (.param .b64 p) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
.entry k(.param .u64 out) {
	.reg .b64 %d<8>; .reg .b32 %r<4>; .reg .pred %p;
	ld.param.u64 %d1, [out]; mov.u32 %r1, 0; mov.u32 %r3, 0; mov.u64 %d3, 0;
L:	{ .param .b64 n; .param .b64 o; st.param.b64 [n], 8; call (o), malloc, (n); ld.param.b64 %d2, [o]; }
	setp.eq.u64 %p, %d2, %d3; @%p trap;
	st.u32 [%d2], %r1; ld.u32 %r2, [%d2]; add.u32 %r3, %r3, %r2; mov.u64 %d3, %d2;
	{ .param .b64 o; st.param.b64 [o], %d2; call free, (o); }
	add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 40000; @%p bra L;
	st.global.u32 [%d1], %r3; ret;
}`
	for tier, plain := range tiers {
		if got := run(t, text, emu.Config{NoVector: plain}, 1, 1, 1); got[0] != 40000*39999/2 {
			t.Errorf("%s: %d", tier, got)
		}
	}
}

// TestNarrowGenericAddresses: cvta.u32 gives the lower half of a generic address, and cvta.to.u32 the address back.
func TestNarrowGenericAddresses(t *testing.T) {
	for _, space := range []string{"shared", "shared::cta", "shared::cluster", "local", "global", "const", "param"} {
		m := loadWith(t, header100+kernel(`
	mul.lo.u32 %r5, %r1, 36; cvt.u64.u32 %rd1, %r5; cvta.`+space+`.u64 %rd1, %rd1; cvt.u32.u64 %r6, %rd1;
	cvta.`+space+`.u32 %r7, %r5; cvta.to.`+space+`.u32 %r8, %r7; sub.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8;
	st.global.u32 [%out], %r6; ret;`), emu.Config{})
		buf := alloc(t, m, "buf", 32)
		clean(t, launch(t, m, 1, 32, buf))
		for i, v := range words(t, m, buf, 32) {
			if v != uint32(36*i) {
				t.Errorf("%s, address %d: got %d", space, 36*i, v)
			}
		}
	}
}
