// The table: forms of bulk copies and tensor copies.

package isa

import (
	"fmt"
	"strings"
)

// bulkForms: PTX ISA 9.7.9.25.4 and 9.7.9.25.5. A copy may look for a pattern in what it copies, and report it to the
// barrier.
func bulkForms() string {
	return strings.NewReplacer("WEAK", ".weak@93/90a+100f+101f", "STRONG", "9.3 sm_90a sm_100f sm_101f").Replace(`
	.report = `+reports+`
	.multicast = multicast::cluster multicast::cluster::16b@94
	.scope = cta cluster gpu sys
	cp.async.bulk.commit_group ; 8.0 sm_90
	cp.async.bulk.wait_group{.read} n:u32#any ; 8.0 sm_90 orders
	# From the headers of CUDA 13.5 and its ptxas: no public copy of the manual of 9.5 describes it.
	~ sync_restrict::proxy::async: no public copy of the manual describes .sync_restrict::proxy::async
	cp.async.bulk.wait_group.sync_restrict::proxy::async n:u32#any ; 9.5 sm_90 orders
	cp.async.bulk{WEAK}.shared::cta.global.completion_mechanism{.report}{.level::cache_hint} [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx{, cache_policy:b64} ; 8.6 sm_90
	cp.async.bulk{WEAK}.shared::cta.global.completion_mechanism{.mbarrier::report::disabled@94/107f}{.level::cache_hint}.ignore_oob [dstMem]:store, [srcMem]:load, size:u32, ignoreBytesLeft:u32, ignoreBytesRight:u32, [mbar]:signal_tx{, cache_policy:b64} ; 9.2 sm_90
	cp.async.bulk.relaxed.scope.shared::cta.global.completion_mechanism{.report}{.level::cache_hint}.b128 [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx{, cache_policy:b64} ; STRONG
	cp.async.bulk.relaxed.scope.shared::cta.global.completion_mechanism{.mbarrier::report::disabled@94/107f}{.level::cache_hint}.ignore_oob.b128 [dstMem]:store, [srcMem]:load, size:u32, ignoreBytesLeft:u32, ignoreBytesRight:u32, [mbar]:signal_tx{, cache_policy:b64} ; STRONG
	# Performance is best on sm_90a, sm_100a and sm_101a, as the manual says of .multicast::cluster; sm_90 is enough.
	cp.async.bulk{WEAK}.shared::cluster.global.completion_mechanism{.report}{.multicast}{.level::cache_hint} [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx{, ctaMask:b16}{, cache_policy:b64} ; 8.0 sm_90
	cp.async.bulk{.weak}.shared::cluster.global.completion_mechanism{.report}.multicast::cluster::32b{.level::cache_hint} [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx, ctaMask:b32{, cache_policy:b64} ; 9.4 sm_107f
	cp.async.bulk.relaxed.scope.shared::cluster.global.completion_mechanism{.report}{.multicast}{.level::cache_hint}.b128 [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx{, ctaMask:b16}{, cache_policy:b64} ; STRONG
	cp.async.bulk.relaxed.scope.shared::cluster.global.completion_mechanism{.report}.multicast::cluster::32b{.level::cache_hint}.b128 [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx, ctaMask:b32{, cache_policy:b64} ; 9.4 sm_107f
	cp.async.bulk{WEAK}.global.shared::cta.bulk_group{.level::cache_hint}{.cp_mask@86/100} [dstMem]:store, [srcMem]:load, size:u32{, cache_policy:b64}{, byteMask:b16} ; 8.0 sm_90
	cp.async.bulk.relaxed.scope.global.shared::cta.bulk_group{.level::cache_hint}{.cp_mask@86/100}.b128 [dstMem]:store, [srcMem]:load, size:u32{, cache_policy:b64}{, byteMask:b16} ; STRONG
	.scope = cta cluster
	cp.async.bulk{WEAK}.shared::cluster.shared::cta.completion_mechanism [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx ; 8.0 sm_90
	cp.async.bulk.relaxed.scope.shared::cluster.shared::cta.completion_mechanism.b128 [dstMem]:store, [srcMem]:load, size:u32, [mbar]:signal_tx ; STRONG
	cp.async.bulk.prefetch.L2.global{.level::cache_hint} [srcMem], size:u32{, cache_policy:b64} ; 8.0 sm_90
	cp.async.bulk.prefetch.L2.global.L2::evict_last [srcMem], size:u32 ; 9.4 sm_107f
`) + bulkReductions
}

