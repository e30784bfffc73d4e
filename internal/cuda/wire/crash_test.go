//go:build linux

// Programs that a signal ends.

package wire_test

import (
	"strings"
	"testing"
)

// TestCrash: a program that its own code ends by a signal ends by that signal, and the report says where, and in which call. One
// with a handler of its own goes on.
func TestCrash(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/crash.c", dir, "cudart", "-g")
	for _, c := range []struct {
		how, want string
		code      int
	}{
		{"store", "signal 11 (segmentation fault) at crash.c:18:", 139},
		{"abort", "signal 6 (aborted) at crash.c:32:", 134},
		{"stack", "signal 11 (segmentation fault) at crash.c:", 139},
		{"write", "signal 11 (segmentation fault) in cudaMemcpy at crash.c:36:", 139},
		{"read", "signal 11 (segmentation fault) in cudaMemcpy at crash.c:38:", 139},
		{"read much", "signal 11 (segmentation fault) in cudaMemcpy at crash.c:40:", 139},
		{"raise", "signal 8 (floating point exception) at crash.c:42:", 136},
		{"handle", "", 7},
	} {
		_, code, notes, processes := run(t, dir, app, c.how)
		if code != c.code || len(notes) != 0 || len(processes) != 1 {
			t.Errorf("%s: exit code %d, notes %q, %d processes; want %d", c.how, code, notes, len(processes), c.code)
			continue
		}
		left := processes[0].Report().NotChecked
		if c.want == "" && len(left) != 0 || c.want != "" && (len(left) != 1 || !strings.HasPrefix(left[0].Why, "the application was ended by "+c.want)) {
			t.Errorf("%s: not checked: %+v", c.how, left)
		}
	}
}
