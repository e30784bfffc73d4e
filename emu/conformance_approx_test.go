package emu

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/program"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// bounded is an instruction whose result the manual bounds but does not define (PTX ISA 9.7.3.8 and 9.7.3.13 to
// 9.7.4.10): the function, and the maximum error.
type bounded struct {
	fn    func(x []float64) float64
	bound func(s *specimen, x []float64, exact float64) float64
}

var boundedFunctions = map[string]bounded{
	"div":   {func(x []float64) float64 { return x[0] / x[1] }, func(s *specimen, _ []float64, exact float64) float64 { return s.ulps(2, exact) }},
	"rcp":   {unary(func(x float64) float64 { return 1 / x }), reciprocalBound},
	"sqrt":  {unary(math.Sqrt), relative(0x1p-23)},
	"rsqrt": {unary(inverseRoot), inverseRootBound},
	"sin":   {unary(math.Sin), circularBound},
	"cos":   {unary(math.Cos), circularBound},
	"lg2":   {unary(math.Log2), logarithmBound},
	"ex2":   {unary(math.Exp2), exponentialBound},
	"tanh":  {unary(math.Tanh), tangentBound},
}

func unary(f func(x float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0]) }
}

func inverseRoot(x float64) float64 {
	if x == 0 {
		return math.Copysign(math.Inf(1), x)
	}
	return 1 / math.Sqrt(x)
}

func relative(r float64) func(*specimen, []float64, float64) float64 {
	return func(_ *specimen, _ []float64, exact float64) float64 { return r * math.Abs(exact) }
}

// reciprocalBound: 1 ulp of f32; .ftz.f64 has 20 bits of mantissa (9.7.3.14).
func reciprocalBound(s *specimen, _ []float64, exact float64) float64 {
	if s.typ(0) == isa.F64 {
		return 0x1p-20 * math.Abs(exact)
	}
	return s.ulps(1, exact)
}

// inverseRootBound: the manual has a bound for f32 and the coarse form of f64. It has none for the other form, which is
// computed in double precision by software.
func inverseRootBound(s *specimen, _ []float64, exact float64) float64 {
	r := math.Exp2(-22.9)
	switch {
	case s.typ(0) == isa.F64 && s.has("ftz"):
		r = 0x1p-20
	case s.typ(0) == isa.F64:
		r = 0x1p-50
	}
	return r * math.Abs(exact)
}

// circularBound has the bounds for the first period, and for fifty periods on each side. Beyond, the manual gives none,
// and values are between -1 and 1.
func circularBound(_ *specimen, x []float64, _ float64) float64 {
	switch a := math.Abs(x[0]); {
	case a <= 2*math.Pi:
		return math.Exp2(-20.5)
	case a <= 100*math.Pi:
		return math.Exp2(-14.7)
	}
	return 2
}

func logarithmBound(_ *specimen, x []float64, exact float64) float64 {
	if x[0] > 0.5 && x[0] < 2 {
		return 0x1p-22
	}
	return 0x1p-22 * math.Abs(exact)
}

func exponentialBound(s *specimen, _ []float64, exact float64) float64 {
	switch elementOf(s.typ(0)) {
	case isa.F16:
		return math.Exp2(-9.9) * math.Abs(exact)
	case isa.BF16:
		return 0x1p-7 * math.Abs(exact)
	}
	return s.ulps(2, exact)
}

func tangentBound(s *specimen, _ []float64, exact float64) float64 {
	switch elementOf(s.typ(0)) {
	case isa.F16:
		return math.Exp2(-10.987)
	case isa.BF16:
		return 0x1p-8
	}
	return 0x1p-11 * math.Abs(exact)
}

func elementOf(t isa.Type) isa.Type {
	if t.Lanes() > 1 {
		return lane(t)
	}
	return t
}

// ulps is n units in the last place of a number in the format of the result.
func (s *specimen) ulps(n int, x float64) float64 {
	f := formatOf(elementOf(s.typ(0)))
	_, e := math.Frexp(x)
	return math.Ldexp(float64(n), max(e-1, f.emin)-int(f.mant))
}

// approximate reports whether the manual only bounds the result. Forms of the first versions without .rn round
// correctly since sm_20, except those that have no rounding.
func (s *specimen) approximate() bool {
	switch s.in.Name {
	case "div", "rcp", "sqrt":
		return s.has("approx") || s.has("full")
	}
	return true
}