// reports are the patterns that a copy can look for (table 33 of PTX ISA 9.4).
const reports = "mbarrier::report::disabled@94/107f mbarrier::report::validity::per_16bytes::80000000@94/107f " +
	"mbarrier::report::validity::per_16bytes::8000@94/107f mbarrier::report::validity::per_16bytes::80@94/107f " +
	"mbarrier::report::validity::per_16bytes::8@94/107f mbarrier::report::validity::per_element::ff@94/107f"

const bulkReductions = `
	.scope = cta cluster
	.redOp = and or xor
	.type = b32
	# The public form list gives every operation every type; the manual's table of operations, which this follows, does not.
	cp.reduce.async.bulk{.relaxed@93.scope}.shared::cluster.shared::cta.completion_mechanism.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32, [mbar]:signal_tx ; 8.0 sm_90
	.redOp = add
	.type = u32 s32 u64
	cp.reduce.async.bulk{.relaxed@93.scope}.shared::cluster.shared::cta.completion_mechanism.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32, [mbar]:signal_tx ; 8.0 sm_90
	.redOp = inc dec
	.type = u32
	cp.reduce.async.bulk{.relaxed@93.scope}.shared::cluster.shared::cta.completion_mechanism.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32, [mbar]:signal_tx ; 8.0 sm_90
	.redOp = min max
	.type = u32 s32
	cp.reduce.async.bulk{.relaxed@93.scope}.shared::cluster.shared::cta.completion_mechanism.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32, [mbar]:signal_tx ; 8.0 sm_90
	.scope = cta cluster gpu sys
	.redOp = and or xor
	.type = b32 b64
	cp.reduce.async.bulk{.relaxed@93.scope}.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32{, cache_policy:b64} ; 8.0 sm_90
	.redOp = add
	.type = u32 s32 u64 f32 f64
	cp.reduce.async.bulk{.relaxed@93.scope}.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32{, cache_policy:b64} ; 8.0 sm_90
	.type = f16 bf16 f32@94
	cp.reduce.async.bulk{.relaxed@93.scope}.global.shared::cta.bulk_group{.level::cache_hint}.redOp.noftz.type [dstMem]:reduce, [srcMem]:load, size:u32{, cache_policy:b64} ; 8.0 sm_90
	.redOp = inc dec
	.type = u32
	cp.reduce.async.bulk{.relaxed@93.scope}.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32{, cache_policy:b64} ; 8.0 sm_90
	.redOp = min max
	.type = u32 s32 u64 s64 f16 bf16
	cp.reduce.async.bulk{.relaxed@93.scope}.global.shared::cta.bulk_group{.level::cache_hint}.redOp.type [dstMem]:reduce, [srcMem]:load, size:u32{, cache_policy:b64} ; 8.0 sm_90
`

// loadModes are the modes of copies from a tensor.
const loadModes = "tile tile::gather4@86/100 im2col im2col::w@86/100 im2col::w::128@86/100"

// clusterModes are the modes of copies to the shared memory of a cluster, and of prefetches.
const clusterModes = "tile tile::gather4@86/100f+101f im2col im2col::w@86/100f+101f im2col::w::128@86/100f+101f"

// tensorForms: PTX ISA 9.7.9.25.6. An address operand holds the tensor map and the
// coordinates.
func tensorForms() string {
	const policy = "{, cache_policy:b64}"
	return `
	.report = ` + reports + overridden(`
	cp.async.bulk.tensor.dim.shared::cta.global{.load_mode}.completion_mechanism{.report}{.cta_group}{.level::cache_hint}OVER [dstMem]:store, [MAPtensorCoords]:tload, [mbar]:signal_tx{, im2colInfo<*>:u16}`+policy+` ; 8.6 sm_90`, loadModes) + `
	.multicast = multicast::cluster multicast::cluster::16b@94` + overridden(`
	cp.async.bulk.tensor.dim.shared::cluster.global{.load_mode}.completion_mechanism{.report}{.multicast}{.cta_group}{.level::cache_hint}OVER [dstMem]:store, [MAPtensorCoords]:tload, [mbar]:signal_tx{, im2colInfo<*>:u16}{, ctaMask:b16}`+policy+` ; 8.0 sm_90`, clusterModes) + overridden(`
	cp.async.bulk.tensor.dim.shared::cluster.global{.load_mode}.completion_mechanism{.report}.multicast::cluster::32b{.cta_group}{.level::cache_hint}OVER [dstMem]:store, [MAPtensorCoords]:tload, [mbar]:signal_tx{, im2colInfo<*>:u16}, ctaMask:b32`+policy+` ; 9.4 sm_107f`, clusterModes) + overridden(`
	cp.async.bulk.prefetch.tensor.dim.L2.global{.load_mode}{.level::cache_hint}OVER [MAPtensorCoords]{, im2colInfo<*>:u16}`+policy+` ; 8.0 sm_90`, clusterModes) + overridden(`
	cp.async.bulk.prefetch.tensor.dim.L2.global{.load_mode}.L2::evict_lastOVER [MAPtensorCoords]{, im2colInfo<*>:u16} ; 9.4 sm_107f`, clusterModes) + overridden(`
	cp.async.bulk.tensor.dim.global.shared::cta{.load_mode}.bulk_group{.level::cache_hint}OVER [MAPtensorCoords]:tstore, [srcMem]:load`+policy+` ; 8.0 sm_90`,
		"tile tile::scatter4@86/100f+101f im2col_no_offs im2col_no_offs::w@94/107f") + `
	.redOp = add min max inc dec and or xor` + overridden(`
	cp.reduce.async.bulk.tensor.dim.global.shared::cta.redOp{.load_mode}.bulk_group{.level::cache_hint}OVER [MAPtensorCoords]:treduce, [srcMem]:load`+policy+` ; 8.0 sm_90`,
		"tile im2col_no_offs im2col_no_offs::w@94/107f")
}

