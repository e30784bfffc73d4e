package racesuite

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The text of docs/generated/matrix.md.

const matrixHead = `# Detectors on the race suite

What each detector says of each program of the [race suite](../../examples/suite/README.md), over %d schedules: its, random with seeds 1 to
8, and pct with seeds 1 to 3; of the applications without pct. ` + "`make matrix`" + ` writes this file. The answers are stated in the launch files and
argued from the PTX manual and the papers; they do not come from a detector. A detector is judged by the semantics that it implements:
` + "`scor`" + ` for those of the papers, ` + "`ptx`" + ` for precise. A pair is a racy and a fixed kernel, and a row has all pairs with the same
cells; what a cell says of the fixed kernel follows "fixed:", what it says of each "both:".

| word | means |
|---|---|
| nothing | of the racy kernel all pairs of lines that race are reported by some run, and no other pair; of the fixed one nothing is reported |
| n of %d | the same, but only so many runs report one of the pairs |
| part | some of the pairs are reported |
| missed | none is |
| false | a pair is reported that does not race |
| says | a pair that races is reported with this kind or memory space, which is not the stated one |

A number in brackets is the reason, below, why the detector is wrong by design.
`

const matrixPapers = `
What the papers say of themselves, each on its own programs and by its own definition of a race:

| system | suite | racy found | false alarms |
|---|---|---|---|
| ScoRD (ISCA'20, Tables I and VI) | ScoR: 32 microbenchmarks, 18 racy | 18 of 18 | 0 of 14 |
| BARRACUDA (PLDI'17, 6.1) | 66 small programs, not published | all 66 right | |
| CUDA-racecheck (the same place) | the same | 19 of 66 right | |
| iGUARD (SOSP'21, Tables 4 and 5) | 22 programs with races; 21 race-free ones | 57 | 0 of 21 |
`

func (m *matrix) document(t *testing.T) string {
	var b strings.Builder
	fmt.Fprintf(&b, matrixHead, len(matrixRuns), len(matrixRuns))
	b.WriteString(matrixStatic)
	m.summary(&b)
	b.WriteString(matrixPapers)
	m.papers(&b)
	m.causes(&b)
	for _, category := range m.categories() {
		m.category(&b, category)
	}
	m.applications(&b)
	b.WriteString(matrixPublished)
	m.reasons(&b)
	return dense(b.String())
}

// summary is a line for each category: kernels with a race or fault that were
// found whole, and clean kernels with false alarms.
func (m *matrix) summary(b *strings.Builder) {
	b.WriteString("\n## Summary\n\n| category | kernels |")
	rule := "|---|---|"
	for _, d := range m.detectors() {
		fmt.Fprintf(b, " %s: found | %s: false alarms |", d, d)
		rule += "---|---|"
	}
	b.WriteString(" analyze: found | proved | false alarms |\n" + rule + "---|---|---|\n")
	for _, category := range append(m.categories(), "") {
		in := slices.DeleteFunc(slices.Clone(m.cases), func(c *Case) bool { return category != "" && c.Category != category })
		name := category
		if name == "" {
			name = "**all**"
		}
		fmt.Fprintf(b, "| %s | %d |", name, len(in))
		for _, d := range m.detectors() {
			racy, found, clean, alarms := m.count(d, in)
			fmt.Fprintf(b, " %d/%d | %d/%d |", found, racy, alarms, clean)
		}
		b.WriteString(m.countStatic(in) + "\n")
	}
}

func (m *matrix) count(detector string, cases []*Case) (racy, found, clean, alarms int) {
	for _, c := range cases {
		got := m.cells[detector][c.Name()]
		if answer(c, semanticsOf(detector)).Verdict == "clean" {
			clean++
			alarms += len(got.false[:min(1, len(got.false))])
			continue
		}
		racy++
		if got.pairs > 0 {
			found++
		}
	}
	return racy, found, clean, alarms
}

// papers puts the papers' figures beside ours, over the cases of the same shapes.
func (m *matrix) papers(b *strings.Builder) {
	b.WriteString("\nThe cases of this suite that have the shapes of theirs (examples/suite/notes/papers.yaml), counted by the papers' semantics:\n\n| shapes | racy, clean here |")
	rule := "|---|---|"
	for _, d := range m.detectors() {
		fmt.Fprintf(b, " %s: found | %s: false alarms |", d, d)
		rule += "---|---|"
	}
	b.WriteString("\n" + rule + "\n")
	for _, row := range m.rows {
		in := slices.DeleteFunc(slices.Clone(m.cases), func(c *Case) bool { return !row.covers(c) })
		racy := 0
		for _, c := range in {
			if answer(c, "scor").Verdict != "clean" {
				racy++
			}
		}
		fmt.Fprintf(b, "| %s | %d, %d |", row.Row, racy, len(in)-racy)
		for _, d := range m.detectors() {
			racy, found, clean, alarms := m.count(d, in)
			fmt.Fprintf(b, " %d/%d | %d/%d |", found, racy, alarms, clean)
		}
		b.WriteString("\n")
	}
}

