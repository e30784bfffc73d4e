package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

const callLib = `
.func (.param .b32 r) fact(.param .b32 n)
{
	.reg .pred %p; .reg .b32 %a<5>;
	ld.param.u32 %a1, [n];
	setp.le.u32 %p, %a1, 1;
	@%p bra ONE;
	sub.u32 %a2, %a1, 1;
	{ .param .b32 q; .param .b32 v;
	st.param.b32 [q], %a2;
	call (v), fact, (q);
	ld.param.b32 %a3, [v]; }
	mul.lo.u32 %a4, %a3, %a1;
	st.param.b32 [r], %a4;
	ret;
ONE:	st.param.b32 [r], 1;
	ret;
}
.func (.param .b32 r) twice(.param .b32 n)
{
	.reg .b32 %a<3>;
	ld.param.u32 %a1, [n];
	add.u32 %a2, %a1, %a1;
	st.param.b32 [r], %a2;
	ret;
}
.func (.param .b32 r) thrice(.param .b32 n)
{
	.reg .b32 %a<3>;
	ld.param.u32 %a1, [n];
	mul.lo.u32 %a2, %a1, 3;
	st.param.b32 [r], %a2;
	ret;
}
.func (.reg .b32 r) viaregs(.reg .b32 n, .reg .b64 m, .reg .pred p)
{
	.reg .b32 %a; .reg .b32 %c;
	cvt.u32.u64 %a, m;
	selp.b32 %c, 100, 200, p;
	add.u32 r, n, %a;
	add.u32 r, r, %c;
	ret;
}
.func (.reg .v2 .u32 r) swapped(.reg .v2 .u32 n)
{
	mov.u32 r.x, n.y;
	mov.u32 r.y, n.x;
	ret;
}
.func (.param .b32 r) local(.param .b32 n)
{
	.local .align 4 .b8 depot[64];
	.reg .b32 %a<5>; .reg .b64 %d<5>; .reg .pred %p;
	ld.param.u32 %a1, [n];
	mov.u32 %a2, 0;
	mov.u64 %d1, depot; cvta.local.u64 %d2, %d1;
L:	mad.wide.u32 %d3, %a2, 4, %d2;
	st.u32 [%d3], %a1;
	add.u32 %a2, %a2, 1; setp.lt.u32 %p, %a2, 16; @%p bra L;
	ld.local.u32 %a3, [depot+60];
	ld.local.u32 %a4, [%d1];
	add.u32 %a3, %a3, %a4;
	st.param.b32 [r], %a3;
	ret;
}
`

