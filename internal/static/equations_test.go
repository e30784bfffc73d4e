package static

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// givenN returns oneLaunch with parameter n as a variable of the host between 0 and most, and assertions about it.
func givenN(most int64, asserts ...*expr.Bool) *facts.Given {
	g := oneLaunch()
	p := facts.ParamVar(2, 0, 32)
	value := expr.Wrap(expr.Uniform("h.n", 0, most), 32, true)
	g.Facts = append(g.Facts, facts.Fact{Name: "parameter 3 = n", Class: facts.Relations, Var: p.String(), Value: value, Formula: expr.Eq(p, value)})
	for _, f := range asserts {
		g.Facts = append(g.Facts, facts.Fact{Name: f.String(), Class: facts.Asserts, Formula: f})
	}
	return g
}

// Kernels that depend on the value of n, which is %r1.
const (
	// strided stores to elements i and i + n of pairs: 2·i - i%n is i without its bit log n.
	strided = "add.s32 %r9, %r1, -1; and.b32 %r9, %r5, %r9; shl.b32 %r10, %r5, 1; sub.s32 %r10, %r10, %r9; mul.wide.u32 %rd3, %r10, 4; add.s64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r2;" +
		"add.s32 %r10, %r10, %r1; mul.wide.u32 %rd3, %r10, 4; add.s64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r2;"
	// around has a way around the barrier.
	around = own32 + "st.shared.u32 [%r10], 1; setp.lt.s32 %p1, %r1, 2; @%p1 bra A; bar.sync 0; A: ld.shared.u32 %r6, [tile];"
	// rows of n elements, one for each block: the test of the loop is a formula that is long enough to be named.
	rows = "mov.u32 %r8, %nctaid.y; mov.u32 %r7, %ctaid.y; mul24.lo.u32 %r8, %r4, %r8; mad24.lo.u32 %r9, %r4, %r7, %r2; setp.ge.u32 %p1, %r9, %r1; @%p1 bra B; mul24.lo.u32 %r11, %r3, %r1;" +
		"A: add.s32 %r10, %r9, %r11; mul.wide.u32 %rd3, %r10, 4; add.s64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r2; add.s32 %r9, %r9, %r8; setp.lt.u32 %p2, %r9, %r1; @%p2 bra A; B:"
)

// TestEquations: an assertion about the value of a variable of the host is known where the parameter occurs, and among
// the needs of a proof.
func TestEquations(t *testing.T) {
	n := func(most int64) *expr.Int { return expr.Uniform("h.n", 0, most) }
	is := func(k int64) *expr.Bool { return expr.Eq(n(math.MaxUint32), expr.Const(k)) }
	for _, c := range []struct {
		name, body string
		asserts    []*expr.Bool
		clean      bool
	}{
		{"pairs of a power of two", strided, []*expr.Bool{is(1024)}, true},
		{"pairs of three times a power of two", strided, []*expr.Bool{is(768)}, false},
		{"pairs of any number", strided, nil, false},
		{"barrier unless n is small", around, []*expr.Bool{is(2)}, true},
		{"barrier unless n is small, as it is", around, []*expr.Bool{is(1)}, false},
		{"barrier unless n is small, as it is when read as a signed number", around, []*expr.Bool{is(1 << 31)}, false},
		{"barrier unless n is small, n unknown", around, nil, false},
		{"barrier unless the thread's number is small", strings.Replace(around, "%p1, %r1, 2", "%p1, %r2, %r1", 1), []*expr.Bool{is(2)}, false},
		{"rows", rows, []*expr.Bool{is(1000)}, true},
		{"rows, one element too long", strings.Replace(rows, "setp.lt.u32 %p2, %r9, %r1", "setp.le.u32 %p2, %r9, %r1", 1), []*expr.Bool{is(1024)}, false},
		{"rows of another length", strings.Replace(rows, "%r11, %r3, %r1", "%r11, %r3, 900", 1), []*expr.Bool{is(1000)}, false},
	} {
		r := analyzeText(t, kernelText(ways.Replace(c.body)), givenN(math.MaxUint32, c.asserts...), Options{})
		if (r.Verdict == Clean) != c.clean || r.Vacuous {
			t.Errorf("%s: %s\n%s", c.name, r.Verdict, describe(r))
		}
		if c.clean && (!slices.Contains(r.Needed, c.asserts[0].String()) || !slices.Contains(r.Needed, "parameter 3 = n")) {
			t.Errorf("%s: needs %q", c.name, r.Needed)
		}
	}
	small := n(100)
	for _, asserts := range [][]*expr.Bool{
		{expr.Eq(small, expr.Const(64)), expr.Eq(small, expr.Const(65))},
		{expr.Eq(small, expr.Const(101))},
		{expr.Eq(expr.Mul(expr.Const(2), small), expr.Const(7))},
		{expr.Eq(small, expr.Const(64)), expr.Lt(small, expr.Const(64))},
	} {
		if r := analyzeText(t, kernelText(strided), givenN(100, asserts...), Options{}); !r.Vacuous {
			t.Errorf("launches satisfy %v", asserts)
		}
	}
}

