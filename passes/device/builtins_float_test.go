// The builtins for floating-point numbers.

package device_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func floatTests(t *testing.T, m *kernels, random *rand.Rand) {
	special := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, math.Inf(1), math.Inf(-1), math.NaN(),
		math.MaxInt32, math.MinInt32, 1 << 31, 1 << 32, 1<<32 - 1, 1<<32 - 0.5, 1 << 63, 1 << 64, -1 << 63, 8388609, 0.999, -0.999, 3e9, -3e9, 1e19, 2e19,
	}
	var singles, doubles []float64
	for _, x := range special {
		for _, y := range []float64{x, 0, math.Copysign(0, -1), -3.5, math.NaN()} {
			singles, doubles = append(singles, x, y, 0), append(doubles, x, y, 0)
		}
	}
	for range 3 * 30 {
		singles = append(singles, math.Ldexp(random.Float64()-0.5, random.IntN(70)))
		doubles = append(doubles, math.Ldexp(random.Float64()-0.5, random.IntN(70)))
	}
	t.Run("floats", func(t *testing.T) { check(t, m, "floats", to32(singles), singleFunctions()) })
	t.Run("doubles", func(t *testing.T) { check(t, m, "doubles", doubles, doubleFunctions()) })

	singles, doubles = nil, nil
	for range 3 * 100 {
		singles = append(singles, float64(finite32(random)))
		doubles = append(doubles, finite64(random))
	}
	for range 60 { // of like size
		x := random.Float64() + 0.5
		singles = append(singles, x, -x*(1+math.Ldexp(random.Float64(), -random.IntN(30))), x/3)
		doubles = append(doubles, x, -x*(1+math.Ldexp(random.Float64(), -random.IntN(60))), x/3)
	}
	singles, doubles = append(singles, 1.5, -1.5, 2.25), append(doubles, 1.5, -1.5, 2.25)
	t.Run("rounded", func(t *testing.T) { check(t, m, "rounded", to32(singles), roundedFunctions()) })
	t.Run("rounded_double", func(t *testing.T) { check(t, m, "rounded_double", doubles, roundedDoubleFunctions()) })

	var inputs []float32 // x from -3 to 3, y above 0
	for range 200 {
		inputs = append(inputs, random.Float32()*6-3, float32(math.Exp(random.Float64()*20-10)), 0)
	}
	for _, x := range []float32{0, 1, -1, 3, -3, 1e-3} {
		inputs = append(inputs, x, 1, 0, x, 0.5, 0, x, 2, 0)
	}
	t.Run("approximate", func(t *testing.T) { check(t, m, "approximate", inputs, approximateFunctions()) })
}

func to32(list []float64) []float32 {
	var r []float32
	for _, x := range list {
		r = append(r, float32(x))
	}
	return r
}

// finite32 is a random number of any exponent, not zero.
func finite32(random *rand.Rand) float32 {
	for {
		if x := math.Float32frombits(random.Uint32()); x != 0 && !math.IsInf(float64(x), 0) && x == x {
			return x
		}
	}
}

func finite64(random *rand.Rand) float64 {
	for {
		if x := math.Float64frombits(random.Uint64()); x != 0 && !math.IsInf(x, 0) && x == x {
			return x
		}
	}
}

// number is minimum and maximum of C: of a number and a NaN the number. PTX has -0 below 0.
func number(pick func(x, y float64) float64, x, y float64) float64 {
	switch {
	case math.IsNaN(x):
		return y
	case math.IsNaN(y):
		return x
	}
	return pick(x, y)
}

// functions are C's functions of one number and of two, by name.
var functions1 = map[string]func(x float64) float64{
	"fabs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "rint": math.RoundToEven, "nearbyint": math.RoundToEven, "round": math.Round,
}

var functions2 = map[string]func(x, y float64) float64{
	"copysign": math.Copysign,
	"fmin":     func(x, y float64) float64 { return number(math.Min, x, y) },
	"fmax":     func(x, y float64) float64 { return number(math.Max, x, y) },
}

