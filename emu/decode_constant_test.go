package emu_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestIndexedAccesses: ld, st, mov and cvta of array[index] count in elements; an index in
// a register of 32 bits wraps around before it is extended, as in the code that ptxas
// makes.
func TestIndexedAccesses(t *testing.T) {
	got := run(t, `.version 7.8
.target sm_80
.address_size 64
.global .u32 g[8] = {10, 11, 12, 13, 14, 15, 16, 17};
.visible .entry k(.param .u64 out)
{
	.reg .b16 %h;
	.reg .b32 %r<12>;
	.reg .b64 %rd<9>;
	.shared .u32 sh[8];
	.local .align 8 .u16 lo[8];
	ld.param.u64 %rd0, [out];
	mov.u32 %r0, 2;
	mov.u64 %rd1, 3;
	mov.u32 %r1, -1;
	mov.u16 %h, 0xffff;
	ld.global.u32 %r2, g[1];
	ld.global.u32 %r3, g[%r0];
	ld.global.u32 %r4, g[%rd1+1];
	ld.global.u32 %r5, g[%r1+6];
	st.shared.u32 sh[%r0+1], %r0+40;
	ld.shared.u32 %r6, [sh+12];
	mov.u64 %rd2, g[%r1+8];
	ld.global.u32 %r7, [%rd2];
	mov.u64 %rd3, lo[%r0];
	st.local.u16 lo[2], %h+3;
	ld.local.u16 %r8, [%rd3];
	mov.u32 %r9, sh[%rd1];
	ld.shared.u32 %r9, [%r9];
	cvta.global.u64 %rd4, g[%r0];
	ld.u32 %r10, [%rd4];
	add.u32 %r11, %r1+5, %r0+1;
	st.global.v4.u32 [%rd0], {%r2, %r3, %r4, %r5};
	st.global.v4.u32 [%rd0+16], {%r6, %r7, %r8, %r9};
	st.global.v2.u32 [%rd0+32], {%r10, %r11};
	st.global.u64 [%rd0+40], %rd1+0x100000000;
	ret;
}
`, emu.Config{}, 1, 1, 12)
	want := []uint32{11, 12, 14, 15, 42, 17, 2, 42, 12, 7, 3, 1}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
