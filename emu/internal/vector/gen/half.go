// Handlers of f16 and bf16.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// nearest is VCVTPS2PH's rounding to nearest, independent of the processor's rounding mode.
const nearest = 0

// halfFloats returns arithmetic on f16 and bf16, rounded to nearest, and their conversions from and to f32. Single
// numbers use the handlers of pairs: their upper half is 0, and each operation on zeros except negation gives +0.
//
// Sums, differences and products of two such numbers are rounded from f32, which has more than twice as many bits, so
// that they are rounded correctly. A fused multiply-add is rounded to odd first (roundToOdd32, roundToOdd64).
func halfFloats() []operation {
	add := func() { VADDPS(Y1, Y0, Y0) }
	sub := func() { VSUBPS(Y1, Y0, Y0) }
	low, high := func() { minMax32(false) }, func() { minMax32(true) }
	return severals([]operation{
		{"AddF16", f16s(2, add), false},
		{"SubF16", f16s(2, sub), false},
		{"MulF16", f16s(2, func() { VMULPS(Y1, Y0, Y0) }), false},
		{"FmaF16", f16s(3, fmaOfF16), false},
		{"MinF16", f16s(2, low), false},
		{"MaxF16", f16s(2, high), false},
		{"AbsHalves", un32(func() { VPAND(all32(0x7fff7fff), Y0, Y0) }), false},
		{"NegHalf", un32(func() { VPXOR(all32(0x8000), Y0, Y0) }), false},
		{"NegHalves", un32(func() { VPXOR(all32(0x80008000), Y0, Y0) }), false},
		{"AddBF16", bf16s(2, add), false},
		{"SubBF16", bf16s(2, sub), false},
		{"MulBF16", bf16s(2, func() { VMOVDQU(all32(1<<31), Y2); fmaOfBF16() }), false},
		{"FmaBF16", bf16s(3, fmaOfBF16), false},
		{"MinBF16", bf16s(2, low), false},
		{"MaxBF16", bf16s(2, high), false},
		{"F32FromF16", un32(func() {
			VPACKUSDW(Y0, Y0, Y0)
			VPERMQ(U8(0x08), Y0, Y0)
			VCVTPH2PS(X0, Y0)
			canonical32()
		}), false},
		{"F32FromBF16", un32(func() { VPSLLD(U8(16), Y0, Y0); canonical32() }), false},
		{"F16FromF32", un32(toF16), false},
		{"BF16FromF32", un32(func() { roundBF16(); VPSRLD(U8(16), Y0, Y0) }), false},
		{"F16x2FromF32", pairOf(toF16), false},
		{"BF16x2FromF32", pairOf(func() { roundBF16(); VPSRLD(U8(16), Y0, Y0) }), false},
	})
}

// f16s returns an operation on Y0, Y1 and Y2, which hold the sources as f32: eight consecutive numbers. It keeps Y5 and
// Y6.
func f16s(n int, f func()) func() {
	return each32(n, func(c int) {
		twice(func(h int, x VecPhysical) {
			for i := range n {
				VCVTPH2PS(at(sources[i], 32*c+16*h), []VecPhysical{Y0, Y1, Y2}[i])
			}
			f()
			canonical32()
			VCVTPS2PH(U8(nearest), Y0, x)
		})
	})
}

// bf16s returns an operation on Y0, Y1 and Y2, which hold the sources as f32: the lower numbers of eight lanes, then
// the upper ones. It keeps Y5 and Y6.
func bf16s(n int, f func()) func() {
	return loop32(n, func() {
		for _, upper := range []bool{false, true} {
			for i := range n {
				y := []VecPhysical{Y0, Y1, Y2}[i]
				VMOVDQU(at(sources[i], 0), y)
				if upper {
					VPAND(all32(0xffff0000), y, y)
				} else {
					VPSLLD(U8(16), y, y)
				}
			}
			f()
			roundBF16()
			if !upper {
				VPSRLD(U8(16), Y0, Y5)
			}
		}
		VPOR(Y5, Y0, Y0)
	})
}

// pairOf combines to pairs the numbers that narrow makes from Y0, those of the second source below those of the first.
func pairOf(narrow func()) func() {
	return each32(2, func(c int) {
		VMOVDQU(m32(rB, c), Y0)
		narrow()
		VMOVDQU(Y0, Y5)
		VMOVDQU(m32(rA, c), Y0)
		narrow()
		VPSLLD(U8(16), Y0, Y0)
		VPOR(Y5, Y0, Y0)
	})
}

