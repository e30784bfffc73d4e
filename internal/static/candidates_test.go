package static

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// TestCandidates: a race is shown by an execution though the solver's values are those of a launch too long to be
// followed, or the way to it depends on contents of which no formula speaks.
func TestCandidates(t *testing.T) {
	const long = "or.b32 %r6, %r2, 1024; setp.ge.u32 %p1, %r6, %r1; @%p1 bra B; A: add.s32 %r6, %r6, 1024; setp.lt.u32 %p2, %r6, %r1; @%p2 bra A; B:"
	tests := []struct {
		name, body string
		memory     bool // certain contents are needed
	}{
		{"a loop up to a number", long + smem + "st.shared.u32 [%rd4], %r2; ld.shared.u32 %r7, [tile];", false},
		{"a branch that changes nothing", "ld.global.u32 %r6, [%rd1]; setp.eq.u32 %p1, %r6, 7; @%p1 bra A; A: st.global.u32 [%rd2], %r2;", true},
	}
	n := facts.ParamVar(2, 0, 32)
	host := facts.Fact{Name: "n", Class: facts.Values, Formula: expr.Any(expr.Lt(n, expr.Const(0)), expr.All(expr.Ge(n, expr.Const(40)), expr.Le(n, expr.Const(50))))}
	for _, test := range tests {
		r := analyzeText(t, kernelText(test.body), &facts.Given{Disjoint: true, Facts: []facts.Fact{host}}, Options{Contents: true})
		if r.Verdict != Racy {
			t.Errorf("%s: %s, want %s", test.name, r.Verdict, Racy)
		}
		for _, p := range r.Pairs {
			if p.Verdict == Racy && (len(p.Witness.Memory) > 0) != test.memory {
				t.Errorf("%s: needs the contents %v", test.name, p.Witness.Memory)
			}
		}
	}
}

// TestRaceOfLaterRounds: threads race in two rounds of a loop that the formulas of the accesses do not mention, as
// their addresses are the same in all rounds: the launch is one in which there are as many.
func TestRaceOfLaterRounds(t *testing.T) {
	body := smem + "mov.u32 %r7, 0; loop: st.shared.u32 [%rd4], %r2; bar.sync 0; ld.shared.u32 %r8, [tile]; " +
		"add.s32 %r7, %r7, 16; setp.lt.s32 %p1, %r7, %r1; @%p1 bra loop;"
	if r := analyzeText(t, kernelText(body), &facts.Given{Disjoint: true}, Options{}); r.Verdict != Racy {
		t.Errorf("rounds of a loop: %s, want %s\n%s", r.Verdict, Racy, describe(r))
	}
	n := facts.ParamVar(2, 0, 32)
	few := facts.Fact{Name: "n", Class: facts.Values, Formula: expr.Le(n, expr.Const(16))}
	g := &facts.Given{Disjoint: true, Facts: []facts.Fact{few}}
	if r := analyzeText(t, kernelText(body), g, Options{}); r.Verdict == Racy {
		t.Errorf("of a loop with one round: %s", r.Verdict)
	}
}
