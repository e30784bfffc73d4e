package app

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// TestLitmusExamples: the tests of examples/litmus end as the table in its README says.
func TestLitmusExamples(t *testing.T) {
	t.Chdir("../../..")
	doc, err := os.ReadFile("examples/litmus/README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("examples/litmus/*.ptx")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|[^|]*\\| ([0-9, ]+) \\| (clean|racy) \\|$")
	rows := row.FindAllStringSubmatch(string(doc), -1)
	if len(rows) == 0 || len(rows) != len(files) {
		t.Fatalf("%d rows for %d files", len(rows), len(files))
	}
	for _, m := range rows {
		code, out := exploreExample("examples/litmus/" + m[1])
		if want := map[string]int{"clean": command.Clean, "racy": command.Findings}[m[3]]; code != want {
			t.Errorf("%s: exit code %d, want %d\n%s", m[1], code, want, out)
		}
		if got := statesOf(out); !slices.Equal(got, strings.Fields(m[2])) || !strings.Contains(out, "COMPLETE: these are all") {
			t.Errorf("%s: states %q, want %q\n%s", m[1], got, m[2], out)
		}
	}
}

// exploreExample runs a litmus test in all orders.
func exploreExample(base string) (code int, out string) {
	var b bytes.Buffer
	args := fmt.Sprintf("ptxsan explore --launch %[1]s.yaml --search exhaustive -d precise --outcomes --show r %[1]s.ptx", base)
	code = run(context.Background(), strings.Fields(args), nil, &b, &b)
	return code, b.String()
}

// statesOf returns the final states of r that a report lists.
func statesOf(report string) (list []string) {
	for _, m := range regexp.MustCompile(`(?m)^=========\s+[0-9]+ r=([0-9,]+)$`).FindAllStringSubmatch(report, -1) {
		list = append(list, m[1])
	}
	return list
}
