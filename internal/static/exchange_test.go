package static

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// TestExchangeByValue: threads exchange two elements if the first one is greater. No two threads have an element in
// common, whatever memory holds; they do where both threads of a pair make the exchange.
func TestExchangeByValue(t *testing.T) {
	exchange := func(test string) string {
		return kernelText("xor.b32 %r6, %r5, %r1; " + test + index + "mul.wide.s32 %rd4, %r6, 4; add.s64 %rd4, %rd1, %rd4;" +
			"ld.global.u32 %r7, [%rd3]; ld.global.u32 %r8, [%rd4]; and.b32 %r10, %r5, %r9; setp.eq.s32 %p3, %r10, 0;" +
			"setp.gt.s32 %p2, %r7, %r8; xor.pred %p4, %p2, %p3; @%p4 bra done;" +
			"st.global.u32 [%rd3], %r8; st.global.u32 [%rd4], %r7; done:")
	}
	const later = "shl.b32 %r9, %r1, 1; setp.le.u32 %p1, %r6, %r5; @%p1 bra done;"
	g := launchOf(0)
	n, power := facts.ParamVar(2, 0, 32), expr.Shl(expr.Const(1), expr.Uniform("h.t", 0, 20))
	blocks := expr.Div(expr.Add(expr.Uniform("h.size", 32, 1<<20), expr.Const(255)), expr.Const(256))
	g.Facts = append(g.Facts[1:3:3], facts.Fact{
		Name: "sizes", Class: facts.Values, Formula: expr.All(
			expr.Eq(n, power), expr.Eq(facts.Dim("ntid", 'x'), expr.Const(256)), expr.Eq(facts.Dim("nctaid", 'x'), blocks),
		),
	})
	if r := analyzeText(t, exchange(later), g, Options{}); r.Verdict != Clean {
		t.Errorf("one thread of each pair: %s\n%s", r.Verdict, describe(r))
	}
	if r := analyzeText(t, exchange("shl.b32 %r9, %r1, 1;"), g, Options{}); r.Verdict == Clean {
		t.Error("both threads of each pair: clean")
	}
}
