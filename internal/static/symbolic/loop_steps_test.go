package symbolic

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// TestMultiples: sums of constants are multiples of their greatest common divisor within the bounds that the number of
// the summands gives.
func TestMultiples(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 2000 {
		var steps []*expr.Int
		var values []int64
		scale := []int64{1, 3, 256}[r.IntN(3)]
		for range 1 + r.IntN(4) {
			values = append(values, scale*(r.Int64N(13)-6))
			steps = append(steps, expr.Const(values[len(values)-1]))
		}
		g, least, most, ok := multiples(steps)
		if !ok {
			for _, v := range values {
				if v != 0 {
					t.Fatalf("no multiples of %v", values)
				}
			}
			continue
		}
		found++
		sum, rounds := int64(0), r.Int64N(20)
		for range rounds {
			sum += values[r.IntN(len(values))]
		}
		if s := sum / g.Int64(); sum%g.Int64() != 0 || s < rounds*least || s > rounds*most {
			t.Fatalf("%d of %v sum up to %d, which is not a multiple of %d between %d and %d times that", rounds, values, sum, g, least, most)
		}
	}
	if found < 1500 {
		t.Errorf("%d of 2000", found)
	}
	if _, _, _, ok := multiples([]*expr.Int{expr.Const(1), expr.Var("x", 0, 3)}); ok {
		t.Error("a variable is a constant")
	}
}
