// Handlers of logic, shifts and operations on bit fields.

package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// bitFields is the operations on fields of 32-bit values. Shifts by 32 and more give
// zero, as the processor's do.
func bitFields() []operation {
	return []operation{
		{"BfeU32", each32(3, func(c int) {
			fieldStart(c, func(n, a Op) { VPSRLVD(n, a, Y0) })
			VMOVDQU(all32(1), Y2)
			VPSLLVD(Y1, Y2, Y2)
			VPSUBD(all32(1), Y2, Y2)
			VPAND(Y2, Y0, Y0)
		}), false},
		{"BfeS32", each32(3, func(c int) {
			fieldStart(c, func(n, a Op) { VPSRAVD(n, a, Y0) })
			VMOVDQU(all32(32), Y2)
			VPSUBD(Y1, Y2, Y2)
			VPXOR(Y3, Y3, Y3)
			VPMAXSD(Y3, Y2, Y2)
			VPSLLVD(Y2, Y0, Y0)
			VPSRAVD(Y2, Y0, Y0)
		}), false},
		{"Bfi32", each32(4, bfi), false},
		{"ShfLeftWrap", funnel(true, true), false},
		{"ShfLeftClamp", funnel(true, false), false},
		{"ShfRightWrap", funnel(false, true), false},
		{"ShfRightClamp", funnel(false, false), false},
		{"Lop3", lop3, false},
		{"AndOr32", logic3(func(b, c Mem) { VPAND(b, Y0, Y0); VPOR(c, Y0, Y0) }), false},
		{"NotAndOr32", logic3(func(b, c Mem) { VPANDN(b, Y0, Y0); VPOR(c, Y0, Y0) }), false},
		{"XorAnd32", logic3(func(b, c Mem) { VPXOR(b, Y0, Y0); VPAND(c, Y0, Y0) }), false},
		{"XorOr32", logic3(func(b, c Mem) { VPXOR(b, Y0, Y0); VPOR(c, Y0, Y0) }), false},
		{"OrOr32", logic3(func(b, c Mem) { VPOR(b, Y0, Y0); VPOR(c, Y0, Y0) }), false},
		{"Popc32", un32(counts), false},
		{"Brev32", un32(reverse), false},
		{"DivU32", divide(false), false},
		{"RemU32", divide(true), false},
		{"Permute", each32(3, permute), false},
	}
}

// fieldStart shifts A right by the low byte of B; Y1 becomes the low byte of C.
func fieldStart(c int, shift func(n, a Op)) {
	VMOVDQU(all32(0xff), Y2)
	VPAND(m32(rB, c), Y2, Y1)
	VMOVDQU(m32(rA, c), Y0)
	shift(Y1, Y0)
	VPAND(m32(rC, c), Y2, Y1)
}

// bfi inserts A into B at the low byte of C, as many bits as the low byte of E.
func bfi(c int) {
	VMOVDQU(all32(0xff), Y5)
	VPAND(m32(rC, c), Y5, Y1)
	VPAND(m32(rE, c), Y5, Y2)
	VMOVDQU(all32(1), Y3)
	VPSLLVD(Y2, Y3, Y3)
	VPSUBD(all32(1), Y3, Y3)
	VPSLLVD(Y1, Y3, Y3) // the field
	VMOVDQU(m32(rA, c), Y0)
	VPSLLVD(Y1, Y0, Y0)
	VPAND(Y3, Y0, Y0)
	VPANDN(m32(rB, c), Y3, Y3)
	VPOR(Y3, Y0, Y0)
}

// funnel shifts the 64-bit number B:A by C.
func funnel(left, wrap bool) func() {
	return each32(3, func(c int) {
		VMOVDQU(m32(rC, c), Y2)
		if wrap {
			VPAND(all32(31), Y2, Y2)
		} else {
			VPMINUD(all32(32), Y2, Y2)
		}
		VMOVDQU(all32(32), Y3)
		VPSUBD(Y2, Y3, Y3)
		VMOVDQU(m32(rA, c), Y0)
		VMOVDQU(m32(rB, c), Y1)
		if left {
			VPSLLVD(Y2, Y1, Y1)
			VPSRLVD(Y3, Y0, Y0)
		} else {
			VPSLLVD(Y3, Y1, Y1)
			VPSRLVD(Y2, Y0, Y0)
		}
		VPOR(Y1, Y0, Y0)
	})
}

// logic3 is one of the functions of lop3 that have a handler of their own: of Y0, which holds A, and
// of B and C.
func logic3(f func(b, c Mem)) func() {
	return each32(3, func(c int) {
		VMOVDQU(m32(rA, c), Y0)
		f(m32(rB, c), m32(rC, c))
	})
}

// lop3 is the function of three bits whose truth table is Imm, at a*4 + b*2 + c: a
// tree of choices, whose leaves are rows of the table for c: no ^ c&(no^yes).
func lop3() {
	offsets(3)
	MOVQ(in(inImm), R12)
	y := []VecPhysical{Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11}
	x := []VecPhysical{X4, X5, X6, X7, X8, X9, X10, X11}
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
		VMOVDQU(m32(rC, c), Y3)
		row := func(i int, d VecPhysical) {
			VPAND(y[2*i+1], Y3, d)
			VPXOR(y[2*i], d, d)
		}
		choose := func(m Mem, no, yes VecPhysical) { // no ^ m&(no^yes), to no
			VPXOR(no, yes, yes)
			VPAND(m, yes, yes)
			VPXOR(yes, no, no)
		}
		row(0, Y0)
		row(1, Y1)
		choose(m32(rB, c), Y0, Y1)
		row(2, Y1)
		row(3, Y2)
		choose(m32(rB, c), Y1, Y2)
		choose(m32(rA, c), Y0, Y1)
		put32(c, Y0)
	})
}

