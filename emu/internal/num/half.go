// Half-precision arithmetic, also on packed pairs.

package num

// Arithmetic on f16 and bf16 (Format F16 or BF16): computed in float64, exactly or
// rounded to odd, and rounded once.

// OOBNaN is the NaN that marks elements outside of a tensor, in f16 and bf16: the result of fma.oob is 0 if an operand
// is one (PTX ISA, fma and "Tensors"). The manual does not define its bits; arithmetic never produces these.
const OOBNaN = 0xffff

// in reads an operand of a format of at most 32 bits under a mode.
func (f *Format) in(v uint64, m Mode) float64 {
	if m.Ftz {
		v = f.flush(v)
	}
	return f.Float64(v)
}

// out rounds a result under a mode.
func (f *Format) out(x float64, m Mode) uint32 {
	return uint32(f.finish(f.FromFloat64(x, m.Round), m))
}

// Add is add on the format.
func (f *Format) Add(a, b uint32, m Mode) uint32 {
	x, y := f.in(uint64(a), m), f.in(uint64(b), m)
	return f.out(zeroSum(sumOdd(x, y), x, y, m.Round), m)
}

// Sub is sub on the format.
func (f *Format) Sub(a, b uint32, m Mode) uint32 { return f.Add(a, f.Neg(b), m) }

// Mul is mul on the format.
func (f *Format) Mul(a, b uint32, m Mode) uint32 {
	return f.out(f.in(uint64(a), m)*f.in(uint64(b), m), m)
}

// Fma is fma on the format.
func (f *Format) Fma(a, b, c uint32, m Mode) uint32 {
	p, z := float64(f.in(uint64(a), m)*f.in(uint64(b), m)), f.in(uint64(c), m)
	return f.out(zeroSum(sumOdd(p, z), p, z, m.Round), m)
}

// Neg flips the sign of a 16-bit number.
func (f *Format) Neg(a uint32) uint32 { return a ^ 1<<f.signBit() }

// Abs clears the sign of a 16-bit number.
func (f *Format) Abs(a uint32) uint32 { return a &^ (1 << f.signBit()) }

// Flush is the .ftz of an operand or result.
func (f *Format) Flush(a uint32) uint32 { return uint32(f.flush(uint64(a))) }

// Unary applies a float64 function, rounding its result to nearest.
func (f *Format) Unary(a uint32, fn func(float64) float64, ftz bool) uint32 {
	m := Mode{Ftz: ftz}
	return f.out(fn(f.in(uint64(a), m)), m)
}

// MinMax is the behaviour of a floating-point min or max.
type MinMax struct {
	Max     bool
	NaN     bool // .NaN: a NaN operand gives NaN instead of the other operand
	Abs     bool // .abs: of the magnitudes
	Xorsign bool // .xorsign.abs: of the magnitudes, with the xor of the signs
	Ftz     bool
}

// Select is min or max on the format: -0 is less than +0, and a number is preferred to a NaN unless .NaN is set.
func (mm MinMax) Select(f *Format, a, b uint64) uint64 {
	if mm.Ftz {
		a, b = f.flush(a), f.flush(b)
	}
	top := uint64(1) << f.signBit()
	var sign uint64
	if mm.Xorsign {
		sign = (a ^ b) & top
	}
	if mm.Xorsign || mm.Abs {
		a, b = a&^top, b&^top
	}
	na, nb := f.isNaN(a), f.isNaN(b)
	switch {
	case na && nb || mm.NaN && (na || nb):
		return f.NaN
	case na:
		return b | sign
	case nb:
		return a | sign
	}
	if (f.order(a) < f.order(b)) != mm.Max {
		return a | sign
	}
	return b | sign
}

// order maps numbers to integers of the same order, -0 just below +0.
func (f *Format) order(v uint64) int64 {
	if f.negative(v) {
		return -int64(v&^(1<<f.signBit())) - 1
	}
	return int64(v)
}

// Pair applies a 16-bit operation to both halves of packed operands.
func Pair(a, b uint32, op func(a, b uint32) uint32) uint32 {
	return op(a&0xffff, b&0xffff) | op(a>>16, b>>16)<<16
}

// Pair3 applies a 16-bit operation to both halves of packed operands.
func Pair3(a, b, c uint32, op func(a, b, c uint32) uint32) uint32 {
	return op(a&0xffff, b&0xffff, c&0xffff) | op(a>>16, b>>16, c>>16)<<16
}

// Property is a testp property.
type Property uint8

// Properties of testp.
const (
	Finite Property = iota
	Infinite
	Number
	NotANumber
	Normal
	Subnormal
)

// Test reports whether v, a number of format f, has the property.
func (p Property) Test(f *Format, v uint64) bool {
	mag := v &^ (1 << f.signBit())
	switch p {
	case Finite:
		return mag>>f.shl < f.inf
	case Infinite:
		return mag>>f.shl == f.inf
	case Number:
		return !f.isNaN(v)
	case NotANumber:
		return f.isNaN(v)
	case Normal:
		return !f.isSubnormal(v) && mag>>f.shl < f.inf
	default:
		return f.isSubnormal(v) && mag != 0
	}
}
