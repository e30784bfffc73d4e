// Numbers of launch files: exact values, ranges, and the bytes of an element.

package launch

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// Number is a number as written in a launch file: an integer of up to 64 bits
// with a sign, or a floating-point number.
type Number struct {
	neg   bool
	mag   uint64 // magnitude of an integer
	float bool   // f holds the value: the text had a point or an exponent, or was inf or nan
	f     float64
}

// Int returns the Number of an integer.
func Int(v int64) Number {
	if v < 0 {
		return Number{neg: true, mag: -uint64(v)}
	}
	return Number{mag: uint64(v)}
}

// Float returns the Number of a floating-point value.
func Float(v float64) Number { return Number{float: true, f: v} }

// NumberOf returns the Number of a Go value; ok reports whether the value is a number.
func NumberOf(v any) (n Number, ok bool) {
	switch x := reflect.ValueOf(v); {
	case !x.IsValid():
		return n, false
	case x.CanInt():
		return Int(x.Int()), true
	case x.CanUint():
		return Number{mag: x.Uint()}, true
	case x.CanFloat():
		return Float(x.Float()), true
	}
	return n, false
}

// ParseNumber parses an integer (decimal, 0x, 0o, 0b), or a floating-point number, inf or nan with an optional sign and
// YAML's optional point.
func ParseNumber(s string) (Number, error) {
	body, neg := strings.CutPrefix(s, "-")
	if !neg {
		body = strings.TrimPrefix(s, "+")
	}
	if body == "" || body[0] == '-' || body[0] == '+' {
		return Number{}, fmt.Errorf("%q is not a number", s)
	}
	if u, err := strconv.ParseUint(body, 0, 64); err == nil {
		if neg && u > 1<<63 {
			return Number{}, fmt.Errorf("%s does not fit 64 bits", s)
		}
		return Number{neg: neg && u != 0, mag: u}, nil
	} else if isDigits(body) {
		return Number{}, fmt.Errorf("%s does not fit 64 bits", s)
	}
	var f float64
	switch strings.TrimPrefix(strings.ToLower(body), ".") {
	case "inf":
		f = math.Inf(1)
	case "nan":
		f = math.NaN()
	default:
		var err error
		if f, err = strconv.ParseFloat(body, 64); err != nil {
			return Number{}, fmt.Errorf("%q is not a number of 64 bits", s)
		}
	}
	if neg {
		f = -f
	}
	return Float(f), nil
}

func isDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// String returns the number in decimal.
func (n Number) String() string {
	switch {
	case n.float:
		return strconv.FormatFloat(n.f, 'g', -1, 64)
	case n.neg:
		return "-" + strconv.FormatUint(n.mag, 10)
	}
	return strconv.FormatUint(n.mag, 10)
}

// Float64 returns the number rounded to float64.
func (n Number) Float64() float64 {
	switch {
	case n.float:
		return n.f
	case n.neg:
		return -float64(n.mag)
	}
	return float64(n.mag)
}

// zero reports whether every type encodes n as zero bytes.
func (n Number) zero() bool {
	return n.mag == 0 && math.Float64bits(n.f) == 0
}

// integral returns n as an integer, if it has no fraction: 1e3 is the integer 1000.
func (n Number) integral() (Number, bool) {
	if !n.float {
		return n, true
	}
	if n.f != math.Trunc(n.f) || math.Abs(n.f) >= 1<<63 {
		return n, false
	}
	return Int(int64(n.f)), true
}

// Append appends n in little-endian order as a value of type t. A floating-point
// number given for an untyped 16, 32 or 64-bit type is stored as IEEE bits of that
// width. It is an error when an integer type cannot hold n exactly, or when a
// finite n overflows a floating-point type.
func (n Number) Append(dst []byte, t Type) ([]byte, error) {
	fact := typeFacts[t]
	if fact.kind == kindFloat {
		return n.appendFloat(dst, t)
	}
	if fact.kind == kindBits && n.float && fact.size > 1 {
		return n.appendFloat(dst, map[int]Type{2: F16, 4: F32, 8: F64}[fact.size])
	}
	i, ok := n.integral()
	if !ok {
		return nil, fmt.Errorf("%s is not an integer, as %s needs", n, t)
	}
	if lo, hi := intRange(t); i.neg && i.mag > lo || !i.neg && i.mag > hi {
		return nil, fmt.Errorf("%s does not fit %s (%s to %d)", n, t, Number{neg: lo > 0, mag: lo}, hi)
	}
	v := i.mag
	if i.neg {
		v = -v
	}
	return appendUint(dst, v, fact.size), nil
}

