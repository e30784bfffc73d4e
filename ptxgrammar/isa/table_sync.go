package isa

// barrierRows: barriers of PTX ISA 9.7.13. A barrier orders memory among its
// participants; arriving does not wait.
var barrierRows = []row{
	{name: "bar", since: 10, ref: "9.7.13.1, 9.7.13.2", doc: "barrier of a block or of a warp", effects: Convergent | Orders, forms: `
		.op = and or
		bar{.cta}.sync a:u32{, b:u32} ; waits
		bar{.cta}.arrive a:u32, b:u32 ; 2.0 sm_20
		bar{.cta}.red.popc.u32 d, a:u32{, b:u32}, {!}c:pred ; 2.0 sm_20 waits
		bar{.cta}.red.op.pred p:pred, a:u32{, b:u32}, {!}c:pred ; 2.0 sm_20 waits
		bar.warp.sync membermask:b32 ; 6.0 sm_30 waits`},
	{name: "barrier", since: 60, minSM: 30, ref: "9.7.13.1, 9.7.13.3", doc: "barrier of a block or of a cluster", effects: Convergent | Orders, forms: `
		.op = and or
		barrier{.cta}.sync{.aligned} a:u32{, b:u32} ; waits
		barrier{.cta}.arrive{.aligned} a:u32, b:u32
		barrier{.cta}.red.popc{.aligned}.u32 d, a:u32{, b:u32}, {!}c:pred ; waits
		barrier{.cta}.red.op{.aligned}.pred p:pred, a:u32{, b:u32}, {!}c:pred ; waits
		.sem = release relaxed
		barrier.cluster.arrive{.sem}{.aligned} ; 7.8 sm_90
		barrier.cluster.wait{.acquire}{.aligned} ; 7.8 sm_90 waits`},
}

// fenceRows: PTX ISA 9.7.13.4.
var fenceRows = []row{
	{name: "membar", since: 14, ref: "9.7.13.4", doc: "memory fence; fence.sc since sm_70", effects: Orders, forms: `
		.level = cta gl sys
		membar.level
		.proxykind = alias async
		.ss = global shared::cta shared::cluster
		membar.proxy.proxykind{.ss} ; 7.5 sm_70`},
	{name: "fence", since: 60, minSM: 70, ref: "9.7.13.4", doc: "memory fence, acq_rel unless said otherwise", effects: Orders, forms: `
		.sem = sc acq_rel
		fence{.sem}.scope
		.sem = acquire release
		fence.sem.scope ; 8.6 sm_90
		.scope = cluster
		fence.mbarrier_init.release.scope ; 8.0 sm_90
		fence.acquire.sync_restrict::shared::cluster.scope ; 8.6 sm_90
		fence.release.sync_restrict::shared::cta.scope ; 8.6 sm_90
		fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.scope ; 8.6 sm_90
		fence.proxy.async::generic.release.sync_restrict::shared::cta.scope ; 8.6 sm_90
		.ss = global shared::cta shared::cluster
		fence.proxy.alias ; 7.5
		fence.proxy.async{.ss} ; 8.0 sm_90
		.scope = cta cluster gpu sys
		fence.proxy.tensormap::generic.release.scope ; 8.3 sm_90
		fence.proxy.tensormap::generic.acquire.scope [addr], size:u32 ; 8.3 sm_90`},
}

// atomicRows: PTX ISA 9.7.13.5 to 9.7.13.7. Without .sem they are relaxed and
// order nothing else.
var atomicRows = []row{
	{name: "atom", since: 11, minSM: 11, ref: "9.7.13.5", doc: "atomic read-modify-write, giving the old value", access: AccessAtomic, forms: `
		.sem = relaxed acquire release acq_rel
		.space = global shared shared::cta shared::cluster
		.op = and or xor exch add inc dec min max
		.type = b32 b64 u32 u64 s32 s64 f32 f64
		atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache_policy:b64}
		.type = b32 b64 u32 u64 s32 s64
		atom{.sem}{.scope}{.space}.cas{.level::cache_hint}.type d, [a], b, c{, cache_policy:b64}
		atom{.sem}{.scope}{.space}.cas.b16 d, [a], b, c ; 6.3 sm_70
		atom{.sem}{.scope}{.space}.cas.b128 d, [a], b, c ; 8.3 sm_90
		atom{.sem}{.scope}{.space}.exch{.level::cache_hint}.b128 d, [a], b{, cache_policy:b64} ; 8.3 sm_90
		.type = f16 f16x2
		atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.type d, [a], b{, cache_policy:b64} ; 6.2 sm_60
		.type = bf16 bf16x2
		atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.type d, [a], b{, cache_policy:b64} ; 7.8 sm_90
		.vec = v2 v4
		atom{.sem}{.scope}{.global}.add{.level::cache_hint}.vec.f32 d, [a], b{, cache_policy:b64} ; 8.1 sm_90
		.op = add min max
		.vec = v2 v4 v8
		.type = f16 bf16 f16x2 bf16x2
		atom{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec.type d, [a], b{, cache_policy:b64} ; 8.1 sm_90`},
	{name: "red", since: 12, minSM: 11, ref: "9.7.13.6, 9.7.13.7", doc: "atomic read-modify-write without a result", access: AccessReduce, forms: `
		.sem = relaxed acquire release acq_rel
		.space = global shared shared::cta shared::cluster
		.op = and or xor add inc dec min max
		.type = b32 b64 u32 u64 s32 s64 f32 f64
		red{.sem}{.scope}{.space}.op{.level::cache_hint}.type [a], b{, cache_policy:b64}
		.type = f16 f16x2
		red{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.type [a], b{, cache_policy:b64} ; 6.2 sm_60
		.type = bf16 bf16x2
		red{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.type [a], b{, cache_policy:b64} ; 7.8 sm_90
		.vec = v2 v4
		red{.sem}{.scope}{.global}.add{.level::cache_hint}.vec.f32 [a], b{, cache_policy:b64} ; 8.1 sm_90
		.op = add min max
		.vec = v2 v4 v8
		.type = f16 bf16 f16x2 bf16x2
		red{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec.type [a], b{, cache_policy:b64} ; 8.1 sm_90
		.op = inc dec min max and or xor add
		.type = b32 u32 s32 u64
		red.async.relaxed.cluster{.shared::cluster}.completion_mechanism.op.type [a], b, [mbar] ; 8.1 sm_90
		.scope = gpu cluster
		.type = u32 s32 u64 s64
		red.async{.mmio}.release.scope{.global}.add.type [a], b ; 8.7 sm_100`},
}
