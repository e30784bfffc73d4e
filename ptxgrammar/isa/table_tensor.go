// The table: forms of wgmma and tcgen05.

package isa

import (
	"fmt"
	"strings"
)

// wgmmaForms: PTX ISA 9.7.15. The shape's K follows from the type of A, and sparse
// forms have twice as much. A comes from registers, which then have no
// imm-trans-a, or from shared memory through a descriptor; the two are told apart
// by the operand, so that a's type and elements are those of the registers.
func wgmmaForms() string {
	return `
	wgmma.fence.sync.aligned ; orders
	wgmma.commit_group.sync.aligned
	wgmma.wait_group.sync.aligned n:u32#0.. ; orders
` + wgmmaTypes("", "") + wgmmaTypes(".sp", ", sp_meta:b32, sp_sel:s32#0..3") + `
	.shape = ` + wgmmaShapes(256, wgmmaIntegerN) + `
	wgmma.mma_async.sync.aligned.shape.s32.b1.b1.and.popc =+d<frag>, a<frag>:b64, b:b64, scale_d:pred ; reads
`
}

// wgmmaTypes returns the forms for dense (sp empty) or sparse matrices.
func wgmmaTypes(sp, meta string) string {
	k, needs := 1, " ; reads"
	if sp != "" {
		k, needs = 2, " ; 8.2 reads"
	}
	scales := ", scale_d:pred, imm_scale_a:s32#-1|1, imm_scale_b:s32#-1|1"
	return strings.NewReplacer("SP", sp, "META", meta, "SCALES", scales, "NEEDS", needs,
		"K16", wgmmaShapes(16*k, wgmmaFloatN), "K8", wgmmaShapes(8*k, wgmmaFloatN),
		"K32F", wgmmaShapes(32*k, wgmmaFloatN), "K32I", wgmmaShapes(32*k, wgmmaIntegerN)).Replace(`
	.dtype = f32 f16
	.shape = K16
	wgmma.mma_asyncSP.sync.aligned.shape.dtype.f16.f16 =+d<frag>, a<frag>, b:b64METASCALES, imm_trans_b:s32#0|1 NEEDS
	wgmma.mma_asyncSP.sync.aligned.shape.dtype.f16.f16 =+d<frag>, a:b64, b:b64METASCALES, imm_trans_a:s32#0|1, imm_trans_b:s32#0|1 NEEDS
	wgmma.mma_asyncSP.sync.aligned.shape.f32.bf16.bf16 =+d<frag>, a<frag>, b:b64METASCALES, imm_trans_b:s32#0|1 NEEDS
	wgmma.mma_asyncSP.sync.aligned.shape.f32.bf16.bf16 =+d<frag>, a:b64, b:b64METASCALES, imm_trans_a:s32#0|1, imm_trans_b:s32#0|1 NEEDS
	.shape = K8
	wgmma.mma_asyncSP.sync.aligned.shape.f32.tf32.tf32 =+d<frag>, a<frag>:b64, b:b64METASCALES NEEDS
	.atype = e4m3 e5m2
	.btype = e4m3 e5m2
	.shape = K32F
	wgmma.mma_asyncSP.sync.aligned.shape.dtype.atype.btype =+d<frag>, a<frag>:b64, b:b64METASCALES NEEDS
	.atype = u8 s8
	.btype = u8 s8
	.shape = K32I
	wgmma.mma_asyncSP.sync.aligned.shape{.satfinite}.s32.atype.btype =+d<frag>, a<frag>:b64, b:b64META, scale_d:pred NEEDS
`)
}

// wgmmaShapes are m64nNkK for the N that the types allow (PTX ISA 9.7.15.2).
func wgmmaShapes(k int, allowed func(n int) bool) string {
	var shapes []string
	for n := 8; n <= 256; n += 8 {
		if allowed(n) {
			shapes = append(shapes, fmt.Sprintf("m64n%dk%d", n, k))
		}
	}
	return strings.Join(shapes, " ")
}

// wgmmaFloatN: every multiple of eight.
func wgmmaFloatN(int) bool { return true }

// wgmmaIntegerN: 8, 24, and multiples of 16. The public form list leaves 240 and
// 256 out of the dense integer shapes but not out of the sparse and one-bit ones;
// the manual's table of shapes has them for all, which this follows.
func wgmmaIntegerN(n int) bool { return n == 8 || n == 24 || n%16 == 0 }