// intRange returns the magnitude of the smallest value and the largest value of an integer type. Untyped bits include
// both the signed and the unsigned range.
func intRange(t Type) (lo, hi uint64) {
	bits := 8 * t.Size()
	switch typeFacts[t].kind {
	case kindUnsigned:
		return 0, 1<<bits - 1
	case kindSigned:
		return 1 << (bits - 1), 1<<(bits-1) - 1
	default:
	}
	return 1 << (bits - 1), 1<<bits - 1
}

func (n Number) appendFloat(dst []byte, t Type) ([]byte, error) {
	f := n.Float64()
	var bits uint64
	var inf bool
	switch t {
	case F64:
		bits = math.Float64bits(f)
	case F32:
		g := float32(f)
		bits, inf = uint64(math.Float32bits(g)), math.IsInf(float64(g), 0)
	case F16:
		bits = roundFloat(f, 5, 10)
		inf = bits&0x7fff == 0x7c00
	case BF16:
		bits = roundFloat(f, 8, 7)
		inf = bits&0x7fff == 0x7f80
	default:
		panic("BUG: launch: " + t.String() + " is not a floating-point type")
	}
	if inf && !math.IsInf(f, 0) {
		return nil, fmt.Errorf("%s is too large for %s", n, t)
	}
	return appendUint(dst, bits, t.Size()), nil
}

func appendUint(dst []byte, v uint64, size int) []byte {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], v)
	return append(dst, b[:size]...)
}

// roundFloat rounds f to a binary format with the given exponent and fraction
// bits, to nearest with ties to even (IEEE 754 §4.3.1), and returns its bits.
func roundFloat(f float64, expBits, fracBits int) uint64 {
	sign := uint64(0)
	if math.Signbit(f) {
		sign = 1 << (expBits + fracBits)
	}
	maxExp := 1<<expBits - 1
	bias := maxExp >> 1
	infinity := sign | uint64(maxExp)<<fracBits
	switch a := math.Abs(f); {
	case a != a:
		return infinity | 1<<(fracBits-1)
	case a == 0:
		return sign
	case math.IsInf(a, 0):
		return infinity
	default:
		_, e := math.Frexp(a) // a = m * 2^e, m in [0.5, 1)
		e = max(e-1, 1-bias)  // exponent of the leading bit, or of subnormals
		// Scaling by a power of two is exact here: the result has at most 53 bits.
		units := uint64(math.RoundToEven(math.Ldexp(a, fracBits-e)))
		bits := uint64(e+bias-1)<<fracBits + units // the implicit bit carries into the exponent
		if bits >= uint64(maxExp)<<fracBits {
			return infinity
		}
		return sign | bits
	}
}

// decodeFloat returns the value of the bits of a floating-point type.
func decodeFloat(bits uint64, t Type) float64 {
	switch t {
	case F64:
		return math.Float64frombits(bits)
	case F32:
		return float64(math.Float32frombits(uint32(bits)))
	case BF16:
		return float64(math.Float32frombits(uint32(bits) << 16))
	default:
	}
	exp, frac := int(bits>>10&31), float64(bits&1023)
	v := math.Ldexp(1+frac/1024, exp-15)
	switch {
	case exp == 31 && frac != 0:
		v = math.NaN()
	case exp == 31:
		v = math.Inf(1)
	case exp == 0:
		v = math.Ldexp(frac, -24)
	}
	if bits>>15&1 != 0 {
		v = -v
	}
	return v
}

// FormatHex returns the bits of the value of type t stored in p, in hexadecimal.
func (t Type) FormatHex(p []byte) string {
	var b [8]byte
	copy(b[:], p[:t.Size()])
	return fmt.Sprintf("0x%0*x", 2*t.Size(), binary.LittleEndian.Uint64(b[:]))
}

// Format formats the value of type t stored in p, for people.
func (t Type) Format(p []byte) string {
	var b [8]byte
	copy(b[:], p[:t.Size()])
	u := binary.LittleEndian.Uint64(b[:])
	switch typeFacts[t].kind {
	case kindFloat:
		bits := 64
		if t != F64 {
			bits = 32
		}
		return strconv.FormatFloat(decodeFloat(u, t), 'g', -1, bits)
	case kindSigned:
		shift := 64 - 8*t.Size()
		return strconv.FormatInt(int64(u<<shift)>>shift, 10)
	default:
	}
	return strconv.FormatUint(u, 10)
}

// BigInt returns the number if it is an integer.
func (n Number) BigInt() (*big.Int, bool) {
	i, ok := n.integral()
	if !ok || n.float {
		return nil, false
	}
	v := new(big.Int).SetUint64(i.mag)
	if i.neg {
		v.Neg(v)
	}
	return v, true
}
