// Handlers of floating-point arithmetic.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Comparison predicates of the processor without exceptions.
const (
	cmpEq  = 0
	cmpNan = 3
	cmpNeU = 4
	cmpNum = 7
	cmpEqU = 8
	cmpNe  = 12
	cmpLt  = 17
	cmpLe  = 18
	cmpLtU = 25 // not greater or equal
	cmpLeU = 26 // not greater
	cmpGe  = 29
)

// The canonical NaNs (PTX ISA, "Floating Point Instructions").
const (
	nan32 = 0x7fffffff
	nan64 = 0xfff8000000000000
)

// floats returns arithmetic on f32 and f64, rounded to nearest; operations whose names have Ftz flush subnormal
// operands and results to zero.
func floats() []operation {
	add := func() { VADDPS(y1, y0, y0) }
	sub := func() { VSUBPS(y1, y0, y0) }
	mul := func() { VMULPS(y1, y0, y0) }
	div := func() { VDIVPS(y1, y0, y0) }
	fma := func() { VFMADD213PS(y2, y1, y0) }
	sqrt := func() { VSQRTPS(y0, y0) }
	rcp := func() { VMOVDQU(all32(0x3f800000), y1); VDIVPS(y0, y1, y0) }
	return scalars([]operation{
		{"AddF32", float32s(2, add), false},
		{"SubF32", float32s(2, sub), false},
		{"MulF32", float32s(2, mul), false},
		{"DivF32", float32s(2, div), false},
		{"FmaF32", float32s(3, fma), false},
		{"SqrtF32", float32s(1, sqrt), false},
		{"RcpF32", float32s(1, rcp), false},
		{"AddF32Ftz", flushed32s(2, add), false},
		{"SubF32Ftz", flushed32s(2, sub), false},
		{"MulF32Ftz", flushed32s(2, mul), false},
		{"FmaF32Ftz", flushed32s(3, fma), false},
		{"DivF32Ftz", flushed32s(2, div), false},
		{"SqrtF32Ftz", flushed32s(1, sqrt), false},
		{"RcpF32Ftz", flushed32s(1, rcp), false},
		{"DivApproxF32", float32s(2, divApprox), false},
		{"DivApproxF32Ftz", flushed32s(2, divApprox), false},
		{"AddF32Sat", float32s(2, func() { add(); saturate() }), false},
		{"SubF32Sat", float32s(2, func() { sub(); saturate() }), false},
		{"MulF32Sat", float32s(2, func() { mul(); saturate() }), false},
		{"FmaF32Sat", float32s(3, func() { fma(); saturate() }), false},
		{"AddF32FtzSat", flushed32s(2, func() { add(); saturate() }), false},
		{"SubF32FtzSat", flushed32s(2, func() { sub(); saturate() }), false},
		{"MulF32FtzSat", flushed32s(2, func() { mul(); saturate() }), false},
		{"FmaF32FtzSat", flushed32s(3, func() { fma(); saturate() }), false},
		{"SatF32", un32(saturate), false},
		{"SatF32Ftz", flushed32s(1, saturate), false},
		{"MinF32Ftz", flushed32s(2, func() { minMax32(false) }), false},
		{"MaxF32Ftz", flushed32s(2, func() { minMax32(true) }), false},
		{"AbsF32Ftz", un32(func() { flush(y0); VPAND(all32(1<<31-1), y0, y0) }), false},
		{"NegF32Ftz", un32(func() { flush(y0); VPXOR(all32(1<<31), y0, y0) }), false},
		{"MinF32", float32s(2, func() { minMax32(false) }), false},
		{"MaxF32", float32s(2, func() { minMax32(true) }), false},
		{"AbsF32", un32(func() { VPAND(all32(1<<31-1), y0, y0) }), false},
		{"NegF32", un32(func() { VPXOR(all32(1<<31), y0, y0) }), false},
		{"AddF64", float64s(2, func() { VADDPD(y1, y0, y0) }), false},
		{"SubF64", float64s(2, func() { VSUBPD(y1, y0, y0) }), false},
		{"MulF64", float64s(2, func() { VMULPD(y1, y0, y0) }), false},
		{"DivF64", float64s(2, func() { VDIVPD(y1, y0, y0) }), false},
		{"FmaF64", float64s(3, func() { VFMADD213PD(y2, y1, y0) }), false},
		{"SqrtF64", float64s(1, func() { VSQRTPD(y0, y0) }), false},
		{"RcpF64", float64s(1, func() { VMOVDQU(all64(0x3ff0000000000000), y1); VDIVPD(y0, y1, y0) }), false},
		{"AbsF64", un64(func() { VPAND(all64(1<<63-1), y0, y0) }), false},
		{"NegF64", un64(func() { VPXOR(all64(1<<63), y0, y0) }), false},
	})
}