// tcgen05Forms: PTX ISA 9.7.16. Addresses of tensor memory are not addresses of a
// state space, so that they carry no access.
func tcgen05Forms() string {
	return `
	~ exclusive sync_restrict::shared::read::mma::a spcompress kind::ti16 decompress::lut::b
	~ collector::b::fill collector::b::use collector::b::lastuse collector::b::discard
	tcgen05.alloc{.exclusive@94/100f+101f}.cta_group.sync.aligned{.shared::cta}.b32 [dst]:store=4, nCols ; waits
	tcgen05.dealloc{.exclusive@94/100f+101f}.cta_group.sync.aligned.b32 taddr, nCols ; waits
	tcgen05.relinquish_alloc_permit.cta_group.sync.aligned ; waits
	.multicast = multicast::cluster multicast::cluster::16b@94
	tcgen05.commit.cta_group.mbarrier::arrive::one{.sync_restrict::shared::read::mma::a@94/107f}{.shared::cluster}{.multicast}.b64 [mbar]:signal_arrive{, ctaMask:b16}
	tcgen05.commit.cta_group.mbarrier::arrive::one{.sync_restrict::shared::read::mma::a}{.shared::cluster}.multicast::cluster::32b.b64 [mbar]:signal_arrive, ctaMask:b32 ; 9.4 sm_107f
	.fences = fence::before_thread_sync fence::after_thread_sync
	tcgen05.fences ; orders
	.wait_operation = wait::ld wait::st
	tcgen05.wait_operation.sync.aligned ; orders waits
	.src_fmt = b6x16_p32 b4x16_p64
	.shape = 128x256b 4x256b 128x128b
	tcgen05.cp.cta_group.shape [taddr], s_desc:b64 ; reads
	tcgen05.cp.cta_group.shape.b8x16.src_fmt [taddr], s_desc:b64 ; reads
	.shape = 64x128b
	.multicast = warpx2::02_13 warpx2::01_23
	tcgen05.cp.cta_group.shape.multicast [taddr], s_desc:b64 ; reads
	tcgen05.cp.cta_group.shape.multicast.b8x16.src_fmt [taddr], s_desc:b64 ; reads
	.shape = 32x128b
	tcgen05.cp.cta_group.shape.warpx4 [taddr], s_desc:b64 ; reads
	tcgen05.cp.cta_group.shape.warpx4.b8x16.src_fmt [taddr], s_desc:b64 ; reads
	tcgen05.shift.cta_group.down [taddr] ; sm_100a sm_101a sm_103a sm_107a
` + tensorMoves + tensorMultiplies()
}

