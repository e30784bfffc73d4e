package num

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// refFormat describes a format to the reference rounding, which shares nothing
// with the package: it works on big integers.
type refFormat struct {
	name     string
	exp, man int
	shift    uint // low bits of the stored number that are always zero
	nan      uint64
}

var refs = map[*Format]refFormat{
	F16:  {"f16", 5, 10, 0, 0x7fff},
	BF16: {"bf16", 8, 7, 0, 0x7fff},
	TF32: {"tf32", 8, 10, 13, 0x7fffffff},
	F32:  {"f32", 8, 23, 0, 0x7fffffff},
	F64:  {"f64", 11, 52, 0, 0xfff8000000000000},
}

var (
	allFormats = []*Format{F16, BF16, TF32, F32, F64}
	directions = []Rounding{RN, RZ, RM, RP, RNA}
)

// refRound rounds a finite x; sticky says that the exact value is a little
// further from zero than x.
func refRound(x *big.Float, sticky bool, rf refFormat, r Rounding) uint64 {
	neg := x.Signbit()
	bias := 1<<(rf.exp-1) - 1
	sign := uint64(0)
	if neg {
		sign = 1 << (rf.exp + rf.man)
	}
	if x.Sign() == 0 {
		return sign << rf.shift
	}
	e := x.MantExp(nil) - 1 // |x| in [2^e, 2^(e+1))
	q := max(e, 1-bias) - rf.man
	scaled := new(big.Float).SetMantExp(new(big.Float).Abs(x), -q)
	n, _ := scaled.Int(nil)
	frac := new(big.Float).SetPrec(2000).Sub(scaled, new(big.Float).SetPrec(2000).SetInt(n))
	half := frac.Cmp(big.NewFloat(0.5))
	if half == 0 && sticky {
		half = 1
	}
	inexact := frac.Sign() != 0 || sticky
	up := false
	switch r {
	case RN:
		up = half > 0 || half == 0 && n.Bit(0) == 1
	case RNA:
		up = half >= 0
	case RM:
		up = neg && inexact
	case RP:
		up = !neg && inexact
	}
	if up {
		n.Add(n, big.NewInt(1))
	}
	// n units of 2^q
	inf := uint64(1<<rf.exp-1) << rf.man
	m := n.Uint64()
	if m>>(rf.man+1) != 0 {
		m >>= 1
		q++
	}
	v := m
	if m>>rf.man != 0 {
		field := q + rf.man + bias
		if field >= 1<<rf.exp-1 {
			toMax := r == RZ || r == RM && !neg || r == RP && neg
			v = inf
			if toMax {
				v = inf - 1
			}
		} else {
			v = uint64(field)<<rf.man | m&(1<<rf.man-1)
		}
	}
	return (sign | v) << rf.shift
}

// refValue is the exact value of a finite stored number.
func refValue(v uint64, rf refFormat) *big.Float {
	v >>= rf.shift
	bias := 1<<(rf.exp-1) - 1
	m := v & (1<<rf.man - 1)
	field := int(v >> rf.man & (1<<rf.exp - 1))
	if field == 0 {
		field = 1
	} else {
		m |= 1 << rf.man
	}
	x := new(big.Float).SetPrec(5000).SetUint64(m)
	x.SetMantExp(x, field-bias-rf.man)
	if v>>(rf.exp+rf.man)&1 != 0 {
		x.Neg(x)
	}
	return x
}

func isFinite(v uint64, rf refFormat) bool {
	return v>>rf.shift>>rf.man&(1<<rf.exp-1) != 1<<rf.exp-1
}

