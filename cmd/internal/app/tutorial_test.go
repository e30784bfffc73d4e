package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// fileBlock is a Go file in a document: its path, and its text in a code block.
var fileBlock = regexp.MustCompile("(?ms)^`(passes/[a-z/_]+\\.go)`\n```go\n(.*?)^```$")

// TestWriteAPass compiles and tests the pass that docs/write-a-pass.md builds. The
// files appear in the module by way of an overlay.
func TestWriteAPass(t *testing.T) {
	long(t)
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile(filepath.Join(root, "docs/write-a-pass.md"))
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	dir := t.TempDir()
	for i, m := range fileBlock.FindAllSubmatch(doc, -1) {
		path := filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if err = os.WriteFile(path, m[2], 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, string(m[1]))] = path
	}
	if len(replace) != 3 {
		t.Fatalf("the document has %d files, want 3", len(replace))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err = os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "silentstores.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-o", binary, "-overlay="+overlayFile, "./passes/silentstores")
	build.Dir = root
	out, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", build, err, out)
	}
	run := exec.Command(binary, "-test.v")
	run.Dir = dir
	out, err = run.CombinedOutput()
	if passed := bytes.Count(out, []byte("--- PASS: Test")); err != nil || passed != 2 {
		t.Fatalf("%v: %v, %d tests passed, want 2\n%s", run, err, passed, out)
	}
	checkFormat(t, replace)
}

// checkFormat compares the files with what gofmt would make of them.
func checkFormat(t *testing.T, files map[string]string) {
	for name, path := range files {
		out, err := exec.Command("gofmt", "-l", path).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s is not formatted: %s (%v)", name, out, err)
		}
	}
}
