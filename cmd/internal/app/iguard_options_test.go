package app

import (
	"slices"
	"strings"
	"testing"
)

// iguardOptions are options of iguard beyond the paper, with the class of the note about the
// cases that it misses without them.
var iguardOptions = []struct{ class, racy, fixed string }{
	// The option does not affect neighbours in a word.
	{"Shared memory is not watched by default", "iguard<shared>", "iguard<shared,granularity=1>"},
	{"A fence orders without a flag", "iguard<edge>", "iguard<edge>"},
}

// TestIGuardOptions: with an option, iguard finds the races of the suite that its notes say
// it misses for want of it, and is wrong about none of their fixed variants.
func TestIGuardOptions(t *testing.T) {
	var notes []note
	readNotes(t, "iguard", &notes)
	cases := suite(t)
	for _, o := range iguardOptions {
		i := slices.IndexFunc(notes, func(n note) bool { return n.Class == o.class })
		if i < 0 {
			t.Fatalf("no note %q", o.class)
		}
		missed := slices.Concat(notes[i].Cases, notes[i].Chance)
		for _, c := range cases {
			switch {
			case slices.Contains(missed, c.name()):
				findsAll(t, c, o.racy)
			case slices.Contains(missed, strings.TrimSuffix(c.name(), "fixed")+"racy"):
				if out := judgeOne(t, c, o.fixed, matrixRuns[:2]); !out.right() {
					t.Errorf("%s, %s: false alarms %v, %v", o.fixed, c.name(), out.false, out.err)
				}
			}
		}
	}
}

// findsAll checks that a detector is right about a case, under all schedules of the matrix
// if a few do not show it.
func findsAll(t *testing.T, c *suiteCase, detector string) {
	t.Helper()
	all := c.runs()
	few := append(all[:3:3], all[len(all)-2:]...)
	out := judgeOne(t, c, detector, few)
	if !out.right() {
		out = judgeOne(t, c, detector, all)
	}
	if !out.right() {
		t.Errorf("%s, %s: %d of %d races, other pairs %v, other kinds or spaces %v, %v", detector, c.name(), out.pairs, out.want, out.false, out.other, out.err)
	}
}

func judgeOne(t *testing.T, c *suiteCase, detector string, runs []matrixRun) *cell {
	t.Helper()
	return c.judge(t, []string{detector}, runs)[detector]
}
