package isa

// matrixRows: PTX ISA 9.7.14 to 9.7.16. A fragment is a vector of as many
// registers as the shape says; its elements have no type here, since a register
// holds several of them. All of the warp takes part.
var matrixRows = []row{
	{name: "wmma", since: 60, minSM: 70, ref: "9.7.14.4", doc: "warp-wide matrix load, store and multiply-add", effects: Convergent | Synchronises, forms: `
		.frag = a b c
		.layout = row col
		.shape = m16n16k16 m8n32k16 m32n8k16 m16n16k8 m8n8k4 m8n8k32 m8n8k128
		.ss = global shared shared::cta
		.type = f16 bf16 tf32 f32 f64 s8 u8 s4 u4 b1 s32
		wmma.load.frag.sync.aligned.layout.shape{.ss}.type =r<*>:none, [p]{, stride:u32} ; load
		.type = f16 f32 f64 s32
		wmma.store.d.sync.aligned.layout.shape{.ss}.type [p], r<*>:none{, stride:u32} ; store
		.alayout = row col
		.blayout = row col
		.dtype = f16 f32
		.ctype = f16 f32
		wmma.mma.sync.aligned.alayout.blayout.shape.dtype.ctype{.satfinite} d<*>:none, a<*>:none, b<*>:none, c<*>:none
		.atype = f16 bf16 tf32
		.btype = f16 bf16 tf32
		wmma.mma.sync.aligned.alayout.blayout.shape.f32.atype.btype.f32 d<*>:none, a<*>:none, b<*>:none, c<*>:none ; 7.0 sm_80
		wmma.mma.sync.aligned.alayout.blayout.shape{.rnd}.f64.f64.f64.f64 d<*>:none, a<*>:none, b<*>:none, c<*>:none ; 7.0 sm_80
		.atype = u8 s8 u4 s4
		.btype = u8 s8 u4 s4
		wmma.mma.sync.aligned.alayout.blayout.shape.s32.atype.btype.s32{.satfinite} d<*>:none, a<*>:none, b<*>:none, c<*>:none ; 6.3 sm_72
		.op = xor and
		wmma.mma.op.popc.sync.aligned.alayout.blayout.shape.s32.b1.b1.s32 d<*>:none, a<*>:none, b<*>:none, c<*>:none ; 6.3 sm_75`},
	{name: "mma", since: 64, minSM: 70, ref: "9.7.14.5, 9.7.14.6", doc: "warp-wide matrix multiply-add on registers", effects: Convergent | Synchronises, forms: `
		.alayout = row col
		.blayout = row col
		.shape = m8n8k4 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n8k64 m16n8k128 m16n8k256 m8n8k16 m8n8k32 m8n8k128
		.dtype = f16 f32 f64 s32
		.ctype = f16 f32 f64 s32
		.atype = f16 bf16 tf32 f64 e4m3 e5m2 e3m2 e2m3 e2m1 u8 s8 u4 s4
		.btype = f16 bf16 tf32 f64 e4m3 e5m2 e3m2 e2m3 e2m1 u8 s8 u4 s4
		mma.sync.aligned.shape.alayout.blayout{.satfinite}.dtype.atype.btype.ctype d<*>:none, a<*>:none, b<*>:none, c<*>:none
		.bitOp = xor and
		mma.sync.aligned.shape.alayout.blayout.s32.b1.b1.s32.bitOp.popc d<*>:none, a<*>:none, b<*>:none, c<*>:none ; 7.0 sm_75
		.kind = kind::f8f6f4
		mma.sync.aligned.shape.alayout.blayout.kind.dtype.atype.btype.ctype d<*>:none, a<*>:none, b<*>:none, c<*>:none ; 8.7 sm_120
		.kind = kind::mxf4 kind::mxf4nvf4 kind::mxf8f6f4
		.scale_vec_size = scale_vec::1X scale_vec::2X scale_vec::4X
		.stype = ue8m0 ue4m3
		mma.sync.aligned.shape.alayout.blayout.kind.block_scale{.scale_vec_size}.dtype.atype.btype.ctype.stype d<*>:none, a<*>:none, b<*>:none, c<*>:none, scale_a:b32, ids_a<2>:u16, scale_b:b32, ids_b<2>:u16 ; 8.7 sm_120
		.spvariant = sp sp::ordered_metadata
		mma.spvariant.sync.aligned.shape.alayout.blayout{.satfinite}.dtype.atype.btype.ctype d<*>:none, a<*>:none, b<*>:none, c<*>:none, e:b32, f:u32 ; 7.1 sm_80
		.kind = kind::f8f6f4
		mma.spvariant.sync.aligned.shape.alayout.blayout.kind.dtype.atype.btype.ctype d<*>:none, a<*>:none, b<*>:none, c<*>:none, e:b32, f:u32 ; 8.7 sm_120
		.kind = kind::mxf4 kind::mxf4nvf4 kind::mxf8f6f4
		mma.spvariant.sync.aligned.shape.alayout.blayout.kind.block_scale{.scale_vec_size}.dtype.atype.btype.ctype.stype d<*>:none, a<*>:none, b<*>:none, c<*>:none, e:b32, f:u32, scale_a:b32, ids_a<2>:u16, scale_b:b32, ids_b<2>:u16 ; 8.7 sm_120`},
	{name: "ldmatrix", since: 65, minSM: 75, ref: "9.7.14.5.15", doc: "load matrices from shared memory; each address names a row of 16 bytes", effects: Convergent | Synchronises, access: AccessLoad, forms: `
		.shape = m8n8 m16n16
		.num = x1 x2 x4
		.ss = shared shared::cta
		.type = b16 b8
		ldmatrix.sync.aligned.shape.num{.trans}{.ss}.type =r<*>:b32, [p]
		.shape = m8n16 m16n16
		.src_fmt = b6x16_p32 b4x16_p64
		ldmatrix.sync.aligned.shape.num{.trans}{.ss}.b8x16.src_fmt =r<*>:b32, [p] ; 8.6 sm_100`},
	{name: "stmatrix", since: 78, minSM: 90, ref: "9.7.14.5.16", doc: "store matrices to shared memory; each address names a row of 16 bytes", effects: Convergent | Synchronises, access: AccessStore, forms: `
		.shape = m8n8 m16n8
		.num = x1 x2 x4
		.ss = shared shared::cta
		.type = b16 b8
		stmatrix.sync.aligned.shape.num{.trans}{.ss}.type [p], r<*>:b32`},
	{name: "movmatrix", since: 78, minSM: 75, ref: "9.7.14.5.17", doc: "transpose a matrix across the warp", effects: Convergent | Synchronises, forms: `
		movmatrix.sync.aligned.m8n8.trans.b16 d:b32, a:b32`},
	{name: "wgmma", since: 80, minSM: 90, ref: "9.7.15", doc: "warpgroup-wide asynchronous matrix multiply-add", effects: Convergent | Synchronises, forms: `
		wgmma.fence.sync.aligned ; orders
		wgmma.commit_group.sync.aligned
		wgmma.wait_group.sync.aligned n:u32 ; orders
		.dtype = f16 f32
		.atype = f16 bf16 tf32 e4m3 e5m2
		.btype = f16 bf16 tf32 e4m3 e5m2
		wgmma.mma_async.sync.aligned.wgmma_shape.dtype.atype.btype =+d<*>:none, a<*>:none, b:b64, scale_d:pred, imm_scale_a:s32, imm_scale_b:s32{, imm_trans_a:s32}{, imm_trans_b:s32} ; reads
		wgmma.mma_async.sp.sync.aligned.wgmma_shape.dtype.atype.btype =+d<*>:none, a<*>:none, b:b64, sp_meta:b32, sp_sel:s32, scale_d:pred, imm_scale_a:s32, imm_scale_b:s32{, imm_trans_a:s32}{, imm_trans_b:s32} ; 8.2 reads
		.atype = u8 s8
		.btype = u8 s8
		wgmma.mma_async.sync.aligned.wgmma_shape{.satfinite}.s32.atype.btype =+d<*>:none, a<*>:none, b:b64, scale_d:pred ; reads
		wgmma.mma_async.sp.sync.aligned.wgmma_shape{.satfinite}.s32.atype.btype =+d<*>:none, a<*>:none, b:b64, sp_meta:b32, sp_sel:s32, scale_d:pred ; 8.2 reads
		wgmma.mma_async.sync.aligned.wgmma_shape.s32.b1.b1.and.popc =+d<*>:none, a<*>:none, b:b64, scale_d:pred ; reads`},
	{name: "tcgen05", since: 86, minSM: 100, ref: "9.7.16", doc: "tensor memory and matrix multiply-add of the fifth-generation tensor core", effects: Convergent, forms: tcgen05Forms},
}