// overridden returns a form of a tensor copy as it is; with another address of the tensor (.override::global_address);
// and, in mode tile, with another size, and other strides where there are several dimensions (PTX ISA 9.4, "Overriding
// tensor property value"). A mask of blocks then has 32 bits.
func overridden(form, modes string) string {
	const sizes, strides = "tensorSizeToOverride, ", "tensorLowerStrideToOverride, tensorUpperStrideToOverride, "
	set := func(dims, modes string) string { return fmt.Sprintf("\n\t.dim = %s\n\t.load_mode = %s", dims, modes) }
	with := func(over, properties string) string {
		return strings.NewReplacer("OVER", over, "MAP", "tensorMap, "+properties).Replace(form)
	}
	const address = ".override::global_address@94/107f"
	text := modesAndDims + set("1d 2d 3d 4d 5d", modes) + with("", "") + with(address, "gAddrToOverride, ")
	if strings.Contains(form, "{.multicast}") {
		return text + strings.NewReplacer("{.multicast}", "", "{, ctaMask:b16}", "").Replace(attributes(set, with, address, sizes, strides))
	}
	return text + attributes(set, with, address, sizes, strides)
}

// modesAndDims says which modes go with which numbers of dimensions (PTX ISA, "cp.async.bulk.tensor").
const modesAndDims = `
	! im2col im2col::w im2col::w::128 im2col_no_offs im2col_no_offs::w with 1d 2d
	! tile::gather4 tile::scatter4 with 1d 3d 4d 5d`

// attributes returns a form with other sizes and strides of the tensor.
func attributes(set func(dims, modes string) string, with func(over, properties string) string, address, sizes, strides string) string {
	return set("1d", "tile") + with(address+".override::global_dim", "gAddrToOverride, "+sizes) +
		set("2d 3d 4d 5d", "tile") + with(address+".override::global_dim_stride", "gAddrToOverride, "+sizes+strides)
}

