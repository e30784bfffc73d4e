package racesuite

import (
	"flag"
	"slices"
	"testing"
)

var (
	seeds         = flag.Int("seeds", 0, "random schedules under which TestSeeds runs the whole race suite")
	seedsDetector = flag.String("seeds-detector", "iguard", "the detector that TestSeeds judges, with its options")
)

// fewSeeds is the number of schedules of TestSeeds by default.
const fewSeeds = 1

// TestSeeds tests that under any schedule, a detector reports no race of a fixed kernel, and of a racy one only the
// pairs that race. On request, it also runs the applications, and then requires that each of the pairs is found under
// some schedule. It skips cases that the detector's notes explain.
func TestSeeds(t *testing.T) {
	name := withoutOptions(*seedsDetector)
	var notes []note
	readNotes(t, name, &notes)
	m := &matrix{cases: Micro(t), notes: map[string][]note{name: notes}}
	n := fewSeeds
	if *seeds > 0 {
		n, m.apps = *seeds, Applications(t)
	}
	var runs []matrixRun
	for i := range n {
		runs = append(runs, matrixRun{"random", uint64(100 + i)})
	}
	cases := slices.DeleteFunc(m.all(), func(c *Case) bool {
		return m.noteOf(name, c) > 0 || *seeds == 0 && c.Variant != "fixed"
	})
	if *seeds == 0 {
		cases = sampled(cases)
	}
	pairs, found := 0, 0
	for _, c := range cases {
		got := c.judge(t, []string{*seedsDetector}, runs)[*seedsDetector]
		pairs, found = pairs+got.want, found+got.pairs
		if got.err != nil || len(got.false) > 0 || *seeds > 0 && !got.right() {
			t.Errorf("%s: %s", c.Name(), got.text())
		}
	}
	t.Logf("%s: %d kernels under %d schedules, %d of %d pairs found, each kernel without a false alarm unless reported above", *seedsDetector, len(cases), n, found, pairs)
}
