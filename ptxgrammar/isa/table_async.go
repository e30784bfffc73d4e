// The table: asynchronous copies, mbarriers, tensor maps, cluster launch control.

package isa

// asyncRows: asynchronous copies, mbarriers, tensor maps and cluster launch
// control, PTX ISA 9.7.9.25, 9.7.9.26 and 9.7.13.15 to 9.7.13.18.
var asyncRows = []row{
	{name: "cp", since: 70, minSM: 80, ref: "9.7.9.25", doc: "asynchronous copy", forms: cpForms + bulkForms + tensorForms},
	{name: "mbarrier", since: 70, minSM: 80, ref: "9.7.13.15", doc: "barrier object in shared memory", forms: mbarrierForms},
	{name: "tensormap", since: 83, minSM: 90, ref: "9.7.9.26, 9.7.13.16", doc: "edit or publish a tensor map", forms: `
		.ss = global shared::cta
		.field = rank elemtype interleave_layout swizzle_mode fill_mode
		tensormap.replace.tile.field{.ss}.b1024.b32 [addr]:store=128, new_val:b32 ; sm_90a sm_100f sm_101f sm_120f
		.field = swizzle_atomicity
		tensormap.replace.tile.field{.ss}.b1024.b32 [addr]:store=128, new_val:b32 ; 8.6 sm_100f sm_101f sm_120f
		.field = global_address
		# The public form lists give every field both .b32 and .b64; the manual's table has .b64 for addresses and strides and .b32 for the rest.
		tensormap.replace.tile.field{.ss}.b1024.b64 [addr]:store=128, new_val:b64 ; sm_90a sm_100f sm_101f sm_120f
		.field = box_dim global_dim element_stride
		tensormap.replace.tile.field{.ss}.b1024.b32 [addr]:store=128, ord:u32, new_val:b32 ; sm_90a sm_100f sm_101f sm_120f
		.field = global_stride
		tensormap.replace.tile.field{.ss}.b1024.b64 [addr]:store=128, ord:u32, new_val:b64 ; sm_90a sm_100f sm_101f sm_120f
		tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [dst]:store=128, [src]:load=128, size:u32#128 ; orders waits convergent`},
	{name: "clusterlaunchcontrol", since: 86, minSM: 100, ref: "9.7.13.17, 9.7.13.18", doc: "take over work of a cluster not yet launched", forms: `
		# Other public material names fewer targets for .multicast::cluster::all; this follows the manual's Target ISA Notes.
		clusterlaunchcontrol.try_cancel.async{.shared::cta}.completion_mechanism{.multicast::cluster::all@86/100f+101f+120f}.b128 [addr]:store=16, [mbar]:signal_tx
		clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p:pred, response:b128
		clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 d<4>:b32, response:b128
		.dimension = get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z
		# The public form list shows the dimension as optional; without it the result would have no meaning.
		clusterlaunchcontrol.query_cancel.dimension.b32.b128 d:b32, response:b128`},
}

// cpForms: PTX ISA 9.7.9.25.3. Only the first copies of a size known here; a
// src_size or ignore_src may cut what is read short.
const cpForms = `
	.ss = shared shared::cta@78
	cp.async.ca.ss.global{.level::cache_hint}{.level::prefetch_size} [dst]:store, [src]:load, cp_size:u32#4|8|16{, src_size:none}{, cache_policy:b64}
	cp.async.cg.ss.global{.level::cache_hint}{.level::prefetch_size} [dst]:store, [src]:load, cp_size:u32#16{, src_size:none}{, cache_policy:b64}
	cp.async.commit_group
	cp.async.wait_group n:u32#any ; orders
	cp.async.wait_all ; orders
	cp.async.mbarrier.arrive{.noinc}{.ss}.b64 [addr]:signal_arrive
`

