// Handlers of logic, shifts and bit-field operations.

package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// bitFields returns the operations on fields of 32-bit values. Shifts by 32 and more give zero, as the processor's do.
func bitFields() []operation {
	return scalars([]operation{
		{"BfeU32", each32(3, func(c int) {
			fieldStart(c, func(n, a Op) { VPSRLVD(n, a, y0) })
			VMOVDQU(all32(1), y2)
			VPSLLVD(y1, y2, y2)
			VPSUBD(all32(1), y2, y2)
			VPAND(y2, y0, y0)
		}), false},
		{"BfeS32", each32(3, func(c int) {
			fieldStart(c, func(n, a Op) { VPSRAVD(n, a, y0) })
			VMOVDQU(all32(32), y2)
			VPSUBD(y1, y2, y2)
			VPXOR(y3, y3, y3)
			VPMAXSD(y3, y2, y2)
			VPSLLVD(y2, y0, y0)
			VPSRAVD(y2, y0, y0)
		}), false},
		{"Bfi32", each32(4, bfi), false},
		{"ShfLeftWrap", funnel(true, true), false},
		{"ShfLeftClamp", funnel(true, false), false},
		{"ShfRightWrap", funnel(false, true), false},
		{"ShfRightClamp", funnel(false, false), false},
		{"AndOr32", logic3(func(b, c Op) { VPAND(b, y0, y0); VPOR(c, y0, y0) }), false},
		{"NotAndOr32", logic3(func(b, c Op) { VPANDN(b, y0, y0); VPOR(c, y0, y0) }), false},
		{"XorAnd32", logic3(func(b, c Op) { VPXOR(b, y0, y0); VPAND(c, y0, y0) }), false},
		{"XorOr32", logic3(func(b, c Op) { VPXOR(b, y0, y0); VPOR(c, y0, y0) }), false},
		{"OrOr32", logic3(func(b, c Op) { VPOR(b, y0, y0); VPOR(c, y0, y0) }), false},
		{"Popc32", un32(counts), false},
		{"Brev32", un32(reverse), false},
		{"Permute", each32(3, permute), false},
		{"Lop3", lop3, false},
		{"DivU32", divide(false, false), false},
		{"RemU32", divide(false, true), false},
		{"DivS32", divide(true, false), false},
		{"RemS32", divide(true, true), false},
	})
}

// fieldStart shifts A right by the low byte of B; Y1 becomes the low byte of C.
func fieldStart(c int, shift func(n, a Op)) {
	VMOVDQU(all32(0xff), y2)
	VPAND(src32(rB, c), y2, y1)
	load32(rA, c, y0)
	shift(y1, y0)
	VPAND(src32(rC, c), y2, y1)
}

// bfi inserts A into B at the low byte of C, as many bits as the low byte of E.
func bfi(c int) {
	VMOVDQU(all32(0xff), y5)
	VPAND(src32(rC, c), y5, y1)
	VPAND(src32(rE, c), y5, y2)
	VMOVDQU(all32(1), y3)
	VPSLLVD(y2, y3, y3)
	VPSUBD(all32(1), y3, y3)
	VPSLLVD(y1, y3, y3) // the field
	load32(rA, c, y0)
	VPSLLVD(y1, y0, y0)
	VPAND(y3, y0, y0)
	VPANDN(src32(rB, c), y3, y3)
	VPOR(y3, y0, y0)
}

// funnel shifts the 64-bit number B:A by C.
func funnel(left, wrap bool) func() {
	return each32(3, func(c int) {
		load32(rC, c, y2)
		if wrap {
			VPAND(all32(31), y2, y2)
		} else {
			VPMINUD(all32(32), y2, y2)
		}
		VMOVDQU(all32(32), y3)
		VPSUBD(y2, y3, y3)
		load32(rA, c, y0)
		load32(rB, c, y1)
		if left {
			VPSLLVD(y2, y1, y1)
			VPSRLVD(y3, y0, y0)
		} else {
			VPSLLVD(y3, y1, y1)
			VPSRLVD(y2, y0, y0)
		}
		VPOR(y1, y0, y0)
	})
}

// logic3 returns a function of lop3 with a separate handler: f computes it from Y0, which holds A, and from B and C.
func logic3(f func(b, c Op)) func() {
	return each32(3, func(c int) {
		load32(rA, c, y0)
		f(src32(rB, c), src32(rC, c))
	})
}

// lop3 computes the function of three bits with the truth table Imm, indexed by a*4 + b*2 + c: a tree of selections,
// whose leaves are rows of the table for c: no ^ c&(no^yes).
func lop3() {
	offsets(3)
	MOVQ(in(inImm), R12)
	x := []VecPhysical{X4, X5, X6, X7, X8, X9, X10, X11}
	y := []VecPhysical{Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11}
	if one {
		y = x
	}
	for i := range 8 { // y[i]: no of row i/2, or no^yes of it
		MOVL(R12L, R13L)
		if i%2 == 1 {
			SHRL(U8(1), R13L)
			XORL(R12L, R13L)
			SHRL(U8(2), R12L)
		}
		ANDL(Imm(1), R13L)
		NEGL(R13L)
		VMOVD(R13L, x[i])
		VPBROADCASTD(x[i], y[i])
	}
	parts(4, func(c int) {
		load32(rC, c, y3)
		row := func(i int, d VecPhysical) {
			VPAND(y[2*i+1], y3, d)
			VPXOR(y[2*i], d, d)
		}
		choose := func(m Op, no, yes VecPhysical) { // no ^ m&(no^yes), to no
			VPXOR(no, yes, yes)
			VPAND(m, yes, yes)
			VPXOR(yes, no, no)
		}
		row(0, y0)
		row(1, y1)
		choose(src32(rB, c), y0, y1)
		row(2, y1)
		row(3, y2)
		choose(src32(rB, c), y1, y2)
		choose(src32(rA, c), y0, y1)
		put32(c, y0)
	})
}

