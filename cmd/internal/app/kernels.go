// The flags that choose kernels and launches.

package app

import (
	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// launchesFlags returns the flags --kernel-exclude, --launch-skip and --launch-count. With --kernel, they select the
// launches of which ptxsan reports races. ptxsan also executes the launches that are not selected, because the selected
// ones may read memory that those write.
func launchesFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "kernel-exclude", Usage: "leave out kernels whose mangled or demangled name contains `PATTERN` or matches it as a glob; repeatable", Category: command.CatInput},
		&cli.IntFlag{Name: "launch-skip", Aliases: []string{"s"}, Usage: "do not check the first `N` launches of the chosen kernels; they still run", Category: command.CatInput},
		&cli.IntFlag{Name: "launch-count", Aliases: []string{"c"}, Usage: "check only `N` launches of the chosen kernels, 0 for all; others still run", Category: command.CatInput},
	}
}

// planOf returns the plan of a launch file, which reports the races of the selected launches.
func planOf(c *cli.Context, mod *rewrite.Module, file *launch.File, exec execution) (*session.Plan, error) {
	plan, err := session.NewPlan(session.NewProgram(mod), file, exec.config.MaxSteps)
	if err != nil {
		return nil, err
	}
	return plan, plan.Select(session.LaunchSelection{
		Kernels: c.StringSlice("kernel"), Exclude: c.StringSlice("kernel-exclude"), Skip: c.Int("launch-skip"),
		Count: c.Int("launch-count"),
	})
}
