// The table: matrix instructions of a warp, a warpgroup and a CTA.

package isa

// matrixRows: PTX ISA 9.7.14 and 9.7.15. A fragment is a vector of as many
// registers as the shape and the type say (fragment.go). All of the warp, or the
// warpgroup, takes part.
var matrixRows = []row{
	{name: "wmma", since: 60, minSM: 70, ref: "9.7.14.4", doc: "warp-wide matrix load, store and multiply-add", effects: Convergent | Synchronises, forms: `
		# The manual wants .aligned since PTX ISA 6.3 and did not know it before, so that it is optional here.
		.layout = row col
		.ss = global shared shared::cta@78
		.frag = a b
		.shape = m16n16k16 m8n32k16@61 m32n8k16@61
		.type = f16 s8@63/72 u8@63/72 bf16@70/80
		wmma.load.frag.sync{.aligned@63!63}.layout.shape{.ss}.type =r<frag>, [p]{, stride:u32} ; load
		.shape = m16n16k8
		wmma.load.frag.sync.aligned.layout.shape{.ss}.tf32 =r<frag>, [p]{, stride:u32} ; 7.0 sm_80 load
		.shape = m8n8k4
		wmma.load.frag.sync.aligned.layout.shape{.ss}.f64 =r<frag>, [p]{, stride:u32} ; 7.0 sm_80 load
		.type = s4 u4
		.frag = a
		.layout = row
		.shape = m8n8k32
		wmma.load.frag.sync.aligned.layout.shape{.ss}.type =r<frag>, [p]{, stride:u32} ; 6.3 sm_75 load
		.shape = m8n8k128
		wmma.load.frag.sync.aligned.layout.shape{.ss}.b1 =r<frag>, [p]{, stride:u32} ; 6.3 sm_75 load
		.frag = b
		.layout = col
		.shape = m8n8k32
		wmma.load.frag.sync.aligned.layout.shape{.ss}.type =r<frag>, [p]{, stride:u32} ; 6.3 sm_75 load
		.shape = m8n8k128
		wmma.load.frag.sync.aligned.layout.shape{.ss}.b1 =r<frag>, [p]{, stride:u32} ; 6.3 sm_75 load
		.layout = row col
		.frag = c
		.shape = m16n16k16 m8n32k16@61 m32n8k16@61
		.type = f16 f32 s32@63/72
		wmma.load.frag.sync{.aligned@63!63}.layout.shape{.ss}.type =r<frag>, [p]{, stride:u32} ; load
		.shape = m16n16k8
		wmma.load.frag.sync.aligned.layout.shape{.ss}.f32 =r<frag>, [p]{, stride:u32} ; 7.0 sm_80 load
		.shape = m8n8k4
		wmma.load.frag.sync.aligned.layout.shape{.ss}.f64 =r<frag>, [p]{, stride:u32} ; 7.0 sm_80 load
		.shape = m8n8k32 m8n8k128
		wmma.load.frag.sync.aligned.layout.shape{.ss}.s32 =r<frag>, [p]{, stride:u32} ; 6.3 sm_75 load
		.frag = d
		.shape = m16n16k16 m8n32k16@61 m32n8k16@61
		.type = f16 f32 s32@63/72
		wmma.store.frag.sync{.aligned@63!63}.layout.shape{.ss}.type [p], r<frag>{, stride:u32} ; store
		.shape = m16n16k8
		wmma.store.frag.sync.aligned.layout.shape{.ss}.f32 [p], r<frag>{, stride:u32} ; 7.0 sm_80 store
		.shape = m8n8k4
		wmma.store.frag.sync.aligned.layout.shape{.ss}.f64 [p], r<frag>{, stride:u32} ; 7.0 sm_80 store
		.shape = m8n8k32 m8n8k128
		wmma.store.frag.sync.aligned.layout.shape{.ss}.s32 [p], r<frag>{, stride:u32} ; 6.3 sm_75 store
		.alayout = row col
		.blayout = row col
		.shape = m16n16k16 m8n32k16@61 m32n8k16@61
		.dtype = f16 f32
		.ctype = f16 f32
		# The manual dropped .satfinite from this form in PTX ISA 6.5; older compilers wrote it.
		wmma.mma.sync{.aligned@63!63}.alayout.blayout.shape.dtype.ctype{.satfinite@-65} d<frag>, a<frag>, b<frag>, c<frag>
		wmma.mma.sync.aligned.alayout.blayout.shape.f32.bf16.bf16.f32 d<frag>, a<frag>, b<frag>, c<frag> ; 7.0 sm_80
		.atype = u8
		.btype = u8
		# The public form lists mix signed and unsigned; the manual's text wants one type for A and B in wmma.
		wmma.mma.sync.aligned.alayout.blayout.shape.s32.atype.btype.s32{.satfinite} d<frag>, a<frag>, b<frag>, c<frag> ; 6.3 sm_72
		.atype = s8
		.btype = s8
		wmma.mma.sync.aligned.alayout.blayout.shape.s32.atype.btype.s32{.satfinite} d<frag>, a<frag>, b<frag>, c<frag> ; 6.3 sm_72
		.shape = m16n16k8
		wmma.mma.sync.aligned.alayout.blayout.shape.f32.tf32.tf32.f32 d<frag>, a<frag>, b<frag>, c<frag> ; 7.0 sm_80
		.shape = m8n8k4
		wmma.mma.sync.aligned.alayout.blayout.shape{.rnd}.f64.f64.f64.f64 d<frag>, a<frag>, b<frag>, c<frag> ; 7.0 sm_80
		.shape = m8n8k32
		.atype = u4
		.btype = u4
		wmma.mma.sync.aligned.row.col.shape.s32.atype.btype.s32{.satfinite} d<frag>, a<frag>, b<frag>, c<frag> ; 6.3 sm_75
		.atype = s4
		.btype = s4
		wmma.mma.sync.aligned.row.col.shape.s32.atype.btype.s32{.satfinite} d<frag>, a<frag>, b<frag>, c<frag> ; 6.3 sm_75
		.op = xor and@71/80
		.shape = m8n8k128
		wmma.mma.op.popc.sync.aligned.row.col.shape.s32.b1.b1.s32 d<frag>, a<frag>, b<frag>, c<frag> ; 6.3 sm_75`},
	{name: "mma", since: 64, minSM: 70, ref: "9.7.14.5, 9.7.14.6", doc: "warp-wide matrix multiply-add on registers", effects: Convergent | Synchronises, made: mmaForms},
	{name: "ldmatrix", since: 65, minSM: 75, ref: "9.7.14.5.15", doc: "load matrices from shared memory; each address names a row of 16 bytes", effects: Convergent | Synchronises, access: "load", forms: `
		~ 9.3
		.ss = shared shared::cta@78
		.num = x1 x2 x4
		.shape = m8n8
		ldmatrix.sync.aligned.shape.num{.trans}{.ss}.b16 =r<frag>, [p]
		.num = x1 x2
		.shape = m16n16
		# The second form list gives one line for .m8n8 and .m16n16; the manual's text has .b8 and .trans with .m16n16 only, which this table follows.
		ldmatrix.sync.aligned.shape.num.trans{.ss}.b8 =r<frag>, [p] ; 8.6 sm_100f sm_101f sm_120f
		.src_fmt = b6x16_p32 b4x16_p64
		ldmatrix.sync.aligned.shape.num.trans{.ss}.b8x16.src_fmt =r<frag>, [p] ; 8.6 sm_100f sm_101f sm_120f
		.num = x1 x2 x4
		.shape = m8n16
		ldmatrix.sync.aligned.shape.num{.ss}.b8x16.src_fmt =r<frag>, [p] ; 8.6 sm_100f sm_101f sm_120f
		ldmatrix.sync.aligned.shape.num{.ss}.s8.s4 =r<frag>, [p] ; 9.4 sm_90a sm_100f sm_101f sm_120f`},
	{name: "stmatrix", since: 78, minSM: 90, ref: "9.7.14.5.16", doc: "store matrices to shared memory; each address names a row of 16 bytes", effects: Convergent | Synchronises, access: "store", forms: `
		.num = x1 x2 x4
		.ss = shared shared::cta
		.shape = m8n8
		stmatrix.sync.aligned.shape.num{.trans}{.ss}.b16 [p], r<frag>
		.shape = m16n8
		stmatrix.sync.aligned.shape.num.trans{.ss}.b8 [p], r<frag> ; 8.6 sm_100f sm_101f sm_120f`},
	{name: "movmatrix", since: 78, minSM: 75, ref: "9.7.14.5.17", doc: "transpose a matrix across the warp", effects: Convergent | Synchronises, forms: `
		movmatrix.sync.aligned.m8n8.trans.b16 d:b32, a:b32`},
	{name: "wgmma", since: 80, only: "sm_90a", ref: "9.7.15", doc: "warpgroup-wide asynchronous matrix multiply-add", effects: Convergent | Synchronises, made: wgmmaForms},
	{name: "tcgen05", since: 86, only: "sm_100f sm_101f", ref: "9.7.16", doc: "tensor memory and matrix multiply-add of the fifth-generation tensor core", effects: Convergent, made: tcgen05Forms},
}
