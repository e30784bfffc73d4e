// What the verdict about a launch of a launch file holds for: found out by one run of the file.

package analysis

import (
	"context"
	"slices"

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

// Claim runs a launch of a launch file once. The result is nil if the launch has a race, or if the run does not stand for
// every schedule; otherwise it has the needs of the proof. The argument made is the result of the static detector for
// the launch.
//
// The launch is run alone. If that run proves nothing, or if the contents of memory steer it, the launch is run again
// after the earlier launches of the file. Their runs must stand for every schedule, too, so that they leave the same in
// memory in every schedule.
func Claim(ctx context.Context, p *session.Program, file *launch.File, launch int, made *Made) ([]string, error) {
	if !small(file) {
		return nil, nil
	}
	out := &Outcome{prog: p}
	rep, err := out.once(ctx, file, launch, launch+1)
	if err != nil {
		return nil, err
	}
	if needs, ok := made.decisive(rep); ok {
		return needs, nil
	}
	if launch > 0 {
		rep, err = out.once(ctx, file, 0, launch+1)
	}
	if err != nil || !standsForAll(rep) {
		return nil, err
	}
	return []string{launchNeed(made.Given.Site, rep.Weakest())}, nil
}

// once runs some launches of a file, as an exploration that goes on only if the run stands for all schedules.
func (out *Outcome) once(ctx context.Context, file *launch.File, from, to int) (*report.Report, error) {
	return out.planned(file, emu.Config{MaxSteps: triedSteps},
		func(o session.Options, plan *session.Plan) (*report.Report, error) {
			plan.Launches = plan.Launches[from:to]
			return exploration(o, plan, func(*report.Report) bool { return true }).Run(ctx)
		})
}

// standsForAll reports whether one run of an exploration stands for every schedule.
func standsForAll(rep *report.Report) bool {
	h := rep.Weakest()
	return rep.Exploration != nil && rep.Exploration.Claimed && h != nil && h.Schedules == report.EverySchedule
}

// prove makes the undecided pairs of a launch of a launch file clean if a run of it stands for every schedule. The report
// is that of an exploration of the launch, which does not check those before it in the file.
func (out *Outcome) prove(ctx context.Context, m *Made, file *launch.File, rep *report.Report) (err error) {
	needs, ok := m.decisive(rep)
	switch at := LaunchAt(file, m.Given.Site); {
	case at > 0:
		needs, err = Claim(ctx, out.prog, file, at, m)
	case !ok && standsForAll(rep):
		needs = []string{launchNeed(m.Given.Site, rep.Weakest())}
	}
	if needs != nil {
		proved(m.Result, needs)
	}
	return err
}

// proved makes the undecided pairs of a launch clean that a run proves.
func proved(r *static.Result, needs []string) {
	needs = append(slices.Clone(r.Needed), needs...)
	slices.Sort(needs)
	needs = slices.Compact(needs)
	for _, p := range r.Pairs {
		if p.Verdict == static.Possible {
			p.Verdict, p.Cause, p.Reason, p.Rules = static.Clean, "", "", []static.Rule{static.ByExecution}
			p.Try, p.LeftOpen, p.Witness, p.Needed = false, false, nil, needs
		}
	}
	r.Rest, r.Unseen, r.Apart, r.Divided, r.Missed = 0, false, false, nil, nil
	r.Needed = needs
	if r.Verdict == static.Possible {
		r.Verdict = static.Clean
	}
}
