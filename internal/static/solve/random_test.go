package solve

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// A generator makes random formulas over a few variables of small range.
type generator struct {
	*rand.Rand
	vars []*Int
}

// newGenerator returns a generator; the ranges of its variables hold size values at most.
func newGenerator(seed, stream uint64, size int64) generator {
	g := generator{Rand: rand.New(rand.NewPCG(seed, stream))}
	for i := range 2 + g.IntN(2) {
		lo := int64(0)
		if g.IntN(3) == 0 {
			lo = -g.Int64N(size / 2)
		}
		hi := lo + 1 + g.Int64N(size-1)
		name := fmt.Sprintf("v%d", i)
		if g.IntN(2) == 0 {
			g.vars = append(g.vars, Uniform(name, lo, hi))
		} else {
			g.vars = append(g.vars, Var(name, lo, hi))
		}
	}
	return g
}

// int returns a random expression.
func (g generator) int(depth int) *Int {
	if depth == 0 || g.IntN(5) == 0 {
		if g.IntN(3) == 0 {
			return c(g.Int64N(9) - 2)
		}
		return g.vars[g.IntN(len(g.vars))]
	}
	x, y := g.int(depth-1), g.int(depth-1)
	switch g.IntN(16) {
	case 0, 1, 2:
		return Add(x, y)
	case 3, 4:
		return Sub(x, y)
	case 5, 6, 7:
		return Mul(x, y)
	case 8:
		return Div(x, y)
	case 9:
		return Rem(x, y)
	case 10:
		return []func(x, y *Int) *Int{expr.Min, expr.Max}[g.IntN(2)](x, y)
	case 11:
		return []func(x, y *Int) *Int{expr.And, expr.Or, expr.Xor}[g.IntN(3)](x, y)
	case 12:
		return expr.Shl(x, expr.Min(y, c(4)))
	case 13:
		return expr.Shr(x, expr.Max(y, c(0)))
	case 14:
		return expr.Wrap(x, 1+g.IntN(5), g.IntN(2) == 0)
	}
	return expr.Ite(g.bool(0, depth-1), x, y)
}

// bool returns a random condition.
func (g generator) bool(depth, ints int) *Bool {
	if depth == 0 {
		x, y := g.int(ints), g.int(ints)
		switch g.IntN(5) {
		case 0, 1:
			return Eq(x, y)
		case 2:
			return Ne(x, y)
		}
		return Lt(x, y)
	}
	x, y := g.bool(depth-1, ints), g.bool(g.IntN(depth), ints)
	switch g.IntN(3) {
	case 0:
		return All(x, y)
	case 1:
		return Any(x, y)
	}
	return expr.Not(All(x, y))
}

// query returns a conjunction of conditions as goal and facts.
func (g generator) query() Query {
	var q Query
	for i := range 2 + g.IntN(3) {
		f := g.bool(g.IntN(3), 2)
		if i != 1 {
			q.Goal = append(q.Goal, f)
		} else {
			q.Facts = append(q.Facts, Fact{fmt.Sprintf("f%d", i), f})
		}
	}
	return q
}

// formulas returns all formulas of a query.
func (q Query) formulas() []*Bool {
	fs := slices.Clone(q.Goal)
	for _, f := range q.Facts {
		fs = append(fs, f.Formula)
	}
	return fs
}

// satisfies reports whether a model makes all formulas true.
func satisfies(fs []*Bool, m *expr.Model) bool {
	for _, f := range fs {
		if v, err := f.Eval(m); err != nil || !v {
			return false
		}
	}
	return true
}

// exists tries all values of the variables.
func exists(fs []*Bool, vars []*Int, m *expr.Model) bool {
	if len(vars) == 0 {
		return satisfies(fs, m)
	}
	v := vars[0].Variable()
	for k := v.Lo.Int64(); k <= v.Hi.Int64(); k++ {
		m.Ints[v.Name] = big.NewInt(k)
		if exists(fs, vars[1:], m) {
			return true
		}
	}
	return false
}

// checkResult compares a result with what trying all values gives.
func checkResult(t *testing.T, seed uint64, q Query, vars []*Int, r Result) {
	t.Helper()
	switch r.Verdict {
	case Sat:
		if !satisfies(q.formulas(), r.Model) {
			t.Fatalf("seed %d: %v is no model of %v", seed, r.Model, q.formulas())
		}
	case Unsat:
		core := Query{}
		for _, i := range r.Used {
			core.Goal = append(core.Goal, q.Goal[i])
		}
		for _, f := range q.Facts {
			if slices.Contains(r.Core, f.Name) {
				core.Facts = append(core.Facts, f)
			}
		}
		if m := expr.NewModel(); exists(core.formulas(), vars, m) {
			t.Fatalf("seed %d: %v satisfies %v, which is called unsatisfiable", seed, m, core.formulas())
		}
	}
}

// TestRandom decides random formulas over small ranges, and tries all values.
func TestRandom(t *testing.T) {
	n := uint64(200)
	count := make(map[Verdict]int)
	for seed := range n {
		g := newGenerator(seed, 7, 12)
		q := g.query()
		r, err := Solve(context.Background(), q, Options{Budget: 400_000})
		if err != nil {
			t.Fatal(err)
		}
		count[r.Verdict]++
		checkResult(t, seed, q, g.vars, r)
	}
	t.Logf("%v", count)
}
