package replay

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// idioms are how compilers spell indices in PTX. Each ends in a store to [%rd9], whose address
// has to come out as a formula of indices and parameters, and of the rounds of loops.
var idioms = []struct{ name, body string }{
	{"mul.wide.s32", "mul.wide.s32 %rd8, %r5, 4; add.s64 %rd9, %rd1, %rd8;"},
	{"mul.wide.u32 and cvta", "cvta.to.global.u64 %rd7, %rd1; mul.wide.u32 %rd8, %r2, 4; add.s64 %rd9, %rd7, %rd8;"},
	{"cvt and shift", "cvt.s64.s32 %rd7, %r5; shl.b64 %rd8, %rd7, 2; add.s64 %rd9, %rd1, %rd8;"},
	{"cvt of an unsigned index", "cvt.u64.u32 %rd7, %r2; shl.b64 %rd8, %rd7, 2; add.s64 %rd9, %rd1, %rd8;"},
	{"mad.wide", "mad.wide.u32 %rd9, %r5, 8, %rd1;"},
	{"struct parameter by register", "mov.b64 %rd7, dim; ld.param.u32 %r9, [%rd7+8]; mad.lo.s32 %r10, %r2, %r9, %r3; mul.wide.s32 %rd8, %r10, 4; add.s64 %rd9, %rd1, %rd8;"},
	{"vector of a parameter", "ld.param.v2.u32 {%r9, %r10}, [dim]; mad.lo.s32 %r11, %r2, %r10, %r9; mad.wide.s32 %rd9, %r11, 4, %rd1;"},
	{"division by 3, signed", "mul.hi.s32 %r9, %r5, 1431655766; shr.u32 %r10, %r9, 31; add.s32 %r11, %r9, %r10; mad.wide.s32 %rd9, %r11, 4, %rd1;"},
	{"division by 7, signed, factor too large", "mul.hi.s32 %r9, %r5, -1840700269; add.s32 %r9, %r9, %r5; shr.u32 %r10, %r9, 31; shr.s32 %r11, %r9, 2; add.s32 %r12, %r11, %r10; mad.wide.s32 %rd9, %r12, 4, %rd1;"},
	{"division by 10, unsigned", "mul.hi.u32 %r9, %r2, -858993459; shr.u32 %r10, %r9, 3; mad.wide.u32 %rd9, %r10, 4, %rd1;"},
	{"division by 5 in 64 bits", "mul.wide.u32 %rd7, %r2, -858993459; shr.u64 %rd8, %rd7, 34; cvt.u32.u64 %r9, %rd8; mad.wide.u32 %rd9, %r9, 4, %rd1;"},
	{"remainder by 15, signed", "rem.s32 %r9, %r5, 15; mad.wide.s32 %rd9, %r9, 4, %rd1;"},
	{"remainder by a power of two, signed", "shr.s32 %r9, %r5, 31; shr.u32 %r10, %r9, 27; add.s32 %r11, %r5, %r10; and.b32 %r12, %r11, -32; sub.s32 %r13, %r5, %r12; mad.wide.s32 %rd9, %r13, 4, %rd1;"},
	{"and as remainder, shift as quotient", "and.b32 %r9, %r2, 15; shr.u32 %r10, %r2, 4; mad.lo.s32 %r11, %r10, 100, %r9; mad.wide.s32 %rd9, %r11, 4, %rd1;"},
	{"contiguous mask", "and.b32 %r9, %r2, 992; mad.wide.u32 %rd9, %r9, 4, %rd1;"},
	{"or as sum", "shl.b32 %r9, %r3, 10; or.b32 %r10, %r9, %r2; mad.wide.u32 %rd9, %r10, 4, %rd1;"},
	{"bfe", "bfe.u32 %r9, %r2, 3, 4; mad.wide.u32 %rd9, %r9, 4, %rd1;"},
	{"selp", "setp.lt.u32 %p1, %r2, 16; selp.b32 %r9, %r2, %r3, %p1; mad.wide.u32 %rd9, %r9, 4, %rd1;"},
	{"predicated instruction", "mov.u32 %r9, %r2; setp.lt.u32 %p1, %r2, 16; @%p1 add.s32 %r9, %r9, 100; mad.wide.u32 %rd9, %r9, 4, %rd1;"},
	{"min and max", "min.s32 %r9, %r2, %r1; max.s32 %r9, %r9, 0; mad.wide.u32 %rd9, %r9, 4, %rd1;"},
	{"abs and neg", "neg.s32 %r9, %r2; add.s32 %r9, %r9, 7; abs.s32 %r9, %r9; mad.wide.u32 %rd9, %r9, 4, %rd1;"},
	{"not", "not.b32 %r9, %r2; add.s32 %r9, %r9, 2000; mad.wide.s32 %rd9, %r9, 4, %rd1;"},
	{"pack and unpack", "mov.b64 %rd7, {%r2, %r3}; mov.b64 {%r9, %r10}, %rd7; mad.lo.s32 %r11, %r10, 64, %r9; mad.wide.s32 %rd9, %r11, 4, %rd1;"},
	{"branches that meet", "setp.lt.u32 %p1, %r2, 16; @%p1 bra A; mov.u32 %r9, 3; bra B; A: mov.u32 %r9, %r2; B: mad.wide.u32 %rd9, %r9, 4, %rd1;"},
	{"predicates that meet", "setp.lt.u32 %p1, %r2, 16; @%p1 bra A; setp.lt.u32 %p2, %r3, 1; bra B; A: setp.eq.u32 %p2, %r2, 3; B: selp.b32 %r9, 1, 2, %p2; mad.wide.u32 %rd9, %r9, 4, %rd1;"},
	{"pointer that a loop advances", "mad.wide.u32 %rd9, %r2, 4, %rd1; mov.u32 %r9, 0; A: add.s64 %rd9, %rd9, 128; add.s32 %r9, %r9, 1; setp.ne.s32 %p1, %r9, 5; @%p1 bra A;"},
	{"split latch", "mov.u32 %r9, %r2; A: add.s32 %r9, %r9, %r4; setp.ge.s32 %p1, %r9, 200; @%p1 bra B; bra.uni A; B: mad.wide.u32 %rd9, %r9, 4, %rd1;"},
	{"nested loops", "mov.u32 %r9, 0; A: mov.u32 %r10, 0; B: mad.lo.s32 %r11, %r9, 10, %r10; mad.wide.u32 %rd9, %r11, 4, %rd1; add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, 3; @%p1 bra B; add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, 2; @%p1 bra A;"},
	{"device function", "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r5; call.uni (b), twice, (a); ld.param.b32 %r9, [b]; } mad.wide.s32 %rd9, %r9, 4, %rd1;"},
	{"pointer through generic addressing", "cvta.to.global.u64 %rd7, %rd1; cvta.global.u64 %rd8, %rd7; mad.wide.s32 %rd9, %r5, 4, %rd8;"},
}