// sample draws interesting numbers of a format: specials, neighbours of powers
// of two, few-bit mantissas, random bits.
func sample(rng *rand.Rand, rf refFormat) uint64 {
	top := rf.exp + rf.man
	inf := uint64(1<<rf.exp-1) << rf.man
	sign := rng.Uint64() & 1 << top
	var v uint64
	switch rng.IntN(8) {
	case 0:
		special := []uint64{0, 1, 2, 1<<rf.man - 1, 1 << rf.man, 1<<rf.man + 1, inf - 1, inf, inf | 1, inf | 1<<(rf.man-1), uint64(1<<(rf.exp-1)-1) << rf.man}
		v = special[rng.IntN(len(special))]
	case 1:
		v = rng.Uint64N(1 << rf.man) // subnormal
	case 2, 3: // near 1, so that sums cancel
		v = uint64(1<<(rf.exp-1)-1+rng.IntN(5)-2)<<rf.man | rng.Uint64N(1<<rf.man)
	case 4:
		v = uint64(rng.IntN(1<<rf.exp-1))<<rf.man | uint64(rng.IntN(4))<<(rf.man-2)
	case 5:
		v = rng.Uint64N(inf)&^(1<<(rf.man/2)-1) + uint64(rng.IntN(3)) - 1
		v &= 1<<top - 1
	default:
		v = rng.Uint64N(inf)
	}
	return (sign | v) << rf.shift
}

// op is an operation in both worlds. ref gives the exact result, or one to 4000
// bits with sticky set.
type op struct {
	name  string
	arity int
	fn    func(f *Format, v []uint64, m Mode) uint64
	ref   func(x []*big.Float) (z *big.Float, sticky bool)
	host  func(x []float64) float64 // for NaN, infinities and zeros
}

func bits32(f *Format) bool { return f == F32 }

var ops = []op{
	{
		"add", 2, func(f *Format, v []uint64, m Mode) uint64 {
			switch {
			case f == F64:
				return AddF64(v[0], v[1], m.Round)
			case bits32(f):
				return uint64(AddF32(uint32(v[0]), uint32(v[1]), m))
			}
			return uint64(f.Add(uint32(v[0]), uint32(v[1]), m))
		}, func(x []*big.Float) (*big.Float, bool) { return exact().Add(x[0], x[1]), false },
		func(x []float64) float64 { return x[0] + x[1] },
	},
	{
		"sub", 2, func(f *Format, v []uint64, m Mode) uint64 {
			switch {
			case f == F64:
				return SubF64(v[0], v[1], m.Round)
			case bits32(f):
				return uint64(SubF32(uint32(v[0]), uint32(v[1]), m))
			}
			return uint64(f.Sub(uint32(v[0]), uint32(v[1]), m))
		}, func(x []*big.Float) (*big.Float, bool) { return exact().Sub(x[0], x[1]), false },
		func(x []float64) float64 { return x[0] - x[1] },
	},
	{
		"mul", 2, func(f *Format, v []uint64, m Mode) uint64 {
			switch {
			case f == F64:
				return MulF64(v[0], v[1], m.Round)
			case bits32(f):
				return uint64(MulF32(uint32(v[0]), uint32(v[1]), m))
			}
			return uint64(f.Mul(uint32(v[0]), uint32(v[1]), m))
		}, func(x []*big.Float) (*big.Float, bool) { return exact().Mul(x[0], x[1]), false },
		func(x []float64) float64 { return x[0] * x[1] },
	},
	{"fma", 3, func(f *Format, v []uint64, m Mode) uint64 {
		switch {
		case f == F64:
			return FmaF64(v[0], v[1], v[2], m.Round)
		case bits32(f):
			return uint64(FmaF32(uint32(v[0]), uint32(v[1]), uint32(v[2]), m))
		}
		return uint64(f.Fma(uint32(v[0]), uint32(v[1]), uint32(v[2]), m))
	}, func(x []*big.Float) (*big.Float, bool) {
		p := exact().Mul(x[0], x[1])
		return p.Add(p, x[2]), false
	}, func(x []float64) float64 { return math.FMA(x[0], x[1], x[2]) }},
	{"div", 2, func(f *Format, v []uint64, m Mode) uint64 {
		switch {
		case f == F64:
			return DivF64(v[0], v[1], m.Round)
		case bits32(f):
			return uint64(DivF32(uint32(v[0]), uint32(v[1]), m))
		}
		return f.FromFloat64(divOdd(f.Float64(v[0]), f.Float64(v[1])), m.Round)
	}, func(x []*big.Float) (*big.Float, bool) {
		z := new(big.Float).SetPrec(400).SetMode(big.ToZero).Quo(x[0], x[1])
		return z, z.Acc() != big.Exact
	}, func(x []float64) float64 { return x[0] / x[1] }},
	{"sqrt", 1, func(f *Format, v []uint64, m Mode) uint64 {
		switch {
		case f == F64:
			return SqrtF64(v[0], m.Round)
		case bits32(f):
			return uint64(SqrtF32(uint32(v[0]), m))
		}
		return f.FromFloat64(sqrtOdd(f.Float64(v[0])), m.Round)
	}, func(x []*big.Float) (*big.Float, bool) {
		z := new(big.Float).SetPrec(400).Sqrt(x[0]) // rounded to nearest
		sq := exact().Mul(z, z)
		if sq.Cmp(x[0]) > 0 {
			z.SetMode(big.ToZero).Sub(z, new(big.Float).SetMantExp(big.NewFloat(1), z.MantExp(nil)-399))
		}
		return z, sq.Cmp(x[0]) != 0
	}, func(x []float64) float64 { return math.Sqrt(x[0]) }},
}

