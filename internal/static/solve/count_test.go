package solve

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// TestCounts compares the answers to queries about functions of the bits of two numbers with what all their values say.
func TestCounts(t *testing.T) {
	const width, most = 5, 40
	x, y := expr.Var("x", 0, most), expr.Uniform("y", -3, most)
	functions := []func(*expr.Int, int) *expr.Int{expr.Len, expr.Ones, expr.Flip}
	unsat := 0
	for i, f := range functions {
		fx, fy := f(x, width), f(y, width)
		for k := range int64(7) {
			goals := []*expr.Bool{
				expr.Eq(fx, expr.Const(k)),
				expr.All(expr.Eq(fx, expr.Const(k)), expr.Lt(x, expr.Const(1<<k>>1))),
				expr.All(expr.Eq(fx, expr.Const(k)), expr.Ge(x, expr.Const(1<<k)), expr.Lt(x, expr.Const(32))),
				expr.All(expr.Eq(fx, fy), expr.Eq(x, expr.Add(y, expr.Const(k+1)))),
				expr.All(expr.Eq(fx, expr.Add(fy, expr.Const(k))), expr.Le(x, y)),
				expr.All(expr.Eq(expr.Shl(expr.Const(1), expr.Min(fx, expr.Const(6))), expr.Const(1<<k)), expr.Ne(expr.Wrap(x, width, false), fy)),
			}
			for j, goal := range goals {
				want := Unsat
				for a := range int64(most + 1) {
					for b := int64(-3); b <= most; b++ {
						m := expr.NewModel()
						m.Ints["x"], m.Ints["y"] = big.NewInt(a), big.NewInt(b)
						if holds, err := goal.Eval(m); err == nil && holds {
							want = Sat
						}
					}
				}
				r, err := Solve(context.Background(), Query{Goal: []*expr.Bool{goal}}, Options{})
				if err != nil || r.Verdict != want {
					t.Errorf("%s is %v (%v), want %v", fmt.Sprint(i, j, " ", goal), r.Verdict, err, want)
				}
				if want == Unsat {
					unsat++
				}
			}
		}
	}
	if unsat < 30 {
		t.Errorf("only %d queries are unsatisfiable", unsat)
	}
}
