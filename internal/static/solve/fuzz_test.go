package solve

import (
	"context"
	"math/big"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// FuzzSolve decides a condition over two small variables, written as text, and tries all values.
func FuzzSolve(f *testing.F) {
	for _, seed := range []string{
		"y*n + x == 7 && x < n", "x/n == y%n && n > 2", "(x ^ n) > x && (y ^ n) > y && (x ^ n) == y", "u4(x*n - y) == 3",
		"min(x, y)*n >= max(x, y)", "(x << n) == (y >> 1)", "(x & 6) == (y | 1)", "x*x == y*n + 2", "n*x - n*y == 1 && n > 1",
		"(x > y ? x : n)*3 == y", "x/(y-3) == 2", "s3(x + n*y) != x + n*y",
	} {
		f.Add(seed)
	}
	x, y, n := Var("x", -3, 9), Var("y", 0, 9), Uniform("n", -2, 9)
	names := map[string]*Int{"x": x, "y": y, "n": n}
	resolve := func(name string) (*Int, *Bool, error) {
		if v, ok := names[name]; ok {
			return v, nil, nil
		}
		return nil, expr.BoolVar("p", false), nil
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := expr.ParseBool(text, resolve)
		if err != nil || g.Size() > 200 {
			return
		}
		r, err := Solve(context.Background(), Query{Goal: []*Bool{g}}, Options{Budget: 300_000})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []bool{false, true} {
			m := expr.NewModel()
			m.Bools["p"] = p
			if r.Verdict == Unsat && exists([]*Bool{g}, []*Int{x, y, n}, m) {
				t.Fatalf("%s satisfies %s, which is called unsatisfiable", m, g)
			}
		}
		if r.Verdict == Sat && !satisfies([]*Bool{g}, r.Model) {
			t.Fatalf("%s is no model of %s", r.Model, g)
		}
	})
}

// TestArithmetic compares the small rational numbers, and the wide integers, with big ones.
func TestArithmetic(t *testing.T) {
	values := []int64{0, 1, -1, 2, -3, 7, 1 << 31, -1 << 31, 1<<62 - 1, -(1<<62 - 1), 1<<53 + 1, 6700417}
	var s rats
	var list []rat
	for _, n := range values {
		for _, d := range []int64{1, 2, 3, 1 << 40, 1<<61 - 1} {
			list = append(list, s.store(big.NewRat(n, d)))
		}
	}
	list = append(list, s.mul(list[len(list)-11], list[len(list)-16]), s.mul(list[40], s.mul(list[40], list[40])))
	for _, a := range list {
		for _, b := range list {
			x, y := s.value(a), s.value(b)
			if z := s.value(s.add(a, b)); z.Cmp(new(big.Rat).Add(x, y)) != 0 {
				t.Fatalf("%s + %s is not %s", x, y, z)
			}
			if z := s.value(s.mul(a, b)); z.Cmp(new(big.Rat).Mul(x, y)) != 0 {
				t.Fatalf("%s · %s is not %s", x, y, z)
			}
		}
		for _, k := range values {
			if got, want := s.cmpInt(a, k), s.value(a).Cmp(new(big.Rat).SetInt64(k)); got != want {
				t.Fatalf("%s compared with %d is %d", s.value(a), k, got)
			}
		}
	}
	for _, a := range values {
		for _, b := range values {
			w := product128(a, b).add(product128(b, 3)).sub(product128(a, 5))
			want := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
			want.Add(want, new(big.Int).Mul(big.NewInt(b), big.NewInt(3)))
			want.Sub(want, new(big.Int).Mul(big.NewInt(a), big.NewInt(5)))
			for _, d := range []int64{1, 3, 1 << 40} {
				q := new(big.Int).Div(want, big.NewInt(d))
				if q.CmpAbs(big.NewInt(limit)) > 0 {
					q = big.NewInt(limit * int64(q.Sign()))
				}
				if got := w.floorDiv(d); got != q.Int64() {
					t.Fatalf("%s / %d is %d, want %s", want, d, got, q)
				}
			}
		}
	}
}

// BenchmarkRaceQueries measures the queries of the race detector, without the search for minimal cores.
func BenchmarkRaceQueries(b *testing.B) {
	qs := raceQueries()
	work := int64(0)
	for b.Loop() {
		work = 0
		for _, q := range qs {
			for _, facts := range [][]Fact{nil, q.facts} {
				r, err := Solve(context.Background(), Query{Goal: q.goal, Facts: facts}, Options{NoCore: true})
				if err != nil {
					b.Fatal(err)
				}
				work += r.Work
			}
		}
	}
	b.ReportMetric(float64(work)/float64(2*len(qs)), "units/query")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*2*len(qs)), "µs/query")
}