// float returns the number for bits. Subnormal numbers are 0 under ftz; for f64 the lower half of a number is then
// ignored as well (9.7.3.14).
func (s *specimen) float(f *realFormat, v uint64) float64 {
	if f.bits == 64 && s.has("ftz") && v&^(1<<63) <= f.inf() {
		v &^= 0xffffffff
	}
	x := f.read(v, s.has("ftz"))
	switch {
	case x.nan:
		return math.NaN()
	case x.inf:
		return math.Inf(1 - 2*int(b2u(x.neg)))
	}
	r, _ := x.abs.Float64()
	if x.neg {
		return -r
	}
	return r
}

// TestConformanceApproximate: the errors of approximations are within the manual's bounds, and results in its tables
// (zeros, infinities, NaN) are exact.
func TestConformanceApproximate(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(boundedFunctions)) {
		in, _ := isa.Lookup(name)
		for _, form := range in.Forms {
			for _, mods := range form.Spellings() {
				d, err := in.Decode(mods, len(form.Operands))
				if err != nil || d.Form != form || program.NotEmulated(d) != "" {
					continue
				}
				s := &specimen{in, mods, d}
				if f, ok := s.formOf(nil); ok && s.approximate() && wellFormed(f.kernel()) {
					f.judge(t, s.approximateTuples(f), s.near(boundedFunctions[name]))
				}
			}
		}
	}
}

// approximateTuples are edge values, numbers around 1, and numbers of all sizes.
func (s *specimen) approximateTuples(f form) [][]uint64 {
	tuples := conformanceTuples(s, f)
	rng := rand.New(rand.NewPCG(uint64(len(f.text)), 17))
	for range 128 {
		v := make([]uint64, len(s.Operands)-1)
		for i := range v {
			v[i] = rng.Uint64()
		}
		tuples = append(tuples, v)
	}
	return tuples
}

// near returns the judgement of results element by element.
func (s *specimen) near(a bounded) judgement {
	n, f := s.typ(0).Lanes(), formatOf(elementOf(s.typ(0)))
	return func(v []uint64, got uint64) (uint64, bool) {
		want, all := uint64(0), true
		for k := range n {
			shift, mask := uint(k)*f.bits, ^uint64(0)>>(64-f.bits)
			x := make([]float64, len(v))
			for i := range v {
				x[i] = s.float(f, v[i]>>shift&mask)
			}
			w, ok := s.nearElement(a, f, x, got>>shift&mask)
			want, all = want|w<<shift, all && ok
		}
		return want, all
	}
}

func (s *specimen) nearElement(a bounded, f *realFormat, x []float64, got uint64) (uint64, bool) {
	if s.has("2pi") { // turns, of which only the fraction counts
		x = []float64{2 * math.Pi * math.Mod(x[0], 1)}
	}
	exact := a.fn(x)
	if s.in.Name == "div" && s.has("approx") {
		switch b := math.Abs(x[1]); {
		case b > 0x1p126 && !math.IsInf(b, 0) && math.IsInf(x[0], 0):
			exact = math.NaN()
		case b > 0x1p126 && !math.IsInf(b, 0) && exact == exact:
			return 0, got&^(1<<(f.bits-1)) == 0
		case b < 0x1p-126 && b != 0:
			return 0, true // outside the range that has a bound
		}
	}
	want := f.write(realOfFloat(exact), "rn")
	if s.has("ftz") {
		want = s.flushed(f, want)
	}
	switch {
	case exact != exact || math.IsInf(exact, 0) || exact == 0:
		return want, got == want
	case f.bits == 64 && s.has("ftz") && got&0xffffffff != 0:
		return want, false
	}
	bound := a.bound(s, x, exact) + math.Ldexp(1, f.emin-int(f.mant)) // that of subnormal numbers
	if s.has("ftz") && math.Abs(exact)-bound < math.Ldexp(1, f.emin) && got&^(1<<(f.bits-1)) == 0 {
		return want, true // the result before flushing may have been subnormal
	}
	y := s.float(f, got)
	if largest := s.float(f, f.inf()-1); math.Abs(exact)+bound > largest && math.IsInf(y, 0) {
		return want, math.Signbit(y) == math.Signbit(exact)
	}
	return want, math.Abs(y-exact) <= bound
}

// realOfFloat is a float64 as a value.
func realOfFloat(x float64) real { return realFormats[isa.F64].read(math.Float64bits(x), false) }
