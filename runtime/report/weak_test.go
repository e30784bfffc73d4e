package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestWeakVerdict: a weak outcome counts for the verdict as a race does: from the error level on. It stops no kernel,
// and the summary has it in any case.
func TestWeakVerdict(t *testing.T) {
	for _, c := range []struct{ severity, level, verdict, summary string }{
		{report.Warning, report.Error, report.Clean, "1 weak outcome displayed (0 errors, 1 warning)"},
		{report.Warning, report.Warning, report.Weak, "1 weak outcome displayed (0 errors, 1 warning)"},
		{report.Error, report.Error, report.Weak, "1 weak outcome displayed (1 error, 0 warnings)"},
	} {
		r := &report.Report{ErrorLevel: c.level, Faults: []*report.FaultEvent{{Class: report.WeakClass, Severity: c.severity, Continued: true, Hint: "a fence"}}}
		r.Finish()
		var b bytes.Buffer
		if err := r.WriteText(&b, report.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if out := b.String(); r.Verdict != c.verdict || !strings.Contains(out, c.summary) || !strings.Contains(out, "Fix: a fence") || strings.Contains(out, "INCOMPLETE") {
			t.Errorf("%s at level %s: %s, want %s and %q\n%s", c.severity, c.level, r.Verdict, c.verdict, c.summary, out)
		}
	}
}
