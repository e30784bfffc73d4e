// Advice for launches of applications: each is checked again, as a plan of its own.

package fix

import (
	"context"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Repeat checks the plan of a launch that has raced, and returns its report with the advice of Advise. It returns nil
// if the search would take too long or the launch cannot be repeated. ran says what the launch has executed.
func Repeat(ctx context.Context, o Options, ran emu.Stats) *report.Report {
	o.Session.Emulator.MaxSteps = trial.ShapeSteps(ran.WarpInstructions)
	rep := &report.Report{Stats: report.Stats{Launches: 1, ThreadInstructions: ran.ThreadInstructions}}
	if !affordable(RunCost(o.Plan, rep), o.Plan) {
		return nil
	}
	s, err := session.Open(o.Session)
	if err != nil {
		return nil
	}
	if rep, err = o.Plan.Check(ctx, s); err != nil {
		return nil
	}
	if err = Advise(ctx, o, rep); err != nil {
		return nil
	}
	return rep
}