const idiomHead = `.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 out) twice(.param .b32 in)
{
	.reg .b32 %r<4>;
	ld.param.b32 %r1, [in];
	shl.b32 %r2, %r1, 1;
	st.param.b32 [out], %r2;
	ret;
}
.visible .entry k(.param .u64 p, .param .align 8 .b8 dim[16], .param .u32 n)
{
	.reg .pred %p<4>;
	.reg .b32 %r<20>;
	.reg .b64 %rd<12>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mad.lo.s32 %r5, %r3, %r4, %r2;
`

func load(t *testing.T, text string) *symbolic.Kernel {
	t.Helper()
	ast, err := ptxgrammar.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err, text)
	}
	m, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err, text)
	}
	return symbolic.New(m.Func("k"), nil)
}

// TestIdioms: the formula of the store's address gives what a thread that is executed stores
// to, in every thread of random launches.
func TestIdioms(t *testing.T) {
	for _, idiom := range idioms {
		t.Run(idiom.name, func(t *testing.T) {
			body := strings.NewReplacer(";", ";\n\t", "A:", "A:\n", "B:", "B:\n", "{ .param", "{\n .param").Replace(idiom.body)
			k := load(t, idiomHead+"\t"+body+"\n\tst.global.u32 [%rd9], %r2;\n\tret;\n}\n")
			var store *symbolic.Access
			for _, a := range k.Accesses() {
				store = a
			}
			for _, v := range store.Addr.Vars() {
				if o := k.Origin(v.Name); o != nil && o.Loop() == nil && o.Sides == nil {
					t.Errorf("%s has a value that is not known: %s", store.Addr, o.What)
				}
			}
			rnd := rand.New(rand.NewPCG(1, 2))
			for range 60 {
				compare(t, k, store, rnd)
			}
		})
	}
}

