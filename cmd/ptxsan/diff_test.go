package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

// TestDiffDocs runs the commands shown in docs/diff.md and compares their output
// with what is shown there.
func TestDiffDocs(t *testing.T) {
	t.Chdir("../..")
	doc, err := os.ReadFile("docs/diff.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for i, block := range strings.Split(string(doc), "```\n") {
		command, want, ok := strings.Cut(block, "\n")
		command, prompt := strings.CutPrefix(command, "$ ")
		if i%2 == 0 || !ok || !prompt {
			continue
		}
		shown++
		var out, errw bytes.Buffer
		if code := run(context.Background(), strings.Fields(command), nil, &out, &errw); code != exitFindings {
			t.Errorf("%s: exit code %d, want %d\n%s", command, code, exitFindings, errw.String())
		}
		if out.String() != want {
			t.Errorf("%s prints\n%swant\n%s", command, out.String(), want)
		}
	}
	if shown == 0 {
		t.Error("the document shows no commands")
	}
}
