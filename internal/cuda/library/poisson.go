// Numbers of a Poisson distribution, for cuRAND.

package library

import (
	"math"
	"math/rand/v2"
)

// poissonNumber draws a number by the transformed rejection of W. Hörmann ("The transformed rejection method for
// generating Poisson random variables", 1993, algorithm PTRS), and for a small mean by the times between events.
func poissonNumber(mean float64, from *rand.Rand) float64 {
	if mean < 10 {
		n := -1.0
		for at := 0.0; at < mean; n++ {
			at += from.ExpFloat64()
		}
		return n
	}
	b := 0.931 + 2.53*math.Sqrt(mean)
	a := -0.059 + 0.02483*b
	for {
		u, v := from.Float64()-0.5, from.Float64()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + mean + 0.43)
		switch {
		case us >= 0.07 && v <= 0.9277-3.6224/(b-2):
			return k
		case k <= 0 || us < 0.013 && v > us:
		case math.Log(v*(1.1239+1.1328/(b-3.4))/(a/(us*us)+b)) <= poissonLog(mean, k):
			return k
		}
	}
}

// poissonLog returns the logarithm of the probability of k.
func poissonLog(mean, k float64) float64 {
	lg, _ := math.Lgamma(k + 1)
	return k*math.Log(mean) - mean - lg
}

// poissonQuantile returns the first number whose distribution function reaches u, 0 < u < 1: it adds probabilities from
// far below the mean on, where they are less than 1e-30 together.
func poissonQuantile(mean, u float64) float64 {
	k := math.Max(0, math.Floor(mean-12*math.Sqrt(mean)-12))
	p := math.Exp(poissonLog(mean, k))
	most := mean + 12*math.Sqrt(mean) + 60 // what is left above is less than the error of the sum
	for sum := p; sum < u && k < most; sum += p {
		k++
		p *= mean / k
	}
	return k
}
