// What the verdict about a launch of a launch file holds for: found out by one run of the file.

package analysis

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// LaunchAt returns the index of the launch at a place of a launch file, or -1.
func LaunchAt(file *launch.File, site string) int {
	if file == nil {
		return -1
	}
	return slices.IndexFunc(file.Launches, func(l launch.Launch) bool {
		return site == (facts.Pos{File: l.Pos.File, Line: l.Pos.Line, Col: l.Pos.Col}).String()
	})
}

// Claim runs a launch of a launch file once, after those before it in the file. If no launch has a race, and the run
// shows that none has one in any other schedule, the result is what that holds for; otherwise it is nil. What earlier
// launches leave in memory is thus the same in every schedule.
func Claim(ctx context.Context, p *session.Program, file *launch.File, launch int) (*report.Holds, error) {
	if !small(file) {
		return nil, nil
	}
	out := &Outcome{prog: p}
	rep, err := out.planned(file, emu.Config{MaxSteps: triedSteps},
		func(o session.Options, plan *session.Plan) (*report.Report, error) {
			plan.Launches = plan.Launches[:launch+1]
			return exploration(o, plan, func(*report.Report) bool { return true }).Run(ctx)
		})
	if err != nil {
		return nil, err
	}
	return holdsFor(rep), nil
}

// holdsFor returns what the verdict of an exploration holds for, nil unless one run of it stands for every schedule.
func holdsFor(rep *report.Report) *report.Holds {
	h := rep.Weakest()
	if rep.Exploration == nil || !rep.Exploration.Claimed || h == nil || h.Schedules != report.EverySchedule {
		return nil
	}
	return h
}

// prove makes the undecided pairs of a launch of a launch file clean if an exploration of it stopped after one run, since
// that stands for all schedules. An exploration does not check the earlier launches of the file: they must have such a
// run, too.
func (out *Outcome) prove(ctx context.Context, r *static.Result, file *launch.File, site string,
	rep *report.Report,
) error {
	h, i := holdsFor(rep), LaunchAt(file, site)
	if i > 0 {
		var err error
		if h, err = Claim(ctx, out.prog, file, i); err != nil {
			return err
		}
	}
	if h == nil {
		return nil
	}
	needed := append(slices.Clone(r.Needed), LaunchNeed(site, h))
	for _, p := range r.Pairs {
		if p.Verdict == static.Possible {
			p.Verdict, p.Cause, p.Reason, p.Rules = static.Clean, "", "", []static.Rule{static.ByExecution}
			p.Try, p.LeftOpen, p.Witness, p.Needed = false, false, nil, needed
		}
	}
	r.Rest, r.Unseen, r.Apart, r.Divided, r.Missed = 0, false, false, nil, nil
	r.Needed = needed
	if r.Verdict == static.Possible {
		r.Verdict = static.Clean
	}
	return nil
}

// LaunchNeed says what a proof by the run of a launch needs: the launch at a place of a launch file as it is, but for
// contents that do not matter.
func LaunchNeed(site string, h *report.Holds) string {
	need := "launch: as at " + site
	if len(h.Contents) > 0 {
		need += ", with any contents of " + strings.Join(h.Contents, ", ")
	}
	if h.Resident > 0 {
		need += fmt.Sprintf(", if %d blocks are resident together", h.Resident)
	}
	return need
}
