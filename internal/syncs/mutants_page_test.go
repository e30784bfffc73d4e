// The page of the mutation tests, docs/generated/mutants.md.

package syncs

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

const mutantFile = "../../docs/generated/mutants.md"

const mutantHead = `# Mutants

` + "`make sync-mutants`" + ` writes this page. It takes the programs without races of the
[race suite](../../examples/suite/README.md), of its applications and of the other examples, leaves out or weakens one
synchronisation at a time, and says what shows it. A synchronisation is a line of the source with all its instructions.

|word|means|
|---|---|
|check|one run shows a race, a fault or a wrong result; warnings count|
|strict checks|one run with --strict, --synccheck, late copies and uninitialised memory does|
|explore|one of %d schedules does|
|weak memory|some execution under --memory ptx has another outcome|
|analyze|only the static detector shows a race|
|not executed|no launch executes the instruction|
|proved|equivalent: analyze proves every launch of the kernel free of races, and no access synchronises|
|every schedule|equivalent: one run stands for every schedule, with the same results|
|same outcomes|equivalent: all executions under --memory ptx have outcomes of the program|
|not decided|the engine does not decide, and says why|
|open|nothing goes wrong in those schedules, and the order of threads matters in the program|

None of those that something shows is said to be equivalent, or proved.
`

// mutantPage is the table of the mutants.
type mutantPage struct {
	mutants  []*mutant
	programs int
}

// text returns the page.
func (p *mutantPage) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, mutantHead, usualSchedules+strictSchedules)
	words := slices.Concat(killers, equivals, []string{undecided, open})
	fmt.Fprintf(&b, "\n%d programs, %d mutants:\n\n|instruction|change|mutants|%s|\n|%s\n", p.programs, len(p.mutants),
		strings.Join(words, "|"), strings.Repeat("---|", len(words)+3))
	slices.SortStableFunc(p.mutants, func(x, y *mutant) int {
		return cmp.Or(cmp.Compare(x.site.Kind, y.site.Kind), cmp.Compare(x.edit(), y.edit()),
			cmp.Compare(x.program, y.program))
	})
	for i := 0; i < len(p.mutants); {
		x, n := p.mutants[i], i
		for n < len(p.mutants) && p.mutants[n].site.Kind == x.site.Kind && p.mutants[n].edit() == x.edit() {
			n++
		}
		fmt.Fprintf(&b, "|%s|%s|%s|\n", x.site.Kind, x.edit(), counts(p.mutants[i:n], words))
		i = n
	}
	fmt.Fprintf(&b, "|**all**||%s|\n", counts(p.mutants, words))
	b.WriteString("\n## Not decided and open\n\nEach is followed by the reason, of open ones as read.\n\n")
	for _, x := range p.mutants {
		if x.verdict == undecided || x.verdict == open {
			fmt.Fprintf(&b, "- %s: %s: %s\n", x.name(), x.verdict, x.why)
		}
	}
	return b.String()
}

// counts returns the cells of a row, empty ones for none.
func counts(list []*mutant, words []string) string {
	cells := []string{fmt.Sprint(len(list))}
	for _, w := range words {
		n := 0
		for _, x := range list {
			if x.verdict == w {
				n++
			}
		}
		if cells = append(cells, ""); n > 0 {
			cells[len(cells)-1] = fmt.Sprint(n)
		}
	}
	return strings.Join(cells, "|")
}

// write writes the page.
func (p *mutantPage) write(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(mutantFile, []byte(p.text()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compare compares a sample with the page.
func (p *mutantPage) compare(t *testing.T) {
	t.Helper()
	page, err := os.ReadFile(mutantFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.mutants) < 20 {
		t.Errorf("a sample of %d mutants", len(p.mutants))
	}
	for _, x := range p.mutants {
		listed := strings.Contains(string(page), "- "+x.name()+": ")
		if listed != (x.verdict == undecided || x.verdict == open) {
			t.Errorf("%s: %s %s, and it is listed: %v; make sync-mutants", x.name(), x.verdict, x.why, listed)
		}
	}
}
