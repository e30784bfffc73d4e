// The flag --sweep, and sweeps of templates.

package app

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func sweepFlag() cli.Flag {
	return &cli.BoolFlag{
		Name:  "sweep",
		Usage: "run the launches also with blocks of 32 to 1024 threads, and with other numbers, such as 0, 1, one less and one more; those that do not fit the buffers are left out", Category: command.CatExecution,
	}
}

// sweep runs variations of a plan, all that there are or those of guesses alone, adds what they show to a report, and
// keeps the plan that has shown an error for the patch of a source.
func (k *checker) sweep(ctx context.Context, rep *report.Report, swept *session.Plan, all bool,
	run func() (*report.Report, error),
) error {
	given, options, racy := k.plan, k.options, rep.Count(report.Error) > 0
	if given.File.Guessed {
		k.options.LimitSweep()
	}
	shown, err := swept.Sweep(ctx, rep, all, func(p *session.Plan) (*report.Report, error) {
		k.plan = p
		return run()
	})
	if k.plan, k.options = given, options; shown != nil && !racy {
		k.shown = shown
	}
	return err
}

// sweptPlan returns the plan that is run again with other sizes, nil if none is. With --sweep that is the whole plan. Of a
// template it is the kernels without findings, since the sizes of a template are guesses.
func (k *checker) sweptPlan(c *cli.Context, rep *report.Report) *session.Plan {
	plain := k.other == nil && k.options.GPU == nil &&
		!slices.ContainsFunc([]string{"record", "replay", "timeline", "save-trace", "stats"}, c.IsSet)
	switch {
	case c.Bool("sweep"):
		return k.plan
	case !k.plan.File.Guessed || !plain:
		return nil
	}
	return k.plan.WithoutFindings(rep)
}
