// The table: data movement and conversions.

package isa

// moveRows: the register-to-register part of PTX ISA 9.7.9.
var moveRows = []row{
	{name: "mov", calc: CalcCopy, since: 10, ref: "9.7.9.3, 9.7.9.4", doc: "copy a register, immediate or address; pack or unpack a vector", forms: `
		.type = pred u16 u32 u64 s16 s32 s64 f32 f64@/13
		mov.type d, a
		.type = b16 b32 b64
		mov.type d<+>, a<+>
		mov.b128 d<+>, a<+> ; 8.3 sm_70
		.type = b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64
		.vec = v2 v4 v8@88/100
		# Not in the manual any more; the compilers of PTX ISA 1.x wrote it.
		mov.vec.type d, a`},
	{name: "prmt", since: 20, minSM: 20, ref: "9.7.9.7", doc: "permute the bytes of a register pair", forms: `
		.mode = f4e b4e rc8 ecl ecr rc16
		prmt.b32{.mode} d, a, b, c`},
	{name: "isspacep", since: 20, minSM: 20, ref: "9.7.9.19", doc: "is a generic address within a state space", forms: `
		.space = const@31 global local param@77/70 param::entry@83/70 shared shared::cta@78/30 shared::cluster@78/90
		isspacep.space p:pred, a:none`},
	{name: "cvta", calc: CalcConvertAddress, since: 20, minSM: 20, ref: "9.7.9.20", doc: "convert between generic and state-space addresses", forms: `
		.space = const@31 global local param@77/70 param::entry@83/70 shared shared::cta@78/30 shared::cluster@78/90
		.size = u32 u64
		cvta.space.size p:size, a:size
		cvta.to.space.size p:size, a:size`},
	{name: "cvt", calc: CalcConvert, since: 10, ref: "9.7.9.21, 9.7.9.22", doc: "convert between types", forms: `
		.rnd = rni rzi rmi rpi rn rz rm rp
		.dtype = u8 u16 u32 u64 s8 s16 s32 s64 f16 f32 f64@/13
		.atype = u8 u16 u32 u64 s8 s16 s32 s64 f16 f32 f64@/13
		cvt{.rnd}{.ftz}{.sat}.dtype.atype d:dtype, a:atype
		.frnd2 = rn rz
		.dtype = f16 bf16
		cvt.frnd2{.relu}{.satfinite@81}.dtype.f32 d:dtype, a:f32 ; 7.0 sm_80
		cvt.f32.bf16 d:f32, a:bf16 ; 7.1 sm_80
		.dtype = u8 u16 u32 u64 s8 s16 s32 s64 bf16 f16 f32 f64
		cvt{.rnd}{.ftz}{.sat}.dtype.bf16 d:dtype, a:bf16 ; 7.8 sm_90
		.atype = u8 u16 u32 u64 s8 s16 s32 s64 f16 f32 f64
		cvt{.rnd}{.ftz}{.sat}.bf16.atype d:bf16, a:atype ; 7.8 sm_90
		.dtype = f16x2 bf16x2
		cvt.frnd2{.relu}{.satfinite@81}.dtype.f32 d:dtype, a:f32, b:f32 ; 7.0 sm_80
		cvt.rs{.relu}{.satfinite}.dtype.f32 d:dtype, a:f32, b:f32, rbits:b32 ; 8.7 sm_100a sm_103a
		cvt.rna{.satfinite@81}.tf32.f32 d:b32, a:f32 ; 7.0 sm_80
		cvt.frnd2{.satfinite@86/100}{.relu}.tf32.f32 d:b32, a:f32 ; 7.8 sm_90
		.f8x2 = e4m3x2 e5m2x2
		cvt.rn.satfinite{.relu}.f8x2.f32 d:b16, a:f32, b:f32 ; 7.8 sm_89
		cvt.rn.satfinite{.relu}.f8x2.f16x2 d:b16, a:f16x2 ; 7.8 sm_89
		cvt.rn{.relu}.f16x2.f8x2 d:f16x2, a:b16 ; 7.8 sm_89
		cvt.rn.satfinite{.relu}.f8x2.bf16x2 d:b16, a:bf16x2 ; 9.1 sm_100f sm_110f sm_120f
		cvt.rn{.relu}{.satfinite}.bf16x2.f8x2 d:bf16x2, a:b16 ; 9.2 sm_100f sm_110f sm_120f
		cvt.rn{.relu}{.satfinite}.scaled::n2::ue8m0.bf16x2.f8x2 d:bf16x2, a:b16, scale_factor:b16 ; 9.2 sm_100f sm_110f sm_120f
		cvt.rn.satfinite{.relu}.e2m1x2.f32 d:b8, a:f32, b:f32 ; 8.6 sm_100f sm_101f sm_120f
		cvt.rn{.relu}.f16x2.e2m1x2 d:f16x2, a:b8 ; 8.6 sm_100f sm_101f sm_120f
		.fp16x2 = f16x2 bf16x2
		cvt.rn.satfinite{.relu}.e2m1x2.fp16x2 d:b8, a:fp16x2 ; 9.1 sm_100f sm_110f sm_120f
		cvt.rn{.relu}{.satfinite}.bf16x2.e2m1x2 d:bf16x2, a:b8 ; 9.2 sm_100f sm_110f sm_120f
		cvt.rn{.relu}{.satfinite}.scaled::n2::ue8m0.bf16x2.e2m1x2 d:bf16x2, a:b8, scale_factor:b16 ; 9.2 sm_100f sm_110f sm_120f
		.f6x2 = e2m3x2 e3m2x2
		cvt.rn.satfinite{.relu}.f6x2.f32 d:b16, a:f32, b:f32 ; 8.6 sm_100f sm_101f sm_120f
		cvt.rn{.relu}.f16x2.f6x2 d:f16x2, a:b16 ; 8.6 sm_100f sm_101f sm_120f
		cvt.rn.satfinite{.relu}.f6x2.fp16x2 d:b16, a:fp16x2 ; 9.1 sm_100f sm_110f sm_120f
		cvt.rn{.relu}{.satfinite}.bf16x2.f6x2 d:bf16x2, a:b16 ; 9.2 sm_100f sm_110f sm_120f
		cvt.rn{.relu}{.satfinite}.scaled::n2::ue8m0.bf16x2.f6x2 d:bf16x2, a:b16, scale_factor:b16 ; 9.2 sm_100f sm_110f sm_120f
		.f8x4 = e4m3x4 e5m2x4 e2m3x4 e3m2x4
		cvt.rs{.relu}.satfinite.f8x4.f32 d:b32, a<4>:f32, rbits:b32 ; 8.7 sm_100a sm_103a
		cvt.rs{.relu}.satfinite.e2m1x4.f32 d:b16, a<4>:f32, rbits:b32 ; 8.7 sm_100a sm_103a
		.frnd3 = rz rp
		cvt.frnd3{.satfinite}.ue8m0x2.f32 d:b16, a:f32, b:f32 ; 8.6 sm_100f sm_101f sm_120f
		cvt.frnd3{.satfinite}.ue8m0x2.bf16x2 d:b16, a:bf16x2 ; 8.6 sm_100f sm_101f sm_120f
		cvt.rn.bf16x2.ue8m0x2 d:bf16x2, a:b16 ; 8.6 sm_100f sm_101f sm_120f
		cvt.rn.satfinite{.relu}.s2f6x2.f32 d:b16, a:f32, b:f32 ; 9.1 sm_100a sm_103a sm_110a sm_120a sm_121a
		cvt.rn.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.f32 d:b16, a:f32, b:f32, scale_factor:b16 ; 9.1 sm_100a sm_103a sm_110a sm_120a sm_121a
		cvt.rn.satfinite{.relu}.s2f6x2.bf16x2 d:b16, a:bf16x2 ; 9.1 sm_100a sm_103a sm_110a sm_120a sm_121a
		cvt.rn.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.bf16x2 d:b16, a:bf16x2, scale_factor:b16 ; 9.1 sm_100a sm_103a sm_110a sm_120a sm_121a
		cvt.rn{.satfinite}{.relu}.bf16x2.s2f6x2 d:bf16x2, a:b16 ; 9.1 sm_100a sm_103a sm_110a sm_120a sm_121a
		cvt.rn{.satfinite}{.relu}.scaled::n2::ue8m0.bf16x2.s2f6x2 d:bf16x2, a:b16, scale_factor:b16 ; 9.1 sm_100a sm_103a sm_110a sm_120a sm_121a
		.dtype = u16 s16
		cvt.pack.sat.dtype.s32 d:b32, a:s32, b:s32 ; 6.5 sm_72
		.dtype = u2@/75 s2@/75 u4@/75 s4@/75 u8 s8
		cvt.pack.sat.dtype.s32.b32 d:b32, a:s32, b:s32, c:b32 ; 6.5 sm_72`},
	{name: "mapa", calc: CalcPeerAddress, since: 78, minSM: 90, ref: "9.7.9.23", doc: "map a shared address to another block of the cluster", forms: `
		.type = u32 u64
		mapa{.shared::cluster}.type d, a, b:u32`},
	{name: "getctarank", since: 78, minSM: 90, ref: "9.7.9.24", doc: "rank of the block that owns a shared address", forms: `
		.type = u32 u64
		getctarank{.shared::cluster}.type d:u32, a`},
}
