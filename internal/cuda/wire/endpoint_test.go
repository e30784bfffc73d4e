//go:build linux

// Logical endpoints of the driver API.

package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// endpoints runs the program that makes logical endpoints on a device that has fabric operations.
func endpoints(t *testing.T, args ...string) (out string, code int, notes []string, process *cuda.Process) {
	t.Helper()
	dir := libraries(t)
	app := compile(t, "testdata/endpoint.c", dir, "cuda")
	o := precise(t)
	o.Target = cuda.Target{Major: 10}
	o.Note = func(text string) { notes = append(notes, text) }
	out, code, processes := runWith(t, o, dir, append([]string{app, "testdata/endpoint.ptx"}, args...)...)
	return out, code, notes, processes[0]
}

// TestEndpoints: kernels put bytes by the number of an endpoint into memory that is bound to it.
func TestEndpoints(t *testing.T) {
	out, code, notes, process := endpoints(t)
	allRight(t, out, code, 12)
	if rep := process.Report(); len(rep.Races)+len(rep.Faults)+len(notes) != 0 {
		t.Errorf("races %+v, faults %+v, notes %q, want none", rep.Races, rep.Faults, notes)
	}
}

// TestEndpointsRefused: calls with bad numbers, ranges and memory fail, and what needs other devices or processes is
// named.
func TestEndpointsRefused(t *testing.T) {
	out, code, notes, _ := endpoints(t, "refused")
	allRight(t, out, code, 37)
	for _, name := range []string{"cuLogicalEndpointCreate of a multicast endpoint", "cuLogicalEndpointCreate of an endpoint that can be exported", "cuLogicalEndpointAddDevice", "cuLogicalEndpointExport", "cuLogicalEndpointImport"} {
		if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, name) }) {
			t.Errorf("notes %q, want one with %q", notes, name)
		}
	}
}

// TestEndpointMistakes: a kernel that does not wait for what it puts races, kernels of two streams race by one
// endpoint, and what is not bound, mapped or there any more is a fault.
func TestEndpointMistakes(t *testing.T) {
	for _, c := range []struct{ name, prints, race, fault string }{
		{"early", "0", "missing-async-wait", ""},
		{"two streams", "0", "missing-stream-order", ""},
		{"unbound", "700", "", "out-of-bounds: write of 16 bytes at offset 0x0 of logical endpoint 1, where no memory is bound"},
		{"beyond", "700", "", "out-of-bounds: write of 16 bytes at offset 0x3ffff0 of logical endpoint 1, where no memory is bound"},
		{"freed", "700", "", "use-after-free"},
		{"unmapped", "801", "", "unsupported: write of 16 bytes at offset 0x0 of logical endpoint 1: the memory bound there is not mapped for access"},
		{"destroyed", "801", "", "unsupported: there is no logical endpoint 1 on this device"},
	} {
		out, _, _, process := endpoints(t, c.name)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if got := lines[len(lines)-1]; got != c.prints {
			t.Errorf("%s: printed %q, want %s", c.name, got, c.prints)
		}
		rep := process.Report()
		if len(rep.Races) > 0 != (c.race != "") || slices.ContainsFunc(rep.Races, func(r *report.Race) bool { return string(r.Cause) != c.race }) {
			t.Errorf("%s: races %+v, want %q", c.name, rep.Races, c.race)
		}
		if len(rep.Faults) > 0 != (c.fault != "") || c.fault != "" && !strings.HasPrefix(rep.Faults[0].Class+": "+rep.Faults[0].Message, c.fault) {
			t.Errorf("%s: faults %+v, want %q", c.name, rep.Faults, c.fault)
		}
	}
}
