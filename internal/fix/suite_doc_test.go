// Repairs of every case of the race suite and its applications.

package fix_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/diff"
)

// remote lists the cases that no edit at one place repairs, with the reasons.
var remote = map[string]string{
	"acquire-release/no-wait":         "nothing tells the reader that the value is there",
	"atomic/reduction-and-store":      "a store and an addition leave different values in either order, also as atomic operations",
	"async/mbarrier-one-warp-missing": "the mbarrier must count the other warp",
	"grid/overlapping-tiles":          "the tiles must be apart",
	"grid/queue-publish":              "the entry must be written before the tail moves",
	"texture/global-write-then-fetch": "fetch in a later kernel",
	"warp/one-instruction-global":     "the lanes must write different words",
	"warp/one-instruction-shared":     "the lanes must write different words",
	"width/adjacent-bytes-blocks":     "the access must be of the size of the object",
	"width/atomic-of-two-sizes":       "the accesses must be of one size",
	"width/clear-words-set-bytes":     "another word must be cleared",
	"width/overlapping-records":       "the records must be apart",
	"width/predicated-store":          "the predicate must be another",
	"width/strong-of-two-sizes":       "the accesses must be of one size",
}

// row is a line of the table.
type row struct {
	name        string
	res         *fix.Result
	size, fixed int // instructions that differ
}

// table holds the results for one part of the suite.
type table struct {
	rows                            []row
	clean, remote, mended, noLarger int
	proved                          int
}

func (b *table) add(r row) {
	if len(r.res.Races) == 0 {
		b.clean++
		return
	}
	b.rows = append(b.rows, r)
	switch {
	case r.res.Mended():
		b.mended++
		if r.size <= r.fixed {
			b.noLarger++
		}
		if r.res.Verified.Proof != "" {
			b.proved++
		}
	case remote[r.name] != "":
		b.remote++
	}
}

// size returns the number of instructions in which two modules differ.
func size(a, b *rewrite.Module) int {
	s := diff.Semantic(diff.Program{Tree: a.AST}, diff.Program{Tree: b.AST}).Total()
	return s.Inserted + s.Removed + s.Changed
}

// TestSuite repairs every case, or those that -case names, and logs the repairs by kind.
func TestSuite(t *testing.T) {
	if !*whole && *only == "" {
		t.Skip("all cases take minutes; run make fix")
	}
	micro, apps := &table{}, &table{}
	for _, name := range cases(t, suite+"/*/*-racy.yaml") {
		short := strings.TrimSuffix(strings.TrimPrefix(name, suite+"/"), "-racy.yaml")
		res := mend(t, name, 40, 200)
		fixed := open(t, strings.TrimSuffix(name, "racy.yaml")+"fixed.yaml").Program.Module
		t.Log(short, res.Mended(), res.Attempts)
		micro.add(row{short, res, size(res.Original, res.Module), size(res.Original, fixed)})
	}
	for _, name := range cases(t, filepath.Dir(suite)+"/apps/*/*.yaml") {
		base := filepath.Base(name)
		res := mend(t, name, 40, 100)
		fixed := open(t, filepath.Dir(name)+"/correct.yaml").Program.Module
		short := filepath.Base(filepath.Dir(name)) + "/" + strings.TrimSuffix(base, ".yaml")
		t.Log(short, res.Mended(), res.Attempts)
		apps.add(row{short, res, size(res.Original, res.Module), size(res.Original, fixed)})
	}
	t.Log("\n" + micro.text("The race suite", 40) + apps.text("Applications", 40))
}

// cases returns the launch files that a pattern matches, except those of applications without a race.
func cases(t *testing.T, glob string) (list []string) {
	names, err := filepath.Glob(glob)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.Contains(name, *only) && !slices.Contains([]string{"correct.yaml", "paper.yaml", "middle.yaml"}, filepath.Base(name)) {
			list = append(list, name)
		}
	}
	return list
}

// text returns the table in Markdown.
func (b *table) text(title string, schedules int) string {
	var w strings.Builder
	local := len(b.rows) - b.remote
	fmt.Fprintf(&w, "## %s\n\n%d cases race under the PTX model (%d do not, or end with a fault). %d of them have a local repair; %d of these, %.0f %%, are mended and verified under %d schedules.\n", title, len(b.rows), b.clean, local, b.mended, 100*float64(b.mended)/float64(max(1, local)), schedules)
	fmt.Fprintf(&w, "The repair changes no more instructions than the fixed variant in %d, %.0f %%. Of %d, the static detector proves that no launch has a race.\n\n| repair | cases |\n|---|---|\n", b.noLarger, 100*float64(b.noLarger)/float64(max(1, b.mended)), b.proved)
	cases := make(map[string][]string)
	var larger []string
	for _, r := range b.rows {
		cases[r.what()] = append(cases[r.what()], r.name)
		if r.res.Mended() && r.size > r.fixed {
			larger = append(larger, r.name)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(cases)) {
		fmt.Fprintf(&w, "| %s | %s |\n", what, folded(cases[what]))
	}
	fmt.Fprintf(&w, "\nThe others change more: %s.\n\n", folded(larger))
	return w.String()
}

// what returns the repair of a row, or why there is none.
func (r *row) what() string {
	if r.res.Mended() {
		var words []string
		for _, e := range r.res.Edits {
			words = append(words, string(e.Op))
		}
		return counted(words)
	}
	if why := remote[r.name]; why != "" {
		return "no local repair: " + why
	}
	return "not mended"
}

// mostNamed is the largest number of cases of a category in a row of the table that are named.
const mostNamed = 2

// folded joins names of cases, those in a row of one category as category/{a, b}, or with their number if there are
// many.
func folded(names []string) string {
	var list []string
	for len(names) > 0 {
		category, first, _ := strings.Cut(names[0], "/")
		members := []string{first}
		for len(members) < len(names) && strings.HasPrefix(names[len(members)], category+"/") {
			members = append(members, strings.TrimPrefix(names[len(members)], category+"/"))
		}
		word := names[0]
		switch {
		case len(members) > mostNamed:
			word = fmt.Sprintf("%s (%d)", category, len(members))
		case len(members) > 1:
			word = category + "/{" + strings.Join(members, ", ") + "}"
		}
		list, names = append(list, word), names[len(members):]
	}
	return strings.Join(list, ", ")
}

// counted joins words, those that follow each other with their number.
func counted(words []string) string {
	var list []string
	for len(words) > 0 {
		n := 1
		for n < len(words) && words[n] == words[0] {
			n++
		}
		word := words[0]
		if n > 1 {
			word = fmt.Sprintf("%d × %s", n, word)
		}
		list, words = append(list, word), words[n:]
	}
	return strings.Join(list, ", ")
}

func TestFolded(t *testing.T) {
	if got := folded([]string{"a/x", "a/y", "b/z", "c/x", "c/y", "c/z"}); got != "a/{x, y}, b/z, c (3)" {
		t.Error(got)
	}
}

func TestCounted(t *testing.T) {
	if got := counted([]string{"barrier", "barrier", "wait", "barrier"}); got != "2 × barrier, wait, barrier" {
		t.Error(got)
	}
}
