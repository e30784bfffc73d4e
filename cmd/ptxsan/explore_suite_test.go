package main

import (
	"context"
	"flag"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// exploration is set up as explore does it.
func (k *checker) exploration(s search, workers int) *exploration {
	app := cli.NewApp()
	app.Writer, app.ErrWriter = io.Discard, io.Discard
	k.exec.config.Depth, k.exec.config.Length = emu.DefaultDepth, emu.DefaultLength
	c := cli.NewContext(app, flag.NewFlagSet("explore", flag.ContinueOnError), nil)
	return &exploration{k: k, search: s, workers: workers, replay: &replayTokens{c: c}}
}

// shows reports whether a report has a finding that the semantics say is right.
func shows(rep *report.Report, s *launch.Semantics) bool {
	race := func(x *report.Race) bool {
		a, b := ownPlace(&x.First).Line, ownPlace(&x.Second).Line
		return slices.Contains(s.Lines, [2]int{min(a, b), max(a, b)})
	}
	fault := func(f *report.FaultEvent) bool { return f.Class == s.Fault }
	return slices.ContainsFunc(rep.Races, race) || slices.ContainsFunc(rep.Faults, fault)
}

// globalOnly are the detectors that do not look at shared memory.
var globalOnly = []string{"iguard", "scord"}

// TestExploreSuite: what shows under some schedules only is found within 200 schedules,
// and by the directed search within 10, by one of the detectors that can see it.
func TestExploreSuite(t *testing.T) {
	m := &matrix{notes: make(map[string][]note)}
	for _, d := range allDetectors() {
		var list []note
		readNotes(t, d, &list)
		m.notes[d] = list
	}
	tried := 0
	for _, c := range suite(t) {
		for _, name := range launch.SemanticsNames {
			s := c.file.Expect.Under(name)
			able := slices.DeleteFunc(allDetectors(), func(d string) bool {
				return semanticsOf(d) != name || m.noteOf(d, c) > 0 && !m.byChance(d, c) || s.Space == "shared" && slices.Contains(globalOnly, d)
			})
			if s.Schedule != "some" || len(able) == 0 {
				continue
			}
			tried++
			for _, how := range []search{{name: "mixed", runs: 200}, {name: "directed", runs: 10}} {
				found := slices.ContainsFunc(able, func(d string) bool {
					e := c.checker(t, d).exploration(how, 2)
					e.enough = func(rep *report.Report) bool { return shows(rep, s) }
					rep, err := e.run(context.Background())
					if err != nil {
						t.Fatal(err)
					}
					return shows(rep, s)
				})
				if !found {
					t.Errorf("%s, %s: no race found by %s with %v in %d schedules", c.name(), name, how.name, able, how.runs)
				}
			}
		}
	}
	if tried < 5 {
		t.Errorf("only %d cases tried", tried)
	}
}

// TestExploreWorkers: the report does not depend on the number of workers.
func TestExploreWorkers(t *testing.T) {
	for _, c := range suite(t) {
		if c.name() != "lock/one-no-release-fence-racy" {
			continue
		}
		for _, how := range []search{{name: "mixed", runs: 40}, {name: "exhaustive", runs: 100}} {
			var reports []*report.Report
			for workers := 1; workers <= 3; workers++ {
				rep, err := c.checker(t, "scord").exploration(how, workers).run(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				reports = append(reports, rep)
			}
			if len(reports[0].Races) == 0 || !reflect.DeepEqual(reports[0], reports[1]) || !reflect.DeepEqual(reports[0], reports[2]) {
				t.Errorf("%s: the reports differ", how.name)
			}
		}
	}
}
