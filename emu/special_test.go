package emu

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestZeroSpecials: what no driver has set up reads 0.
func TestZeroSpecials(t *testing.T) {
	var body strings.Builder
	names := []string{"%pm0", "%pm7", "%pm3_64", "%envreg0", "%envreg31"}
	for i, name := range names {
		r, ok := isa.Special(name)
		if !ok {
			t.Fatalf("no special register %s", name)
		}
		reg := "%r1"
		if r.Type.Bits() == 64 {
			reg = "%rd3"
		}
		fmt.Fprintf(&body, "\tmov.b%d %s, %s;\n\tst.global.b%d [%%rd1+%d], %s;\n", r.Type.Bits(), reg, name, r.Type.Bits(), 8*i, reg)
	}
	in := make([]byte, 32*recordSize)
	out, fault := runWarp(t, body.String(), in)
	if fault != nil {
		t.Fatal(fault)
	}
	for i, b := range out {
		if b != 0 {
			t.Fatalf("byte %d of record %d is %d", i%recordSize, i/recordSize, b)
		}
	}
}

// wordsOf runs a warp whose threads store registers %r1 to %r<n>, and returns the words of a thread.
func wordsOf(t *testing.T, body string, n, thread int) []uint32 {
	t.Helper()
	for i := range n {
		body += fmt.Sprintf("\tst.global.u32 [%%rd1+%d], %%r%d;\n", 4*i, i+1)
	}
	out, fault := runWarp(t, body, make([]byte, 32*recordSize))
	if fault != nil {
		t.Fatal(fault)
	}
	words := make([]uint32, n)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(out[thread*recordSize+4*i:])
	}
	return words
}

// TestVectorSpecials: mov.v4 copies all components of a special register, the fourth of which is 0 (PTX ISA, "Special
// Registers").
func TestVectorSpecials(t *testing.T) {
	for body, want := range map[string][4]uint32{
		"mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;":                                    {5, 0, 0, 0},
		"mov.v4.b32 {%r1, %r2, %r3, %r4}, %ntid;":                                   {32, 1, 1, 0},
		"mov.v4.s32 {%r1, %r2, %r3, %r4}, %nctaid;":                                 {1, 1, 1, 0},
		"mov.v4.u32 {%r1, %r2, %r3, %r4}, %nclusterid;":                             {1, 1, 1, 0},
		"mov.v4.u32 {_, %r1, %r2, _}, %ntid; mov.v4.u32 {%r3, _, _, %r4}, %tid;":    {1, 1, 5, 0},
		".reg .v4 .u32 v; mov.v4.u32 v, %ntid; mov.v4.u32 {%r4, %r3, %r2, %r1}, v;": {0, 1, 1, 32},
		`.reg .b16 h<5>; mov.v4.u16 {h1, h2, h3, h4}, %tid;
		cvt.u32.u16 %r1, h1; cvt.u32.u16 %r2, h2; cvt.u32.u16 %r3, h3; cvt.u32.u16 %r4, h4;`: {5, 0, 0, 0},
		"mov.u32 %r9, 7; mov.b32 {%r1}, %r9; mov.b32 %r2, {%r9}; mov.u32 %r3, 0; mov.u32 %r4, 0;": {7, 7, 0, 0},
	} {
		if got := wordsOf(t, body, 4, 5); [4]uint32(got) != want {
			t.Errorf("%s: %d, expected %d", body, got, want)
		}
	}
}

// TestReservedShared: the reserved shared memory has 1 KB (CUDA C++ Programming Guide, "Compute Capabilities"), of
// which cooperative groups use 288 bytes from %reserved_smem_offset_1 on; variables are outside, and sizes are without
// it but for %aggr_smem_size (PTX ISA, "Special Registers").
func TestReservedShared(t *testing.T) {
	got := wordsOf(t, `
	.shared .align 4 .b8 before[4];
	.shared .align 16 .b8 after[64];
	mov.u32 %r1, %reserved_smem_offset_begin;
	mov.u32 %r2, %reserved_smem_offset_end;
	mov.u32 %r3, %reserved_smem_offset_cap;
	mov.u32 %r4, %reserved_smem_offset_0;
	cvt.u64.u32 %rd4, %reserved_smem_offset_1;
	cvt.u32.u64 %r5, %rd4;
	mov.u32 %r6, before;
	mov.u32 %r7, after;
	mov.u32 %r8, %total_smem_size;
	mov.u32 %r9, %aggr_smem_size;
	st.shared.u32 [%r5], 1;
	st.shared.u32 [%r5+284], 2;
	st.shared.u32 [%r6], 3;
	st.shared.u32 [%r7], 4;
	cvta.shared.u64 %rd4, %rd4;
	ld.u32 %r10, [%rd4];
	ld.u32 %r11, [%rd4+284];
`, 11, 0)
	begin, end, size, zero, one, before, after := got[0], got[1], got[2], got[3], got[4], got[5], got[6]
	inside := func(at uint32) bool { return at >= begin && at < end }
	if size != 1024 || end-begin != size || !inside(zero) || !inside(one) || one+288 > end {
		t.Errorf("reserved from %d to %d, %d bytes, offsets %d and %d", begin, end, size, zero, one)
	}
	if inside(before) || inside(before+3) || inside(after) || inside(after+63) {
		t.Errorf("variables at %d and %d, reserved from %d to %d", before, after, begin, end)
	}
	if total, all := got[7], got[8]; total != 80 || all != total+size {
		t.Errorf("%d bytes of shared memory, %d with the reserved ones", total, all)
	}
	if got[9] != 1 || got[10] != 2 {
		t.Errorf("read %d and %d in the reserved part, expected 1 and 2", got[9], got[10])
	}
}