func exact() *big.Float { return new(big.Float).SetPrec(5000) }

// TestArithmetic compares every operation, format and rounding mode with big
// arithmetic on the formats' awkward numbers.
func TestArithmetic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := 4000
	if testing.Short() {
		n = 500
	}
	for _, f := range allFormats {
		if f == TF32 { // has conversions only
			continue
		}
		rf := refs[f]
		for _, o := range ops {
			for range n {
				v := make([]uint64, o.arity)
				for i := range v {
					v[i] = sample(rng, rf)
				}
				for _, r := range directions[:4] {
					got := o.fn(f, v, Mode{Round: r})
					want, ok := expected(o, f, rf, v, r)
					if ok && got != want {
						t.Fatalf("%s.%s %x mode %d = %x, want %x", o.name, rf.name, v, r, got, want)
					}
				}
			}
		}
	}
}

// expected is the reference result of o.
func expected(o op, f *Format, rf refFormat, v []uint64, r Rounding) (uint64, bool) {
	finite := true
	xs := make([]float64, len(v))
	for i := range v {
		finite = finite && isFinite(v[i], rf)
		xs[i] = math.Float64frombits(v[i])
		if f != F64 {
			xs[i] = f.Float64(v[i])
		}
	}
	host := o.host(xs)
	last := xs[len(xs)-1]
	if !finite || host != host || o.name == "div" && last == 0 || o.name == "sqrt" && last <= 0 {
		switch {
		case host != host:
			return rf.nan, true
		case math.IsInf(host, 0):
			return f.Inf(host < 0), true
		case host == 0:
			return refRound(big.NewFloat(host), false, rf, r), true
		}
		return refRound(big.NewFloat(host), false, rf, r), !finite && f == F64
	}
	big := make([]*big.Float, len(v))
	for i := range v {
		big[i] = refValue(v[i], rf)
	}
	z, sticky := o.ref(big)
	if z.Sign() == 0 {
		return zeroResult(o, xs, rf, r), true
	}
	return refRound(z, sticky, rf, r), true
}

// zeroResult is the signed zero of an exact zero (IEEE 754-2008, 6.3).
func zeroResult(o op, x []float64, rf refFormat, r Rounding) uint64 {
	var neg bool
	switch o.name {
	case "add", "sub":
		b := x[1]
		if o.name == "sub" {
			b = -b
		}
		neg = math.Signbit(x[0]) && math.Signbit(b) || r == RM && (math.Signbit(x[0]) || math.Signbit(b))
	case "fma":
		p := math.Signbit(x[0]) != math.Signbit(x[1])
		neg = p && math.Signbit(x[2]) || r == RM && (p || math.Signbit(x[2]))
	default:
		neg = math.Signbit(x[0]) != math.Signbit(x[1])
	}
	if neg {
		return 1 << (rf.exp + rf.man) << rf.shift
	}
	return 0
}

