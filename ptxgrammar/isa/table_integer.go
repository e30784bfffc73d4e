// The table: integer arithmetic.

package isa

// integerRows: PTX ISA 9.7.1, and the opcodes of 9.7.3 to 9.7.5 that share a
// name with an integer instruction.
var integerRows = []row{
	{name: "add", calc: CalcAdd, since: 10, ref: "9.7.1.1, 9.7.2.1, 9.7.3.3, 9.7.4.1, 9.7.5.1", doc: "add two values", forms: `
		~ 9.3
		.type = u16 u32 u64 s16 s32 s64
		add.type d, a, b
		add.sat.s32 d, a, b
		add{.rnd}.f64 d, a, b ; sm_13
		.rnd = rn rz rm@/20 rp@/20
		add{.rnd}{.ftz}{.sat}.f32 d, a, b
		.type = u16x2 s16x2
		add.type d, a, b ; 8.0 sm_90
		.type = u8x4 s8x4
		add{.sat}.type d, a, b ; 9.2 sm_107f sm_120f
		.type = u32 u16x2 s16x2
		add.sat.type d, a, b ; 9.2 sm_107f sm_120f
		add{.rnd}{.ftz}.f32x2 d, a, b ; 8.6 sm_100
		.atype = f16 bf16
		add{.rnd}{.sat}.f32.atype d:f32, a:atype, c:f32 ; 8.6 sm_100
		.atype = f16x2 bf16x2
		add{.rnd}.f32x2.atype.f32x2 d:f32x2, a:atype, c:f32x2 ; 9.4 sm_107f
		add.rz.ftz.f16x2.f32x2.f32x2 d:f16x2, a:f32x2, c:f32x2 ; 9.4 sm_107f
		add.rz.bf16x2.f32x2.f32x2 d:bf16x2, a:f32x2, c:f32x2 ; 9.4 sm_107f
		.cdtype = e5m2x4 e4m3x4
		.atype = e5m2x4 e4m3x4 e3m2x4 e2m3x4 e2m1x4 e2m1p4x4 ue8m0x4
		add{.rn}{.satfinite}.cdtype.atype d:cdtype, a:atype, c:cdtype ; 9.4 sm_100a sm_103a
		.rnd = rn
		add{.rnd}{.ftz}{.sat}.f16 d, a, b ; 4.2 sm_53
		add{.rnd}{.ftz}{.sat}.f16x2 d, a, b ; 4.2 sm_53
		add{.rnd}.bf16 d, a, b ; 7.8 sm_90
		add{.rnd}.bf16x2 d, a, b ; 7.8 sm_90
		.type = u32 s32 u64@43 s64@43
		add.cc.type d, a, b ; 1.2 writescarry`},
	{name: "sub", calc: CalcSub, since: 10, ref: "9.7.1.2, 9.7.2.3, 9.7.3.4, 9.7.4.2, 9.7.5.2", doc: "subtract one value from another", forms: `
		~ 9.3
		.type = u16 u32 u64 s16 s32 s64
		sub.type d, a, b
		sub.sat.s32 d, a, b
		.type = u8x4 s8x4
		sub{.sat}.type d, a, b ; 9.2 sm_107f sm_120f
		sub{.rnd}.f64 d, a, b ; sm_13
		.rnd = rn rz rm@/20 rp@/20
		sub{.rnd}{.ftz}{.sat}.f32 d, a, b
		sub{.rnd}{.ftz}.f32x2 d, a, b ; 8.6 sm_100
		.atype = f16 bf16
		sub{.rnd}{.sat}.f32.atype d:f32, a:atype, c:f32 ; 8.6 sm_100
		.atype = f16x2 bf16x2
		sub{.rnd}.f32x2.atype.f32x2 d:f32x2, a:atype, c:f32x2 ; 9.4 sm_107f
		sub.rz.ftz.f16x2.f32x2.f32x2 d:f16x2, a:f32x2, c:f32x2 ; 9.4 sm_107f
		sub.rz.bf16x2.f32x2.f32x2 d:bf16x2, a:f32x2, c:f32x2 ; 9.4 sm_107f
		.cdtype = e5m2x4 e4m3x4
		.atype = e5m2x4 e4m3x4 e3m2x4 e2m3x4 e2m1x4 e2m1p4x4 ue8m0x4
		sub{.rn}{.satfinite}.cdtype.atype d:cdtype, a:atype, c:cdtype ; 9.4 sm_100a sm_103a
		.rnd = rn
		sub{.rnd}{.ftz}{.sat}.f16 d, a, b ; 4.2 sm_53
		sub{.rnd}{.ftz}{.sat}.f16x2 d, a, b ; 4.2 sm_53
		sub{.rnd}.bf16 d, a, b ; 7.8 sm_90
		sub{.rnd}.bf16x2 d, a, b ; 7.8 sm_90
		.type = u32 s32 u64@43 s64@43
		sub.cc.type d, a, b ; 1.2 writescarry`},
	{name: "mul", calc: CalcMul, since: 10, ref: "9.7.1.3, 9.7.3.5, 9.7.4.3", doc: "multiply two values", forms: `
		~ 9.3
		.mode = hi lo
		.type = u16 u32 u64 s16 s32 s64
		mul.mode.type d, a, b
		.type = u16 u32 s16 s32
		# The public form lists put .wide beside .hi and .lo for every type; the manual's text has it for 16-bit and 32-bit types only.
		mul.wide.type d:type*2, a, b
		mul{.rnd}.f64 d, a, b ; sm_13
		.rnd = rn rz rm@/20 rp@/20
		mul{.rnd}{.ftz}{.sat}.f32 d, a, b
		mul{.rnd}{.ftz}.f32x2 d, a, b ; 8.6 sm_100
		.rnd = rn
		mul{.rnd}{.ftz}{.sat}.f16 d, a, b ; 4.2 sm_53
		mul{.rnd}{.ftz}{.sat}.f16x2 d, a, b ; 4.2 sm_53
		mul{.rnd}.bf16 d, a, b ; 7.8 sm_90
		mul{.rnd}.bf16x2 d, a, b ; 7.8 sm_90
		mul.rz.ftz.f16x2.f32x2.f32x2 d:f16x2, a:f32x2, c:f32x2 ; 9.4 sm_107f
		mul.rz.bf16x2.f32x2.f32x2 d:bf16x2, a:f32x2, c:f32x2 ; 9.4 sm_107f
		mul.bf16x2.bf16x2.f16x2 d:bf16x2, a:bf16x2, c:f16x2 ; 9.4 sm_107f
		mul.f16x2.f16x2.bf16x2 d:f16x2, a:f16x2, c:bf16x2 ; 9.4 sm_107f
		.cdtype = e5m2x4 e4m3x4
		.atype = e5m2x4 e4m3x4 e3m2x4 e2m3x4 e2m1x4 e2m1p4x4 ue8m0x4
		.btype = e5m2x4 e4m3x4 e3m2x4 e2m3x4 e2m1x4 e2m1p4x4 ue8m0x4
		mul{.rn}{.satfinite}.cdtype.atype.btype d:cdtype, a:atype, b:btype ; 9.4 sm_100a sm_103a`},
	{name: "mad", calc: CalcMulAdd, since: 10, ref: "9.7.1.4, 9.7.2.5, 9.7.3.7", doc: "multiply two values and add a third", forms: `
		.mode = hi lo
		.type = u16 u32 u64 s16 s32 s64
		mad.mode.type d, a, b, c
		mad.hi.sat.s32 d, a, b, c
		.type = u16 u32 s16 s32
		mad.wide.type d:type*2, a, b, c:type*2
		mad{.rnd!14}.f64 d, a, b, c ; sm_13
		.rnd = rn@/20 rz@/20 rm@/20 rp@/20
		mad{.rnd!20/20}{.ftz}{.sat}.f32 d, a, b, c
		.type = u32 s32 u64@43 s64@43
		mad.mode.cc.type d, a, b, c ; 3.0 sm_20 writescarry`},
	{name: "clmad", calc: CalcNumber, since: 93, minSM: 80, ref: "9.7.1.5", doc: "multiply polynomials over GF(2) and add a third", forms: `
		.mode = lo hi
		clmad.mode.u64 d, a, b, c`},
	{name: "mul24", calc: CalcMul24, since: 10, ref: "9.7.1.5", doc: "multiply two 24-bit values", forms: `
		.mode = hi lo
		.type = u32 s32
		mul24.mode.type d, a, b`},
	{name: "mad24", calc: CalcMulAdd24, since: 10, ref: "9.7.1.6", doc: "multiply two 24-bit values and add a third", forms: `
		.mode = hi lo
		.type = u32 s32
		mad24.mode.type d, a, b, c
		mad24.hi.sat.s32 d, a, b, c`},
	{name: "sad", calc: CalcNumber, since: 10, ref: "9.7.1.7", doc: "sum of absolute differences", forms: `
		.type = u16 u32 u64 s16 s32 s64
		sad.type d, a, b, c`},
	{name: "div", calc: CalcDivide, since: 10, ref: "9.7.1.8, 9.7.3.8", doc: "divide one value by another", forms: `
		.type = u16 u32 u64 s16 s32 s64
		div.type d, a, b
		div.approx{.ftz}.f32 d, a, b ; 1.4
		div.full{.ftz}.f32 d, a, b ; 1.4
		div.rnd{.ftz}.f32 d, a, b ; 1.4 sm_20
		.rnd = rn rz@/20 rm@/20 rp@/20
		div.rnd.f64 d, a, b ; 1.4 sm_13
		div{.ftz}.f32 d, a, b ; until1.4
		div.f64 d, a, b ; sm_13 until1.4`},
	{name: "rem", calc: CalcRemainder, since: 10, ref: "9.7.1.9", doc: "remainder of integer division", forms: `
		.type = u16 u32 u64 s16 s32 s64
		rem.type d, a, b`},
	{name: "abs", calc: CalcAbs, since: 10, ref: "9.7.1.10, 9.7.3.9, 9.7.4.6", doc: "absolute value", forms: `
		.type = s16 s32 s64
		abs.type d, a
		abs{.ftz}.f32 d, a
		abs.f64 d, a ; sm_13
		abs{.ftz}.f16 d, a ; 6.5 sm_53
		abs{.ftz}.f16x2 d, a ; 6.5 sm_53
		abs.bf16 d, a ; 7.0 sm_80
		abs.bf16x2 d, a ; 7.0 sm_80`},
	{name: "neg", calc: CalcNegate, since: 10, ref: "9.7.1.11, 9.7.3.10, 9.7.4.5", doc: "arithmetic negation", forms: `
		.type = s16 s32 s64
		neg.type d, a
		neg.s8x4 d, a ; 9.2 sm_107f sm_120f
		neg{.ftz}.f32 d, a
		neg.f64 d, a ; sm_13
		neg{.ftz}.f16 d, a ; 6.0 sm_53
		neg{.ftz}.f16x2 d, a ; 6.0 sm_53
		neg.bf16 d, a ; 7.0 sm_80
		neg.bf16x2 d, a ; 7.0 sm_80`},
	{name: "min", calc: CalcMin, since: 10, ref: "9.7.1.12, 9.7.3.11, 9.7.4.7", doc: "smaller of two values", forms: minMaxForms},
	{name: "max", calc: CalcMax, since: 10, ref: "9.7.1.13, 9.7.3.12, 9.7.4.8", doc: "greater of two values", forms: minMaxForms},
	{name: "popc", calc: CalcOnes, since: 20, minSM: 20, ref: "9.7.1.14", doc: "count the one bits", forms: `
		.type = b32 b64
		popc.type d:u32, a`},
	{name: "clz", calc: CalcLeadingZeros, since: 20, minSM: 20, ref: "9.7.1.15", doc: "count the leading zeros", forms: `
		.type = b32 b64
		clz.type d:u32, a`},
	{name: "bfind", calc: CalcHighest, since: 20, minSM: 20, ref: "9.7.1.16", doc: "position of the most significant non-sign bit", forms: `
		.type = u32 u64 s32 s64
		bfind{.shiftamt}.type d:u32, a`},
	{name: "fns", calc: CalcNumber, since: 60, minSM: 30, ref: "9.7.1.17", doc: "position of the n-th set bit", forms: `
		fns.b32 d, mask, base, offset:s32`},
	{name: "brev", calc: CalcReverse, since: 20, minSM: 20, ref: "9.7.1.18", doc: "reverse the bits", forms: `
		.type = b32 b64
		brev.type d, a`},
	{name: "bfe", calc: CalcExtract, since: 20, minSM: 20, ref: "9.7.1.19", doc: "extract a bit field", forms: `
		.type = u32 u64 s32 s64
		bfe.type d, a, b:u32, c:u32`},
	{name: "bfi", calc: CalcNumber, since: 20, minSM: 20, ref: "9.7.1.20", doc: "insert a bit field", forms: `
		.type = b32 b64
		bfi.type =f, a, b, c:u32, d:u32`},
	{name: "szext", calc: CalcNumber, since: 76, minSM: 70, ref: "9.7.1.21", doc: "sign-extend or zero-extend from a bit position", forms: `
		.mode = clamp wrap
		.type = u32 s32
		szext.mode.type d, a, b:u32`},
	{name: "bmsk", calc: CalcNumber, since: 76, minSM: 70, ref: "9.7.1.22", doc: "make a bit mask", forms: `
		.mode = clamp wrap
		bmsk.mode.b32 d, a:u32, b:u32`},
	{name: "dp4a", calc: CalcNumber, since: 50, minSM: 61, ref: "9.7.1.23", doc: "four-way byte dot product and accumulate", forms: `
		.atype = u32 s32
		.btype = u32 s32
		dp4a.atype.btype d:b32, a:b32, b:b32, c:b32`},
	{name: "dp2a", calc: CalcNumber, since: 50, minSM: 61, ref: "9.7.1.24", doc: "two-way dot product and accumulate", forms: `
		.mode = lo hi
		.atype = u32 s32
		.btype = u32 s32
		dp2a.mode.atype.btype d:b32, a:b32, b:b32, c:b32`},
}

