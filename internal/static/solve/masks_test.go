package solve_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// TestMasks: x & (p - 1) is x below a power of two p, also where p is twice one or only its bits say that it is a power;
// below another number it may be something else.
func TestMasks(t *testing.T) {
	x, m, y := expr.Var("x", 0, 1<<30), expr.Uniform("m", 1, 1<<30), expr.Uniform("y", 0, 1<<30)
	power := expr.Shl(expr.Const(1), expr.Uniform("k", 0, 30))
	oneBit := expr.Eq(expr.And(m, expr.Sub(m, expr.Const(1))), expr.Const(0))
	for name, c := range map[string]struct {
		goal []*expr.Bool
		want solve.Verdict
	}{
		"a power":      {[]*expr.Bool{expr.Eq(y, expr.Sub(power, expr.Const(1))), expr.Lt(x, power)}, solve.Unsat},
		"twice one":    {[]*expr.Bool{expr.Eq(y, expr.Sub(expr.Mul(expr.Const(2), power), expr.Const(1))), expr.Lt(x, expr.Mul(expr.Const(2), power))}, solve.Unsat},
		"one bit":      {[]*expr.Bool{oneBit, expr.Eq(y, expr.Sub(m, expr.Const(1))), expr.Lt(x, m)}, solve.Unsat},
		"any number":   {[]*expr.Bool{expr.Eq(y, expr.Sub(m, expr.Const(1))), expr.Lt(x, m)}, solve.Sat},
		"beyond":       {[]*expr.Bool{expr.Eq(y, expr.Sub(power, expr.Const(1))), expr.Le(x, power)}, solve.Sat},
		"another mask": {[]*expr.Bool{expr.Eq(y, expr.Sub(power, expr.Const(2))), expr.Lt(x, power)}, solve.Sat},
	} {
		goal := append(c.goal, expr.Ne(expr.And(x, y), x))
		if r, err := solve.Solve(t.Context(), solve.Query{Goal: goal}, solve.Options{}); err != nil || r.Verdict != c.want {
			t.Errorf("%s: verdict %v, want %v: %v", name, r.Verdict, c.want, err)
		}
	}
}
