package main

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
)

// TestLitmusExamples: the tests of examples/litmus end as the table in its README says,
// and the command there prints what it says.
func TestLitmusExamples(t *testing.T) {
	t.Chdir("../..")
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
		if want := map[string]int{"clean": exitClean, "racy": exitFindings}[m[3]]; code != want {
			t.Errorf("%s: exit code %d, want %d\n%s", m[1], code, want, out)
		}
		if got := statesOf(out); !slices.Equal(got, strings.Fields(m[2])) || !strings.Contains(out, "COMPLETE: these are all") {
			t.Errorf("%s: states %q, want %q\n%s", m[1], got, m[2], out)
		}
	}
	const sb = "examples/litmus/sb"
	_, out := exploreExample(sb)
	if block := "```\n$ " + strings.Join(exploreArgs(sb), " ") + "\n" + out + "```\n"; !strings.Contains(string(doc), block) {
		t.Errorf("README.md lacks\n%s", block)
	}
}

// exploreArgs is the command line that explores an example.
func exploreArgs(base string) []string {
	return strings.Fields(fmt.Sprintf("ptxsan explore --launch %[1]s.yaml --search exhaustive -d precise --outcomes --show r %[1]s.ptx", base))
}

func exploreExample(base string) (code int, out string) {
	var b bytes.Buffer
	code = run(context.Background(), exploreArgs(base), nil, &b, &b)
	return code, b.String()
}

// statesOf are the final states of r that a report lists.
func statesOf(report string) (list []string) {
	for _, m := range regexp.MustCompile(`(?m)^=========\s+[0-9]+ r=([0-9,]+)$`).FindAllStringSubmatch(report, -1) {
		list = append(list, m[1])
	}
	return list
}
