// The command fix.

package main

import (
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/runtime/fix"
)

func fixCommand() *cli.Command {
	flags := []cli.Flag{
		launchFlag(), rootFlag(), kernelFlag(), noCheckFlag(), detectorFlag(), errorLevelFlag(),
		schedulesFlag("verify a repair under `N` schedules; by default 100"),
		&cli.IntFlag{Name: "attempts", Usage: "run `N` sets of edits at most", Value: fix.DefaultAttempts, Category: catExecution},
		&cli.BoolFlag{Name: "diff", Usage: "print the repair as a patch, and nothing else", Category: catOutput},
		&cli.BoolFlag{Name: "json", Usage: "print the result as JSON, with the edits", Category: catOutput},
		outputFlag(),
	}
	return &cli.Command{
		Name:      "fix",
		Category:  "Rewriting",
		Usage:     "find a repair of the races of kernels, verify it and show it",
		ArgsUsage: "FILE.ptx",
		Description: `Runs the launches of the launch file under many schedules, and searches the cheapest
edits that leave no race: barriers, fences, wider scopes, releases and acquires, atomic
operations, waits. An edit is verified by running the edited kernels again; one
that brings a fault, or other results than the launch file expects, is refused.

Prints the races, the repair and a patch; --output writes the mended PTX. The exit
code is 0 when there is no race or all are mended, and 1 when not.

Examples:
   ptxsan fix --launch k.yaml k.ptx
   ptxsan fix --launch k.yaml --diff k.ptx | patch k.ptx`,
		Flags:  slices.Concat(flags, driverFlags(), exploredFlags()),
		Action: fixAction,
	}
}

func fixAction(c *cli.Context) error {
	k, err := checkerOf(c)
	if err != nil || k == nil {
		return err
	}
	if _, err = searchOf(c, ""); err != nil {
		return err
	}
	ctx, cancel := withTimeout(c)
	defer cancel()
	res, err := fix.Run(ctx, fix.Options{Plan: k.plan, Session: k.options, Schedules: c.Int("schedules"), Attempts: c.Int("attempts"), Workers: c.Int("jobs")})
	k.progress.Done()
	if err != nil {
		return err
	}
	if c.IsSet("output") && res.Mended() {
		err = writeText(c, string(text(res.Module)))
	}
	if err == nil {
		err = writeOutput(c, "", func(w io.Writer) error { return res.Write(w, c.Bool("json"), c.Bool("diff")) })
	}
	if err == nil && !res.Mended() && len(res.Races) > 0 {
		return exit(exitFindings)
	}
	return err
}
