package static

import (
	"context"
	"os"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// TestBudget: a larger budget of a kernel gives its queries larger limits, and decides more pairs. The limits of
// queries are small here, so that they matter.
func TestBudget(t *testing.T) {
	text, err := os.ReadFile("../../examples/hgrd/rule-110.ptx")
	if err != nil {
		t.Fatal(err)
	}
	k := loadText(t, string(text)).Kernels()[0]
	given := facts.Nothing()
	given.Disjoint = true
	proved := func(budget int64) (n int) {
		r, err := Analyze(context.Background(), k, given, Options{Budget: budget, Solve: solve.Options{Budget: 20}, ProofOnly: true, NoWrap: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Pairs {
			if p.Verdict == Clean {
				n++
			}
		}
		return n
	}
	small, large := proved(DefaultBudget), proved(100*DefaultBudget)
	if small == 0 || large <= small {
		t.Errorf("%d pairs are proved with the default budget, %d with a hundred times that", small, large)
	}
}
