// Searches with a budget, and shapes of launches that a repair changes.

package fix_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// spends repairs a plan with a budget.
func spends(t *testing.T, plan *session.Plan, b trial.Budget, workers int) *fix.Result {
	t.Helper()
	dets, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	res, err := fix.Run(t.Context(), fix.Options{Subject: trial.Subject{Plan: plan, Session: session.Options{Detectors: dets}, Workers: workers}, Schedules: 20, Budget: b})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestBudget: a search ends at its budget, whatever part of it is running, and says so; with enough it comes to the
// same end as without.
func TestBudget(t *testing.T) {
	long(t)
	free := mendPlan(t, bodyPlan(t, treeSum, "grid: 1, block: 64"), 20, 0, 2)
	if !free.Mended() {
		t.Fatal(free.Why)
	}
	mended, undecided := 0, 0
	for _, b := range []trial.Budget{
		{Runs: 1},
		{Runs: 5},
		{Runs: 25},
		{Runs: 60},
		{Runs: 120},
		{Instructions: 1},
		{Instructions: 20_000},
		{Instructions: 400_000},
		{Runs: 100_000, Instructions: 1 << 40},
	} {
		res := spends(t, bodyPlan(t, treeSum, "grid: 1, block: 64"), b, 2)
		if alone := spends(t, bodyPlan(t, treeSum, "grid: 1, block: 64"), b, 1); alone.Undecided != res.Undecided || alone.Attempts != res.Attempts {
			t.Errorf("%+v: %q with one worker, %q with two", b, alone.Undecided, res.Undecided)
		}
		switch {
		case res.Mended() && slices.Equal(ops(res), ops(free)):
			mended++
		case res.Mended() && res.Verified.Remaining != "": // the best so far, and what it leaves
			undecided++
		case !res.Mended() && strings.HasPrefix(res.Undecided, trial.ErrSpent.Error()) && !res.Complete():
			undecided++
		default:
			t.Errorf("%+v: mended by %v (%s %s), expected %v or an end of the budget", b, ops(res), res.Why, res.Undecided, ops(free))
		}
	}
	if mended == 0 || undecided < 4 {
		t.Errorf("%d searches have come to their end, and %d to that of their budget", mended, undecided)
	}
}

// TestBudgetOfLongRun: a run that would exceed the budget by itself is cut off.
func TestBudgetOfLongRun(t *testing.T) {
	const long = `
	st.global.u32 [%rd1], %r1;
AGAIN:
	add.u32 %r3, %r3, 1;
	setp.lt.u32 %p1, %r3, 1000000000;
	@%p1 bra AGAIN;
	ld.global.u32 %r4, [%rd1];
`
	res := spends(t, bodyPlan(t, long, "grid: 1, block: 64"), trial.Budget{Instructions: 1_000_000}, 2)
	if res.Mended() || !strings.HasPrefix(res.Undecided, trial.ErrSpent.Error()) {
		t.Errorf("mended by %v, %s", ops(res), res.Undecided)
	}
	if errors.Is(trial.ErrSpent, session.ErrInterrupted) {
		t.Error("the end of a budget is an interrupt")
	}
}

// TestSecondKernelOtherNumbers: the launches of a template with a second kernel run with other numbers, too.
func TestSecondKernelOtherNumbers(t *testing.T) {
	const text = `.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r8, [n];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mad.lo.u32 %r4, %r2, 32, %r1;
	setp.ge.u32 %p1, %r4, %r8;
	@%p1 bra END;
	mul.wide.u32 %rd2, %r4, 4;
	add.u64 %rd3, %rd1, %rd2;
	sub.u32 %r5, %r8, %r4;
	mul.wide.u32 %rd4, %r5, 4;
	add.u64 %rd5, %rd1, %rd4;
	st.global.u32 [%rd3], %r4;
	ld.global.u32 %r6, [%rd5];
	st.global.u32 [%rd3+1024], %r6;
END:
	ret;
}
`
	plan := planText(t, text, "guessed: numbers\nbuffers: {out: {type: u32, count: 1024, init: 0}}\nlaunches: [{kernel: k, grid: 2, block: 32, args: [out, 60]}]\n")
	if len(plan.OtherNumbers()) == 0 {
		t.Fatal("the template has no other numbers")
	}
	res := mendPlan(t, plan, 12, 0, 2)
	if !slices.Equal(ops(res), []repair.Op{repair.Split}) {
		t.Errorf("mended by %v, expected a second kernel; %s", ops(res), res.Why)
	}
}