var sources = []GPPhysical{rA, rB, rC}

// float32s returns an operation on Y0, Y1 and Y2, which hold the sources.
func float32s(n int, f func()) func() {
	return each32(n, func(c int) {
		for i := range n {
			load32(sources[i], c, []VecPhysical{y0, y1, y2}[i])
		}
		f()
		canonical32()
	})
}

func float64s(n int, f func()) func() {
	return each64(n, func(c int) {
		for i := range n {
			load64(sources[i], c, []VecPhysical{y0, y1, y2}[i])
		}
		f()
		canonical64()
	})
}

// flushed32s is float32s with flushing.
func flushed32s(n int, f func()) func() {
	return each32(n, func(c int) {
		for i := range n {
			y := []VecPhysical{y0, y1, y2}[i]
			load32(sources[i], c, y)
			flush(y)
		}
		f()
		canonical32()
		flush(y0)
	})
}

// saturate clamps Y0 to [0, 1]; NaN becomes +0.
func saturate() {
	VXORPS(y4, y4, y4)
	VMAXPS(y4, y0, y0) // for NaN and -0 the result is the second operand
	VMINPS(all32(0x3f800000), y0, y0)
}

// flush turns subnormal numbers of v into zeros of their sign.
func flush(v VecPhysical) {
	VPXOR(y4, y4, y4)
	VPAND(all32(0x7f800000), v, y5)
	VPCMPEQD(y4, y5, y5)
	VPSRLD(U8(1), y5, y5)
	VPANDN(v, y5, v)
}

// canonical32 replaces NaNs in Y0 by the canonical one.
func canonical32() {
	VCMPPS(U8(cmpNan), y0, y0, y3)
	VBLENDVPS(y3, all32(nan32), y0, y0)
}

func canonical64() {
	VCMPPD(U8(cmpNan), y0, y0, y3)
	VBLENDVPD(y3, all64(nan64), y0, y0)
}

// divApprox divides; a divisor of magnitude above 2^126 gives 0, or NaN if the dividend is infinite (PTX ISA, div).
func divApprox() {
	VMOVAPS(y0, y6)
	VMOVAPS(y1, y7)
	VDIVPS(y1, y0, y0)
	VPAND(all32(1<<31-1), y7, y4)
	VPCMPGTD(all32(0x7e800000), y4, y5)
	VMOVDQU(all32(0x7f800000), y8)
	VPCMPGTD(y4, y8, y8)
	VPAND(y8, y5, y5) // large divisors
	VPXOR(y6, y7, y9)
	VPAND(all32(1<<31), y9, y9)
	VPAND(all32(1<<31-1), y6, y6)
	VPCMPGTD(all32(0x7f7fffff), y6, y6) // dividends that are infinite or NaN
	VBLENDVPS(y6, all32(nan32), y9, y9)
	VBLENDVPS(y5, y9, y0, y0)
}

// minMax32 computes the smaller or larger of Y0 and Y1: -0 is smaller than +0, and a number is preferred to a NaN. The
// processor's instruction returns its second operand for zeros and NaN.
func minMax32(max bool) {
	if max {
		VMAXPS(y1, y0, y2)
		VPAND(y1, y0, y4)
	} else {
		VMINPS(y1, y0, y2)
		VPOR(y1, y0, y4)
	}
	VCMPPS(U8(cmpEq), y1, y0, y3)
	VBLENDVPS(y3, y4, y2, y2)
	VCMPPS(U8(cmpNan), y1, y1, y3)
	VBLENDVPS(y3, y0, y2, y0)
}
