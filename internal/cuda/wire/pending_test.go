//go:build linux

// Kernels that wait for the host, which goes on while they run.

package wire_test

import (
	"slices"
	"strings"
	"testing"
)

// TestPersistent runs a program with a kernel that answers requests of the host.
func TestPersistent(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/persistent.c", dir, "cuda", "-g", "-pthread")
	for _, c := range []struct {
		how           string
		lines, faults int
		races         bool
	}{
		{"pinned", 9, 0, false},
		{"copies", 1, 0, true}, // in a stream that has no order with that of the kernel
		{"thread", 1, 0, false},
		{"never", 2, 1, false},
		{"kernel", 3, 0, false},
	} {
		t.Run(c.how, func(t *testing.T) {
			out, code, notes, processes := run(t, dir, app, "testdata/persistent.ptx", c.how)
			allRight(t, out, code, c.lines)
			rep := processes[0].Report()
			if len(notes) > 0 || len(rep.Faults) != c.faults || len(rep.Races) > 0 != c.races {
				t.Errorf("notes %q, %d races and faults %v", notes, len(rep.Races), rep.Faults)
			}
			if c.faults > 0 && (len(rep.Faults) != c.faults || rep.Faults[0].Class != "livelock") {
				t.Errorf("faults %+v, want a livelock", rep.Faults)
			}
		})
	}
}

// TestStreamValues runs a program in which a stream waits for a value that is written later.
func TestStreamValues(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/values.c", dir, "cuda")
	for how, lines := range map[string]int{"host": 3, "stream": 3, "never": 2} {
		t.Run(how, func(t *testing.T) {
			out, code, notes, processes := run(t, dir, app, "testdata/persistent.ptx", how)
			allRight(t, out, code, lines)
			rep := processes[0].Report()
			if len(notes) > 0 || len(rep.Faults) > 0 || len(rep.Races) > 0 {
				t.Errorf("notes %q, faults %v and races %v", notes, rep.Faults, rep.Races)
			}
			given := slices.ContainsFunc(rep.Notes, func(n string) bool {
				return strings.HasPrefix(n, "not checked: the order of streams: one waited for a value")
			})
			if given != (how == "never") {
				t.Errorf("notes of the report: %q", rep.Notes)
			}
		})
	}
}
