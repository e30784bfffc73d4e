// The command check.

package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/compat"
	"github.com/ptxsan/ptxsan/cmd/internal/terminal"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func checkCommand() *cli.Command {
	flags := []cli.Flag{
		command.LaunchFlag(), command.RootFlag(), command.KernelFlag(), command.SuppressionsFlag(),
		command.BaselineFlag(), command.NoCheckFlag(),
		detectorFlag(), deviceFlag(", or both, which compares findings and buffers of the two"), schedulesFlag("run `N` schedules of several kinds instead of one, as explore does"), sweepFlag(), watchFlag(), patchFlag(), noPatchFlag(), patchBudgetFlag(patchRuns, ""), command.ReportFlag(), command.PathBaseFlag(), command.OutputFlag(), command.ColorFlag(), command.ErrorLevelFlag(), command.RequireFlag(), command.SchedulesFlag(), command.AllowFlag(), errorExitFlag(), dumpFlag(),
	}
	return &cli.Command{
		Name:      "check",
		Category:  "Execution",
		Usage:     "emulate and report data races",
		ArgsUsage: "FILE.ptx|FILE.cu|FILE.py",
		Description: `The flags that most people need:

   --launch FILE     what to run: buffers, grid, block, arguments (ptxsan new writes one)
   --detector NAMES  race detectors: precise, iguard, scord, barracuda, ldetector, collide
   --schedules N     run N schedules (orders of the threads) instead of one
   --kernel PATTERN  report on these kernels only
   --format FORMATS  text, json, html, or a format for code-scanning pages

Runs the launches of the launch file on the emulated GPU: first the unchanged
program, which shows faults and livelocks and is observed by the detectors that
listen to the emulator; then once more, instrumented, for each other detector.
Output of the kernels' printf goes to standard error. The run is compared with what
the launch file expects: the exit code is that of the verdict when all of it holds,
otherwise 4. Functions that no launch can reach are parsed but not checked.

--timeline shows when each warp ran, with an arrow between the two accesses of each
race. It needs a single detector, or only detectors that listen.

Without --launch, explains what the kernels of PTX need and exits with 2, since nothing
was checked. ptxsan new writes a launch file to start from.

CUDA source (.cu) is compiled with nvcc, or clang where that is not installed. Without
--launch it runs the launches that the file makes with constants, which clang reads, and,
for kernels that show nothing in them, a template and its variations (ptxsan new writes both). A fault under a
launch of the file is reported, one under a guess is not. A patch of the source follows the
report: one that leaves no race when it is compiled and run. A Python file is run by exec.
ptxsan k.cu is short for this command.

Examples:
   ptxsan check k.cu
   ptxsan check --watch k.cu
   ptxsan check --launch k.yaml --schedule random --seed 3 k.ptx`,
		Flags: command.Grouped(slices.Concat(flags, command.SourceFlags(), ldetectorFlags(), launchesFlags(),
			sampleFlags(), sanitizerFlags(), []cli.Flag{noLeaks()}, traceFlags(), command.DriverFlags(),
			[]cli.Flag{command.StatsFlag(), timelineFlag(", with arrows for races,"), traceFilterFlag("--timeline")},
			executionFlags(), profileFlags(), compat.Flags())),
		Action: profiled(checkAction),
	}
}

func checkAction(c *cli.Context) error {
	switch {
	case c.String("trace") != "":
		return checkTrace(c)
	case c.Bool("watch"):
		return watch(c)
	}
	_, err := checkOnce(c)
	return err
}

// checkOnce runs a check and writes its report, which it also returns, and for CUDA source a patch. The error is the
// verdict, too.
func checkOnce(c *cli.Context) (*report.Report, error) {
	ctx, cancel := command.Timeout(c)
	defer cancel()
	k, err := checkerOf(c)
	if err != nil {
		return nil, err
	}
	if c.IsSet("dump") && (c.IsSet("schedules") || c.Bool("sweep")) {
		return nil, command.Usagef("--dump: it is for one run, without --schedules and --sweep")
	}
	if c.IsSet("schedules") {
		if c.IsSet("time-budget") {
			return nil, command.Usagef("--time-budget: it is for one schedule, without --schedules; --timeout limits a search")
		}
		s, wrong := searchOf(c, session.SearchNames[0])
		if wrong != nil {
			return nil, wrong
		}
		return explored(ctx, c, k, &session.Exploration{Search: s})
	}
	rep, err := k.swept(ctx, c)
	if err == nil {
		k.advise(ctx, rep)
		err = k.draw(ctx, c, rep)
	}
	k.progress.Done()
	if err != nil {
		return nil, err
	}
	for _, r := range rep.Races {
		r.Replay = cmp.Or(r.Replay, replayCommand(c))
	}
	return rep, k.conclude(ctx, c, rep)
}

