package scord

import (
	"strings"
	"testing"
)

// What the paper's rules say of correct programs: the traces of docs/detectors/scord.md,
// each with the least change that makes it pass.

// Five lanes of a warp take a lock of their own each, one after the other.
const lanesLocks = "b0w0.0 cas.cta L; b0w0.0 fence.cta; b0w0.1 cas.cta M; b0w0.2 cas.cta N; b0w0.3 cas.cta O; "

// Lane 0 goes on, and another warp takes its lock after it.
const handOver = "b0w0.0 st X; b0w0.0 fence.cta; b0w0.0 exch.cta L; b0w1.0 cas.cta L; b0w1.0 fence.cta; b0w1.0 ld X"

// TestForced: a trace and the condition of Table IV that it breaks, though nothing
// in it races. L and the word M196 have the same hash of six bits, M192 another.
func TestForced(t *testing.T) {
	lockValues := DefaultOptions()
	lockValues.LockValues = true
	exchange := func(word string) string {
		return "b0w0 cas.cta L 0>1; b0w0 fence.cta; b0w0 exch.cta " + word + " 0>7; b0w0 atom.cta X; b0w0 fence.cta; b0w0 exch.cta L 1>0; " +
			"b0w1 cas.cta L 0>1; b0w1 fence.cta; b0w1 ld X"
	}
	fences := func(n int) string {
		return "b0w0 st X; " + strings.Repeat("b0w0 fence.gpu; ", n) + "b0w0 exch F; b1w0 atom F; b1w0 ld X"
	}
	for name, c := range map[string]struct {
		opts          Options
		history, want string
	}{
		"exchange of a word with the lock's hash": {DefaultOptions(), exchange("M196"), "e"},
		"exchange of a word with another hash":    {DefaultOptions(), exchange("M192"), ""},
		"locks told by values":                    {lockValues, exchange("M196"), ""},
		"five locks of a warp":                    {DefaultOptions(), lanesLocks + "b0w0.4 cas.cta P; " + handOver, "e"},
		"four locks of a warp":                    {DefaultOptions(), lanesLocks + handOver, ""},
		"64 fences":                               {DefaultOptions(), fences(64), "b"},
		"63 fences":                               {DefaultOptions(), fences(63), ""},
		"65 fences":                               {DefaultOptions(), fences(65), ""},
		"128 fences":                              {DefaultOptions(), fences(128), "b"},
	} {
		if got := play(t, c.opts, c.history); got != c.want {
			t.Errorf("%s: rules %q, expected %q", name, got, c.want)
		}
	}
}
