package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// claimed returns a finished report of checked kernels without findings.
func claimed(kernels ...string) *Report {
	r := &Report{Tool: Tool{Name: "ptxsan"}, Detector: "precise"}
	for _, k := range kernels {
		r.Coverage = append(r.Coverage, &Coverage{Detector: "precise", Kernel: k, Accesses: 2, Watched: 2})
	}
	r.Finish()
	return r
}

func every(kernel string, contents ...string) Claim {
	return Claim{Kernel: kernel, Holds: Holds{Schedules: EverySchedule, Contents: contents}}
}

// claimLines returns the lines of a text report about claims.
func claimLines(t *testing.T, r *Report) (lines []string) {
	t.Helper()
	for line := range strings.Lines(string(render(t, r, TextOptions{}))) {
		line = strings.TrimSpace(strings.TrimPrefix(line, Prefix))
		if strings.HasPrefix(line, "HOLDS") || strings.HasPrefix(line, "DEPENDS") || strings.HasPrefix(line, "NOT CHECKED") {
			lines = append(lines, line)
		}
	}
	return lines
}

func sameLines(t *testing.T, r *Report, want ...string) {
	t.Helper()
	if have := claimLines(t, r); !slices.Equal(have, want) {
		t.Errorf("have\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

func order(kernel, what string, line int) Depends {
	return Depends{Kernel: kernel, On: detect.OnOrder, What: what, PTX: Place{"k.ptx", line}, Source: &Source{File: "k.cu", Line: line}}
}

// TestClaimText: the lines of one kernel, with at most three reasons.
func TestClaimText(t *testing.T) {
	r := claimed("k")
	r.AddClaim(every("k", "a", "b"))
	sameLines(t, r, "HOLDS FOR: every schedule; every content of a, b")

	r = claimed("k")
	c := every("k")
	c.Resident = 8
	r.AddClaim(c)
	sameLines(t, r, "HOLDS FOR: every schedule if 8 blocks are resident together")

	r = claimed("k")
	r.AddClaim(Claim{Kernel: "k", Holds: Holds{Schedules: EverySchedule, Undecided: "2,000,000 events"}})
	sameLines(t, r, "HOLDS FOR: not decided: 2,000,000 events")

	r = claimed("k")
	r.AddClaim(Claim{Kernel: "k", Holds: Holds{Schedules: ThisSchedule, Contents: []string{"a"}}, Matter: []string{"idx"}},
		order("k", "atomicAdd at k.cu:17 decides a branch at k.cu:19", 19),
		Depends{Kernel: "k", On: detect.OnContents, Object: "idx", What: "k.cu:12 an address", PTX: Place{"k.ptx", 12}},
		order("k", "x", 20), order("k", "y", 21), order("k", "y", 21))
	sameLines(t, r, "HOLDS FOR: this schedule; every content of a",
		"DEPENDS ON: the order of threads: atomicAdd at k.cu:17 decides a branch at k.cu:19 (ptxsan explore)",
		"DEPENDS ON: contents of idx: k.cu:12 an address",
		"DEPENDS ON: the order of threads: x (ptxsan explore)", "DEPENDS ON: 1 more place")
}

// TestWeakestClaim: launches of one kernel, and kernels of one report, have the weakest claim. A buffer that matters
// to one launch matters.
func TestWeakestClaim(t *testing.T) {
	r := claimed("k", "other")
	r.AddClaim(every("k", "a", "b"))
	second := every("k", "a", "c")
	second.Matter = []string{"b"}
	r.AddClaim(second)
	r.AddClaim(Claim{Kernel: "other", Holds: Holds{Schedules: ThisSchedule}, Matter: []string{"c"}})
	sameLines(t, r, "HOLDS FOR: k: every schedule; every content of a, c", "HOLDS FOR: other: this schedule")
	if h := r.Weakest(); h.Schedules != ThisSchedule || !slices.Equal(h.Contents, []string{"a"}) {
		t.Errorf("all kernels hold for %v", h)
	}
	r.AddClaim(Claim{Kernel: "k", Holds: Holds{Undecided: "a limit"}})
	sameLines(t, r, "HOLDS FOR: k: not decided: a limit", "HOLDS FOR: other: this schedule")
	if h := r.Weakest(); h.Undecided != "a limit" || len(h.Contents) != 0 {
		t.Errorf("all kernels hold for %v", h)
	}
}

// TestClaimOfErrors: a kernel with an error has no claim, whether the error counts or not.
func TestClaimOfErrors(t *testing.T) {
	race := func(severity string) *Race {
		x := &Race{Kind: detect.InterBlock, Cause: detect.MissingFence, Severity: severity, First: access("write", "st", 1, 1, [3]uint32{}, [3]uint32{})}
		x.First.Kernel, x.Second = "k", x.First
		x.Second.Kernel = "k"
		return x
	}
	for name, c := range map[string]struct {
		add  func(*Report)
		want []string
	}{
		"error":      {func(r *Report) { r.Races = []*Race{race(Error)} }, nil},
		"info":       {func(r *Report) { r.Races = []*Race{race(Info)} }, []string{"HOLDS FOR: every schedule"}},
		"fault":      {func(r *Report) { r.Faults = []*FaultEvent{{Class: Uninitialised, Kernel: "k", Continued: true}} }, nil},
		"suppressed": {func(r *Report) { r.Suppressed = []*Race{race(Error)} }, []string{"HOLDS FOR: not decided: errors are suppressed, or in the baseline"}},
		"baseline":   {func(r *Report) { r.Baseline = &Baseline{Same: []*Race{race(Error)}} }, []string{"HOLDS FOR: not decided: errors are suppressed, or in the baseline"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := claimed("k")
			c.add(r)
			r.Finish()
			r.AddClaim(every("k"))
			sameLines(t, r, c.want...)
		})
	}
}

// TestClaimJSON: a report that was read has the claims that were written, and the summary comes with them.
func TestClaimJSON(t *testing.T) {
	r := claimed("k")
	r.AddClaim(every("k", "a"), order("k", "x", 20))
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "\"holds\": {\n    \"schedules\": \"every\",\n    \"contents\": [\n      \"a\"\n    ]\n  }") {
		t.Errorf("no summary:\n%s", &b)
	}
	again, err := Read("r.json", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	sameLines(t, again, claimLines(t, r)...)
	for entry, valid := range map[string]bool{
		`"claims": []`: true, `"claims": [null]`: false, `"depends": [null]`: false,
		`"claims": [{"kernel": "k", "schedules": "all"}]`: false,
	} {
		text := strings.Replace(b.String(), "{", "{"+entry+",", 1)
		text = text[:strings.LastIndex(text, `"holds"`)] + `"stats": {}}`
		if _, err := Read("r.json", []byte(text)); (err == nil) != valid {
			t.Errorf("%s: %v", entry, err)
		}
	}
}

// TestMergedClaims: launches of another part of a run weaken a claim, those without a claim make it undecided.
func TestMergedClaims(t *testing.T) {
	part := func(c ...Claim) *Report {
		r := claimed("k")
		for _, c := range c {
			r.AddClaim(c)
		}
		return r
	}
	weak := Claim{Kernel: "k", Holds: Holds{Schedules: ThisSchedule}}
	unknown := "HOLDS FOR: not decided: not looked for in all launches"
	for name, c := range map[string]struct {
		parts []*Report
		want  []string
	}{
		"every":   {[]*Report{part(every("k", "a")), part(every("k", "a"))}, []string{"HOLDS FOR: every schedule; every content of a"}},
		"this":    {[]*Report{part(every("k")), part(weak)}, []string{"HOLDS FOR: this schedule"}},
		"first":   {[]*Report{part(every("k")), part()}, []string{unknown}},
		"second":  {[]*Report{part(), part(every("k"))}, []string{unknown}},
		"neither": {[]*Report{part(), part()}, nil},
	} {
		t.Run(name, func(t *testing.T) { sameLines(t, MergeAll(c.parts), c.want...) })
	}
}

// TestRequireSchedules: the verdict is not clean where one does not hold for every schedule.
func TestRequireSchedules(t *testing.T) {
	demand := func(narrow string) string {
		return "NOT CHECKED: --option: not shown to hold for every schedule: " + narrow
	}
	for name, c := range map[string]struct {
		change func(*Report)
		want   string
	}{
		"every":      {func(r *Report) { r.AddClaim(every("k")) }, ""},
		"no claim":   {func(*Report) {}, demand("k")},
		"this":       {func(r *Report) { r.AddClaim(Claim{Kernel: "k", Holds: Holds{Schedules: ThisSchedule}}) }, demand("k")},
		"all runs":   {func(r *Report) { r.Exploration = &Exploration{Complete: true} }, ""},
		"some runs":  {func(r *Report) { r.Exploration = &Exploration{} }, demand("k")},
		"limits":     {func(r *Report) { r.Exploration = &Exploration{Complete: true, Limits: []string{"polls"}} }, demand("k")},
		"proof":      {func(r *Report) { r.Proofs = []*Proof{{Kernel: "k", Verdict: Clean}} }, ""},
		"half proof": {func(r *Report) { r.Proofs = []*Proof{{Kernel: "k", Verdict: Clean}, {Kernel: "k", Verdict: Unknown}} }, demand("k")},
		"one of two": {func(r *Report) {
			r.AddClaim(every("k"))
			r.NotChecked = []NotChecked{{Kernel: "k", Launches: 1, Why: "sampled"}}
		}, demand("k")},
		"not selected": {func(r *Report) {
			r.AddClaim(every("k"))
			r.NotChecked = []NotChecked{{Kernel: "l", Launches: 1, Why: NotSelected}}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := claimed("k")
			c.change(r)
			before := r.Verdict
			r.RequireSchedules("--option")
			lines := claimLines(t, r)
			if c.want == "" && r.Verdict != before || c.want != "" && (r.Verdict != Unknown || !slices.Contains(lines, c.want)) {
				t.Errorf("verdict %s, %q", r.Verdict, lines)
			}
		})
	}
}
