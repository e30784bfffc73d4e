//go:build linux

// Processes that share memory and events, which take turns and have one order.

package wire_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestProcesses runs two processes that share memory, in an order that a host, an event or kernels make, or none.
func TestProcesses(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/ranks.c", dir, "cuda")
	for how, c := range map[string]struct{ lines, races int }{
		"host": {4, 0}, "event": {4, 0}, "none": {4, 1}, "meet": {5, 0}, "rush": {3, 1}, "pending": {6, 0}, "poll": {5, 0},
		"wait": {5, 0},
	} {
		t.Run(how, func(t *testing.T) {
			out, code, notes, processes := run(t, dir, app, "testdata/ranks.ptx", how)
			allRight(t, out, code, c.lines)
			races := 0
			for _, p := range processes {
				rep := p.Report()
				races += len(rep.Races)
				if len(rep.Faults) > 0 {
					t.Errorf("faults %v", rep.Faults)
				}
				for _, x := range rep.Races {
					if x.Kind != detect.InterKernel || x.Cause != detect.MissingStreamOrder ||
						!strings.Contains(x.First.Operation, " of process ") ||
						!strings.Contains(x.Second.Operation, " of process ") || x.First.Operation == x.Second.Operation ||
						!strings.Contains(x.Missing, "two processes") || x.First.Call == nil || x.Second.Call == nil {
						t.Errorf("a race %+v of %+v and %+v", x, x.First, x.Second)
					}
				}
			}
			if len(notes) != 0 || len(processes) != 2 || races != c.races {
				t.Fatalf("notes %q, %d processes, %d races", notes, len(processes), races)
			}
		})
	}
}
