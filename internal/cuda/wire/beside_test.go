//go:build linux

// Kernels that are resident together, in a program of the driver API.

package wire_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestBeside runs a program whose kernels wait for each other, under several schedules.
func TestBeside(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/beside.c", dir, "cuda", "-g", "-pthread")
	for _, c := range []struct {
		how     string
		lines   int
		fault   string // part of the message of the only one
		without string // what it has not
	}{
		{how: "flag", lines: 2},
		{how: "modules", lines: 1},
		{how: "behind", lines: 5},
		{how: "launches", lines: 1},
		{how: "values", lines: 1},
		{how: "deadlock", lines: 3, fault: "deadlock of streams: kernel consume in stream 1 waits for memory at module1.ptx:13, " +
			"the launch of kernel produce in stream 1 waits for the end of kernel consume, the host waits for stream 1"},
		{how: "threads", lines: 1, fault: "1 thread spins", without: "deadlock"},
		{how: "functions", lines: 3},
		{how: "late", lines: 1},
		{how: "clock", lines: 1},
		{how: "expires", lines: 1},
		{how: "fault", lines: 1, fault: "0x8", without: "spins"},
	} {
		t.Run(c.how, func(t *testing.T) {
			for _, policy := range []emu.Policy{emu.ITS, emu.Random, emu.PCT} {
				processes := beside(t, dir, app, policy, c.how, c.lines)
				rep := processes[0].Report()
				if len(rep.Races) > 0 || len(rep.Faults) > 1 || len(rep.Faults) > 0 != (c.fault != "") {
					t.Fatalf("policy %d: %d races and faults %v", policy, len(rep.Races), rep.Faults)
				}
				for _, f := range rep.Faults {
					if !strings.Contains(f.Message, c.fault) || c.without != "" && strings.Contains(f.Message, c.without) {
						t.Errorf("policy %d: %s", policy, f.Message)
					}
				}
			}
		})
	}
}

// beside runs the program once.
func beside(t *testing.T, dir, app string, policy emu.Policy, how string, lines int) []*cuda.Process {
	t.Helper()
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	o := &cuda.Options{
		Detectors: detectors, Target: cuda.DefaultTarget, Emulator: emu.Config{Policy: policy, Seed: 3},
		Note: func(text string) { t.Errorf("note %q", text) },
	}
	out, code, processes := runWith(t, o, dir, app, "testdata/beside.ptx", how)
	allRight(t, out, code, lines)
	return processes
}

// TestBesideRuntime runs a program of the runtime API with a kernel that launches of another stream feed.
func TestBesideRuntime(t *testing.T) {
	dir := libraries(t)
	for _, linked := range runtimes {
		t.Run(linked, func(t *testing.T) {
			app := compileCUDA(t, "testdata/beside.cu", linked)
			for _, args := range [][]string{{app}, {app, "racy"}} {
				out, code, notes, processes := run(t, dir, args...)
				allRight(t, out, code, 1)
				rep := processes[0].Report()
				if racy := len(args) > 1; len(notes) > 0 || len(rep.Faults) > 0 || len(rep.Races) > 0 != racy {
					t.Errorf("%q: notes %q, races %v, faults %v", args[1:], notes, rep.Races, rep.Faults)
				}
			}
		})
	}
}