// counts is the number of ones in each 32-bit value: of its half bytes by table, added
// up.
func counts() {
	VMOVDQU(all32(0x0f0f0f0f), Y1)
	VPAND(Y1, Y0, Y2)
	VPSRLW(U8(4), Y0, Y0)
	VPAND(Y1, Y0, Y0)
	VMOVDQU(nibbles(), Y3)
	VPSHUFB(Y2, Y3, Y2)
	VPSHUFB(Y0, Y3, Y0)
	VPADDB(Y2, Y0, Y0)
	VPMADDUBSW(all32(0x01010101), Y0, Y0)
	VPMADDWD(all32(0x00010001), Y0, Y0)
}

// nibbles is the number of ones of 0 to 15, twice.
func nibbles() Mem {
	return constant("nibbles", 32, func(i int) { DATA(i, U8(bits.OnesCount(uint(i%16)))) })
}

// reverse reverses the bits of each 32-bit value: its bytes, and the bits of each by
// table.
func reverse() {
	VPSHUFB(bytesReversed(), Y0, Y0)
	VMOVDQU(all32(0x0f0f0f0f), Y1)
	VPAND(Y1, Y0, Y2)
	VPSRLW(U8(4), Y0, Y0)
	VPAND(Y1, Y0, Y0)
	VMOVDQU(nibblesReversed(), Y3)
	VPSHUFB(Y2, Y3, Y2)
	VPSHUFB(Y0, Y3, Y0)
	VPSLLW(U8(4), Y2, Y2)
	VPOR(Y2, Y0, Y0)
}

func bytesReversed() Mem {
	return constant("bytesReversed", 32, func(i int) { DATA(i, U8(i%16^3)) })
}

// nibblesReversed is 0 to 15 with their four bits reversed, twice.
func nibblesReversed() Mem {
	return constant("nibblesReversed", 32, func(i int) { DATA(i, U8(bits.Reverse8(uint8(i%16))>>4)) })
}

// divide is the quotient, or the remainder, of unsigned values by way of doubles, whose
// quotient is that of 32-bit numbers when truncated: it lies at least 2^-32 of itself
// below the next integer. Division by zero gives all ones, and leaves the dividend.
func divide(remainder bool) func() {
	return each32(2, func(c int) {
		twice(func(h int, x VecPhysical) {
			doubleOfU32(2*c + h)
			VMOVAPD(Y0, Y7)
			VPMOVZXDQ(half(rB, 2*c+h), Y0)
			VPOR(all64(0x4330000000000000), Y0, Y0)
			VSUBPD(all64(0x4330000000000000), Y0, Y0)
			VDIVPD(Y0, Y7, Y0)
			VROUNDPD(U8(3), Y0, Y0)
			VADDPD(all64(0x4330000000000000), Y0, Y0)
			lows(Y0, x)
		})
		VMOVDQU(m32(rB, c), Y1)
		VPXOR(Y2, Y2, Y2)
		VPCMPEQD(Y1, Y2, Y2)
		VPOR(Y2, Y0, Y0)
		if remainder { // of the dividend, less the product, which is 0 for a divisor of 0
			VPMULLD(Y1, Y0, Y0)
			VMOVDQU(m32(rA, c), Y1)
			VPSUBD(Y0, Y1, Y0)
		}
	})
}

// permute picks bytes of the number B:A by the selectors in C, whose top bits ask for
// the sign of the byte. A byte of A has the number of the byte in its 32-bit value, and
// those of B are looked up apart.
func permute(c int) {
	VMOVDQU(m32(rC, c), Y1)
	VPSHUFB(lowPairs(), Y1, Y1) // bytes 0 0 1 1 of each value
	VPSRLD(U8(4), Y1, Y2)
	VPBLENDVB(oddBytes(), Y2, Y1, Y1)
	VPAND(all32(0x0f0f0f0f), Y1, Y1) // a selector in each byte
	VPAND(all32(0x03030303), Y1, Y2)
	VPADDB(firstBytes(), Y2, Y2)
	VMOVDQU(m32(rA, c), Y0)
	VPSHUFB(Y2, Y0, Y0)
	VMOVDQU(m32(rB, c), Y3)
	VPSHUFB(Y2, Y3, Y3)
	VPSLLD(U8(5), Y1, Y4) // bit 2 to the top
	VPBLENDVB(Y4, Y3, Y0, Y0)
	VPXOR(Y3, Y3, Y3)
	VPCMPGTB(Y0, Y3, Y3)  // all ones where negative
	VPSLLD(U8(4), Y1, Y4) // bit 3 to the top
	VPBLENDVB(Y4, Y3, Y0, Y0)
}

// lowPairs doubles the two low bytes of each 32-bit value.
func lowPairs() Mem {
	return constant("lowPairs", 32, func(i int) { DATA(i, U8(i%16&^3|i%4/2)) })
}

// oddBytes has the top bit of every other byte set.
func oddBytes() VecPhysical {
	VMOVDQU(all32(0x80008000), Y5)
	return Y5
}

// firstBytes is the number, within its half of the vector, of the first byte of the
// 32-bit value that a byte belongs to.
func firstBytes() Mem {
	return constant("firstBytes", 32, func(i int) { DATA(i, U8(i%16&^3)) })
}
