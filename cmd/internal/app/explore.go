// The command explore.

package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/compat"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

func exploreCommand() *cli.Command {
	flags := []cli.Flag{
		command.LaunchFlag(), command.RootFlag(), command.KernelFlag(), command.SuppressionsFlag(),
		command.BaselineFlag(), command.NoCheckFlag(), detectorFlag(),
		searchFlag(), sweepFlag(), patchFlag(), noPatchFlag(), patchBudgetFlag(patchRuns, ""), schedulesFlag("run `N` schedules; by default 200, 100000 of the exhaustive search"),
		&cli.IntFlag{Name: "steps", Usage: "cut runs of the exhaustive search off after `N` turns of threads", DefaultText: "20000", Category: command.CatExecution},
		&cli.BoolFlag{
			Name:     "first",
			Usage:    "stop at the first finding that counts for the exit code: see --error-level",
			Category: command.CatExecution,
		},
		&cli.BoolFlag{
			Name:  "minimise",
			Usage: "shorten the schedule that repeats each finding, and look for the smallest grid and block that still show each race", Category: command.CatExecution,
		},
		&cli.BoolFlag{
			Name:  "outcomes",
			Usage: "list the contents of the buffers that runs end with, and how many runs; without --detector no detector is at work", Category: command.CatOutput,
		},
		&cli.StringSliceFlag{Name: "show", Usage: "with --outcomes: tell runs apart by buffer `NAME` only; repeatable", Category: command.CatOutput},
		&cli.StringFlag{Name: "replay-dir", Usage: "write schedules that are too long for a replay command, 8 KiB, to files in `DIR`", DefaultText: "the working directory", Category: command.CatOutput},
		command.ReportFlag(), command.PathBaseFlag(), command.OutputFlag(), command.ColorFlag(),
		command.ErrorLevelFlag(), command.RequireFlag(), command.SchedulesFlag(), command.AllowFlag(), errorExitFlag(),
	}
	return &cli.Command{
		Name:      "explore",
		Category:  "Execution",
		Usage:     "run kernels under many schedules and report the races of all of them",
		ArgsUsage: "FILE.ptx|FILE.cu",
		Description: `The flags that most people need:

   --launch FILE     what to run: buffers, grid, block, arguments (ptxsan new writes one)
   --schedules N     how many schedules (orders of the threads) to run
   --detector NAMES  race detectors: precise, iguard, scord, barracuda, ldetector, collide
   --minimise        shorten the schedule that repeats each finding
   --format FORMATS  text, json, html, or a format for code-scanning pages

Runs the launches of the launch file under many schedules, that is, orders of the
threads, on all processors. Findings are merged; each says how many schedules show
it and which command repeats one of them. The result depends on the seed and not on
the number of processors. Without --schedules the search ends after 200 schedules,
or when 50 in a row have found nothing new and ordered no conflicting accesses in a
new way; the report says which. After --timeout or an interrupt, the schedules that
finished are reported.

--search exhaustive runs every order of the threads' conflicting operations once.
When it completes, the report says so: for this input there are no other races. It
is meant for few threads, and needs detectors that listen to the emulator.

--outcomes counts final states, as litmus tests want them.

Examples:
   ptxsan explore k.cu
   ptxsan explore --launch k.yaml k.ptx
   ptxsan explore --launch k.yaml --search directed --schedules 10 -d scord k.ptx
   ptxsan explore --launch sb.yaml --search exhaustive --outcomes sb.ptx`,
		Flags: command.Grouped(slices.Concat(flags, command.SourceFlags(), launchesFlags(), sanitizerFlags(),
			[]cli.Flag{noLeaks()}, command.DriverFlags(), exploredFlags(), profileFlags(), compat.Flags())),
		Action: profiled(exploreAction),
	}
}

// schedulesFlag returns the flag --schedules.
func schedulesFlag(usage string) cli.Flag {
	return &cli.IntFlag{Name: "schedules", Usage: usage, Category: command.CatExecution}
}

