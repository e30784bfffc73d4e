package racesuite

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// warned lists the kernels with a race of the papers' model but not of the manual's: they pass data in volatile memory
// without the required fences, barriers or scopes. The others are fence/volatile-flag, grid/volatile-poll and
// lock/volatile-release, whose volatile data are the flag, counter and lock by which threads synchronise.
var warned = []string{
	"atomic/atomic-and-volatile-store-racy", "atomic/atomic-and-volatile-store-warps-racy", "atomic/volatile-read-of-counter-racy",
	"fence/volatile-block-fence-racy", "fence/volatile-read-again-racy", "fence/volatile-warps-device-fence-racy",
	"fence/volatile-warps-no-fence-racy", "lock/volatile-mixed-scopes-no-release-fence-racy",
	"lock/volatile-no-release-fence-racy", "lock/volatile-no-release-fence-warps-racy",
	"transitivity/four-actors-volatile-racy", "warp/tagged-counters-racy", "warp/volatile-exchange-racy",
	"apps/matrix-multiplication/grid-release-racy", "apps/matrix-multiplication/one-acquire-fence-racy",
	"apps/matrix-multiplication/release-fence-racy", "apps/reduction/half-fence-racy", "apps/reduction/ticket-fence-racy",
	"apps/rule-110/border-fence-racy",
}

// TestModels: precise gives every answer of the suite, those of the manual and those of the
// papers.
func TestModels(t *testing.T) {
	for _, c := range sampled(slices.Concat(Micro(t), Applications(t))) {
		findsAll(t, c, "precise")
		findsAll(t, c, "precise<model=scor>")
	}
}

// TestWarnings: of kernels without races precise reports nothing but warnings, and those
// only about pairs that are races to the papers.
func TestWarnings(t *testing.T) {
	for _, c := range slices.Concat(Micro(t), Applications(t)) {
		if answer(c, "ptx").Verdict != "clean" {
			continue
		}
		papers, warns := newCell(answer(c, "scor")), 0
		k := c.Run(t, "precise")
		for _, r := range []matrixRun{{"its", 0}, {"random", 1}} {
			rep := k.Under(r.policy, r.seed).Check(t)
			if n := rep.Count(report.Error); n > 0 {
				t.Errorf("%s, %s: %d errors", c.Name(), r.policy, n)
			}
			warns += len(rep.Races)
			papers.add(rep, "precise")
		}
		if len(papers.false) > 0 {
			t.Errorf("%s: warnings about %v", c.Name(), papers.false)
		}
		if want := slices.Contains(warned, c.Name()); (warns > 0) != want {
			t.Errorf("%s: %d warnings, want some: %t", c.Name(), warns, want)
		}
	}
}

// findsAll checks that a detector is right about a case, under all schedules of the matrix
// if a few do not show it.
func findsAll(t *testing.T, c *Case, detector string) {
	t.Helper()
	all := c.runs()
	few := append(all[:2:2], all[len(all)-1])
	out := judgeOne(t, c, detector, few)
	if !out.right() {
		out = judgeOne(t, c, detector, all)
	}
	if !out.right() {
		t.Errorf("%s, %s: %d of %d races, other pairs %v, other kinds or spaces %v, %v", detector, c.Name(), out.pairs, out.want, out.false, out.other, out.err)
	}
}

func judgeOne(t *testing.T, c *Case, detector string, runs []matrixRun) *cell {
	t.Helper()
	return c.judge(t, []string{detector}, runs)[detector]
}
