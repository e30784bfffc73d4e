// Executions of launch files under the detector precise: once, or under several schedules.

package analysis

import (
	"context"
	"errors"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// execute checks the program with the text of a launch file, under the default schedule.
func (out *Outcome) execute(ctx context.Context, text string, cfg emu.Config) (*report.Report, error) {
	file, err := parse(text)
	if err != nil {
		return unsupported(err)
	}
	return out.check(ctx, file, cfg)
}

// check checks the program with a launch file under the default schedule.
func (out *Outcome) check(ctx context.Context, file *launch.File, cfg emu.Config) (*report.Report, error) {
	return out.planned(file, cfg, func(o session.Options, plan *session.Plan) (*report.Report, error) {
		s, err := session.Open(o)
		if err != nil {
			return nil, err
		}
		rep, err := plan.Check(ctx, s)
		if wrong := s.Close(); err == nil {
			err = wrong
		}
		return rep, err
	})
}

// explore checks the program with the text of a launch file under several schedules, until enough returns true.
func (out *Outcome) explore(ctx context.Context, text string, cfg emu.Config,
	enough func(*report.Report) bool,
) (*report.Report, error) {
	file, err := parse(text)
	if err != nil {
		return unsupported(err)
	}
	return out.planned(file, cfg, func(o session.Options, plan *session.Plan) (*report.Report, error) {
		return exploration(o, plan, enough).Run(ctx)
	})
}

// exploredRuns is the number of schedules of an exploration.
const exploredRuns = 8

// exploration returns an exploration that also ends when a run is disqualified or reaches the limit on steps: further
// runs would cost as much.
func exploration(o session.Options, plan *session.Plan, enough func(*report.Report) bool) *session.Exploration {
	o.Claims = true
	return &session.Exploration{
		Options: o, Scenario: plan, Search: session.Search{Name: session.SearchNames[0], Runs: exploredRuns},
		Enough: func(rep *report.Report) bool { return disqualifies(rep) != nil || costly(rep) || enough(rep) },
	}
}

func parse(text string) (*launch.File, error) {
	file, err := launch.Parse("witness.yaml", []byte(text), launch.Options{})
	if errors.Is(err, launch.ErrTooLarge) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("BUG: the launch file of a witness: %w", err)
	}
	return file, nil
}

// planned calls run with the plan of a launch file. If the launch cannot be executed, it returns a report with the
// fault "unsupported".
func (out *Outcome) planned(file *launch.File, cfg emu.Config,
	run func(session.Options, *session.Plan) (*report.Report, error),
) (*report.Report, error) {
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		return nil, err
	}
	plan, err := session.NewPlan(out.prog, file, cfg.MaxSteps)
	if err == nil {
		var rep *report.Report
		if rep, err = run(session.Options{Detectors: detectors, Emulator: cfg}, plan); err == nil {
			return rep, nil
		}
	}
	return unsupported(err)
}

// unsupported returns a report about a launch that cannot be executed, because its buffers take too much memory or some
// operation is not emulated. It returns other errors unchanged.
func unsupported(err error) (*report.Report, error) {
	if input := (*session.InputError)(nil); errors.As(err, &input) || errors.Is(err, launch.ErrTooLarge) {
		return &report.Report{Faults: []*report.FaultEvent{{Class: "unsupported", Message: err.Error()}}}, nil
	}
	return nil, err
}
