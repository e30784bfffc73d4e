// Repairs of several edits and of accesses in called functions.

package fix_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
)

// TestSteps tests repairs that need one barrier after the other, where each step is a copy of a line in the source, in
// arms of branches that depend on contents of memory, and after a branch by which warps exit.
func TestSteps(t *testing.T) {
	long(t)
	apps := filepath.Dir(suite) + "/apps/"
	for name, want := range map[string][]repair.Op{
		apps + "graph-connectivity/init-barrier.yaml":        {repair.SplitBarrier},
		apps + "reduction/warp-sync.yaml":                    {repair.WarpBarrier, repair.WarpBarrier},
		suite + "/warp/last-warp-reduction-shared-racy.yaml": {repair.WarpBarrier},
		suite + "/warp/nested-branch-racy.yaml":              {repair.SplitBarrier},
	} {
		if res := mend(t, name, 16, 100); !slices.Equal(ops(res), want) {
			t.Errorf("%s: %v, expected %v; %s", name, ops(res), want, res.Why)
		}
	}
}

// TestCalls: accesses of called functions are ordered by a barrier next to the calls.
func TestCalls(t *testing.T) {
	const text = `.version 7.0
.target sm_70
.address_size 64
.func write(.param .b32 at, .param .b32 value)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [at];
	ld.param.u32 %r2, [value];
	st.shared.u32 [%r1], %r2;
	ret;
}
.func (.param .b32 value) read(.param .b32 at)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [at];
	ld.shared.u32 %r2, [%r1];
	st.param.b32 [value], %r2;
	ret;
}
.visible .entry k(.param .u64 out)
{
	.shared .align 4 .b32 s[64];
	.reg .b32 %r<5>;
	.reg .b64 %rd<3>;
	.param .b32 at;
	.param .b32 value;
	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	mov.u32 %r3, s;
	add.u32 %r2, %r2, %r3;
	st.param.b32 [at], %r2;
	st.param.b32 [value], %r1;
	call write, (at, value);
	xor.b32 %r2, %r2, 128;
	st.param.b32 [at], %r2;
	call (value), read, (at);
	ld.param.b32 %r4, [value];
	ld.param.u64 %rd1, [out];
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	st.global.u32 [%rd2], %r4;
	ret;
}
`
	res := mendPlan(t, planText(t, text, "buffers: {out: {type: u32, count: 64, init: 0}}\nlaunches: [{kernel: k, grid: 1, block: 64, args: [out]}]\n"), 12, 60, 2)
	if !slices.Equal(ops(res), []repair.Op{repair.Barrier}) || !res.Edits[0].Changes[0].At.Func.Entry {
		t.Errorf("%v, expected a barrier in the kernel; %s", ops(res), res.Why)
	}
}

// TestProof tests that the result says what the static detector proves about a repaired module.
func TestProof(t *testing.T) {
	for name, want := range map[string]string{"barrier/exchange-shared": fix.ProofOfLaunches, "fence/message-block-fence": ""} {
		if res := mend(t, filepath.Join(suite, name+"-racy.yaml"), 8, 40); !res.Mended() || res.Verified.Proof != want {
			t.Errorf("%s: mended %v, proof %q, expected %q", name, res.Mended(), res.Verified.Proof, want)
		}
	}
}

// TestOneThread: of the threads that initialise a mbarrier one is left.
func TestOneThread(t *testing.T) {
	res := mendBody(t, `
	.shared .align 8 .b64 bar;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra INITIALISED;
	mbarrier.init.shared.b64 [bar], 32;
INITIALISED:
	bar.sync 0;
	mbarrier.arrive.shared.b64 %rd2, [bar];`, "grid: 1, block: [16, 2]")
	if !slices.Equal(ops(res), []repair.Op{repair.OneThread}) {
		t.Errorf("%v, expected one thread; %s", ops(res), res.Why)
	}
}

// TestMovedPlace tests the place of a statement that is inserted before code that a compiler has moved: between the
// accesses.
func TestMovedPlace(t *testing.T) {
	res := mendBody(t, `
	.shared .align 4 .b32 s[64];
	.file 1 "k.cu"
	.loc 1 10 3
	shl.b32 %r1, %r1, 2;
	mov.u32 %r4, s;
	add.u32 %r1, %r1, %r4;
	.loc 1 20 3
	st.shared.u32 [%r1], %r1;
NEXT:
	.loc 1 5 3
	xor.b32 %r2, %r1, 128;
	.loc 1 29 3
	setp.lt.u32 %p1, %r2, 64;
	@%p1 bra END;
	.loc 1 30 3
	ld.shared.u32 %r3, [%r2];
END:`, "grid: 1, block: 64")
	var b strings.Builder
	if err := res.WriteText(&b); err != nil || strings.Contains(b.String(), "k.cu:5") || !strings.Contains(b.String(), "__syncthreads()") {
		t.Errorf("%v, %v:\n%s", ops(res), err, b.String())
	}
}
