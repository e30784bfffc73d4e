// Element types: their numbers in CUDA, and conversion to and from double precision.

package library

import (
	"encoding/binary"
	"math"
)

// Type is an element type, by the number of cudaDataType (CUDA Library Samples, library_types.h).
type Type uint32

// Element types.
const (
	F32  Type = 0
	F64  Type = 1
	F16  Type = 2
	I8   Type = 3
	C32  Type = 4 // two of F32
	C64  Type = 5 // two of F64
	U8   Type = 8
	U32  Type = 12
	I32  Type = 10
	BF16 Type = 14
)

// letters are the types by the letters in names of functions.
var letters = map[byte]Type{'s': F32, 'd': F64, 'c': C32, 'z': C64, 'h': F16}

// Part returns the type of the real and the imaginary part.
func (t Type) Part() Type {
	switch t {
	case C32:
		return F32
	case C64:
		return F64
	}
	return t
}

func (t Type) isComplex() bool { return t != t.Part() }

// Size returns the size of an element in bytes, 0 for a type that is not supported.
func (t Type) Size() int {
	switch t {
	case I8, U8:
		return 1
	case F16, BF16:
		return 2
	case F32, I32, U32:
		return 4
	case F64, C32:
		return 8
	case C64:
		return 16
	}
	return 0
}

var le = binary.LittleEndian

// real decodes one real number.
func (t Type) real(b []byte) float64 {
	switch t {
	case F32:
		return float64(math.Float32frombits(le.Uint32(b)))
	case F64:
		return math.Float64frombits(le.Uint64(b))
	case F16:
		return widen(le.Uint16(b), halfMantissa)
	case BF16:
		return float64(math.Float32frombits(uint32(le.Uint16(b)) << 16))
	case I32:
		return float64(int32(le.Uint32(b)))
	case U32:
		return float64(le.Uint32(b))
	case I8:
		return float64(int8(b[0]))
	}
	return float64(b[0])
}

// put encodes one real number, rounded to the nearest.
func (t Type) put(b []byte, v float64) {
	switch t {
	case F32:
		le.PutUint32(b, math.Float32bits(float32(v)))
	case F64:
		le.PutUint64(b, math.Float64bits(v))
	case F16:
		le.PutUint16(b, narrow(v, halfMantissa))
	case BF16:
		le.PutUint16(b, narrow(v, bfloatMantissa))
	case I32:
		le.PutUint32(b, uint32(int32(saturated(v, math.MinInt32, math.MaxInt32))))
	case U32:
		le.PutUint32(b, uint32(saturated(v, 0, math.MaxUint32)))
	case I8:
		b[0] = byte(int8(saturated(v, math.MinInt8, math.MaxInt8)))
	default:
		b[0] = byte(saturated(v, 0, math.MaxUint8))
	}
}

func saturated(v, least, most float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(math.RoundToEven(v), least), most)
}

// Bits of the mantissa in the formats of 16 bits.
const (
	halfMantissa   = 10
	bfloatMantissa = 7
)

// widen decodes a format of 16 bits with so many bits of mantissa (IEEE 754-2019, section 3.4).
func widen(b uint16, mantissa int) float64 {
	bias := 1<<(14-mantissa) - 1
	exponent, fraction := int(b>>mantissa)&(2*bias+1), float64(b&(1<<mantissa-1))
	sign := 1 - 2*float64(b>>15)
	switch {
	case exponent == 2*bias+1 && fraction != 0:
		return math.NaN()
	case exponent == 2*bias+1:
		return math.Inf(int(sign))
	case exponent == 0:
		return sign * math.Ldexp(fraction, 1-bias-mantissa)
	}
	return sign * math.Ldexp(fraction+math.Ldexp(1, mantissa), exponent-bias-mantissa)
}

// narrow rounds a number to such a format, to the nearest and ties to even.
func narrow(v float64, mantissa int) uint16 {
	bias := 1<<(14-mantissa) - 1
	infinite := uint16(2*bias+1) << mantissa
	sign := uint16(math.Float64bits(v)>>63) << 15
	v = math.Abs(v)
	switch {
	case math.IsNaN(v):
		return infinite | 1<<(mantissa-1)
	case v == 0:
		return sign
	}
	_, exponent := math.Frexp(min(v, math.MaxFloat64)) // v is in [0.5, 1) times 2 to the exponent
	exponent = max(exponent-1, 1-bias)
	steps := math.RoundToEven(math.Ldexp(v, mantissa-exponent))
	if steps >= math.Ldexp(1, mantissa+1) {
		steps, exponent = steps/2, exponent+1
	}
	switch {
	case exponent > bias:
		return sign | infinite
	case steps < math.Ldexp(1, mantissa): // subnormal
		return sign | uint16(steps)
	}
	return sign | uint16(exponent+bias)<<mantissa | uint16(steps)&(1<<mantissa-1)
}

// number is what is computed in.
type number interface{ float64 | complex128 }

// decode converts elements of a type.
func decode[T number](t Type, b []byte, out []T) {
	size, part := t.Size(), t.Part()
	switch out := any(out).(type) {
	case []float64:
		for i := range out {
			out[i] = part.real(b[i*size:])
		}
	case []complex128:
		for i := range out {
			im := 0.0
			if part != t {
				im = part.real(b[i*size+part.Size():])
			}
			out[i] = complex(part.real(b[i*size:]), im)
		}
	}
}

// encode converts to elements of a type.
func encode[T number](t Type, in []T, b []byte) {
	size, part := t.Size(), t.Part()
	switch in := any(in).(type) {
	case []float64:
		for i, v := range in {
			part.put(b[i*size:], v)
		}
	case []complex128:
		for i, v := range in {
			part.put(b[i*size:], real(v))
			if part != t {
				part.put(b[i*size+part.Size():], imag(v))
			}
		}
	}
}

// conjugate conjugates numbers in place.
func conjugate[T number](list []T) []T {
	if z, ok := any(list).([]complex128); ok {
		for i, v := range z {
			z[i] = complex(real(v), -imag(v))
		}
	}
	return list
}

// of converts a number to T.
func of[T number](v complex128) (out T) {
	switch p := any(&out).(type) {
	case *float64:
		*p = real(v)
	case *complex128:
		*p = v
	}
	return out
}

// parts returns the real and the imaginary part.
func parts[T number](v T) (re, im float64) {
	switch v := any(v).(type) {
	case float64:
		return v, 0
	case complex128:
		return real(v), imag(v)
	}
	return 0, 0
}