// tensorMoves: loads and stores between registers and tensor memory. Every shape
// has as many repetitions as fit 128 registers.
const tensorMoves = `
	.shape = 16x64b 32x32b
	.num = x1 x2 x4 x8 x16 x32 x64 x128
	tcgen05.ld.sync.aligned.shape.num{.pack::16b}.b32 =r<frag>, [taddr] ; waits
	tcgen05.st.sync.aligned.shape.num{.unpack::16b}.b32 [taddr], r<frag> ; waits
	.shape = 16x128b
	.num = x1 x2 x4 x8 x16 x32 x64
	# The syntax line allows every repetition for every shape; the manual's table stops at 128 registers.
	tcgen05.ld.sync.aligned.shape.num{.pack::16b}.b32 =r<frag>, [taddr] ; waits
	tcgen05.st.sync.aligned.shape.num{.unpack::16b}.b32 [taddr], r<frag> ; waits
	.shape = 16x256b
	.num = x1 x2 x4 x8 x16 x32
	tcgen05.ld.sync.aligned.shape.num{.pack::16b}.b32 =r<frag>, [taddr] ; waits
	tcgen05.st.sync.aligned.shape.num{.unpack::16b}.b32 [taddr], r<frag> ; waits
	.shape = 16x32bx2
	.num = x1 x2 x4 x8 x16 x32 x64 x128
	tcgen05.ld.sync.aligned.shape.num{.pack::16b}.b32 =r<frag>, [taddr], immHalfSplitoff:s64#any ; waits
	tcgen05.st.sync.aligned.shape.num{.unpack::16b}.b32 [taddr], immHalfSplitoff:s64#any, r<frag> ; waits
	.redOp = min max
	.type = u32 s32
	.num = x2 x4 x8 x16 x32 x64 x128
	.shape = 32x32b
	# One public form list has .x1 here too; another, with as many tests, begins at .x2, since a reduction of one value is none.
	tcgen05.ld.red.sync.aligned.shape.num.redOp{.abs}{.NaN}.f32 =r<frag>, =redval:f32, [taddr] ; 8.8 sm_101f sm_103f waits
	tcgen05.ld.red.sync.aligned.shape.num.redOp.type =r<frag>, =redval:type, [taddr] ; 8.8 sm_101f sm_103f waits
	.shape = 16x32bx2
	tcgen05.ld.red.sync.aligned.shape.num.redOp{.abs}{.NaN}.f32 =r<frag>, =redval:f32, [taddr], immHalfSplitoff:s64#any ; 8.8 sm_101f sm_103f waits
	tcgen05.ld.red.sync.aligned.shape.num.redOp.type =r<frag>, =redval:type, [taddr], immHalfSplitoff:s64#any ; 8.8 sm_101f sm_103f waits
	.shape = 32x32b
	.num = x4 x8 x16 x32 x64 x128
	tcgen05.ld.spcompress.sync.aligned.shape.num.redOp.sp::2:4{.abs}.f32.b2 =mdata<frag>, =cdata<frag>, [taddr] ; 9.4 sm_107a waits
	tcgen05.ld.red.spcompress.sync.aligned.shape.num.redOp.sp::2:4{.abs}{.NaN}.f32.b2 =mdata<frag>, =cdata<frag>, =redval:f32, [taddr] ; 9.4 sm_107a waits
`

