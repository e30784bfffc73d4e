package solve

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// TestMemory decides formulas far larger than a kernel's: the answer is that they are too large, or
// out of budget, and the memory for that is bounded.
func TestMemory(t *testing.T) {
	var vars []*Int
	for i := range int64(400) {
		vars = append(vars, Uniform(fmt.Sprintf("n%d", i), -1000, 100_000), Var(fmt.Sprintf("x%d", i), 0, 1<<31-1))
	}
	product := func(i, k int) *Int { return Mul(vars[i%len(vars)], vars[(i*7+k)%len(vars)]) }
	var sums, equations, choices, divisions []*Bool
	for i := range 4000 {
		sums = append(sums, Lt(Add(product(i, 1), product(i, 3), vars[(i+5)%len(vars)]), Add(product(i, 9), c(int64(i)))))
		equations = append(equations, Eq(Add(product(i, 1), product(i, 3), vars[(i+5)%len(vars)]), product(i, 9)))
		choices = append(choices, Any(Eq(vars[i%800], product(i, 2)), All(Lt(product(i, 4), vars[i%700]), Ne(vars[i%300], vars[i%200]))))
		divisions = append(divisions, Eq(Div(product(i, 1), vars[(i+3)%800]), Rem(product(i, 5), vars[(i+4)%800])))
	}
	for _, fs := range [][]*Bool{
		sums, divisions, {Any(divisions...)}, sums[:60], equations[:40], choices[:200],
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		r, err := Solve(context.Background(), Query{Goal: fs}, Options{Budget: 2_000_000})
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if r.Verdict == Unsat {
			t.Errorf("%s… is satisfiable with zeros", fs[0])
		}
		if r.Verdict == Sat && !satisfies(fs, r.Model) {
			t.Error("the model is none")
		}
		if grown := int64(after.HeapSys-before.HeapSys) >> 20; grown > 512 {
			t.Errorf("%d MB for %d formulas like %s", grown, len(fs), fs[0])
		}
		t.Logf("%s %s work %d, heap %d MB, all %d MB", r.Verdict, r.Reason, r.Work, after.HeapSys>>20, (after.TotalAlloc-before.TotalAlloc)>>20)
	}
	if big := expr.All(sums...); big.Size() > expr.MaxBoolSize {
		t.Errorf("%d nodes", big.Size())
	}
}
