// Rounding to any binary format.

package num

import (
	"math"
	"math/bits"
)

// Format is a binary floating-point format: of IEEE 754, with infinities and NaNs in the top exponent, or one of the
// narrow formats without infinities.
type Format struct {
	exp  uint   // exponent bits
	man  uint   // stored mantissa bits
	shl  uint   // unused low bits below the mantissa (tf32 is stored in a 32-bit word)
	NaN  uint64 // canonical NaN; the largest number if the format has no NaN
	bias int
	inf  uint64 // first magnitude above the finite ones, before shl
	ieee bool   // inf is infinity; otherwise it is NaN, or beyond the format's bits
}

func newFormat(exp, man, shl uint, nan uint64) *Format {
	return &Format{exp: exp, man: man, shl: shl, NaN: nan, bias: 1<<(exp-1) - 1, inf: (1<<exp - 1) << man, ieee: true}
}

// newFiniteFormat makes a format without infinities whose largest number is
// limit; NaN, if the format has one, follows it.
func newFiniteFormat(exp, man uint, limit, nan uint64) *Format {
	return &Format{exp: exp, man: man, NaN: nan, bias: 1<<(exp-1) - 1, inf: limit + 1}
}

// The formats.
var (
	F16  = newFormat(5, 10, 0, 0x7fff)
	BF16 = newFormat(8, 7, 0, 0x7fff)
	TF32 = newFormat(8, 10, 13, 0x7fffffff)
	F32  = newFormat(8, 23, 0, 0x7fffffff)
	F64  = newFormat(11, 52, 0, 0xfff8000000000000)

	// Alternate formats of cvt (PTX ISA, "Alternate Floating-Point Data Formats"
	// and "Packed Data Types").
	E5M2 = newFormat(5, 2, 0, 0x7f)
	E4M3 = newFiniteFormat(4, 3, 0x7e, 0x7f)
	E3M2 = newFiniteFormat(3, 2, 0x1f, 0x1f)
	E2M3 = newFiniteFormat(2, 3, 0x1f, 0x1f)
	E2M1 = newFiniteFormat(2, 1, 0x7, 0x7)
)

// Inf is the infinity of the given sign.
func (f *Format) Inf(neg bool) uint64 { return (f.sign(neg) | f.inf) << f.shl }

// MaxFinite is the largest finite number, with the given sign.
func (f *Format) MaxFinite(neg bool) uint64 { return (f.sign(neg) | f.inf - 1) << f.shl }

// One is 1.0.
func (f *Format) One() uint64 { return uint64(f.bias) << f.man << f.shl }

// signBit is the position of the sign in a stored number.
func (f *Format) signBit() uint { return f.exp + f.man + f.shl }

// negative reports whether a stored number has its sign bit set.
func (f *Format) negative(v uint64) bool { return v>>f.signBit()&1 != 0 }

// isNaN reports whether a stored number is a NaN.
func (f *Format) isNaN(v uint64) bool {
	mag := v >> f.shl & (1<<(f.exp+f.man) - 1)
	return mag > f.inf || mag == f.inf && !f.ieee
}

// isSubnormal reports whether a stored number is subnormal or zero.
func (f *Format) isSubnormal(v uint64) bool { return v>>f.shl&f.inf == 0 }

// flush replaces a subnormal stored number by zero of its sign.
func (f *Format) flush(v uint64) uint64 {
	if f.isSubnormal(v) {
		return v & (1 << f.signBit())
	}
	return v
}

func (f *Format) sign(neg bool) uint64 {
	if neg {
		return 1 << (f.exp + f.man)
	}
	return 0
}

// round rounds the number (-1)^neg * man * 2^(exp-63) to the format; man has its top bit set or is zero. Bit 0 of man
// may stand for any non-zero remainder below it ("sticky"). Overflow gives infinity or the largest finite number,
// depending on the rounding mode.
func (f *Format) round(neg bool, man uint64, exp int, m Rounding) uint64 {
	sign := f.sign(neg)
	if man == 0 {
		return sign << f.shl
	}
	drop := 63 - f.man
	biased := exp + f.bias
	if biased <= 0 { // subnormal: fewer bits are kept
		drop += uint(min(1-biased, int(f.man)+2))
		biased = 0
	}
	if biased >= 1<<f.exp {
		return (sign | f.overflow(neg, m)) << f.shl
	}
	var kept, rest, half uint64 // drop is 11 to 65
	switch {
	case drop < 64:
		kept, rest, half = man>>drop, man<<(64-drop), 1<<63
	case drop == 64:
		rest, half = man, 1<<63
	default:
		rest, half = man>>1|man&1, 1<<63
	}
	if roundsUp(neg, kept, rest, half, m) {
		kept++
	}
	v := kept
	if biased > 0 { // kept has its hidden bit, and a carry out of it increments the exponent
		v += uint64(biased-1) << f.man
	}
	if v >= f.inf {
		v = f.overflow(neg, m)
	}
	return (sign | v) << f.shl
}