// tensorMultiplies: the a operand is a descriptor or a tensor memory address in
// brackets.
func tensorMultiplies() string {
	return `
	.use = ` + collectorUses("a") + `
	.useb = ` + strings.ReplaceAll(collectorUses("b")+" ", " ", "@94/107f ") + `
	! ashift with collector::a::fill collector::a::use
	! kind::i8 with collector::b::fill collector::b::use collector::b::lastuse collector::b::discard
	.kind = kind::f16 kind::tf32
	# With six operands the last is enable_input_d behind a lane mask, or scale_input_d, which sm_101 does not have; only the operand itself tells.
	tcgen05.mma.cta_group.kind{.use}{.useb} [d], a:any, b:b64, idesc:b32{, disable_output_lane<*>:none}, enable_input_d:none ; reads
	tcgen05.mma.cta_group.kind.ashift{.use}{.useb} [d], [a], b:b64, idesc:b32{, disable_output_lane<*>:none}, enable_input_d:none ; reads
	tcgen05.mma.cta_group.kind{.use}{.useb} [d], a:any, b:b64, idesc:b32, disable_output_lane<*>:b32, enable_input_d:pred, scale_input_d:u32#0..15 ; sm_100f reads
	tcgen05.mma.cta_group.kind.ashift{.use}{.useb} [d], [a], b:b64, idesc:b32, disable_output_lane<*>:b32, enable_input_d:pred, scale_input_d:u32#0..15 ; sm_100f reads
	.kind = kind::f8f6f4 kind::i8@86/100a+101a kind::ti16@94/107f
	tcgen05.mma.cta_group.kind{.use}{.useb} [d], a:any, b:b64, idesc:b32{, disable_output_lane<*>:b32}, enable_input_d:pred ; reads
	tcgen05.mma.cta_group.kind.ashift{.use}{.useb} [d], [a], b:b64, idesc:b32{, disable_output_lane<*>:b32}, enable_input_d:pred ; reads
	tcgen05.mma.cta_group.kind::f8f6f4.decompress::lut::b{.use}{.useb} [d], a:any, b:b64, [b_metadata], idesc:b32{, disable_output_lane<*>:b32}, enable_input_d:pred ; 9.4 sm_107f reads
	.kind = kind::f16 kind::tf32
	tcgen05.mma.sp.cta_group.kind{.use}{.useb} [d], a:any, b:b64, [sp_meta], idesc:b32{, disable_output_lane<*>:none}, enable_input_d:none ; reads
	tcgen05.mma.sp.cta_group.kind.ashift{.use}{.useb} [d], [a], b:b64, [sp_meta], idesc:b32{, disable_output_lane<*>:none}, enable_input_d:none ; reads
	tcgen05.mma.sp.cta_group.kind{.use}{.useb} [d], a:any, b:b64, [sp_meta], idesc:b32, disable_output_lane<*>:b32, enable_input_d:pred, scale_input_d:u32#0..15 ; sm_100f reads
	tcgen05.mma.sp.cta_group.kind.ashift{.use}{.useb} [d], [a], b:b64, [sp_meta], idesc:b32, disable_output_lane<*>:b32, enable_input_d:pred, scale_input_d:u32#0..15 ; sm_100f reads
	.kind = kind::f8f6f4 kind::i8@86/100a+101a kind::ti16@94/107f
	tcgen05.mma.sp.cta_group.kind{.use}{.useb} [d], a:any, b:b64, [sp_meta], idesc:b32{, disable_output_lane<*>:b32}, enable_input_d:pred ; reads
	tcgen05.mma.sp.cta_group.kind.ashift{.use}{.useb} [d], [a], b:b64, [sp_meta], idesc:b32{, disable_output_lane<*>:b32}, enable_input_d:pred ; reads
	.bkind = kind::mxf8f6f4
	.bsize = scale_vec::1X@86/100a+101a+103a+107a block32@88
	# The public form list gives every kind every scale size; the manual's table has one or two for each.
	tcgen05.mma.cta_group.bkind.block_scale{.bsize}{.use}{.useb} [d], a:any, b:b64, idesc:b32, [scale_a], [scale_b], enable_input_d:pred ; reads
	tcgen05.mma.cta_group.bkind.block_scale.decompress::lut::b{.bsize}{.use}{.useb} [d], a:any, b:b64, [b_metadata], idesc:b32, [scale_a], [scale_b], enable_input_d:pred ; 9.4 sm_107f reads
	tcgen05.mma.sp.cta_group.bkind.block_scale{.bsize}{.use}{.useb} [d], a:any, b:b64, [sp_meta], idesc:b32, [scale_a], [scale_b], enable_input_d:pred ; reads
	.bkind = kind::mxf4
	.bsize = scale_vec::2X@86/100a+101a+103a+107a block32@88
	tcgen05.mma.cta_group.bkind.block_scale{.bsize}{.use}{.useb} [d], a:any, b:b64, idesc:b32, [scale_a], [scale_b], enable_input_d:pred ; reads
	tcgen05.mma.sp.cta_group.bkind.block_scale{.bsize}{.use}{.useb} [d], a:any, b:b64, [sp_meta], idesc:b32, [scale_a], [scale_b], enable_input_d:pred ; sm_100a sm_101a sm_103a sm_107a reads
	.bkind = kind::mxf4nvf4
	.bsize = scale_vec::2X@86/100a+101a+103a+107a scale_vec::4X@86/100a+101a+103a+107a block16@88 block32@88
	tcgen05.mma.cta_group.bkind.block_scale.bsize{.use}{.useb} [d], a:any, b:b64, idesc:b32, [scale_a], [scale_b], enable_input_d:pred ; reads
	tcgen05.mma.sp.cta_group.bkind.block_scale.bsize{.use}{.useb} [d], a:any, b:b64, [sp_meta], idesc:b32, [scale_a], [scale_b], enable_input_d:pred ; sm_100a sm_101a sm_103a sm_107a reads
	.use = ` + collectorUses("b0", "b1", "b2", "b3") + `
	.kind = kind::f16 kind::tf32 kind::f8f6f4 kind::i8@86/100a+101a kind::ti16@94/107f
	tcgen05.mma.ws.cta_group::1.kind{.use} [d], a:any, b:b64, idesc:b32, enable_input_d:pred{, zero_column_mask_desc:b64} ; reads
	tcgen05.mma.ws.sp.cta_group::1.kind{.use} [d], a:any, b:b64, [sp_meta], idesc:b32, enable_input_d:pred{, zero_column_mask_desc:b64} ; reads
`
}

// collectorUses returns the modifiers of tcgen05.mma's collector buffers.
func collectorUses(buffers ...string) string {
	var uses []string
	for _, b := range buffers {
		for _, op := range []string{"fill", "use", "lastuse", "discard"} {
			uses = append(uses, "collector::"+b+"::"+op)
		}
	}
	return strings.Join(uses, " ")
}
