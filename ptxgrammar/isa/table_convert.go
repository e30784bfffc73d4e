// The table: forms of cvt.

package isa

// plainConversions: PTX ISA 9.7.9.21. A conversion needs a rounding mode where it may round. Saturation is
// illegal where the destination has all values of the source.
const plainConversions = `
	~ 9.3
	.dtype = u8 u16 u32 u64 s8 s16 s32 s64
	.atype = u8 u16 u32 u64 s8 s16 s32 s64
	! sat with u8.u8 s8.s8 u16.u8 u16.u16 s16.u8 s16.s8 s16.s16 u32.u8 u32.u16 u32.u32 s32.u8 s32.s8 s32.u16 s32.s16 s32.s32
	! sat with u64.u8 u64.u16 u64.u32 u64.u64 s64.u8 s64.s8 s64.u16 s64.s16 s64.u32 s64.s32 s64.s64
	cvt{.sat}.dtype.atype d:dtype, a:atype
	.irnd = rni rzi rmi rpi
	.atype = f16 f64@/13
	cvt.irnd{.sat}.dtype.atype d:dtype, a:atype
	cvt.irnd{.ftz}{.sat}.dtype.f32 d:dtype, a:f32
	.frnd = rn rz rm rp
	.atype = u8 u16 u32 u64 s8 s16 s32 s64 f64@/13
	cvt.frnd{.sat}.f16.atype d:f16, a:atype
	cvt.frnd{.ftz}{.sat}.f32.atype d:f32, a:atype
	.atype = u8 u16 u32 u64 s8 s16 s32 s64
	cvt.frnd{.sat}.f64@/13.atype d:f64, a:atype
	cvt.frnd{.ftz}{.sat}.f16.f32 d:f16, a:f32
	cvt{.irnd}{.sat}.f16.f16 d:f16, a:f16
	cvt{.irnd}{.ftz}{.sat}.f32.f32 d:f32, a:f32
	cvt{.irnd}{.sat}.f64@/13.f64 d:f64, a:f64
	cvt{.ftz}{.sat}.f32.f16 d:f32, a:f16
	cvt{.ftz}{.sat}.f64@/13.f32 d:f64, a:f32
	cvt{.sat}.f64@/13.f16 d:f64, a:f16
`

// bfloatConversions: conversions of .bf16, and of .f32 to it.
const bfloatConversions = `
	.irnd = rni rzi rmi rpi
	.frnd = rn rz rm rp
	.frnd2 = rn rz
	.dtype = f16 bf16
	cvt.frnd2{.relu}{.satfinite@81}{.pzo@94/107f}.dtype.f32 d:dtype, a:f32 ; 7.0 sm_80
	cvt.f32.bf16 d:f32, a:bf16 ; 7.1 sm_80
	cvt{.frnd}{.ftz}.f32.bf16 d:f32, a:bf16 ; 7.8 sm_90
	cvt.frnd{.ftz}.bf16.f32 d:bf16, a:f32 ; 7.0 sm_80
	.atype = u8 u16 u32 u64 s8 s16 s32 s64 f64
	cvt.frnd.bf16.atype d:bf16, a:atype ; 7.8 sm_90
	.dtype = u8 u16 u32 u64 s8 s16 s32 s64
	cvt.irnd.dtype.bf16 d:dtype, a:bf16 ; 7.8 sm_90
	cvt{.irnd}.bf16.bf16 d:bf16, a:bf16 ; 7.8 sm_90
	.dtype = f16 f64
	cvt{.frnd}.dtype.bf16 d:dtype, a:bf16 ; 7.8 sm_90
	cvt{.frnd}.bf16.f16 d:bf16, a:f16 ; 7.8 sm_90
`

