// The table: loads, stores, and cache control.

package isa

// memoryRows: loads, stores and cache control of PTX ISA 9.7.9.
var memoryRows = []row{
	{name: "ld", calc: CalcLoad, since: 10, ref: "9.7.9.8, 9.7.9.9", doc: "load from memory", access: "load", forms: `
		.ss = const global local param param::entry@83 param::func@83 shared shared::cta@78/30 shared::cluster@78/90
		.cop = ca@20/20 cg@20/20 cs@20/20 lu@20/20 cv@20/20
		.type = b8 b16 b32 b64 b128@83/70 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64@/13
		ld{.weak@60/70}{.ss}{.cop}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64}
		ld{.weak@60/70}{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 7.4 sm_70
		ld.volatile{.ss}{.level::prefetch_size}{.vec}.type d, [a] ; 1.1
		ld.relaxed.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 6.0 sm_70
		ld.acquire.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 6.0 sm_70
		ld.mmio.relaxed.sys{.global}.type d, [a] ; 8.2 sm_70
		.cop = ca cg cs
		ld.global{.cop}.nc{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 3.1 sm_32
		ld.global.nc{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 7.4 sm_70`},
	{name: "ldu", calc: CalcLoad, since: 20, ref: "9.7.9.10", doc: "load read-only data, the same address in all lanes", access: "load", forms: `
		.vec = v2 v4
		.type = b8 b16 b32 b64 b128@83/70 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64@/13
		ldu{.global}{.vec}.type d, [a]`},
	{name: "st", calc: CalcStore, since: 10, ref: "9.7.9.11, 9.7.9.12, 9.7.9.13", doc: "store to memory", access: "store", forms: `
		.ss = global local param param::func@83 shared shared::cta@78/30 shared::cluster@78/90
		.cop = wb@20/20 cg@20/20 cs@20/20 wt@20/20
		.type = b8 b16 b32 b64 b128@83/70 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64@/13
		st{.weak@60/70}{.ss}{.cop}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64}
		st{.weak@60/70}{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64} ; 7.4 sm_70
		st.volatile{.ss}{.vec}.type [a], b ; 1.1
		st.relaxed.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64} ; 6.0 sm_70
		st.release.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64} ; 6.0 sm_70
		st.mmio.relaxed.sys{.global}.type [a], b ; 8.2 sm_70
		st.bulk{.weak}{.shared::cta} [a], size:u64, initval:u64#0 ; 8.6 sm_100
		.vec = v2 v4
		.type = b32 b64 u32 u64 s32 s64 f32 f64
		st.async{.weak}{.cluster}{.shared::cluster}{.completion_mechanism}{.vec}.type [a], b, [mbar]:signal_tx ; 8.1 sm_90
		st.async{.weak}{.cluster}{.shared::cluster}{.completion_mechanism}.b128 [a], b, [mbar]:signal_tx ; 9.2 sm_90
		.scope = gpu sys
		.type = b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64
		st.async{.mmio}.release.scope{.global}.type [a], b ; 8.7 sm_100`},
	{name: "multimem", since: 81, minSM: 90, ref: "9.7.9.14, 9.7.9.25.4", doc: "access all copies behind a multicast address", forms: multimemForms},
	{name: "prefetch", since: 20, minSM: 20, ref: "9.7.9.15", doc: "bring a line into a cache", forms: `
		.space = global local
		.level = L1 L2
		prefetch{.space}.level [a]
		.level::eviction_priority = L2::evict_last L2::evict_normal
		prefetch.global.level::eviction_priority [a] ; 7.4 sm_80
		.space = const param
		prefetch{.space}.tensormap [a] ; 8.0 sm_90`},
	{name: "prefetchu", since: 20, minSM: 20, ref: "9.7.9.15", doc: "bring a line into the uniform cache", forms: `
		prefetchu.L1 [a]`},
	{name: "applypriority", since: 74, minSM: 80, ref: "9.7.9.16", doc: "change the eviction priority of a line", forms: `
		applypriority{.global}.L2::evict_normal [a], size:u32#128`},
	{name: "discard", since: 74, minSM: 80, ref: "9.7.9.17", doc: "drop a line without writing it back: its contents are lost", forms: `
		discard{.global}.L2 [a]:store=128, size:u32#128`},
	{name: "createpolicy", since: 74, minSM: 80, ref: "9.7.9.18", doc: "make a cache policy", forms: `
		.primary_priority = L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged
		.secondary_priority = L2::evict_first L2::evict_unchanged
		createpolicy.range{.global}.primary_priority{.secondary_priority}.b64 =cache_policy, [a], primary_size:u32, total_size:u32
		createpolicy.fractional.primary_priority{.secondary_priority}.b64 =cache_policy{, fraction:f32}
		createpolicy.cvt.L2.b64 =cache_policy, access_property`},
}

