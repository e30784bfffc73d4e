// Runs: a program with its launch file and detectors, set up as the command check does it.

package racesuite

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// A Run is the plan of a program, and the options of the sessions that play it.
type Run struct {
	Plan    *session.Plan
	Options session.Options
}

// NewRun returns a run of a program with detectors, without any for "".
func NewRun(t testing.TB, p *session.Program, file *launch.File, detectors string) *Run {
	t.Helper()
	plan, err := session.NewPlan(p, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := &Run{Plan: plan}
	if detectors == "" {
		return r
	}
	if r.Options.Detectors, err = session.ParseDetectors(detectors); err != nil {
		t.Fatal(err)
	}
	return r
}

// Under chooses the schedule.
func (r *Run) Under(schedule string, seed uint64) *Run {
	r.Options.Emulator.Policy, r.Options.Emulator.Seed = session.PolicyNamed(schedule), seed
	return r
}

// Open opens a session of the run.
func (r *Run) Open(t testing.TB) *session.Session {
	t.Helper()
	s, err := session.Open(r.Options)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Check plays the plan and compares the results with the launch file's expectations.
func (r *Run) Check(t testing.TB) *report.Report {
	t.Helper()
	rep, err := r.Plan.Check(context.Background(), r.Open(t))
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// Play plays the plan and returns the session as it is then.
func (r *Run) Play(t testing.TB) *session.Session {
	t.Helper()
	s := r.Open(t)
	if err := r.Plan.Play(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Exploration returns a search over schedules, set up as the command explore does it.
func (r *Run) Exploration(search session.Search, workers int) *session.Exploration {
	r.Options.Emulator.Depth, r.Options.Emulator.Length = emu.DefaultDepth, emu.DefaultLength
	return &session.Exploration{Options: r.Options, Scenario: r.Plan, Search: search, Workers: workers}
}

// Bytes returns the contents of a buffer.
func Bytes(t testing.TB, s *session.Session, b *launch.Buffer) []byte {
	t.Helper()
	p := make([]byte, b.Size())
	if err := s.Object(b.Name).Read(0, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// Detectors returns the detectors that are judged by single runs: all but collide, whose findings are a matter of chance.
func Detectors() []string {
	return slices.DeleteFunc(session.DetectorNames(), func(name string) bool { return name == "collide" })
}

// LinePair names two lines, whatever their order.
func LinePair(a, b int) string { return fmt.Sprintf("[%d,%d]", min(a, b), max(a, b)) }

// RaceFacts holds the fields of a race that do not depend on how it was observed: directly or in a saved trace, with
// all accesses or without those that cannot race.
type RaceFacts struct {
	Kind          detect.Kind
	Cause         detect.Cause
	Rule          string
	Address       report.Hex
	Count         uint64
	First, Second report.Access
}

// Facts returns those of a report's races, in order.
func Facts(rep *report.Report) (out []RaceFacts) {
	for _, x := range rep.Races {
		out = append(out, RaceFacts{x.Kind, x.Cause, x.Rule, x.Address, x.Count, x.First, x.Second})
	}
	for i := range out { // callers of code from headers are guessed from the program
		out[i].First.Source, out[i].Second.Source = nil, nil
	}
	return out
}
