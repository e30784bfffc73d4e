// Waits for phases of mbarriers.

package fix_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
)

// copies is a kernel in which the first thread copies four tiles to shared memory, one after the other, and the first
// warp reads each. The computation of an iteration's phase, and the code before the reads, are filled in.
const copies = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 from, .param .u64 to)
{
	.shared .align 16 .b8 tile[128];
	.shared .align 8 .b64 bar;
	.reg .pred %p<9>;
	.reg .b32 %r<12>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [from];
	ld.param.u64 %rd2, [to];
	mov.u32 %r1, %tid.x;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra MADE;
	mbarrier.init.shared.b64 [bar], 1;
MADE:
	bar.sync 0;
	mov.u32 %r2, 0;
	mov.u32 %r3, tile;
	shl.b32 %r4, %r1, 2;
	add.u32 %r4, %r4, %r3;
	mul.wide.u32 %rd4, %r1, 4;
	add.u64 %rd2, %rd2, %rd4;
	mov.u32 %r9, 0;
ROUND:
	@%p1 bra COPIED;
	mbarrier.arrive.expect_tx.shared.b64 %rd3, [bar], BYTES;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 128, [bar];
COPIED:
WAIT
	ld.shared.u32 %r5, [%r4];
	add.u32 %r9, %r9, %r5;
	add.u64 %rd1, %rd1, 128;
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p3, %r2, 4;
	bar.sync 0;
	fence.proxy.async;
	@%p3 bra ROUND;
	st.global.u32 [%rd2], %r9;
	ret;
}
`

// skipped waits in front of the reads in all rounds but the third.
const skipped = `	setp.eq.u32 %p5, %r2, 2;
	@%p5 bra PASSED;
	and.b32 %r6, %r2, 1;
AGAIN:
	mbarrier.try_wait.parity.shared.b64 %p4, [bar], %r6;
	@!%p4 bra AGAIN;
PASSED:`

func mendCopies(t *testing.T, bytes, wait string) *fix.Result {
	t.Helper()
	text := strings.NewReplacer("BYTES", bytes, "WAIT\n", wait+"\n").Replace(copies)
	const file = "buffers: {a: {type: u32, count: 128, init: 3}, out: {type: u32, count: 32, init: 0}}\n" +
		"launches: [{kernel: k, grid: 1, block: 32, args: [a, out]}]\nexpect: {buffers: {out: {equals: 12}}}\n"
	return mendPlan(t, planText(t, text, file), 16, 100, 2)
}

// TestPhases: in a loop, a wait is for the phase of the round: that which another wait of the loop waits for,
// calculated again, or one that the thread counts.
func TestPhases(t *testing.T) {
	for name, x := range map[string]struct{ wait, want string }{
		"another wait": {skipped, "and.b32 fix_value_"},
		"no wait":      {"", "xor.b32 fix_phase_"},
	} {
		res := mendCopies(t, "128", x.wait)
		if len(res.Edits) != 1 || res.Edits[0].Op != repair.Wait {
			t.Errorf("%s: %v, expected a wait; %s", name, ops(res), res.Why)
			continue
		}
		c := res.Edits[0].Changes
		if text := c[len(c)-1].Text; !strings.Contains(text, x.want) {
			t.Errorf("%s: expected %q in\n%s", name, x.want, text)
		}
	}
}

// TestPhaseHides tests a phase that completes before the copy does: waiting for it orders nothing, and the repair is
// that the arrival expects the bytes.
func TestPhaseHides(t *testing.T) {
	wait := strings.NewReplacer("setp.eq.u32 %p5, %r2, 2", "setp.eq.u32 %p5, %r2, 9").Replace(skipped)
	if res := mendCopies(t, "128", wait); len(res.Races) > 0 {
		t.Fatalf("%d races with all waits", len(res.Races))
	}
	res := mendCopies(t, "0", wait)
	if len(res.Races) == 0 || !slices.Equal(ops(res), []repair.Op{repair.Expect}) {
		t.Errorf("%d races, %v, expected that bytes are expected; %s", len(res.Races), ops(res), res.Why)
	}
}

// TestExpected: bytes that are not expected, or not all of them, are expected then.
func TestExpected(t *testing.T) {
	for _, name := range []string{"async/red-async-and-read", "async/st-async-not-expected"} {
		if res := mend(t, filepath.Join(suite, name+"-racy.yaml"), 16, 100); !slices.Equal(ops(res), []repair.Op{repair.Expect}) {
			t.Errorf("%s: %v; %s", name, ops(res), res.Why)
		}
	}
}

// TestClusterOfCopy: a copy to all blocks of a cluster needs a barrier of the cluster in front of the next one.
func TestClusterOfCopy(t *testing.T) {
	if res := mend(t, filepath.Join(suite, "async/multicast-tile-reused-racy.yaml"), 16, 100); !slices.Equal(ops(res), []repair.Op{repair.Cluster}) {
		t.Errorf("%v; %s", ops(res), res.Why)
	}
}

// TestScopeOfArrival: an arrival on an mbarrier of another block, and the wait for it, have the scope of the cluster
// then, where another one is not enough. Of the two, one alone orders nothing.
func TestScopeOfArrival(t *testing.T) {
	res := mend(t, filepath.Join(suite, "cluster/mbarrier-block-scope-racy.yaml"), 16, 100)
	if !slices.Equal(ops(res), []repair.Op{repair.WidenScope}) || len(res.Edits[0].Changes) != 2 {
		t.Errorf("%v; %s", ops(res), res.Why)
	}
}