// bulkForms: PTX ISA 9.7.9.25.4 and 9.7.9.25.5.
const bulkForms = `
	cp.async.bulk.commit_group ; 8.0 sm_90
	cp.async.bulk.wait_group{.read} n:u32#any ; 8.0 sm_90 orders
	cp.async.bulk.shared::cta.global.completion_mechanism{.level::cache_hint} [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx{, cache_policy:b64} ; 8.6 sm_90
	cp.async.bulk.shared::cta.global.completion_mechanism{.level::cache_hint}.ignore_oob [dstMem]:store, [srcMem]:load, size:u32, ignoreBytesLeft:u32, ignoreBytesRight:u32, [mbar]:signal_tx{, cache_policy:b64} ; 9.2 sm_90
	# Performance is best on sm_90a, sm_100a and sm_101a, as the manual says of .multicast::cluster; sm_90 is enough.
	cp.async.bulk.shared::cluster.global.completion_mechanism{.multicast::cluster}{.level::cache_hint} [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx{, ctaMask:b16}{, cache_policy:b64} ; 8.0 sm_90
	cp.async.bulk.shared::cluster.shared::cta.completion_mechanism [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx ; 8.0 sm_90
	cp.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}{.cp_mask@86/100} [dstMem]:store, [srcMem]:load, size:u32{, cache_policy:b64}{, byteMask:b16} ; 8.0 sm_90
	cp.async.bulk.prefetch.L2.global{.level::cache_hint} [srcMem], size:u32{, cache_policy:b64} ; 8.0 sm_90
	.redOp = and or xor
	.type = b32
	# The public form list gives every operation every type; the manual's table of operations, which this follows, does not.
	cp.reduce.async.bulk.shared::cluster.shared::cta.completion_mechanism.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32, [mbar]:signal_tx ; 8.0 sm_90
	.redOp = add
	.type = u32 s32 u64
	cp.reduce.async.bulk.shared::cluster.shared::cta.completion_mechanism.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32, [mbar]:signal_tx ; 8.0 sm_90
	.redOp = inc dec
	.type = u32
	cp.reduce.async.bulk.shared::cluster.shared::cta.completion_mechanism.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32, [mbar]:signal_tx ; 8.0 sm_90
	.redOp = min max
	.type = u32 s32
	cp.reduce.async.bulk.shared::cluster.shared::cta.completion_mechanism.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32, [mbar]:signal_tx ; 8.0 sm_90
	.redOp = and or xor
	.type = b32 b64
	cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32{, cache_policy:b64} ; 8.0 sm_90
	.redOp = add
	.type = u32 s32 u64 f32 f64
	cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32{, cache_policy:b64} ; 8.0 sm_90
	.type = f16 bf16
	cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.redOp.noftz.type [dstMem]:reduce, [srcMem]:load, size:u32{, cache_policy:b64} ; 8.0 sm_90
	.redOp = inc dec
	.type = u32
	cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32{, cache_policy:b64} ; 8.0 sm_90
	.redOp = min max
	.type = u32 s32 u64 s64 f16 bf16
	cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32{, cache_policy:b64} ; 8.0 sm_90
`

// tensorForms: PTX ISA 9.7.9.25.6. An address operand holds the tensor map and the
// coordinates.
const tensorForms = `
	.dim = 1d 2d 3d 4d 5d
	.load_mode = tile tile::gather4@86/100 im2col im2col::w@86/100 im2col::w::128@86/100
	cp.async.bulk.tensor.dim.shared::cta.global{.load_mode}.completion_mechanism{.cta_group}{.level::cache_hint} [dstMem]:store, [tensorMap, tensorCoords]:tload, [mbar]:signal_tx{, im2colInfo<*>:u16}{, cache_policy:b64} ; 8.6 sm_90
	cp.async.bulk.tensor.dim.shared::cluster.global{.load_mode}.completion_mechanism{.multicast::cluster}{.cta_group}{.level::cache_hint} [dstMem]:store, [tensorMap, tensorCoords]:tload, [mbar]:signal_tx{, im2colInfo<*>:u16}{, ctaMask:b16}{, cache_policy:b64} ; 8.0 sm_90
	cp.async.bulk.prefetch.tensor.dim.L2.global{.load_mode}{.level::cache_hint} [tensorMap, tensorCoords]{, im2colInfo<*>:u16}{, cache_policy:b64} ; 8.0 sm_90
	.load_mode = tile tile::scatter4@86/100f+101f im2col_no_offs
	cp.async.bulk.tensor.dim.global.shared::cta{.load_mode}.bulk_group{.level::cache_hint} [tensorMap, tensorCoords]:tstore, [srcMem]:load{, cache_policy:b64} ; 8.0 sm_90
	.load_mode = tile im2col_no_offs
	.redOp = add min max inc dec and or xor
	cp.reduce.async.bulk.tensor.dim.global.shared::cta.redOp{.load_mode}.bulk_group{.level::cache_hint} [tensorMap, tensorCoords]:treduce, [srcMem]:load{, cache_policy:b64} ; 8.0 sm_90
`

