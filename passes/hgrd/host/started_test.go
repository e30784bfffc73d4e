// The command line: what the scanner makes of a program that is started in many ways.

package host_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
	"github.com/ptxsan/ptxsan/passes/hgrd/host"
)

// TestArguments compares the launches of a program that is started in many ways with what executions of it print.
func TestArguments(t *testing.T) {
	src, err := os.ReadFile("../hostir/testdata/arguments.cu")
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("../hostir/testdata/arguments.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		args, want, ok := strings.Cut(strings.TrimSpace(" "+line), "| ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		words := append([]string{}, strings.Fields(args)...)
		f := host.Scan(host.Options{Args: words}, host.Source{Name: "arguments.cu", Text: src})
		if got := launchesOf(f); got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
		for _, l := range f.Launches {
			if !slices.Equal(l.Started, words) {
				t.Errorf("%q: a launch of a program that is started with %q", args, l.Started)
			}
		}
	}
}

// launchesOf are launches, and kernels that are never launched.
func launchesOf(f *facts.File) string {
	var b strings.Builder
	for _, l := range f.Launches {
		var args []string
		for _, a := range l.Args {
			text := "?"
			if k, ok := a.Int.Int64(); ok {
				text = strconv.FormatInt(k, 10)
			}
			args = append(args, text)
		}
		fmt.Fprintf(&b, "%s %s (%s); ", l.Kernel, l.Grid[0], strings.Join(args, " "))
	}
	for _, k := range f.Never {
		fmt.Fprintf(&b, "never %s; ", k)
	}
	return strings.TrimSpace(b.String())
}
