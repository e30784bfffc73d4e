// The command exec.

package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/compat"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/cmd/internal/terminal"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/application"
	"github.com/ptxsan/ptxsan/internal/cuda/shim"
	"github.com/ptxsan/ptxsan/internal/cuda/wire"
	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/hostmemory"
	"github.com/ptxsan/ptxsan/python"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

const execName = "exec"

func execCommand() *cli.Command {
	flags := []cli.Flag{
		detectorFlag(), command.KernelFlag(), command.SuppressionsFlag(), command.BaselineFlag(), command.RootFlag(),
		command.ReportFlag(), command.PathBaseFlag(), command.OutputFlag(), command.ColorFlag(),
		command.ErrorLevelFlag(), command.RequireFlag(), command.SchedulesFlag(), command.AllowFlag(),
		&cli.BoolFlag{
			Name:  "libraries",
			Usage: "print the folder of the drop-in libraries, for linking, and exit; with --output, compile them to that folder, for packages", Category: command.CatOutput,
		},
		deviceFlag(", through the application's own driver"),
		&cli.StringFlag{Name: "arch", Usage: "`ARCHITECTURE` that the device reports", DefaultText: "the highest that the program's own code is for, at least sm_80", Category: command.CatExecution},
		&cli.IntFlag{
			Name: "multiprocessors", Value: cuda.DefaultMultiprocessors, Category: command.CatExecution,
			Usage: "`NUMBER` of multiprocessors that each device reports, from which applications derive the size of " +
				"their grids",
		},
		&cli.IntFlag{
			Name: "devices", Value: 1, Category: command.CatExecution,
			Usage: "`NUMBER` of devices that each process has (cudaGetDeviceCount), between which races are found, too",
		},
		leakFlag("report memory that is not freed when a process of the application ends: full or no"),
		&cli.BoolFlag{
			Name: "no-api-errors", Usage: "do not report calls of CUDA's APIs that fail",
			Category: command.CatExecution,
		},
		&cli.BoolFlag{
			Name: "stop", Usage: "end the application at the first fault of a kernel",
			Category: command.CatExecution,
		},
		&cli.StringFlag{
			Name: "host-memory", Category: command.CatExecution,
			Usage:       "end the application when ptxsan uses more than `BYTES` (K, M, G for powers of 1024) of the host's memory",
			DefaultText: "three quarters of what is available at the start",
		},
		&cli.StringFlag{Name: "save", Usage: "write each checked launch to a folder in `DIR` (PTX, launch file and buffers), for check and explore", Category: command.CatOutput},
		&cli.StringFlag{
			Name: "keep", Usage: "write the PTX of modules that findings name to a folder in `DIR`", Category: command.CatOutput,
			DefaultText: "only of those without line information, to ptx beside --output or in the cache",
		},
		&cli.StringFlag{Name: "launches", Usage: "check only the launches `N-M` of each process; others are executed unchecked", Category: command.CatInput},
		&cli.BoolFlag{
			Name: "children", Value: true,
			Usage:    "also check processes that the application starts; with --children=false they run unchecked",
			Category: command.CatInput,
		},
		&cli.BoolFlag{
			Name:     "torch-host",
			Usage:    "compute PyTorch's own operations, whose kernels are machine code, on the processor",
			Category: command.CatExecution,
		},
		&cli.IntFlag{Name: "error-exitcode", Value: command.Findings, Usage: "exit code `N` when races, failed calls or leaks were found", Category: command.CatOutput},
	}
	return &cli.Command{
		Name:      execName,
		Category:  "Execution",
		Usage:     "run a CUDA application without a GPU and report data races",
		ArgsUsage: "-- APP [ARG...]",
		Description: `The flags that most people need:

   --kernel PATTERN   check only these kernels; others run unchecked
   --detector NAMES   detectors: precise, barracuda, iguard, scord, ldetector, collide
   --leak-check full  report memory that is not freed
   --save DIR         save each launch, for check and explore
   --format FORMATS   text, json, html, or a format for code-scanning pages

Runs an unchanged application with drop-in libraries instead of libcudart and
libcuda: kernels run on the emulated GPU, under a detector. The application's own
output is not touched; the report goes to standard error, or to a file with
--output. Processes that the application starts are checked as well.

The application must contain its kernels as PTX (nvcc -arch=compute_80), or as machine
code with line information (-lineinfo). The CUDA runtime may be shared or static; of a
static one without symbols (strip, -s), the archive that it is from has to be there.

With --device gpu the application keeps its own driver: a library in front of it
instruments the PTX that is loaded, and checks each launch of it on the GPU with a
detector inside the kernel (iguard unless another is named): docs/gpu.md.

The exit code is that of the application, or 1 when races were found or a call of
CUDA's APIs failed that the program has not handled, 3 when a kernel faulted, and 5
when nothing was checked, not a kernel that --require-check names, or a --kernel
matches no launched kernel.

Example:
   ptxsan exec -- ./app --size 1024
   ptxsan exec --kernel 'reduce*' -- ./app
   ptxsan exec --devices 2 -- ./app`,
		Flags: command.Grouped(slices.Concat(flags, launchesFlags(), sampleFlags(), sanitizerFlags(),
			slices.DeleteFunc(scheduleFlags(), ofOneRun), checkingFlags(), limitFlags(), compat.Flags())),
		Action: execAction,
	}
}

