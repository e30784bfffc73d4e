package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAddProducts compares with sums one by one, bit by bit, for all widths that take different paths
// and for numbers that round.
func TestAddProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	number := func() float64 {
		if rng.IntN(50) == 0 {
			return []float64{math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), math.MaxFloat64, 5e-324}[rng.IntN(6)]
		}
		return math.Ldexp(rng.NormFloat64(), rng.IntN(120)-60)
	}
	numbers := func(n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = number()
		}
		return list
	}
	for columns := range 140 {
		for _, k := range []int{0, 1, 2, 16, 33} {
			stride := columns + rng.IntN(5)
			sums, row, b := numbers(columns), numbers(k), numbers(k*stride)
			want := slices.Clone(sums)
			for n := range want {
				for i, a := range row {
					want[n] += float64(a * b[i*stride+n])
				}
			}
			AddProducts(sums, row, b, stride)
			for n := range want {
				if math.Float64bits(sums[n]) != math.Float64bits(want[n]) && !(math.IsNaN(sums[n]) && math.IsNaN(want[n])) {
					t.Fatalf("%d columns, k %d: sum %d is %v, want %v", columns, k, n, sums[n], want[n])
				}
			}
		}
	}
}
