// Handlers of floating-point arithmetic.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Comparison predicates of the processor that raise no exception.
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

// floats is arithmetic on f32 and f64, rounded to nearest; the names in Ftz flush
// subnormal operands and results to zero.
func floats() []operation {
	add := func() { VADDPS(Y1, Y0, Y0) }
	sub := func() { VSUBPS(Y1, Y0, Y0) }
	mul := func() { VMULPS(Y1, Y0, Y0) }
	div := func() { VDIVPS(Y1, Y0, Y0) }
	fma := func() { VFMADD213PS(Y2, Y1, Y0) }
	sqrt := func() { VSQRTPS(Y0, Y0) }
	rcp := func() { VMOVDQU(all32(0x3f800000), Y1); VDIVPS(Y0, Y1, Y0) }
	return []operation{
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
		{"AbsF32Ftz", un32(func() { flush(Y0); VPAND(all32(1<<31-1), Y0, Y0) }), false},
		{"NegF32Ftz", un32(func() { flush(Y0); VPXOR(all32(1<<31), Y0, Y0) }), false},
		{"MinF32", float32s(2, func() { minMax32(false) }), false},
		{"MaxF32", float32s(2, func() { minMax32(true) }), false},
		{"AbsF32", un32(func() { VPAND(all32(1<<31-1), Y0, Y0) }), false},
		{"NegF32", un32(func() { VPXOR(all32(1<<31), Y0, Y0) }), false},
		{"AddF64", float64s(2, func() { VADDPD(Y1, Y0, Y0) }), false},
		{"SubF64", float64s(2, func() { VSUBPD(Y1, Y0, Y0) }), false},
		{"MulF64", float64s(2, func() { VMULPD(Y1, Y0, Y0) }), false},
		{"DivF64", float64s(2, func() { VDIVPD(Y1, Y0, Y0) }), false},
		{"FmaF64", float64s(3, func() { VFMADD213PD(Y2, Y1, Y0) }), false},
		{"SqrtF64", float64s(1, func() { VSQRTPD(Y0, Y0) }), false},
		{"RcpF64", float64s(1, func() { VMOVDQU(all64(0x3ff0000000000000), Y1); VDIVPD(Y0, Y1, Y0) }), false},
		{"AbsF64", un64(func() { VPAND(all64(1<<63-1), Y0, Y0) }), false},
		{"NegF64", un64(func() { VPXOR(all64(1<<63), Y0, Y0) }), false},
	}
}

var sources = []GPPhysical{rA, rB, rC}

// float32s is an operation of Y0, Y1 and Y2, which hold the sources.
func float32s(n int, f func()) func() {
	return each32(n, func(c int) {
		for i := range n {
			VMOVDQU(m32(sources[i], c), []VecPhysical{Y0, Y1, Y2}[i])
		}
		f()
		canonical32()
	})
}

func float64s(n int, f func()) func() {
	return each64(n, func(c int) {
		for i := range n {
			VMOVDQU(m64(sources[i], c), []VecPhysical{Y0, Y1, Y2}[i])
		}
		f()
		canonical64()
	})
}

// flushed32s is float32s with flushing.
func flushed32s(n int, f func()) func() {
	return each32(n, func(c int) {
		for i := range n {
			y := []VecPhysical{Y0, Y1, Y2}[i]
			VMOVDQU(m32(sources[i], c), y)
			flush(y)
		}
		f()
		canonical32()
		flush(Y0)
	})
}

// saturate limits Y0 to 0 and 1; NaN becomes +0.
func saturate() {
	VXORPS(Y4, Y4, Y4)
	VMAXPS(Y4, Y0, Y0) // NaN and -0 give the second
	VMINPS(all32(0x3f800000), Y0, Y0)
}

// flush turns subnormal numbers of v into zeros of their sign.
func flush(v VecPhysical) {
	VPXOR(Y4, Y4, Y4)
	VPAND(all32(0x7f800000), v, Y5)
	VPCMPEQD(Y4, Y5, Y5)
	VPSRLD(U8(1), Y5, Y5)
	VPANDN(v, Y5, v)
}

// canonical32 replaces NaNs in Y0 by the canonical one.
func canonical32() {
	VCMPPS(U8(cmpNan), Y0, Y0, Y3)
	VBLENDVPS(Y3, all32(nan32), Y0, Y0)
}

func canonical64() {
	VCMPPD(U8(cmpNan), Y0, Y0, Y3)
	VBLENDVPD(Y3, all64(nan64), Y0, Y0)
}

// divApprox divides, but a divisor of magnitude above 2^126 gives 0, or NaN when the
// dividend is infinite (PTX ISA, div).
func divApprox() {
	VMOVAPS(Y0, Y6)
	VMOVAPS(Y1, Y7)
	VDIVPS(Y1, Y0, Y0)
	VPAND(all32(1<<31-1), Y7, Y4)
	VPCMPGTD(all32(0x7e800000), Y4, Y5)
	VMOVDQU(all32(0x7f800000), Y8)
	VPCMPGTD(Y4, Y8, Y8)
	VPAND(Y8, Y5, Y5) // large divisors
	VPXOR(Y6, Y7, Y9)
	VPAND(all32(1<<31), Y9, Y9)
	VPAND(all32(1<<31-1), Y6, Y6)
	VPCMPGTD(all32(0x7f7fffff), Y6, Y6) // dividends that are infinite or NaN
	VBLENDVPS(Y6, all32(nan32), Y9, Y9)
	VBLENDVPS(Y5, Y9, Y0, Y0)
}

// minMax32 is the smaller or larger of Y0 and Y1: -0 is smaller than +0, and a
// number is preferred to a NaN. The processor's instruction takes its second operand
// when it cannot decide.
func minMax32(max bool) {
	if max {
		VMAXPS(Y1, Y0, Y2)
		VPAND(Y1, Y0, Y4)
	} else {
		VMINPS(Y1, Y0, Y2)
		VPOR(Y1, Y0, Y4)
	}
	VCMPPS(U8(cmpEq), Y1, Y0, Y3)
	VBLENDVPS(Y3, Y4, Y2, Y2)
	VCMPPS(U8(cmpNan), Y1, Y1, Y3)
	VBLENDVPS(Y3, Y0, Y2, Y0)
}
