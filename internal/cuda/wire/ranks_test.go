//go:build linux

// Processes that share memory and events, which take turns and have one order.

package wire_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/session"
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

// TestIPCPool runs examples/devices/ipc_pool.cu: processes on two devices with a pool of buffers.
func TestIPCPool(t *testing.T) {
	app := compileCUDA(t, "../../../examples/devices/ipc_pool.cu", "shared", "-lineinfo", "-g")
	dir := libraries(t)
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	for how, races := range map[string]int{"": 0, "event": 0, "early": 1, "reuse": 1} {
		o := &cuda.Options{Detectors: detectors, Target: cuda.DefaultTarget, Devices: 2}
		out, code, processes := runWith(t, o, dir, app, how)
		allRight(t, out, code, 1)
		found := 0
		for _, p := range processes {
			for _, x := range p.Report().Races {
				if found++; x.Cause != detect.MissingStreamOrder || x.First.Device == nil || x.Second.Device == nil ||
					*x.First.Device == *x.Second.Device || x.First.Kernel == x.Second.Kernel ||
					x.First.Call == nil || x.First.Call.Source == nil || x.Second.Call == nil || x.Second.Call.Source == nil {
					t.Errorf("%q: a race %+v", how, x)
				}
			}
		}
		if found != races {
			t.Errorf("%q: %d races, want %d", how, found, races)
		}
	}
}
