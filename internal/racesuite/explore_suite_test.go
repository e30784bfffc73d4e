package racesuite

import (
	"context"
	"flag"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// shows reports whether a report has a finding that the semantics say is right.
func shows(rep *report.Report, s *launch.Semantics) bool {
	race := func(x *report.Race) bool {
		a, b := session.OwnPlace(&x.First).Line, session.OwnPlace(&x.Second).Line
		return slices.Contains(s.Lines, [2]int{min(a, b), max(a, b)})
	}
	fault := func(f *report.FaultEvent) bool { return f.Class == s.Fault }
	return slices.ContainsFunc(rep.Races, race) || slices.ContainsFunc(rep.Faults, fault)
}

// globalOnly are the detectors that do not look at shared memory.
var globalOnly = []string{"iguard", "scord"}

var exploreApps = flag.Bool("explore-apps", false, "TestExploreSuite searches the applications of the race suite, too")

// TestExploreSuite: what shows under some schedules only is found within 200 schedules,
// and by the directed search within 10: by precise, and by one of the papers' detectors if any of them
// can see it.
func TestExploreSuite(t *testing.T) {
	m := &matrix{cases: Micro(t), notes: make(map[string][]note)}
	for _, d := range Detectors() {
		var list []note
		readNotes(t, d, &list)
		m.notes[d] = list
	}
	if *exploreApps {
		m.apps = Applications(t)
	}
	most := make(map[string]int)
	tried := 0
	for _, c := range m.all() {
		for _, name := range launch.SemanticsNames {
			s := c.File.Expect.Under(name)
			if s.Verdict == "clean" || s.Schedule != "some" && !strings.HasPrefix(c.Category, "apps/") {
				continue
			}
			tried++
			for _, how := range []session.Search{{Name: "mixed", Runs: 200}, {Name: "directed", Runs: 10}} {
				n := c.needs(t, "precise<model="+name+">", how, s)
				if n == 0 {
					t.Errorf("%s, %s: no race found by %s with precise in %d schedules", c.Name(), name, how.Name, how.Runs)
				}
				t.Logf("%s, %s, %s: %d", c.Name(), name, how.Name, n)
				most[how.Name] = max(most[how.Name], n)
				able := m.able(c, s)
				if len(able) > 0 && !slices.ContainsFunc(able, func(d string) bool { return c.needs(t, d, how, s) > 0 }) {
					t.Errorf("%s, %s: no race found by %s with %v in %d schedules", c.Name(), name, how.Name, able, how.Runs)
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d cases tried", tried)
	}
	t.Logf("%d races; schedules needed at most: %v", tried, most)
}

// needs is after how many schedules a detector has found a race of a case, 0 when it has
// not. Some schedules of the applications take a minute: none is begun before it is needed.
func (c *Case) needs(t *testing.T, detector string, how session.Search, s *launch.Semantics) int {
	t.Helper()
	workers := 2
	if strings.HasPrefix(c.Category, "apps/") {
		workers = 1
	}
	e := c.Run(t, detector).Exploration(how, workers)
	e.Enough = func(rep *report.Report) bool { return shows(rep, s) }
	rep, err := e.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !shows(rep, s) {
		return 0
	}
	return rep.Exploration.Schedules
}

// able returns the papers' detectors that can see the race of a small case.
func (m *matrix) able(c *Case, s *launch.Semantics) []string {
	if s.Name != "scor" || strings.HasPrefix(c.Category, "apps/") {
		return nil
	}
	return slices.DeleteFunc(Detectors(), func(d string) bool {
		return semanticsOf(d) != s.Name || m.noteOf(d, c) > 0 && !m.byChance(d, c) || s.Space == "shared" && slices.Contains(globalOnly, d)
	})
}

// TestExploreWorkers: the report does not depend on the number of workers.
func TestExploreWorkers(t *testing.T) {
	for _, c := range Micro(t) {
		if c.Name() != "lock/one-no-release-fence-racy" {
			continue
		}
		for _, how := range []session.Search{{Name: "mixed", Runs: 40}, {Name: "exhaustive", Runs: 100}} {
			var reports []*report.Report
			for workers := 1; workers <= 3; workers++ {
				rep, err := c.Run(t, "scord").Exploration(how, workers).Run(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				reports = append(reports, rep)
			}
			if len(reports[0].Races) == 0 || !reflect.DeepEqual(reports[0], reports[1]) || !reflect.DeepEqual(reports[0], reports[2]) {
				t.Errorf("%s: the reports differ", how.Name)
			}
		}
	}
}