// toF16 rounds Y0 to f16, each in 32 bits.
func toF16() {
	canonical32()
	VCVTPS2PH(U8(nearest), Y0, X0)
	VPMOVZXWD(X0, Y0)
}

// roundBF16 rounds the f32 values in Y0 to bf16, to nearest even. Each bf16 is left in the upper 16 bits of its f32,
// and every NaN becomes the canonical NaN.
func roundBF16() {
	VCMPPS(U8(cmpNan), Y0, Y0, Y3)
	VPSRLD(U8(16), Y0, Y4)
	VPAND(all32(1), Y4, Y4)
	VPADDD(all32(0x7fff), Y4, Y4)
	VPADDD(Y4, Y0, Y0)
	VPAND(all32(0xffff0000), Y0, Y0)
	VBLENDVPS(Y3, all32(nan32&0xffff0000), Y0, Y0)
}

// fmaOfF16 computes Y0*Y1+Y2, rounded to odd. The product of two f16 is exact in f32, and so is the rounding error of
// the sum.
func fmaOfF16() {
	VMULPS(Y1, Y0, Y0)
	VADDPS(Y2, Y0, Y3)
	lost(VSUBPS, VADDPS)
	VXORPS(Y4, Y4, Y4)
	VCMPPS(U8(cmpNe), Y4, Y7, Y8)
	VPXOR(Y3, Y7, Y7)
	VPSRAD(U8(31), Y7, Y7)
	VPOR(all32(1), Y7, Y7) // towards the exact sum
	VPAND(Y8, Y7, Y7)
	VPAND(all32(1), Y3, Y9)
	VPCMPEQD(Y4, Y9, Y9)
	VPAND(Y9, Y7, Y7)
	VPADDD(Y7, Y3, Y0)
}

// lost sets Y7 to the rounding error of the sum Y3 of Y0 and Y2, NaN when the sum is infinite or NaN (Knuth, The Art of
// Computer Programming, volume 2, section 4.2.2, theorem B).
func lost(sub, add func(...Op)) {
	sub(Y0, Y3, Y4)
	sub(Y4, Y3, Y7)
	sub(Y7, Y0, Y7)
	sub(Y4, Y2, Y8)
	add(Y8, Y7, Y7)
}

// fmaOfBF16 computes Y0*Y1+Y2, rounded to odd. The product of two bf16 is exact in f64; the sum is rounded to odd
// there, and then in f32.
func fmaOfBF16() {
	VMOVDQU(Y0, Y10)
	VMOVDQU(Y1, Y11)
	VMOVDQU(Y2, Y12)
	for half, x := range []VecPhysical{X6, X13} {
		for i, y := range []VecPhysical{Y10, Y11, Y12} {
			VEXTRACTF128(U8(uint8(half)), y, X4)
			VCVTPS2PD(X4, []VecPhysical{Y0, Y1, Y2}[i])
		}
		VMULPD(Y1, Y0, Y0)
		VADDPD(Y2, Y0, Y3)
		lost(VSUBPD, VADDPD)
		VMOVDQU(Y3, Y8)
		towards()
		VPADDQ(Y7, Y3, Y3)
		VCVTPD2PSY(Y3, X0)
		VCVTPS2PD(X0, Y7)
		VSUBPD(Y7, Y3, Y7)
		VPMOVSXDQ(X0, Y8)
		towards()
		VPADDQ(Y7, Y8, Y0)
		lows(Y0, x)
	}
	VINSERTF128(U8(1), X13, Y6, Y0)
}

// towards replaces the rounding error of Y3, in Y7, by the value that makes the representation in Y8 odd when added to
// it: 1 or -1, or 0 where the result is exact or odd already. It keeps Y3 and Y8.
func towards() {
	VXORPD(Y4, Y4, Y4)
	VCMPPD(U8(cmpNe), Y4, Y7, Y9)
	VPXOR(Y3, Y7, Y7)
	VPSRLQ(U8(63), Y7, Y7)
	VPADDQ(Y7, Y7, Y7)
	VMOVDQU(all64(1), Y1)
	VPSUBQ(Y7, Y1, Y7)
	VPAND(Y9, Y7, Y7)
	VPAND(Y8, Y1, Y1)
	VPCMPEQQ(Y4, Y1, Y1)
	VPAND(Y1, Y7, Y7)
}
