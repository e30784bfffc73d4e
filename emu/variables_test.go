package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// sideBySide are the variables of the cases: A at shared address 0, B at 64, dynamic
// shared memory at 128.
const sideBySide = `
.shared .align 16 .b8 A[64];
.shared .align 16 .b8 B[64];
.extern .shared .align 16 .b8 D[];
.func (.param .b32 r) sum(.param .align 4 .b8 a[8], .param .align 4 .b8 b[8]) {
	.reg .b32 %a; .reg .b64 %x;
	mov.b64 %x, a; ld.param.u32 %a, [%x+8]; st.param.b32 [r], %a; ret;
}
`

// use refers to all of them, so that all are there.
const use = "mov.u32 %r10, A; mov.u32 %r11, B; mov.u32 %r12, D; mul.lo.u32 %r9, %r1, 4; "

// TestVariableBounds: accesses by 17 threads that leave one variable for another.
func TestVariableBounds(t *testing.T) {
	const of = " that the address was made from, in "
	for _, c := range []struct{ name, body, want string }{
		{"within", "add.u32 %r5, %r12, %r9; st.shared.u32 [%r5], 1;", ""},
		{"index too large", "add.u32 %r5, %r10, %r9; st.shared.u32 [%r5], 1;", "write of 4 bytes at shared address 0x40, which is 0 bytes after the variable A (64 bytes)" + of + "the variable B"},
		{"into dynamic memory", "add.u32 %r5, %r11, %r9; atom.shared.add.u32 %r6, [%r5], 1;", "atomic of 4 bytes at shared address 0x80, which is 0 bytes after the variable B (64 bytes)" + of + "the variable D"},
		{"index below 0", "sub.u32 %r5, %r11, 8; ld.shared.u32 %r6, [%r5+4];", "read of 4 bytes at shared address 0x3c, which is 4 bytes before the variable B (64 bytes)" + of + "the variable A"},
		{"before dynamic memory", "sub.u32 %r5, %r12, %r9; ld.shared.u32 %r6, [%r5];", "which is 4 bytes before the variable D (128 bytes)" + of + "the variable B"},
		{"in part", "mov.u32 %r5, A; add.u32 %r5, %r5, %r9; ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r5+48];", "which reaches 4 bytes beyond the end of the variable A (64 bytes)" + of + "the variable B"},
		{"beyond all", "mad.lo.u32 %r5, %r9, 1024, %r10; ld.shared.u32 %r6, [%r5];", "which is 4032 bytes after the variable A (64 bytes)" + of + "no variable"},
		{"generic", "cvt.u64.u32 %rd1, %r10; cvta.shared.u64 %rd1, %rd1; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.u32 [%rd1], 1;", "write of 4 bytes at shared address 0x40, which is 0 bytes after the variable A"},
		{"either", "setp.lt.u32 %p1, %r1, 8; selp.b32 %r5, %r10, %r11, %p1; add.u32 %r5, %r5, %r9; ld.shared.u32 %r6, [%r5+32];", ""},
		{"local", ".local .align 4 .b8 L[16]; .local .align 4 .b8 M[80]; mov.u64 %rd1, L; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.local.u32 [%rd1], 1; mov.u64 %rd1, M; ld.local.u32 %r6, [%rd1];", "write of 4 bytes at local address 0x10, which is 0 bytes after the variable L (16 bytes)" + of + "the variable M"},
		{"kernel parameter", "mov.u64 %rd1, p; ld.param.u32 %r6, [%rd1+8];", "read of 4 bytes at param address 0x8, which is 0 bytes after the variable p (8 bytes)"},
		{"argument", "{ .param .align 4 .b8 q[8]; .param .align 4 .b8 s[8]; .param .b32 v; st.param.b32 [q], 1; st.param.b32 [s], 2; call (v), sum, (q, s); ld.param.b32 %r5, [v]; }", "which is 0 bytes after the variable a (8 bytes)" + of + "the variable b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, on := range []bool{true, false} {
				m := load(t, sideBySide+kernel(use+c.body+" ret;"), emu.Config{Variables: on})
				r, err := m.Launch(t.Context(), emu.LaunchConfig{
					Kernel: "k", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 17, Y: 1, Z: 1}, Shared: 128, Params: make([]byte, 8),
				})
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				for _, f := range r.Faults {
					got += f.Class + ": " + f.Message + "\n"
				}
				switch {
				case on && (c.want == "") != (got == "") || !strings.Contains(got, c.want) && on:
					t.Errorf("got %q, want %q", got, c.want)
				case !on && strings.Contains(got, "made from"):
					t.Errorf("without the option: %q", got)
				}
			}
		})
	}
}

// TestVariableBoundsGoOn: with more faults allowed the other threads go on, and without memory
// checks the bad accesses do nothing.
func TestVariableBoundsGoOn(t *testing.T) {
	body := kernel(use + "add.u32 %r5, %r10, %r9; st.shared.u32 [%r5], 7; bar.sync 0; ld.shared.u32 %r6, [B]; st.global.u32 [%out], %r6; ret;")
	for _, c := range []struct {
		cfg    emu.Config
		faults int
		value  uint32
	}{
		{emu.Config{}, 0, 7},
		{emu.Config{Variables: true, MaxFaults: 3}, 1, 0},
		{emu.Config{Variables: true, NoMemcheck: true}, 0, 0},
	} {
		m := load(t, sideBySide+body, c.cfg)
		out := alloc(t, m, "out", 64)
		r := launch(t, m, 1, 17, out)
		if len(r.Faults) != c.faults || c.faults == 1 && r.Faults[0].Thread.X != 16 {
			t.Errorf("%+v: %v", c.cfg, r.Faults)
		}
		if got := words(t, m, out, 1)[0]; got != c.value {
			t.Errorf("%+v: B[0] is %d, want %d", c.cfg, got, c.value)
		}
	}
}
