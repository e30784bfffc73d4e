package address

import (
	"fmt"
	"testing"
)

// TestWaits: what loops that wait decide for values 0 to 3, with 2 in each input: an index, "on" or "?" for each; u
// says that the value is used after the loop.
func TestWaits(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"until a flag is set", `
L:	ld.acquire.gpu.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;
	ret;`, "on 5 5 5"},
		{"by a volatile load with a pause", `
L:	nanosleep.u32 20; ld.volatile.global.u32 %r1, [%rd1]; membar.gl; setp.ne.s32 %p1, %r1, 2; @%p1 bra L;
	ret;`, "on on 7 on"},
		{"until a parameter", `
	ld.param.u32 %r2, [n];
L:	atom.global.or.b32 %r1, [%rd1], 0; setp.lt.u32 %p1, %r1, %r2; @%p1 bra L;
	ret;`, "on on 6 6"},
		{"and uses the value", `
L:	ld.acquire.gpu.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;
	st.global.u32 [%rd2], %r1; ret;`, "on 5u 5u 5u"},
		{"by a compare-and-swap of equal values", `
L:	atom.acquire.gpu.global.cas.b32 %r1, [%rd1], 7, 7; setp.ne.s32 %p1, %r1, 3; @%p1 bra L;
	ret;`, "on on on 5"},
		{"for what an addition of its own has not found", `
	atom.global.add.u32 %r2, [%rd1], 1;
L:	ld.acquire.gpu.global.u32 %r1, [%rd1]; xor.b32 %r3, %r1, %r2; and.b32 %r3, %r3, 1; setp.eq.s32 %p1, %r3, 0; @%p1 bra L;
	ret;`, "on 8 on 8"},
		{"with a first round in front", `
	ld.volatile.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 3; @%p1 bra E;
L:	ld.volatile.global.u32 %r1, [%rd1]; setp.ne.s32 %p1, %r1, 3; @%p1 bra L;
E:	ret;`, "on on on 8, on on on 8"},
		{"with a first round that has another condition", `
	ld.volatile.global.u32 %r1, [%rd1]; setp.ne.s32 %p1, %r1, 0; @%p1 bra E;
L:	ld.volatile.global.u32 %r1, [%rd1]; setp.lt.s32 %p1, %r1, 2; @%p1 bra L;
E:	ret;`, "on ? 8 8, on on 8 8"},
		{"and remembers what the first round has found", `
	mov.u32 %r2, 0; ld.volatile.global.u32 %r1, [%rd1]; setp.ne.s32 %p1, %r1, 3; @%p1 mov.u32 %r2, 1; @!%p1 bra E;
L:	ld.volatile.global.u32 %r1, [%rd1]; setp.ne.s32 %p1, %r1, 3; @%p1 bra L;
E:	st.global.u32 [%rd2], %r2; ret;`, "? ? ? ?, on on on 10"},
		{"for another value than the first round has found", `
	ld.volatile.global.u32 %r2, [%rd1];
L:	ld.volatile.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, %r2; @%p1 bra L;
	ret;`, "? ? ? ?, 6 6 on 6"},
		{"and keeps whether it was one value", `
L:	ld.volatile.global.u32 %r1, [%rd1]; setp.eq.s32 %p2, %r1, 2; mov.u32 %r2, 0; @%p2 mov.u32 %r2, 1;
	setp.eq.s32 %p1, %r1, 0; @%p1 bra L;
	st.global.u32 [%rd2], %r2; ret;`, "on 8u 8u 8u"},
		{"takes a lock", `
L:	atom.global.cas.b32 %r1, [%rd1], 0, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra L;
	ret;`, ""},
		{"counts its rounds for later", `
	mov.u32 %r2, 0;
L:	add.u32 %r2, %r2, 1; ld.volatile.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;
	st.global.u32 [%rd2], %r2; ret;`, "on ? ? ?"},
		{"counts its rounds to give up", `
	mov.u32 %r2, 0;
L:	add.u32 %r2, %r2, 1; setp.gt.u32 %p2, %r2, 100; @%p2 bra E; ld.volatile.global.u32 %r1, [%rd1];
	setp.gt.u32 %p2, %r2, 50; @%p2 bra E; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;
E:	ret;`, "? ? ? ?"},
		{"for what memory says", `
	ld.global.u32 %r2, [%rd2];
L:	ld.volatile.global.u32 %r1, [%rd1]; setp.ne.s32 %p1, %r1, %r2; @%p1 bra L;
	ret;`, "on on 6 on"},
		{"stores in each round", `
L:	st.global.u32 [%rd2], %r4; ld.volatile.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;
	ret;`, "? 6 6 6"},
		{"for the clock, too", `
L:	ld.volatile.global.u32 %r1, [%rd1]; mov.u32 %r2, %clock; setp.lt.u32 %p2, %r2, 100; @%p2 bra E;
	setp.eq.s32 %p1, %r1, 0; @%p1 bra L;
E:	ret;`, "? ? ? ?"},
	} {
		f := load(t, "k.ptx", header+`.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {
	.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
	ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b];`+c.body+"\n}\n").Kernels()[0]
		got := ""
		for _, in := range f.Insts {
			if w := Waits(f)[in]; w != nil {
				if got != "" {
					got += ", "
				}
				got += decisions(w)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// decisions returns where a thread goes on for values 0 to 3.
func decisions(w *Wait) (text string) {
	for value := range uint64(4) {
		inputs := make([]uint64, len(w.Inputs))
		for i := range inputs {
			inputs[i] = 2
		}
		if value > 0 {
			text += " "
		}
		switch x := w.End(value, inputs); {
		case !x.Known:
			text += "?"
		case x.To == WaitsOn:
			text += "on"
		case x.Used:
			text += fmt.Sprint(x.To, "u")
		default:
			text += fmt.Sprint(x.To)
		}
	}
	return text
}
