package analysis_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/analysis"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/static"
)

var countRules = flag.Bool("rules", false, "count the programs of examples/suite that each rule of the analysis decides")

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
		without := analyzeFile(t, base, &analysis.Options{Without: []string{rule}})
		if with.Report.Verdict != report.Clean || without.Report.Verdict != report.Unknown || !slices.Contains(with.Applied(), rule) {
			t.Errorf("%s is %s by %q, and %s without %s", name, with.Report.Verdict, with.Applied(), without.Report.Verdict, rule)
		}
	}
	if *countRules {
		ruleCounts(t)
	}
}

// ruleCounts prints how many programs of the race suite have another verdict without each rule.
func ruleCounts(t *testing.T) {
	counts := make(map[string]int)
	for _, pattern := range []string{"micro/*/*.yaml", "apps/*/*.yaml", "mining/*/*.yaml"} {
		files, err := filepath.Glob(filepath.Join("../../examples/suite", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			base := strings.TrimSuffix(file, ".yaml")
			if _, err := os.Stat(base + ".ptx"); err != nil {
				continue // a launch file for several programs
			}
			out := analyzeCase(t, base)
			for _, rule := range out.Applied() {
				if analyzeFile(t, base, &analysis.Options{Without: []string{rule}}).Report.Verdict != out.Report.Verdict {
					counts[rule]++
				}
			}
		}
	}
	for _, rule := range static.Rules() {
		t.Logf("%4d rule %s, of examples/suite", counts[rule], rule)
	}
}
