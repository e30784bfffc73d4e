// The table: forms of mma and mma.sp.

package isa

import "strings"

// mmaForms: one line for each combination of types that the manual lists, with
// the shapes that go with it (PTX ISA 9.7.14.5.14 and 9.7.14.6.3). ABCD stands for
// the four fragments. Block scaling adds the scales of A and B with their byte and
// thread selectors; sparse forms add the metadata and its selector.
func mmaForms() string {
	return strings.ReplaceAll(`
	.alayout = row col
	.blayout = row col
	.f8a = e4m3 e5m2
	.f8b = e4m3 e5m2
	.f6a = e4m3 e5m2 e3m2 e2m3 e2m1
	.f6b = e4m3 e5m2 e3m2 e2m3 e2m1
	.i8a = u8 s8
	.i8b = u8 s8
	.i4a = u4 s4
	.i4b = u4 s4
	.shape = m8n8k4
	.ctype = f16 f32
	mma.sync.aligned.shape.alayout.blayout.f32.f16.f16.ctype ABCD
	mma.sync.aligned.shape.alayout.blayout.f16.f16.f16.f16 ABCD
	.shape = m16n8k8 m16n8k16@70/80
	# Here and in sparse forms the public form lists pair any type of d with any of c; the manual's text wants one type for both, as newer LLVM does.
	mma.sync.aligned.shape.row.col.f32.f16.f16.f32 ABCD ; 6.5 sm_75
	mma.sync.aligned.shape.row.col.f16.f16.f16.f16 ABCD ; 6.5 sm_75
	.shape = m16n8k8 m16n8k16
	mma.sync.aligned.shape.row.col.f32.bf16.bf16.f32 ABCD ; 7.0 sm_80
	.shape = m16n8k4 m16n8k8
	mma.sync.aligned.shape.row.col.f32.tf32.tf32.f32 ABCD ; 7.0 sm_80
	.shape = m16n8k16@87 m16n8k32
	mma.sync.aligned.shape.row.col.f32.f8a.f8b.f32 ABCD ; 8.4 sm_89
	mma.sync.aligned.shape.row.col.f16.f8a.f8b.f16 ABCD ; 8.7 sm_89
	.kind = kind::f8f6f4
	.shape = m16n8k32
	mma.sync.aligned.shape.row.col.kind.f32.f6a.f6b.f32 ABCD ; 8.7 sm_120f
	mma.sync.aligned.shape.row.col.kind.f16.f6a.f6b.f16 ABCD ; 8.7 sm_120f
	.shape = m8n8k4 m16n8k4@78/90 m16n8k8@78/90 m16n8k16@78/90
	mma.sync.aligned.shape.row.col.f64.f64.f64.f64 ABCD ; 7.0 sm_80
	.shape = m8n8k16 m16n8k16@70/80 m16n8k32@70/80
	mma.sync.aligned.shape.row.col{.satfinite}.s32.i8a.i8b.s32 ABCD ; 6.5 sm_75
	.shape = m8n8k32 m16n8k32@70/80 m16n8k64@70/80
	mma.sync.aligned.shape.row.col{.satfinite}.s32.i4a.i4b.s32 ABCD ; 6.5 sm_75
	.bitOp = xor and@71/80
	.shape = m8n8k128 m16n8k128@70/80 m16n8k256@70/80
	mma.sync.aligned.shape.row.col.s32.b1.b1.s32.bitOp.popc ABCD ; 7.0 sm_75
`+blockScaled("mma.", "m16n8k64", "m16n8k32", "ABCD", "sm_120f")+`
	.spvariant = sp sp::ordered_metadata@85
	.shape = m16n8k16 m16n8k32
	mma.spvariant.sync.aligned.shape.row.col.f32.f16.f16.f32 ABCD, e:b32, f:u32#0..3 ; 7.1 sm_80
	mma.spvariant.sync.aligned.shape.row.col.f16.f16.f16.f16 ABCD, e:b32, f:u32#0..3 ; 7.1 sm_80
	mma.spvariant.sync.aligned.shape.row.col.f32.bf16.bf16.f32 ABCD, e:b32, f:u32#0..3 ; 7.1 sm_80
	.shape = m16n8k8 m16n8k16
	mma.spvariant.sync.aligned.shape.row.col.f32.tf32.tf32.f32 ABCD, e:b32, f:u32#0..3 ; 7.1 sm_80
	.shape = m16n8k64
	mma.spvariant.sync.aligned.shape.row.col.f32.f8a.f8b.f32 ABCD, e:b32, f:u32#0..3 ; 8.4 sm_89
	.shape = m16n8k32 m16n8k64
	mma.spvariant.sync.aligned.shape.row.col{.satfinite}.s32.i8a.i8b.s32 ABCD, e:b32, f:u32#0..3 ; 7.1 sm_80
	.shape = m16n8k64 m16n8k128
	mma.spvariant.sync.aligned.shape.row.col{.satfinite}.s32.i4a.i4b.s32 ABCD, e:b32, f:u32#0..3 ; 7.1 sm_80
	.kind = kind::f8f6f4
	.shape = m16n8k64
	mma.sp::ordered_metadata.sync.aligned.shape.row.col.kind.f32.f6a.f6b.f32 ABCD, e:b32, f:u32#0..3 ; 8.7 sm_120f
	mma.sp::ordered_metadata.sync.aligned.shape.row.col.kind.f16.f6a.f6b.f16 ABCD, e:b32, f:u32#0..3 ; 8.7 sm_120f
`+blockScaled("mma.sp::ordered_metadata.", "m16n8k128", "m16n8k64", "ABCD, e:b32, f:u32#0..3", "sm_120a sm_121a"), "ABCD", "d<frag>, a<frag>, b<frag>, c<frag>")
}

// blockScaled returns the forms with scale factors for blocks of A and B: in the
// 4-bit kinds one shape and some targets, in the mixed kind others.
func blockScaled(name, shape4, shape8, operands, targets4 string) string {
	operands += ", scale_a:b32, ids_a<2>:u16, scale_b:b32, ids_b<2>:u16 ; 8.7"
	return strings.NewReplacer("NAME.", name, "SHAPE4", shape4, "SHAPE8", shape8, "OPS4", operands+" "+targets4, "OPS8", operands+" sm_120f").Replace(`
	.kind = kind::mxf4
	.size = scale_vec::2X
	.shape = SHAPE4
	NAME.sync.aligned.shape.row.col.kind.block_scale{.size}.f32.e2m1.e2m1.f32.ue8m0 OPS4
	.kind = kind::mxf4nvf4
	.size = scale_vec::2X
	NAME.sync.aligned.shape.row.col.kind.block_scale.size.f32.e2m1.e2m1.f32.ue8m0 OPS4
	.size = scale_vec::4X
	.stype = ue4m3 ue8m0@91
	NAME.sync.aligned.shape.row.col.kind.block_scale.size.f32.e2m1.e2m1.f32.stype OPS4
	.kind = kind::mxf8f6f4
	.size = scale_vec::1X
	.shape = SHAPE8
	NAME.sync.aligned.shape.row.col.kind.block_scale{.size}.f32.f6a.f6b.f32.ue8m0 OPS8
`)
}