// narrowConversions: conversions of pairs and fours, and of types of less than 16 bits. The manual also has .pzo with
// .rs, which ptxas 13.5 refuses.
const narrowConversions = `
	.frnd2 = rn rz
	.dtype = f16x2 bf16x2
	cvt.frnd2{.relu}{.satfinite@81}{.pzo@94/107f}.dtype.f32 d:dtype, a:f32, b:f32 ; 7.0 sm_80
	cvt.rs{.relu}{.satfinite}.dtype.f32 d:dtype, a:f32, b:f32, rbits:b32 ; 8.7 sm_100a sm_103a sm_107a
	cvt.rna{.satfinite@81}.tf32.f32 d:b32, a:f32 ; 7.0 sm_80
	cvt.frnd2{.satfinite@86/100}{.relu}{.pzo@94/107f}.tf32.f32 d:b32, a:f32 ; 7.8 sm_90
	.frnd2 = rn rz@94/107f
	.f8x2 = e4m3x2 e5m2x2
	cvt.frnd2.satfinite{.relu}{.pzo@94/107f}.f8x2.f32 d:b16, a:f32, b:f32 ; 7.8 sm_89
	cvt.frnd2.satfinite{.relu}{.pzo@94/107f}.f8x2.f16x2 d:b16, a:f16x2 ; 7.8 sm_89
	cvt.rn{.relu}.f16x2.f8x2 d:f16x2, a:b16 ; 7.8 sm_89
	cvt.frnd2.satfinite{.relu}{.pzo@94/107f}.f8x2.bf16x2 d:b16, a:bf16x2 ; 9.1 sm_100f sm_110f sm_120f
	cvt.rn{.relu}{.satfinite}.bf16x2.f8x2 d:bf16x2, a:b16 ; 9.2 sm_100f sm_110f sm_120f
	cvt.rn{.relu}{.satfinite}.scaled::n2::ue8m0.bf16x2.f8x2 d:bf16x2, a:b16, scale_factor:b16 ; 9.2 sm_100f sm_110f sm_120f
	cvt.frnd2.satfinite{.relu}{.pzo@94/107f}.e2m1x2.f32 d:b8, a:f32, b:f32 ; 8.6 sm_100f sm_101f sm_120f
	cvt.rn{.relu}.f16x2.e2m1x2 d:f16x2, a:b8 ; 8.6 sm_100f sm_101f sm_120f
	.fp16x2 = f16x2 bf16x2
	cvt.frnd2.satfinite{.relu}{.pzo@94/107f}.e2m1x2.fp16x2 d:b8, a:fp16x2 ; 9.1 sm_100f sm_110f sm_120f
	cvt.rn{.relu}{.satfinite}.bf16x2.e2m1x2 d:bf16x2, a:b8 ; 9.2 sm_100f sm_110f sm_120f
	cvt.rn{.relu}{.satfinite}.scaled::n2::ue8m0.bf16x2.e2m1x2 d:bf16x2, a:b8, scale_factor:b16 ; 9.2 sm_100f sm_110f sm_120f
	.f6x2 = e2m3x2 e3m2x2
	cvt.frnd2.satfinite{.relu}{.pzo@94/107f}.f6x2.f32 d:b16, a:f32, b:f32 ; 8.6 sm_100f sm_101f sm_120f
	cvt.rn{.relu}.f16x2.f6x2 d:f16x2, a:b16 ; 8.6 sm_100f sm_101f sm_120f
	cvt.frnd2.satfinite{.relu}{.pzo@94/107f}.f6x2.fp16x2 d:b16, a:fp16x2 ; 9.1 sm_100f sm_110f sm_120f
	cvt.rn{.relu}{.satfinite}.bf16x2.f6x2 d:bf16x2, a:b16 ; 9.2 sm_100f sm_110f sm_120f
	cvt.rn{.relu}{.satfinite}.scaled::n2::ue8m0.bf16x2.f6x2 d:bf16x2, a:b16, scale_factor:b16 ; 9.2 sm_100f sm_110f sm_120f
	.frnd2 = rn rz
	.narrow = e4m3x2 e5m2x2 e2m3x2 e3m2x2
	cvt.frnd2.satfinite{.relu}{.pzo}.scaled::n1::ue8m0.narrow.f32 d:b16, a:f32, b:f32, scale_factor:b8 ; 9.4 sm_107f
	cvt.frnd2.satfinite{.relu}{.pzo}.scaled::n1::ue8m0.narrow.fp16x2 d:b16, a:fp16x2, scale_factor:b8 ; 9.4 sm_107f
	cvt.frnd2.satfinite{.relu}{.pzo}.scaled::n1::ue8m0.e2m1x2.f32 d:b8, a:f32, b:f32, scale_factor:b8 ; 9.4 sm_107f
	cvt.frnd2.satfinite{.relu}{.pzo}.scaled::n1::ue8m0.e2m1x2.fp16x2 d:b8, a:fp16x2, scale_factor:b8 ; 9.4 sm_107f
	.f8x4 = e4m3x4 e5m2x4 e2m3x4 e3m2x4
	cvt.rs{.relu}.satfinite.f8x4.f32 d:b32, a<4>:f32, rbits:b32 ; 8.7 sm_100a sm_103a sm_107a
	cvt.rs{.relu}.satfinite.e2m1x4.f32 d:b16, a<4>:f32, rbits:b32 ; 8.7 sm_100a sm_103a sm_107a
	.frnd3 = rz rp
	cvt.frnd3{.satfinite}.ue8m0x2.f32 d:b16, a:f32, b:f32 ; 8.6 sm_100f sm_101f sm_120f
	cvt.frnd3{.satfinite}.ue8m0x2.bf16x2 d:b16, a:bf16x2 ; 8.6 sm_100f sm_101f sm_120f
	cvt.rn.bf16x2.ue8m0x2 d:bf16x2, a:b16 ; 8.6 sm_100f sm_101f sm_120f
	.frnd2 = rn rz@94/107f
	cvt.frnd2.satfinite{.relu}.s2f6x2.f32 d:b16, a:f32, b:f32 ; 9.1 sm_100a sm_103a sm_107a sm_110a sm_120a sm_121a
	cvt.frnd2.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.f32 d:b16, a:f32, b:f32, scale_factor:b16 ; 9.1 sm_100a sm_103a sm_107a sm_110a sm_120a sm_121a
	cvt.frnd2.satfinite{.relu}.s2f6x2.bf16x2 d:b16, a:bf16x2 ; 9.1 sm_100a sm_103a sm_107a sm_110a sm_120a sm_121a
	cvt.frnd2.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.bf16x2 d:b16, a:bf16x2, scale_factor:b16 ; 9.1 sm_100a sm_103a sm_107a sm_110a sm_120a sm_121a
	cvt.rn{.satfinite}{.relu}.bf16x2.s2f6x2 d:bf16x2, a:b16 ; 9.1 sm_100a sm_103a sm_107a sm_110a sm_120a sm_121a
	cvt.rn{.satfinite}{.relu}.scaled::n2::ue8m0.bf16x2.s2f6x2 d:bf16x2, a:b16, scale_factor:b16 ; 9.1 sm_100a sm_103a sm_107a sm_110a sm_120a sm_121a
	.frnd4 = rn rz rp
	cvt.frnd4{.satfinite}.ue5m3x2.f32 d:b16, a:f32, b:f32 ; 9.4 sm_107f
	cvt.frnd4{.satfinite}.ue5m3x2.fp16x2 d:b16, a:fp16x2 ; 9.4 sm_107f
	.frnd2 = rn rz
	cvt.frnd2{.satfinite}.scaled::n1::ue8m0.ue5m3x2.f32 d:b16, a:f32, b:f32, scale_factor:b8 ; 9.4 sm_107f
	cvt.frnd2{.satfinite}.scaled::n1::ue8m0.ue5m3x2.fp16x2 d:b16, a:fp16x2, scale_factor:b8 ; 9.4 sm_107f
	cvt.rn.f16x2.ue5m3x2 d:f16x2, a:b16 ; 9.4 sm_107f
	cvt.rn{.satfinite}.bf16x2.ue5m3x2 d:bf16x2, a:b16 ; 9.4 sm_107f
	cvt.rn{.satfinite}.scaled::n2::ue8m0.bf16x2.ue5m3x2 d:bf16x2, a:b16, scale_factor:b16 ; 9.4 sm_107f
`

// packConversions: PTX ISA 9.7.9.22.
const packConversions = `
	.dtype = u16 s16
	cvt.pack.sat.dtype.s32 d:b32, a:s32, b:s32 ; 6.5 sm_72
	.dtype = u2@/75 s2@/75 u4@/75 s4@/75 u8 s8
	cvt.pack.sat.dtype.s32.b32 d:b32, a:s32, b:s32, c:b32 ; 6.5 sm_72
`
