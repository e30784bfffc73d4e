package analysis_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestListed: a report lists at most 5,000 undecided pairs, of each kernel as many, and counts all. Whoever suppresses
// those that it lists has no proof.
func TestListed(t *testing.T) {
	var text strings.Builder
	text.WriteString(".version 7.5\n.target sm_70\n.address_size 64\n")
	stores := []int{2, 110, 150} // n stores are n*(n+1)/2 pairs
	for i, n := range stores {
		fmt.Fprintf(&text, ".visible .entry k%d(.param .u64 a)\n{\n\t.reg .b64 %%rd<3>;\n\tld.param.u64 %%rd1, [a];\n", i)
		for j := range n {
			fmt.Fprintf(&text, "\tst.global.u32 [%%rd1+%d], %d;\n", 4*j, j)
		}
		text.WriteString("\tret;\n}\n")
	}
	prog, err := session.Parse("k.ptx", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	run := func() *report.Report {
		out, failed := analysis.Run(context.Background(), prog, analysis.Options{Budget: 1})
		if failed != nil {
			t.Fatal(failed)
		}
		return out.Report
	}
	r := run()
	listed := make(map[string]int)
	for _, x := range r.Pairs() {
		listed[x.Kernel()]++
	}
	// 3 of k0; the others share the remaining 4,997
	if want := map[string]int{"k0": 3, "k1": 2498, "k2": 2498}; fmt.Sprint(listed) != fmt.Sprint(want) {
		t.Errorf("listed are %v, want %v", listed, want)
	}
	for i, n := range stores {
		if p := r.Proofs[i]; p.Possible != n*(n+1)/2 || p.Verdict != report.Unknown {
			t.Errorf("%s: %d pairs are possible, %s", p.Kernel, p.Possible, p.Verdict)
		}
	}
	var out bytes.Buffer
	if err = r.WriteText(&out, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	note := fmt.Sprintf("%d undecided pairs are not listed: the report has the first 2498 of each kernel", 110*111/2+150*151/2-2*2498)
	if !strings.Contains(out.String(), note) {
		t.Errorf("the report does not say %q", note)
	}
	list, err := report.ParseSuppressions("s.yaml", []byte("suppressions:\n  - kernel: \"k*\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	r.Suppress(list)
	if r.SettleStatic(report.Error); len(r.Races) > 0 || r.Verdict != report.Unknown {
		t.Errorf("with suppressed findings %d are left, and the verdict is %s", len(r.Races), r.Verdict)
	}
}
