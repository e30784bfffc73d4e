// The table: comparisons and selections.

package isa

// compareRows: PTX ISA 9.7.6 and 9.7.7.
var compareRows = []row{
	{name: "set", calc: CalcNumber, since: 10, ref: "9.7.6.1, 9.7.7.1", doc: "compare, giving a number", forms: `
		~ 9.3
		! ftz equ neu ltu leu gtu geu num nan with .stype b16 b32 b64 u16 u32 u64 s16 s32 s64
		! ftz with .stype f64
		! lt le gt ge with .stype b16 b32 b64
		! lo ls hi hs with .stype b16 b32 b64 s16 s32 s64 f16 bf16 f32 f64
		.dtype = u32 s32 f32
		.stype = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64@/13
		set.CmpOp{.ftz}.dtype.stype d:dtype, a:stype, b:stype
		set.CmpOp.BoolOp{.ftz}.dtype.stype d:dtype, a:stype, b:stype, {!}c:pred
		.CmpOp = eq ne lt le gt ge lo ls hi hs
		.type = u8x4 u16x2
		set.CmpOp.type d, a, b ; 9.4 sm_107f
		.CmpOp = eq ne lt le gt ge
		.type = s8x4 s16x2
		set.CmpOp.type d, a, b ; 9.4 sm_107f
		.stype = b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 f32 f64
		.CmpOp = eq ne lt le gt ge equ neu ltu leu gtu geu num nan
		set.CmpOp{.ftz}.f16.stype d:f16, a:stype, b:stype ; 4.2 sm_53
		set.CmpOp.BoolOp{.ftz}.f16.stype d:f16, a:stype, b:stype, {!}c:pred ; 4.2 sm_53
		.stype = b16 b32 b64 u16 u32 u64 s16 s32 s64 f16 f32 f64 bf16
		set.CmpOp.bf16.stype d:bf16, a:stype, b:stype ; 7.8 sm_90
		set.CmpOp.BoolOp.bf16.stype d:bf16, a:stype, b:stype, {!}c:pred ; 7.8 sm_90
		.dtype = u16 s16 u32 s32
		set.CmpOp{.ftz}.dtype.f16 d:dtype, a:f16, b:f16 ; 4.2 sm_53
		set.CmpOp.BoolOp{.ftz}.dtype.f16 d:dtype, a:f16, b:f16, {!}c:pred ; 4.2 sm_53
		set.CmpOp.dtype.bf16 d:dtype, a:bf16, b:bf16 ; 7.8 sm_90
		set.CmpOp.BoolOp.dtype.bf16 d:dtype, a:bf16, b:bf16, {!}c:pred ; 7.8 sm_90
		.dtype = f16x2 u32 s32
		set.CmpOp{.ftz}.dtype.f16x2 d:dtype, a:f16x2, b:f16x2 ; 4.2 sm_53
		set.CmpOp.BoolOp{.ftz}.dtype.f16x2 d:dtype, a:f16x2, b:f16x2, {!}c:pred ; 4.2 sm_53
		.dtype = bf16x2 u32 s32
		set.CmpOp.dtype.bf16x2 d:dtype, a:bf16x2, b:bf16x2 ; 7.8 sm_90
		set.CmpOp.BoolOp.dtype.bf16x2 d:dtype, a:bf16x2, b:bf16x2, {!}c:pred ; 7.8 sm_90`},
	{name: "setp", calc: CalcCompare, since: 10, ref: "9.7.6.2, 9.7.7.2", doc: "compare, giving a predicate", forms: `
		! ftz equ neu ltu leu gtu geu num nan with b16 b32 b64 u16 u32 u64 s16 s32 s64
		! ftz with f64
		! lt le gt ge with b16 b32 b64
		! lo ls hi hs with b16 b32 b64 s16 s32 s64 f32 f64
		.type = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64@/13
		setp.CmpOp{.ftz}.type p:pred{|q:pred}, a, b
		setp.CmpOp.BoolOp{.ftz}.type p:pred{|q:pred}, a, b, {!}c:pred
		.CmpOp = eq ne lt le gt ge equ neu ltu leu gtu geu num nan
		setp.CmpOp{.ftz}.f16 p:pred{|q:pred}, a, b ; 4.2 sm_53
		setp.CmpOp.BoolOp{.ftz}.f16 p:pred{|q:pred}, a, b, {!}c:pred ; 4.2 sm_53
		setp.CmpOp{.ftz}.f16x2 p:pred|q:pred, a, b ; 4.2 sm_53
		setp.CmpOp.BoolOp{.ftz}.f16x2 p:pred|q:pred, a, b, {!}c:pred ; 4.2 sm_53
		setp.CmpOp.bf16 p:pred{|q:pred}, a, b ; 7.8 sm_90
		setp.CmpOp.BoolOp.bf16 p:pred{|q:pred}, a, b, {!}c:pred ; 7.8 sm_90
		setp.CmpOp.bf16x2 p:pred|q:pred, a, b ; 7.8 sm_90
		setp.CmpOp.BoolOp.bf16x2 p:pred|q:pred, a, b, {!}c:pred ; 7.8 sm_90`},
	{name: "selp", calc: CalcSelect, since: 10, ref: "9.7.6.3", doc: "select by a predicate", forms: `
		.type = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64@/13
		selp.type d, a, b, c:pred`},
	{name: "slct", calc: CalcNumber, since: 10, ref: "9.7.6.4", doc: "select by the sign of a third operand", forms: `
		.dtype = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64@/13
		slct.dtype.s32 d:dtype, a:dtype, b:dtype, c:s32
		slct{.ftz}.dtype.f32 d:dtype, a:dtype, b:dtype, c:f32`},
}