// TestFormatConversion rounds random reals between all formats.
func TestFormatConversion(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, from := range allFormats {
		for _, to := range allFormats {
			for range 3000 {
				v := sample(rng, refs[from])
				if !isFinite(v, refs[from]) {
					continue
				}
				for _, r := range directions {
					got := FloatCvt{Mode: Mode{Round: r}}.Convert(from, to, v)
					want := refRound(refValue(v, refs[from]), false, refs[to], r)
					if got != want {
						t.Fatalf("cvt.%s.%s %x mode %d = %x, want %x", refs[to].name, refs[from].name, v, r, got, want)
					}
				}
			}
		}
	}
}

// TestFmaHalfway checks the double-rounding cases that the fast path of fma.f32
// must notice.
func TestFmaHalfway(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	rf := refs[F32]
	for range 60000 {
		// a*b has bits far below the half-way point of c's last place
		a := uint32(127-rng.IntN(14))<<23 | uint32(rng.Uint64N(1<<23))&^0x7f
		b := uint32(127-rng.IntN(14))<<23 | uint32(rng.IntN(1<<10))
		c := uint32(127+rng.IntN(3))<<23 | uint32(rng.IntN(16)) | uint32(rng.IntN(2))<<31
		switch rng.IntN(4) {
		case 0: // results that are subnormal
			a -= 100 << 23
			b -= 40 << 23
			c = uint32(rng.IntN(1 << 12))
		case 1: // a*b just below half of the smallest subnormal
			k := uint32(1 + rng.IntN(8))
			a, b, c = 27<<23|k, 76<<23|(1<<23-2*k), uint32(rng.IntN(1<<13))
		}
		p := exact().Mul(refValue(uint64(a), rf), refValue(uint64(b), rf))
		want := uint32(refRound(p.Add(p, refValue(uint64(c), rf)), false, rf, RN))
		if got := Fma32(a, b, c); got != want {
			t.Fatalf("fma.rn.f32 %08x %08x %08x = %08x, want %08x", a, b, c, got, want)
		}
	}
}

// TestCanonicalNaN checks the bit patterns of NaN results.
func TestCanonicalNaN(t *testing.T) {
	inf, ninf, snan := uint32(0x7f800000), uint32(0xff800000), uint32(0xff812345)
	for name, got := range map[string]uint32{
		"inf-inf": AddF32(inf, ninf, Mode{}), "0*inf": MulF32(0, inf, Mode{}), "nan+1": AddF32(snan, 0x3f800000, Mode{}),
		"0/0": DivF32(0, 0, Mode{}), "sqrt(-1)": SqrtF32(0xbf800000, Mode{}), "fma": Fma32(inf, 0, snan),
		"rz": AddF32(inf, ninf, Mode{Round: RZ}), "min.NaN": uint32(MinMax{NaN: true}.Select(F32, 0, uint64(snan))),
		"sin(inf)": SinF32(inf, false), "lg2(-1)": Lg2F32(0xbf800000, false), "rsqrt(-1)": RsqrtF32(0xbf800000, false),
	} {
		if got != 0x7fffffff {
			t.Errorf("%s = %08x", name, got)
		}
	}
	if got := F16.Add(0x7c00, 0xfc00, Mode{}); got != 0x7fff {
		t.Errorf("f16 inf-inf = %04x", got)
	}
	if got := BF16.Fma(0x7f80, 0, 0, Mode{}); got != 0x7fff {
		t.Errorf("bf16 inf*0 = %04x", got)
	}
}

