package racesuite

import (
	"fmt"
	"slices"
	"strings"
)

// The applications in docs/generated/matrix.md.

const matrixApps = `
## Applications

The programs of ScoRD's Table II, written anew with one race at a time, and two products of matrices of sm_90 and sm_100 ([examples/suite](../../examples/suite/README.md)), under its and random.
`

const matrixPublished = `
[found.md](../found.md) has the results on the programs of ScoR themselves, which are not part of this repository.
`

// applications is a table with a line for the races of an application of which everything is the same, and one for its
// correct build.
func (m *matrix) applications(b *strings.Builder) {
	b.WriteString(matrixApps + "\n| application | build " + strings.Replace(m.columns(), "|---", "|---|---", 1))
	for _, app := range m.applicationNames() {
		var rows equalRows
		for _, c := range m.apps {
			if c.Category == app {
				rows.add(c.Pair, m.applicationRow(c))
			}
		}
		for _, cells := range rows.cells {
			fmt.Fprintf(b, "| %s | %s |%s\n", strings.TrimPrefix(app, "apps/"), strings.Join(rows.names[cells], ", "), cells)
		}
	}
}

// applicationNames returns the categories of the applications.
func (m *matrix) applicationNames() (out []string) {
	for _, c := range m.apps {
		out = append(out, c.Category)
	}
	return slices.Compact(out)
}

// applicationRow returns the cells of one build.
func (m *matrix) applicationRow(c *Case) string {
	row := fmt.Sprintf(" %s | %s |", verdict(c, "ptx"), verdict(c, "scor"))
	for _, d := range m.detectors() {
		row += " " + pairCell(m.cellText(d, c), "ok") + "|"
	}
	return row + " " + pairCell(m.static[c.Name()].text(), "ok") + "|"
}
