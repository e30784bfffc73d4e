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

// TestUnused: functions that a certain command line does not come to are left out only when nothing else may call them.
func TestUnused(t *testing.T) {
	const kernel = "__global__ void k(int n) {}\n"
	for _, c := range []struct{ text, want string }{
		{"void f() { k<<<1, 1>>>(1); }\nint main(int argc, char **argv) { if (argc > 1) f(); return 0; }", "never k;"},
		{"void f() { k<<<1, 1>>>(1); }\nvoid g() { f(); }\nint main(int argc, char **argv) { if (argc > 1) return 0; exit(1); g(); }", "never k;"},
		{"void f() { k<<<1, 1>>>(1); }\nvoid (*p)() = f;\nint main(int argc, char **argv) { if (argc > 1) f(); p(); }", "k 1 (1);"},
		{"__attribute__((constructor)) static void f() { k<<<1, 1>>>(1); }\nint main(int argc, char **argv) { if (argc > 1) f(); return 0; }", "k 1 (1);"},
		{"void f() { k<<<1, 1>>>(1); }\nint main(int argc, char **argv) { auto h = [] { f(); }; if (argc > 1) f(); h(); }", "k 1 (1);"},
		{"struct S { S() { k<<<1, 1>>>(1); } };\nint main(int argc, char **argv) { S s; return 0; }", "k 1 (1);"},
		{"int main(int argc, char **argv) { if (argc > 1) goto out; if (argc > 2) { out: k<<<1, 1>>>(1); } return 0; }", "k <nil> ();"},
	} {
		f := host.Scan(host.Options{Args: []string{}}, host.Source{Name: "a.cu", Text: []byte(kernel + c.text)})
		if got := strings.TrimSpace(plainLaunches(f)); got != c.want {
			t.Errorf("%s\n%s, want %s", c.text, got, c.want)
		}
	}
}

// plainLaunches is launchesOf, where nothing may be known of a launch.
func plainLaunches(f *facts.File) string {
	for _, l := range f.Launches {
		if l.Grid[0] == nil {
			return fmt.Sprintf("%s <nil> ();", l.Kernel)
		}
	}
	return launchesOf(f)
}
