package emu_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// inlineLib is functions of which the calls are inlined, but for the last two.
const inlineLib = `
.global .u32 cell;
.func (.param .b32 r) early(.param .b32 n)
{	// lanes return at three places
	.reg .pred %p<3>; .reg .b32 %a<4>;
	ld.param.u32 %a1, [n];
	st.param.b32 [r], 7;
	setp.lt.u32 %p1, %a1, 5;
	@%p1 ret;
	add.u32 %a2, %a1, 100;
	st.param.b32 [r], %a2;
	setp.gt.u32 %p2, %a1, 20;
	@!%p2 bra LOW;
	ret;
LOW:	st.param.b32 [r], 9;
	ret;
}
.func (.param .b32 r) loops(.param .b32 n)
{	// the sum of what is below n
	.reg .pred %p<2>; .reg .b32 %a<4>;
	ld.param.u32 %a1, [n];
	mov.u32 %a2, 0;
	bra TEST;
BODY:	sub.u32 %a1, %a1, 1;
	add.u32 %a2, %a2, %a1;
TEST:	setp.ne.u32 %p1, %a1, 0;
	@%p1 bra BODY;
	st.param.b32 [r], %a2;
	ret;
}
.func (.param .b32 r) waits(.param .b32 n)
{	// jumps backwards, but comes to an end, and changes nothing
	.reg .b32 %a<2>;
	bra L1;
L2:	ret;
L1:	ld.param.u32 %a1, [n];
	st.param.b32 [r], %a1;
	bra L2;
}
.func (.param .b32 r) nested(.param .b32 n)
{
	.reg .b32 %a<4>;
	.local .b32 depot;
	ld.param.u32 %a1, [n];
	st.local.u32 [depot], %a1;
	{ .param .b32 q; .param .b32 v;
	st.param.b32 [q], %a1;
	call (v), loops, (q);
	ld.param.b32 %a2, [v]; }
	ld.local.u32 %a3, [depot];
	add.u32 %a2, %a2, %a3;
	st.param.b32 [r], %a2;
	ret;
}
.func (.param .b32 r) deeper(.param .b32 n)
{	// calls others, one of which calls again, with values that live across the calls
	.reg .b32 %a<6>;
	ld.param.u32 %a1, [n];
	add.u32 %a2, %a1, 1;
	{ .param .b32 q; .param .b32 v;
	st.param.b32 [q], %a2;
	call (v), nested, (q);
	ld.param.b32 %a3, [v]; }
	{ .param .b32 q; .param .b32 v;
	st.param.b32 [q], %a1;
	call (v), early, (q);
	ld.param.b32 %a4, [v]; }
	add.u32 %a3, %a3, %a4;
	st.param.b32 [r], %a3;
	ret;
}
.func (.param .b32 r) same(.param .b32 n)
{	// how many lanes are here
	.reg .b32 %a<4>;
	activemask.b32 %a1;
	vote.sync.ballot.b32 %a2, 1, %a1;
	popc.b32 %a3, %a2;
	st.param.b32 [r], %a3;
	ret;
}
.func (.param .b32 r) stored(.param .b32 n)
{	// a parameter that is written, and a register that is not
	.reg .b32 %a<4>;
	ld.param.u32 %a1, [n];
	add.u32 %a1, %a1, %a2;
	add.u32 %a2, %a1, 1;
	st.param.b32 [r], %a1;
	ret;
}
.func (.param .b32 r) some(.param .b32 n)
{	// changes what some lanes bring
	.reg .pred %p<2>; .reg .b32 %a<4>;
	ld.param.u32 %a1, [n];
	mov.u32 %a2, %a1;
	setp.lt.u32 %p1, %a1, 5;
	@%p1 bra END;
	mov.u32 %a2, 3;
	mul.lo.u32 %a2, %a2, %a1;
END:	st.param.b32 [r], %a2;
	ret;
}
.func (.param .b32 r) meets(.param .b32 n)
{	// lanes of several calls are here together
	.reg .b32 %a<4>;
	vote.sync.ballot.b32 %a2, 1, 0xffffffff;
	popc.b32 %a3, %a2;
	st.param.b32 [r], %a3;
	ret;
}
`

