package main

import (
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
	for c := range 4 {
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
	}
}