// ofOneRun reports whether a flag applies only to one run of known launches.
func ofOneRun(f cli.Flag) bool {
	return slices.Contains([]string{"record", "replay", "minimise"}, f.Names()[0])
}

func execAction(c *cli.Context) error {
	if c.Bool("libraries") && c.IsSet("output") {
		return shim.Prebuild(c.String("output"))
	}
	if c.Bool("libraries") {
		dir, err := libraries(c)
		if err == nil {
			fmt.Fprintln(c.App.Writer, dir)
		}
		return err
	}
	if !c.Args().Present() {
		return command.Usagef("expected an application: ptxsan exec -- ./app")
	}
	if c.IsSet("timeout") {
		ctx, cancel := command.Timeout(c)
		defer cancel()
		command.Running(ctx) // findings come with the application's launches
	}
	if c.String("device") != "emu" {
		return attachedAction(c)
	}
	opts, err := deviceOptions(c)
	if err != nil {
		return err
	}
	for _, name := range []string{"initcheck", "varcheck", "synccheck"} {
		if c.Bool(name) && opts.InsideKernel() {
			return command.Usagef("--%s: %s is inside the kernel: expected detectors that listen", name,
				opts.Detectors[0].Name())
		}
	}
	if _, _, err = knownOf(c); err != nil { // before anything runs
		return err
	}
	if _, err = hostMemory(c); err != nil {
		return err
	}
	dir, err := libraries(c)
	if err != nil {
		return err
	}
	app, err := application.Prepare(c.Args().First(), dir)
	if err != nil {
		return command.BadInput(err)
	}
	progress := terminal.NewProgress(c.App.ErrWriter)
	defer progress.Done()
	if terminal.Is(c.App.ErrWriter) {
		opts.Progress = func(what string, blocks *emu.Progress) { progress.Follow(what, blocks.Count) }
	}
	return serving(c, &application.Command{Libraries: dir, Audit: shim.Redirect(dir), Variables: standIns(dir)},
		func(cmd *application.Command, socket string) (int, *report.Report, error) {
			variables, err := python.Start(filepath.Dir(socket), c.Bool("torch-host"))
			if err != nil {
				return 0, nil, err
			}
			if c.IsSet(budgetFlag) && os.Getenv(configurationsVariable) == "" {
				variables = append(variables, configurationsVariable+"=4")
			}
			cmd.Socket, cmd.Always = socket, append(ownCaches(cacheFolder()), variables...)
			return execute(c, cmd, app, opts)
		})
}

