package precise_test

import (
	"os"
	"strings"
	"testing"
)

// TestDocument runs the examples of docs/detectors/precise.md.
func TestDocument(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/detectors/precise.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := strings.Split(string(doc), "```litmus\n")[1:]
	if len(examples) < 5 {
		t.Fatalf("%d examples", len(examples))
	}
	for _, text := range examples {
		body, _, _ := strings.Cut(text, "\n```")
		var steps []string
		for line := range strings.Lines(body) {
			line, _, _ = strings.Cut(line, "#")
			steps = append(steps, strings.TrimSpace(line))
		}
		last := len(steps) - 1
		want, ok := strings.CutPrefix(steps[last], "races: ")
		if !ok {
			t.Fatalf("%q: no verdict", body)
		}
		if want == "none" {
			want = ""
		}
		checkLitmus(t, steps[:last], want)
	}
}