func singleFunctions() map[string]func(x, y, z float32) any {
	want := map[string]func(x, y, z float32) any{
		"abs(x)":      func(x, _, _ float32) any { return float32(math.Abs(float64(x))) },
		"min(x, y)":   func(x, y, _ float32) any { return float32(number(math.Min, float64(x), float64(y))) },
		"max(x, y)":   func(x, y, _ float32) any { return float32(number(math.Max, float64(x), float64(y))) },
		"isnan(x)":    func(x, _, _ float32) any { return x != x },
		"isinf(x)":    func(x, _, _ float32) any { return math.IsInf(float64(x), 0) },
		"isfinite(x)": func(x, _, _ float32) any { return x-x == 0 },
		"signbit(x)":  func(x, _, _ float32) any { return math.Signbit(float64(x)) || x != x && math.Float32bits(x)>>31 == 1 },
		"__saturatef(x)": func(x, _, _ float32) any {
			if !(x > 0) {
				return float32(0)
			}
			return min(x, 1)
		},
		"__float_as_int(x)":  func(x, _, _ float32) any { return int32(math.Float32bits(x)) },
		"__float_as_uint(x)": func(x, _, _ float32) any { return math.Float32bits(x) },
	}
	for name, f := range functions1 {
		g := func(x, _, _ float32) any { return float32(f(float64(x))) }
		want[name+"(x)"], want[name+"f(x)"] = g, g
	}
	for name, f := range functions2 {
		g := func(x, y, _ float32) any { return float32(f(float64(x), float64(y))) }
		want[name+"(x, y)"], want[name+"f(x, y)"] = g, g
	}
	for _, mode := range modes {
		for name, f := range conversions {
			want["__float2"+name+"_"+mode+"(x)"] = func(x, _, _ float32) any { return f(float64(x), mode, false) }
		}
	}
	return want
}

func doubleFunctions() map[string]func(x, y, z float64) any {
	narrow := func(y float64) float64 { return float64(float32(y)) }
	want := map[string]func(x, y, z float64) any{
		"abs(x)":                  func(x, _, _ float64) any { return math.Abs(x) },
		"min(x, y)":               func(x, y, _ float64) any { return number(math.Min, x, y) },
		"max(x, y)":               func(x, y, _ float64) any { return number(math.Max, x, y) },
		"isnan(x)":                func(x, _, _ float64) any { return x != x },
		"isinf(x)":                func(x, _, _ float64) any { return math.IsInf(x, 0) },
		"isfinite(x)":             func(x, _, _ float64) any { return x-x == 0 },
		"signbit(x)":              func(x, _, _ float64) any { return math.Signbit(x) },
		"__double_as_longlong(x)": func(x, _, _ float64) any { return math.Float64bits(x) },
		"__double2hiint(x)":       func(x, _, _ float64) any { return int32(math.Float64bits(x) >> 32) },
		"__double2loint(x)":       func(x, _, _ float64) any { return int32(math.Float64bits(x)) },
	}
	for _, pair := range []string{"(x, f)", "(f, x)"} {
		want["min"+pair] = func(x, y, _ float64) any { return number(math.Min, x, narrow(y)) }
		want["max"+pair] = func(x, y, _ float64) any { return number(math.Max, x, narrow(y)) }
	}
	for name, f := range functions1 {
		want[name+"(x)"] = func(x, _, _ float64) any { return f(x) }
	}
	for name, f := range functions2 {
		want[name+"(x, y)"] = func(x, y, _ float64) any { return f(x, y) }
	}
	for _, mode := range modes {
		for name, f := range conversions {
			want["__double2"+name+"_"+mode+"(x)"] = func(x, _, _ float64) any { return f(x, mode, true) }
		}
	}
	return want
}

