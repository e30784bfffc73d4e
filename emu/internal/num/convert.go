// Conversions between number formats.

package num

import (
	"math"
	"math/bits"
)

// Int is an integer type: 8 to 64 bits.
type Int struct {
	Bits   uint
	Signed bool
}

// Extend returns the 64-bit two's complement value of the type's bits in v.
func (t Int) Extend(v uint64) uint64 {
	s := 64 - t.Bits
	if t.Signed {
		return uint64(int64(v<<s) >> s)
	}
	return v << s >> s
}

// Min returns the smallest number of the type, in 64-bit two's complement.
func (t Int) Min() uint64 {
	if t.Signed {
		return -(1 << (t.Bits - 1))
	}
	return 0
}

// Max returns the largest number of the type.
func (t Int) Max() uint64 {
	if t.Signed {
		return 1<<(t.Bits-1) - 1
	}
	return ^uint64(0) >> (64 - t.Bits)
}

// Convert is cvt between integer types: v is extended from type t, clamped to the range of the target if sat is set,
// else truncated to it, and extended to 64 bits according to the target.
func (t Int) Convert(v uint64, to Int, sat bool) uint64 {
	v = t.Extend(v)
	if sat {
		return t.clamp(v, to)
	}
	return to.Extend(v)
}

// clamp clamps the extended number v of type t to the range of the target.
func (t Int) clamp(v uint64, to Int) uint64 {
	if t.Signed && int64(v) < 0 {
		if !to.Signed {
			return 0
		}
		return uint64(max(int64(v), int64(to.Min())))
	}
	return min(v, to.Max())
}

// FromFloat is cvt from a floating-point number to the integer type: rounded to an integer in the given direction and
// clamped to the type's range. NaN gives 0; if the source is f64 or the target has 64 bits, it gives the number with
// only the type's top bit set (PTX ISA, cvt).
func (t Int) FromFloat(f *Format, v uint64, r Rounding, ftz bool) uint64 {
	if f.isNaN(v) {
		if f == F64 || t.Bits == 64 {
			return t.Extend(1 << (t.Bits - 1))
		}
		return 0
	}
	if ftz {
		v = f.flush(v)
	}
	x := f64(v)
	if f != F64 {
		x = f.Float64(v)
	}
	x = Integral(x, r)
	if t.Signed {
		return t.fromSigned(x)
	}
	switch {
	case x <= 0:
		return 0
	case x >= float64(t.Max()): // Max rounds up to 2^Bits for 64 bits
		return t.Max()
	case x >= 1<<63:
		return uint64(int64(x-1<<63)) | 1<<63
	}
	return uint64(int64(x))
}

func (t Int) fromSigned(x float64) uint64 {
	switch {
	case x <= float64(int64(t.Min())):
		return t.Min()
	case x >= float64(t.Max()):
		return t.Max()
	}
	return uint64(int64(x))
}

// Integral rounds to an integral floating-point number: .rni, .rzi, .rmi, .rpi.
func Integral(x float64, r Rounding) float64 {
	switch r {
	case RN:
		return math.RoundToEven(x)
	case RZ:
		return math.Trunc(x)
	case RM:
		return math.Floor(x)
	case RP:
		return math.Ceil(x)
	default:
		return math.Round(x)
	}
}

// FloatCvt is the mode of a conversion between floating-point types.
type FloatCvt struct {
	Mode
	Integral  bool // round to an integral number first
	Relu      bool // clamp negative results to 0, NaN is canonical
	SatFinite bool // clamp to the largest finite number
}

// Convert is cvt between floating-point types.
func (c FloatCvt) Convert(from, to *Format, v uint64) uint64 {
	if c.Ftz && (from == F32 || from == TF32) {
		v = from.flush(v)
	}
	x := f64(v)
	if from != F64 {
		x = from.Float64(v)
	}
	return c.FromFloat64(to, x)
}

// FromFloat64 converts a number that is already a float64.
func (c FloatCvt) FromFloat64(to *Format, x float64) uint64 {
	if x != x {
		if c.Sat {
			return 0
		}
		return to.NaN
	}
	if c.Integral {
		x = Integral(x, c.Round)
	}
	return c.finish(to, to.FromFloat64(x, c.Round))
}

// Stochastic converts a number with .rs: random bits, of the given width, are added to the discarded bits of the
// mantissa, and the number is rounded away from zero if the sum carries (PTX ISA, cvt). The random bits are aligned
// with the uppermost of the discarded ones.
func (c FloatCvt) Stochastic(to *Format, x float64, random uint64, width uint) uint64 {
	if x != x {
		return to.NaN
	}
	return c.finish(to, to.stochastic(x, random, width))
}

// finish applies the steps after rounding.
func (c FloatCvt) finish(to *Format, r uint64) uint64 {
	if c.SatFinite {
		r = to.satFinite(r)
	}
	if c.Relu && to.negative(r) {
		r = 0
	}
	if c.Sat {
		r = to.Saturate(r)
	}
	if c.Ftz && to == F32 {
		r = to.flush(r)
	}
	return r
}

// Pack is cvt.pack: a and b, read as s32, are clamped to type t and packed with a above b; for types under 16 bits the
// low bits of c fill the bits above them.
func (t Int) Pack(a, b, c uint32) uint32 {
	s32 := Int{32, true}
	one := uint64(1)<<t.Bits - 1
	hi := uint32(s32.Convert(uint64(a), t, true) & one)
	lo := uint32(s32.Convert(uint64(b), t, true) & one)
	d := hi<<t.Bits | lo
	if t.Bits < 16 {
		d |= c << (2 * t.Bits)
	}
	return d
}

// leading returns the number of zero bits above the leading one of a number of the given width.
func leading(v uint64, width int) int { return bits.LeadingZeros64(v) - (64 - width) }