// mbarrierForms: PTX ISA 9.7.13.15. In another block of the cluster a barrier can
// be arrived at, but gives no state.
const mbarrierForms = `
	.ss = shared shared::cta@78
	.scope = cta@80/90 cluster@80/90
	mbarrier.init{.ss}.b64 [addr]:barrier_init, count:u32
	mbarrier.inval{.ss}.b64 [addr]:barrier_init
	.sem = relaxed@80/90
	.space = shared shared::cta shared::cluster
	mbarrier.expect_tx{.sem}{.scope}{.space}.b64 [addr]:expect_tx, tx_count:u32 ; 8.0 sm_90
	mbarrier.complete_tx{.sem}{.scope}{.space}.b64 [addr]:complete_tx, tx_count:u32 ; 8.0 sm_90
	.sem = release@80/90 relaxed@80/90
	mbarrier.arrive{.sem}{.scope}{.ss}.b64 =state, [addr]:arrive ; orders
	mbarrier.arrive{.sem}{.scope}{.ss}.b64 =state, [addr]:arrive, count:u32 ; 7.8 sm_90 orders
	mbarrier.arrive{.sem}{.scope}.shared::cluster.b64 =sink, [addr]:arrive{, count:u32} ; 8.0 sm_90 orders
	mbarrier.arrive.expect_tx{.sem}{.scope}{.space}.b64 =state, [addr]:arrive, tx_count:u32 ; 8.0 sm_90 orders
	mbarrier.arrive.noComplete{.release@80/90}{.cta@80/90}{.ss}.b64 =state, [addr]:arrive, count:u32 ; orders
	mbarrier.arrive_drop{.sem}{.scope}{.ss}.b64 =state, [addr]:arrive_drop ; orders
	mbarrier.arrive_drop{.sem}{.scope}{.ss}.b64 =state, [addr]:arrive_drop, count:u32 ; 7.8 sm_90 orders
	mbarrier.arrive_drop{.sem}{.scope}.shared::cluster.b64 =sink, [addr]:arrive_drop{, count:u32} ; 8.0 sm_90 orders
	mbarrier.arrive_drop.expect_tx{.sem}{.scope}{.space}.b64 =state, [addr]:arrive_drop, tx_count:u32 ; 8.0 sm_90 orders
	mbarrier.arrive_drop.noComplete{.release@80/90}{.cta@80/90}{.ss}.b64 =state, [addr]:arrive_drop, count:u32 ; orders
	.sem = acquire@80/90 relaxed@80/90
	mbarrier.test_wait{.sem}{.scope}{.ss}.b64 =done:pred, [addr]:barrier_test, state ; orders
	mbarrier.test_wait.parity{.sem}{.scope}{.ss}.b64 =done:pred, [addr]:barrier_test, parity:u32 ; 7.1 orders
	mbarrier.try_wait{.sem}{.scope}{.ss}.b64 =done:pred, [addr]:barrier_test, state{, suspendTimeHint:u32} ; 7.8 sm_90 orders waits
	mbarrier.try_wait.parity{.sem}{.scope}{.ss}.b64 =done:pred, [addr]:barrier_test, parity:u32{, suspendTimeHint:u32} ; 7.8 sm_90 orders waits
	mbarrier.pending_count.b64 =count:u32, state
`