func TestCalls(t *testing.T) {
	call := func(callee string) string {
		return `{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r5; call (v), ` + callee + `, (q); ld.param.b32 %r6, [v]; } st.global.u32 [%out], %r6; ret;`
	}
	factorial := func(n uint32) uint32 {
		f := uint32(1)
		for ; n > 1; n-- {
			f *= n
		}
		return f
	}
	for _, c := range []struct {
		name, body string
		want       func(i uint32) uint32
	}{
		{"uniform", "mov.u32 %r5, %r4;" + call("twice"), func(i uint32) uint32 { return 2 * i }},
		{"recursion by lane", "and.b32 %r5, %r4, 7;" + call("fact"), func(i uint32) uint32 { return factorial(i & 7) }},
		{"local memory", "mov.u32 %r5, %r4;" + call("local"), func(i uint32) uint32 { return 2 * i }},
		{
			"guarded", "mov.u32 %r6, 9; and.b32 %r5, %r4, 1; setp.eq.u32 %p1, %r5, 1;" +
				"{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r4; @%p1 call (v), twice, (q); @%p1 ld.param.b32 %r6, [v]; } st.global.u32 [%out], %r6; ret;",
			func(i uint32) uint32 {
				if i%2 == 1 {
					return 2 * i
				}
				return 9
			},
		},
		{
			"register parameters", `setp.lt.u32 %p1, %r4, 20; cvt.u64.u32 %rd1, %r4; call (%r6), viaregs, (%r4, %rd1, %p1); st.global.u32 [%out], %r6; ret;`,
			func(i uint32) uint32 {
				if i < 20 {
					return 2*i + 100
				}
				return 2*i + 200
			},
		},
		{
			"vector register parameters", `.reg .v2 .u32 %v; mov.u32 %v.x, %r4; mov.u32 %v.y, 7; call (%v), swapped, (%v); mad.lo.u32 %r6, %v.y, 100, %v.x; st.global.u32 [%out], %r6; ret;`,
			func(i uint32) uint32 { return 100*i + 7 },
		},
		{
			"function pointers", `
			mov.u64 %rd1, twice; mov.u64 %rd2, thrice;
			and.b32 %r5, %r4, 1; setp.eq.u32 %p1, %r5, 1; selp.b64 %rd3, %rd1, %rd2, %p1;
			{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r4;
			PROTO: .callprototype (.param .b32 _) _ (.param .b32 _);
			call (v), %rd3, (q), PROTO;
			ld.param.b32 %r6, [v]; } st.global.u32 [%out], %r6; ret;`,
			func(i uint32) uint32 { return i * (3 - i%2) },
		},
		{
			"divergent call", `
			setp.lt.u32 %p1, %r1, 11; mov.u32 %r5, %r4; @%p1 bra A;
			{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r5; call (v), twice, (q); ld.param.b32 %r6, [v]; }
			bra B;
		A:	{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r5; call (v), thrice, (q); ld.param.b32 %r6, [v]; }
		B:	activemask.b32 %r7; st.global.u32 [%out], %r6; ret;`,
			func(i uint32) uint32 {
				if i%50 < 11 {
					return 3 * i
				}
				return 2 * i
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachPolicy(t, func(t *testing.T, cfg emu.Config) {
				for i, v := range run(t, callLib+kernel(c.body), cfg, 3, 50, 150) {
					if want := c.want(uint32(i)); v != want {
						t.Fatalf("%v: thread %d: got %d, want %d", cfg, i, v, want)
					}
				}
			})
		})
	}
}

// TestReconvergence checks that lanes have reconverged after a call and after an if, under the policies that guarantee
// it.
func TestReconvergence(t *testing.T) {
	body := `
		setp.lt.u32 %p1, %r1, 11; @%p1 bra A;
		{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r1; call (v), fact, (q); ld.param.b32 %r6, [v]; }
		bra B;
	A:	mov.u32 %r6, 1;
	B:	activemask.b32 %r7; st.global.u32 [%out], %r7; ret;`
	for _, p := range []emu.Policy{emu.ITS, emu.Lockstep} {
		for i, v := range run(t, callLib+kernel(body), emu.Config{Policy: p}, 1, 64, 64) {
			if v != 0xffffffff {
				t.Fatalf("policy %d thread %d: active 0x%08x", p, i, v)
			}
		}
	}
}

func TestRunawayRecursion(t *testing.T) {
	lib := `.func f(.param .b32 n) {
	.reg .b32 %a<2>;
	ld.param.u32 %a1, [n];
	{ .param .b32 q; st.param.b32 [q], %a1; call f, (q); }
	ret;
}`
	m := load(t, lib+kernel("{ .param .b32 q; st.param.b32 [q], 1; call f, (q); } ret;"), emu.Config{})
	r := launch(t, m, 1, 32, alloc(t, m, "out", 1))
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, "stack overflow") {
		t.Fatal(r.Faults)
	}
}

func TestBadIndirectCall(t *testing.T) {
	m := load(t, kernel("mov.u64 %rd1, 12345; P: .callprototype _ (); call %rd1, P; ret;"), emu.Config{})
	r := launch(t, m, 1, 32, alloc(t, m, "out", 1))
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, "not the address of a function") {
		t.Fatal(r.Faults)
	}
}
