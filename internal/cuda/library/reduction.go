// Reductions of NCCL, of all element types.

package library

import (
	"math"
	"slices"
)

// Reduction is a reduction, by the number of ncclRedOp_t. PreMulSum is what ncclRedOpCreatePreMulSum makes.
type Reduction uint32

// Reductions.
const (
	Sum Reduction = iota
	Prod
	Max
	Min
	Avg
	PreMulSum
	reductions
)

func (r Reduction) String() string {
	return [...]string{"sum", "prod", "max", "min", "avg", "premulsum"}[r]
}

// Valid reports whether the reduction exists.
func (r Reduction) Valid() bool { return r < reductions }

// Element is an element type, by the number of ncclDataType_t.
type Element uint32

// Element types.
const (
	ElementI8 Element = iota
	ElementU8
	ElementI32
	ElementU32
	ElementI64
	ElementU64
	ElementF16
	ElementF32
	ElementF64
	ElementBF16
	ElementE4M3
	ElementE5M2
)

// elements has the size of each element type, and how its values are computed: as integers with or without a sign, or
// in double precision.
var elements = [...]struct {
	name   string
	size   uint64
	signed func(b []byte) int64
	float  func(b []byte) float64
	put    func(b []byte, v float64)
}{
	ElementI8:   {"int8", 1, func(b []byte) int64 { return int64(int8(b[0])) }, nil, nil},
	ElementU8:   {"uint8", 1, nil, nil, nil},
	ElementI32:  {"int32", 4, func(b []byte) int64 { return int64(int32(le.Uint32(b))) }, nil, nil},
	ElementU32:  {"uint32", 4, nil, nil, nil},
	ElementI64:  {"int64", 8, func(b []byte) int64 { return int64(le.Uint64(b)) }, nil, nil},
	ElementU64:  {"uint64", 8, nil, nil, nil},
	ElementF16:  {"half", 2, nil, F16.real, F16.put},
	ElementF32:  {"float", 4, nil, F32.real, F32.put},
	ElementF64:  {"double", 8, nil, F64.real, F64.put},
	ElementBF16: {"bfloat16", 2, nil, BF16.real, BF16.put},
	ElementE4M3: {"float8e4m3", 1, nil, e4m3.real, e4m3.put},
	ElementE5M2: {"float8e5m2", 1, nil, e5m2.real, e5m2.put},
}

// Size returns the size of an element, 0 for a type that does not exist.
func (t Element) Size() uint64 {
	if int(t) >= len(elements) {
		return 0
	}
	return elements[t].size
}

func (t Element) String() string { return elements[t].name }

// Reduce combines what the ranks send, in the order of the ranks: arrays of one size. The scales are those of
// PreMulSum, an element for each rank. Numbers of floating point are computed in double precision and rounded once.
func (r Reduction) Reduce(t Element, parts, scales [][]byte) []byte {
	e := &elements[t]
	switch {
	case e.float != nil:
		return reduce(r, t.Size(), parts, scales, e.float, e.put)
	case e.signed != nil:
		return reduce(r, t.Size(), parts, scales, e.signed, func(b []byte, v int64) { putWord(b, uint64(v)) })
	}
	return reduce(r, t.Size(), parts, scales, word, putWord)
}

// word decodes an integer without a sign of as many bytes as there are.
func word(b []byte) (v uint64) {
	for i, x := range b {
		v |= uint64(x) << (8 * i)
	}
	return v
}

func putWord(b []byte, v uint64) {
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
}

// arithmetic is what reductions compute in.
type arithmetic interface{ int64 | uint64 | float64 }

// reduce combines arrays of elements of a size, which get decodes and put encodes.
func reduce[T arithmetic](
	r Reduction, size uint64, parts, scales [][]byte, get func(b []byte) T, put func(b []byte, v T),
) []byte {
	out := make([]byte, len(parts[0]))
	scale := make([]T, len(parts))
	for i := range scale {
		if scale[i] = 1; r == PreMulSum {
			scale[i] = get(scales[i][:size])
		}
	}
	combine := combiner[T](r)
	for at := uint64(0); at < uint64(len(out)); at += size {
		v := get(parts[0][at:][:size]) * scale[0]
		for i, p := range parts[1:] {
			v = combine(v, get(p[at:][:size])*scale[i+1])
		}
		if r == Avg {
			v /= T(len(parts))
		}
		put(out[at:][:size], v)
	}
	return out
}

// combiner returns the function by which a reduction combines two values. As with fmin and fmax, the least and the
// greatest of a number and NaN is the number.
func combiner[T arithmetic](r Reduction) func(a, b T) T {
	switch r {
	case Prod:
		return func(a, b T) T { return a * b }
	case Max:
		return func(a, b T) T { return preferred(a, b, b > a) }
	case Min:
		return func(a, b T) T { return preferred(a, b, b < a) }
	}
	return func(a, b T) T { return a + b }
}

// preferred returns the second value if it is preferred, or if the first is NaN, else the first.
func preferred[T arithmetic](a, b T, second bool) T {
	if second || a != a {
		return b
	}
	return a
}

// float8 is a format of 8 bits, with the values of its finite positive codes (OCP 8-bit Floating Point Specification).
type float8 struct {
	mantissa int
	infinite bool
	values   []float64
}

var (
	e4m3 = newFloat8(3, false)
	e5m2 = newFloat8(2, true)
)

func newFloat8(mantissa int, infinite bool) *float8 {
	f := &float8{mantissa: mantissa, infinite: infinite}
	bias, finite := 1<<(6-mantissa)-1, 0x7f
	if infinite {
		finite = 0x7c
	}
	for code := range finite {
		exponent, fraction := code>>mantissa, float64(code&(1<<mantissa-1))
		if exponent > 0 {
			fraction += math.Ldexp(1, mantissa)
		}
		f.values = append(f.values, math.Ldexp(fraction, max(exponent, 1)-bias-mantissa))
	}
	return f
}

// real decodes a number.
func (f *float8) real(b []byte) float64 {
	code, sign := int(b[0]&0x7f), 1-2*float64(b[0]>>7)
	switch {
	case code < len(f.values):
		return sign * f.values[code]
	case f.infinite && code == len(f.values):
		return math.Inf(int(sign))
	}
	return math.NaN()
}

// put encodes a number, rounded to the nearest, with ties to even, and never beyond the finite numbers.
func (f *float8) put(b []byte, v float64) {
	if b[0] = 0x7f; math.IsNaN(v) {
		return
	}
	sign := byte(math.Float64bits(v) >> 63 << 7)
	v = math.Abs(v)
	i, _ := slices.BinarySearch(f.values, v)
	if i == len(f.values) {
		i--
	} else if i > 0 {
		below, above := v-f.values[i-1], f.values[i]-v
		if below < above || below == above && i%2 == 1 {
			i--
		}
	}
	b[0] = sign | byte(i)
}
