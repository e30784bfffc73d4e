package solve

import (
	"context"
	"math"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// lostQueries are queries without solutions that take the solver more than the detector gives to one, or that it does
// not decide. z3 decides all of them on the same linear problem. Of 152 queries that were open on the kernels of the
// race suite, of examples/hgrd and their like, without facts, these and five others were.
func lostQueries() []raceQuery {
	x1, x2 := Var("tid.x#1", 0, 1023), Var("tid.x#2", 0, 1023)
	y1, y2 := Var("tid.y#1", 0, 1023), Var("tid.y#2", 0, 1023)
	bx, by := Var("ctaid.x", 0, math.MaxInt32-1), Var("ctaid.y", 0, 65534)
	at := Add(x2, expr.Wrap(Mul(Const(1024), bx), 32, true)) // an unsigned index that is added to a signed one
	met := Eq(x1, expr.Ite(Ge(at, Const(0)), at, Add(at, Const(1<<32))))
	warp := func(x *Int) *Int { return Div(x, Const(32)) }
	row := func(x, y *Int) *Int {
		return expr.Wrap(Add(Mul(Const(8192), bx), Mul(Const(16), by), x, Mul(Const(512), y)), 32, false)
	}
	inside := func(x, y *Int) *Bool {
		or := expr.Or(Add(Mul(Const(16), by), x), expr.Wrap(Add(Mul(Const(16), bx), y), 32, true))
		return All(Lt(or, Const(512)), Ge(or, Const(0)))
	}
	return []raceQuery{
		{name: "two indices of a block", goal: []*Bool{Ne(x1, x2), met}, alone: Unsat},
		{name: "two indices of two warps", goal: []*Bool{Ne(x1, x2), Ne(warp(x1), warp(x2)), met}, alone: Unsat},
		{name: "two indices of a warp", goal: []*Bool{Ne(x1, x2), Eq(warp(x1), warp(x2)), met}, alone: Unsat},
		{name: "transposition, guarded by an or", goal: []*Bool{Any(Ne(x1, x2), Ne(y1, y2)), Eq(row(x1, y1), row(x2, y2)), inside(x1, y1), inside(x2, y2)}, alone: Unknown},
	}
}

// TestLostQueries: what is decided of them stays so, with proofs. A query that is decided now is no longer lost: its
// verdict moves here.
func TestLostQueries(t *testing.T) {
	for _, q := range lostQueries() {
		r, err := Solve(context.Background(), Query{Goal: q.goal}, Options{Budget: 4_000_000, NoModel: true, NoCore: true})
		if err != nil {
			t.Fatal(err)
		}
		if t.Logf("%s: %s, %d units", q.name, r.Verdict, r.Work); r.Verdict != q.alone {
			t.Errorf("%s: %s, want %s", q.name, r.Verdict, q.alone)
		}
		if r.Verdict != Unsat {
			continue
		}
		p, err := Prove(context.Background(), q.goal, DefaultBudget)
		if err != nil {
			t.Fatal(err)
		}
		if err = Check(q.goal, p); err != nil {
			t.Errorf("%s: %v", q.name, err)
		}
	}
}
