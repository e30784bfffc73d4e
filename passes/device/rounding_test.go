// Rounding as IEEE 754 defines it, computed with rational numbers: what the tests of the builtins expect.

package device_test

import (
	"math"
	"math/big"
)

// modes are CUDA's suffixes: to the nearest even, towards zero, up and down.
var modes = []string{"rn", "rz", "ru", "rd"}

// format is a floating-point format: the bits of a significand, and the exponents of normal numbers.
type format struct{ bits, least, most int }

var (
	binary32 = format{24, -126, 127}
	binary64 = format{53, -1022, 1023}
)

// round is the number of the format for an exact value, which is not zero.
func (f format) round(exact *big.Rat, mode string) float64 {
	negative := exact.Sign() < 0
	x := new(big.Rat).Abs(exact)
	exponent := x.Num().BitLen() - x.Denom().BitLen()
	if x.Cmp(power(exponent)) < 0 {
		exponent--
	}
	last := max(exponent, f.least) - f.bits + 1 // the exponent of the last bit
	x.Quo(x, power(last))
	n, rest := new(big.Int).QuoRem(x.Num(), x.Denom(), new(big.Int))
	half := rest.Lsh(rest, 1).Cmp(x.Denom())
	away := false
	switch mode {
	case "rn":
		away = half > 0 || half == 0 && n.Bit(0) == 1
	case "ru":
		away = rest.Sign() != 0 && !negative
	case "rd":
		away = rest.Sign() != 0 && negative
	}
	if away {
		n.Add(n, big.NewInt(1))
	}
	value := math.Ldexp(float64(n.Uint64()), last)
	if largest := math.Ldexp(2-math.Ldexp(1, 1-f.bits), f.most); value > largest {
		value = largest
		if mode == "rn" || mode == "ru" && !negative || mode == "rd" && negative {
			value = math.Inf(1)
		}
	}
	if negative {
		return -value
	}
	return value
}

// sum is like round for a value that may be zero, as the sum of numbers that are not.
func (f format) sum(exact *big.Rat, mode string) float64 {
	switch {
	case exact.Sign() != 0:
		return f.round(exact, mode)
	case mode == "rd":
		return math.Copysign(0, -1)
	}
	return 0
}

// power is 2 to an exponent.
func power(exponent int) *big.Rat {
	n := new(big.Int).Lsh(big.NewInt(1), uint(max(exponent, -exponent)))
	if exponent < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), n)
	}
	return new(big.Rat).SetInt(n)
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// root is the square root of a positive number, to more bits than decide how it is rounded.
func root(x float64) *big.Rat {
	const enough = 300
	r, _ := new(big.Float).Sqrt(new(big.Float).SetPrec(enough).SetFloat64(x)).Rat(nil)
	return r
}

// whole rounds to an integer.
func whole(x float64, mode string) float64 {
	switch mode {
	case "rz":
		return math.Trunc(x)
	case "ru":
		return math.Ceil(x)
	case "rd":
		return math.Floor(x)
	}
	return math.RoundToEven(x)
}
