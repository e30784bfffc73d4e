package app

import (
	"os"
	"strings"
	"testing"
)

// unwritten checks what exec --initcheck reports of examples/apps/unwritten.cu: the lines that end in "!", and nothing
// of the version without mistakes.
func unwritten(t *testing.T, ptxsan, dir string) {
	t.Helper()
	source, err := os.ReadFile("../../../examples/apps/unwritten.cu")
	if err != nil {
		t.Fatal(err)
	}
	for _, app := range []string{"unwritten", "unwritten_wrong"} {
		want := map[int]bool{}
		for i, line := range strings.Split(string(source), "\n") {
			if app == "unwritten_wrong" && strings.HasSuffix(line, "// !") {
				want[i+1] = true
			}
		}
		_, code, rep := runApplication(t, ptxsan, dir, []string{app}, "--initcheck")
		if wrong := len(want) > 0; wrong && code != 3 || !wrong && code != 0 {
			t.Errorf("%s: exit code %d", app, code)
		}
		for _, f := range rep.Faults {
			_, line := f.Where()
			if !want[line] || f.Class != "uninitialised" {
				t.Errorf("%s: line %d: %s: %s", app, line, f.Class, f.Message)
			}
			delete(want, line)
		}
		for line := range want {
			t.Errorf("%s: nothing is reported in line %d", app, line)
		}
	}
}
