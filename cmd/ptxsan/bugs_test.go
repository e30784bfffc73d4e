package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// TestBugs checks the kernels of examples/bugs: the launch files say what is found in the racy one, and that the fixed one
// is clean.
func TestBugs(t *testing.T) {
	files, err := filepath.Glob("../../examples/bugs/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bugs: %v", err)
	}
	for _, yaml := range files {
		name := filepath.Base(filepath.Dir(yaml))
		t.Run(name+"/"+filepath.Base(yaml), func(t *testing.T) {
			var out, errw bytes.Buffer
			args := []string{"ptxsan", "check", "--launch", yaml, strings.TrimSuffix(yaml, ".yaml") + ".ptx"}
			code := run(context.Background(), args, nil, &out, &errw)
			racy := filepath.Base(yaml) == "racy.yaml"
			if racy && code != command.Findings && code != command.Faulted || !racy && code != command.Clean {
				t.Errorf("exit code %d\n%s%s", code, out.String(), errw.String())
			}
		})
	}
}

// TestBugsListed checks that the table of examples/bugs names the folders there.
func TestBugsListed(t *testing.T) {
	page, err := os.ReadFile("../../examples/bugs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("../../examples/bugs")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !bytes.Contains(page, []byte("\n| `"+e.Name()+"` |")) {
			t.Errorf("examples/bugs/README.md lacks a row of %s", e.Name())
		}
	}
}
