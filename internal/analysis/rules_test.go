package analysis_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var countRules = flag.Bool("rules", false, "count our own programs that each rule of the analysis decides")

// decidedBy has programs of the race suite that are proved by a rule, and not without it.
var decidedBy = map[string]string{
	"locks":                "lock/acquire-release-lock-fixed",
	"flags":                "acquire-release/chain-of-atomics-fixed",
	"phases":               "async/mbarrier-no-wait-fixed",
	"counters":             "grid/last-block-no-fence-fixed",
	"issue of bulk copies": "async/bulk-no-wait-fixed",
	"teams":                "barrier/separate-groups-fixed",
	"excluded paths":       "barrier/skipped-barrier-fixed",
}

// TestRules: each rule can be switched off, and the programs that it decides are then undecided.
func TestRules(t *testing.T) {
	for rule, name := range decidedBy {
		if !slices.Contains(static.Rules(), rule) {
			t.Fatalf("there is no rule %q in %q", rule, static.Rules())
		}
		base := "../../examples/suite/micro/" + name
		with := analyzeCase(t, base)
		without := analyzeFile(t, base, &analysis.Options{Without: []string{rule, string(static.ByExecution)}})
		if with.Report.Verdict != report.Clean || without.Report.Verdict != report.Unknown || !slices.Contains(with.Applied(), rule) {
			t.Errorf("%s is %s by %q, and %s without %s", name, with.Report.Verdict, with.Applied(), without.Report.Verdict, rule)
		}
	}
	if *countRules {
		ruleCounts(t)
	}
}

// ruleCounts prints how many of our own programs have another verdict without each rule.
func ruleCounts(t *testing.T) {
	counts := make(map[string]int)
	count := func(run func(o analysis.Options) *analysis.Outcome) {
		out := run(analysis.Options{})
		for _, rule := range out.Applied() {
			if run(analysis.Options{Without: []string{rule}}).Report.Verdict != out.Report.Verdict {
				counts[rule]++
			}
		}
	}
	for _, pattern := range []string{"*/*.yaml", "bugs/*/*.yaml", "suite/micro/*/*.yaml", "suite/apps/*/*.yaml", "suite/mining/*/*.yaml"} {
		for _, file := range globbed(t, "../../examples/"+pattern) {
			base := strings.TrimSuffix(file, ".yaml")
			if _, err := os.Stat(base + ".ptx"); err == nil { // else a launch file for several programs
				count(func(o analysis.Options) *analysis.Outcome { return analyzeFile(t, base, &o) })
			}
		}
	}
	for _, file := range globbed(t, "../static/hostcode/testdata/facts/*.yaml") {
		count(func(o analysis.Options) *analysis.Outcome { return analyzeFacts(t, file, o) })
	}
	for _, rule := range static.Rules() {
		t.Logf("%4d rule %s, of our own examples", counts[rule], rule)
	}
}

// globbed returns the files that a pattern matches.
func globbed(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// analyzeFacts analyses a program of examples/hgrd under the facts that its host code gives.
func analyzeFacts(t *testing.T, file string, o analysis.Options) *analysis.Outcome {
	t.Helper()
	name := filepath.Join("../../examples/hgrd", strings.TrimSuffix(filepath.Base(file), ".yaml")+".ptx")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := session.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	given, err := factfile.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	o.Budget, o.Facts = suiteBudget, []*facts.File{given}
	out, err := analysis.Run(t.Context(), prog, o)
	if err != nil {
		t.Fatal(err)
	}
	out.Report.SettleStatic(report.Error)
	return out
}
