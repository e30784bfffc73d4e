// Constants that conditions of the host program give, and accesses that stay in variables in each case of what loops
// carry.

package static

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// launchWith returns the facts of a launch whose third argument is a number n of the host, for which conditions hold.
func launchWith(t *testing.T, grid, block int64, conditions ...string) *facts.Given {
	t.Helper()
	n := facts.NewVar("n", "u32")
	l := &facts.Launch{Kernel: "k", Vars: []facts.Var{n}, Args: []facts.Arg{{}, {}, {Int: n.Int()}}}
	for i, d := range []int64{grid, 1, 1} {
		l.Grid[i] = expr.Const(d)
	}
	for i, d := range []int64{block, 1, 1} {
		l.Block[i] = expr.Const(d)
	}
	for _, text := range conditions {
		f, err := expr.ParseBool(text, func(string) (*expr.Int, *expr.Bool, error) { return n.Int(), nil, nil })
		if err != nil {
			t.Fatal(err)
		}
		l.Requires = append(l.Requires, facts.Condition{That: f, Text: text, Class: facts.Asserts})
	}
	given := l.Given(nil, []int{64, 64, 32})
	given.Disjoint = true
	return given
}

// TestHostConstants: conditions say which number the host passes, and so which bits of an index a mask leaves.
func TestHostConstants(t *testing.T) {
	const pairs = "sub.u32 %r6, %r1, 1; and.b32 %r6, %r6, %r5; shl.b32 %r7, %r5, 1; sub.u32 %r7, %r7, %r6;" + // 2i - i mod n
		"mul.wide.u32 %rd5, %r7, 4; add.s64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], 1; mul.wide.u32 %rd6, %r1, 4; add.s64 %rd5, %rd5, %rd6; st.global.u32 [%rd5], 1;"
	for _, test := range []struct {
		name       string
		block      int64
		conditions []string
		want       bool
	}{
		{"a power of two", 512, []string{"n == 1024"}, true},
		{"of which a block has all", 256, []string{"n == 16"}, true},
		{"one by a mask, as C reads it", 512, []string{"n & (n - 1) == 0"}, true}, // n is 1
		{"no power of two", 512, []string{"n == 1000"}, false},
		{"a limit", 512, []string{"n <= 1024"}, false},
		{"one of two numbers", 512, []string{"n == 1024 || n == 1000"}, false},
		{"nothing", 512, nil, false},
	} {
		r := analyzeText(t, kernelText(pairs), launchWith(t, 64, test.block, test.conditions...), Options{})
		if got := r.Verdict == Clean; got != test.want {
			t.Errorf("%s: %s, proved is to be %t", test.name, r.Verdict, test.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
		for _, need := range append([]string{"parameter 3 = n"}, test.conditions...) {
			if test.want && !slices.Contains(r.Needed, need) {
				t.Errorf("%s: needs %v, and not %s", test.name, r.Needed, need)
			}
		}
	}
}

// TestContradictingConstants: two conditions that say different numbers leave no launch.
func TestContradictingConstants(t *testing.T) {
	r := analyzeText(t, kernelText(index+"st.global.u32 [%rd3], 1;"), launchWith(t, 4, 32, "n == 4", "n == 5"), Options{})
	if !r.Vacuous || r.Verdict == Clean {
		t.Errorf("%s, vacuous %t", r.Verdict, r.Vacuous)
	}
}

// TestInsideByCases: accesses to two variables of shared memory are apart if both stay inside, whatever the distance
// that a loop halves.
func TestInsideByCases(t *testing.T) {
	const merge = "shl.b32 %r6, %r2, 1; mov.u32 %r7, 512; L: bar.sync 0; sub.u32 %r8, %r7, 1; and.b32 %r8, %r8, %r2; sub.u32 %r9, %r6, %r8; add.u32 %r10, %r9, %r7;" +
		"shl.b32 %r11, %r10, 2; mov.u32 %r12, tile; add.u32 %r12, %r12, %r11; st.shared.u32 [%r12], %r2; mov.u32 %r13, more; ld.shared.u32 %r14, [%r13];" +
		"shl.b32 %r15, %r9, 2; add.u32 %r13, %r13, %r15; st.shared.u32 [%r13+4096], %r14;" +
		"shr.u32 %r7, %r7, 1; setp.ne.u32 %p1, %r7, 0; @%p1 bra L;"
	for _, test := range []struct {
		name, body string
		block      int64
		want       bool
	}{
		{"the halves of two tiles", merge, 512, true},
		{"twice as many threads", merge, 1024, false},
		{"one element more", replaceIn(t, merge, "st.shared.u32 [%r12], %r2;", "st.shared.u32 [%r12+4], %r2;"), 512, false},
		{"a greater first distance", replaceIn(t, merge, "%r7, 512;", "%r7, 1024;"), 512, false},
	} {
		text := replaceIn(t, kernelText(test.body), ".shared .align 4 .b8 tile[4096];", ".shared .align 4 .b8 tile[4096]; .shared .align 4 .b8 more[8192];")
		r := analyzeText(t, text, launchWith(t, 4, test.block), Options{})
		if got := r.Verdict == Clean; got != test.want {
			t.Errorf("%s: %s, proved is to be %t", test.name, r.Verdict, test.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
	}
}
