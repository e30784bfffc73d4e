package isa

// asyncRows: asynchronous copies, mbarriers, tensor maps and cluster launch
// control, PTX ISA 9.7.9.25, 9.7.9.26 and 9.7.13.15 to 9.7.13.18.
var asyncRows = []row{
	{name: "cp", since: 70, minSM: 80, ref: "9.7.9.25", doc: "asynchronous copy", forms: `
		.ss = shared shared::cta
		cp.async.ca.ss.global{.level::cache_hint}{.level::prefetch_size} [dst], [src], cp_size:u32{, src_size:none}{, cache_policy:b64} ; load writes
		cp.async.cg.ss.global{.level::cache_hint}{.level::prefetch_size} [dst], [src], cp_size:u32{, src_size:none}{, cache_policy:b64} ; load writes
		cp.async.commit_group
		cp.async.wait_group n:u32 ; orders
		cp.async.wait_all ; orders
		cp.async.mbarrier.arrive{.noinc}{.ss}.b64 [addr] ; reads writes
		cp.async.bulk.commit_group ; 8.0 sm_90
		cp.async.bulk.wait_group{.read} n:u32 ; 8.0 sm_90 orders
		.dst = shared::cluster shared::cta
		cp.async.bulk.dst.global.completion_mechanism{.multicast::cluster}{.level::cache_hint} [dstMem], [srcMem], size:u32, [mbar]{, ctaMask:b16}{, cache_policy:b64} ; 8.0 sm_90 load writes
		cp.async.bulk.shared::cluster.shared::cta.completion_mechanism [dstMem], [srcMem], size:u32, [mbar] ; 8.0 sm_90 load writes
		cp.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}{.cp_mask} [dstMem], [srcMem], size:u32{, cache_policy:b64}{, byteMask:b16} ; 8.0 sm_90 load writes
		cp.async.bulk.prefetch.L2.global{.level::cache_hint} [srcMem], size:u32{, cache_policy:b64} ; 8.0 sm_90
		.dim = 1d 2d 3d 4d 5d
		.load_mode = tile tile::gather4 im2col im2col::w im2col::w::128
		cp.async.bulk.tensor.dim.dst.global{.load_mode}.completion_mechanism{.multicast::cluster}{.cta_group}{.level::cache_hint} [dstMem], [tensorMap], [mbar]{, im2colInfo<*>:u16}{, ctaMask:b16}{, cache_policy:b64} ; 8.0 sm_90 reads writes
		cp.async.bulk.prefetch.tensor.dim.L2.global{.load_mode}{.level::cache_hint} [tensorMap]{, im2colInfo<*>:u16}{, cache_policy:b64} ; 8.0 sm_90
		.load_mode = tile tile::scatter4 im2col_no_offs
		cp.async.bulk.tensor.dim.global.shared::cta{.load_mode}.bulk_group{.level::cache_hint} [tensorMap], [srcMem]{, cache_policy:b64} ; 8.0 sm_90 reads writes
		.redOp = add min max inc dec and or xor
		cp.reduce.async.bulk.tensor.dim.global.shared::cta.redOp{.load_mode}.bulk_group{.level::cache_hint} [tensorMap], [srcMem]{, cache_policy:b64} ; 8.0 sm_90 reads writes
		.type = f16 bf16 b32 u32 s32 b64 u64 s64 f32 f64
		cp.reduce.async.bulk.shared::cluster.shared::cta.completion_mechanism.redOp.type [dstMem], [srcMem], size:u32, [mbar] ; 8.0 sm_90 reads writes
		cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.redOp{.noftz}.type [dstMem], [srcMem], size:u32{, cache_policy:b64} ; 8.0 sm_90 reads writes`},
	{name: "mbarrier", since: 70, minSM: 80, ref: "9.7.13.15", doc: "barrier object in shared memory", forms: `
		.ss = shared shared::cta shared::cluster
		.scope = cta cluster
		mbarrier.init{.ss}.b64 [addr], count:u32 ; writes
		mbarrier.inval{.ss}.b64 [addr] ; writes
		.sem = relaxed
		mbarrier.expect_tx{.sem}{.scope}{.ss}.b64 [addr], tx_count:u32 ; 8.0 sm_90 reads writes
		mbarrier.complete_tx{.sem}{.scope}{.ss}.b64 [addr], tx_count:u32 ; 8.0 sm_90 reads writes
		.sem = release relaxed
		mbarrier.arrive{.sem}{.scope}{.ss}.b64 =state, [addr]{, count:u32} ; reads writes orders
		mbarrier.arrive.expect_tx{.sem}{.scope}{.ss}.b64 =state, [addr], tx_count:u32 ; 8.0 sm_90 reads writes orders
		mbarrier.arrive.noComplete{.sem}{.scope}{.ss}.b64 =state, [addr], count:u32 ; reads writes orders
		mbarrier.arrive_drop{.sem}{.scope}{.ss}.b64 =state, [addr]{, count:u32} ; reads writes orders
		mbarrier.arrive_drop.expect_tx{.sem}{.scope}{.ss}.b64 =state, [addr], tx_count:u32 ; 8.0 sm_90 reads writes orders
		mbarrier.arrive_drop.noComplete{.sem}{.scope}{.ss}.b64 =state, [addr], count:u32 ; reads writes orders
		.sem = acquire relaxed
		mbarrier.test_wait{.sem}{.scope}{.ss}.b64 =done:pred, [addr], state ; reads orders
		mbarrier.test_wait.parity{.sem}{.scope}{.ss}.b64 =done:pred, [addr], parity:u32 ; 7.1 reads orders
		mbarrier.try_wait{.sem}{.scope}{.ss}.b64 =done:pred, [addr], state{, suspendTimeHint:u32} ; 7.8 sm_90 reads orders waits
		mbarrier.try_wait.parity{.sem}{.scope}{.ss}.b64 =done:pred, [addr], parity:u32{, suspendTimeHint:u32} ; 7.8 sm_90 reads orders waits
		mbarrier.pending_count.b64 =count:u32, state`},
	{name: "tensormap", since: 83, minSM: 90, ref: "9.7.9.26, 9.7.13.16", doc: "edit or publish a tensor map", forms: `
		.ss = global shared::cta
		.type = b32 b64
		.field = global_address rank elemtype interleave_layout swizzle_mode swizzle_atomicity fill_mode
		tensormap.replace.tile.field{.ss}.b1024.type [addr], new_val ; writes
		.field = box_dim global_dim global_stride element_stride
		tensormap.replace.tile.field{.ss}.b1024.type [addr], ord:u32, new_val ; writes
		tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [dst], [src], size:u32 ; reads writes orders waits convergent`},
	{name: "clusterlaunchcontrol", since: 86, minSM: 100, ref: "9.7.13.17, 9.7.13.18", doc: "take over work of a cluster not yet launched", forms: `
		clusterlaunchcontrol.try_cancel.async{.shared::cta}.completion_mechanism{.multicast::cluster::all}.b128 [addr], [mbar] ; writes
		clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p:pred, response:b128
		clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 d<4>:b32, response:b128
		.dimension = get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z
		clusterlaunchcontrol.query_cancel.dimension.b32.b128 d:b32, response:b128`},
}