// fabricForms: PTX ISA 9.7.11.5 (9.4). An address operand that names an endpoint holds the offset of the data and, for
// counted completion, that of the counter.
func fabricForms() string {
	return strings.NewReplacer("16B", "mbarrier::complete_tx::16B.mbarrier::report::fabric", "BYTES", "mbarrier::complete_tx::bytes.mbarrier::report::fabric",
		"HINT", "{.level::cache_hint@94}", "POLICY", "{, cache_policy:b64}").Replace(`
	~ multimem: endpoints of several devices are not emulated
	~ tensor try_atom commit_group sync_restrict::read: no public copy of the manual describes them
	fabric.try_get.async.shared::cta.BYTES{.level::cache_hint}.relaxed.sys.b128 [dst]:store, [srcLeId, srcDataOff]:tload, size:u32, [bar]:signal_txPOLICY
	fabric.try_put.async{.multimem}.shared::cta.16B{.level::cache_hint}{.cp_mask}.relaxed.sys.b128 [dstLeId, dstDataOff]:tstore, [src]:load, size:u32, [bar]:signal_tx{, byteMask:b16}POLICY
	fabric.try_put.async{.multimem}.shared::cta.16B.counted::bytes{.level::cache_hint}.relaxed.sys.b128 [dstLeId, dstDataOff, dstCounterOff]:tstore, [src]:load, size:u32, [bar]:signal_txPOLICY
` + fabricReductions() + `
	.op = and xor or
	.type = b32 b64
	fabric.try_pullred.async.multimem.shared::cta.BYTES.relaxed.sys.op.type.sync [dst]:store, [srcLeId, srcDataOff]:tload, size:u32, [bar]:signal_tx, membermask:b32#any ; convergent waits
	.op = min max
	.type = u32 s32 u64 s64 f16 bf16 e4m3@93/100f+101f+120a+121a e5m2@93/100f+101f+120a+121a
	fabric.try_pullred.async.multimem.shared::cta.BYTES.relaxed.sys.op.type.sync [dst]:store, [srcLeId, srcDataOff]:tload, size:u32, [bar]:signal_tx, membermask:b32#any ; convergent waits
	.type = u32 u64 f16 bf16 f32
	fabric.try_pullred.async.multimem.shared::cta.BYTES.relaxed.sys.add.type.sync [dst]:store, [srcLeId, srcDataOff]:tload, size:u32, [bar]:signal_tx, membermask:b32#any ; convergent waits
	.type = e4m3 e5m2
	fabric.try_pullred.async.multimem.shared::cta.BYTES.relaxed.sys.add.acc::f16.type.sync [dst]:store, [srcLeId, srcDataOff]:tload, size:u32, [bar]:signal_tx, membermask:b32#any ; sm_100f sm_101f sm_120a sm_121a convergent waits
	.type = f16 bf16
	fabric.try_pullred.async.multimem.shared::cta.BYTES.relaxed.sys.add.acc::f32.type.sync [dst]:store, [srcLeId, srcDataOff]:tload, size:u32, [bar]:signal_tx, membermask:b32#any ; sm_100f sm_101f sm_120a sm_121a convergent waits
	.op = and xor or
	.type = b32 b64
	fabric.try_atom.async.shared::cta.16B{.level::cache_hint}.relaxed.sys.op.type [dstLeId, dstDataOff]:treduce, [smem_dst]:store=16, [smem_src]:load=16, [bar]:signal_txPOLICY ; 9.4
	.type = b32 b64 b128
	fabric.try_atom.async.shared::cta.16B{.level::cache_hint}.relaxed.sys.exch.type [dstLeId, dstDataOff]:treduce, [smem_dst]:store=16, [smem_src]:load=16, [bar]:signal_txPOLICY ; 9.4
	fabric.try_atom.async.shared::cta.16B{.level::cache_hint}.relaxed.sys.cas.type [dstLeId, dstDataOff]:treduce, [smem_dst]:store=16, [smem_src]:load=32, [bar]:signal_txPOLICY ; 9.4
	.op = min max
	.type = u32 s32 u64 s64 f16x2 bf16x2
	# The manual has .u32, .u64 and the pairs of half precision only; the headers of CUDA 13.5 and its ptxas have the signed types, too.
	fabric.try_atom.async.shared::cta.16B{.level::cache_hint}.relaxed.sys.op.type [dstLeId, dstDataOff]:treduce, [smem_dst]:store=16, [smem_src]:load=16, [bar]:signal_txPOLICY ; 9.4
	.type = u32 u64 f16x2 bf16x2 f32 f64
	fabric.try_atom.async.shared::cta.16B{.level::cache_hint}.relaxed.sys.add.type [dstLeId, dstDataOff]:treduce, [smem_dst]:store=16, [smem_src]:load=16, [bar]:signal_txPOLICY ; 9.4
` + fabricTensors() + `
	fabric.submit{.op_restrict::fetching}
	# From the headers of CUDA 13.5 and its ptxas, as with fabric.wait.sync_restrict::read: no public copy of the manual of 9.5 describes them.
	fabric.submit.commit_group ; 9.5
	fabric.wait.sync_restrict::reads ; waits orders
	fabric.wait.sync_restrict::read n:u32#any ; 9.5 waits orders
`)
}

