//go:build linux

// Kernels that may begin before the end of the one before, in programs of the driver API.

package wire_test

import (
	"cmp"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestDependents runs pairs of programs of which one lacks griddepcontrol.wait.
func TestDependents(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/dependents.c", dir, "cuda")
	const inStream, inDefault = "a launch in stream 1, a launch in stream 1", "a launch in the default stream, a launch in the default stream"
	const branches = "a launch in a branch of a graph in stream 1, a launch in a branch of a graph in stream 1"
	for name, want := range map[string]struct{ pair, cause, place string }{
		"defaultStream": {inDefault, "missing-grid-wait", "get"},
		"byStream":      {inStream, "missing-grid-wait", "get"},
		"chain":         {inStream, "missing-grid-wait", "idle"},
		"byEvent":       {"a launch in stream 1, a launch in stream 2", "missing-grid-wait", "get"},
		"behindEvent":   {"a launch in stream 1, a launch in stream 2", "missing-stream-order", ""},
		"after":         {},
		"edge":          {inStream, "missing-grid-wait", "get"},
		"edgeOfBranch":  {branches, "missing-grid-wait", "get"},
		"captured":      {inStream, "missing-grid-wait", "get"},
		"afterGraph":    {},
		"afterHost":     {},
		"eventAtLet":    {},
		"edgeAtLet":     {},
		"eventAtStart":  {"a launch in stream 1, a launch in stream 2", "missing-grid-wait", "get"},
		"edgeAtStart":   {branches, "missing-grid-wait", "get"},
		"edgeBegun":     {branches, "missing-stream-order", ""},

		"capturedAtStart":       {branches, "missing-grid-wait", "get"},
		"capturedForDependent":  {branches, "missing-grid-wait", "get"},
		"completionEvent":       {"a launch in stream 1, a launch in stream 2", "missing-stream-order", ""},
		"beforeCompletionEvent": {},
	} {
		t.Run(name, func(t *testing.T) {
			for _, variant := range []string{"racy", "right"} {
				races, pair := dependents(t, dir, app, cuda.Target{Major: 9}, name, variant), want.pair
				if variant == "right" || pair == "" {
					if len(races) > 0 {
						t.Errorf("%s: a race of %s and %s", variant, races[0].First.Operation, races[0].Second.Operation)
					}
					continue
				}
				if len(races) != 1 {
					t.Fatalf("%d races, want 1", len(races))
				}
				x := races[0]
				if got := x.First.Operation + ", " + x.Second.Operation; got != pair || string(x.Cause) != want.cause {
					t.Errorf("%s: %s, want %s: %s", got, x.Cause, pair, want.cause)
				}
				if at := cmp.Or(x.Between, x.Second.Kernel); want.place != "" && at != want.place {
					t.Errorf("the wait is missing in %s, want %s", at, want.place)
				}
				if !x.First.Known || !x.Second.Known {
					t.Error("the threads are not known")
				}
			}
		})
	}
	if races := dependents(t, dir, app, cuda.DefaultTarget, "byStream", "racy"); len(races) > 0 {
		t.Errorf("a race of %s on a device whose launches do not overlap", races[0].First.Operation)
	}
}

// TestExpectedDependents runs a pair of programs whose kernels lack griddepcontrol altogether, as those for earlier
// devices do. The launch before the one that may overlap it is observed if the process's code shows that it can launch
// with attributes; if it hides that, or has executed many threads before, the race is missed, and the verdict is not
// clean.
func TestExpectedDependents(t *testing.T) {
	dir := libraries(t)
	const kernels, source = "testdata/dependents80.ptx", "testdata/dependents.c"
	device := cuda.Target{Major: 9}
	app := compile(t, source, dir, "cuda")
	hidden := compile(t, source, dir, "cuda", "-DHIDDEN", "-ldl")
	for _, c := range []struct {
		name, app, play, variant, verdict string
		races, left                       int
	}{
		{"racy", app, "serialised", "racy", report.Racy, 1, 0},
		{"right", app, "serialised", "right", report.Clean, 0, 0},
		{"hidden", hidden, "serialised", "racy", report.Unknown, 0, 1},
		{"hidden right", hidden, "serialised", "right", report.Clean, 0, 0},
		{"late", app, "late", "racy", report.Unknown, 0, 1},
		{"late right", app, "late", "right", report.Clean, 0, 0},
		{"late twice", app, "lateTwice", "racy", report.Racy, 1, 1},
	} {
		rep := dependentsOf(t, dir, c.app, device, kernels, c.play, c.variant)
		if rep.Verdict != c.verdict || len(rep.Races) != c.races {
			t.Errorf("%s: %s, %d races, want %s, %d", c.name, rep.Verdict, len(rep.Races), c.verdict, c.races)
		}
		for _, x := range rep.Races {
			if !x.First.Known || !x.Second.Known {
				t.Errorf("%s: the threads are not known", c.name)
			}
		}
		if len(rep.NotChecked) != c.left {
			t.Errorf("%s: not checked: %v", c.name, rep.NotChecked)
		}
	}
}

// dependents runs a variant of a program on a device, and returns its races.
func dependents(t *testing.T, dir, app string, device cuda.Target, name, variant string) []*report.Race {
	t.Helper()
	return dependentsOf(t, dir, app, device, "testdata/dependents.ptx", name, variant).Races
}

// dependentsOf is dependents for a file of kernels. It returns the report.
func dependentsOf(t *testing.T, dir, app string, device cuda.Target, kernels, name, variant string) *report.Report {
	t.Helper()
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	o := &cuda.Options{Detectors: detectors, Target: device, Note: func(text string) { t.Errorf("note %q", text) }}
	out, code, processes := runWith(t, o, dir, app, kernels, name, variant)
	if out != "done\n" || code != 0 {
		t.Errorf("%s %s: exit code %d\n%s", name, variant, code, out)
	}
	return processes[0].Report()
}

// TestDependentsOfRuntime runs a program of the runtime API whose PTX is for a device without overlaps. A static runtime
// has the function that launches with attributes in any case; the program calls it.
func TestDependentsOfRuntime(t *testing.T) {
	dir := libraries(t)
	nvcc, err := exec.LookPath("nvcc")
	if err != nil {
		t.Skip("the program is compiled by nvcc: ", err)
	}
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	for _, runtime := range []string{"static", "shared"} {
		app := filepath.Join(t.TempDir(), "app")
		args := []string{"-w", "-gencode", "arch=compute_80,code=compute_80", "-cudart", runtime, "-L" + dir, "-o", app, "testdata/dependents.cu"}
		if text, err := exec.Command(nvcc, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for variant, want := range map[string]int{"racy": 1, "right": 0} {
			out, code, processes := runWith(t, &cuda.Options{Detectors: detectors}, dir, app, variant)
			rep := processes[0].Report()
			if out != "done\n" || code != 0 || len(rep.Races) != want || len(rep.NotChecked) > 0 {
				t.Fatalf("%s %s: exit code %d, %d races, not checked: %v\n%s", runtime, variant, code, len(rep.Races), rep.NotChecked, out)
			}
			for _, x := range rep.Races {
				const hint = "no griddepcontrol in this module, of target sm_80: "
				if x.Cause != detect.MissingGridWait || !x.First.Known || !strings.HasPrefix(x.Hint, hint) {
					t.Errorf("%s: %s: %s", runtime, x.Cause, x.Hint)
				}
			}
		}
	}
}
