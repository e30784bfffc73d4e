// The command line: what the scanner makes of a program that is started in many ways.

package host_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/static/facts"
	"github.com/ptxsan/ptxsan/runtime/static/host"
)

// TestUnused: functions that a program does not reach with a certain command line are left out only when nothing else may call them.
func TestUnused(t *testing.T) {
	const kernel = "__global__ void k(int n) {}\n"
	for _, c := range []struct{ text, want string }{
		{"void f() { k<<<1, 1>>>(1); }\nint main(int argc, char **argv) { if (argc > 1) f(); return 0; }", "never k"},
		{"void f() { k<<<1, 1>>>(1); }\nvoid g() { f(); }\nint main(int argc, char **argv) { if (argc > 1) return 0; exit(1); g(); }", "never k"},
		{"void f() { k<<<1, 1>>>(1); }\nvoid (*p)() = f;\nint main(int argc, char **argv) { if (argc > 1) f(); p(); }", "k with 1 blocks and 1"},
		{"__attribute__((constructor)) static void f() { k<<<1, 1>>>(1); }\nint main(int argc, char **argv) { if (argc > 1) f(); return 0; }", "k with 1 blocks and 1"},
		{"void f() { k<<<1, 1>>>(1); }\nint main(int argc, char **argv) { auto h = [] { f(); }; if (argc > 1) f(); h(); }", "k with 1 blocks and 1"},
		{"struct S { S() { k<<<1, 1>>>(1); } };\nint main(int argc, char **argv) { S s; return 0; }", "k with 1 blocks and 1"},
		{"int main(int argc, char **argv) { if (argc > 1) goto out; if (argc > 2) { out: k<<<1, 1>>>(1); } return 0; }", "k in ways that are not known"},
	} {
		f := host.Scan(host.Options{Args: []string{}}, host.Source{Name: "a.cu", Text: []byte(kernel + c.text)})
		if got := launched(f); got != c.want {
			t.Errorf("%s\n%s, want %s", c.text, got, c.want)
		}
	}
}

// launched is what is known of the first launch, or that there is none.
func launched(f *facts.File) string {
	if len(f.Launches) == 0 {
		return "never " + strings.Join(f.Never, " ")
	}
	l := f.Launches[0]
	if l.Grid[0] == nil {
		return l.Kernel + " in ways that are not known"
	}
	return fmt.Sprintf("%s with %s blocks and %s", l.Kernel, l.Grid[0], l.Args[0].Int)
}
