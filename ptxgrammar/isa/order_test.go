package isa_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestOrder checks what instructions mean that do not say it; expected values are from
// the PTX ISA's sections on the instructions.
func TestOrder(t *testing.T) {
	tests := []struct {
		spelling string
		operands int
		sem      isa.Sem
		scope    isa.Scope
		strong   bool
		readOnly bool
		proxy    isa.Proxy
	}{
		{"ld.global.u32", 2, isa.SemWeak, isa.ScopeNone, false, false, isa.ProxyGeneric},
		{"ld.global.nc.u32", 2, isa.SemWeak, isa.ScopeNone, false, true, isa.ProxyReadOnly},
		{"ld.const.u32", 2, isa.SemWeak, isa.ScopeNone, false, true, isa.ProxyGeneric},
		{"ld.param.u32", 2, isa.SemWeak, isa.ScopeNone, false, false, isa.ProxyGeneric},
		{"ldu.global.u32", 2, isa.SemWeak, isa.ScopeNone, false, true, isa.ProxyReadOnly},
		{"ld.volatile.global.u32", 2, isa.SemVolatile, isa.ScopeNone, true, false, isa.ProxyGeneric},
		{"ld.acquire.gpu.global.u32", 2, isa.SemAcquire, isa.ScopeGPU, true, false, isa.ProxyGeneric},
		{"st.release.sys.u32", 2, isa.SemRelease, isa.ScopeSys, true, false, isa.ProxyGeneric},
		{"atom.global.add.u32", 3, isa.SemRelaxed, isa.ScopeGPU, true, false, isa.ProxyGeneric},
		{"atom.cta.global.add.u32", 3, isa.SemRelaxed, isa.ScopeCTA, true, false, isa.ProxyGeneric},
		{"red.global.add.u32", 2, isa.SemRelaxed, isa.ScopeGPU, true, false, isa.ProxyGeneric},
		{"membar.gl", 0, isa.SemSC, isa.ScopeGPU, true, false, isa.ProxyGeneric},
		{"fence.acq_rel.cta", 0, isa.SemAcqRel, isa.ScopeCTA, true, false, isa.ProxyGeneric},
		{"fence.proxy.alias", 0, isa.SemNone, isa.ScopeNone, false, false, isa.ProxyAlias},
		{"fence.proxy.async", 0, isa.SemNone, isa.ScopeNone, false, false, isa.ProxyAsync},
		{"fence.proxy.tensormap::generic.release.gpu", 0, isa.SemRelease, isa.ScopeGPU, true, false, isa.ProxyTensorMap},
		{"cp.async.ca.shared.global", 3, isa.SemWeak, isa.ScopeNone, false, false, isa.ProxyGeneric},
		{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", 4, isa.SemWeak, isa.ScopeNone, false, false, isa.ProxyAsync},
		{"wgmma.fence.sync.aligned", 0, isa.SemNone, isa.ScopeNone, false, false, isa.ProxyAsync},
		{"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32", 2, isa.SemWeak, isa.ScopeNone, false, false, isa.ProxyAny},
		{"tex.1d.v4.u32.s32", 2, isa.SemNone, isa.ScopeNone, false, false, isa.ProxyTexture},
		{"suld.b.1d.b32.trap", 2, isa.SemNone, isa.ScopeNone, false, false, isa.ProxySurface},
		{"add.u32", 3, isa.SemNone, isa.ScopeNone, false, false, isa.ProxyGeneric},
	}
	for _, tt := range tests {
		d := mustDecode(t, tt.spelling, tt.operands)
		if d.MemorySem() != tt.sem || d.MemoryScope() != tt.scope || d.Strong() != tt.strong || d.ReadOnly() != tt.readOnly || d.Proxy() != tt.proxy {
			t.Errorf("%s: semantics %s, scope %s, strong %t, read only %t, proxy %d", tt.spelling,
				d.MemorySem(), d.MemoryScope(), d.Strong(), d.ReadOnly(), d.Proxy())
		}
	}
	for sem, want := range map[isa.Sem]isa.Scope{isa.SemVolatile: isa.ScopeSys, isa.SemMMIO: isa.ScopeSys, isa.SemRelaxed: isa.ScopeNone} {
		if got := sem.Implied(); got != want {
			t.Errorf("%s implies scope %s, want %s", sem, got, want)
		}
	}
}

func TestBarrier(t *testing.T) {
	tests := []struct {
		spelling string
		operands int
		want     isa.Barrier
	}{
		{"bar.sync", 1, isa.Barrier{Of: isa.BarrierOfCTA, Aligned: true, ID: 0, Threads: -1}},
		{"bar.sync", 2, isa.Barrier{Of: isa.BarrierOfCTA, Aligned: true, ID: 0, Threads: 1}},
		{"bar.arrive", 2, isa.Barrier{Of: isa.BarrierOfCTA, Step: isa.BarrierArrive, Aligned: true, ID: 0, Threads: 1}},
		{"bar.red.popc.u32", 3, isa.Barrier{Of: isa.BarrierOfCTA, Step: isa.BarrierReduce, Aligned: true, ID: 1, Threads: -1}},
		{"bar.red.and.pred", 4, isa.Barrier{Of: isa.BarrierOfCTA, Step: isa.BarrierReduce, Aligned: true, ID: 1, Threads: 2}},
		{"barrier.sync", 1, isa.Barrier{Of: isa.BarrierOfCTA, ID: 0, Threads: -1}},
		{"barrier.sync.aligned", 1, isa.Barrier{Of: isa.BarrierOfCTA, Aligned: true, ID: 0, Threads: -1}},
		{"bar.warp.sync", 1, isa.Barrier{Of: isa.BarrierOfWarp, ID: 0, Threads: -1}},
		{"barrier.cluster.arrive", 0, isa.Barrier{Of: isa.BarrierOfCluster, Step: isa.BarrierArrive, ID: -1, Threads: -1}},
		{"barrier.cluster.wait.aligned", 0, isa.Barrier{Of: isa.BarrierOfCluster, Step: isa.BarrierWait, Aligned: true, ID: -1, Threads: -1}},
	}
	for _, tt := range tests {
		if got, ok := mustDecode(t, tt.spelling, tt.operands).Barrier(); !ok || got != tt.want {
			t.Errorf("%s with %d operands: %+v, want %+v", tt.spelling, tt.operands, got, tt.want)
		}
	}
	if _, ok := mustDecode(t, "mbarrier.init.b64", 2).Barrier(); ok {
		t.Error("mbarrier.init passes for a barrier of threads")
	}
}

func TestOperandFacts(t *testing.T) {
	tests := []struct {
		spelling     string
		operands     int
		size, branch int
	}{
		{"cp.async.cg.shared.global", 3, 2, -1},
		{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", 4, 2, -1},
		{"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes", 3, -1, -1},
		{"ld.global.u32", 2, -1, -1},
		{"bra", 1, -1, -1},
		{"brx.idx", 2, -1, 0},
	}
	for _, tt := range tests {
		if d := mustDecode(t, tt.spelling, tt.operands); d.CopySize() != tt.size || d.BranchIndex() != tt.branch {
			t.Errorf("%s: size of the copy %d, index of the branch %d", tt.spelling, d.CopySize(), d.BranchIndex())
		}
	}
}

// TestRemote: which accesses may be to another block's shared memory, by the state spaces that the manual's forms name.
func TestRemote(t *testing.T) {
	const bulk = ".mbarrier::complete_tx::bytes"
	for _, c := range []struct {
		opcode   string
		operands int
		want     []bool // by access
		signals  bool
	}{
		{"ld.shared.u32", 2, []bool{false}, false},
		{"ld.shared::cta.u32", 2, []bool{false}, false},
		{"ld.shared::cluster.u32", 2, []bool{true}, false},
		{"ld.u32", 2, []bool{true}, false},
		{"ld.global.u32", 2, []bool{false}, false},
		{"st.async.shared::cluster" + bulk + ".u32", 3, []bool{true, true}, true},
		{"st.async.release.gpu.global.u32", 2, []bool{false}, false},
		{"mbarrier.arrive.shared::cluster.b64", 2, []bool{true}, false},
		{"mbarrier.arrive.shared::cta.b64", 2, []bool{false}, false},
		{"cp.async.bulk.shared::cluster.global" + bulk, 4, []bool{true, false, true}, true},
		{"cp.async.bulk.shared::cta.global" + bulk, 4, []bool{false, false, false}, true},
		{"cp.async.bulk.shared::cluster.shared::cta" + bulk, 4, []bool{true, false, true}, true},
		{"cp.async.bulk.global.shared::cta.bulk_group", 3, []bool{false, false}, false},
		{"cp.async.bulk.shared::cluster.global" + bulk + ".multicast::cluster", 5, []bool{true, false, true}, true},
	} {
		d, err := decode(c.opcode, c.operands)
		if err != nil {
			t.Fatal(err)
		}
		var got []bool
		for _, a := range d.Accesses {
			got = append(got, d.Remote(a))
		}
		if !slices.Equal(got, c.want) || d.Signals() != c.signals {
			t.Errorf("%s: remote %v, want %v; signals %t", c.opcode, got, c.want, d.Signals())
		}
	}
}

// TestMulticast: masks of blocks of every width, and requests for all blocks, count.
func TestMulticast(t *testing.T) {
	const bulk = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
	for _, c := range []struct {
		opcode   string
		operands int
		want     bool
	}{
		{bulk, 4, false},
		{bulk + ".multicast::cluster", 5, true},
		{bulk + ".multicast::cluster::16b", 5, true},
		{bulk + ".multicast::cluster::32b", 5, true},
		{"mbarrier.arrive.release.cluster.shared::cluster.multicast::cluster::32b.b64", 3, true},
		{"tcgen05.cp.cta_group::1.64x128b.warpx2::02_13", 2, false},
	} {
		d, err := decode(c.opcode, c.operands)
		if err != nil {
			t.Fatal(err)
		}
		if d.Multicast() != c.want {
			t.Errorf("%s: %v, want %v", c.opcode, d.Multicast(), c.want)
		}
	}
}
