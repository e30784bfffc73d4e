//go:build linux

// Memory that processes share, and processes that end early.

package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestIPC runs a program whose processes share memory. With an argument, the child is killed after a race, which is in its report.
func TestIPC(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/ipc.c", dir, "cudart", "-lcuda")
	for _, c := range []struct {
		args        []string
		cases, more int
	}{{nil, 9, 0}, {[]string{"racy"}, 8, 1}} {
		out, code, notes, processes := run(t, dir, append([]string{app}, c.args...)...)
		allRight(t, out, code, c.cases)
		if len(notes) != 0 || len(processes) != 2 {
			t.Fatalf("notes %q, %d processes", notes, len(processes))
		}
		races := 0
		for _, p := range processes {
			rep := p.Report()
			races += len(rep.Races)
			if len(rep.Races) > 0 && rep.Races[0].Kind != detect.InterKernel {
				t.Errorf("a race %+v", rep.Races[0])
			}
			if !slices.ContainsFunc(rep.Notes, func(n string) bool { return strings.Contains(n, "races with other processes") }) {
				t.Errorf("notes %q", rep.Notes)
			}
		}
		if races != c.more {
			t.Errorf("%v: %d races, want %d", c.args, races, c.more)
		}
	}
}
