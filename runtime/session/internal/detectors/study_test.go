package detectors

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestAbsent: an instruction takes what it does from what no instruction does.
func TestAbsent(t *testing.T) {
	all := precise.Absent{Acquires: true, Barriers: true, RelaxedWrites: true, RelaxedReads: true, Unlocks: true, NarrowScopes: true}
	acquires, barriers, writes, reads, narrow, unlocks := all, all, all, all, all, all
	acquires.Acquires, barriers.Barriers, writes.RelaxedWrites, reads.RelaxedReads, narrow.NarrowScopes = false, false, false, false, false
	unlocks.Unlocks = false
	relaxed, both, stores, swaps := writes, narrow, writes, writes
	relaxed.RelaxedReads, both.RelaxedWrites, both.RelaxedReads, stores.Unlocks, swaps.RelaxedReads, swaps.Unlocks = false, false, false, false, false, false
	waits := acquires
	waits.NarrowScopes = false
	for inst, want := range map[string]precise.Absent{
		"membar.gl;":                                       all,
		"fence.acq_rel.sys;":                               all,
		"bar.sync 0;":                                      barriers,
		"bar.warp.sync -1;":                                barriers,
		"barrier.cluster.wait;":                            barriers,
		"atom.global.add.u32 %r1, [%rd1], 1;":              relaxed,
		"red.release.gpu.global.add.u32 [%rd1], 1;":        reads,
		"atom.global.cas.b32 %r1, [%rd1], 1, 2;":           relaxed,
		"atom.global.exch.b32 %r1, [%rd1], 1;":             swaps,
		"st.volatile.global.u32 [%rd1], %r1;":              stores,
		"st.mmio.relaxed.sys.global.u32 [%rd1], %r1;":      stores,
		"multimem.red.add.u32 [%rd1], %r1;":                relaxed,
		"st.global.u32 [%rd1], %r1;":                       all,
		"ld.volatile.global.u32 %r1, [%rd1];":              reads,
		"ld.global.u32 %r1, [%rd1];":                       all,
		"st.release.gpu.global.u32 [%rd1], %r1;":           unlocks,
		"membar.cta;":                                      narrow,
		"fence.sc.cluster;":                                narrow,
		"atom.cta.global.add.u32 %r1, [%rd1], 1;":          both,
		"cp.async.ca.shared.global [%rd2], [%rd1], 4;":     narrow,
		"mbarrier.test_wait.shared.b64 %p1, [%rd2], %rd1;": waits,
		"ld.acquire.gpu.global.u32 %r1, [%rd1];":           acquires,
		"atom.acq_rel.sys.global.add.u32 %r1, [%rd1], 1;":  acquires,
	} {
		src := ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<3>;\n" + inst + "\nret;\n}\n"
		tree, err := ptxgrammar.Parse("k.ptx", []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", inst, err)
		}
		mod, err := rewrite.Load(tree)
		if err != nil {
			t.Fatalf("%s: %v", inst, err)
		}
		got := all
		for _, in := range mod.Funcs[0].Insts {
			without(&got, in)
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", inst, got, want)
		}
	}
}
