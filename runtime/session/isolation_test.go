// Kernels of a template, each by itself, and launches behind a fault.

package session_test

import (
	"slices"
	"strings"
	"testing"

	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// together are kernels that get in each other's way: spoil changes two variables, break accesses memory that is not
// there, and in race two warps race only while these have their initial values. still stores only where a buffer of
// zeros holds something else, at an address from there.
const together = `.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 closed;
.global .align 4 .u32 open = 1;
.visible .entry spoil(.param .u64 out) {
	.reg .b32 %r<3>;
	mov.u32 %r1, 1;
	atom.global.exch.b32 %r2, [closed], %r1;
	mov.u32 %r1, 0;
	atom.global.exch.b32 %r2, [open], %r1;
	ret;
}
.visible .entry break(.param .u64 out) {
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [out];
	cvta.to.global.u64 %rd1, %rd1;
	mov.u32 %r1, 7;
	st.global.u32 [%rd1+1], %r1;
	ret;
}
.visible .entry race(.param .u64 out) {
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [out];
	cvta.to.global.u64 %rd1, %rd1;
	ld.relaxed.gpu.global.u32 %r1, [closed];
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra END;
	ld.relaxed.gpu.global.u32 %r1, [open];
	setp.ne.u32 %p1, %r1, 1;
	@%p1 bra END;
	mov.u32 %r2, %tid.x;
	st.global.u32 [%rd1], %r2;
END:
	ret;
}
.visible .entry still(.param .u64 rows) {
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	.reg .pred %p<2>;
	ld.param.u64 %rd1, [rows];
	cvta.to.global.u64 %rd1, %rd1;
	ld.global.u64 %rd2, [%rd1];
	setp.eq.u64 %p1, %rd2, 0;
	@%p1 bra END;
	mov.u32 %r1, 7;
	st.global.u32 [%rd2], %r1;
END:
	ret;
}
`

// togetherLaunches launches the kernels in this order.
func togetherLaunches(kernels ...string) string {
	text := "buffers:\n"
	for _, k := range kernels {
		text += "  " + k + "Buffer: {type: u64, count: 64, init: 0}\n"
	}
	text += "launches:\n"
	for _, k := range kernels {
		text += "  - {kernel: " + k + ", grid: 1, block: 64, args: [" + k + "Buffer]}\n"
	}
	return text
}

// checkTogether checks the kernels.
func checkTogether(t *testing.T, file string, maxFaults int) *report.Report {
	t.Helper()
	f, err := launchfile.Parse("k.yaml", []byte(file), launchfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(parse(t, together), f, 0)
	if err != nil {
		t.Fatal(err)
	}
	o := session.Options{}
	o.Emulator.MaxFaults = maxFaults
	if o.Detectors, err = session.ParseDetectors("precise"); err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := plan.Check(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestTemplateKernels: neither a fault nor a variable of one kernel of a template hides what another one does.
func TestTemplateKernels(t *testing.T) {
	for _, maxFaults := range []int{1, 100} {
		rep := checkTogether(t, "guessed: true\n"+togetherLaunches("spoil", "break", "race"), maxFaults)
		races := slices.DeleteFunc(slices.Clone(rep.Races), func(x *report.Race) bool { return x.First.Kernel != "race" || x.Severity != report.Error })
		if len(races) != 1 || len(rep.Faults) != 1 || rep.Faults[0].Kernel != "break" || rep.Stats.Launches != 3 || len(rep.NotChecked) > 0 {
			t.Errorf("--max-faults %d: %d races, faults %v, %d launches, not checked: %v", maxFaults, len(races), rep.Faults, rep.Stats.Launches, rep.NotChecked)
		}
		if len(rep.Coverage) != 3 {
			t.Errorf("--max-faults %d: %d kernels are covered, expected 3", maxFaults, len(rep.Coverage))
		}
	}
}

// TestLaunchesBehindFault: launches of a launch file belong together: one that faults is the last, and the report
// names the others.
func TestLaunchesBehindFault(t *testing.T) {
	rep := checkTogether(t, togetherLaunches("break", "race", "spoil"), 1)
	want := []report.NotChecked{
		{Kernel: "race", Launches: 1, Why: "not run, since a launch of break before it has faulted"},
		{Kernel: "spoil", Launches: 1, Why: "not run, since a launch of break before it has faulted"},
	}
	if !slices.Equal(rep.NotChecked, want) {
		t.Errorf("not checked: %v, expected %v", rep.NotChecked, want)
	}
	text := textOf(t, rep)
	for _, line := range []string{"INCOMPLETE: break was stopped by a fault", "NOT CHECKED: 1 launch of race: not run, since"} {
		if !strings.Contains(text, "========= "+line) {
			t.Errorf("the report lacks %q:\n%s", line, text)
		}
	}
	const advice = "with --max-faults 100"
	if more := textOf(t, checkTogether(t, togetherLaunches("break", "race"), 100)); !strings.Contains(text, advice) || strings.Contains(more, advice) {
		t.Errorf("%s is advised where it was given, or not where it was not:\n%s", advice, more)
	}
}

// textOf returns a report as text.
func textOf(t *testing.T, rep *report.Report) string {
	t.Helper()
	var text strings.Builder
	if err := rep.WriteText(&text, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestNotRunBySchedule: a launch that some schedule has run was checked.
func TestNotRunBySchedule(t *testing.T) {
	left := report.NotChecked{Kernel: "k", Launches: 1, Why: "not run"}
	always := report.NotChecked{Kernel: "other", Launches: 1, Why: report.NotSelected}
	rep := &report.Report{Exploration: &report.Exploration{}}
	for _, list := range [][]report.NotChecked{{left, always}, {always}, {left, always}} {
		rep.Exploration.Schedules++
		rep.Add(&report.Report{NotChecked: list}, "")
	}
	if !slices.Equal(rep.NotChecked, []report.NotChecked{always}) {
		t.Errorf("not checked: %v, expected %v", rep.NotChecked, always)
	}
}

// TestVariablesOfLaunchFile: launches of a launch file that is no template share the variables of the program.
func TestVariablesOfLaunchFile(t *testing.T) {
	if rep := checkTogether(t, togetherLaunches("spoil", "race"), 1); rep.Racing("race") {
		t.Error("a race behind a condition that the launch before does not fulfil")
	}
}

// TestIdleKernel: a kernel of a template that comes to no store is named, with the guess that may be why.
func TestIdleKernel(t *testing.T) {
	rep := checkTogether(t, "guessed: true\n"+togetherLaunches("spoil", "still"), 1)
	const want = "1 launch of still: no thread has come to a store: the template fills stillBuffer (argument 1) with zeros; give contents of yours"
	notes := rep.CoverageNotes()
	if len(notes) != 1 || !strings.HasPrefix(notes[0], want) || !strings.Contains(notes[0], "takes addresses from memory") {
		t.Errorf("got %q, expected %q", notes, want)
	}
	if rep = checkTogether(t, togetherLaunches("spoil", "still"), 1); len(rep.CoverageNotes()) > 0 {
		t.Errorf("a launch that is no guess: %q", rep.CoverageNotes())
	}
}