// swept executes the plan, and its variations if they are asked for, or if the plan is a template that has shown
// nothing.
func (k *checker) swept(ctx context.Context, c *cli.Context) (*report.Report, error) {
	k.options.Starting, k.options.Outcomes = func() { command.Running(ctx) }, true
	rep, err := k.run(ctx, c)
	if err != nil {
		return nil, err
	}
	if p := k.sweptPlan(c, rep); p != nil {
		err = k.sweep(ctx, rep, p, c.Bool("sweep"), func() (*report.Report, error) { return k.check(ctx, c) })
	}
	return rep, err
}

// checker holds the values of flags and files of check and explore.
type checker struct {
	plan     *session.Plan
	options  session.Options
	outputs  outputs
	exec     execution
	progress *terminal.Progress
	other    gpu.Runner    // to compare with, nil for none
	shown    *session.Plan // a plan of a sweep that has shown an error, nil for the given one
	stale    session.StaleSearch
	budget   trial.Budget // of the search for a patch
}

// checkerOf reads flags and files. Without a launch file it explains what a launch file needs, and returns an error.
func checkerOf(c *cli.Context) (*checker, error) {
	name, err := command.OneFile(c)
	if err != nil {
		return nil, err
	}
	exec, err := executionOf(c)
	if err != nil {
		return nil, err
	}
	if device := c.String("device"); device != "" && device != "emu" {
		if err = detectorOnGPU(c); err != nil {
			return nil, err
		}
	}
	dets, err := detectorsOf(c)
	if err != nil {
		return nil, err
	}
	budget, err := patchBudget(c)
	if err != nil {
		return nil, err
	}
	if _, _, err = knownOf(c); err != nil { // before anything runs
		return nil, err
	}
	mod, file, err := readLaunched(c, name, exec)
	if err != nil {
		return nil, err
	}
	command.NoteOlder(c, mod)
	plan, err := planOf(c, mod, file, exec)
	if err != nil {
		return nil, err
	}
	k := &checker{plan: plan, exec: exec, budget: budget, progress: terminal.NewProgress(c.App.ErrWriter)}
	if k.outputs, err = outputsOf(c, file); err != nil {
		return nil, err
	}
	k.options = session.Options{
		Detectors: dets, Emulator: exec.config, RunPasses: passRunner(c), Progress: k.follow,
		ErrorLevel: c.String("error-level"), Strict: c.Bool("strict"), Statistics: c.Bool("stats"), Claims: true,
	}
	k.options.Emulator.Stdout, k.options.Emulator.Progress = c.App.ErrWriter, new(emu.Progress)
	if k.options.Sample, err = sampleOf(c); err != nil {
		return nil, err
	}
	if k.options.GPU, err = deviceOf(c); c.String("device") == onBoth {
		k.options.GPU, k.other = nil, k.options.GPU
	}
	return k, err
}

// follow shows the next step, and how far its launch is.
func (k *checker) follow(what string) { k.progress.Follow(what, k.options.Emulator.Progress.Count) }

// advise adds to a report what fix would do, which needs runs of which all is watched.
func (k *checker) advise(ctx context.Context, rep *report.Report) {
	if k.options.GPU == nil && session.Names(k.options.Detectors) == "precise" && !k.options.Sample.Samples() {
		_ = fix.Advise(ctx, fix.Options{Subject: trial.Subject{Plan: k.plan, Session: k.options}}, rep)
	}
}

// run executes the plan, and writes the files of --timeline, --save-trace and --record.
func (k *checker) run(ctx context.Context, c *cli.Context) (rep *report.Report, err error) {
	filter, err := timelineFilter(c)
	if err != nil {
		return nil, err
	}
	check := func() error {
		rep, err = k.check(ctx, c)
		return err
	}
	if c.String("save-trace") != "" {
		if check, err = k.savingTrace(c, check); err != nil {
			return nil, err
		}
	}
	err = into(c, c.String("timeline"), check, func(w io.Writer) io.Closer {
		k.options.Timeline = session.NewTimeline(output.JSON(w), filter)
		if drawn(c) {
			k.options.Timeline.Draw()
		}
		return k.options.Timeline
	})()
	if t := k.options.Timeline; err == nil && t != nil && drawn(c) {
		rep.Timeline = t.Chart()
	}
	return rep, err
}

// check executes the plan once.
func (k *checker) check(ctx context.Context, c *cli.Context) (*report.Report, error) {
	s, rep, err := k.play(ctx)
	if err == nil && s.Strayed() != nil {
		if err = s.Close(); err == nil {
			s, rep, err = k.playAgain(ctx, c, s.Strayed())
		}
	}
	if err != nil {
		return nil, err
	}
	if err = errors.Join(k.outputs.show(c, s), s.Close()); err != nil {
		return nil, err
	}
	if c.Bool("stats") {
		for _, line := range s.Statistics() {
			fmt.Fprintln(c.App.ErrWriter, line)
		}
	}
	if err = record(ctx, c, s, k.plan); err == nil && k.other == nil {
		err = k.outcomes(ctx, c, rep)
	}
	if err == nil && k.other == nil {
		err = k.predicted(ctx, c, s, rep)
	}
	return rep, err
}