// fabricReductions returns the forms of fabric.try_red, without and with a counter.
func fabricReductions() string {
	form := func(counted, counter string) string {
		return strings.NewReplacer("COUNTED", counted, "COUNTER", counter).Replace(`
	.op = and xor or
	.type = b32 b64
	fabric.try_red.async{.multimem}.shared::cta.16BCOUNTED{.level::cache_hint}.relaxed.sys.op.type [dstLeId, dstDataOffCOUNTER]:treduce, [src]:load, size:u32, [bar]:signal_txPOLICY
	.op = min max
	.type = u32 s32 u64 s64 f16 bf16
	fabric.try_red.async{.multimem}.shared::cta.16BCOUNTED{.level::cache_hint}.relaxed.sys.op.type [dstLeId, dstDataOffCOUNTER]:treduce, [src]:load, size:u32, [bar]:signal_txPOLICY
	.type = u32 u64 f16 bf16 f32 f64
	fabric.try_red.async{.multimem}.shared::cta.16BCOUNTED{.level::cache_hint}.relaxed.sys.add.type [dstLeId, dstDataOffCOUNTER]:treduce, [src]:load, size:u32, [bar]:signal_txPOLICY`)
	}
	return form("", "") + form(".counted::bytes", ", dstCounterOff")
}

// fabricTensors returns the tensor forms of fabric instructions. All of them have .override::global_address.
func fabricTensors() string {
	form := func(dims, over, properties string) string {
		return strings.NewReplacer("OVER", ".override::global_address"+over, "PROPERTIES", properties, "PLACE", "tensorMap, tensorMapLeId, tensorMapOff").Replace(`
	.dim = ` + dims + `
	fabric.try_get.async.tensor.dim.shared::cta{.tile}.BYTES{.level::cache_hint}OVER.relaxed.sys.b128 [dstMem]:store, [PLACEPROPERTIES, tensorCoords]:tload, [mbar]:signal_txPOLICY ; 9.4 sm_107f
	fabric.try_put.async.tensor{.multimem}.dim.shared::cta{.tile}.16B{.level::cache_hint}OVER.relaxed.sys.b128 [PLACEPROPERTIES, tensorCoords]:tstore, [src]:load, size:u32, [mbar]:signal_txPOLICY ; 9.4 sm_107f
	fabric.try_put.async.tensor{.multimem}.dim.shared::cta{.tile}.16B.counted::bytes{.level::cache_hint}OVER.relaxed.sys.b128 [PLACE, counterOffPROPERTIES, tensorCoords]:tstore, [src]:load, size:u32, [mbar]:signal_txPOLICY ; 9.4 sm_107f
	.redOp = and xor or add min max
	fabric.try_red.async.tensor{.multimem}.dim.shared::cta{.tile}.16B{.level::cache_hint}OVER.relaxed.sys.redOp [PLACEPROPERTIES, tensorCoords]:treduce, [src]:load, size:u32, [mbar]:signal_txPOLICY ; 9.4 sm_107f
	fabric.try_red.async.tensor{.multimem}.dim.shared::cta{.tile}.16B.counted::bytes{.level::cache_hint}OVER.relaxed.sys.redOp [PLACE, counterOffPROPERTIES, tensorCoords]:treduce, [src]:load, size:u32, [mbar]:signal_txPOLICY ; 9.4 sm_107f`)
	}
	return form("1d 2d 3d 4d 5d", "", "") + form("1d", ".override::global_dim", ", tensorSizeToOverride") +
		form("2d 3d 4d 5d", ".override::global_dim_stride", ", tensorSizeToOverride, tensorLowerStrideToOverride, tensorUpperStrideToOverride")
}

// decompressForms: the sizes of elements and indices and the numbers of repetitions that go with each sparsity (PTX ISA
// 9.4, "spdecompress": input of a repetition in a register, indices that reach the dense elements, 1 to 128 registers
// of output).
func decompressForms() string {
	var text strings.Builder
	text.WriteString("~ 9.3\n")
	for _, elem := range []int{8, 16} {
		for _, index := range []int{2, 4} {
			for _, factor := range []string{"1:2", "1:4", "1:8", "1:16", "2:4", "2:8", "2:16", "4:8", "4:16"} {
				sparse, dense := sparsity("sp::" + factor)
				if sparse*elem > regBits || dense > 1<<index {
					continue
				}
				var nums []string
				for n := 1; n <= 64; n *= 2 {
					registers := words(sparse*index*n) + words(sparse*elem*n) + words(dense*elem*n)
					if out := dense * elem * n; out >= regBits && out <= 128*regBits && registers <= 253 {
						nums = append(nums, fmt.Sprintf("x%d", n))
					}
				}
				fmt.Fprintf(&text, "\n\t.elemsize = b%d\n\t.idxsize = b%d\n\t.spfactor = sp::%s\n\t.num = %s\n\tspdecompress.elemsize.idxsize.spfactor.num =data<frag>, mdata<frag>, cdata<frag>",
					elem, index, factor, strings.Join(nums, " "))
			}
		}
	}
	return text.String()
}
