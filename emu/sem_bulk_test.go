package emu

import (
	"encoding/binary"
	"strings"
	"testing"
)

// TestBulkStore: lane 0 clears 16 bytes of shared memory; what stands around stays.
func TestBulkStore(t *testing.T) {
	fill := `
	.shared .align 16 .b8 s[128];
	mov.u32 %r1, s;
	shl.b32 %r2, %r0, 2;
	add.u32 %r1, %r1, %r2;
	st.shared.u32 [%r1], -1;
	bar.warp.sync -1;
	setp.eq.u32 %p0, %r0, 0;
	mov.u64 %rd2, 16;
`
	read := `
	bar.warp.sync -1;
	ld.shared.u32 %r3, [%r1];
	st.global.u32 [%rd1], %r3;
`
	generic := "cvt.u64.u32 %rd3, %r1; cvta.shared.u64 %rd3, %rd3; @%p0 st.bulk [%rd3+8], 16, 0;"
	for _, clear := range []string{"@%p0 st.bulk.weak.shared::cta [%r1+8], %rd2, 0;", generic} {
		out, fault := runWarp(t, fill+clear+read, make([]byte, 32*recordSize))
		if fault != nil {
			t.Fatal(fault)
		}
		for lane := range 32 {
			want := ^uint32(0)
			if lane >= 2 && lane < 6 {
				want = 0
			}
			if got := binary.LittleEndian.Uint32(out[lane*recordSize:]); got != want {
				t.Errorf("%s: word %d is %x, want %x", clear, lane, got, want)
			}
		}
	}
	for clear, want := range map[string]string{
		"@%p0 st.bulk.shared::cta [%r1], 12, 0;":           "multiple of 8",
		"@%p0 st.bulk.shared::cta [%r1], 0x2000000, 0;":    "up to 16777216",
		"@%p0 st.bulk.shared::cta [%r1+4], 8, 0;":          "misaligned",
		"@%p0 st.bulk.shared::cta [%r1+120], 16777216, 0;": "after the shared memory",
	} {
		if _, fault := runWarp(t, fill+clear+read, make([]byte, 32*recordSize)); fault == nil || !strings.Contains(fault.Message, want) {
			t.Errorf("%s: fault %v, expected %q", clear, fault, want)
		}
	}
	if _, err := newMachine(Config{}, warpKernel(fill+"st.bulk.shared::cta [%r1], 8, 1;")); err == nil || !strings.Contains(err.Error(), "expected 0") {
		t.Errorf("initial value 1: %v", err)
	}
}
