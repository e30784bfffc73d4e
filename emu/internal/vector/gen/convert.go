// Handlers of conversions.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// conversions is those between widths and between integers and floating-point
// numbers. NaN results are canonical; PTX ISA, cvt, says what integer a NaN gives.
func conversions() []operation {
	return []operation{
		{"Extend", each64(1, func(c int) { VPMOVZXDQ(half(rA, c), Y0) }), false},
		{"ExtendSigned", each64(1, func(c int) { VPMOVSXDQ(half(rA, c), Y0) }), false},
		{"Truncate", each32(1, truncate), false},
		{"Truncate16", each32(1, func(c int) { truncate(c); low16() }), false},
		{"F32FromS32", each32(1, func(c int) { VCVTDQ2PS(m32(rA, c), Y0) }), false},
		{"F32FromU32", each32(1, func(c int) {
			twice(func(h int, x VecPhysical) {
				doubleOfU32(2*c + h)
				VCVTPD2PSY(Y0, x)
			})
		}), false},
		{"F64FromS32", each64(1, func(c int) { VCVTDQ2PD(half(rA, c), Y0) }), false},
		{"F64FromU32", each64(1, doubleOfU32), false},
		{"F64FromF32", each64(1, func(c int) { VCVTPS2PD(half(rA, c), Y0); canonical64() }), false},
		{"F32FromF64", each32(1, func(c int) {
			twice(func(h int, x VecPhysical) { VCVTPD2PSY(at(rA, 64*c+32*h), x) })
			canonical32()
		}), false},
		{"F32FromU8", un32(func() { VPAND(all32(0xff), Y0, Y0); VCVTDQ2PS(Y0, Y0) }), false},
		{"F32FromS8", un32(func() { VPSLLD(U8(24), Y0, Y0); VPSRAD(U8(24), Y0, Y0); VCVTDQ2PS(Y0, Y0) }), false},
		{"F32FromS16", un32(func() { VPSLLD(U8(16), Y0, Y0); VPSRAD(U8(16), Y0, Y0); VCVTDQ2PS(Y0, Y0) }), false},
		{"S32FromF32", signedOf(towardsZero), false},
		{"S32FromF32Even", signedOf(toEven), false},
		{"S32FromF32Down", signedOf(downwards), false},
		{"S32FromF32Up", signedOf(upwards), false},
		{"U32FromF32", unsignedOf(towardsZero), false},
		{"U32FromF32Even", unsignedOf(toEven), false},
		{"U32FromF32Down", unsignedOf(downwards), false},
		{"U32FromF32Up", unsignedOf(upwards), false},
		{"RoundEven", round(toEven), false},
		{"RoundDown", round(downwards), false},
		{"RoundUp", round(upwards), false},
		{"RoundZero", round(towardsZero), false},
	}
}

// Rounding to integral values, as VROUNDPS and VROUNDPD have it.
const (
	toEven = iota
	downwards
	upwards
	towardsZero
)

// signedOf converts f32 to s32.
func signedOf(mode int) func() {
	return each32(1, func(c int) {
		VMOVDQU(m32(rA, c), Y1)
		if mode != towardsZero {
			VROUNDPS(U8(uint8(mode)), Y1, Y1)
		}
		VCVTTPS2DQ(Y1, Y0)
		VCMPPS(U8(cmpGe), all32(0x4f000000), Y1, Y2) // from 2^31 on: the largest
		VPXOR(Y2, Y0, Y0)
		VCMPPS(U8(cmpNum), Y1, Y1, Y2)
		VPAND(Y2, Y0, Y0)
	})
}

// unsignedOf converts f32 to u32.
func unsignedOf(mode int) func() {
	return each32(1, func(c int) {
		twice(func(h int, x VecPhysical) {
			VCVTPS2PD(at(rA, 32*c+16*h), Y0)
			VXORPD(Y2, Y2, Y2)
			VMAXPD(Y2, Y0, Y0) // NaN gives the second
			VMINPD(all64(0x41efffffffe00000), Y0, Y0)
			VROUNDPD(U8(uint8(mode)), Y0, Y0)
			VADDPD(all64(0x4330000000000000), Y0, Y0)
			lows(Y0, x)
		})
	})
}

// lows packs the low halves of the 64-bit values of y into x.
func lows(y, x VecPhysical) {
	VEXTRACTF128(U8(1), y, X3)
	VSHUFPS(U8(0x88), X3, y.AsX(), x)
}

// truncate leaves the low halves of part c of a 64-bit source in Y0.
func truncate(c int) {
	VMOVDQU(at(rA, 64*c), Y0)
	VMOVDQU(at(rA, 64*c+32), Y1)
	VSHUFPS(U8(0x88), Y1, Y0, Y0)
	VPERMQ(U8(0xd8), Y0, Y0)
}

// twice makes Y0 of two halves that f leaves in a register.
func twice(f func(h int, x VecPhysical)) {
	f(0, X5)
	f(1, X6)
	VINSERTF128(U8(1), X6, Y5, Y0)
}

// doubleOfU32 leaves the four 32-bit values at part c of a 64-bit destination in Y0
// as doubles: 2^52 plus the number, less 2^52.
func doubleOfU32(c int) {
	VPMOVZXDQ(half(rA, c), Y0)
	VPOR(all64(0x4330000000000000), Y0, Y0)
	VSUBPD(all64(0x4330000000000000), Y0, Y0)
}

// round rounds f32 to integral values.
func round(mode int) func() {
	return un32(func() { VROUNDPS(U8(mode), Y0, Y0); canonical32() })
}
