// The table: asynchronous copies, mbarriers, tensor maps, cluster launch control.

package isa

// asyncRows: asynchronous copies, mbarriers, tensor maps and cluster launch
// control, PTX ISA 9.7.9.25, 9.7.9.26 and 9.7.13.15 to 9.7.13.18.
var asyncRows = []row{
	{name: "cp", since: 70, minSM: 80, ref: "9.7.9.25", doc: "asynchronous copy", made: func() string { return cpForms + bulkForms() + tensorForms() }},
	{name: "fabric", since: 93, minSM: 100, ref: "9.7.11.5", doc: "asynchronous operations on memory of logical endpoints, of other devices too", made: fabricForms},
	{name: "mbarrier", since: 70, minSM: 80, ref: "9.7.13.15", doc: "barrier object in shared memory", forms: mbarrierForms},
	{name: "tensormap", since: 83, minSM: 90, ref: "9.7.9.26, 9.7.13.16", doc: "edit or publish a tensor map", forms: `
		.ss = global shared::cta
		.field = rank
		tensormap.replace.tile.field{.ss}.b1024.b32 [addr]:store=128, new_val:b32 ; sm_90a sm_100f sm_101f sm_120f
		.field = elemtype interleave_layout swizzle_mode fill_mode
		tensormap.replace.tile.field{.ss}.b1024.b32 [addr]:store=128, new_val:b32#any ; sm_90a sm_100f sm_101f sm_120f
		.field = swizzle_atomicity
		tensormap.replace.tile.field{.ss}.b1024.b32 [addr]:store=128, new_val:b32#any ; 8.6 sm_100f sm_101f sm_120f
		.field = global_address
		# The public form lists give every field both .b32 and .b64; the manual's table has .b64 for addresses and strides and .b32 for the rest.
		tensormap.replace.tile.field{.ss}.b1024.b64 [addr]:store=128, new_val:b64 ; sm_90a sm_100f sm_101f sm_120f
		.field = box_dim global_dim element_stride
		tensormap.replace.tile.field{.ss}.b1024.b32 [addr]:store=128, ord:u32#any, new_val:b32 ; sm_90a sm_100f sm_101f sm_120f
		.field = global_stride
		tensormap.replace.tile.field{.ss}.b1024.b64 [addr]:store=128, ord:u32#any, new_val:b64 ; sm_90a sm_100f sm_101f sm_120f
		.ss = global const param shared::cta
		# From ptxas of CUDA 13.5: no public copy of the manual of 9.5 describes it.
		tensormap.query.alloc_class_large{.ss}.b1024 p:pred, [addr]:load=128 ; 9.5 sm_90a sm_100f sm_101f sm_120f
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

// mbarrierForms: PTX ISA 9.7.13.15. In another block of the cluster a barrier can
// be arrived at, but gives no state.
const mbarrierForms = `
	.ss = shared shared::cta@78
	.scope = cta@80 cluster@80/90
	.layout = layout::v0@93/90 layout::v1@93/90
	mbarrier.init{.layout}{.ss}.b64 [addr]:barrier_init, count:u32
	mbarrier.inval{.ss}.b64 [addr]:barrier_init
	mbarrier.check_layout.layout{.ss}.b64 =p:pred, [addr]:barrier_test ; 9.3 sm_90
	.sem = relaxed@80/90
	.space = shared shared::cta shared::cluster
	mbarrier.expect_tx{.sem.scope}{.space}.b64 [addr]:expect_tx, tx_count:u32 ; 8.0 sm_90
	mbarrier.expect_tx{.sem.scope}{.shared::cluster}.multicast::cluster::32b.b64 [addr]:expect_tx, tx_count:u32, ctaMask:b32 ; 9.4 sm_107f
	mbarrier.complete_tx{.sem.scope}{.space}.b64 [addr]:complete_tx, tx_count:u32 ; 8.0 sm_90
	mbarrier.complete_tx{.sem.scope}{.shared::cluster}.multicast::cluster::32b.b64 [addr]:complete_tx, tx_count:u32, ctaMask:b32 ; 9.4 sm_107f
	.sem = release@80 relaxed@80/90
	mbarrier.arrive{.sem.scope}{.ss}.b64 =state, [addr]:arrive ; orders
	mbarrier.arrive{.sem.scope}{.ss}.b64 =state, [addr]:arrive, count:u32 ; 7.8 sm_90 orders
	mbarrier.arrive{.sem.scope}.shared::cluster.b64 =sink, [addr]:arrive{, count:u32} ; 8.0 sm_90 orders
	mbarrier.arrive{.sem.scope}{.shared::cluster}.multicast::cluster::32b.b64 =sink, [addr]:arrive{, count:u32}, ctaMask:b32 ; 9.4 sm_107f orders
	mbarrier.arrive.expect_tx{.sem.scope}{.ss}.b64 =state, [addr]:arrive, tx_count:u32 ; 8.0 sm_90 orders
	mbarrier.arrive.expect_tx{.sem.scope}.shared::cluster.b64 =sink, [addr]:arrive, tx_count:u32 ; 8.0 sm_90 orders
	mbarrier.arrive.expect_tx{.sem.scope}{.shared::cluster}.multicast::cluster::32b.b64 =sink, [addr]:arrive, tx_count:u32, ctaMask:b32 ; 9.4 sm_107f orders
	mbarrier.arrive.noComplete{.release@80.cta@80}{.ss}.b64 =state, [addr]:arrive, count:u32 ; orders
	mbarrier.arrive_drop{.sem.scope}{.ss}.b64 =state, [addr]:arrive_drop ; orders
	mbarrier.arrive_drop{.sem.scope}{.ss}.b64 =state, [addr]:arrive_drop, count:u32 ; 7.8 sm_90 orders
	mbarrier.arrive_drop{.sem.scope}.shared::cluster.b64 =sink, [addr]:arrive_drop{, count:u32} ; 8.0 sm_90 orders
	mbarrier.arrive_drop{.sem.scope}{.shared::cluster}.multicast::cluster::32b.b64 =sink, [addr]:arrive_drop{, count:u32}, ctaMask:b32 ; 9.4 sm_107f orders
	mbarrier.arrive_drop.expect_tx{.sem.scope}{.ss}.b64 =state, [addr]:arrive_drop, tx_count:u32 ; 8.0 sm_90 orders
	mbarrier.arrive_drop.expect_tx{.sem.scope}.shared::cluster.b64 =sink, [addr]:arrive_drop, tx_count:u32 ; 8.0 sm_90 orders
	mbarrier.arrive_drop.expect_tx{.sem.scope}{.shared::cluster}.multicast::cluster::32b.b64 =sink, [addr]:arrive_drop, tx_count:u32, ctaMask:b32 ; 9.4 sm_107f orders
	mbarrier.arrive_drop.noComplete{.release@80.cta@80}{.ss}.b64 =state, [addr]:arrive_drop, count:u32 ; orders
	.sem = acquire@80 relaxed@80/90
	mbarrier.test_wait{.sem.scope}{.ss}.b64 =done:pred, [addr]:barrier_test, state ; orders
	mbarrier.test_wait.phase_type::primary{.sem.scope}{.ss}.b64 =done:pred{|report:pred}, [addr]:barrier_test, state ; 9.3 sm_90 orders
	mbarrier.test_wait.phase_type::primary{.sem.scope}{.ss}.b64 =done:pred|report:pred, =value:b8, [addr]:barrier_test, state ; 9.3 sm_90 orders
	mbarrier.test_wait.parity{.phase_type::conditional@93/90}{.sem.scope}{.ss}.b64 =done:pred, [addr]:barrier_test, parity:u32 ; 7.1 orders
	mbarrier.test_wait.parity.phase_type::primary{.sem.scope}{.ss}.b64 =done:pred{|report:pred}, [addr]:barrier_test, parity:u32 ; 9.3 sm_90 orders
	mbarrier.test_wait.parity.phase_type::primary{.sem.scope}{.ss}.b64 =done:pred|report:pred, =value:b8, [addr]:barrier_test, parity:u32 ; 9.3 sm_90 orders
	mbarrier.try_wait{.sem.scope}{.ss}.b64 =done:pred, [addr]:barrier_test, state{, suspendTimeHint:u32} ; 7.8 sm_90 orders waits
	mbarrier.try_wait.phase_type::primary{.sem.scope}{.ss}.b64 =done:pred{|report:pred}, [addr]:barrier_test, state{, suspendTimeHint:u32} ; 9.3 sm_90 orders waits
	mbarrier.try_wait.phase_type::primary{.sem.scope}{.ss}.b64 =done:pred|report:pred, =value:b8, [addr]:barrier_test, state{, suspendTimeHint:u32} ; 9.3 sm_90 orders waits
	mbarrier.try_wait.parity{.phase_type::conditional@93/90}{.sem.scope}{.ss}.b64 =done:pred, [addr]:barrier_test, parity:u32{, suspendTimeHint:u32} ; 7.8 sm_90 orders waits
	mbarrier.try_wait.parity.phase_type::primary{.sem.scope}{.ss}.b64 =done:pred{|report:pred}, [addr]:barrier_test, parity:u32{, suspendTimeHint:u32} ; 9.3 sm_90 orders waits
	mbarrier.try_wait.parity.phase_type::primary{.sem.scope}{.ss}.b64 =done:pred|report:pred, =value:b8, [addr]:barrier_test, parity:u32{, suspendTimeHint:u32} ; 9.3 sm_90 orders waits
	mbarrier.pending_count{.layout::v0@93/90}.b64 =count:u32, state
`