// multimemForms: PTX ISA 9.7.9.14 and 9.7.9.25.4. The elements of a vector make 16 bytes at most;
// those of eight bits may be accumulated in f16.
const multimemForms = `
	.ldsem = relaxed acquire
	.stsem = relaxed release
	.bits = b32 b64
	.op = and or xor
	# The public form list gives every operation every type; the manual's table of operations, which this follows, has bitwise ones for .b32 and .b64.
	multimem.ld_reduce{.ldsem}{.scope}{.global}.op.bits d, [a] ; load
	multimem.ld_reduce.weak{.global}.op.bits d, [a] ; load
	multimem.red{.stsem}{.scope}{.global}.op.bits [a], b ; reduce
	.op = add min max
	.type = u32 s32 u64 s64
	multimem.ld_reduce{.ldsem}{.scope}{.global}.op.type d, [a] ; load
	multimem.ld_reduce.weak{.global}.op.type d, [a] ; load
	multimem.red{.stsem}{.scope}{.global}.op.type [a], b ; reduce
	.type = b32 u32 s32 b64 u64 s64
	multimem.st{.stsem}{.scope}{.global}.type [a], b ; store
	multimem.st.weak{.global}.type [a], b ; store
	.type = f32 f64
	multimem.ld_reduce{.ldsem}{.scope}{.global}.add{.vec}.type d, [a] ; load
	multimem.ld_reduce.weak{.global}.add{.vec}.type d, [a] ; load
	.acc_prec = acc::f32@82 acc::f16@86/100f+101f+120f
	.type = f16 f16x2 bf16 bf16x2 e5m2@86/100f+101f+120f e5m2x2@86/100f+101f+120f e5m2x4@86/100f+101f+120f e4m3@86/100f+101f+120f e4m3x2@86/100f+101f+120f e4m3x4@86/100f+101f+120f
	multimem.ld_reduce{.ldsem}{.scope}{.global}.op{.acc_prec}{.vec}.type d, [a] ; load
	multimem.ld_reduce.weak{.global}.op{.acc_prec}{.vec}.type d, [a] ; load
	.type = f16 f16x2 bf16 bf16x2 f32
	multimem.red{.stsem}{.scope}{.global}.add{.vec}.type [a], b ; reduce
	multimem.red{.stsem}{.scope}{.global}.add.f64 [a], b ; reduce
	.type = f16 f16x2 bf16 bf16x2 f32 f64 e5m2@86/100f+101f+120f e5m2x2@86/100f+101f+120f e5m2x4@86/100f+101f+120f e4m3@86/100f+101f+120f e4m3x2@86/100f+101f+120f e4m3x4@86/100f+101f+120f
	multimem.st{.stsem}{.scope}{.global}{.vec}.type [a], b ; store
	multimem.st.weak{.global}{.vec}.type [a], b ; store
	multimem.cp.async.bulk.global.shared::cta.bulk_group{.cp_mask@91/100} [dstMem]:store, [srcMem]:load, size:u32{, byteMask:b16} ; 9.1
	.redOp = and or xor
	# As with cp.reduce.async.bulk, the table of operations says which type goes with which operation.
	multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.redOp.bits [dstMem]:reduce, [srcMem]:load, size:u32 ; 9.1
	.redOp = add
	.type = u32 s32 u64 f32 f64
	multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32 ; 9.1
	.type = f16 bf16
	multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.redOp.noftz.type [dstMem]:reduce, [srcMem]:load, size:u32 ; 9.1
	.redOp = inc dec
	multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.redOp.u32 [dstMem]:reduce, [srcMem]:load, size:u32 ; 9.1
	.redOp = min max
	.type = u32 s32 u64 s64 f16 bf16
	multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32 ; 9.1
`
