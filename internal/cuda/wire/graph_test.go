//go:build linux

// Graphs that applications put together.

package wire_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestDriverGraphs runs a program of the driver API that launches graphs.
func TestDriverGraphs(t *testing.T) {
	dir := libraries(t)
	runApp(t, dir, 18, compile(t, "testdata/graph.c", dir, "cuda"), "testdata/driver.ptx")
}

// TestCurrent runs a program that uses what CUDA 13 added, and the management library.
func TestCurrent(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/current.c", dir, ":libcudart.so.13", "-lcuda", "-l:libnvidia-ml.so.1")
	out, code, notes, processes := run(t, dir, app, "testdata/driver.ptx")
	allRight(t, out, code, 30)
	if rep := processes[0].Report(); len(rep.Races)+len(rep.Faults) != 0 {
		t.Errorf("%d races and %d faults", len(rep.Races), len(rep.Faults))
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "nvmlDeviceGetPowerUsage") {
		t.Errorf("notes %q, want one on nvmlDeviceGetPowerUsage", notes)
	}
}

// TestNodes runs a program that adds nodes by the generic functions, with the layouts of CUDA 12 and 13.
func TestNodes(t *testing.T) {
	dir := libraries(t)
	for _, major := range []string{"12", "13"} {
		app := compile(t, "testdata/nodes.c", dir, ":libcudart.so."+major, "-lcuda", "-DMAJOR="+major)
		out, code, notes, processes := run(t, dir, app, "testdata/driver.ptx")
		allRight(t, out, code, 47)
		if rep := processes[0].Report(); len(rep.Races)+len(rep.Faults) != 0 {
			t.Errorf("CUDA %s: races %+v, faults %+v, want none", major, rep.Races, rep.Faults)
		}
		if len(notes) != 2 || !strings.Contains(notes[0], "cudaGraphAddNode of a node of semaphores") || !strings.Contains(notes[1], "cuStreamSetAttribute") {
			t.Errorf("CUDA %s: notes %q, want two on what is not supported", major, notes)
		}
	}
}

// TestConditionalNodes runs a program whose graphs have conditional nodes, and frees all memory. With an argument, a
// kernel that a condition chooses races.
func TestConditionalNodes(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/conditional.c", dir, "cuda")
	for _, more := range [][]string{nil, {"racy"}} {
		o := precise(t)
		o.Leaks = true
		out, code, processes := runWith(t, o, dir, append([]string{app, "testdata/conditional.ptx"}, more...)...)
		allRight(t, out, code, 8)
		if rep := processes[0].Report(); len(rep.Races) != len(more) || len(rep.Faults) != 0 || len(more) > 0 && rep.Races[0].First.Kernel != "mark" {
			t.Errorf("%v: races %+v, faults %+v", more, rep.Races, rep.Faults)
		}
	}
}

// TestGreenContexts runs a program with contexts that have a part of the device. With an argument, its streams race.
func TestGreenContexts(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/green.c", dir, ":libcudart.so.13", "-lcuda")
	out, code, notes, processes := run(t, dir, app)
	allRight(t, out, code, 16)
	if rep := processes[0].Report(); len(rep.Races) != 0 || len(notes) != 0 {
		t.Errorf("races %+v, notes %q, want none", rep.Races, notes)
	}
	out, code, _, processes = run(t, dir, app, "racy")
	allRight(t, out, code, 16)
	if rep := processes[0].Report(); len(rep.Races) == 0 || rep.Races[0].Kind != detect.InterKernel {
		t.Errorf("races %+v, want one of operations", rep.Races)
	}
}

// TestKernels runs a program that asks for kernels and their attributes, on a device that has clusters.
func TestKernels(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/kernels.c", dir, ":libcudart.so.13", "-lcuda")
	o := precise(t)
	o.Target = cuda.Target{Major: 9, Minor: 0}
	out, code, processes := runWith(t, o, dir, app, "testdata/driver.ptx")
	allRight(t, out, code, 19)
	if rep := processes[0].Report(); len(rep.Races)+len(rep.Faults) != 0 {
		t.Errorf("races %+v, faults %+v, want none", rep.Races, rep.Faults)
	}
}
