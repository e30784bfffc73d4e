// Bit operations: shifts, counts, fields, permutations.

package num

import "math/bits"

// Shf is shf.l and shf.r: the 64-bit number b:a shifted, by n modulo 32 or
// clamped to 32; the upper (left) or lower (right) half of the result.
func Shf(a, b, n uint32, left, wrap bool) uint32 {
	if wrap {
		n &= 31
	}
	n = min(n, 32)
	v := uint64(b)<<32 | uint64(a)
	if left {
		return uint32(v << n >> 32)
	}
	return uint32(v >> n)
}

// Popc32 is popc.b32.
func Popc32(a uint32) uint32 { return uint32(bits.OnesCount32(a)) }

// Popc64 is popc.b64.
func Popc64(a uint64) uint32 { return uint32(bits.OnesCount64(a)) }

// Clz32 is clz.b32.
func Clz32(a uint32) uint32 { return uint32(bits.LeadingZeros32(a)) }

// Clz64 is clz.b64.
func Clz64(a uint64) uint32 { return uint32(bits.LeadingZeros64(a)) }

// Brev32 is brev.b32.
func Brev32(a uint32) uint32 { return bits.Reverse32(a) }

// Brev64 is brev.b64.
func Brev64(a uint64) uint64 { return bits.Reverse64(a) }

// Cnot is cnot: 1 for zero, 0 otherwise.
func Cnot[T uint16 | uint32 | uint64](a T) T { return one[T](a == 0) }

// Bfind is bfind: the position of the most significant bit that is not a sign
// bit, all ones when there is none; with shiftamt, how far to shift left to bring
// it to the top. v is extended to 64 bits by its type.
func Bfind(v uint64, width int, signed, shiftamt bool) uint32 {
	if signed && int64(v) < 0 {
		v = ^v
	}
	if v == 0 {
		return 0xffffffff
	}
	lz := leading(v, width)
	if shiftamt {
		return uint32(lz)
	}
	return uint32(width - 1 - lz)
}

// Fns is fns: the position of the n-th set bit of mask, counting from base
// upwards (n > 0) or downwards (n < 0); for n = 0 base itself when set. All ones
// when there is none.
func Fns(mask, base uint32, n int32) uint32 {
	const none = 0xffffffff
	if base > 31 {
		return none
	}
	if n == 0 {
		if mask>>base&1 != 0 {
			return base
		}
		return none
	}
	step, left := 1, int64(n)
	if n < 0 {
		step, left = -1, -left
	}
	for pos := int(base); pos >= 0 && pos < 32; pos += step {
		if mask>>pos&1 == 0 {
			continue
		}
		if left--; left == 0 {
			return uint32(pos)
		}
	}
	return none
}

// Bfe32 is bfe.u32 and bfe.s32: the field of c&0xff bits at b&0xff, extended with its
// top bit when signed (bits above the operand count as its own top bit).
func Bfe32(a, b, c uint32, signed bool) uint32 {
	if signed {
		return uint32(bfe(uint64(int64(int32(a))), b, c, 32, true))
	}
	return uint32(bfe(uint64(a), b, c, 32, false))
}

// Bfe64 is bfe.u64 and bfe.s64.
func Bfe64(a uint64, b, c uint32, signed bool) uint64 { return bfe(a, b, c, 64, signed) }

func bfe(a uint64, b, c, width uint32, signed bool) uint64 {
	pos, n := b&0xff, c&0xff
	if n == 0 {
		return 0
	}
	if !signed {
		return a >> pos & (1<<n - 1)
	}
	if pos+n >= width { // the field reaches the top: the sign fills the rest
		return uint64(int64(a) >> pos)
	}
	return uint64(int64(a<<(64-pos-n)) >> (64 - n))
}

