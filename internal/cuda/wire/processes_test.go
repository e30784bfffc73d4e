//go:build linux

// Processes that share memory and events, which take turns and have one order.

package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestProcesses runs two processes that share memory, in an order that a host, an event or kernels make, or none.
func TestProcesses(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/processes.c", dir, "cuda")
	narrow := []detect.Cause{detect.InsufficientAtomicScope, detect.InsufficientFenceScope}
	unordered := []detect.Cause{detect.MissingStreamOrder}
	for how, c := range map[string]struct {
		lines  int
		causes []detect.Cause
	}{
		"host": {4, nil}, "event": {4, nil}, "none": {4, unordered}, "meet": {5, nil}, "rush": {3, unordered},
		"pending": {6, nil}, "poll": {5, nil}, "wait": {5, nil}, "apart": {5, nil}, "same": {5, nil}, "narrow": {5, narrow},
	} {
		t.Run(how, func(t *testing.T) {
			o := precise(t)
			o.Note = func(text string) { t.Error(text) }
			if how == "apart" || how == "narrow" {
				o.Devices = 2
			}
			out, code, processes := runWith(t, o, dir, app, "testdata/processes.ptx", how)
			allRight(t, out, code, c.lines)
			var causes []detect.Cause
			for _, p := range processes {
				rep := p.Report()
				if len(rep.Faults) > 0 {
					t.Errorf("faults %v", rep.Faults)
				}
				for _, x := range rep.Races {
					causes = append(causes, x.Cause)
					checkProcesses(t, x)
				}
			}
			slices.Sort(causes)
			if causes = slices.Compact(causes); len(processes) != 2 || !slices.Equal(causes, c.causes) {
				t.Fatalf("%d processes, races %q, want %q", len(processes), causes, c.causes)
			}
		})
	}
}

// checkProcesses checks what a race of two processes says of them.
func checkProcesses(t *testing.T, x *report.Race) {
	t.Helper()
	if x.Kind != detect.InterKernel || !strings.Contains(x.First.Operation, " of process ") ||
		!strings.Contains(x.Second.Operation, " of process ") || x.First.Operation == x.Second.Operation ||
		x.First.Call == nil || x.Second.Call == nil {
		t.Errorf("a race %+v of %+v and %+v", x, x.First, x.Second)
	}
	want := "two processes"
	if x.Cause != detect.MissingStreamOrder {
		want = "the second thread is on another device"
	}
	if !strings.Contains(x.Missing, want) {
		t.Errorf("missing: %s, want %q", x.Missing, want)
	}
}
