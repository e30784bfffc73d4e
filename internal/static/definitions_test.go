package static

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// TestSettledDefinitions: facts that make a variable constant together with others define it, in whatever order they
// come, and a proof needs all of them. Those that leave a choice define nothing.
func TestSettledDefinitions(t *testing.T) {
	const body = "brev.b32 %r7, %r1; bfind.shiftamt.u32 %r7, %r7; shl.b32 %r8, %r2, 6; shr.u32 %r6, %r8, %r7; " +
		"mul.wide.u32 %rd3, %r6, 4; add.s64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r2;"
	n, m, p := expr.Uniform("h.n", 0, 1<<31-1), expr.Uniform("h.m", 0, 1<<31-1), facts.ParamVar(2, 0, 32)
	ntid := facts.Dim("ntid", 'x')
	passes := facts.Fact{Name: "parameter 3 = n", Class: facts.Relations, Var: p.String(), Value: expr.Wrap(n, 32, true), Formula: expr.Eq(p, expr.Wrap(n, 32, true))}
	says := func(name string, f *expr.Bool) facts.Fact {
		return facts.Fact{Name: name, Class: facts.Asserts, Formula: f}
	}
	twice := says("n == 2 * ntid.x", expr.Eq(n, expr.Mul(expr.Const(2), ntid)))
	tests := []struct {
		name  string
		facts []facts.Fact
		want  Verdict
		needs []string // of those given here
	}{
		{"a chain", []facts.Fact{twice, passes}, Clean, []string{"n == 2 * ntid.x", "parameter 3 = n"}},
		{"the chain in another order", []facts.Fact{passes, twice}, Clean, []string{"n == 2 * ntid.x", "parameter 3 = n"}},
		{"by another variable", []facts.Fact{passes, says("m == 32", expr.Eq(m, expr.Const(32))), says("2m == n", expr.Eq(expr.Mul(expr.Const(2), m), n))}, Clean, []string{"2m == n", "m == 32", "parameter 3 = n"}},
		{"a power too many", []facts.Fact{passes, says("n == 4 * ntid.x", expr.Eq(n, expr.Mul(expr.Const(4), ntid)))}, Racy, nil},
		{"no number", []facts.Fact{passes, says("n <= 2 * ntid.x", expr.Le(n, expr.Mul(expr.Const(2), ntid)))}, Possible, nil}, // there are races, which the solver does not find
		{"one of two numbers", []facts.Fact{passes, says("n == 64 || n == 128", expr.Any(expr.Eq(n, expr.Const(64)), expr.Eq(n, expr.Const(128))))}, Racy, nil},
		{"beside another condition", []facts.Fact{passes, says("n == 64 && m > 3", expr.All(expr.Eq(n, expr.Const(64)), expr.Gt(m, expr.Const(3))))}, Clean, []string{"n == 64 && m > 3", "parameter 3 = n"}},
		{"beside one that excludes it", []facts.Fact{passes, says("n == 64 && n > 99", expr.All(expr.Eq(n, expr.Const(64)), expr.Gt(n, expr.Const(99))))}, Possible, nil},
		{"an unrelated number", []facts.Fact{passes, says("m == 64", expr.Eq(m, expr.Const(64)))}, Racy, nil},
		{"two numbers", []facts.Fact{passes, twice, says("n == 128", expr.Eq(n, expr.Const(128)))}, Possible, nil}, // no launch
	}
	for _, test := range tests {
		g := launchOf(0)
		g.Facts = append(slices.DeleteFunc(g.Facts, func(f facts.Fact) bool { return f.Var == p.String() }), test.facts...)
		r := analyzeText(t, kernelText(body), g, Options{})
		if r.Verdict != test.want {
			t.Errorf("%s: %s, want %s\n%s", test.name, r.Verdict, test.want, describe(r))
			continue
		}
		for _, pair := range r.Pairs {
			for _, need := range test.needs {
				if !slices.Contains(pair.Needed, need) {
					t.Errorf("%s: the proof does not need %q: %q", test.name, need, pair.Needed)
				}
			}
		}
	}
}

// TestJoinedIndices: an index of 64 bits that paths bring is a number if it is made of 32 bits on each of them.
func TestJoinedIndices(t *testing.T) {
	const (
		pick = "ld.global.u32 %r6, [%rd2]; shl.b32 %r7, %r5, 1; cvt.u64.u32 %rd5, %r7; setp.ne.u32 %p1, %r1, 0; @%p1 bra A; setp.ne.u32 %p2, %r6, 0; @%p2 bra B;" +
			"cvt.u64.u32 %rd6, %r7; add.s64 %rd5, %rd6, 1; bra C; A: setp.eq.u32 %p3, %r6, 3; @%p3 bra C; B: add.u32 %r8, %r7, 1; cvt.u64.u32 %rd5, %r8; C:"
		store = "shl.b64 %rd7, %rd5, 2; add.s64 %rd7, %rd1, %rd7; st.global.u32 [%rd7], 1;"
	)
	for _, test := range []struct {
		name, body string
		want       bool
	}{
		{"one of two elements", pick + store, true},
		{"and that of the next thread", pick + store + "st.global.u32 [%rd7+8], 1;", false},
		{"a pointer on one path", replaceIn(t, pick, "cvt.u64.u32 %rd5, %r8;", "ld.global.u64 %rd5, [%rd2+8];") + store, false},
		{"bits of a pointer on one path", replaceIn(t, pick, "cvt.u64.u32 %rd5, %r8;", "cvt.u32.u64 %r9, %rd2; cvt.u64.u32 %rd5, %r9;") + store, false},
		{"the second argument on one path", replaceIn(t, pick, "cvt.u64.u32 %rd5, %r8;", "mov.u64 %rd5, %rd2;") + store, false},
	} {
		r := analyzeText(t, kernelText(test.body), launchWith(t, 64, 256), Options{})
		if got := r.Verdict == Clean; got != test.want {
			t.Errorf("%s: %s, proved is to be %t", test.name, r.Verdict, test.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
	}
}
