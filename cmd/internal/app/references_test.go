package app

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReferences: files, tests and make targets that documents name are there.
func TestReferences(t *testing.T) {
	t.Chdir("../../..")
	source := testSource(t)
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	test := regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]+)`")
	target := regexp.MustCompile("`make ([a-z-]+)")
	found := 0
	for name, doc := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(doc, -1) {
			found++
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s: no file %s", name, m[1])
			}
		}
		for _, m := range test.FindAllStringSubmatch(doc, -1) {
			found++
			if !strings.Contains(source, "func "+m[1]+"(") {
				t.Errorf("%s: no test %s", name, m[1])
			}
		}
		for _, m := range target.FindAllStringSubmatch(doc, -1) {
			found++
			if !strings.Contains(string(makefile), "\n"+m[1]+":") {
				t.Errorf("%s: no target %s in the Makefile", name, m[1])
			}
		}
	}
	if found < 80 {
		t.Errorf("the documents name %d files, tests and targets", found)
	}
}

// testSource returns the text of all tests.
func testSource(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		b.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
