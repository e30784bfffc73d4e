// Runs of litmus tests, and what they show.

package emulated

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/ptxsan/ptxsan/internal/litmus"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Options say how a test is run.
type Options struct {
	Search  string // chooses the executions, a name of session.SearchNames; "" for exhaustive
	Runs    int    // maximum number of executions, 0 for session.DefaultExhaustive
	Workers int    // goroutines, 0 for one per processor
	// Session are the options of each execution, without detectors.
	Session session.Options
}

// Result is what the executions of a test have shown.
type Result struct {
	Test       *litmus.Test
	States     []State
	Faults     []Fault
	Races      []Race
	Executions int
	// Complete says that there are no other states and races; Limits say why not.
	Complete bool
	Limits   []string
}

// State is a final state.
type State struct {
	Values     litmus.State
	Counts     bool // it satisfies the test's filter
	Satisfies  bool // the test's condition
	Executions int
}

// Fault is a way in which executions ended without a final state, such as a barrier that waits for ever.
type Fault struct {
	Class, Message string
	Executions     int
}

// Race is a race between two accesses of the test.
type Race struct {
	Cause, Kind, Severity string
	First, Second         Access
}

// Access is a side of a race.
type Access struct {
	Thread      *litmus.Thread
	Instruction *litmus.Instruction
}

// Late returns the result of a test of which no execution has ended when the time of the context was over.
func Late(ctx context.Context, t *litmus.Test) *Result {
	return &Result{Test: t, Limits: []string{lateText(ctx)}}
}

func lateText(ctx context.Context) string {
	return "the time allowed is over, " + session.Ended(ctx).Error()
}

// Run runs all executions of a test. If the time of the context is over before, the result is that of the executions
// that have ended. Errors are those of Kernel and of the session.
func Run(ctx context.Context, t *litmus.Test, o Options) (*Result, error) {
	k, err := t.Kernel()
	if err != nil {
		return nil, err
	}
	e, err := exploration(k, o)
	if err != nil {
		return nil, fmt.Errorf("%s: the kernel of the test: %w", t.Name, err)
	}
	rep, err := e.Run(ctx)
	late := err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded)
	switch {
	case late && rep == nil:
		return Late(ctx, t), nil
	case err != nil && !late:
		return nil, err
	}
	x := rep.Exploration
	r := &Result{Test: t, Executions: x.Schedules, Complete: x.Complete, Limits: x.Limits}
	if late {
		r.Limits = []string{lateText(ctx)}
	}
	if err = r.outcomes(k, rep); err != nil {
		return nil, err
	}
	r.races(k, rep)
	return r, nil
}

// Holds reports whether the test's condition holds for the states that were found.
func (r *Result) Holds() bool {
	var states []litmus.State
	for _, s := range r.States {
		states = append(states, s.Values)
	}
	return r.Test.Condition.Holds(states)
}

// exploration returns the exploration of a kernel.
func exploration(k *litmus.Kernel, o Options) (*session.Exploration, error) {
	program, err := session.Parse("litmus.ptx", []byte(k.PTX))
	if err != nil {
		return nil, err
	}
	file, err := launch.Parse("litmus.yaml", []byte(k.Launch), launch.Options{})
	if err != nil {
		return nil, err
	}
	plan, err := session.NewPlan(program, file, 0)
	if err != nil {
		return nil, err
	}
	e := &session.Exploration{
		Options: o.Session, Scenario: plan, Workers: o.Workers, RacesOnly: true,
		Search: session.Search{Name: cmp.Or(o.Search, "exhaustive"), Runs: cmp.Or(o.Runs, session.DefaultExhaustive)},
	}
	for _, name := range k.Buffers() {
		e.Outcomes = append(e.Outcomes, file.Buffer(name))
	}
	e.Options.Detectors, err = session.ParseDetectors("precise")
	return e, err
}

// outcomes reads the final states and faults of a report.
func (r *Result) outcomes(k *litmus.Kernel, rep *report.Report) error {
	for _, o := range rep.Exploration.Outcomes {
		if o.Fault != "" {
			f := Fault{Class: o.Fault, Executions: o.Schedules}
			for _, x := range rep.Faults {
				if x.Class == o.Fault && f.Message == "" {
					f.Message = x.Message
				}
			}
			r.Faults = append(r.Faults, f)
			continue
		}
		buffers := map[string][]int64{}
		for _, b := range o.Buffers {
			for _, text := range b.Values {
				v, err := strconv.ParseInt(text, 10, 64)
				if err != nil {
					return fmt.Errorf("buffer %s: %w", b.Name, err)
				}
				buffers[b.Name] = append(buffers[b.Name], v)
			}
		}
		s := State{Values: k.State(func(name string) []int64 { return buffers[name] }), Executions: o.Schedules}
		s.Counts, s.Satisfies = r.Test.Condition.Counts(s.Values), r.Test.Condition.Satisfied(s.Values)
		r.States = append(r.States, s)
	}
	return nil
}

// races reads the races of a report: those of two accesses of the test, each once.
func (r *Result) races(k *litmus.Kernel, rep *report.Report) {
	for _, x := range rep.Races {
		race := Race{
			Cause: string(x.Cause), Kind: string(x.Kind), Severity: x.Severity, First: accessOf(k, &x.First),
			Second: accessOf(k, &x.Second),
		}
		if !slices.Contains(r.Races, race) {
			r.Races = append(r.Races, race)
		}
	}
}

func accessOf(k *litmus.Kernel, a *report.Access) Access {
	return Access{k.Thread(int(a.Block[0]), int(a.Thread[0])), k.Lines[a.PTX.Line]}
}