// counts computes the number of ones in each 32-bit value: the sum of those of its half bytes, from a table.
func counts() {
	lookUpHalfBytes(nibbles())
	VPADDB(y2, y0, y0)
	VPMADDUBSW(all32(0x01010101), y0, y0)
	VPMADDWD(all32(0x00010001), y0, y0)
}

// lookUpHalfBytes sets each byte of Y2 to the table entry for the low half of the byte of Y0, and Y0 to the entry for
// the high half.
func lookUpHalfBytes(table Mem) {
	VMOVDQU(all32(0x0f0f0f0f), y1)
	VPAND(y1, y0, y2)
	VPSRLW(U8(4), y0, y0)
	VPAND(y1, y0, y0)
	VMOVDQU(table, y3)
	VPSHUFB(y2, y3, y2)
	VPSHUFB(y0, y3, y0)
}

// nibbles is the table of the numbers of ones in 0 to 15, twice.
func nibbles() Mem {
	return constant("nibbles", 32, func(i int) { DATA(i, U8(bits.OnesCount(uint(i%16)))) })
}

// reverse reverses the bits of each 32-bit value: the order of its bytes, and the bits of each byte by table.
func reverse() {
	VPSHUFB(bytesReversed(), y0, y0)
	lookUpHalfBytes(nibblesReversed())
	VPSLLW(U8(4), y2, y2)
	VPOR(y2, y0, y0)
}

func bytesReversed() Mem {
	return constant("bytesReversed", 32, func(i int) { DATA(i, U8(i%16^3)) })
}

// nibblesReversed is the table of 0 to 15 with their four bits reversed, twice.
func nibblesReversed() Mem {
	return constant("nibblesReversed", 32, func(i int) { DATA(i, U8(bits.Reverse8(uint8(i%16))>>4)) })
}

// divide computes the quotient or the remainder with doubles. The truncated quotient of doubles is that of 32-bit
// numbers, because its relative distance from the next integer away from zero is at least 2^-32. Added to integral, it
// is in the low bits of the double, modulo 2^32 as the quotient of -2^31 and -1. Division by zero gives all ones as
// quotient, and the dividend as remainder.
func divide(signed, remainder bool) func() {
	double, integral := doubleOfU32, uint64(0x4330000000000000) // 2^52
	if signed {
		double = func(r Register, c int) { VCVTDQ2PD(halfOf(r, c), y0) }
		integral = 0x4338000000000000 // and 2^51
	}
	return each32(2, func(c int) {
		narrowed(c, func(c int) {
			double(rA, c)
			VMOVAPD(y0, y7)
			double(rB, c)
			VDIVPD(y0, y7, y0)
			VROUNDPD(U8(towardsZero), y0, y0)
			VADDPD(all64(integral), y0, y0)
		})
		load32(rB, c, y1)
		VPXOR(y2, y2, y2)
		VPCMPEQD(y1, y2, y2)
		VPOR(y2, y0, y0)
		if remainder { // of the dividend minus the product, which is 0 for a divisor of 0
			VPMULLD(y1, y0, y0)
			load32(rA, c, y1)
			VPSUBD(y0, y1, y0)
		}
	})
}

// permute selects bytes of the number B:A by the selectors in C, whose top bits select the sign of the byte. The index
// of a byte of A is that in its 32-bit value; bytes of B are looked up separately.
func permute(c int) {
	load32(rC, c, y1)
	VPSHUFB(lowPairs(), y1, y1) // bytes 0 0 1 1 of each value
	VPSRLD(U8(4), y1, y2)
	VPBLENDVB(oddBytes(), y2, y1, y1)
	VPAND(all32(0x0f0f0f0f), y1, y1) // a selector in each byte
	VPAND(all32(0x03030303), y1, y2)
	VPADDB(firstBytes(), y2, y2)
	load32(rA, c, y0)
	VPSHUFB(y2, y0, y0)
	load32(rB, c, y3)
	VPSHUFB(y2, y3, y3)
	VPSLLD(U8(5), y1, y4) // bit 2 to the top
	VPBLENDVB(y4, y3, y0, y0)
	VPXOR(y3, y3, y3)
	VPCMPGTB(y0, y3, y3)  // all ones where negative
	VPSLLD(U8(4), y1, y4) // bit 3 to the top
	VPBLENDVB(y4, y3, y0, y0)
}

// lowPairs duplicates the two low bytes of each 32-bit value.
func lowPairs() Mem {
	return constant("lowPairs", 32, func(i int) { DATA(i, U8(i%16&^3|i%4/2)) })
}

// oddBytes has the top bit of every second byte set.
func oddBytes() VecPhysical {
	VMOVDQU(all32(0x80008000), y5)
	return y5
}

// firstBytes has, for each byte, the index within its half of the vector of the first byte of its 32-bit value.
func firstBytes() Mem {
	return constant("firstBytes", 32, func(i int) { DATA(i, U8(i%16&^3)) })
}
