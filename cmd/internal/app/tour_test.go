package app

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestTour checks that the files that the life of a load names in ARCHITECTURE.md are there and have the identifiers
// that it names, and that no package is entered twice.
func TestTour(t *testing.T) {
	t.Chdir("../../..")
	doc, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([^`]+\\.go)` \\| (.*) \\|$")
	_, life, _ := strings.Cut(string(doc), "\n## Life of a load\n")
	life, _, _ = strings.Cut(life, "\n## ")
	files, entered := 0, make(map[string]int) // sections, by the package of their title
	for section, text := range strings.Split(life, "\n### ") {
		for _, m := range row.FindAllStringSubmatch(text, -1) {
			files++
			checkTourFile(t, m[1], m[2])
			dir := path.Dir(m[1])
			if before, ok := entered[dir]; ok && before != section {
				t.Errorf("%s is entered in sections %d and %d", dir, before, section)
			}
			entered[dir] = section
		}
	}
	if files < 40 || len(entered) < 13 {
		t.Errorf("the tour names %d files of %d packages", files, len(entered))
	}
	_, finding, _ := strings.Cut(string(doc), "\n## Life of a finding\n")
	finding, _, _ = strings.Cut(finding, "\n## ")
	list := row.FindAllStringSubmatch(finding, -1)
	if len(list) < 8 {
		t.Errorf("the life of a finding names %d files", len(list))
	}
	for _, m := range list {
		checkTourFile(t, m[1], m[2])
	}
}

// checkTourFile checks that a file has the identifiers of a list.
func checkTourFile(t *testing.T, name, identifiers string) {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
		return
	}
	list := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(identifiers, -1)
	if len(list) == 0 {
		t.Errorf("%s: the tour names no identifier", name)
	}
	for _, id := range list {
		if !regexp.MustCompile(`\b` + regexp.QuoteMeta(id[1]) + `\b`).Match(source) {
			t.Errorf("%s: no identifier %s", name, id[1])
		}
	}
}
