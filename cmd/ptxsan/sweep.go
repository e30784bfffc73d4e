// The flag --sweep, and sweeps of templates.

package main

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func sweepFlag() cli.Flag {
	return &cli.BoolFlag{Name: "sweep", Usage: "run the launches also with blocks of 32 to 1024 threads, and with other numbers; those that do not fit the buffers are left out", Category: command.CatExecution}
}

// sweep runs variations of the plan, adds what they show to a report, and keeps the plan that has shown an error for the patch of a
// source.
func (k *checker) sweep(ctx context.Context, rep *report.Report, run func() (*report.Report, error)) error {
	given := k.plan
	shown, err := given.Sweep(ctx, rep, func(p *session.Plan) (*report.Report, error) {
		k.plan = p
		return run()
	})
	if k.plan = given; shown != nil {
		k.shown = shown
	}
	return err
}

// sweepTemplate prepares the sweep of a template that has shown nothing, since its sizes are guesses: with --sweep all launch files
// are swept.
func (k *checker) sweepTemplate(c *cli.Context, rep *report.Report) bool {
	plain := k.other == nil && k.options.GPU == nil && !slices.ContainsFunc([]string{"record", "replay", "timeline", "save-trace", "stats"}, c.IsSet)
	if !k.plan.File.Guessed || !plain || len(rep.Faults) > 0 || rep.Count(report.Error) > 0 {
		return false
	}
	k.options.LimitSweep()
	return true
}
