// Confirmation of repairs, and searches that leave something.

package fix_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// treeSum adds the numbers of the threads of a block, without a barrier between its rounds.
const treeSum = `
	.shared .align 4 .b8 s[4096];
	mov.u32 %r3, %ntid.x;
	mov.u32 %r4, s;
	shl.b32 %r5, %r1, 2;
	add.u32 %r4, %r4, %r5;
	st.shared.u32 [%r4], %r1;
	bar.sync 0;
ROUND:
	shr.u32 %r3, %r3, 1;
	setp.ge.u32 %p1, %r1, %r3;
	@%p1 bra DONE;
	shl.b32 %r6, %r3, 2;
	add.u32 %r6, %r4, %r6;
	ld.shared.u32 %r7, [%r6];
	ld.shared.u32 %r8, [%r4];
	add.u32 %r7, %r7, %r8;
	st.shared.u32 [%r4], %r7;
DONE:
	setp.gt.u32 %p2, %r3, 1;
	@%p2 bra ROUND;
	setp.ne.u32 %p3, %r1, 0;
	@%p3 bra END;
	ld.shared.u32 %r7, [s];
	st.global.u32 [%rd1], %r7;
END:`

// TestOtherBlocks: a barrier of the warp suffices for a block of one warp, but not for larger ones.
func TestOtherBlocks(t *testing.T) {
	res := mendBody(t, treeSum, "grid: 1, block: 32")
	if !slices.Equal(ops(res), []repair.Op{repair.Barrier}) || !slices.Equal(res.Verified.Blocks, []uint32{64, 128, 256, 512, 1024}) || !res.Complete() {
		t.Errorf("mended by %v for blocks of %d threads, expected a barrier of the block for all sizes; %s", ops(res), res.Verified.Blocks, res.Why)
	}
}

// TestLeftOfSource: a patch of the source is shown with what the repair leaves, as the repair itself is.
func TestLeftOfSource(t *testing.T) {
	res := mendBody(t, treeSum, "grid: 1, block: 32")
	res.Verified.Remaining = "blocks of 64 threads"
	var text strings.Builder
	for _, form := range []fix.Form{{}, {Source: &fix.SourceFix{Name: "k.cu", Verdict: fix.Checked}}} {
		text.Reset()
		if err := res.Write(&text, form); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), "not mended: a race remains with blocks of 64 threads\n") {
			t.Errorf("the output does not say that a race remains:\n%s", &text)
		}
	}
}

// TestUnfitBlocks: a kernel that is written for one size of blocks reads, with others, what no thread has written, or
// writes beyond a variable.
func TestUnfitBlocks(t *testing.T) {
	res := mendBody(t, `
	.shared .align 4 .b8 s[256];
	mov.u32 %r4, s;
	shl.b32 %r5, %r1, 2;
	add.u32 %r6, %r4, %r5;
	st.shared.u32 [%r6], %r1;
	sub.u32 %r4, %r4, %r5;
	ld.shared.u32 %r7, [%r4+252];
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd4, %rd1, %rd3;
	st.global.u32 [%rd4], %r7;`, "grid: 1, block: 64")
	if !res.Complete() || len(res.Verified.Blocks) > 0 {
		t.Errorf("complete is %v for blocks of %d threads too, expected a repair for the given size alone; %s", res.Complete(), res.Verified.Blocks, res.Why)
	}
}

// lostMessage stores a value and then a flag without a fence; block 1 looks at the flag once.
const lostMessage = `
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra READER;
	st.global.u32 [%rd1], 42;
	st.volatile.global.u32 [%rd1+4], 1;
	ret;
READER:
	ld.volatile.global.u32 %r3, [%rd1+4];
	setp.eq.u32 %p2, %r3, 0;
	@%p2 bra END;
	ld.global.u32 %r4, [%rd1];
	st.global.u32 [%rd1+8], %r4;
END:`

// TestRaceFreeResults: the original's runs in which the flag is not seen are compared with.
func TestRaceFreeResults(t *testing.T) {
	long(t)
	res := mendBody(t, lostMessage, "grid: 2, block: 1")
	if want := "as in the original's runs without a race"; !strings.Contains(res.Verified.Results, want) {
		t.Errorf("results: %q, expected %q; %s", res.Verified.Results, want, res.Why)
	}
	if res = mendBody(t, treeSum, "grid: 1, block: 64"); !strings.Contains(res.Verified.Results, "no run of the original is free of races") {
		t.Errorf("results: %q, but every run has the race", res.Verified.Results)
	}
}

// TestKeptFault: a fault that the repair does not concern is not mended.
func TestKeptFault(t *testing.T) {
	res := mendBody(t, strings.Replace(treeSum, "END:", "st.global.u32 [%rd1+1024], %r7;\nEND:", 1), "grid: 1, block: 64")
	if !res.Mended() || res.Complete() || !strings.Contains(res.Verified.Fault, "write of 4 bytes") {
		t.Errorf("mended is %v, complete %v, fault %q", res.Mended(), res.Complete(), res.Verified.Fault+res.Why)
	}
}

// TestInterrupted: what was found before an interrupt is kept, and nothing is decided by it.
func TestInterrupted(t *testing.T) {
	dets, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := 0
	plan := bodyPlan(t, treeSum, "grid: 1, block: 64")
	options := session.Options{Detectors: dets, Progress: func(string) {
		if ended++; ended > 12 {
			cancel()
		}
	}}
	res, err := fix.Run(ctx, fix.Options{Subject: trial.Subject{Plan: plan, Session: options, Workers: 1}, Schedules: 12})
	if err == nil || res == nil || res.Complete() || len(res.Races) == 0 || res.Undecided != "interrupted" {
		t.Fatalf("an interrupted search: %v, %+v", err, res)
	}
	lines := strings.NewReplacer("ld.shared", ".loc 1 3 1\nld.shared", "st.shared", ".loc 1 3 1\nst.shared", "shr.u32", ".loc 1 2 1\nshr.u32").Replace(treeSum)
	res = mendBody(t, ".file 1 \"k.cu\"\n"+lines, "grid: 1, block: 64")
	src := []byte("void f() {\n  h /= 2;\n  s[t] += s[t + h];\n}\n")
	if x := res.FixSource(ctx, "k.cu", src, hostcode.Options{}); x.Verdict != fix.NotDecided || x.Complete() {
		t.Errorf("an interrupted check of a source: %s; %s", x.Check(), x.Patch())
	}
}