// callOf calls a function of inlineLib with %r5 and stores what comes back in %r6.
func callOf(name string) string {
	return `{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r5; call (v), ` + name + `, (q); ld.param.b32 %r6, [v]; }`
}

// inlining and calling are configurations in which calls are inlined and not.
var inlining, calling = emu.Config{}, emu.Config{Variables: true}

// TestInline compares inlined calls with calls, and with the expected results.
func TestInline(t *testing.T) {
	sum := func(n uint32) uint32 { return n * (n - 1) / 2 }
	early := func(n uint32) uint32 {
		switch {
		case n < 5:
			return 7
		case n > 20:
			return n + 100
		}
		return 9
	}
	for _, c := range []struct {
		name, body string
		want       func(i uint32) uint32
	}{
		{"returns", callOf("early"), early},
		{"loop", callOf("loops"), sum},
		{"call of a call in a call", callOf("deeper"), func(i uint32) uint32 { return sum(i+1) + i + 1 + early(i) }},
		{"call of a call", callOf("nested"), func(i uint32) uint32 { return sum(i) + i }},
		{"twice", callOf("early") + " mov.u32 %r5, %r6; " + callOf("early"), func(i uint32) uint32 { return early(early(i)) }},
		{
			"diverged", "and.b32 %r7, %r1, 1; setp.eq.u32 %p1, %r7, 0; @%p1 bra EVEN; " + callOf("early") + " bra OUT; EVEN: " + callOf("loops") + " OUT:",
			func(i uint32) uint32 {
				if i%2 == 0 {
					return sum(i)
				}
				return early(i)
			},
		},
		{
			"guarded", "mov.u32 %r6, 3; setp.gt.u32 %p1, %r1, 9; { .param .b32 q; .param .b32 v; st.param.b32 [v], 4; st.param.b32 [q], %r5; @%p1 call (v), loops, (q); ld.param.b32 %r6, [v]; }",
			func(i uint32) uint32 {
				if i > 9 {
					return sum(i)
				}
				return 4
			},
		},
		{
			"in a loop that changes no memory", "mov.u32 %r7, 0; LOOP: " + callOf("waits") + " add.u32 %r7, %r7, %r6; add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 50; @%p1 bra LOOP; mov.u32 %r6, %r7;",
			func(i uint32) uint32 { return 50 * i },
		},
		{"argument changed after it was stored", "{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r5; mov.u32 %r5, 1000; call (v), loops, (q); ld.param.b32 %r6, [v]; }", sum},
		{
			"argument and result in one register", strings.Repeat("{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r5; call (v), some, (q); ld.param.b32 %r5, [v]; }", 2) + " mov.u32 %r6, %r5;",
			func(i uint32) uint32 {
				if i < 5 {
					return i
				}
				return 9 * i
			},
		},
		{"constant", "{ .param .b32 q; .param .b32 v; st.param.b32 [q], 12; call (v), loops, (q); ld.param.b32 %r6, [v]; }", func(uint32) uint32 { return 66 }},
		{"register never written", callOf("stored") + " " + callOf("stored"), func(i uint32) uint32 { return i }},
		{"active lanes", callOf("same"), func(uint32) uint32 { return 32 }},
		{"lanes of two calls", "setp.lt.u32 %p1, %r1, 16; @%p1 bra LOW; " + callOf("meets") + " bra OUT; LOW: " + callOf("meets") + " OUT:", func(uint32) uint32 { return 32 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := inlineLib + kernel("mov.u32 %r5, %r1; mov.u32 %r8, 0; "+c.body+" st.global.u32 [%out], %r6; ret;")
			want := make([]uint32, 32)
			for i := range want {
				want[i] = c.want(uint32(i))
			}
			scalar := inlining
			scalar.NoVector = true
			for _, cfg := range []emu.Config{inlining, calling, scalar} {
				if got := run(t, text, cfg, 1, 32, 32); !slices.Equal(got, want) {
					t.Errorf("inlined %v: got %v, want %v", !cfg.Variables, got, want)
				}
			}
		})
	}
}

