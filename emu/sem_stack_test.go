package emu

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// TestAlloca: every lane takes 8*(lane+1) bytes twice and fills them with its
// number, calls a function with variables of its own in between, and finds the
// bytes as they were. The address is aligned; stackrestore gives memory back.
func TestAlloca(t *testing.T) {
	for _, typ := range []string{"u32", "u64"} {
		t.Run(typ, func(t *testing.T) { testAlloca(t, typ) })
	}
}

func testAlloca(t *testing.T, typ string) {
	t.Helper()
	reg := "%r"
	if typ == "u64" {
		reg = "%rd"
	}
	body := `
	mov.u32 %r1, %laneid;
	add.u32 %r2, %r1, 1;
	shl.b32 %r3, %r2, 3;
	cvt.u64.u32 %rd3, %r3;
	stacksave.TYPE REG8;
	alloca.TYPE REG9, REG3;
	alloca.TYPE REG10, REG3, 64;
	mov.u32 %r4, 0;
FILL:
	cvt.u64.u32 %rd4, %r4;
	add.TYPE REG11, REG9, REG4;
	add.TYPE REG12, REG10, REG4;
	st.local.u32 [REG11], %r1;
	st.local.u32 [REG12], %r2;
	add.u32 %r4, %r4, 4;
	setp.lt.u32 %p1, %r4, %r3;
	@%p1 bra FILL;
	call f;
	mov.u32 %r4, 0;
	mov.u32 %r5, 0;
SUM:
	cvt.u64.u32 %rd4, %r4;
	add.TYPE REG11, REG9, REG4;
	add.TYPE REG12, REG10, REG4;
	ld.local.u32 %r6, [REG11];
	ld.local.u32 %r7, [REG12];
	add.u32 %r5, %r5, %r6;
	mad.lo.u32 %r5, %r7, 1000, %r5;
	add.u32 %r4, %r4, 4;
	setp.lt.u32 %p1, %r4, %r3;
	@%p1 bra SUM;
	st.global.u32 [%rd1], %r5;
	and.b32 %r5, %r10, 63;
	cvt.u64.u32 %rd13, %r5;
	st.global.u32 [%rd1+4], %r5;
	and.b64 %rd13, %rd10, 63;
	cvt.u32.u64 %r5, %rd13;
	st.global.u32 [%rd1+8], %r5;
	stackrestore.TYPE REG8;
	alloca.TYPE REG11, 24, 8;
	sub.TYPE REG12, REG11, REG9;
	cvt.u32.u64 %r11, %rd12;
	or.b32 %r12, %r12, %r11;
	st.global.u32 [%rd1+12], %r12;
`
	body = strings.NewReplacer("REG", reg, "TYPE", typ).Replace(body)
	if typ == "u32" { // the 64-bit copies stay zero
		body = strings.ReplaceAll(body, "cvt.u32.u64 %r11, %rd12;", "mov.u32 %r11, 0;")
	}
	src := `.func f() {
	.local .align 8 .b8 v[256];
	.reg .b32 %i;
	.reg .pred %p;
	.reg .b32 %a;
	mov.u32 %i, 0;
	mov.u32 %a, v;
L:	st.local.u32 [%a], -1;
	add.u32 %a, %a, 4;
	add.u32 %i, %i, 1;
	setp.lt.u32 %p, %i, 64;
	@%p bra L;
	ret;
}
` + warpKernel(body)
	m := machineFor(t, Config{}, src)
	CountResults(m, state.WarpSize)
	out, fault := launchWarp(t, m, make([]byte, 32*recordSize))
	if fault != nil {
		t.Fatal(fault)
	}
	for lane := range uint32(32) {
		words := 2 * (lane + 1)
		record := out[lane*recordSize:]
		for i, want := range []uint32{words*lane + 1000*words*(lane+1), 0, 0, 0} {
			if got := binary.LittleEndian.Uint32(record[4*i:]); got != want {
				t.Errorf("lane %d, word %d: %d, want %d", lane, i, got, want)
			}
		}
	}
}

// TestAllocaDivergent: lanes of one activation take memory on their own paths, and
// what returns from a function is given back.
func TestAllocaDivergent(t *testing.T) {
	src := `.func (.reg .u32 %v) take(.reg .u32 %n) {
	.reg .u32 %a;
	alloca.u32 %a, 4096;
	st.local.u32 [%a+4092], %n;
	ld.local.u32 %v, [%a+4092];
	ret;
}
` + warpKernel(`
	mov.u32 %r1, %laneid;
	setp.lt.u32 %p1, %r1, 16;
	mov.u32 %r5, 0;
	mov.u32 %r6, 0;
	@%p1 alloca.u32 %r2, 16;
	@%p1 st.local.u32 [%r2], %r1;
LOOP:
	call (%r3), take, (%r1);
	add.u32 %r6, %r6, %r3;
	add.u32 %r5, %r5, 1;
	setp.lt.u32 %p2, %r5, 500;
	@%p2 bra LOOP;
	@%p1 ld.local.u32 %r3, [%r2];
	add.u32 %r6, %r6, %r3;
	st.global.u32 [%rd1], %r6;
`)
	m := machineFor(t, Config{}, src)
	CountResults(m, state.WarpSize)
	out, fault := launchWarp(t, m, make([]byte, 32*recordSize))
	if fault != nil {
		t.Fatal(fault)
	}
	for lane := range uint32(32) {
		if got, want := binary.LittleEndian.Uint32(out[lane*recordSize:]), 501*lane; got != want {
			t.Errorf("lane %d: %d, want %d", lane, got, want)
		}
	}
}

// TestAllocaFaults: too much memory and a foreign stack pointer are faults, a bad
// alignment an error of the program.
func TestAllocaFaults(t *testing.T) {
	for body, want := range map[string]string{
		"alloca.u64 %rd2, -1;":                                            "stack overflow",
		"alloca.u32 %r2, 0x80000;\nalloca.u32 %r2, 8;":                    "stack overflow",
		"L: alloca.u32 %r2, 4096;\nbra L;":                                "stack overflow",
		"stacksave.u32 %r2;\nadd.u32 %r2, %r2, 8;\nstackrestore.u32 %r2;": "stackrestore to 0x",
	} {
		_, fault := runWarp(t, body, make([]byte, 32*recordSize))
		if fault == nil || fault.Class != "out-of-bounds" || !strings.Contains(fault.Message, want) {
			t.Errorf("%s: fault %v, expected %q", body, fault, want)
		}
	}
	for _, align := range []string{"0", "3", "0x1000000"} {
		if _, err := newMachine(Config{}, warpKernel("alloca.u32 %r2, 8, "+align+";")); err == nil || !strings.Contains(err.Error(), "power of 2") {
			t.Errorf("alignment %s: %v", align, err)
		}
	}
}