// predicted looks for schedules in which accesses race that only the order of threads in the run has kept apart.
func (k *checker) predicted(ctx context.Context, c *cli.Context, s *session.Session, rep *report.Report) error {
	tokens := newReplayTokens(c)
	if err := k.plan.ShowPredicted(ctx, k.options, s, rep, tokens); err != nil {
		return err
	}
	return tokens.write(rep)
}

// outcomes looks for runs under weak memory that make errors of warnings.
func (k *checker) outcomes(ctx context.Context, c *cli.Context, rep *report.Report) error {
	tokens := newReplayTokens(c)
	k.stale.Replay = func(flags map[string]string, schedule []byte) string {
		if schedule != nil {
			flags["replay"] = tokens.files.Token(schedule)
		}
		return replayOf(c, "check", flags)
	}
	_, err := k.stale.Search(ctx, k.plan, k.options, rep)
	return errors.Join(err, tokens.write(rep))
}

// readLaunched reads a launch file, and the part of a PTX file that its launches can reach. Without a launch file, that
// of CUDA source is a template; for PTX it explains what a launch file needs, and returns an error.
func readLaunched(c *cli.Context, name string, exec execution) (mod *rewrite.Module, file *launch.File, err error) {
	tree, err := command.ReadTree(c, name)
	if err != nil {
		return nil, nil, err
	}
	var failed error // is reported after errors of the module
	if c.String("launch") != "" {
		whole := c.Bool("apply") || c.Bool("diff") // the text is printed
		if file, failed = loadLaunch(c, exec); failed == nil && !whole {
			tree, err = session.Launched(tree, file)
		}
	}
	if err == nil {
		mod, err = command.LoadTree(c, tree)
	}
	if err != nil {
		return nil, nil, command.BadInput(err)
	}
	if err = command.CheckStrict(c, mod); err != nil {
		return nil, nil, err
	}
	if c.String("launch") == "" {
		file, failed = guessLaunch(c, name, mod)
	}
	return mod, file, failed
}

func loadLaunch(c *cli.Context, e execution) (*launch.File, error) {
	file, err := launch.Load(c.String("launch"), launch.Options{MaxBytes: e.memory, Root: c.String("root")})
	return file, command.BadInput(err)
}

// finishCheck is finishReport for a run that the command line c repeats.
func finishCheck(c *cli.Context, rep *report.Report, file *launch.File) error {
	for _, r := range rep.Races {
		r.Replay = replayCommand(c)
	}
	return finishReport(c, rep, file)
}

// verdictOf chooses the exit code.
func verdictOf(c *cli.Context, rep *report.Report, file *launch.File) error {
	for _, e := range rep.Expect {
		switch {
		case !e.OK && file.Expect == nil: // of --device both
			return &command.Error{
				Code: command.Failed,
				Err:  fmt.Errorf("the GPU and the emulator differ: %s: expected %s, got %s", e.What, e.Want, e.Got),
			}
		case !e.OK:
			return &command.Error{
				Code: command.Failed,
				Err:  file.Expect.Errorf("the run is not as expected: %s: expected %s, got %s", e.What, e.Want, e.Got),
			}
		}
	}
	return command.Exit(findingCode(c, rep))
}

// verdictCodes maps verdicts to exit codes under the default of --error-level.
var verdictCodes = map[string]int{
	report.Clean: command.Clean, report.Unknown: command.Clean,
	report.Racy: command.Findings, report.Weak: command.Findings, report.API: command.Findings,
	report.Leak: command.Findings, report.Fault: command.Faulted,
}

// play executes the plan in a session.
func (k *checker) play(ctx context.Context) (*session.Session, *report.Report, error) {
	s, err := session.Open(k.options)
	if err != nil {
		return nil, nil, err
	}
	var rep *report.Report
	if k.other == nil {
		rep, err = k.plan.Check(ctx, s)
		return s, rep, err
	}
	rep, err = k.plan.CheckBoth(ctx, s, k.other)
	return s, rep, err
}

// playAgain executes the plan again and checks every access, because an access in the first run was not where it was
// proved to be. It discards the output of kernels and writes no files, since the first run has done both.
func (k *checker) playAgain(ctx context.Context, c *cli.Context,
	strayed *rewrite.Inst,
) (*session.Session, *report.Report, error) {
	if c.Bool("stats") {
		fmt.Fprintf(c.App.ErrWriter,
			"proofs: %s: %s accesses another object than was proved; the check runs again and leaves no access out\n",
			strayed.Position(), strayed.Text())
	}
	cfg := &k.options.Emulator
	k.options.Refuted, k.options.Timeline, k.options.SaveTrace = true, nil, nil
	cfg.Listener, cfg.Stdout = nil, nil
	if cfg.Record != nil {
		cfg.Record = new(emu.Schedule)
	}
	return k.play(ctx)
}