// TestInlined: calls are inlined where possible, and the counts of executed instructions are the same.
func TestInlined(t *testing.T) {
	for name, inlined := range map[string]bool{"early": true, "loops": true, "waits": true, "nested": true, "deeper": true, "same": true, "stored": false, "meets": false} {
		text := inlineLib + kernel("mov.u32 %r5, %r1; "+callOf(name)+" st.global.u32 [%out], %r6; ret;")
		counts := map[bool]uint64{}
		for _, cfg := range []emu.Config{inlining, calling} {
			m := load(t, text, cfg)
			r := launch(t, m, 1, 32, alloc(t, m, "out", 32))
			clean(t, r)
			inlines := m.Inlines("k")
			if want := inlined && !cfg.Variables; inlines != want {
				t.Errorf("%s: inlined %t, want %t", name, inlines, want)
			}
			counts[inlines] = r.Stats.WarpInstructions
		}
		if inlined && counts[true] != counts[false] {
			t.Errorf("%s: %d instructions, %d with calls", name, counts[true], counts[false])
		}
	}
}

// TestInlinedErrors: an unsupported instruction is reported once, whether or not its function is inlined, and a
// function all of whose calls are inlined counts as decoded.
func TestInlinedErrors(t *testing.T) {
	bad := ".func f() { .reg .b32 %r; .reg .pred %p; isspacep.shared %p, %r; ret; }\n.func g() { call f; ret; }\n"
	for _, cfg := range []emu.Config{inlining, calling} {
		var list ptxgrammar.ErrorList
		_, err := tryLoad(bad+kernel("call f; call g; call f; ret;"), cfg)
		if !errors.As(err, &list) || len(list) != 1 || !strings.Contains(list[0].Msg, "isspacep.shared %p, %r") {
			t.Errorf("inlined %v: got %v, want one error", !cfg.Variables, list)
		}
		mod, err := parse(inlineLib + kernel("mov.u32 %r5, %r1; "+callOf("nested")+" ret;"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := emu.New(mod, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]bool{"nested": true, "loops": true, "early": false} {
			if got := m.Decoded(mod.Func(name)); got != want {
				t.Errorf("inlined %v: %s is decoded: %t, want %t", !cfg.Variables, name, got, want)
			}
		}
	}
}

// TestInlinedBlame: a fault in an inlined function is blamed with the call, and the calls around it.
func TestInlinedBlame(t *testing.T) {
	text := `
.func reads(.param .b64 a)
{
	.reg .b64 %d; .reg .b32 %x;
	ld.param.u64 %d, [a];
	ld.global.u32 %x, [%d];
	ret;
}
.func calls(.param .b64 a)
{
	.reg .b64 %d;
	ld.param.u64 %d, [a];
	{ .param .b64 q; st.param.b64 [q], %d; call.uni reads, (q); }
	ret;
}
` + kernel("{ .param .b64 q; st.param.b64 [q], 64; call calls, (q); } ret;")
	for _, cfg := range []emu.Config{inlining, calling} {
		var lines []string
		cfg.Blame = func(in *rewrite.Inst, calls []*rewrite.Inst) *rewrite.Inst {
			for _, c := range append([]*rewrite.Inst{in}, calls...) {
				lines = append(lines, strings.Fields(c.Text())[0])
			}
			return in
		}
		m := load(t, text, cfg)
		r := launch(t, m, 1, 1, alloc(t, m, "out", 1))
		if len(r.Faults) != 1 || r.Faults[0].Class != "out-of-bounds" || !slices.Equal(lines, []string{"ld.global.u32", "call.uni", "call"}) {
			t.Errorf("inlined %v: faults %v, blamed %q", !cfg.Variables, r.Faults, lines)
		}
	}
}
