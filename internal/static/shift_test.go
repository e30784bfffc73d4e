package static

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// TestShiftAmounts: the amount of a shift may be a parameter; amounts of the width and more shift everything out (PTX
// ISA, "shl", "shr").
func TestShiftAmounts(t *testing.T) {
	const store = "mul.wide.u32 %rd3, %r6, 4; add.s64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r2;"
	tests := []struct {
		shift  string
		amount int64
		want   Verdict
	}{
		{"shl.b32 %r6, %r2, %r1", 0, Clean},
		{"shl.b32 %r6, %r2, %r1", 11, Clean},
		{"shl.b32 %r6, %r2, %r1", 31, Possible}, // an index wraps around
		{"shl.b32 %r6, %r2, %r1", 32, Racy},
		{"shl.b32 %r6, %r2, %r1", -1, Racy},
		{"shr.u32 %r6, %r2, %r1", 0, Clean},
		{"shr.u32 %r6, %r2, %r1", 1, Racy},
		{"shr.u32 %r6, %r2, %r1", 33, Racy},
		{"shl.b32 %r6, %r2, 21; shr.s32 %r6, %r6, %r1", 21, Clean},
		{"shl.b32 %r6, %r2, 21; shr.s32 %r6, %r6, %r1", 22, Racy},
		{"shl.b32 %r6, %r2, 21; shr.s32 %r6, %r6, %r1", 64, Racy},
	}
	for _, test := range tests {
		g := &facts.Given{Disjoint: true}
		is := func(x *expr.Int, k int64) {
			g.Facts = append(g.Facts, facts.Fact{Name: x.String(), Class: facts.Values, Var: x.String(), Value: expr.Const(k), Formula: expr.Eq(x, expr.Const(k))})
		}
		is(facts.ParamVar(2, 0, 32), test.amount)
		is(facts.Dim("nctaid", 'x'), 1)
		is(facts.Dim("ntid", 'x'), 1024)
		is(facts.Dim("ntid", 'y'), 1)
		is(facts.Dim("ntid", 'z'), 1)
		r := analyzeText(t, kernelText(test.shift+";"+store), g, Options{})
		if r.Verdict != test.want {
			t.Errorf("%s by %d: %s, want %s\n%s", test.shift, test.amount, r.Verdict, test.want, describe(r))
		}
	}
}
