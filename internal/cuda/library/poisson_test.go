package library

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPoissonQuantile compares the quantile with the sum of all probabilities by the logarithm of the factorial.
func TestPoissonQuantile(t *testing.T) {
	for _, mean := range []float64{0.01, 0.5, 2.5, 100, 12345.6} {
		var sums []float64
		sum := 0.0
		for k := 0.0; k < mean+12*math.Sqrt(mean)+60; k++ {
			lg, _ := math.Lgamma(k + 1)
			sum += math.Exp(k*math.Log(mean) - mean - lg)
			sums = append(sums, sum)
		}
		for _, u := range []float64{1e-9, 0.001, 0.1, 0.5, 0.9, 0.999, 1 - 1e-9} {
			k := int(poissonQuantile(mean, u))
			if sums[k] < u*(1-1e-9) || k > 0 && sums[k-1] > u*(1+1e-9) {
				t.Errorf("mean %g, %g: %d, where the distribution function is %g", mean, u, k, sums[k])
			}
		}
		if k := poissonQuantile(mean, 1); math.IsInf(k, 0) || k > mean+12*math.Sqrt(mean)+61 {
			t.Errorf("mean %g: %g for 1", mean, k)
		}
	}
}

// TestPoissonNumbers compares frequencies with probabilities (chi squared) on both sides of the change of methods.
func TestPoissonNumbers(t *testing.T) {
	const n = 200_000
	for _, mean := range []float64{0.3, 9.9, 10, 50} {
		from, counts := rand.New(rand.NewPCG(1, 2)), make(map[float64]float64)
		for range n {
			counts[poissonNumber(mean, from)]++
		}
		chi, cells := 0.0, 0.0
		for k := 0.0; k < 200; k++ {
			if want := n * math.Exp(poissonLog(mean, k)); want > 20 {
				chi += (counts[k] - want) * (counts[k] - want) / want
				cells++
			}
		}
		if chi > cells+5*math.Sqrt(2*cells) {
			t.Errorf("mean %g: chi squared %.0f in %.0f cells", mean, chi, cells)
		}
	}
}
