package emu_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// passingLib is functions that are called with several arguments. A call of them is inlined
// unless it is guarded or has something behind the return that makes them long.
func passingLib(behind string) string {
	return `
.func (.param .b32 r) minus(.param .b32 a, .param .b32 b)
{
	.reg .b32 %a<5>;
	ld.param.u32 %a1, [a]; ld.param.u32 %a2, [b];
	sub.u32 %a3, %a1, %a2;
	st.param.b32 [r], %a3;
	ret;` + behind + `
}
.func (.param .b64 r) late(.param .b64 a, .param .b32 b, .param .b64 c)
{	// loads its parameters after other registers have been used, and stores early
	.reg .b32 %a<5>; .reg .b64 %d<9>;
	mov.u64 %d1, 1000; add.u64 %d2, %d1, 5;
	ld.param.u64 %d3, [a]; add.u64 %d4, %d3, %d2;
	ld.param.u32 %a1, [b]; cvt.u64.u32 %d5, %a1; add.u64 %d4, %d4, %d5;
	ld.param.u64 %d6, [c]; sub.u64 %d7, %d4, %d6;
	st.param.b64 [r], %d7;
	mov.u64 %d8, 77; add.u64 %d8, %d8, 1;
	ret;
	mov.u32 %a2, 1;` + behind + `
}
.func (.param .b32 r) factorial(.param .b32 n)
{
	.reg .b32 %a<5>; .reg .pred %p;
	ld.param.u32 %a1, [n];
	mov.u32 %a3, 1;
	setp.lt.u32 %p, %a1, 2;
	@%p bra OUT;
	sub.u32 %a2, %a1, 1;
	{ .param .b32 q; .param .b32 v;
	st.param.b32 [q], %a2;
	call (v), factorial, (q);
	ld.param.b32 %a3, [v]; }
	mul.lo.u32 %a3, %a3, %a1;
OUT:	st.param.b32 [r], %a3;
	ret;
}
.func (.param .b32 r) before(.param .b32 n)
{	// reads the register of its parameter before it loads it: 0
	.reg .b32 %a<5>; .reg .pred %p;
	add.u32 %a2, %a1, 3;
	ld.param.u32 %a1, [n];
	add.u32 %a2, %a2, %a1;
	st.param.b32 [r], %a2;
	ret;
}
.func (.param .b32 r) twice(.param .b32 n)
{	// returns at two places
	.reg .b32 %a<5>; .reg .pred %p;
	ld.param.u32 %a1, [n];
	setp.lt.u32 %p, %a1, 9;
	@%p bra LOW;
	st.param.b32 [r], 5;
	ret;
LOW:	add.u32 %a2, %a1, 1;
	st.param.b32 [r], %a2;
	ret;` + behind + `
}
.func (.param .b32 r) behind(.param .b32 a, .param .b32 b)
{	// what is executed before the load of a parameter stands behind it
	.reg .b32 %a<10>;
	ld.param.u32 %a3, [a];
	bra FIRST;
SECOND:	ld.param.u32 %a4, [b];
	sub.u32 %a5, %a3, %a4;
	bra OUT;
FIRST:	add.u32 %a6, %a3, 1; add.u32 %a7, %a6, 2; add.u32 %a8, %a7, 3;
	sub.u32 %a3, %a8, 6;
	bra SECOND;
OUT:	st.param.b32 [r], %a5;
	ret;
	add.u32 %a1, %a2, 1;` + behind + `
}
`
}

// long makes a function too long to be inlined.
var long = strings.Repeat("add.u32 %a1, %a2, 1;\n", 400)

