// Handlers of 64-bit arithmetic.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// bin64 returns an operation on Y0, which holds the first source, and the second source.
func bin64(f func(b Op)) func() {
	return each64(2, func(c int) {
		load64(rA, c, y0)
		f(src64(rB, c))
	})
}

func un64(f func()) func() {
	return each64(1, func(c int) {
		load64(rA, c, y0)
		f()
	})
}

// wides returns the operations with 64-bit results.
func wides() []operation {
	return append(divisions64(), scalars([]operation{
		{"Mov64", un64(nothing), false},
		{"Add64", bin64(func(b Op) { VPADDQ(b, y0, y0) }), false},
		{"Sub64", bin64(func(b Op) { VPSUBQ(b, y0, y0) }), false},
		{"Mul64", bin64(mul64), false},
		{"Mad64", each64(3, func(c int) {
			load64(rA, c, y0)
			mul64(src64(rB, c))
			VPADDQ(src64(rC, c), y0, y0)
		}), false},
		{"MulWideU32", each64(2, mulWideU), false},
		{"MulWideS32", each64(2, mulWideS), false},
		{"MadWideU32", each64(3, func(c int) { mulWideU(c); VPADDQ(src64(rC, c), y0, y0) }), false},
		{"MadWideS32", each64(3, func(c int) { mulWideS(c); VPADDQ(src64(rC, c), y0, y0) }), false},
		{"MulWideAddU32", mulWideAdd(mulWideU), false},
		{"MulWideAddS32", mulWideAdd(mulWideS), false},
		{"And64", bin64(func(b Op) { VPAND(b, y0, y0) }), false},
		{"Or64", bin64(func(b Op) { VPOR(b, y0, y0) }), false},
		{"Xor64", bin64(func(b Op) { VPXOR(b, y0, y0) }), false},
		{"Not64", un64(func() { VPXOR(all64(^uint64(0)), y0, y0) }), false},
		{"Neg64", un64(func() { VPXOR(y1, y1, y1); VPSUBQ(y0, y1, y0) }), false},
		{"Abs64", un64(func() {
			VPXOR(y1, y1, y1)
			VPSUBQ(y0, y1, y1)
			VBLENDVPD(y0, y1, y0, y0)
		}), false},
		{"MinS64", minMax64(false, false), false},
		{"MaxS64", minMax64(false, true), false},
		{"MinU64", minMax64(true, false), false},
		{"MaxU64", minMax64(true, true), false},
		{"Shl64", each64(2, func(c int) {
			widen(rB, c, y1)
			load64(rA, c, y0)
			VPSLLVQ(y1, y0, y0)
		}), false},
		{"ShrU64", each64(2, func(c int) {
			widen(rB, c, y1)
			load64(rA, c, y0)
			VPSRLVQ(y1, y0, y0)
		}), false},
		{"ShrS64", each64(2, func(c int) { // of the complement, if negative
			widen(rB, c, y1)
			load64(rA, c, y0)
			VPXOR(y2, y2, y2)
			VPCMPGTQ(y0, y2, y2)
			VPXOR(y2, y0, y0)
			VPSRLVQ(y1, y0, y0)
			VPXOR(y2, y0, y0)
		}), false},
		{"Select64", selects(8, put64, func(r Register, c int) Mem { return at(r, 32*c) }), false},
		{"Unpack64", unpack64, false},
		{"Pack64", each64(2, func(c int) {
			widen(rA, c, y0)
			widen(rB, c, y1)
			VPSLLQ(U8(32), y1, y1)
			VPOR(y1, y0, y0)
		}), false},
	})...)
}

func mulWideU(c int) {
	widen(rA, c, y0)
	widen(rB, c, y1)
	VPMULUDQ(y1, y0, y0)
}

func mulWideS(c int) {
	widenSigned(rA, c, y0)
	widenSigned(rB, c, y1)
	VPMULDQ(y1, y0, y0)
}

// mulWideAdd stores the product to D and its sum with C to E. C is not D.
func mulWideAdd(product func(c int)) func() {
	return func() {
		offsets(4)
		MOVQ(RDX, R12)
		parts(8, func(c int) {
			product(c)
			MOVQ(R12, RDX)
			put64(c, y0)
			VPADDQ(src64(rC, c), y0, y0)
			MOVQ(rE, RDX)
			put64(c, y0)
		})
	}
}

// mul64 multiplies Y0 by b: the product of the low halves, plus the sum of the mixed products in the high half.
func mul64(b Op) {
	VMOVDQU(b, y1)
	VPSRLQ(U8(32), y0, y2)
	VPSRLQ(U8(32), y1, y3)
	VPMULUDQ(y1, y2, y2)
	VPMULUDQ(y0, y3, y3)
	VPADDQ(y2, y3, y3)
	VPSLLQ(U8(32), y3, y3)
	VPMULUDQ(y0, y1, y0)
	VPADDQ(y3, y0, y0)
}

// minMax64 compares as signed; for unsigned numbers their top bits are flipped first.
func minMax64(unsigned, max bool) func() {
	return bin64(func(b Op) {
		VMOVDQU(b, y1)
		x, y := y0, y1
		if unsigned {
			VPXOR(all64(1<<63), y0, y2)
			VPXOR(all64(1<<63), y1, y3)
			x, y = y2, y3
		}
		VPCMPGTQ(y, x, y4) // x > y
		if max {
			VPBLENDVB(y4, y0, y1, y0)
		} else {
			VPBLENDVB(y4, y1, y0, y0)
		}
	})
}

// unpack64 splits A into its low half (B) and its high half (C).
func unpack64() {
	offsets(3)
	if one {
		MOVQ(lane64(rA), RAX)
		MOVL(EAX, lane32(rB))
		SHRQ(U8(32), RAX)
		MOVL(EAX, lane32(rC))
		return
	}
	parts(4, func(c int) {
		VMOVDQU(at(rA, 64*c), Y2)
		VMOVDQU(at(rA, 64*c+32), Y3)
		for _, part := range []struct {
			pick uint8
			to   GPPhysical
		}{{0x88, RBX}, {0xdd, RCX}} {
			VSHUFPS(U8(part.pick), Y3, Y2, Y0)
			VPERMQ(U8(0xd8), Y0, Y0)
			MOVQ(part.to, RDX)
			put32(c, Y0)
		}
	})
}
