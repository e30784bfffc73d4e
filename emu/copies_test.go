package emu_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestCopies: programs with copies of registers, most of which need no instruction, have the same results as with all
// copies executed, which is the case when uninitialised reads are checked.
func TestCopies(t *testing.T) {
	const functions = `
.func (.param .b32 r) last(.param .b32 n, .param .b32 m)
{
	.reg .b32 %a<6>;
	mov.u32 %a1, %laneid;
	ld.param.u32 %a2, [n];
	mov.u32 %a3, %a2;
	ld.param.u32 %a4, [m];
	mad.lo.u32 %a5, %a3, %a4, %a1;
	st.param.b32 [r], %a5;
	ret;
}
.func (.param .b32 r) same(.param .b32 n)
{
	.reg .b32 %a<3>;
	ld.param.u32 %a1, [n];
	mov.u32 %a2, %a1;
	st.param.b32 [r], %a2;
	ret;
}
.func (.param .b32 r) deep(.param .b32 n)
{
	.reg .b32 %a<5>;
	ld.param.u32 %a1, [n];
	mov.u32 %a2, %a1;
	{ .param .b32 q; .param .b32 v; st.param.b32 [q], %a2; call (v), same, (q); ld.param.b32 %a3, [v]; }
	add.u32 %a4, %a3, %a1;
	st.param.b32 [r], %a4;
	ret;
}
`
	call2 := func(result, first, second string) string {
		return "{ .param .b32 q; .param .b32 p; .param .b32 v; st.param.b32 [q], " + first + "; st.param.b32 [p], " + second + "; call (v), last, (q, p); ld.param.b32 " + result + ", [v]; }"
	}
	call := func(result, callee, argument string) string {
		return "{ .param .b32 q; .param .b32 v; st.param.b32 [q], " + argument + "; call (v), " + callee + ", (q); ld.param.b32 " + result + ", [v]; }"
	}
	for name, body := range map[string]string{
		"exchange in a loop": `mov.u32 %r1, %tid.x; mov.u32 %r2, 7; mov.u32 %r3, 0;
			L: mov.u32 %r4, %r1; mov.u32 %r1, %r2; mov.u32 %r2, %r4; add.u32 %r3, %r3, 1; setp.lt.u32 %p, %r3, %r0; @%p bra L; mad.lo.u32 %r9, %r1, 100, %r2;`,
		"the value of the round before": `mov.u32 %r1, 1; mov.u32 %r5, 0;
			L: mov.u32 %r2, %r1; add.u32 %r1, %r1, %r0; add.u32 %r1, %r1, 1; add.u32 %r5, %r5, %r2; setp.lt.u32 %p, %r1, 500; @%p bra L; mov.u32 %r9, %r5;`,
		"lanes that part": `mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; and.b32 %r3, %r2, 1; setp.eq.u32 %p, %r3, 0; @%p bra L;
			add.u32 %r4, %r1, 10; mov.u32 %r5, %r4; bra M; L: add.u32 %r4, %r2, 20; mov.u32 %r5, %r4; M: mov.u32 %r6, %r5; mad.lo.u32 %r9, %r6, 3, %r2;`,
		"between lanes": `mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; add.u32 %r3, %r2, 5; mov.u32 %r4, %r3;
			shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1; mov.u32 %r6, %r5; add.u32 %r9, %r6, %r4;`,
		"arguments and results":           "mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; " + call2("%r3", "%r2", "%r1") + " mov.u32 %r4, %r3; " + call2("%r5", "%r4", "%r3") + " mad.lo.u32 %r9, %r5, 7, %r2;",
		"a result into what was passed":   "add.u32 %r1, %r0, 3; mov.u32 %r2, %r1; " + call("%r2", "same", "%r2") + call("%r1", "same", "%r1") + " mad.lo.u32 %r9, %r1, 100, %r2;",
		"calls in calls":                  "mov.u32 %r1, %r0; " + call("%r2", "deep", "%r1") + " mov.u32 %r3, %r2; " + call("%r4", "deep", "%r3") + " mad.lo.u32 %r9, %r4, 1000, %r1;",
		"one argument for two calls":      "add.u32 %r1, %r0, 9; mov.u32 %r2, %r1; " + call("%r3", "same", "%r2") + " add.u32 %r1, %r1, 1; " + call("%r4", "deep", "%r2") + " mad.lo.u32 %r5, %r3, 100, %r4; mad.lo.u32 %r9, %r5, 100, %r1;",
		"floating point as bits":          "cvt.rn.f32.u32 %f1, %r0; mov.b32 %r1, %f1; mov.b32 %f2, %r1; add.f32 %f3, %f2, %f1; mov.b32 %r9, %f3;",
		"an address in the global window": "cvta.global.u64 %rd1, %rd0; cvta.to.global.u64 %rd2, %rd1; sub.u64 %rd3, %rd2, %rd0; cvt.u32.u64 %r1, %rd3; add.u32 %r9, %r1, %r0;",
	} {
		text := functions + `
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<10>; .reg .b64 %rd<5>; .reg .f32 %f<4>; .reg .pred %p;
	ld.param.u64 %rd0, [out];
	mov.u32 %r0, %tid.x;
	mad.wide.u32 %rd4, %r0, 4, %rd0;
` + body + `
	st.global.u32 [%rd4], %r9;
	ret;
}
`
		const threads = 70
		var got [2][]uint32
		for i, cfg := range []emu.Config{{}, {Uninitialised: true}} {
			m := load(t, text, cfg)
			out := alloc(t, m, "out", threads)
			clean(t, launch(t, m, 1, threads, out))
			got[i] = words(t, m, out, threads)
		}
		if !slices.Equal(got[0], got[1]) {
			t.Errorf("%s: %d, want %d", name, got[0], got[1])
		}
	}
}