// minMaxForms are the forms of min and max, which differ in name only.
const minMaxForms = `
	.type = u16 u32 u64 s16 s64
	OP.type d, a, b
	OP{.relu@80/90}.s32 d, a, b
	OP.u16x2 d, a, b ; 8.0 sm_90
	OP{.relu}.s16x2 d, a, b ; 8.0 sm_90
	OP.u8x4 d, a, b ; 9.2 sm_107f sm_120f
	OP{.relu}.s8x4 d, a, b ; 9.2 sm_107f sm_120f
	OP{.ftz}{.NaN@70/80}.f32 d, a, b
	OP{.ftz}{.NaN}.xorsign.abs.f32 d, a, b ; 7.2 sm_86
	OP{.ftz}{.NaN}{.abs}.f32 d, a, b, c ; 8.8 sm_100
	OP.f64 d, a, b ; sm_13
	.type = f16 f16x2
	OP{.ftz}{.NaN}.type d, a, b ; 7.0 sm_80
	OP{.ftz}{.NaN}.xorsign.abs.type d, a, b ; 7.2 sm_86
	.type = bf16 bf16x2
	OP{.NaN}.type d, a, b ; 7.0 sm_80
	OP{.NaN}.xorsign.abs.type d, a, b ; 7.2 sm_86`

// extendedRows: PTX ISA 9.7.2, instructions that read the carry flag. Those that
// only write it (add.cc, sub.cc, mad.cc) are forms of add, sub and mad.
var extendedRows = []row{
	{name: "addc", calc: CalcAdd, since: 12, ref: "9.7.2.2", doc: "add with carry-in", effects: ReadsCarry, forms: carryForms},
	{name: "subc", calc: CalcSub, since: 12, ref: "9.7.2.4", doc: "subtract with borrow-in", effects: ReadsCarry, forms: carryForms},
	{name: "madc", calc: CalcMulAdd, since: 30, minSM: 20, ref: "9.7.2.6", doc: "multiply and add with carry-in", effects: ReadsCarry, forms: `
		.mode = hi lo
		.type = u32 s32 u64@43 s64@43
		madc.mode.type d, a, b, c
		madc.mode.cc.type d, a, b, c ; writescarry`},
}

// carryForms are the forms of addc and subc.
const carryForms = `
	.type = u32 s32 u64@43 s64@43
	OP.type d, a, b
	OP.cc.type d, a, b ; writescarry`
