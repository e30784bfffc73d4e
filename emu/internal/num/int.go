// Integer arithmetic.

package num

import "math/bits"

// Integer is a machine integer of a PTX instruction type.
type Integer interface {
	~int16 | ~int32 | ~int64 | ~uint16 | ~uint32 | ~uint64
}

// Div is div: division by zero gives all ones.
func Div[T Integer](a, b T) T {
	if b == 0 {
		return ^T(0)
	}
	return a / b
}

// Rem is rem: the remainder of a division by zero is the dividend.
func Rem[T Integer](a, b T) T {
	if b == 0 {
		return a
	}
	return a % b
}

// Abs is abs of a signed number; that of the most negative number is the number itself.
func Abs[T Integer](a T) T {
	if a < 0 {
		return -a
	}
	return a
}

// Sad is sad: c plus the absolute difference of a and b.
func Sad[T Integer](a, b, c T) T {
	if a < b {
		return c + (b - a)
	}
	return c + (a - b)
}

// MulHiU16 is mul.hi.u16.
func MulHiU16(a, b uint16) uint16 { return uint16(uint32(a) * uint32(b) >> 16) }

// MulHiS16 is mul.hi.s16.
func MulHiS16(a, b int16) int16 { return int16(int32(a) * int32(b) >> 16) }

// MulHiU32 is mul.hi.u32.
func MulHiU32(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }

// MulHiS32 is mul.hi.s32.
func MulHiS32(a, b int32) int32 { return int32(int64(a) * int64(b) >> 32) }

// MulHiU64 is mul.hi.u64.
func MulHiU64(a, b uint64) uint64 { hi, _ := bits.Mul64(a, b); return hi }

// MulHiS64 is mul.hi.s64.
func MulHiS64(a, b int64) int64 {
	hi, _ := bits.Mul64(uint64(a), uint64(b))
	return int64(hi) - b&(a>>63) - a&(b>>63)
}

// SatS32 clamps a 64-bit sum to s32.
func SatS32(v int64) int32 { return int32(max(-1<<31, min(1<<31-1, v))) }

// Packed applies an operation to the elements, of the given number of bits, of two packed integers. With sat a result
// is the nearest number that an element can hold, else its low bits.
func Packed(a, b uint32, bits int, signed, sat bool, op func(a, b int64) int64) uint32 {
	low, high := int64(0), int64(1)<<bits-1
	if signed {
		low, high = -1<<(bits-1), 1<<(bits-1)-1
	}
	element := func(v uint32, at int) int64 {
		if up := 32 - bits; signed {
			return int64(int32(v<<(up-at)) >> up)
		}
		return int64(v>>at) & (1<<bits - 1)
	}
	out := uint32(0)
	for at := 0; at < 32; at += bits {
		r := op(element(a, at), element(b, at))
		if sat {
			r = max(low, min(high, r))
		}
		out |= uint32(r) & (1<<bits - 1) << at
	}
	return out
}

// SatU32 clamps a 64-bit sum to u32.
func SatU32(v int64) uint32 { return uint32(max(0, min(1<<32-1, v))) }

// Low24 is the 24-bit operand of mul24 and mad24, sign-extended when signed.
func Low24(v uint32, signed bool) int64 {
	if signed {
		return int64(int32(v<<8) >> 8)
	}
	return int64(v & 0xffffff)
}

// Mul24 is mul24: the low 32 bits of the 48-bit product, or its high 32 (hi).
func Mul24(a, b uint32, signed, hi bool) uint32 {
	p := Low24(a, signed) * Low24(b, signed)
	if hi {
		p >>= 16
	}
	return uint32(p)
}

// Add32 is one 32-bit step of a carry chain.
func Add32(a, b uint32, carry bool) (uint32, bool) {
	s, c := bits.Add32(a, b, one[uint32](carry))
	return s, c != 0
}

// Add64 is one 64-bit step of a carry chain.
func Add64(a, b uint64, carry bool) (uint64, bool) {
	s, c := bits.Add64(a, b, one[uint64](carry))
	return s, c != 0
}

// Sub32 is one 32-bit step of a borrow chain.
func Sub32(a, b uint32, borrow bool) (uint32, bool) {
	s, c := bits.Sub32(a, b, one[uint32](borrow))
	return s, c != 0
}

// Sub64 is one 64-bit step of a borrow chain.
func Sub64(a, b uint64, borrow bool) (uint64, bool) {
	s, c := bits.Sub64(a, b, one[uint64](borrow))
	return s, c != 0
}

func one[T Integer](b bool) T {
	if b {
		return 1
	}
	return 0
}

// Dp4a is dp4a: c plus the dot product of four bytes of a and b.
func Dp4a(a, b, c uint32, signedA, signedB bool) uint32 {
	for i := range 4 {
		s := 8 * i
		c += byteOf(a>>s, signedA) * byteOf(b>>s, signedB)
	}
	return c
}

// Dp2a is dp2a: c plus the products of the two halfwords of a with two bytes of
// b, the low two or the high two.
func Dp2a(a, b, c uint32, signedA, signedB, hi bool) uint32 {
	if hi {
		b >>= 16
	}
	for i := range 2 {
		h := a >> (16 * i) & 0xffff
		if signedA {
			h = uint32(int32(int16(h)))
		}
		c += h * byteOf(b>>(8*i), signedB)
	}
	return c
}

// byteOf extends the low byte of v to 32 bits.
func byteOf(v uint32, signed bool) uint32 {
	if signed {
		return uint32(int32(int8(v)))
	}
	return v & 0xff
}

// Clmad returns the upper or lower 64 bits of the carry-less product of a and b (PTX ISA, "clmad").
func Clmad(a, b uint64, hi bool) uint64 {
	var low, high uint64
	for i := range 64 {
		if b>>i&1 != 0 {
			low ^= a << i
			high ^= a >> 1 >> (63 - i)
		}
	}
	if hi {
		return high
	}
	return low
}
