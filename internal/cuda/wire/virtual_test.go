//go:build linux

// Virtual memory management of the driver API.

package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestVirtual runs a program that maps memory in reserved addresses.
func TestVirtual(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/virtual.c", dir, "cuda")
	for _, states := range []bool{false, true} {
		var notes []string
		o := precise(t)
		o.Emulator.Uninitialised = states
		o.Note = func(text string) { notes = append(notes, text) }
		out, code, processes := runWith(t, o, dir, app, "testdata/driver.ptx")
		allRight(t, out, code, 40)
		if rep := processes[0].Report(); len(rep.Races)+len(rep.Faults) != 0 {
			t.Errorf("races %+v, faults %+v, want none", rep.Races, rep.Faults)
		}
		for _, name := range []string{"cuMemMap: memory that is mapped at another address", "cuMemCreate of memory of the host", "cuMemExportToShareableHandle"} {
			if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, name) }) {
				t.Errorf("notes %q, want one with %q", notes, name)
			}
		}
	}
}

// precise returns options with the detector of that name.
func precise(t *testing.T) *cuda.Options {
	t.Helper()
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	return &cuda.Options{Detectors: detectors, Target: cuda.DefaultTarget}
}

// endOfMapping is the name of cuMemUnmap in races.
const endOfMapping = "an end of a mapping by the host"

// TestVirtualMistakes: memory that is not mapped, or not accessible, or mapped no longer, cannot be used, and its end
// must follow its uses.
func TestVirtualMistakes(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/virtual.c", dir, "cuda")
	for _, c := range []struct{ name, prints, message string }{
		{"unmapped", "700", "is 2097152 bytes into the reservation 1 of size 8388608, where no memory is mapped (cuMemMap)"},
		{"no access", "700", "is 2097152 bytes into the reservation 1 of size 8388608, where the mapped memory has no access (cuMemSetAccess)"},
		{"taken back", "700", "is 0 bytes into the reservation 1 of size 8388608, where no memory is mapped (cuMemMap)"},
		{"ended", "700", "is 0 bytes into the freed reservation 1 of size 8388608"},
		{"unwritten", "0", "copy of 4 bytes, 4 of them never written"},
		{"early", "0", ""},
	} {
		o := precise(t)
		o.Emulator = emu.Config{Uninitialised: c.name == "unwritten"}
		out, _, processes := runWith(t, o, dir, app, "testdata/driver.ptx", c.name)
		rep := processes[0].Report()
		if strings.TrimSpace(out) != c.prints {
			t.Errorf("%s: printed %q, want %s", c.name, out, c.prints)
		}
		switch {
		case c.message == "":
			other := func(r *report.Race) bool { return r.Kind != detect.Host || r.Second.Operation != endOfMapping }
			if len(rep.Races) != 2 || slices.ContainsFunc(rep.Races, other) {
				t.Errorf("%s: races %+v, want two with %s: of the kernel's read and its write", c.name, rep.Races, endOfMapping)
			}
		case len(rep.Faults) != 1 || !strings.Contains(rep.Faults[0].Message, c.message):
			t.Errorf("%s: faults %+v, want %q", c.name, rep.Faults, c.message)
		}
	}
}