// TestFlushAndSaturate checks .ftz and .sat on hand-made values.
func TestFlushAndSaturate(t *testing.T) {
	ftz, sat := Mode{Ftz: true}, Mode{Sat: true}
	for _, c := range []struct {
		name      string
		got, want uint32
	}{
		{"add.ftz sub+sub", AddF32(0x007fffff, 0x007fffff, ftz), 0},
		{"add.ftz -sub + -sub", AddF32(0x807fffff, 0x80000001, ftz), 0x80000000},
		{"mul.ftz result", MulF32(0x00800000, 0x3f000000, ftz), 0},
		{"mul.ftz negative result", MulF32(0x80800000, 0x3f000000, ftz), 0x80000000},
		{"mul result", MulF32(0x00800000, 0x3f000000, Mode{}), 0x00400000},
		{"fma.ftz input", FmaF32(0x3f800000, 0x00000001, 0x3f800000, ftz), 0x3f800000},
		{"add.sat 2", AddF32(0x3f800000, 0x3f800000, sat), 0x3f800000},
		{"add.sat -1", AddF32(0xbf800000, 0, sat), 0},
		{"add.sat nan", AddF32(0x7fc00000, 0, sat), 0},
		{"add.sat -0", AddF32(0x80000000, 0x80000000, sat), 0},
		{"add.sat 0.5", AddF32(0x3e800000, 0x3e800000, sat), 0x3f000000},
		{"add.ftz.rz", AddF32(0x00000001, 0x3f800000, Mode{Ftz: true, Round: RP}), 0x3f800000},
		{"add.rp", AddF32(0x00000001, 0x3f800000, Mode{Round: RP}), 0x3f800001},
		{"add.rm", AddF32(0x80000001, 0x3f800000, Mode{Round: RM}), 0x3f7fffff},
		{"rcp.ftz sub", RcpF32(0x00000001, ftz), 0x7f800000},
		{"rcp -0", RcpF32(0x80000000, Mode{}), 0xff800000},
		{"neg.ftz", NegF32(0x00000001, true), 0x80000000},
		{"abs nan", AbsF32(0xffc12345, false), 0x7fc12345},
		{"f16 add overflow", F16.Add(0x7bff, 0x7bff, Mode{}), 0x7c00},
		{"f16 add.sat", F16.Add(0x4000, 0x4000, sat), 0x3c00},
		{"f16 fma exact", F16.Fma(0x3c01, 0x3c01, 0xbc02, Mode{}), 0x0010},
		{"f16 fma.relu", uint32(F16.Relu(uint64(F16.Fma(0x3c00, 0xbc00, 0, Mode{})))), 0},
		{"f16 sub.ftz", F16.Sub(0x0200, 0x0100, ftz), 0},
	} {
		if c.got != c.want {
			t.Errorf("%s = %08x, want %08x", c.name, c.got, c.want)
		}
	}
}

// TestMinMax checks the rules for NaN and zeros (PTX ISA, min and max).
func TestMinMax(t *testing.T) {
	const nan, one, mone, zero, mzero = 0x7fc00000, 0x3f800000, 0xbf800000, 0, 0x80000000
	for _, c := range []struct {
		mm         MinMax
		a, b, want uint64
	}{
		{MinMax{}, one, mone, mone},
		{MinMax{Max: true}, one, mone, one},
		{MinMax{}, zero, mzero, mzero},
		{MinMax{}, mzero, zero, mzero},
		{MinMax{Max: true}, mzero, zero, zero},
		{MinMax{Max: true}, zero, mzero, zero},
		{MinMax{}, nan, one, one},
		{MinMax{}, one, nan, one},
		{MinMax{}, nan, nan, 0x7fffffff},
		{MinMax{NaN: true}, one, nan, 0x7fffffff},
		{MinMax{NaN: true}, nan, one, 0x7fffffff},
		{MinMax{Xorsign: true}, 0xc0000000, one, mone},
		{MinMax{Xorsign: true, Max: true}, 0xc0000000, mone, 0x40000000},
		{MinMax{Xorsign: true, Max: true}, 0xc0000000, one, 0xc0000000},
		{MinMax{Ftz: true}, 1, mzero | 1, mzero},
		{MinMax{}, 0xff800000, mone, 0xff800000},
		{MinMax{Abs: true}, 0xc0000000, mone, one},
		{MinMax{Abs: true, Max: true}, 0xc0000000, nan, 0x40000000},
	} {
		if got := c.mm.Select(F32, c.a, c.b); got != c.want {
			t.Errorf("%+v %x %x = %x, want %x", c.mm, c.a, c.b, got, c.want)
		}
	}
}