// TestPassing: arguments and results are passed correctly, by inlined and other calls, in registers or in memory,
// whatever happens to registers in between.
func TestPassing(t *testing.T) {
	factorial := func(i uint32) uint32 {
		f := uint32(1)
		for k := uint32(2); k <= i; k++ {
			f *= k
		}
		return f
	}
	for _, c := range []struct {
		name, body string
		want       func(i uint32) uint32
	}{
		{
			"another register is written between store and call",
			"add.u32 %r10, %r1, 100; { .param .b32 q; .param .b32 w; .param .b32 v; st.param.b32 [q], %r10; add.u32 %r11, %r1, 7; st.param.b32 [w], %r11; call (v), minus, (q, w); ld.param.b32 %r6, [v]; }",
			func(uint32) uint32 { return 93 },
		},
		{
			"the same register is",
			"add.u32 %r10, %r1, 100; { .param .b32 q; .param .b32 w; .param .b32 v; st.param.b32 [q], %r10; add.u32 %r10, %r1, 7; st.param.b32 [w], %r10; call (v), minus, (q, w); ld.param.b32 %r6, [v]; }",
			func(uint32) uint32 { return 93 },
		},
		{
			"constants, of 64 bits too, and parameters that are loaded late",
			"cvt.u64.u32 %rd3, %r1; { .param .b64 q; .param .b32 w; .param .b64 z; .param .b64 v; st.param.b64 [q], %rd3; st.param.b32 [w], %r1; st.param.b64 [z], 3; call (v), late, (q, w, z); ld.param.b64 %rd4, [v]; } cvt.u32.u64 %r6, %rd4;",
			func(i uint32) uint32 { return 1002 + 2*i },
		},
		{
			"some lanes call",
			"mov.u32 %r6, 3; and.b32 %r7, %r1, 1; setp.eq.u32 %p1, %r7, 0; @%p1 bra OVER; { .param .b32 q; .param .b32 w; .param .b32 v; st.param.b32 [q], %r1; st.param.b32 [w], 1; call (v), minus, (q, w); ld.param.b32 %r6, [v]; } OVER:",
			func(i uint32) uint32 {
				if i%2 == 0 {
					return 3
				}
				return i - 1
			},
		},
		{
			"some lanes, by a guard",
			"setp.gt.u32 %p1, %r1, 9; { .param .b32 q; .param .b32 w; .param .b32 v; st.param.b32 [v], 4; st.param.b32 [q], %r1; st.param.b32 [w], 2; @%p1 call (v), minus, (q, w); ld.param.b32 %r6, [v]; }",
			func(i uint32) uint32 {
				if i > 9 {
					return i - 2
				}
				return 4
			},
		},
		{
			"a parameter is loaded before what goes before",
			"add.u32 %r10, %r1, 100; { .param .b32 q; .param .b32 w; .param .b32 v; st.param.b32 [q], %r10; st.param.b32 [w], 7; call (v), behind, (q, w); ld.param.b32 %r6, [v]; }",
			func(i uint32) uint32 { return i + 93 },
		},
		{"recursion", "and.b32 %r10, %r1, 7; { .param .b32 q; .param .b32 v; st.param.b32 [q], %r10; call (v), factorial, (q); ld.param.b32 %r6, [v]; }", func(i uint32) uint32 { return factorial(i & 7) }},
		{"a register is read before it is the argument", "{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r1; call (v), before, (q); ld.param.b32 %r6, [v]; }", func(i uint32) uint32 { return i + 3 }},
		{
			"two places of return",
			"{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r1; call (v), twice, (q); ld.param.b32 %r6, [v]; }",
			func(i uint32) uint32 {
				if i < 9 {
					return i + 1
				}
				return 5
			},
		},
		{
			"the result is loaded later, and a call is between",
			"{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r1; call (v), twice, (q); { .param .b32 x; .param .b32 w; .param .b32 y; st.param.b32 [x], 9; st.param.b32 [w], 2; call (y), minus, (x, w); ld.param.b32 %r7, [y]; } ld.param.b32 %r6, [v]; } add.u32 %r6, %r6, %r7;",
			func(i uint32) uint32 {
				if i < 9 {
					return i + 8
				}
				return 12
			},
		},
		{
			"through a register",
			"mov.u64 %rd5, minus; { .param .b32 q; .param .b32 w; .param .b32 v; st.param.b32 [q], 50; st.param.b32 [w], %r1; call (v), %rd5, (q, w), PROTO; ld.param.b32 %r6, [v]; } PROTO: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);",
			func(i uint32) uint32 { return 50 - i },
		},
	} {
		want := make([]uint32, 32)
		for i := range want {
			want[i] = c.want(uint32(i))
		}
		for _, lib := range []string{passingLib(""), passingLib(long)} {
			text := lib + kernel("mov.u32 %r6, 0;"+c.body+" st.global.u32 [%out], %r6; ret;")
			scalar := inlining
			scalar.NoVector = true
			for name, cfg := range map[string]emu.Config{"in registers": inlining, "in memory": calling, "without assembly": scalar, "in memory, told": {Uninitialised: true}} {
				if got := run(t, text, cfg, 1, 32, 32); !slices.Equal(got, want) {
					t.Errorf("%s, %s, long %t: got %v, want %v", c.name, name, len(lib) > 4000, got, want)
				}
			}
		}
	}
}
