// Handlers of floating-point functions computed in double precision, and of arithmetic with directed rounding.

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// approximate returns the functions that round a result in double precision to f32, as package num does, and arithmetic
// on f32 with directed rounding.
func approximate() []operation {
	ops := []operation{
		{"Ex2F32", inDouble(exp2, false), false},
		{"Ex2F32Ftz", inDouble(exp2, true), false},
		{"RsqrtF32", inDouble(rsqrt, false), false},
		{"RsqrtF32Ftz", inDouble(rsqrt, true), false},
	}
	for _, m := range []struct {
		name    string
		control uint32
	}{{"Down", mxcsrDown}, {"Up", mxcsrUp}, {"Zero", mxcsrZero}} {
		ops = append(ops,
			operation{"AddF32" + m.name, directed(m.control, 2, func() { VADDPS(y1, y0, y0) }), false},
			operation{"SubF32" + m.name, directed(m.control, 2, func() { VSUBPS(y1, y0, y0) }), false},
			operation{"MulF32" + m.name, directed(m.control, 2, func() { VMULPS(y1, y0, y0) }), false},
			operation{"FmaF32" + m.name, directed(m.control, 3, func() { VFMADD213PS(y2, y1, y0) }), false})
	}
	return scalars(ops)
}

// Values of the processor's register MXCSR: all exceptions masked, rounding to nearest, as in Go, or in one direction.
const (
	mxcsrNearest = 0x1f80
	mxcsrDown    = 0x3f80
	mxcsrUp      = 0x5f80
	mxcsrZero    = 0x7f80
)

// directed is float32s with another rounding mode.
func directed(control uint32, sources int, f func()) func() {
	emit := float32s(sources, f)
	return func() {
		VLDMXCSR(all32(control))
		emit()
		VLDMXCSR(all32(mxcsrNearest))
	}
}

// inDouble returns a function of f32 that f computes in double precision, in place in Y0, or X0. With ftz, subnormal
// operands and results are flushed to zero.
func inDouble(f func(), ftz bool) func() {
	return each32(1, func(c int) {
		load32(rA, c, y9)
		if ftz {
			flush(y9)
		}
		if one {
			VCVTPS2PD(X9, X0)
			f()
			VCVTPD2PSX(X0, X0)
		} else {
			twice(func(h int, x VecPhysical) {
				VEXTRACTF128(U8(uint8(h)), Y9, X7)
				VCVTPS2PD(X7, Y0)
				f()
				VCVTPD2PSY(Y0, x)
			})
		}
		VCMPPS(U8(cmpNan), y9, y9, y3)
		VBLENDVPS(y3, all32(nan32), y0, y0)
		canonical32()
		if ftz {
			flush(y0)
		}
	})
}

// exp2 computes num.Exp2, except for NaN, for which the result is arbitrary.
func exp2() {
	VMINPD(all64(math.Float64bits(num.Exp2Limit)), y0, y0)
	VMAXPD(all64(math.Float64bits(-num.Exp2Limit)), y0, y0)
	VROUNDPD(U8(toEven), y0, y1)
	VSUBPD(y1, y0, y0)
	last := len(num.Exp2Terms) - 1
	VMOVDQU(all64(math.Float64bits(num.Exp2Terms[last])), y2)
	for k := last - 1; k >= 0; k-- {
		VFMADD213PD(all64(math.Float64bits(num.Exp2Terms[k])), y0, y2)
	}
	if one {
		VCVTPD2DQX(X1, X1)
		VPMOVSXDQ(X1, X1)
	} else {
		VCVTPD2DQY(Y1, X1)
		VPMOVSXDQ(X1, Y1)
	}
	VPSLLQ(U8(52), y1, y1)
	VPADDQ(y1, y2, y0)
}

// rsqrt computes 1 divided by the square root.
func rsqrt() {
	VSQRTPD(y0, y0)
	VMOVDQU(all64(math.Float64bits(1)), y1)
	VDIVPD(y0, y1, y0)
}
