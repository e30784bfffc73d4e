package address

import (
	"strings"
	"testing"
)

// TestGuesses: which loads are first looks before a compare-and-swap.
func TestGuesses(t *testing.T) {
	const loop = "W: mov.b32 %r2, %r1; add.u32 %r3, %r2, 1; atom.global.cas.b32 %r1, [%rd1], %r2, %r3; setp.ne.s32 %p1, %r1, %r2; @%p1 bra W;"
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"guide", "ld.global.u32 %r1, [%rd1]; " + loop, true},
		{"float", "ld.global.f32 %f1, [%rd1]; mov.b32 %r1, %f1; " + loop, true},
		{"generic", "ld.u32 %r1, [%rd1]; " + loop, true},
		{"strong", "ld.relaxed.gpu.u32 %r1, [%rd1]; " + loop, false},
		{"volatile", "ld.volatile.u32 %r1, [%rd1]; " + loop, false},
		{"parameter", "ld.param.u32 %r1, [p]; " + loop, false},
		{"address", "ld.global.u64 %rd1, [%rd2]; mov.u32 %r1, 0; " + loop, false},
		{"new value", "ld.global.u32 %r3, [%rd1]; atom.global.cas.b32 %r1, [%rd1], 0, %r3;", false},
		{"computed", "ld.global.u32 %r2, [%rd1]; add.u32 %r1, %r2, 1; " + loop, false},
		{"no swap", "ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd1], %r1;", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := kernel(t, ".reg .pred %p<9>; .reg .b32 %r<10>; .reg .f32 %f<2>; .reg .b64 %rd<9>;\n"+c.body+"\nret;")
			for _, in := range f.Insts {
				if strings.HasPrefix(in.Text(), "ld.") {
					if got := Guesses(f)[in]; got != c.want {
						t.Errorf("%s: %t", in.Text(), got)
					}
					return
				}
			}
			t.Fatal("no load")
		})
	}
}