// exploredFlags returns the execution flags that apply to explorations of many schedules.
func exploredFlags() (list []cli.Flag) {
	for _, f := range executionFlags() {
		if !slices.Contains([]string{"schedule", "record", "replay", "minimise"}, f.Names()[0]) {
			list = append(list, f)
		}
		if d, ok := f.(*command.TimeFlag); ok && d.Name == "timeout" {
			d.Value = limits.Exploration
		}
	}
	return list
}

func exploreAction(c *cli.Context) error {
	ctx, cancel := command.Timeout(c)
	defer cancel()
	k, err := checkerOf(c)
	if err != nil {
		return err
	}
	e := &session.Exploration{Minimise: c.Bool("minimise")}
	if e.Search, err = searchOf(c, c.String("search")); err != nil {
		return err
	}
	e.Search.Steps = c.Int("steps")
	switch {
	case c.Bool("outcomes"):
		if e.Outcomes, err = outcomeBuffers(k.plan.File, c.StringSlice("show")); err != nil {
			return err
		}
		if !c.IsSet("detector") {
			k.options.Detectors = nil
		}
	case c.IsSet("show"):
		return command.Usagef("--show: expected --outcomes as well")
	}
	_, err = explored(ctx, c, k, e)
	return err
}

// explored runs an exploration and writes its report, which it also returns.
func explored(ctx context.Context, c *cli.Context, k *checker, e *session.Exploration) (*report.Report, error) {
	replay := newReplayTokens(c)
	e.Options, e.Scenario, e.Workers, e.Replay = k.options, k.plan, c.Int("jobs"), replay
	var err error
	if c.Bool("first") {
		if e.Enough, err = anyFinding(c); err != nil {
			return nil, err
		}
	}
	e.Options.Progress = func(what string) { // there is a finished schedule
		command.Running(ctx)
		k.progress.Step(what)
	}
	rep, ended := e.Run(ctx)
	if ended == nil && (c.Bool("sweep") || source.Is(c.Args().First())) {
		if p := k.sweptPlan(c, rep); p != nil {
			ended = k.sweep(ctx, rep, p, c.Bool("sweep"), func() (*report.Report, error) {
				e.Scenario = k.plan
				return e.Run(ctx)
			})
		}
	}
	if rep != nil && ended == nil {
		k.advise(ctx, rep)
		of := trial.Subject{Plan: k.plan, Session: k.options, Workers: c.Int("jobs")}
		_ = fix.AdviseWeak(ctx, fix.Options{Subject: of}, rep)
	}
	k.progress.Done()
	if rep == nil {
		return nil, unfinished(ctx, notAllRun, ended)
	}
	if err = replay.write(rep); err != nil {
		return nil, err
	}
	if err = k.conclude(ctx, c, rep); err == nil || errors.Is(ended, command.ErrInterrupted) {
		return rep, unfinished(ctx, notAllRun, ended)
	}
	return rep, err
}

const notAllRun = "not all schedules were run"

// unfinished wraps the error of a search that its time limit has ended, and says what is missing. It returns nil and
// other errors unchanged.
func unfinished(ctx context.Context, what string, err error) error {
	if err == nil || ctx.Err() == nil || errors.Is(err, command.ErrInterrupted) {
		return err
	}
	return fmt.Errorf("%s: the time is over: %w", what, err)
}

// anyFinding returns a function that reports whether a report has a finding that affects the exit code.
func anyFinding(c *cli.Context) (func(*report.Report) bool, error) {
	known, err := knownRace(c)
	if err != nil {
		return nil, err
	}
	level := report.SeverityRank(c.String("error-level"))
	return func(rep *report.Report) bool {
		return len(rep.Faults) > 0 || slices.ContainsFunc(rep.Races, func(x *report.Race) bool {
			return report.SeverityRank(x.Severity) >= level && !known(x)
		})
	}, nil
}

// finishReport completes and writes the report, and chooses the exit code.
func finishReport(c *cli.Context, rep *report.Report, file *launch.File) error {
	if err := completeReport(c, rep, file); err != nil {
		return err
	}
	if err := writeReport(c, rep); err != nil {
		return err
	}
	return verdictOf(c, rep, file)
}

