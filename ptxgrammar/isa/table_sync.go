// The table: barriers, fences, atomic operations.

package isa

// barrierRows: barriers of PTX ISA 9.7.13. A barrier orders memory among its
// participants; arriving does not wait.
var barrierRows = []row{
	{name: "bar", since: 10, ref: "9.7.13.1, 9.7.13.2", doc: "barrier of a block or of a warp", effects: Convergent | Orders, forms: `
		.op = and or
		bar{.cta@78}.sync a:u32{, b:u32} ; waits
		bar{.cta@78}.arrive a:u32, b:u32 ; 2.0 sm_20
		bar{.cta@78}.red.popc.u32 d, a:u32{, b:u32}, {!}c:pred ; 2.0 sm_20 waits agrees
		bar{.cta@78}.red.op.pred p:pred, a:u32{, b:u32}, {!}c:pred ; 2.0 sm_20 waits agrees
		bar.warp.sync membermask:b32 ; 6.0 sm_30 waits`},
	{name: "barrier", since: 60, minSM: 30, ref: "9.7.13.1, 9.7.13.3", doc: "barrier of a block or of a cluster", effects: Convergent | Orders, forms: `
		.op = and or
		barrier{.cta@78}.sync{.aligned} a:u32{, b:u32} ; waits
		barrier{.cta@78}.arrive{.aligned} a:u32, b:u32
		barrier{.cta@78}.red.popc{.aligned}.u32 d, a:u32{, b:u32}, {!}c:pred ; waits agrees
		barrier{.cta@78}.red.op{.aligned}.pred p:pred, a:u32{, b:u32}, {!}c:pred ; waits agrees
		.sem = release@80 relaxed@80
		barrier.cluster.arrive{.sem}{.aligned} ; 7.8 sm_90
		barrier.cluster.wait{.acquire@80}{.aligned} ; 7.8 sm_90 waits`},
}

// fenceRows: PTX ISA 9.7.13.4.
var fenceRows = []row{
	{name: "membar", since: 14, ref: "9.7.13.4", doc: "memory fence; fence.sc since sm_70", effects: Orders, forms: `
		.level = cta gl sys@20/20
		membar.level
		membar.proxy.alias ; 7.5 sm_70
		membar.proxy.async ; 8.0 sm_90`},
	{name: "fence", since: 60, minSM: 70, ref: "9.7.13.4", doc: "memory fence, acq_rel unless said otherwise", effects: Orders, forms: `
		~ sync_restrict::read: no public copy of the manual describes .sync_restrict::read
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
		.scope = cta cluster
		fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.scope ; 9.4 sm_90
		fence.proxy.alias ; 7.5
		fence.proxy.async{.ss} ; 8.0 sm_90
		.scope = cta cluster gpu sys
		fence.proxy.tensormap::generic.release.scope ; 8.3 sm_90
		fence.proxy.tensormap::generic.acquire.scope [addr], size:u32#128 ; 8.3 sm_90
		.sem = acquire release
		fence.proxy.alias.sem.sys ; 9.4 sm_90
		.proxies = generic::fabric fabric::generic fabric::fabric
		fence.proxy.proxies.alias.sem.sys ; 9.3 sm_100
		# From the headers of CUDA 13.5 and its ptxas: no public copy of the manual of 9.5 describes it.
		fence.alias.sync_restrict::read.release.sys ; 9.5 sm_90`},
}