// stochastic rounds x, which is not NaN. low is the next number of the format towards zero; the difference between x
// and low, in units of the last place of low and truncated to width bits, is added to the random bits, and x is rounded
// away from zero if the sum carries.
func (f *Format) stochastic(x float64, random uint64, width uint) uint64 {
	if math.IsInf(x, 0) {
		return f.FromFloat64(x, RN)
	}
	low := f.FromFloat64(x, RZ)
	exp := max(int(low>>f.shl&(1<<(f.exp+f.man)-1)>>f.man), 1)
	rest := math.Ldexp(math.Abs(x)-math.Abs(f.Float64(low)), f.bias+int(f.man)-exp+int(width)) // exact
	if uint64(rest)+random < 1<<width {
		return low
	}
	neg := math.Signbit(x)
	mag := low>>f.shl&(1<<(f.exp+f.man)-1) + 1
	if mag >= f.inf {
		mag = f.overflow(neg, RN)
	}
	return (f.sign(neg) | mag) << f.shl
}

// overflow returns the magnitude that a number beyond the range is rounded to: infinity or the largest finite number.
// Formats without infinities always saturate: cvt has them only with .satfinite.
func (f *Format) overflow(neg bool, m Rounding) uint64 {
	if !f.ieee || m == RZ || m == RM && !neg || m == RP && neg {
		return f.inf - 1
	}
	return f.inf
}

// roundsUp reports whether the magnitude is rounded away from zero, given the kept bits and the dropped rest relative
// to half a unit.
func roundsUp(neg bool, kept, rest, half uint64, m Rounding) bool {
	switch m {
	case RN:
		return rest > half || rest == half && kept&1 != 0
	case RNA:
		return rest >= half
	case RM:
		return neg && rest != 0
	case RP:
		return !neg && rest != 0
	default:
		return false
	}
}

// FromFloat64 rounds x once to the format. NaN becomes canonical.
func (f *Format) FromFloat64(x float64, m Rounding) uint64 {
	u := math.Float64bits(x)
	neg := u>>63 != 0
	frac := u & (1<<52 - 1)
	switch e := int(u >> 52 & 0x7ff); e {
	case 0x7ff:
		if frac != 0 {
			return f.NaN
		}
		return (f.sign(neg) | f.overflow(neg, RN)) << f.shl
	case 0:
		z := bits.LeadingZeros64(frac)
		return f.round(neg, frac<<(uint(z)&63), -1011-z, m)
	default:
		return f.round(neg, (1<<52|frac)<<11, e-1023, m)
	}
}

// FromInt rounds an integer to the format: v is a two's complement number when
// signed is set.
func (f *Format) FromInt(v uint64, signed bool, m Rounding) uint64 {
	neg := signed && int64(v) < 0
	if neg {
		v = -v
	}
	z := bits.LeadingZeros64(v)
	if z == 64 {
		return 0
	}
	return f.round(neg, v<<uint(z), 63-z, m)
}

// Float64 returns the exact value of a stored number of at most 32 bits. A NaN stays a NaN.
func (f *Format) Float64(v uint64) float64 {
	v >>= f.shl
	mag := v & (1<<(f.exp+f.man) - 1)
	sign := v >> (f.exp + f.man) & 1 << 63
	switch {
	case f.isNaN(v << f.shl):
		return math.NaN()
	case mag == f.inf:
		return math.Float64frombits(sign | 0x7ff<<52)
	case mag < 1<<f.man: // subnormal
		x := float64(mag) * math.Float64frombits(uint64(1023+1-f.bias-int(f.man))<<52)
		return math.Float64frombits(sign | math.Float64bits(x))
	}
	return math.Float64frombits(sign | mag<<(52-f.man) + uint64(1023-f.bias)<<52)
}

// finish applies flushing and saturation to a rounded result of the format.
func (f *Format) finish(v uint64, m Mode) uint64 {
	if m.Sat {
		v = f.Saturate(v)
	}
	if m.Ftz {
		v = f.flush(v)
	}
	return v
}

// Saturate clamps a stored number to [0, 1]; NaN and -0 become +0.
func (f *Format) Saturate(v uint64) uint64 {
	switch {
	case f.isNaN(v) || f.negative(v):
		return 0
	case v > f.One():
		return f.One()
	}
	return v
}

// Relu clamps a stored negative number to +0 and makes NaN canonical.
func (f *Format) Relu(v uint64) uint64 {
	switch {
	case f.isNaN(v):
		return f.NaN
	case f.negative(v):
		return 0
	}
	return v
}

// satFinite replaces an overflowed result by the largest finite number of its sign.
func (f *Format) satFinite(v uint64) uint64 {
	if f.ieee && (v == f.Inf(false) || v == f.Inf(true)) {
		return f.MaxFinite(f.negative(v))
	}
	return v
}
