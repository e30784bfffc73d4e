package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

func exploreCommand() *cli.Command {
	flags := []cli.Flag{
		launchFlag(), rootFlag(), kernelFlag(), excludeFlag(), suppressionsFlag(), noCheckFlag(), detectorFlag(),
		searchFlag(), schedulesFlag("run `N` schedules; by default 200, 100000 of the exhaustive search"),
		&cli.IntFlag{Name: "steps", Usage: "cut runs of the exhaustive search off after `N` turns of threads", DefaultText: "20000", Category: catExecution},
		&cli.BoolFlag{Name: "first", Usage: "stop at the first finding that counts for the exit code: see --error-level", Category: catExecution},
		&cli.BoolFlag{Name: "minimise", Usage: "shorten the schedule that repeats each finding, and look for the smallest grid and block that still show each race", Category: catExecution},
		&cli.BoolFlag{Name: "outcomes", Usage: "list the contents of the buffers that runs end with, and how many runs; without --detector no detector is at work", Category: catOutput},
		&cli.StringSliceFlag{Name: "show", Usage: "with --outcomes: tell runs apart by buffer `NAME` only; repeatable", Category: catOutput},
		&cli.StringFlag{Name: "replay-dir", Usage: "write schedules that are too long for a replay command, 8 KiB, to files in `DIR`", DefaultText: "the working directory", Category: catOutput},
		formatFlag(), outputFlag(), colorFlag(), errorLevelFlag(),
	}
	return &cli.Command{
		Name:      "explore",
		Category:  "Execution",
		Usage:     "run kernels under many schedules and report the races of all of them",
		ArgsUsage: "FILE.ptx",
		Description: `Runs the launches of the launch file again and again, each time in another order of
the threads, on all processors. Findings are united; each says how many schedules
show it and which command repeats one of them. The result depends on the seed, and
not on the number of processors.

--search exhaustive runs every order of the threads' conflicting operations, once
each, and says so when it has come to the end: what was not found then is not
there, for this input. It is for few threads, and for detectors that listen.

--outcomes counts final states, as litmus tests want them.

Examples:
   ptxsan explore --launch k.yaml k.ptx
   ptxsan explore --launch k.yaml --search directed --schedules 10 -d scord k.ptx
   ptxsan explore --launch sb.yaml --search exhaustive --outcomes sb.ptx`,
		Flags:  slices.Concat(flags, driverFlags(), exploredFlags(), profileFlags()),
		Action: profiled(exploreAction),
	}
}

// schedulesFlag is --schedules.
func schedulesFlag(usage string) cli.Flag {
	return &cli.IntFlag{Name: "schedules", Usage: usage, Category: catExecution}
}

// exploredFlags are the execution flags that make sense for many schedules.
func exploredFlags() (list []cli.Flag) {
	for _, f := range executionFlags() {
		if !slices.Contains([]string{"schedule", "record", "replay", "minimise"}, f.Names()[0]) {
			list = append(list, f)
		}
		if d, ok := f.(*cli.DurationFlag); ok && d.Name == "timeout" {
			d.Value = defaultExploration
		}
	}
	return list
}

func exploreAction(c *cli.Context) error {
	k, err := checkerOf(c)
	if err != nil || k == nil {
		return err
	}
	s, err := searchOf(c, c.String("search"))
	if err != nil {
		return err
	}
	s.steps = c.Int("steps")
	var count *outcomeCount
	switch {
	case c.Bool("outcomes"):
		buffers, err := outcomeBuffers(k.file, c.StringSlice("show"))
		if err != nil {
			return err
		}
		count = newOutcomeCount(buffers)
		if !c.IsSet("detector") {
			k.dets = nil
		}
	case c.IsSet("show"):
		return usagef("--show: expected --outcomes as well")
	}
	return explored(c, k, s, count)
}

// explored makes an exploration and reports it.
func explored(c *cli.Context, k *checker, s search, count *outcomeCount) error {
	err := s.fits(k.dets)
	if err != nil {
		return err
	}
	ctx, cancel := withTimeout(c)
	defer cancel()
	e := &exploration{k: k, search: s, workers: c.Int("jobs"), shorten: c.Bool("minimise") && c.Command.Name == "explore", count: count, replay: &replayTokens{c: c}}
	if c.Bool("first") {
		if e.enough, err = anyFinding(c); err != nil {
			return err
		}
	}
	rep, err := e.run(ctx)
	k.progress.done()
	if err != nil {
		return err
	}
	if err = e.replay.write(rep); err != nil {
		return err
	}
	return finishReport(c, rep, k.file)
}

// anyFinding tells whether a report has a finding that counts for the exit code.
func anyFinding(c *cli.Context) (func(*report.Report) bool, error) {
	suppressed, err := suppressionsOf(c)
	if err != nil {
		return nil, err
	}
	level := report.SeverityRank(c.String("error-level"))
	return func(rep *report.Report) bool {
		return len(rep.Faults) > 0 || slices.ContainsFunc(rep.Races, func(x *report.Race) bool {
			return report.SeverityRank(x.Severity) >= level && !suppressed.Match(x)
		})
	}, nil
}

// finishReport writes the report and chooses the exit code.
func finishReport(c *cli.Context, rep *report.Report, file *launch.File) error {
	if err := suppress(c, rep); err != nil {
		return err
	}
	if err := writeReport(c, rep); err != nil {
		return err
	}
	return verdictOf(c, rep, file)
}