// TestExp2: the power series has the precision of the library's function, and rounds to the same f32 (of 44 million,
// all).
func TestExp2(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 200_000 {
		x := float64(math.Float32frombits(rng.Uint32()))
		if rng.IntN(2) == 0 {
			x = float64(float32(rng.Float64()*300 - 150))
		}
		want := math.Exp2(x)
		if got, want := canon32(float32(Exp2(x))), canon32(float32(want)); got != want {
			t.Errorf("ex2 %g = %08x, want %08x", x, got, want)
		}
		if got := Exp2(x); math.Abs(x) < 1000 && math.Abs(got-want) > want*0x1p-51 {
			t.Errorf("2^%g = %g, want %g", x, got, want)
		}
	}
}

// TestApproximate checks error bounds of the approximations against the manual's
// tables, and their special values.
func TestApproximate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20000 {
		x := float32(rng.Float64()*200 - 100)
		b := math.Float32bits(x)
		checkUlp(t, "ex2", x, Ex2F32(b, false), math.Exp2(float64(x)), 2)
		checkUlp(t, "tanh", x, TanhF32(b), math.Tanh(float64(x)), 2)
		checkUlp(t, "rcp", x, RcpF32(b, Mode{}), 1/float64(x), 1)
		if x > 0 {
			checkUlp(t, "rsqrt", x, RsqrtF32(b, false), 1/math.Sqrt(float64(x)), 2)
			checkUlp(t, "lg2", x, Lg2F32(b, false), math.Log2(float64(x)), 2)
		}
	}
	for _, c := range []struct {
		name      string
		got, want uint32
	}{
		{"ex2 -inf", Ex2F32(0xff800000, false), 0},
		{"ex2 inf", Ex2F32(0x7f800000, false), 0x7f800000},
		{"ex2 0", Ex2F32(0, false), 0x3f800000},
		{"ex2.ftz -127", Ex2F32(math.Float32bits(-127), true), 0},
		{"lg2 0", Lg2F32(0, false), 0xff800000},
		{"lg2.ftz subnormal", Lg2F32(0x80000001, true), 0xff800000},
		{"rsqrt -0", RsqrtF32(0x80000000, false), 0xff800000},
		{"rsqrt inf", RsqrtF32(0x7f800000, false), 0},
		{"sin -0", SinF32(0x80000000, false), 0x80000000},
		{"cos 0", CosF32(0, false), 0x3f800000},
		{"div.approx huge divisor", DivApproxF32(0x3f800000, 0x7f000000, false), 0},
		{"div.approx -1/huge", DivApproxF32(0xbf800000, 0x7f000000, false), 0x80000000},
		{"div.approx inf/huge", DivApproxF32(0x7f800000, 0x7f000000, false), 0x7fffffff},
		{"div.approx 2^126", DivApproxF32(0x7e800000, 0x7e800000, false), 0x3f800000},
	} {
		if c.got != c.want {
			t.Errorf("%s = %08x, want %08x", c.name, c.got, c.want)
		}
	}
	if got := RcpApproxF64(math.Float64bits(3)); got&low32 != 0 || math.Abs(f64(got)*3-1) > 1e-6 {
		t.Errorf("rcp.approx.ftz.f64 3 = %x", got)
	}
	if got := RsqrtApproxF64(math.Float64bits(4)); got != math.Float64bits(0.5) {
		t.Errorf("rsqrt.approx.f64 4 = %x", got)
	}
}