// Bfi32 is bfi.b32: a inserted into b at position c&0xff, d&0xff bits long.
func Bfi32(a, b, c, d uint32) uint32 {
	pos, n := c&0xff, d&0xff
	mask := uint32(1<<n-1) << pos
	return b&^mask | a<<pos&mask
}

// Bfi64 is bfi.b64.
func Bfi64(a, b uint64, c, d uint32) uint64 {
	pos, n := c&0xff, d&0xff
	mask := uint64(1<<n-1) << pos
	return b&^mask | a<<pos&mask
}

// Bmsk is bmsk: b one bits from position a on. Both are taken modulo 32, or with
// clamp a position or width of 32 and more reaches beyond the word.
func Bmsk(a, b uint32, clamp bool) uint32 {
	if !clamp {
		a, b = a&31, b&31
	}
	a, b = min(a, 32), min(b, 32)
	return uint32((uint64(1)<<b - 1) << a)
}

// Szext is szext: the low b bits of a, sign- or zero-extended.
func Szext(a, b uint32, signed, clamp bool) uint32 {
	if clamp && b >= 32 {
		return a
	}
	if b &= 31; b == 0 {
		return 0
	}
	if signed {
		return uint32(int32(a<<(32-b)) >> (32 - b))
	}
	return a << (32 - b) >> (32 - b)
}

// Lop3 is lop3: the bitwise function of three inputs with truth table lut, the
// index being a*4 + b*2 + c.
func Lop3(a, b, c, lut uint32) uint32 {
	row := func(i int) uint32 { // the table's entries for a:b = i, chosen by c
		no, yes := -(lut >> (2 * i) & 1), -(lut >> (2*i + 1) & 1)
		return no ^ c&(no^yes)
	}
	r0, r1, r2, r3 := row(0), row(1), row(2), row(3)
	lo, hi := r0^b&(r0^r1), r2^b&(r2^r3)
	return lo ^ a&(lo^hi)
}

// PrmtMode is a mode of prmt.
type PrmtMode uint8

// Modes of prmt.
const (
	PrmtIndex PrmtMode = iota // four selectors in c
	PrmtF4E
	PrmtB4E
	PrmtRC8
	PrmtECL
	PrmtECR
	PrmtRC16
)

var prmtNames = map[string]PrmtMode{
	"": PrmtIndex, "f4e": PrmtF4E, "b4e": PrmtB4E, "rc8": PrmtRC8, "ecl": PrmtECL, "ecr": PrmtECR, "rc16": PrmtRC16,
}

// PrmtOf returns the mode spelled s, "" being the default mode.
func PrmtOf(s string) (PrmtMode, bool) { m, ok := prmtNames[s]; return m, ok }

// prmtSelectors holds, by mode and c&3, the equivalent selectors (PTX ISA, prmt, table of modes).
var prmtSelectors = [...][4]uint32{
	PrmtF4E:  {0x3210, 0x4321, 0x5432, 0x6543},
	PrmtB4E:  {0x5670, 0x6701, 0x7012, 0x0123},
	PrmtRC8:  {0x0000, 0x1111, 0x2222, 0x3333},
	PrmtECL:  {0x3210, 0x3211, 0x3222, 0x3333},
	PrmtECR:  {0x0000, 0x1110, 0x2210, 0x3210},
	PrmtRC16: {0x1010, 0x3232, 0x1010, 0x3232},
}

// Prmt is prmt: each byte of the result is selected from the eight bytes b:a by a selector of four bits, whose top bit
// selects the byte's sign instead.
func Prmt(a, b, c uint32, mode PrmtMode) uint32 {
	if mode != PrmtIndex {
		c = prmtSelectors[mode][c&3]
	}
	v := uint64(b)<<32 | uint64(a)
	var d uint32
	for i := range 4 {
		sel := c >> (4 * i)
		x := uint32(v>>(8*(sel&7))) & 0xff
		if sel&8 != 0 {
			x = -(x >> 7) & 0xff
		}
		d |= x << (8 * i)
	}
	return d
}
