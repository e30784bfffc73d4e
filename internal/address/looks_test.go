package address

import (
	"strings"
	"testing"
)

// TestLooks: which loads only decide whether a compare-and-swap on the same location is executed.
func TestLooks(t *testing.T) {
	const (
		swap = "atom.shared.cas.b32 %r3, [%r1], -1, %r9;"
		// A search for a free place, as compilers rotate it: the load for the next round is at the end of this one.
		rotated = `mul.lo.s32 %r4, %r9, 107; and.b32 %r5, %r4, 255; and.b32 %r6, %r4, 255;
W: shl.b32 %r7, %r5, 2; add.s32 %r1, %r8, %r7; atom.shared.cas.b32 %r3, [%r1], -1, %r9; setp.eq.s32 %p1, %r3, -1; @%p1 bra D;
add.s32 %r4, %r5, 1; STEP
ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p2, %r2, %r9; @%p2 bra W; D:`
		step = "and.b32 %r5, %r4, 255; shl.b32 %r7, %r4, 2; and.b32 %r7, %r7, 1020; add.s32 %r1, %r8, %r7;"
	)
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"one look", "ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; " + swap + " D:", true},
		{"a predicate", "ld.shared.u32 %r2, [%r1]; setp.eq.s32 %p1, %r2, -1; @%p1 " + swap, true},
		{"a guess", "ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; atom.shared.cas.b32 %r3, [%r1], %r2, %r9; D:", true},
		{"a poll", "W: ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra W; " + swap + " setp.ne.s32 %p1, %r3, -1; @%p1 bra W;", true},
		{"equal addresses", "add.s32 %r4, %r1, 4; ld.shared.u32 %r2, [%r4+-4]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; " + swap + " D:", true},
		{"a rotated loop", strings.Replace(rotated, "STEP", step, 1), true},
		{"strong", "ld.volatile.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; " + swap + " D:", false},
		{"the value used", "ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; " + swap + " D: st.global.u32 [%rd1], %r2;", false},
		{"the new value", "ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; atom.shared.cas.b32 %r3, [%r1], -1, %r2; D:", false},
		{"an address", "ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; " + swap + " ld.shared.u32 %r4, [%r2]; D:", false},
		{"no decision", "ld.shared.u32 %r2, [%r1]; " + swap, false},
		{"another decision", "ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; st.global.u32 [%rd1], 1; D: " + swap, false},
		{"another decision in a loop", "W: ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; st.global.u32 [%rd1], 1; D: " + swap +
			" add.s32 %r1, %r1, 4; setp.ne.s32 %p1, %r1, %r7; @%p1 bra W;", false},
		{"another place", "ld.shared.u32 %r2, [%r1+4]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; " + swap + " D:", false},
		{"another width", "ld.shared.u16 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; " + swap + " D:", false},
		{"a place that a loop has left", "W: ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; add.s32 %r1, %r1, 4; @%p1 bra W; " + swap, false},
		{"a rotated loop, another place", strings.Replace(rotated, "STEP", strings.Replace(step, "1020", "508", 1), 1), false},
		{"a rotated loop, the place before", strings.Replace(rotated, "STEP", "and.b32 %r5, %r4, 255;", 1), false},
		{"an address from memory", "ld.global.u32 %r4, [%rd2]; ld.shared.u32 %r2, [%r4]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; ld.global.u32 %r5, [%rd2]; atom.shared.cas.b32 %r3, [%r5], -1, %r9; D:", false},
		{"an address loaded once", "ld.global.u32 %r4, [%rd2]; ld.shared.u32 %r2, [%r4]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; mov.u32 %r5, %r4; atom.shared.cas.b32 %r3, [%r5], -1, %r9; D:", true},
		{"a barrier between", "ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; bar.sync 0; @%p1 bra D; " + swap + " D:", false},
		{"no swap", "ld.shared.u32 %r2, [%r1]; setp.ne.s32 %p1, %r2, -1; @%p1 bra D; atom.shared.exch.b32 %r3, [%r1], %r9; D:", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := kernel(t, ".reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>;\n"+c.body+"\nret;")
			found := false
			for look, after := range Looks(f) {
				found = strings.HasPrefix(look.Text(), "ld.shared")
				if len(after) != 1 || !strings.HasPrefix(after[0].Text(), "atom.shared.cas") {
					t.Errorf("%s before %d swaps", look.Text(), len(after))
				}
			}
			if found != c.want {
				t.Errorf("a look: %t", found)
			}
		})
	}
}
