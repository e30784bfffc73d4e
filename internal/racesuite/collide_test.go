package racesuite

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	collideRuns    = flag.Int("collide.runs", 1, "random schedules of each case in TestCollideSuite")
	collideWrite   = flag.Bool("collide.write", false, "have TestCollideSuite look at the applications, too, and write its part of docs/generated/matrix.md")
	collideMore    = flag.String("collide.more", "", "further options of the detector in TestCollideCost, such as ,warm=0")
	collideOptions = flag.String("collide.Options", "", "options of the detector in TestCollideSuite, such as <rounds=16>")
)

// collided is what collide says of a case.
type collided struct {
	*Case
	space  string
	racy   bool
	silent bool   // see Case.silent
	found  int    // the schedules within which an expected race, or in a clean case an alarm, has shown: 1, 10 or all; 0 for none
	alarm  string // in a clean case
}

// collide explores a case under random schedules up to the first finding; nil if it is neither clean nor racy.
func (c *Case) collide(t *testing.T, runs int) *collided {
	t.Helper()
	s := c.File.Expect.Under("ptx")
	x := &collided{Case: c, space: s.Space, racy: s.Verdict == "racy"}
	if !x.racy {
		runs = min(runs, 20)
	}
	workers := 2
	if strings.HasPrefix(c.Category, "apps/") {
		workers, runs = 1, min(runs, 10) // some schedules of theirs take seconds
	}
	if s.Verdict != "clean" && !x.racy || x.space == "tensor" {
		return nil
	}
	for _, n := range []int{1, 10, runs} {
		if x.found > 0 || n > runs {
			break
		}
		e := c.Run(t, "collide"+*collideOptions).Exploration(session.Search{Name: "random", Runs: n}, workers)
		e.Enough = func(rep *report.Report) bool { return len(rep.Races)+len(rep.Faults) > 0 }
		rep, err := e.Run(t.Context())
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.Name(), err)
			return nil
		case !x.racy && len(rep.Races) > 0:
			r := rep.Races[0]
			x.found, x.alarm = n, fmt.Sprintf("lines %d and %d, %s", session.OwnPlace(&r.First).Line, session.OwnPlace(&r.Second).Line, r.Rule)
		case x.racy && slices.ContainsFunc(rep.Races, func(r *report.Race) bool { return expected(r, s) }):
			x.found = n
		}
	}
	return x
}

// TestCollideSuite: collide has no alarm where the model sees no race, and finds what accesses that overlap in time
// show. With -collide.runs 100 it measures what docs/detectors/collide.md says.
func TestCollideSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	cases := Micro(t)
	if *collideWrite {
		cases = append(cases, Applications(t)...)
	}
	racy, found, clean := make(map[string]int), make(map[string]int), 0
	var results []*collided
	for _, c := range cases {
		x := c.collide(t, *collideRuns)
		if x == nil {
			continue
		}
		results = append(results, x)
		switch {
		case x.alarm != "":
			t.Errorf("%s: a false alarm: %s", c.Name(), x.alarm)
		case !x.racy:
			clean++
			continue
		case x.found == 0 && *collideRuns > 10:
			t.Logf("not found: %s", c.Name())
		case x.found > 0:
			found[x.space]++
		}
		racy[x.space]++
		if *collideRuns > 10 {
			if x.silent = c.silent(t, c.File.Expect.Under("ptx")); x.silent {
				t.Logf("silent: %s", c.Name())
			}
		}
	}
	t.Logf("%d schedules%s: found %v of %v; %d clean cases without an alarm", *collideRuns, *collideOptions, found, racy, clean)
	if clean < 200 || found["shared"] < racy["shared"]/4 || found["global"] < racy["global"]/4 {
		t.Errorf("found %v of %v, %d clean", found, racy, clean)
	}
	if *collideWrite && !t.Failed() {
		writeCollide(t, results)
	}
}

// expected reports whether a race is an expected one, as far as its sides are known.
func expected(x *report.Race, s *launch.Semantics) bool {
	a, b := session.OwnPlace(&x.First).Line, session.OwnPlace(&x.Second).Line
	return slices.ContainsFunc(s.Lines, func(l [2]int) bool {
		return l == [2]int{min(a, b), max(a, b)} || a == 0 && (l[0] == b || l[1] == b)
	})
}

// TestCollideCost: what collide adds to the executed instructions of the suite's applications, in the size for
// measurements, stays within its budget. With -collide.runs above 1 it shows the budgets 1, 10 and 100.
func TestCollideCost(t *testing.T) {
	budgets := []int{10}
	if *collideRuns > 1 {
		budgets = []int{1, 10, 100}
	}
	cases := Resized(t, MiddleSize)
	var alone []float64
	for i, budget := range append([]int{0}, budgets...) {
		product, detector := 1.0, fmt.Sprintf("collide<budget=%d%s>", budget, *collideMore)
		for n, c := range cases {
			if i == 0 {
				alone = append(alone, instructions(t, c, ""))
				continue
			}
			ratio := instructions(t, c, detector) / alone[n]
			t.Logf("budget %d: %-60s %9.0f %.2fx", budget, c.Category, alone[n], ratio)
			product *= ratio
		}
		if i == 0 {
			continue
		}
		mean := math.Pow(product, 1/float64(len(cases)))
		t.Logf("budget %d: %.2fx in the geometric mean of %d applications", budget, mean, len(cases))
		if budget == 10 && mean > 1.3 {
			t.Errorf("budget 10: %.2f times as many instructions, expected 1.3 at most", mean)
		}
	}
}

// instructions returns the executed warp instructions of a correct application, with those that a detector inserts.
func instructions(t *testing.T, c *Case, detector string) float64 {
	t.Helper()
	rep := c.Run(t, detector).Play(t).Report()
	if len(rep.Races)+len(rep.Faults) > 0 {
		t.Errorf("%s: %d races and %d faults", c.Category, len(rep.Races), len(rep.Faults))
	}
	if detector != "" {
		return float64(rep.Stats.InstrumentedWarpInstructions)
	}
	return float64(rep.Stats.WarpInstructions)
}