// tcgen05Forms: addresses of tensor memory are not addresses of a state space,
// so these forms have no Access. The second operand of mma is a descriptor or a
// tensor memory address in brackets.
const tcgen05Forms = `
	tcgen05.alloc.cta_group.sync.aligned{.shared::cta}.b32 [dst], nCols ; writes waits
	tcgen05.dealloc.cta_group.sync.aligned.b32 taddr, nCols ; waits
	tcgen05.relinquish_alloc_permit.cta_group.sync.aligned ; waits
	tcgen05.commit.cta_group.mbarrier::arrive::one{.shared::cluster}{.multicast::cluster}.b64 [mbar]{, ctaMask:b16} ; reads writes
	.fences = fence::before_thread_sync fence::after_thread_sync
	tcgen05.fences ; orders
	.wait_operation = wait::ld wait::st
	tcgen05.wait_operation.sync.aligned ; orders waits
	.cpshape = 128x256b 4x256b 128x128b 64x128b 32x128b
	.multicast = warpx2::02_13 warpx2::01_23 warpx4
	.src_fmt = b6x16_p32 b4x16_p64
	tcgen05.cp.cta_group.cpshape{.multicast}{.b8x16}{.src_fmt} [taddr], s_desc:b64 ; reads
	tcgen05.shift.cta_group.down [taddr]
	.shape = 16x64b 16x128b 16x256b 32x32b 16x32bx2
	.num = x1 x2 x4 x8 x16 x32 x64 x128
	tcgen05.ld.sync.aligned.shape.num{.pack::16b}.b32 =r<*>:b32, [taddr]{, immHalfSplitoff:s64} ; waits
	.redOp = min max
	.type = u32 s32 f32
	tcgen05.ld.red.sync.aligned.shape.num.redOp{.abs}{.NaN}.type =r<*>, =redval, [taddr]{, immHalfSplitoff:s64} ; waits
	tcgen05.st.sync.aligned.shape.num{.unpack::16b}.b32 [taddr], r<*> ; waits
	tcgen05.st.sync.aligned.shape.num{.unpack::16b}.b32 [taddr], immHalfSplitoff:s64, r<*> ; waits
	.kind = kind::f16 kind::tf32 kind::f8f6f4 kind::i8
	tcgen05.mma.cta_group.kind{.ashift}{.collector_usage} [d], a:any, b:b64, idesc:b32, enable_input_d:pred ; reads
	tcgen05.mma.cta_group.kind{.ashift}{.collector_usage} [d], a:any, b:b64, idesc:b32, disable_output_lane<*>:b32, enable_input_d:pred{, scale_input_d:u32} ; reads
	tcgen05.mma.sp.cta_group.kind{.ashift}{.collector_usage} [d], a:any, b:b64, [sp_meta], idesc:b32, enable_input_d:pred ; reads
	tcgen05.mma.sp.cta_group.kind{.ashift}{.collector_usage} [d], a:any, b:b64, [sp_meta], idesc:b32, disable_output_lane<*>:b32, enable_input_d:pred{, scale_input_d:u32} ; reads
	tcgen05.mma.ws.cta_group.kind{.collector_usage} [d], a:any, b:b64, idesc:b32, enable_input_d:pred{, zero_column_mask_desc:b64} ; reads
	tcgen05.mma.ws.sp.cta_group.kind{.collector_usage} [d], a:any, b:b64, [sp_meta], idesc:b32, enable_input_d:pred{, zero_column_mask_desc:b64} ; reads
	.kind = kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4
	.scale_vectorsize = scale_vec::1X scale_vec::2X scale_vec::4X block16 block32
	tcgen05.mma.cta_group.kind.block_scale{.scale_vectorsize}{.collector_usage} [d], a:any, b:b64, idesc:b32, [scale_a], [scale_b], enable_input_d:pred ; reads
	tcgen05.mma.sp.cta_group.kind.block_scale{.scale_vectorsize}{.collector_usage} [d], a:any, b:b64, [sp_meta], idesc:b32, [scale_a], [scale_b], enable_input_d:pred ; reads
`
