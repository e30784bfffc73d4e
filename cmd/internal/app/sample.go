// The flags that choose a share of launches and blocks.

package app

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/sample"
)

// sampleFlags returns the flags --sample and --time-budget.
func sampleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "sample", Usage: "watch a share `N%` of each kernel's launches for races, of the first one N% of its blocks, chosen by --seed; N%,M%@L.B changes it from block B of launch L on", Category: command.CatInput},
		&command.TimeFlag{DurationFlag: cli.DurationFlag{Name: "time-budget", Usage: "watch smaller shares as `TIME` passes, such as 60 (seconds) or 5m, after which exec ends the application; the report has the --sample that repeats it", Category: command.CatInput}},
	}
}

// sampleOf reads the flags of sampleFlags. A budget begins to pass.
func sampleOf(c *cli.Context) (o sample.Options, err error) {
	text, budget := c.String("sample"), c.Duration("time-budget")
	o.Seed = c.Uint64("seed")
	switch {
	case text != "" && budget != 0:
		return o, command.Usagef("--sample, --time-budget: expected one of them")
	case budget < 0:
		return o, command.Usagef("--time-budget: expected a positive time, found %s", budget)
	case budget > 0:
		o.Budget = sample.NewBudget(budget, time.Now)
	case text != "":
		if o.Plan, err = sample.Parse(text); err != nil {
			return o, command.Usagef("--sample: %w", err)
		}
	}
	return o, nil
}
