package isa

// memoryRows: loads, stores and cache control of PTX ISA 9.7.9.
var memoryRows = []row{
	{name: "ld", since: 10, ref: "9.7.9.8, 9.7.9.9", doc: "load from memory", access: AccessLoad, forms: `
		.ss = const global local param param::entry param::func shared shared::cta shared::cluster
		.cop = ca cg cs lu cv
		.type = b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64
		ld{.weak}{.ss}{.cop}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64}
		ld{.weak}{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 7.4 sm_70
		ld.volatile{.ss}{.level::prefetch_size}{.vec}.type d, [a]
		ld.relaxed.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 6.0 sm_70
		ld.acquire.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 6.0 sm_70
		ld.mmio.relaxed.sys{.global}.type d, [a] ; 8.2 sm_70
		.cop = ca cg cs
		ld.global{.cop}.nc{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 3.1 sm_32
		ld.global.nc{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.level::prefetch_size}{.vec}.type d, [a]{, cache_policy:b64} ; 7.4 sm_70`},
	{name: "ldu", since: 20, ref: "9.7.9.10", doc: "load read-only data, the same address in all lanes", access: AccessLoad, forms: `
		.vec = v2 v4
		.type = b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64
		ldu{.global}{.vec}.type d, [a]`},
	{name: "st", since: 10, ref: "9.7.9.11, 9.7.9.12, 9.7.9.13", doc: "store to memory", access: AccessStore, forms: `
		.ss = global local param param::func shared shared::cta shared::cluster
		.cop = wb cg cs wt
		.type = b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64
		st{.weak}{.ss}{.cop}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64}
		st{.weak}{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64} ; 7.4 sm_70
		st.volatile{.ss}{.vec}.type [a], b
		st.relaxed.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64} ; 6.0 sm_70
		st.release.scope{.ss}{.level1::eviction_priority}{.level2::eviction_priority}{.level::cache_hint}{.vec}.type [a], b{, cache_policy:b64} ; 6.0 sm_70
		st.mmio.relaxed.sys{.global}.type [a], b ; 8.2 sm_70
		st.bulk{.weak}{.shared::cta} [a], size:u64, initval:u64 ; 8.6 sm_100
		.vec = v2 v4
		.type = b32 b64 u32 u64 s32 s64 f32 f64
		st.async{.weak}{.cluster}{.shared::cluster}{.completion_mechanism}{.vec}.type [a], b, [mbar] ; 8.1 sm_90
		.scope = gpu sys
		.type = b8 b16 b32 b64 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64
		st.async{.mmio}.release.scope{.global}.type [a], b ; 8.7 sm_100`},
	{name: "multimem", since: 81, minSM: 90, ref: "9.7.9.14", doc: "access all copies behind a multicast address", forms: `
		.sem = relaxed acquire
		.op = min max add and or xor
		.acc_prec = acc::f32 acc::f16
		.type = b32 b64 u32 u64 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 e5m2 e5m2x2 e5m2x4 e4m3 e4m3x2 e4m3x4
		multimem.ld_reduce{.sem}{.scope}{.global}.op{.acc_prec}{.vec}.type d, [a] ; load
		multimem.ld_reduce.weak{.global}.op{.acc_prec}{.vec}.type d, [a] ; load
		.sem = relaxed release
		multimem.st{.sem}{.scope}{.global}{.vec}.type [a], b ; store
		multimem.st.weak{.global}{.vec}.type [a], b ; store
		.type = b32 b64 u32 u64 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64
		multimem.red{.sem}{.scope}{.global}.op{.vec}.type [a], b ; reduce`},
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
		applypriority{.global}.L2::evict_normal [a], size:u32`},
	{name: "discard", since: 74, minSM: 80, ref: "9.7.9.17", doc: "drop a line without writing it back: its contents are lost", effects: WritesMemory, forms: `
		discard{.global}.L2 [a], size:u32`},
	{name: "createpolicy", since: 74, minSM: 80, ref: "9.7.9.18", doc: "make a cache policy", forms: `
		.primary_priority = L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged
		.secondary_priority = L2::evict_first L2::evict_unchanged
		createpolicy.range{.global}.primary_priority{.secondary_priority}.b64 =cache_policy, [a], primary_size:u32, total_size:u32
		createpolicy.fractional.primary_priority{.secondary_priority}.b64 =cache_policy{, fraction:f32}
		createpolicy.cvt.L2.b64 =cache_policy, access_property`},
}