// completeReport removes the races that suppressions and the baseline name from a report, and adds a note if the launch
// file is a template.
func completeReport(c *cli.Context, rep *report.Report, file *launch.File) error {
	if err := settle(c, rep); err != nil {
		return err
	}
	if file != nil && file.Guessed {
		rep.Notes = append(append(rep.Notes, guessNote(c, rep, file)), file.Notes...)
	}
	return nil
}

// guessNote says what of the launches is guessed.
func guessNote(c *cli.Context, rep *report.Report, file *launch.File) string {
	what := file.Name + " is a template"
	if c.String("launch") == "" {
		what = "the launch is a template, which ptxsan new writes"
	}
	if file.Guess == nil {
		return what + ": its sizes, numbers and contents are guesses, and others may show more" + hinges(rep)
	}
	what = "the launches are those of the file at " + strings.Join(sitesOf(file), ", ")
	if !file.Sized {
		what += ", and of other kernels guesses"
	}
	return what + ": contents of buffers that it does not show are guesses, and others may show more"
}

// sitesOf returns the places in host code that make launches, each once.
func sitesOf(file *launch.File) (list []string) {
	for _, l := range file.Launches {
		if l.Site != "" && !slices.Contains(list, l.Site) {
			list = append(list, l.Site)
		}
	}
	return list
}

// hinges says what the findings of a template hinge on: they hold for its launches.
func hinges(rep *report.Report) string {
	var of []string
	for kind, what := range map[detect.Kind]string{
		detect.InterBlock: "a launch of one block has none between blocks",
		detect.IntraBlock: "a block of one warp has none between warps",
	} {
		if slices.ContainsFunc(rep.Races, func(x *report.Race) bool { return x.Kind == kind }) {
			of = append(of, what)
		}
	}
	if len(rep.Races) == 0 {
		return ""
	}
	slices.Sort(of)
	return strings.Join(append([]string{"; the races are of its launches"}, of...), ", ")
}

func searchFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "search", Value: session.SearchNames[0], Category: command.CatExecution,
		Usage:  "`METHOD` that chooses schedules: directed (exchange conflicting accesses), random, pct, round-robin, mixed (these in turn), or exhaustive (all orders of conflicting operations)",
		Action: command.OneOf("search", session.SearchNames...),
	}
}

func searchOf(c *cli.Context, name string) (session.Search, error) {
	s := session.Search{Name: name, Runs: c.Int("schedules")}
	switch {
	case c.IsSet("schedules") && s.Runs < 1:
		return s, command.Usagef("--schedules: expected a number from 1 on, found %d", s.Runs)
	case !c.IsSet("schedules") && name == "exhaustive":
		s.Runs = session.DefaultExhaustive
	case !c.IsSet("schedules"):
		s.Runs, s.Quiet = session.DefaultSchedules, session.DefaultQuiet
	}
	for _, flag := range []string{"record", "replay", "timeline", "save-trace", "schedule"} {
		if c.IsSet(flag) { // the flag is one of check
			return s, command.Usagef("--schedules: many schedules cannot be run with --%s", flag)
		}
	}
	return s, nil
}

// outcomeBuffers returns the named buffers, or all if there are no names.
func outcomeBuffers(file *launch.File, named []string) (list []*launch.Buffer, err error) {
	total := uint64(0)
	list = []*launch.Buffer{}
	for i := range file.Buffers {
		b := &file.Buffers[i]
		if len(named) == 0 || slices.Contains(named, b.Name) {
			list, total = append(list, b), total+b.Size()
		}
	}
	for _, name := range named {
		if file.Buffer(name) == nil {
			return nil, command.Usagef("--show: %s has no buffer %q", file.Name, name)
		}
	}
	if total > session.MaxOutcome {
		return nil, command.Usagef("--outcomes: the buffers have %d bytes, expected at most %d; choose some with --show", total, session.MaxOutcome)
	}
	return list, nil
}
