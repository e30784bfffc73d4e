//go:build linux

// Memory pools and peers.

package wire_test

import "testing"

// TestPools runs a program that allocates from memory pools and copies between peers.
func TestPools(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/pool.c", dir, "cudart", "-lcuda")
	out, code, notes, processes := run(t, dir, app, "")
	allRight(t, out, code, 44)
	if len(notes) != 0 || len(processes) != 1 {
		t.Fatalf("notes %q and %d processes, want none and 1", notes, len(processes))
	}
	if rep := processes[0].Report(); len(rep.Races)+len(rep.Faults) != 0 {
		t.Errorf("races %+v, faults %+v, want none", rep.Races, rep.Faults)
	}
}