func checkUlp(t *testing.T, name string, x float32, got uint32, want float64, ulps float64) {
	t.Helper()
	ulp := math.Abs(float64(math.Nextafter32(float32(want), float32(math.Inf(1)))) - float64(float32(want)))
	if d := math.Abs(float64(f32(got)) - want); !math.IsInf(want, 0) && d > ulps*ulp && !math.IsInf(ulp, 0) {
		t.Errorf("%s(%v) = %v, want %v", name, x, f32(got), want)
	}
}

// TestNarrowFormats checks the 8-, 6- and 4-bit formats on values from the tables
// of the OCP specifications "8-bit Floating Point" and "Microscaling Formats":
// 1.0, smallest and largest number, and what overflows or is NaN.
func TestNarrowFormats(t *testing.T) {
	to := FloatCvt{SatFinite: true}
	for _, c := range []struct {
		name string
		f    *Format
		x    float64
		want uint64
	}{
		{"e4m3 1", E4M3, 1, 0x38},
		{"e4m3 min", E4M3, 0x1p-9, 0x01},
		{"e4m3 tie to 0", E4M3, 0x1p-10, 0},
		{"e4m3 max", E4M3, 448, 0x7e},
		{"e4m3 over", E4M3, 1000, 0x7e},
		{"e4m3 -inf", E4M3, math.Inf(-1), 0xfe},
		{"e4m3 nan", E4M3, math.NaN(), 0x7f},
		{"e4m3 460", E4M3, 460, 0x7e},
		{"e5m2 1", E5M2, 1, 0x3c},
		{"e5m2 max", E5M2, 57344, 0x7b},
		{"e5m2 over", E5M2, 70000, 0x7b},
		{"e5m2 min", E5M2, -0x1p-16, 0x81},
		{"e5m2 nan", E5M2, math.NaN(), 0x7f},
		{"e3m2 1", E3M2, 1, 0x0c},
		{"e3m2 max", E3M2, 28, 0x1f},
		{"e3m2 over", E3M2, -100, 0x3f},
		{"e3m2 min", E3M2, 0x1p-4, 1},
		{"e2m3 1", E2M3, 1, 0x08},
		{"e2m3 max", E2M3, 7.5, 0x1f},
		{"e2m3 min", E2M3, 0.125, 1},
		{"e2m1 1", E2M1, 1, 2},
		{"e2m1 max", E2M1, 6, 7},
		{"e2m1 over", E2M1, 100, 7},
		{"e2m1 min", E2M1, -0.5, 9},
		{"e2m1 nan", E2M1, math.NaN(), 7},
		{"e2m1 -0", E2M1, math.Copysign(0, -1), 8},
	} {
		if got := to.Convert(F64, c.f, math.Float64bits(c.x)); got != c.want {
			t.Errorf("%s = %02x, want %02x", c.name, got, c.want)
		}
		if back := c.f.Float64(c.want); !math.IsInf(c.x, 0) && math.Abs(c.x) <= 28 && c.want != 0 && back != c.x && c.f != E2M1 && c.f != E2M3 {
			t.Errorf("%s: %02x is %v", c.name, c.want, back)
		}
	}
	for v := range uint64(0x80) { // exact there and back
		if c := (FloatCvt{SatFinite: true}); !E4M3.isNaN(v) && c.Convert(F32, E4M3, c.Convert(E4M3, F32, v)) != v {
			t.Errorf("e4m3 %02x does not survive f32", v)
		}
	}
}

func ExampleFormat_FromFloat64() {
	fmt.Printf("%#x %#x\n", F16.FromFloat64(1.0009765625, RN), F16.FromFloat64(65520, RN))
	// Output: 0x3c01 0x7c00
}
