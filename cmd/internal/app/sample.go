// The flags that choose a share of launches and blocks.

package app

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/terminal"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/sample"
)

// budgetFlag is the flag --time-budget, and defaultBudget its value if it stands alone.
const (
	budgetFlag    = "time-budget"
	defaultBudget = "1m"
)

// sampleFlags returns the flags --sample and --time-budget.
func sampleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "sample", Usage: "watch a share `N%` of each kernel's launches for races, of the first one N% of its blocks, chosen by --seed; N%,M%@L.B changes it from block B of launch L on", Category: command.CatInput},
		&command.TimeFlag{DurationFlag: cli.DurationFlag{
			Name: budgetFlag, Category: command.CatInput,
			Usage: "watch smaller shares as `TIME` passes, such as 60 (seconds) or 5m, or " + defaultBudget +
				" if no time follows, after which exec ends the application; the report has the --sample that repeats it",
		}},
	}
}

// patience is the time after which a run is long.
const patience = time.Minute

// longRun says on a terminal, once, what to do about a run that takes long because of its kernels, and returns a function
// that returns this advice for the report if the run has taken that long. There is none if the user has limited it.
func longRun(c *cli.Context, o *cuda.Options) func() string {
	limited := o.Sample.Samples() || c.String("device") != "emu" || o.InsideKernel()
	o.Busy = new(cuda.Busy)
	begin := time.Now()
	advice := func() string {
		if limited {
			return ""
		}
		return adviceFor(time.Since(begin), o.Busy.Time())
	}
	if terminal.Is(c.App.ErrWriter) {
		timer := time.AfterFunc(patience, func() {
			if text := advice(); text != "" {
				fmt.Fprintf(c.App.ErrWriter, "\r\x1b[Kptxsan: %s\n", text)
			}
		})
		return func() string {
			timer.Stop()
			return advice()
		}
	}
	return advice
}

// adviceFor returns what to do about a run that has taken some time, of which kernels were executed for a part; "" if
// it is not long.
func adviceFor(took, kernels time.Duration) string {
	if took < patience || kernels < took/2 {
		return ""
	}
	return "the run takes more than a minute, most of it in kernels: --time-budget watches them less as time passes and " +
		"ends after " + defaultBudget + ", --sample 10% watches a tenth"
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