// category is the table of one category: a line for the pairs of which everything is the same.
func (m *matrix) category(b *strings.Builder, category string) {
	fmt.Fprintf(b, "\n## %s\n\n| pair %s", category, m.columns())
	var rows equalRows
	for _, c := range m.cases {
		if c.Category != category || c.Variant != "racy" {
			continue
		}
		fixed := m.of(category, c.Pair, "fixed")
		row := fmt.Sprintf(" %s | %s |", both(c, fixed, "ptx"), both(c, fixed, "scor"))
		for _, d := range m.detectors() {
			row += " " + pairCell(m.cellText(d, c), m.cellText(d, fixed)) + "|"
		}
		rows.add(c.Pair, row+" "+pairCell(m.static[c.Name()].text(), m.static[fixed.Name()].text())+"|")
	}
	rows.write(b)
}

// equalRows are the lines of a table, each with the names of all that have the same cells, in the order of the first.
type equalRows struct {
	cells []string
	names map[string][]string
}

func (r *equalRows) add(name, cells string) {
	if r.names == nil {
		r.names = make(map[string][]string)
	}
	if r.names[cells] == nil {
		r.cells = append(r.cells, cells)
	}
	r.names[cells] = append(r.names[cells], name)
}

func (r *equalRows) write(b *strings.Builder) {
	for _, cells := range r.cells {
		fmt.Fprintf(b, "| %s |%s\n", strings.Join(r.names[cells], ", "), cells)
	}
}

func TestEqualRows(t *testing.T) {
	var rows equalRows
	var b strings.Builder
	rows.add("a", " x |")
	rows.add("b", " y |")
	rows.add("c", " x |")
	if rows.write(&b); b.String() != "| a, c | x |\n| b | y |\n" {
		t.Error(b.String())
	}
}

// columns returns the head of a table behind its first column.
func (m *matrix) columns() string {
	names := append(append([]string{"ptx", "scor"}, m.detectors()...), "analyze")
	return "| " + strings.Join(names, " | ") + " |\n|---" + strings.Repeat("|---", len(names)) + "|\n"
}

// pairCell joins what is said of the two kernels of a pair: nothing where it is right, and a space behind the rest.
func pairCell(racy, fixed string) string {
	switch {
	case racy == "ok" && fixed == "ok":
		return ""
	case racy == fixed:
		return "both: " + racy + " "
	case fixed == "ok":
		return racy + " "
	case racy == "ok":
		return "fixed: " + fixed + " "
	}
	return racy + "; fixed: " + fixed + " "
}

func TestPairCell(t *testing.T) {
	for _, c := range [][3]string{{"ok", "ok", ""}, {"missed", "ok", "missed "}, {"ok", "false", "fixed: false "}, {"false", "false", "both: false "}, {"missed", "false", "missed; fixed: false "}} {
		if got := pairCell(c[0], c[1]); got != c[2] {
			t.Errorf("%q, %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// both names the verdicts of a pair, the fixed one only when it is not clean.
func both(racy, fixed *Case, model string) string {
	s := verdict(racy, model)
	if f := answer(fixed, model); f.Verdict != "clean" {
		s += "; fixed: " + f.Verdict
	}
	return s
}

func verdict(c *Case, model string) string {
	s := answer(c, model)
	if s.Schedule == "some" {
		return s.Verdict + ", some schedules"
	}
	return s.Verdict
}

func (m *matrix) cellText(detector string, c *Case) string {
	s := m.cells[detector][c.Name()].short()
	if n := m.noteOf(detector, c); n > 0 {
		s += fmt.Sprintf(" [%d]", n)
	}
	return s
}

// text says which pairs of lines are wrong, short only that some are.
func (c *cell) text() string  { return c.words(true) }
func (c *cell) short() string { return c.words(false) }

func (c *cell) words(pairs bool) string {
	if c.err != nil {
		return "not run"
	}
	var words []string
	switch {
	case c.want > 0 && c.pairs == 0:
		words = append(words, "missed")
	case c.pairs < c.want:
		words = append(words, fmt.Sprintf("part: %d of %d", c.pairs, c.want))
	case c.want > 0 && c.hit < c.runs:
		words = append(words, fmt.Sprintf("%d of %d", c.hit, c.runs))
	case len(c.false)+len(c.other) == 0:
		words = append(words, "ok")
	}
	if len(c.false) > 0 {
		words = append(words, withPairs("false", c.false, pairs))
	}
	if len(c.other) > 0 {
		words = append(words, "says "+strings.Join(c.other, " "))
	}
	return strings.Join(words, ", ")
}

func withPairs(word string, list []string, pairs bool) string {
	if !pairs {
		return word
	}
	return word + " " + strings.Join(list, " ")
}

// reasons lists the notes of each detector.
func (m *matrix) reasons(b *strings.Builder) {
	for _, d := range m.detectors() {
		fmt.Fprintf(b, "\n## Where %s is wrong, and why\n\n", d)
		for i, n := range m.notes[d] {
			fmt.Fprintf(b, "%d. **%s.** %s\n", i+1, n.Class, strings.Join(strings.Fields(n.Why), " "))
		}
	}
}

var (
	tableRow = regexp.MustCompile(`(?m)^\|.*\|$`)
	cellEdge = regexp.MustCompile(` *\| *`)
)

// dense removes the blanks around the cells of tables: a tenth of the page.
func dense(page string) string {
	return tableRow.ReplaceAllStringFunc(page, func(row string) string { return cellEdge.ReplaceAllString(row, "|") })
}
