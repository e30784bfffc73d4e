package main

import (
	"flag"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	collideRuns    = flag.Int("collide.runs", 1, "random schedules of each case in TestCollideSuite")
	collideOptions = flag.String("collide.options", "", "options of the detector in TestCollideSuite, such as <rounds=16>")
)

// TestCollideSuite: collide has no alarm where the model sees no race, and finds what accesses that overlap in time show. With
// -collide.runs 100 it measures what docs/detectors/collide.md says.
func TestCollideSuite(t *testing.T) {
	racy, found, clean := make(map[string]int), make(map[string]int), 0
	for _, c := range suite(t) {
		s := c.file.Expect.Under("ptx")
		runs := *collideRuns
		if s.Verdict == "clean" {
			runs = min(runs, 20)
		}
		e := c.tested(t, "collide"+*collideOptions).exploration(session.Search{Name: "random", Runs: runs}, 2)
		e.Enough = func(rep *report.Report) bool { return len(rep.Races)+len(rep.Faults) > 0 }
		rep, err := e.Run(t.Context())
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.name(), err)
		case s.Verdict == "clean":
			if clean++; len(rep.Races) > 0 {
				x := rep.Races[0]
				t.Errorf("%s: a false alarm: lines %d and %d, %s", c.name(), session.OwnPlace(&x.First).Line, session.OwnPlace(&x.Second).Line, x.Rule)
			}
		case s.Verdict == "racy":
			if racy[s.Space]++; slices.ContainsFunc(rep.Races, func(x *report.Race) bool { return collided(x, s) }) {
				found[s.Space]++
			} else if *collideRuns > 10 {
				t.Logf("not found: %s", c.name())
			}
		}
	}
	t.Logf("%d schedules%s: found %v of %v; %d clean cases without an alarm", *collideRuns, *collideOptions, found, racy, clean)
	if clean < 200 || found["shared"] < racy["shared"]/10 || found["global"] < racy["global"]/10 {
		t.Errorf("found %v of %v, %d clean", found, racy, clean)
	}
}

// collided reports whether a race is an expected one, as far as its sides are known.
func collided(x *report.Race, s *launch.Semantics) bool {
	a, b := session.OwnPlace(&x.First).Line, session.OwnPlace(&x.Second).Line
	return slices.ContainsFunc(s.Lines, func(l [2]int) bool {
		return l == [2]int{min(a, b), max(a, b)} || a == 0 && (l[0] == b || l[1] == b)
	})
}
