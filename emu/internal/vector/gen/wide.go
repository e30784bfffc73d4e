// Handlers of 64-bit arithmetic that is made of 32-bit operations.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// bin64 is an operation on Y0, which holds the first source, and the second.
func bin64(f func(b Mem)) func() {
	return each64(2, func(c int) {
		VMOVDQU(m64(rA, c), Y0)
		f(m64(rB, c))
	})
}

func un64(f func()) func() {
	return each64(1, func(c int) {
		VMOVDQU(m64(rA, c), Y0)
		f()
	})
}

// wides is the operations with 64-bit results.
func wides() []operation {
	return []operation{
		{"Mov64", un64(nothing), false},
		{"Add64", bin64(func(b Mem) { VPADDQ(b, Y0, Y0) }), false},
		{"Sub64", bin64(func(b Mem) { VPSUBQ(b, Y0, Y0) }), false},
		{"Mul64", bin64(mul64), false},
		{"Mad64", each64(3, func(c int) {
			VMOVDQU(m64(rA, c), Y0)
			mul64(m64(rB, c))
			VPADDQ(m64(rC, c), Y0, Y0)
		}), false},
		{"MulWideU32", each64(2, mulWideU), false},
		{"MulWideS32", each64(2, mulWideS), false},
		{"MadWideU32", each64(3, func(c int) { mulWideU(c); VPADDQ(m64(rC, c), Y0, Y0) }), false},
		{"MadWideS32", each64(3, func(c int) { mulWideS(c); VPADDQ(m64(rC, c), Y0, Y0) }), false},
		{"MulWideAddU32", mulWideAdd(mulWideU), false},
		{"MulWideAddS32", mulWideAdd(mulWideS), false},
		{"And64", bin64(func(b Mem) { VPAND(b, Y0, Y0) }), false},
		{"Or64", bin64(func(b Mem) { VPOR(b, Y0, Y0) }), false},
		{"Xor64", bin64(func(b Mem) { VPXOR(b, Y0, Y0) }), false},
		{"Not64", un64(func() { VPXOR(all64(^uint64(0)), Y0, Y0) }), false},
		{"Neg64", un64(func() { VPXOR(Y1, Y1, Y1); VPSUBQ(Y0, Y1, Y0) }), false},
		{"Abs64", un64(func() {
			VPXOR(Y1, Y1, Y1)
			VPSUBQ(Y0, Y1, Y1)
			VBLENDVPD(Y0, Y1, Y0, Y0)
		}), false},
		{"MinS64", minMax64(false, false), false},
		{"MaxS64", minMax64(false, true), false},
		{"MinU64", minMax64(true, false), false},
		{"MaxU64", minMax64(true, true), false},
		{"Shl64", each64(2, func(c int) {
			VPMOVZXDQ(half(rB, c), Y1)
			VMOVDQU(m64(rA, c), Y0)
			VPSLLVQ(Y1, Y0, Y0)
		}), false},
		{"ShrU64", each64(2, func(c int) {
			VPMOVZXDQ(half(rB, c), Y1)
			VMOVDQU(m64(rA, c), Y0)
			VPSRLVQ(Y1, Y0, Y0)
		}), false},
		{"ShrS64", each64(2, func(c int) { // of the complement, when negative
			VPMOVZXDQ(half(rB, c), Y1)
			VMOVDQU(m64(rA, c), Y0)
			VPXOR(Y2, Y2, Y2)
			VPCMPGTQ(Y0, Y2, Y2)
			VPXOR(Y2, Y0, Y0)
			VPSRLVQ(Y1, Y0, Y0)
			VPXOR(Y2, Y0, Y0)
		}), false},
		{"Select64", selects(8, put64, func(r Register, c int) Mem { return at(r, 32*c) }), false},
		{"Unpack64", unpack64, false},
		{"Pack64", each64(2, func(c int) {
			VPMOVZXDQ(half(rA, c), Y0)
			VPMOVZXDQ(half(rB, c), Y1)
			VPSLLQ(U8(32), Y1, Y1)
			VPOR(Y1, Y0, Y0)
		}), false},
	}
}

func mulWideU(c int) {
	VPMOVZXDQ(half(rA, c), Y0)
	VPMOVZXDQ(half(rB, c), Y1)
	VPMULUDQ(Y1, Y0, Y0)
}

func mulWideS(c int) {
	VPMOVSXDQ(half(rA, c), Y0)
	VPMOVSXDQ(half(rB, c), Y1)
	VPMULDQ(Y1, Y0, Y0)
}

// mulWideAdd stores the product to D and its sum with C to E. C is not D.
func mulWideAdd(product func(c int)) func() {
	return func() {
		offsets(4)
		MOVQ(RDX, R12)
		parts(8, func(c int) {
			product(c)
			MOVQ(R12, RDX)
			put64(c, Y0)
			VPADDQ(m64(rC, c), Y0, Y0)
			MOVQ(rE, RDX)
			put64(c, Y0)
		})
	}
}

// mul64 multiplies Y0 by b: the product of the low halves, and above it the sum of
// the mixed products.
func mul64(b Mem) {
	VMOVDQU(b, Y1)
	VPSRLQ(U8(32), Y0, Y2)
	VPSRLQ(U8(32), Y1, Y3)
	VPMULUDQ(Y1, Y2, Y2)
	VPMULUDQ(Y0, Y3, Y3)
	VPADDQ(Y2, Y3, Y3)
	VPSLLQ(U8(32), Y3, Y3)
	VPMULUDQ(Y0, Y1, Y0)
	VPADDQ(Y3, Y0, Y0)
}

// minMax64 compares as signed; unsigned numbers have their top bit flipped for it.
func minMax64(unsigned, max bool) func() {
	return bin64(func(b Mem) {
		VMOVDQU(b, Y1)
		x, y := Y0, Y1
		if unsigned {
			VPXOR(all64(1<<63), Y0, Y2)
			VPXOR(all64(1<<63), Y1, Y3)
			x, y = Y2, Y3
		}
		VPCMPGTQ(y, x, Y4) // x > y
		if max {
			VPBLENDVB(Y4, Y0, Y1, Y0)
		} else {
			VPBLENDVB(Y4, Y1, Y0, Y0)
		}
	})
}

// unpack64 splits A into its low half, to B, and its high half, to C.
func unpack64() {
	offsets(3)
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
