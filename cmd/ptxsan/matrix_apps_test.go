package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The applications in docs/matrix.md.

const matrixApps = `
## Applications

The programs of ScoRD's Table II, written anew with one race at a time, and two products of matrices of sm_90 and sm_100 (examples/suite/README.md), under its and random.
`

// applications is a table for each application: a line for each race, and one for the
// correct build.
func (m *matrix) applications(b *strings.Builder) {
	b.WriteString(matrixApps)
	app := ""
	for _, c := range m.apps {
		if c.category != app {
			app = c.category
			fmt.Fprintf(b, "\n### %s\n\n| build | ptx | scor |", strings.TrimPrefix(app, "apps/"))
			rule := "|---|---|---|"
			for _, d := range m.detectors() {
				fmt.Fprintf(b, " %s |", d)
				rule += "---|"
			}
			b.WriteString(" analyze |\n" + rule + "---|\n")
		}
		fmt.Fprintf(b, "| %s | %s | %s |", c.pair, verdict(c, "ptx"), verdict(c, "scor"))
		for _, d := range m.detectors() {
			fmt.Fprintf(b, " %s |", m.cellText(d, c))
		}
		fmt.Fprintf(b, " %s |\n", m.static[c.name()].text())
	}
}

// published holds measurements of the programs of ScoR, which cannot be part of this repository.
func published(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(notesDir + "scor.md")
	if err != nil {
		t.Fatal(err)
	}
	return "\n" + string(text)
}
