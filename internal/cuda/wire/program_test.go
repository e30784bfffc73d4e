//go:build linux

// The names of an application's programs in reports.

package wire_test

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestPrograms: a finding names the program that showed it if the application started it, and the test whose command it
// is.
func TestPrograms(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/driver.c", dir, "cuda")
	ptx, err := filepath.Abs("testdata/driver.ptx")
	if err != nil {
		t.Fatal(err)
	}
	ctest := cc(t, "ctest", "testdata/ctest.c")
	t.Chdir(t.TempDir())
	command := app + " " + ptx
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{app, ptx}, nil},
		{[]string{"sh", "-c", command + "; true"}, []string{command}},
		{[]string{ctest, app, ptx}, []string{"test sums: " + command}},
	} {
		_, _, _, processes := run(t, dir, c.args...)
		if len(processes) != 2 {
			t.Fatalf("%v: %d processes", c.args, len(processes))
		}
		rep := processes[1].Report()
		rep.Merge(rep) // names are listed once
		if len(rep.Races) != 1 || len(rep.Faults) != 1 || !slices.Equal(rep.Races[0].Programs, c.want) || !slices.Equal(rep.Faults[0].Programs, c.want) {
			t.Errorf("%v: %+v and %+v, want %q", c.args, rep.Races, rep.Faults, c.want)
		}
	}
}