// TestEquationOfLost: that a value which was not followed must be a number does not say that the program launches the
// kernel with it.
func TestEquationOfLost(t *testing.T) {
	text := kernelText("setp.ne.s32 %p1, %r1, 3; @%p1 bra A; st.global.u32 [%rd1], %r2; A:\n")
	for _, lost := range []bool{false, true} {
		g, want := givenN(100, expr.Eq(expr.Uniform("h.n", 0, 100), expr.Const(3))), Racy
		if lost {
			g.Lost, want = map[string]bool{"h.n": true}, Possible
		}
		r := analyzeText(t, text, g, Options{})
		if r.Verdict != want {
			t.Errorf("lost %v: %s, want %s\n%s", lost, r.Verdict, want, describe(r))
		}
		if !lost && r.Pairs[0].Witness.Model.Ints["h.n"].Int64() != 3 {
			t.Errorf("witness: %v", r.Pairs[0].Witness.Model.Ints)
		}
	}
}

// TestGuardedSteps: an index to which rounds add one of a few numbers.
func TestGuardedSteps(t *testing.T) {
	const body = "shl.b32 %r9, %r3, 13; add.s32 %r9, %r9, %r2; mov.u32 %r8, 0;" +
		"A: setp.gt.s32 %p1, %r9, 30000; @%p1 bra B; mul.wide.s32 %rd3, %r9, 4; add.s64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r2; add.s32 %r9, %r9, 256;" +
		"B: add.s32 %r8, %r8, 1; setp.lt.s32 %p2, %r8, 32; @%p2 bra A;"
	const odd = "and.b32 %r7, %r8, 1; setp.ne.s32 %p3, %r7, 0;"
	for _, c := range []struct {
		name  string
		old   string
		now   string
		clean bool
	}{
		{"256 threads, 32 rounds of 256", "", "", true},
		{"one round more", "%r8, 32;", "%r8, 33;", false},
		{"a smaller step", "%r9, %r9, 256;", "%r9, %r9, 128;", false},
		{"under a predicate", "add.s32 %r9, %r9, 256;", odd + "@%p3 add.s32 %r9, %r9, 256;", true},
		{"under a predicate, the smaller step", "add.s32 %r9, %r9, 256;", odd + "@%p3 add.s32 %r9, %r9, 128;", false},
		{"down", "add.s32 %r9, %r9, 256;", "sub.s32 %r9, %r9, 256;", true},
		{"through a wider register", "add.s32 %r9, %r9, 256;", "cvt.u64.u32 %rd5, %r9; add.s64 %rd5, %rd5, 256; cvt.u32.u64 %r9, %rd5;", true},
		{"through a narrower type", "add.s32 %r9, %r9, 256;", "cvt.u32.u16 %r9, %r9; add.s32 %r9, %r9, 256;", false},
		{"256 or 512", "add.s32 %r9, %r9, 256;", odd + "@%p3 add.s32 %r9, %r9, 256; add.s32 %r9, %r9, 256;", false},
		{"256 or 512, half the rounds", "add.s32 %r9, %r9, 256;B: add.s32 %r8, %r8, 1;", odd + "@%p3 add.s32 %r9, %r9, 256; add.s32 %r9, %r9, 256;B: add.s32 %r8, %r8, 2;", true},
		{"256 or 384, half the rounds", "add.s32 %r9, %r9, 256;B: add.s32 %r8, %r8, 1;", odd + "@%p3 add.s32 %r9, %r9, 128; add.s32 %r9, %r9, 256;B: add.s32 %r8, %r8, 2;", false},
		{"a step of the thread", "add.s32 %r9, %r9, 256;", "add.s32 %r9, %r9, 256; add.s32 %r9, %r9, %r2;", false},
		{"a step that changes", "add.s32 %r9, %r9, 256;", "add.s32 %r9, %r9, %r8;", false},
		{"doubled", "add.s32 %r9, %r9, 256;", "add.s32 %r9, %r9, %r9;", false},
	} {
		if !strings.Contains(body, c.old) {
			t.Fatalf("%s: no %q", c.name, c.old)
		}
		g := oneLaunch()
		for i, f := range g.Facts {
			if f.Var == "nctaid.x" {
				g.Facts[i].Value, g.Facts[i].Formula = expr.Const(3), expr.Eq(facts.Dim("nctaid", 'x'), expr.Const(3))
			}
		}
		r := analyzeText(t, kernelText(ways.Replace(strings.Replace(body, c.old, c.now, 1))), g, Options{NoWrap: true})
		if (r.Verdict == Clean) != c.clean {
			t.Errorf("%s: %s\n%s", c.name, r.Verdict, describe(r))
		}
	}
}
