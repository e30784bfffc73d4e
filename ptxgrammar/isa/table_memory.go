// The table: loads, stores, and cache control.

package isa

// memoryRows: loads, stores and cache control of PTX ISA 9.7.9.
var memoryRows = []row{
	{name: "ld", calc: CalcLoad, since: 10, ref: "9.7.9.8, 9.7.9.9", doc: "load from memory", access: "load", forms: `
		~ 9.3
		.ss = global const local param param::entry@83 param::func@83 shared shared::cta@78/30 shared::cluster@78/90
		.cop = ca@20/20 cg@20/20 cs@20/20 lu@20/20 cv@20/20
		.type = b8 b16 b32 b64 b128@83/70 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64@/13
		! L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate L2::cache_hint L2::64B L2::128B L2::256B with const local param param::entry param::func shared shared::cta shared::cluster
		! volatile with const param param::entry param::func
		! relaxed acquire with const local param param::entry param::func
		ld{.weak@60/70}{.ss}{.cop}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64}
		ld{.weak@60/70}{.ss}{.level1::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 7.4 sm_70
		ld.volatile{.ss}{.level::prefetch_size}{.vec}.type d, [a] ; 1.1
		ld.relaxed.scope{.ss}{.level1::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 6.0 sm_70
		ld.acquire.scope{.ss}{.level1::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 6.0 sm_70
		.sem = relaxed acquire@93/75
		ld.mmio.sem.sys{.global}.type d, [a] ; 8.2 sm_70
		.cop = ca cg cs
		ld.global{.cop}.nc{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 3.1 sm_32
		ld.global.nc{.level1::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 7.4 sm_70
		.type = b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64
		ld.proxy::readonly{.global}{.vec}.type d, [a] ; 9.4 sm_90` + evictLoads},
	{name: "ldu", calc: CalcLoad, since: 20, ref: "9.7.9.10", doc: "load read-only data, the same address in all lanes", access: "load", forms: `
		.vec = v2 v4
		.type = b8 b16 b32 b64 b128@83/70 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64@/13
		ldu{.global}{.vec}.type d, [a]`},
	{name: "st", calc: CalcStore, since: 10, ref: "9.7.9.11, 9.7.9.12, 9.7.9.13", doc: "store to memory", access: "store", forms: `
		~ 9.3
		.ss = global local param param::func@83 shared shared::cta@78/30 shared::cluster@78/90
		.cop = wb@20/20 cg@20/20 cs@20/20 wt@20/20
		.type = b8 b16 b32 b64 b128@83/70 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64@/13
		! L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate L2::cache_hint with local param param::func shared shared::cta shared::cluster
		! volatile with param param::func
		! relaxed release with local param param::func
		st{.weak@60/70}{.ss}{.cop}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64}
		st{.weak@60/70}{.ss}{.level1::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64} ; 7.4 sm_70
		st.volatile{.ss}{.vec}.type [a], b ; 1.1
		st.relaxed.scope{.ss}{.level1::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64} ; 6.0 sm_70
		st.release.scope{.ss}{.level1::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64} ; 6.0 sm_70
		.sem = relaxed release@93/75
		st.mmio.sem.sys{.global}.type [a], b ; 8.2 sm_70
		st.bulk{.weak}{.shared::cta} [a], size:u64, initval:u64#0 ; 8.6 sm_100
		.vec = v2 v4
		.type = b32 u32 s32 f32
		st.async{.weak}{.shared::cluster}.completion_mechanism{.vec}.type [a], b, [mbar]:signal_tx ; 8.1 sm_90
		.vec = v2
		.type = b64 u64 s64 f64
		st.async{.weak}{.shared::cluster}.completion_mechanism{.vec}.type [a], b, [mbar]:signal_tx ; 8.1 sm_90
		st.async{.weak}{.shared::cluster}.completion_mechanism.b128 [a], b, [mbar]:signal_tx ; 9.2 sm_90
		.scope = sys gpu
		.type = b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64
		! mmio with gpu
		st.async{.mmio}.release.scope{.global}.type [a], b ; 8.7 sm_100` + evictStores},
	{name: "multimem", since: 81, minSM: 90, ref: "9.7.9.14, 9.7.9.25.4", doc: "access all copies behind a multicast address", forms: multimemForms},
	{name: "prefetch", since: 20, minSM: 20, ref: "9.7.9.15", doc: "bring a line into a cache", forms: `
		~ 9.3
		.space = global local
		.level = L1 L2
		prefetch{.space}.level [a]
		.level::eviction_priority = L2::evict_last L2::evict_normal
		prefetch.global.level::eviction_priority [a] ; 7.4 sm_80
		.space = const param
		prefetch{.space}.tensormap [a] ; 8.0 sm_90
		prefetch{.global}.L1::32B.valid_addr [a] ; 9.4 sm_90`},
	{name: "prefetchu", since: 20, minSM: 20, ref: "9.7.9.15", doc: "bring a line into the uniform cache", forms: `
		prefetchu.L1 [a]`},
	{name: "applypriority", since: 74, minSM: 80, ref: "9.7.9.16", doc: "change the eviction priority of a line", forms: `
		~ 9.3
		applypriority{.global}.L2::evict_normal [a], size:u32#128
		applypriority.async.bulk{.global}.bulk_group.L2::evict_normal [a], size:u32 ; 9.4 sm_107f` + overridden(`
		applypriority.async.bulk.tensor.dim{.global}.bulk_group{.load_mode}.L2::evict_normalOVER [MAPtensorCoords]{, im2colInfo<*>:u16} ; 9.4 sm_107f`, clusterModes)},
	{name: "discard", since: 74, minSM: 80, ref: "9.7.9.17", doc: "drop a line without writing it back: its contents are lost", forms: `
		discard{.global}.L2 [a]:store=128, size:u32#128`},
	{name: "createpolicy", since: 74, minSM: 80, ref: "9.7.9.18", doc: "make a cache policy", forms: `
		~ 9.3
		.primary_priority = L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged
		.secondary_priority = L2::evict_first L2::evict_unchanged
		createpolicy.range{.global}.primary_priority{.secondary_priority}.b64 =cache_policy, [a], primary_size:u32, total_size:u32
		createpolicy.range.fabric.primary_priority{.secondary_priority}.b64 =cache_policy, [aLe, aOff], primary_size:u32, total_size:u32 ; 9.4 sm_100
		createpolicy.fractional.primary_priority{.secondary_priority}.b64 =cache_policy{, fraction:f32}
		createpolicy.cvt.L2.b64 =cache_policy, access_property`},
}

