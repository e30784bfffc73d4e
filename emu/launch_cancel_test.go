package emu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// persistent is the manual's example of clusterlaunchcontrol.try_cancel: a cluster does its own work and then
// that of clusters whose launch it has cancelled. The work of block i is to add 1 to word i, and the rank of
// the block that does it to word 64+i; word 128 counts blocks that have started.
func persistent(wait bool) string {
	loop := "WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [bar], %r9; @!%p1 bra WAIT;"
	if !wait {
		loop = ""
	}
	return header100 + `.shared .align 8 .b64 bar; .shared .align 16 .b8 answer[16];
.visible .entry k(.param .u64 p) {
	.reg .pred %p<6>; .reg .b32 %r<16>; .reg .b64 %d<6>; .reg .b128 %q;
	ld.param.u64 %d0, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %cluster_ctarank; mov.u32 %r9, 0;
	setp.eq.u32 %p2, %r1, 0; setp.eq.and.u32 %p3, %r3, 0, %p2;
	@%p2 mbarrier.init.shared::cta.b64 [bar], 1;
	@%p2 red.global.add.u32 [%d0+512], 1;
	barrier.cluster.arrive; barrier.cluster.wait;
NEXT:	@%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;
	@%p3 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [answer], [bar];
	mul.wide.u32 %d1, %r2, 4; add.u64 %d1, %d0, %d1;
	@%p2 red.global.add.u32 [%d1], 1; @%p2 st.global.u32 [%d1+256], %r3;
	` + loop + `
	ld.shared.b128 %q, [answer];
	clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p4, %q;
	@!%p4 bra END;
	clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r2, %r5, %r6, _}, %q;
	clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r7, %q;
	clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r8, %q;
	clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %r10, %q;
	setp.ne.u32 %p5, %r2, %r7; @%p5 trap; setp.ne.u32 %p5, %r5, %r8; @%p5 trap; setp.ne.u32 %p5, %r6, %r10; @%p5 trap;
	add.u32 %r2, %r2, %r3; xor.b32 %r9, %r9, 1;
	barrier.cluster.arrive; barrier.cluster.wait;
	bra NEXT;
END:	barrier.cluster.arrive; barrier.cluster.wait; ret;
}
`
}

// TestCancelLaunch: every block's work is done once, by a block that has started or by one that has taken
// it over, under every policy, and the same way when run again.
func TestCancelLaunch(t *testing.T) {
	for name, policy := range policies {
		for seed := range uint64(6) {
			for _, n := range []uint32{1, 2, 4} {
				for _, late := range []bool{false, true} {
					var before string
					for range 2 {
						m := loadWith(t, persistent(true), emu.Config{Policy: policy, Seed: seed, LateAsync: late})
						buf := alloc(t, m, "buf", 129)
						clean(t, launchCluster(t, m, 32, 64, n, buf))
						out := words(t, m, buf, 129)
						for i := range 32 {
							if out[i] != 1 || out[64+i] != uint32(i)%n {
								t.Fatalf("%s, seed %d, clusters of %d, late %t: block %d's work was done %d times, by rank %d", name, seed, n, late, i, out[i], out[64+i])
							}
						}
						if out[128] >= 32 || out[128]%n != 0 {
							t.Errorf("%s, seed %d, clusters of %d: %d blocks have started", name, seed, n, out[128])
						}
						if got := fmt.Sprint(out); before != "" && got != before {
							t.Errorf("%s, seed %d: another run gave another result", name, seed)
						} else {
							before = got
						}
					}
				}
			}
		}
	}
}

// TestCancelMissingWait: without the wait, operations that are late leave no response yet; what was
// cancelled is not done.
func TestCancelMissingWait(t *testing.T) {
	m := loadWith(t, persistent(false), emu.Config{LateAsync: true})
	buf := alloc(t, m, "buf", 129)
	r := launchCluster(t, m, 8, 32, 1, buf)
	done := uint32(0)
	for _, n := range words(t, m, buf, 129)[:8] {
		done += n
	}
	if len(r.Faults) > 0 || done >= 8 {
		t.Errorf("the work of %d blocks was done, faults %v", done, r.Faults)
	}
}

// TestCancelFaults: an address that is not a multiple of 16 or not in shared memory, no mbarrier, and the
// index of a cluster that was not cancelled.
func TestCancelFaults(t *testing.T) {
	const request = "clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes.b128 "
	for _, c := range []struct{ body, class, want string }{
		{"mov.u64 %d1, answer; cvta.shared.u64 %d1, %d1; mov.u64 %d2, bar; cvta.shared.u64 %d2, %d2; " + request + "[%d1+8], [%d2];", "misaligned", "expected a multiple of 16"},
		{"mov.u64 %d2, bar; cvta.shared.u64 %d2, %d2; " + request + "[%d0], [%d2];", "out-of-bounds", "not in shared memory"},
		{"mov.u64 %d1, answer; cvta.shared.u64 %d1, %d1; " + request + "[%d1], [%d1];", "uninitialised", "no mbarrier here"},
		{"mov.b128 %q, {%d0, %d0}; clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r1, %q;", "unsupported", "was not granted"},
	} {
		text := header100 + ".shared .align 8 .b64 bar; .shared .align 16 .b8 answer[32];\n.visible .entry k(.param .u64 p) {\n.reg .b32 %r<4>; .reg .b64 %d<6>; .reg .b128 %q;\nld.param.u64 %d0, [p]; mbarrier.init.shared::cta.b64 [bar], 1;\n" + c.body + " ret;\n}\n"
		m := loadWith(t, text, emu.Config{})
		r := launch(t, m, 1, 1, alloc(t, m, "buf", 4))
		if len(r.Faults) != 1 || r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Message, c.want) {
			t.Errorf("%s: got %v", c.body, r.Faults)
		}
	}
}
