// The table: floating-point arithmetic.

package isa

// floatRows: PTX ISA 9.7.3 and 9.7.4. Forms without .approx or a rounding mode
// are those of PTX 1.x, which meant .approx.
var floatRows = []row{
	{name: "testp", calc: CalcNumber, since: 20, minSM: 20, ref: "9.7.3.1", doc: "test a floating-point property", forms: `
		.op = finite infinite number notanumber normal subnormal
		.type = f32 f64
		testp.op.type p:pred, a`},
	{name: "copysign", calc: CalcNumber, since: 20, minSM: 20, ref: "9.7.3.2", doc: "copy the sign of one value to another", forms: `
		.type = f32 f64
		copysign.type d, a, b`},
	{name: "fma", calc: CalcMulAdd, since: 14, minSM: 13, ref: "9.7.3.6, 9.7.4.4, 9.7.5.3", doc: "fused multiply-add", forms: `
		~ 9.3
		fma.rnd{.ftz}{.sat}.f32 d, a, b, c ; 2.0 sm_20
		fma.rnd.f64 d, a, b, c
		fma.rnd{.ftz}.f32x2 d, a, b, c ; 8.6 sm_100
		.abtype = f16 bf16
		fma.rnd{.sat}.f32.abtype d:f32, a:abtype, b:abtype, c:f32 ; 8.6 sm_100
		.atype = f16x2 bf16x2
		fma.rnd.f32x2.atype.f32x2.f32x2 d:f32x2, a:atype, b:f32x2, c:f32x2 ; 9.4 sm_107f
		.cdtype = e5m2x4 e4m3x4
		.atype = e5m2x4 e4m3x4 e3m2x4 e2m3x4 e2m1x4 e2m1p4x4 ue8m0x4
		.btype = e5m2x4 e4m3x4 e3m2x4 e2m3x4 e2m1x4 e2m1p4x4 ue8m0x4
		fma{.rn}{.satfinite}.cdtype.atype.btype d:cdtype, a:atype, b:btype, c:cdtype ; 9.4 sm_100a sm_103a
		.rnd = rn
		fma.rnd{.ftz}{.sat}.f16 d, a, b, c ; 4.2 sm_53
		fma.rnd{.ftz}{.sat}.f16x2 d, a, b, c ; 4.2 sm_53
		fma.rnd{.ftz}.relu.f16 d, a, b, c ; 7.0 sm_80
		fma.rnd{.ftz}.relu.f16x2 d, a, b, c ; 7.0 sm_80
		fma.rnd{.relu}.bf16 d, a, b, c ; 7.0 sm_80
		fma.rnd{.relu}.bf16x2 d, a, b, c ; 7.0 sm_80
		.type = f16 f16x2 bf16 bf16x2
		fma.rnd.oob{.relu}.type d, a, b, c ; 8.1 sm_90`},
	{name: "rcp", calc: CalcNumber, since: 10, ref: "9.7.3.13, 9.7.3.14", doc: "reciprocal", forms: `
		rcp.approx{.ftz}.f32 d, a ; 1.4
		rcp.rnd{.ftz}.f32 d, a ; 2.0 sm_20
		.rnd = rn rz@/20 rm@/20 rp@/20
		rcp.rnd.f64 d, a ; 1.4 sm_13
		rcp.approx.ftz.f64 d, a ; 2.1 sm_20
		rcp{.ftz}.f32 d, a ; until1.4
		rcp.f64 d, a ; sm_13 until1.4`},
	{name: "sqrt", calc: CalcSquareRoot, since: 10, ref: "9.7.3.15", doc: "square root", forms: `
		sqrt.approx{.ftz}.f32 d, a ; 1.4
		sqrt.rnd{.ftz}.f32 d, a ; 2.0 sm_20
		.rnd = rn rz@/20 rm@/20 rp@/20
		sqrt.rnd.f64 d, a ; 1.4 sm_13
		sqrt{.ftz}.f32 d, a ; until1.4
		sqrt.f64 d, a ; sm_13 until1.4`},
	{name: "rsqrt", calc: CalcNumber, since: 10, ref: "9.7.3.16, 9.7.3.17", doc: "reciprocal of the square root", forms: `
		rsqrt.approx{.ftz}.f32 d, a ; 1.4
		rsqrt.approx.f64 d, a ; 1.4 sm_13
		rsqrt.approx.ftz.f64 d, a ; 4.0 sm_20
		rsqrt{.ftz}.f32 d, a ; until1.4
		rsqrt.f64 d, a ; sm_13 until1.4`},
	{name: "sin", calc: CalcNumber, since: 10, ref: "9.7.3.18", doc: "sine", forms: `
		sin{.approx!14}{.ftz}.f32 d, a
		# From ptxas of CUDA 13.5, as with cos: a counts turns. No public copy of the manual of 9.5 describes it.
		sin.approx.2pi.ftz.f32 d, a ; 9.5`},
	{name: "cos", calc: CalcNumber, since: 10, ref: "9.7.3.19", doc: "cosine", forms: `
		cos{.approx!14}{.ftz}.f32 d, a
		cos.approx.2pi.ftz.f32 d, a ; 9.5`},
	{name: "lg2", calc: CalcNumber, since: 10, ref: "9.7.3.20", doc: "base-2 logarithm", forms: `lg2{.approx!14}{.ftz}.f32 d, a`},
	{name: "ex2", calc: CalcNumber, since: 10, ref: "9.7.3.21, 9.7.4.10", doc: "base-2 exponential", forms: `
		ex2{.approx!14}{.ftz}.f32 d, a
		.type = f16 f16x2
		ex2.approx.type d, a ; 7.0 sm_75
		.type = bf16 bf16x2
		ex2.approx.ftz.type d, a ; 7.8 sm_90`},
	{name: "tanh", calc: CalcNumber, since: 70, minSM: 75, ref: "9.7.3.22, 9.7.4.9", doc: "hyperbolic tangent", forms: `
		.type = f32 f16 f16x2
		tanh.approx.type d, a
		.type = bf16 bf16x2
		tanh.approx.type d, a ; 7.8 sm_90`},
}
