package fix_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// mendWeak repairs the launch of bodyPlan under weak memory, without a detector of races.
func mendWeak(t *testing.T, body, shape string) *fix.Result {
	t.Helper()
	plan := bodyPlan(t, body, shape)
	res, err := fix.Run(context.Background(), fix.Options{Subject: trial.Subject{Plan: plan, Session: session.Options{Emulator: emu.Config{Memory: emu.PTX}}, Workers: 1}, Schedules: 20})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// passing is a message: block 0 stores a word and then a flag, with write between the two; block 1 loads the flag,
// executes read, and loads the word. Both use accesses of a scope.
func passing(scope, write, read string) string {
	return strings.NewReplacer("SCOPE", scope, "BEFORE", write, "BEHIND", read).Replace(`
setp.ne.u32 %p1, %r2, 0;
@%p1 bra READER;
st.relaxed.SCOPE.global.u32 [%rd1], 1;
BEFORE
st.relaxed.SCOPE.global.u32 [%rd1+4], 1;
ret;
READER:
ld.relaxed.SCOPE.global.u32 %r3, [%rd1+4];
BEHIND
ld.relaxed.SCOPE.global.u32 %r4, [%rd1];
st.global.u32 [%rd1+8], %r3;
st.global.u32 [%rd1+12], %r4;`)
}

// TestWeakMended: what is missing is added, and no more: fences, a wider fence, a stronger fence, accesses of a wider
// scope. Fences that are there stay as they are.
func TestWeakMended(t *testing.T) {
	long(t)
	const blocks = "grid: 2, block: 1"
	for name, test := range map[string]struct {
		body string
		want []repair.Op
		text string // of the mended module
	}{
		"no fence":              {passing("gpu", "", ""), []repair.Op{repair.Fence, repair.Fence}, "fence.acq_rel.gpu"},
		"a fence on one side":   {passing("gpu", "fence.acq_rel.gpu;", ""), []repair.Op{repair.Fence}, "fence.acq_rel.gpu"},
		"a narrow fence":        {passing("gpu", "fence.acq_rel.cta;", "fence.acq_rel.gpu;"), []repair.Op{repair.WidenFence}, "fence.acq_rel.gpu"},
		"all fences":            {passing("gpu", "fence.acq_rel.gpu;", "fence.acq_rel.gpu;"), nil, ""},
		"accesses of one block": {passing("cta", "fence.acq_rel.gpu;", "fence.acq_rel.gpu;"), []repair.Op{repair.WidenScope, repair.WidenScope}, "st.relaxed.gpu"},
		"store buffering with fence.acq_rel": {`
setp.eq.u32 %p1, %r2, 0;
selp.u32 %r5, 0, 4, %p1;
selp.u32 %r6, 4, 0, %p1;
cvt.u64.u32 %rd2, %r5;
cvt.u64.u32 %rd3, %r6;
add.u64 %rd2, %rd2, %rd1;
add.u64 %rd3, %rd3, %rd1;
st.relaxed.gpu.global.u32 [%rd2], 1;
fence.acq_rel.gpu;
ld.relaxed.gpu.global.u32 %r3, [%rd3];
st.global.u32 [%rd2+8], %r3;`, []repair.Op{repair.WidenFence}, "fence.sc.gpu"},
	} {
		res := mendWeak(t, test.body, blocks)
		got := ops(res)
		slices.Sort(got)
		text := string(res.Module.AST.File.Src)
		if !slices.Equal(got, test.want) || !res.Complete() || !strings.Contains(text, test.text) || (len(res.Weak) == 0) != (test.want == nil) {
			t.Errorf("%s: edits %v, want %v; complete: %v, %d weak outcomes\n%s%s", name, got, test.want, res.Complete(), len(res.Weak), res.Diff(), res.Why)
		}
		if want := "which are all that the memory model allows"; !strings.Contains(res.Verified.Weak, want) {
			t.Errorf("%s: verified: %q, want %q", name, res.Verified.Weak, want)
		}
	}
}

// TestWeakNotMended: edits that forbid the weak outcome, but leave results which the launch file does not expect, are
// no repair, and the result says so.
func TestWeakNotMended(t *testing.T) {
	text := bodyPlan(t, passing("gpu", "", ""), "grid: 2, block: 1").Program.Module.Source()
	plan := planText(t, string(text), "buffers: {out: {type: u32, count: 64, init: 0}}\nlaunches: [{kernel: k, grid: 2, block: 1, args: [out]}]\nexpect: {buffers: {out: {equals: 7}}}\n")
	res, err := fix.Run(context.Background(), fix.Options{Subject: trial.Subject{Plan: plan, Session: session.Options{Emulator: emu.Config{Memory: emu.PTX}}, Workers: 1}, Schedules: 20})
	if err != nil {
		t.Fatal(err)
	}
	if res.Mended() || res.Complete() || len(res.Weak) == 0 || !strings.Contains(res.Why, "a weak outcome: no repair is verified: not verified: buffer out") {
		t.Errorf("mended: %v, complete: %v, %d weak outcomes: %s\n%s", res.Mended(), res.Complete(), len(res.Weak), res.Why, res.Diff())
	}
}

// TestWeakAdvice: a report of an exploration gets the edits that forbid its weak outcomes.
func TestWeakAdvice(t *testing.T) {
	plan := bodyPlan(t, passing("gpu", "", ""), "grid: 2, block: 1")
	e := &session.Exploration{Options: session.Options{Emulator: emu.Config{Memory: emu.PTX}}, Scenario: plan, Search: session.Search{Name: "exhaustive"}, Workers: 1}
	rep, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err = fix.AdviseWeak(context.Background(), fix.Options{Subject: trial.Subject{Plan: plan, Session: e.Options}}, rep); err != nil {
		t.Fatal(err)
	}
	if len(rep.Faults) == 0 {
		t.Fatal("no weak outcome")
	}
	for _, x := range rep.Faults {
		if x.Class != report.WeakClass || strings.Count(x.Hint, "__threadfence()") != 2 || !strings.Contains(x.Hint, "verified") || len(x.Reordered) == 0 || x.Fence != "fence.acq_rel.gpu" {
			t.Errorf("%s: %v, forbidden by %q; fix: %q", x.Class, x.Reordered, x.Fence, x.Hint)
		}
	}
}
