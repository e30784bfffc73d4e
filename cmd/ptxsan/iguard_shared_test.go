package main

import (
	"strings"
	"testing"
)

// sharedNote is the class of the note about the cases that iguard misses because it does not
// watch shared memory unless told to.
const sharedNote = "Shared memory is not watched by default"

// TestIGuardShared: with the option shared, iguard finds the races of the suite that its
// notes say it misses for want of it, and is wrong about none of their fixed variants.
func TestIGuardShared(t *testing.T) {
	var notes []note
	readNotes(t, "iguard", &notes)
	missed, fixed := map[string]bool{}, map[string]bool{}
	for _, n := range notes {
		if n.Class != sharedNote {
			continue
		}
		for _, name := range n.Cases {
			missed[name] = true
			fixed[strings.TrimSuffix(name, "racy")+"fixed"] = true
		}
	}
	runs := append(matrixRuns[:4:4], matrixRuns[len(matrixRuns)-3:]...)
	for _, c := range suite(t) {
		switch {
		case missed[c.name()]:
			out := judgeOne(t, c, "iguard<shared>", runs)
			if !out.right() { // some races need a schedule that is rarer
				out = judgeOne(t, c, "iguard<shared>", matrixRuns)
			}
			if !out.right() {
				t.Errorf("%s: %d of %d races, other pairs %v, other kinds or spaces %v, %v", c.name(), out.pairs, out.want, out.false, out.other, out.err)
			}
		case fixed[c.name()]:
			// Neighbours in a word are not what this is about.
			if out := judgeOne(t, c, "iguard<shared,granularity=1>", runs[:2]); !out.right() {
				t.Errorf("%s: false alarms %v, %v", c.name(), out.false, out.err)
			}
		}
	}
}

func judgeOne(t *testing.T, c *suiteCase, detector string, runs []matrixRun) *cell {
	t.Helper()
	return c.judge(t, []string{detector}, runs)[detector]
}