// serving executes an application with a socket for its drop-in libraries, and reports the findings.
func serving(c *cli.Context, cmd *application.Command,
	execute func(cmd *application.Command, socket string) (int, *report.Report, error),
) error {
	work, err := os.MkdirTemp("", "ptxsan-exec-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	cmd.Args, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Args().Slice(), os.Stdin, os.Stdout, os.Stderr
	cmd.Terminal = terminal.Is(os.Stdout) || terminal.Is(os.Stderr)
	code, rep, err := execute(cmd, filepath.Join(work, "socket"))
	if err != nil {
		return err
	}
	return finishExec(c, code, rep)
}

// cacheFolder returns the folder for files that runs may share: in the user's cache, or, where that cannot be made, among
// temporary files.
func cacheFolder() string {
	if cache, err := os.UserCacheDir(); err == nil {
		if folder := filepath.Join(cache, "ptxsan"); os.MkdirAll(folder, 0o777) == nil {
			return folder
		}
	}
	return filepath.Join(os.TempDir(), "ptxsan")
}

// libraries returns the folder of the drop-in libraries, and compiles them if they are missing, which a terminal shows.
func libraries(c *cli.Context) (string, error) {
	progress := terminal.NewProgress(c.App.ErrWriter)
	dir, err := shim.Libraries(cacheFolder(), func(cc string) {
		progress.Step("compiling the drop-in CUDA libraries with " + cc + ", once for this version")
	})
	progress.Done()
	if err != nil {
		return "", command.Usagef("%w", err)
	}
	return dir, nil
}

// deviceOptions returns the device's options from the flags.
func deviceOptions(c *cli.Context) (*cuda.Options, error) {
	e, err := executionOf(c)
	if err != nil {
		return nil, err
	}
	o := &cuda.Options{Emulator: e.config, Strict: c.Bool("strict")}
	if o.Detectors, err = parseDetectors(c.String("detector")); err != nil {
		return nil, err
	}
	if inside := slices.IndexFunc(o.Detectors, func(d *session.Detector) bool { return !d.Listens() }); inside >= 0 &&
		len(o.Detectors) > 1 {
		return nil, command.Usagef("--detector: %s is inside the kernel: expected it alone, or detectors that listen",
			o.Detectors[inside].Name())
	}
	if session.Names(o.Detectors) == "precise" {
		o.Repeat = func(ctx context.Context, plan *session.Plan, ran emu.Stats) *report.Report {
			return fix.Repeat(ctx, fix.Options{Subject: trial.Subject{
				Plan:    plan,
				Session: session.Options{Detectors: o.Detectors, Emulator: e.config},
			}}, ran)
		}
	}
	if arch := c.String("arch"); arch != "" {
		if o.Target, err = cuda.ParseTarget(arch); err != nil {
			return nil, command.Usagef("--arch: %w", err)
		}
	}
	n := c.Int("multiprocessors")
	if n < 1 || n > cuda.MaxMultiprocessors {
		return nil, command.Usagef("--multiprocessors: expected a number from 1 to %d, found %d", cuda.MaxMultiprocessors, n)
	}
	o.Multiprocessors = uint32(n)
	devices := c.Int("devices")
	if devices < 1 || devices > cuda.MaxDevices {
		return nil, command.Usagef("--devices: expected a number from 1 to %d, found %d", cuda.MaxDevices, devices)
	}
	o.Devices = uint32(devices)
	if o.First, o.Last, err = launchRange(c.String("launches")); err != nil {
		return nil, err
	}
	if o.Skip, o.Count = c.Int("launch-skip"), c.Int("launch-count"); o.Skip < 0 || o.Count < 0 {
		return nil, command.Usagef("--launch-skip, --launch-count: expected a number from 0 on, found %d",
			min(o.Skip, o.Count))
	}
	if o.Sample, err = sampleOf(c); err != nil {
		return nil, err
	}
	if o.Sample.Samples() && o.InsideKernel() {
		return nil, command.Usagef("--sample, --time-budget: %s is inside the kernel: expected detectors that listen",
			o.Detectors[0].Name())
	}
	o.Leaks, o.APIErrors = c.String("leak-check") == "full", !c.Bool("no-api-errors")
	o.Save, o.Alone = c.String("save"), !c.Bool("children")
	o.Keep, o.Kept = c.String("keep"), filepath.Join(cacheFolder(), "ptx")
	if file := c.String("output"); file != "" {
		o.Kept = filepath.Join(filepath.Dir(file), "ptx")
	}
	chosen, excluded := report.Filter(c.StringSlice("kernel")), report.Filter(c.StringSlice("kernel-exclude"))
	o.Watch = func(kernel string) bool { return chosen.Chooses(kernel) && !excluded.Names(kernel) }
	o.Note = func(text string) { fmt.Fprintf(c.App.ErrWriter, "ptxsan: %s\n", text) }
	return o, nil
}

// launchRange parses N-M, N- or N.
func launchRange(text string) (first, last int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	if first, err = strconv.Atoi(from); err == nil && to != "" {
		last, err = strconv.Atoi(to)
	}
	if err != nil || first < 1 || last != 0 && last < first {
		return 0, 0, command.Usagef("--launches: expected numbers from 1 on, as in 3-5, found %q", text)
	}
	return first, last, nil
}

// execute runs the application on the device.
func execute(c *cli.Context, cmd *application.Command, app *application.Prepared,
	o *cuda.Options,
) (int, *report.Report, error) {
	server, err := wire.Listen(cmd.Socket, o)
	if err != nil {
		return 0, nil, err
	}
	return runServed(c, cmd, app, o, server, func(rep *report.Report) {
		for _, p := range server.Processes() {
			rep.Merge(p.Report())
		}
		if c.Bool("torch-host") && rep.Fidelity != nil {
			rep.AddFidelity(&report.Fidelity{Libraries: []report.StandIn{{
				Library: "PyTorch", Why: "its operators are computed by its code for processors (--torch-host)",
			}}})
		}
	})
}

// processServer serves the processes of an application.
type processServer interface {
	Serve()
	Close() error
}

// runServed runs the application while a server serves its processes, and returns the report of the findings.
func runServed(c *cli.Context, cmd *application.Command, app *application.Prepared, o *cuda.Options, s processServer,
	shown func(*report.Report),
) (int, *report.Report, error) {
	stop := limit(c, cmd, o)
	defer stop()
	long := longRun(c, o)
	go s.Serve()
	release := command.HoldInterrupts()
	code, err := cmd.Run(app, stop)
	release()
	flag := "" // --timeout or --time-budget, if it has ended the application
	switch {
	case errors.Is(o.Context.Err(), context.DeadlineExceeded):
		flag = "timeout"
	case errors.Is(context.Cause(o.Context), errBudget):
		flag = "time-budget"
		if code == killed {
			code = command.Clean
		}
	}
	stop()
	if wrong := s.Close(); err == nil {
		err = wrong
	}
	if err != nil {
		return 0, nil, err
	}
	rep := session.NewReport(o.Detectors, &o.Emulator)
	rep.ErrorLevel = c.String("error-level")
	shown(rep)
	if e := (*hostmemory.Exceeded)(nil); errors.As(context.Cause(o.Context), &e) {
		rep.Faults = append(rep.Faults, report.NoHostMemory(e.Error()))
		rep.Leave([]report.NotChecked{{Why: "the application was ended for want of host memory (--host-memory): " +
			"what it would have done from then on was not checked"}})
	}
	switch ended := func(n report.NotChecked) bool { return strings.Contains(n.Why, cuda.EndedBy(cmd.Ended)) }; {
	case flag != "":
		rep.Leave([]report.NotChecked{{Why: fmt.Sprintf("the application was ended after %s (--%s): what it would have done from then on was not checked", c.Duration(flag), flag)}})
	case cmd.Ended != 0 && !slices.ContainsFunc(rep.NotChecked, ended):
		rep.Leave([]report.NotChecked{{Why: cuda.EndedBy(cmd.Ended) + ": what it would have done from then on was not checked"}})
	}
	if advice := long(); advice != "" {
		rep.Notes = append(rep.Notes, advice)
	}
	rep.Finish()
	return code, rep, nil
}

// killed is the exit code of an application that has been killed.
const killed = 128 + int(syscall.SIGKILL)

// errBudget is the cause with which --time-budget cancels the application. The kernel that is executed then has no
// fault.
var errBudget = errors.New("--time-budget")

// limit cancels kernels and the application after --timeout or --time-budget, beyond --host-memory, and with --stop at
// the first fault. The function that it returns cancels them, too.
func limit(c *cli.Context, cmd *application.Command, o *cuda.Options) (stop func()) {
	signal.Reset(os.Interrupt, syscall.SIGTERM) // the application handles them
	kernels, end := context.WithCancelCause(context.WithoutCancel(c.Context))
	stop = func() { end(nil) }
	if bytes, err := hostMemory(c); err == nil && c.String("device") == "emu" {
		go hostmemory.NewLimit(bytes).Watch(kernels.Done(), func(e *hostmemory.Exceeded) { end(e) })
	}
	if d := c.Duration("time-budget"); d > 0 {
		timer := time.AfterFunc(d, func() { end(errBudget) })
		stop = func() { timer.Stop(); end(nil) }
	}
	if c.IsSet("timeout") && c.Duration("timeout") > 0 {
		limited, cancel := context.WithTimeoutCause(kernels, c.Duration("timeout"),
			command.TimeoutCause(c.Duration("timeout")))
		cancelAll := stop
		kernels, stop = limited, func() { cancel(); cancelAll() }
	}
	o.Context, cmd.Done = kernels, kernels.Done()
	if c.Bool("stop") {
		o.Finding = func(_, faults int) {
			if faults > 0 {
				stop()
			}
		}
	}
	return stop
}

// hostMemory returns the limit of the host's memory in bytes, 0 for the default.
func hostMemory(c *cli.Context) (uint64, error) {
	bytes, err := limits.ParseBytes(c.String("host-memory"))
	if err != nil {
		err = command.Usagef("--host-memory: %w", err)
	}
	return bytes, err
}

// finishExec writes the report and chooses the exit code. That of the application counts if nothing was found.
func finishExec(c *cli.Context, code int, rep *report.Report) error {
	if err := settle(c, rep); err != nil {
		return err
	}
	rep.Require("--kernel", c.StringSlice("kernel"), true)
	rep.Require("--kernel-exclude", c.StringSlice("kernel-exclude"), true)
	if !c.IsSet("output") {
		c.App.Writer = c.App.ErrWriter
	}
	if err := writeReport(c, rep); err != nil {
		return err
	}
	switch finding := findingCode(c, rep); {
	case rep.Verdict == report.Fault:
		return command.Exit(command.Faulted)
	case finding == command.Nothing && code != command.Clean:
		return command.Exit(code)
	case finding != command.Clean:
		return command.Exit(finding)
	}
	return command.Exit(code)
}
