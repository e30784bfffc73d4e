// Handlers of conversions.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// conversions returns those between widths and between integers and floating-point numbers. NaN results are canonical;
// PTX ISA, cvt, defines the integer for a NaN.
func conversions() []operation {
	return scalars([]operation{
		{"Extend", each64(1, func(c int) { widen(rA, c, y0) }), false},
		{"ExtendSigned", each64(1, func(c int) { widenSigned(rA, c, y0) }), false},
		{"Truncate", each32(1, truncate), false},
		{"Truncate16", each32(1, func(c int) { truncate(c); low16() }), false},
		{"F32FromS32", each32(1, func(c int) { VCVTDQ2PS(src32(rA, c), y0) }), false},
		{"F64FromS32", each64(1, func(c int) { VCVTDQ2PD(halfOf(rA, c), y0) }), false},
		{"F64FromU32", each64(1, func(c int) { doubleOfU32(rA, c) }), false},
		{"F64FromF32", each64(1, func(c int) { VCVTPS2PD(halfOf(rA, c), y0); canonical64() }), false},
		{"F32FromU8", un32(func() { VPAND(all32(0xff), y0, y0); VCVTDQ2PS(y0, y0) }), false},
		{"F32FromS8", un32(func() { VPSLLD(U8(24), y0, y0); VPSRAD(U8(24), y0, y0); VCVTDQ2PS(y0, y0) }), false},
		{"F32FromS16", un32(func() { VPSLLD(U8(16), y0, y0); VPSRAD(U8(16), y0, y0); VCVTDQ2PS(y0, y0) }), false},
		{"S32FromF32", signedOf(towardsZero), false},
		{"S32FromF32Even", signedOf(toEven), false},
		{"S32FromF32Down", signedOf(downwards), false},
		{"S32FromF32Up", signedOf(upwards), false},
		{"RoundEven", round(toEven), false},
		{"RoundDown", round(downwards), false},
		{"RoundUp", round(upwards), false},
		{"RoundZero", round(towardsZero), false},
		{"F32FromU32", each32(1, func(c int) {
			singles(c, func(c int) Op { doubleOfU32(rA, c); return y0 })
		}), false},
		{"F32FromF64", each32(1, func(c int) {
			singles(c, func(c int) Op { return src64(rA, c) })
			canonical32()
		}), false},
		{"U32FromF32", unsignedOf(towardsZero), false},
		{"U32FromF32Even", unsignedOf(toEven), false},
		{"U32FromF32Down", unsignedOf(downwards), false},
		{"U32FromF32Up", unsignedOf(upwards), false},
	})
}

// Rounding to integral values, as encoded by VROUNDPS and VROUNDPD.
const (
	toEven = iota
	downwards
	upwards
	towardsZero
)

// signedOf converts f32 to s32.
func signedOf(mode int) func() {
	return each32(1, func(c int) {
		load32(rA, c, y1)
		if mode != towardsZero {
			VROUNDPS(U8(uint8(mode)), y1, y1)
		}
		VCVTTPS2DQ(y1, y0)
		VCMPPS(U8(cmpGe), all32(0x4f000000), y1, y2) // from 2^31 on: the largest number
		VPXOR(y2, y0, y0)
		VCMPPS(U8(cmpNum), y1, y1, y2)
		VPAND(y2, y0, y0)
	})
}

// unsignedOf converts f32 to u32.
func unsignedOf(mode int) func() {
	return each32(1, func(c int) {
		narrowed(c, func(c int) {
			VCVTPS2PD(halfOf(rA, c), y0)
			VXORPD(y2, y2, y2)
			VMAXPD(y2, y0, y0) // for NaN the result is the second operand
			VMINPD(all64(0x41efffffffe00000), y0, y0)
			VROUNDPD(U8(uint8(mode)), y0, y0)
			VADDPD(all64(0x4330000000000000), y0, y0)
		})
	})
}

// narrowed sets Y0, or X0, to the low halves of 64-bit values, as part c of a 32-bit destination: f leaves a part of
// the values there.
func narrowed(c int, f func(c int)) {
	if one {
		f(0)
		return
	}
	twice(func(h int, x VecPhysical) {
		f(2*c + h)
		lows(Y0, x)
	})
}

// singles converts doubles to f32 in Y0, or X0, as part c of a 32-bit destination; f returns a part of the doubles.
func singles(c int, f func(c int) Op) {
	if one {
		VCVTPD2PSX(f(0), X0)
		return
	}
	twice(func(h int, x VecPhysical) { VCVTPD2PSY(f(2*c+h), x) })
}

// lows packs the low halves of the 64-bit values of y into x.
func lows(y, x VecPhysical) {
	VEXTRACTF128(U8(1), y, X3)
	VSHUFPS(U8(0x88), X3, y.AsX(), x)
}

// truncate sets Y0 to the low halves of part c of a 64-bit source.
func truncate(c int) {
	if one {
		VMOVD(lane64(rA), X0)
		return
	}
	VMOVDQU(at(rA, 64*c), Y0)
	VMOVDQU(at(rA, 64*c+32), Y1)
	VSHUFPS(U8(0x88), Y1, Y0, Y0)
	VPERMQ(U8(0xd8), Y0, Y0)
}

// twice combines in Y0 two halves that f leaves in a register.
func twice(f func(h int, x VecPhysical)) {
	f(0, X5)
	f(1, X6)
	VINSERTF128(U8(1), X6, Y5, Y0)
}

// doubleOfU32 converts the 32-bit values of a source at part c of a 64-bit destination to doubles in Y0, or X0: 2^52
// plus the number, minus 2^52.
func doubleOfU32(r Register, c int) {
	widen(r, c, y0)
	VPOR(all64(0x4330000000000000), y0, y0)
	VSUBPD(all64(0x4330000000000000), y0, y0)
}

// round rounds f32 to integral values.
func round(mode int) func() {
	return un32(func() { VROUNDPS(U8(mode), y0, y0); canonical32() })
}