// conversions are to integers: the nearest one of the type, and for NaN 0, or where one of the types has 64 bits the
// most significant bit alone (PTX ISA, cvt).
var conversions = map[string]func(x float64, mode string, double bool) any{
	"int": func(x float64, mode string, double bool) any {
		switch v := whole(x, mode); {
		case x != x && double:
			return int32(math.MinInt32)
		case x != x:
			return int32(0)
		default:
			return int32(max(math.MinInt32, min(math.MaxInt32, v)))
		}
	},
	"uint": func(x float64, mode string, double bool) any {
		switch v := whole(x, mode); {
		case x != x && double:
			return uint32(1 << 31)
		case x != x:
			return uint32(0)
		default:
			return uint32(max(0, min(math.MaxUint32, v)))
		}
	},
	"ll": func(x float64, mode string, _ bool) any {
		switch v := whole(x, mode); {
		case x != x, v < math.MinInt64:
			return int64(math.MinInt64)
		case v >= 1<<63:
			return int64(math.MaxInt64)
		default:
			return int64(v)
		}
	},
	"ull": func(x float64, mode string, _ bool) any {
		switch v := whole(x, mode); {
		case x != x:
			return uint64(1 << 63)
		case v <= 0:
			return uint64(0)
		case v >= 1<<64:
			return uint64(math.MaxUint64)
		default:
			return uint64(v)
		}
	},
}

// exact are the operations on numbers, without rounding.
var exact = map[string]func(x, y *big.Rat) *big.Rat{
	"add": func(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(x, y) },
	"sub": func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) },
	"mul": func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) },
	"div": func(x, y *big.Rat) *big.Rat { return new(big.Rat).Quo(x, y) },
}

func fused(x, y, z float64) *big.Rat {
	p := new(big.Rat).Mul(rat(x), rat(y))
	return p.Add(p, rat(z))
}

func roundedFunctions() map[string]func(x, y, z float32) any {
	fma := func(mode string) func(x, y, z float32) any {
		return func(x, y, z float32) any {
			return float32(binary32.sum(fused(float64(x), float64(y), float64(z)), mode))
		}
	}
	root := func(mode string) func(x, y, z float32) any {
		return func(x, _, _ float32) any { return float32(binary32.round(root(math.Abs(float64(x))), mode)) }
	}
	want := map[string]func(x, y, z float32) any{
		"fmaf(x, y, z)": fma("rn"), "fma(x, y, z)": fma("rn"), "sqrtf(fabs(x))": root("rn"), "sqrt(fabs(x))": root("rn"),
		"fdividef(x, y)": func(x, y, _ float32) any { return x / y },
	}
	for _, mode := range modes {
		for name, f := range exact {
			want["__f"+name+"_"+mode+"(x, y)"] = func(x, y, _ float32) any { return float32(binary32.sum(f(rat(float64(x)), rat(float64(y))), mode)) }
		}
		want["__frcp_"+mode+"(x)"] = func(x, _, _ float32) any { return float32(binary32.round(new(big.Rat).Inv(rat(float64(x))), mode)) }
		want["__fsqrt_"+mode+"(fabs(x))"] = root(mode)
		want["__fmaf_"+mode+"(x, y, z)"] = fma(mode)
	}
	return want
}

func roundedDoubleFunctions() map[string]func(x, y, z float64) any {
	fma := func(mode string) func(x, y, z float64) any {
		return func(x, y, z float64) any { return binary64.sum(fused(x, y, z), mode) }
	}
	root := func(mode string) func(x, y, z float64) any {
		return func(x, _, _ float64) any { return binary64.round(root(math.Abs(x)), mode) }
	}
	want := map[string]func(x, y, z float64) any{"fma(x, y, z)": fma("rn"), "sqrt(fabs(x))": root("rn")}
	for _, mode := range modes {
		for name, f := range exact {
			want["__d"+name+"_"+mode+"(x, y)"] = func(x, y, _ float64) any { return binary64.sum(f(rat(x), rat(y)), mode) }
		}
		want["__drcp_"+mode+"(x)"] = func(x, _, _ float64) any { return binary64.round(new(big.Rat).Inv(rat(x)), mode) }
		want["__dsqrt_"+mode+"(fabs(x))"] = root(mode)
		want["__fma_"+mode+"(x, y, z)"] = fma(mode)
		want["__double2float_"+mode+"(x)"] = func(x, _, _ float64) any { return float32(binary32.round(rat(x), mode)) }
	}
	return want
}

