package racesuite

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// The causes in docs/generated/matrix.md: what detectors say is missing between two accesses.

const matrixCauses = `
## Causes

A launch file states why its pairs race: one cause, or several where several remedies are right. Of the kernels of which a
detector reports a pair that races: those for which it gives a stated cause, those for which it gives no other, and the causes that it gives otherwise. precise
must give no other.

| detector | reported | a stated cause | no other | others, stated: given |
|---|---|---|---|---|
`

// causes is a line for each detector.
func (m *matrix) causes(b *strings.Builder) {
	b.WriteString(matrixCauses)
	for _, d := range m.detectors() {
		reported, named, strict, others := 0, 0, 0, make(map[string]int)
		for _, c := range m.all() {
			cell := m.cells[d][c.Name()]
			if cell.answer.Verdict != "racy" || cell.pairs == 0 {
				continue
			}
			reported++
			if len(cell.causes) == 0 {
				strict++
			}
			if cell.named {
				named++
				continue
			}
			others[strings.Join(cell.answer.Causes, " ")+": "+strings.Join(cell.causes, " ")]++
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %s |\n", d, reported, named, strict, counted(others))
	}
}

// strict reports causes of a detector that are not stated.
func (m *matrix) strict(t *testing.T, detector string) {
	for _, c := range m.all() {
		if got := m.cells[detector][c.Name()]; len(got.causes) > 0 {
			t.Errorf("%s says of %s: %v, want %v", detector, c.Name(), got.causes, got.answer.Causes)
		}
	}
}

// mostCounted is how many words counted lists.
const mostCounted = 5

// counted lists words with their numbers, the most frequent first, and how many are left.
func counted(words map[string]int) string {
	list := slices.SortedFunc(maps.Keys(words), func(a, b string) int {
		return cmp.Or(cmp.Compare(words[b], words[a]), cmp.Compare(a, b))
	})
	for i, w := range list {
		list[i] = fmt.Sprintf("%s (%d)", w, words[w])
	}
	if more := len(list) - mostCounted; more > 0 {
		list = append(list[:mostCounted], fmt.Sprintf("%d others", more))
	}
	return strings.Join(list, "; ")
}