// multimemForms: PTX ISA 9.7.9.14 and 9.7.9.25.4. A vector has 4 to 16 bytes. Sums of values of half precision may be
// formed in f32, and those of eight bits in f16.
const multimemForms = `
	~ 9.3
	.ldsem = relaxed acquire
	.stsem = relaxed release
	.bits = b32 b64
	.op = and or xor
	# The public form list gives every operation every type; the manual's table of operations, which this follows, has bitwise ones for .b32 and .b64.
	multimem.ld_reduce{.ldsem.scope}{.global}.op.bits d, [a] ; load
	multimem.ld_reduce.weak{.global}.op.bits d, [a] ; load
	multimem.red{.stsem.scope}{.global}.op.bits [a], b ; reduce
	.op = min max
	.type = u32 s32 u64 s64
	multimem.ld_reduce{.ldsem.scope}{.global}.op.type d, [a] ; load
	multimem.ld_reduce.weak{.global}.op.type d, [a] ; load
	multimem.red{.stsem.scope}{.global}.op.type [a], b ; reduce
	.op = add
	.type = u32 s32 u64 f64
	multimem.ld_reduce{.ldsem.scope}{.global}.op.type d, [a] ; load
	multimem.ld_reduce.weak{.global}.op.type d, [a] ; load
	multimem.red{.stsem.scope}{.global}.op.type [a], b ; reduce
	.type = b32 u32 s32 b64 u64 s64 f64
	multimem.st{.stsem.scope}{.global}.type [a], b ; store
	multimem.st.weak{.global}.type [a], b ; store
	.vec = v2 v4
	multimem.ld_reduce{.ldsem.scope}{.global}.add{.vec}.f32 d, [a] ; load
	multimem.ld_reduce.weak{.global}.add{.vec}.f32 d, [a] ; load
	multimem.red{.stsem.scope}{.global}.add{.vec}.f32 [a], b ; reduce
	multimem.st{.stsem.scope}{.global}{.vec}.f32 [a], b ; store
	multimem.st.weak{.global}{.vec}.f32 [a], b ; store
	.acc_prec = acc::f32@82 acc::f16@86/100f+101f+120a+121a
	.op = add min max
	! acc::f32 acc::f16 with min max
	! acc::f32 with e5m2 e4m3 e5m2x2 e4m3x2 e5m2x4 e4m3x4
	! acc::f16 with f16 bf16 f16x2 bf16x2
	.type = f16x2 bf16x2 e5m2x4@86/100f+101f+120a+121a e4m3x4@86/100f+101f+120a+121a
	multimem.ld_reduce{.ldsem.scope}{.global}.op{.acc_prec}{.vec}.type d, [a] ; load
	multimem.ld_reduce.weak{.global}.op{.acc_prec}{.vec}.type d, [a] ; load
	multimem.st{.stsem.scope}{.global}{.vec}.type [a], b ; store
	multimem.st.weak{.global}{.vec}.type [a], b ; store
	.type = f16x2 bf16x2
	multimem.red{.stsem.scope}{.global}.add{.vec}.type [a], b ; reduce
	.mop = min max
	multimem.red{.stsem.scope}{.global}.mop.vec.type [a], b ; reduce
	.vec = v2 v4 v8
	.type = f16 bf16 e5m2x2@86/100f+101f+120a+121a e4m3x2@86/100f+101f+120a+121a
	multimem.ld_reduce{.ldsem.scope}{.global}.op{.acc_prec}.vec.type d, [a] ; load
	multimem.ld_reduce.weak{.global}.op{.acc_prec}.vec.type d, [a] ; load
	multimem.st{.stsem.scope}{.global}.vec.type [a], b ; store
	multimem.st.weak{.global}.vec.type [a], b ; store
	.type = f16 bf16
	multimem.red{.stsem.scope}{.global}.op.vec.type [a], b ; reduce
	.vec = v4 v8
	.type = e5m2@86/100f+101f+120a+121a e4m3@86/100f+101f+120a+121a
	multimem.ld_reduce{.ldsem.scope}{.global}.op{.acc_prec}.vec.type d, [a] ; load
	multimem.ld_reduce.weak{.global}.op{.acc_prec}.vec.type d, [a] ; load
	multimem.st{.stsem.scope}{.global}.vec.type [a], b ; store
	multimem.st.weak{.global}.vec.type [a], b ; store
	.scope = gpu sys
	.type = b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64
	multimem.st.async.release.scope{.global}.type [a], b ; 9.3 sm_100 store
	.type = u32 s32 u64
	multimem.red.async.release.scope{.global}.add.type [a], b ; 9.3 sm_100 reduce
	.scope = cta cluster@78/90 gpu sys
	.bits = b32 b64
	multimem.cp.async.bulk{.weak@93/90a+100f+101f}.global.shared::cta.bulk_group{.cp_mask@91/100} [dstMem]:store, [srcMem]:load, size:u32{, byteMask:b16} ; 9.1
	multimem.cp.async.bulk.relaxed.scope.global.shared::cta.bulk_group{.cp_mask@91/100}.b128 [dstMem]:store, [srcMem]:load, size:u32{, byteMask:b16} ; 9.3 sm_90a sm_100f sm_101f
	.redOp = and or xor
	# As with cp.reduce.async.bulk, the table of operations says which type goes with which operation.
	multimem.cp.reduce.async.bulk{.relaxed@93.scope}.global.shared::cta.bulk_group.redOp.bits [dstMem]:reduce, [srcMem]:load, size:u32 ; 9.1
	.redOp = add
	.type = u32 s32 u64 f32 f64
	multimem.cp.reduce.async.bulk{.relaxed@93.scope}.global.shared::cta.bulk_group.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32 ; 9.1
	.type = f16 bf16 f32@94
	multimem.cp.reduce.async.bulk{.relaxed@93.scope}.global.shared::cta.bulk_group.redOp.noftz.type [dstMem]:reduce, [srcMem]:load, size:u32 ; 9.1
	.redOp = inc dec
	multimem.cp.reduce.async.bulk{.relaxed@93.scope}.global.shared::cta.bulk_group.redOp.u32 [dstMem]:reduce, [srcMem]:load, size:u32 ; 9.1
	.redOp = min max
	.type = u32 s32 u64 s64 f16 bf16
	multimem.cp.reduce.async.bulk{.relaxed@93.scope}.global.shared::cta.bulk_group.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32 ; 9.1
`

