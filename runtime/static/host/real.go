// Floating-point numbers that are integers, such as an extent of sqrt(n * 1.0): types do not matter for these, as none rounds them.

package host

import (
	"math"
	"strconv"
	"strings"
)

// maxWhole is the greatest magnitude of an integer up to which float, and so each wider type, represents all.
const maxWhole = 1 << 24

// realOf returns the value of a floating-point number as a value; none unless it is an integer that all types represent.
func realOf(f float64) value {
	if f != math.Trunc(f) || math.Abs(f) > maxWhole {
		return value{}
	}
	return value{real: &f}
}

// whole returns the value of a literal of a floating-point type.
func whole(text string) (value, bool) {
	if _, _, integer := number(text); integer {
		return value{}, false
	}
	f, err := strconv.ParseFloat(strings.TrimRight(text, "fFlL"), 64)
	v := realOf(f)
	return v, err == nil && v.real != nil
}

// exactly returns a constant as a floating-point number, if all types represent it.
func exactly(v value) (float64, bool) {
	if v.real != nil {
		return *v.real, realOf(*v.real).real != nil
	}
	k, ok := constantOf(v)
	return float64(k), ok && k >= -maxWhole && k <= maxWhole
}

// realArith computes a binary operation on two constants, of which one has a floating-point type. A result that is no integer, or one
// that a type may round, is not known.
func realArith(op string, a, b value) value {
	x, ok1 := exactly(a)
	y, ok2 := exactly(b)
	switch {
	case !ok1 || !ok2:
	case op == "+":
		return realOf(x + y)
	case op == "-":
		return realOf(x - y)
	case op == "*":
		return realOf(x * y)
	case op == "/" && y != 0 && math.Mod(x, y) == 0:
		return realOf(x / y)
	}
	return value{}
}

// squareRoot returns the square root of a square.
func squareRoot(v value) value {
	x, ok := exactly(v)
	if r := math.Sqrt(x); ok && x >= 0 && r == math.Trunc(r) {
		return realOf(r)
	}
	return value{}
}
