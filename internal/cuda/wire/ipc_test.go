//go:build linux

// Memory that processes share, and processes that end early.

package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestIPC runs a program whose processes share memory. With an argument, the child is killed after a race, which is in
// its report.
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
		}
		if races != c.more {
			t.Errorf("%v: %d races, want %d", c.args, races, c.more)
		}
	}
}

// TestKilled: a kernel ends with its process, and the report says that it has not been checked to its end.
func TestKilled(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/forever.c", dir, "cuda")
	_, code, _, processes := run(t, dir, app, "testdata/forever.ptx")
	const alarmed = 128 + 14
	if code != alarmed || len(processes) != 1 {
		t.Fatalf("exit code %d and %d processes, want %d and 1", code, len(processes), alarmed)
	}
	if left := processes[0].Report().NotChecked; len(left) != 1 || left[0].Kernel != "forever" || !strings.Contains(left[0].Why, "ended before its end") {
		t.Errorf("not checked: %+v", left)
	}
}

// TestRanks: of processes that run at the same time, each has its findings, those that crash too, and one report names
// their programs.
func TestRanks(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/driver.c", dir, "cuda")
	line := app + " testdata/driver.ptx"
	_, code, _, processes := run(t, dir, "sh", "-c", line+" & "+line+" abort & "+line+" & wait; exit 6")
	if code != 6 || len(processes) != 6 {
		t.Fatalf("exit code %d, %d processes", code, len(processes))
	}
	rep := processes[0].Report()
	for _, p := range processes[1:] {
		rep.Merge(p.Report())
	}
	rep.Finish()
	var programs []string
	for _, x := range rep.Races {
		programs = append(programs, x.Programs...)
	}
	slices.Sort(programs)
	if want := []string{line, line + " abort"}; !slices.Equal(slices.Compact(programs), want) || len(rep.Faults) == 0 {
		t.Errorf("races of %q, %d faults, want those of %q", programs, len(rep.Faults), want)
	}
}