// atomicRows: PTX ISA 9.7.13.5 to 9.7.13.7. Without .sem they are relaxed and
// order nothing else.
var atomicRows = []row{
	{name: "atom", since: 11, minSM: 11, ref: "9.7.13.5", doc: "atomic read-modify-write, giving the old value", access: "atomic", forms: `
		~ 9.3
		.sem = relaxed@60/70 acquire@60/70 release@60/70 acq_rel@60/70
		.scope = cta@50/60 cluster@78/90 gpu@50/60 sys@50/60
		.space = global shared@12/12 shared::cta@78/30 shared::cluster@78/90
		! L2::cache_hint with shared shared::cta shared::cluster
		.op = and or xor
		.type = b32 b64@31/32
		# The manual's syntax line pairs any operation with any type; its text, which this follows, does not.
		atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache_policy:b64}
		.op = add
		.type = u32 s32 u64@12/12 f32@20/20 f64@50/60
		atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache_policy:b64}
		.op = inc dec
		atom{.sem}{.scope}{.space}.op{.level::cache_hint}.u32 d, [a], b{, cache_policy:b64}
		.op = min max
		.type = u32 s32 u64@31/32 s64@31/32
		atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache_policy:b64}
		.op = exch
		.type = b32 b64@12/12
		atom{.sem}{.scope}{.space}.op{.level::cache_hint}.type d, [a], b{, cache_policy:b64}
		.type = b32 b64@12/12
		atom{.sem}{.scope}{.space}.cas.type d, [a], b, c
		atom{.sem}{.scope}{.space}.cas.b16 d, [a], b, c ; 6.3 sm_70
		atom{.sem}{.scope}{.space}.cas.b128 d, [a], b, c ; 8.3 sm_90
		atom{.sem}{.scope}{.space}.exch{.level::cache_hint}.b128 d, [a], b{, cache_policy:b64} ; 8.3 sm_90
		.type = f16@63/70 f16x2
		atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.type d, [a], b{, cache_policy:b64} ; 6.2 sm_60
		.type = bf16 bf16x2
		atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.type d, [a], b{, cache_policy:b64} ; 7.8 sm_90
		atom{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.f32 d, [a], b{, cache_policy:b64} ; 9.4 sm_90
		.vec = v2 v4
		atom{.sem}{.scope}{.global}.add{.noftz@94}{.level::cache_hint}.vec.f32 d, [a], b{, cache_policy:b64} ; 8.1 sm_90
		.op = add min max
		.vec = v2 v4
		.type = f16x2 bf16x2
		atom{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec.type d, [a], b{, cache_policy:b64} ; 8.1 sm_90
		.vec = v2 v4 v8
		.type = f16 bf16
		atom{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec.type d, [a], b{, cache_policy:b64} ; 8.1 sm_90`},
	{name: "red", since: 12, minSM: 11, ref: "9.7.13.6, 9.7.13.7", doc: "atomic read-modify-write without a result", access: "reduce", forms: `
		~ 9.3
		.sem = relaxed@60/70 release@60/70
		.scope = cta@50/60 cluster@78/90 gpu@50/60 sys@50/60
		.space = global shared@12/12 shared::cta@78/30 shared::cluster@78/90
		! L2::cache_hint with shared shared::cta shared::cluster
		.op = and or xor
		.type = b32 b64@31/32
		# As with atom, the text says which operation goes with which type.
		red{.sem}{.scope}{.space}.op{.level::cache_hint}.type [a], b{, cache_policy:b64}
		.op = add
		.type = u32 s32 u64@12/12 f32@20/20 f64@50/60
		red{.sem}{.scope}{.space}.op{.level::cache_hint}.type [a], b{, cache_policy:b64}
		.op = inc dec
		red{.sem}{.scope}{.space}.op{.level::cache_hint}.u32 [a], b{, cache_policy:b64}
		.op = min max
		.type = u32 s32 u64@31/32 s64@31/32
		red{.sem}{.scope}{.space}.op{.level::cache_hint}.type [a], b{, cache_policy:b64}
		.type = f16@63/70 f16x2
		red{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.type [a], b{, cache_policy:b64} ; 6.2 sm_60
		.type = bf16 bf16x2
		red{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.type [a], b{, cache_policy:b64} ; 7.8 sm_90
		red{.sem}{.scope}{.space}.add.noftz{.level::cache_hint}.f32 [a], b{, cache_policy:b64} ; 9.4 sm_90
		.vec = v2 v4
		red{.sem}{.scope}{.global}.add{.noftz@94}{.level::cache_hint}.vec.f32 [a], b{, cache_policy:b64} ; 8.1 sm_90
		.op = add min max
		.vec = v2 v4
		.type = f16x2 bf16x2
		# One public form list has vectors in shared memory too; the manual's text has them in .global only.
		red{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec.type [a], b{, cache_policy:b64} ; 8.1 sm_90
		.vec = v2 v4 v8
		.type = f16 bf16
		red{.sem}{.scope}{.global}.op.noftz{.level::cache_hint}.vec.type [a], b{, cache_policy:b64} ; 8.1 sm_90
		.op = inc dec
		red.async.relaxed.cluster{.shared::cluster}.completion_mechanism.op.u32 [a], b, [mbar]:signal_tx ; 8.1 sm_90
		.op = min max
		.type = u32 s32
		red.async.relaxed.cluster{.shared::cluster}.completion_mechanism.op.type [a], b, [mbar]:signal_tx ; 8.1 sm_90
		.op = and or xor
		red.async.relaxed.cluster{.shared::cluster}.completion_mechanism.op.b32 [a], b, [mbar]:signal_tx ; 8.1 sm_90
		.type = u32 s32 u64
		red.async.relaxed.cluster{.shared::cluster}.completion_mechanism.add.type [a], b, [mbar]:signal_tx ; 8.1 sm_90
		.scope = sys gpu
		! mmio with gpu
		.type = u32 s32 u64 s64
		red.async{.mmio}.release.scope{.global}.add.type [a], b ; 8.7 sm_100`},
}