// Loads and stores with a priority in L2 are those of 32 bytes (PTX ISA, "ld", "st").
const (
	evictLoads = `
		.l2evict = L2::evict_normal@88/100 L2::evict_first@88/100 L2::evict_last@88/100
		.vec = v8
		.type = b32 u32 s32 f32` + evictingLoads + `
		.vec = v4
		.type = b64 u64 s64 f64` + evictingLoads
	evictingLoads = `
		ld{.weak}{.global}{.level1::eviction_priority}.l2evict{.level::cache_hint}{.level::prefetch_size}.vec.type d, [a]{, cache_policy:b64} ; 8.8 sm_100
		ld.relaxed.scope{.global}{.level1::eviction_priority}.l2evict{.level::cache_hint}{.level::prefetch_size}.vec.type d, [a]{, cache_policy:b64} ; 8.8 sm_100
		ld.acquire.scope{.global}{.level1::eviction_priority}.l2evict{.level::cache_hint}{.level::prefetch_size}.vec.type d, [a]{, cache_policy:b64} ; 8.8 sm_100
		ld.global.nc{.level1::eviction_priority}.l2evict{.level::cache_hint}{.level::prefetch_size}.vec.type d, [a]{, cache_policy:b64} ; 8.8 sm_100`
	evictStores = `
		.l2evict = L2::evict_normal@88/100 L2::evict_first@88/100 L2::evict_last@88/100
		.vec = v8
		.type = b32 u32 s32 f32` + evictingStores + `
		.vec = v4
		.type = b64 u64 s64 f64` + evictingStores
	evictingStores = `
		st{.weak}{.global}{.level1::eviction_priority}.l2evict{.level::cache_hint}.vec.type [a], b{, cache_policy:b64} ; 8.8 sm_100
		st.relaxed.scope{.global}{.level1::eviction_priority}.l2evict{.level::cache_hint}.vec.type [a], b{, cache_policy:b64} ; 8.8 sm_100
		st.release.scope{.global}{.level1::eviction_priority}.l2evict{.level::cache_hint}.vec.type [a], b{, cache_policy:b64} ; 8.8 sm_100`
)