// ulps is a value within so many units in the last place of a float.
func ulps(value, n float64) approximately {
	v := float32(math.Abs(value))
	return approximately{value: value, most: n * float64(math.Nextafter32(v, math.MaxFloat32)-v)}
}

// logarithm is a value within an error for inputs from 0.5 to 2, and within so many units for others.
func logarithm(x, value, most, units float64) approximately {
	if x >= 0.5 && x <= 2 {
		return approximately{value: value, most: most}
	}
	return ulps(value, units)
}

// approximateFunctions have the errors that the CUDA C++ Programming Guide promises ("Mathematical Functions").
func approximateFunctions() map[string]func(x, y, z float32) any {
	type function = func(x, y float64) approximately
	sine := func(x, _ float64) approximately { return approximately{value: math.Sin(x), most: math.Exp2(-21.41)} }
	cosine := func(x, _ float64) approximately { return approximately{value: math.Cos(x), most: math.Exp2(-21.19)} }
	list := map[string]function{
		"__fdividef(x, y)": func(x, y float64) approximately { return ulps(x/y, 2) },
		"rsqrtf(y)":        func(_, y float64) approximately { return ulps(1/math.Sqrt(y), 2) },
		"rsqrt(y)":         func(_, y float64) approximately { return ulps(1/math.Sqrt(y), 2) },
		"rsqrt((double)y)": func(_, y float64) approximately {
			v := 1 / math.Sqrt(y)
			return approximately{value: v, most: 2 * (math.Nextafter(v, math.Inf(1)) - v), double: true} // 1, and the reference's error
		},
		"exp2f(x)":    func(x, _ float64) approximately { return ulps(math.Exp2(x), 2) },
		"__expf(x)":   func(x, _ float64) approximately { return ulps(math.Exp(x), 2+math.Floor(math.Abs(1.173*x))) },
		"__exp10f(x)": func(x, _ float64) approximately { return ulps(math.Pow(10, x), 2+math.Floor(math.Abs(2.97*x))) },
		"__log2f(y)":  func(_, y float64) approximately { return logarithm(y, math.Log2(y), math.Exp2(-22), 2) },
		"__logf(y)":   func(_, y float64) approximately { return logarithm(y, math.Log(y), math.Exp2(-21.41), 3) },
		"__log10f(y)": func(_, y float64) approximately { return logarithm(y, math.Log10(y), math.Exp2(-24), 3) },
		"__sinf(x)":   sine,
		"sine":        sine,
		"__cosf(x)":   cosine,
		"cosine":      cosine,
		"__tanf(x)": func(x, _ float64) approximately { // __sinf(x) * (1 / __cosf(x))
			s, c := sine(x, 0), cosine(x, 0)
			e := approximately{value: math.Tan(x)}
			e.most = ulps(e.value, 2).most + s.most/math.Abs(c.value) + math.Abs(e.value)*c.most/(math.Abs(c.value)-c.most)
			return e
		},
		"__powf(y, x)": func(x, y float64) approximately { // exp2f(x * __log2f(y))
			l := logarithm(y, math.Log2(y), math.Exp2(-22), 2)
			p := ulps(x*l.value, 0.5).most + math.Abs(x)*l.most
			e := approximately{value: math.Pow(y, x)}
			e.most = ulps(e.value, 2).most + e.value*math.Expm1(p*math.Ln2)
			return e
		},
	}
	want := map[string]func(x, y, z float32) any{}
	for name, f := range list {
		want[name] = func(x, y, _ float32) any { return f(float64(x), float64(y)) }
	}
	return want
}