// compare executes a thread of a random launch and evaluates the formulas with its indices.
func compare(t *testing.T, k *symbolic.Kernel, store *symbolic.Access, rnd *rand.Rand) {
	t.Helper()
	const base = 1 << 40
	params := map[string]int64{"p0": base, "p1": rnd.Int64N(9), "p1@4": rnd.Int64N(9), "p1@8": rnd.Int64N(9), "p2": rnd.Int64N(99)}
	l := Launch{
		Grid: [3]uint32{1 + rnd.Uint32N(5), 1, 1}, Block: [3]uint32{1 + rnd.Uint32N(1024), 1, 1}, Steps: 10_000,
		Symbol: func(_ *symbolic.Frame, v *rewrite.Var) uint64 { return 1<<50 + uint64(len(v.Name))<<20 },
		Param: func(i int, off int64, size int) (uint64, bool) {
			v, ok := params[facts.ParamVar(i, off, 8*size).String()]
			return uint64(v), ok
		},
	}
	block, thread := [3]uint32{rnd.Uint32N(l.Grid[0])}, [3]uint32{rnd.Uint32N(l.Block[0])}
	trace := Run(k, l, block, thread)
	if !trace.Ended || len(trace.Events) != 1 || !trace.Events[0].Known {
		t.Fatalf("the thread did not store: %+v", trace)
	}
	m := expr.NewModel()
	for name, v := range params {
		m.Ints[name] = big.NewInt(v)
	}
	for name, v := range map[string]uint32{"tid.x": thread[0], "ctaid.x": block[0], "ntid.x": l.Block[0], "nctaid.x": l.Grid[0]} {
		m.Ints[name] = big.NewInt(int64(v))
	}
	want := trace.Events[0].Addr
	for _, at := range rounds(k, store.Addr) {
		for name, r := range at {
			m.Ints[name] = big.NewInt(r)
		}
		got, err := store.Addr.Eval(m)
		if err != nil {
			t.Fatalf("%s: %v", store.Addr, err)
		}
		if new(big.Int).And(got, new(big.Int).SetUint64(^uint64(0))).Uint64() == want {
			return
		}
	}
	t.Fatalf("block %v thread %v of %v %v stores to %#x, not %s", block, thread, l.Grid, l.Block, want-base, store.Addr)
}

// rounds are the rounds that the loops of a formula may be in.
func rounds(k *symbolic.Kernel, x *expr.Int) []map[string]int64 {
	out := []map[string]int64{{}}
	for _, v := range x.Vars() {
		if o := k.Origin(v.Name); o == nil || o.Loop() == nil {
			continue
		}
		var next []map[string]int64
		for _, m := range out {
			for r := range int64(205) {
				n := map[string]int64{v.Name: r}
				for name, k := range m {
					n[name] = k
				}
				next = append(next, n)
			}
		}
		if out = next; len(out) > 50_000 {
			break
		}
	}
	return out
}
