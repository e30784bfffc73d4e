// The command line: what the reader of host code makes of a program that is started in many ways.

package hostir_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir"
)

// TestArguments compares the launches of a program that is started in many ways with what executions of it print.
func TestArguments(t *testing.T) {
	const name = "arguments.ll"
	src, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("testdata/arguments.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		args, want, ok := strings.Cut(strings.TrimSpace(" "+line), "| ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		words := append([]string{}, strings.Fields(args)...)
		f := hostir.Scan(hostir.Options{Args: words}, hostir.Source{Name: name, Text: src})
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
		fmt.Fprintf(&b, "%s %s (%s); ", plain(l.Kernel), l.Grid[0], strings.Join(args, " "))
	}
	for _, k := range f.Never {
		fmt.Fprintf(&b, "never %s; ", plain(k))
	}
	return strings.TrimSpace(b.String())
}

var mangled = regexp.MustCompile(`^_Z[0-9]+([a-z]+?)i+$`)

// plain is the name of a kernel whose parameters are integers, also where it is mangled.
func plain(name string) string { return mangled.ReplaceAllString(name, "$1") }
