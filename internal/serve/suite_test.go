// Test: answers about the programs of the race suite are short.

package serve_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/serve"
)

// TestShort: ask bounds the answer about each small program of the suite, of check, and for some of them of the other
// tools.
func TestShort(t *testing.T) {
	const suite = "../../examples/suite/micro"
	c := connect(t, serve.Options{Root: suite})
	n := 0
	err := filepath.WalkDir(suite, func(path string, _ fs.DirEntry, err error) error {
		launch := strings.TrimSuffix(path, ".ptx") + ".yaml"
		if _, wrong := os.Stat(launch); err != nil || wrong != nil || filepath.Ext(path) != ".ptx" {
			return err
		}
		in := input{PTX: below(t, suite, path), Launch: below(t, suite, launch)}
		tools := []string{"check", "analyze", "explore", "fix"}
		switch n++; {
		case n%8 != 0:
			tools = tools[:1]
		case n%48 != 0:
			tools = tools[:3]
		}
		for _, tool := range tools {
			if in.Schedules = 0; tool == "explore" || tool == "fix" {
				in.Schedules = 2
			}
			if text, isError := ask(t, c, tool, in); isError {
				t.Errorf("%s of %s: %s", tool, path, text)
			}
		}
		return nil
	})
	if err != nil || n < 100 {
		t.Errorf("%d programs, %v", n, err)
	}
}

// below returns a path relative to a folder.
func below(t *testing.T, folder, path string) string {
	t.Helper()
	name, err := filepath.Rel(folder, path)
	if err != nil {
		t.Fatal(err)
	}
	return name
}
