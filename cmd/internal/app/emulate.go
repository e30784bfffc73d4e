// The command emulate.

package app

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/output"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func emulateCommand() *cli.Command {
	flags := []cli.Flag{
		command.LaunchFlag(), command.RootFlag(), command.NoCheckFlag(), command.FormatFlag(),
		command.ColorFlag(), deviceFlag(""),
	}
	return &cli.Command{
		Name:      "emulate",
		Category:  "Execution",
		Usage:     "run kernels on the emulated GPU, without a detector",
		ArgsUsage: "FILE.ptx|FILE.cu",
		Description: `Runs the launches of the launch file. Output of the kernels' printf, buffers and
statistics go to standard output; a fault of the kernel is explained there too
and makes the exit code 3. With --format json, faults and statistics are one
document, and printf goes to standard error.

--trace shows every instruction, --timeline when each warp ran, --stats the cost of
each line: executions, divergence, bank conflicts, coalescing. docs/emulate.md
defines the numbers.

With --passes the program is instrumented first. Results of measuring passes go to
the file that the flag of the same name gives, otherwise to standard output.
Accesses that boundscheck records are reported like faults, but the kernels run to
the end.

Examples:
   ptxsan emulate --launch k.yaml --print out:8 --dump out=out.npy k.ptx
   ptxsan emulate --launch k.yaml --trace - --trace-filter block=0,warp=1 k.ptx
   ptxsan emulate --launch k.yaml --stats --timeline k.json.gz k.ptx
   ptxsan emulate --launch k.yaml --coverage k.lcov --instcount - k.ptx
   ptxsan emulate --launch k.yaml --passes boundscheck k.ptx`,
		Flags: slices.Concat(flags, command.SourceFlags(), outputFlags(), observeFlags(), meterFlags(),
			command.PipelineFlags(), executionFlags(), profileFlags()),
		Action: profiled(emulateAction),
	}
}

func emulateAction(c *cli.Context) error {
	ctx, cancel := command.Timeout(c)
	defer cancel()
	e, show, err := emulationOf(c)
	if err != nil {
		return err
	}
	e.options.Starting = func() { command.Running(ctx) }
	o, err := observersOf(c)
	if err != nil {
		return err
	}
	out := &session.Outcome{}
	err = e.tracing(c, func() error {
		return o.around(c, e, func() error { return e.play(ctx, out) })
	})
	if err != nil {
		return err
	}
	if err = record(ctx, c, e.session, e.plan); err != nil {
		return err
	}
	if err = e.writeMeters(c); err != nil {
		return err
	}
	if !out.Stopped {
		if err = show.show(c, e.session); err != nil {
			return err
		}
	}
	if o.stats != nil {
		out.Statistics = o.stats.Report()
	}
	return writeOutcome(c, out)
}

// emulation runs the launches of a file, with a program that passes may have instrumented.
type emulation struct {
	plan    *session.Plan
	options session.Options
	session *session.Session // set by open
}

// open opens the session. The listeners of the options may use it from then on.
func (e *emulation) open() (err error) {
	e.session, err = session.Open(e.options)
	return err
}

// play runs the launches up to the first fault. The faults are those that passes recorded and, if the run was stopped,
// the emulator's fault that ended it.
func (e *emulation) play(ctx context.Context, out *session.Outcome) error {
	if err := e.plan.Play(ctx, e.session); err != nil {
		return err
	}
	rep := e.session.Report()
	out.Faults, out.Launches, out.Stopped = rep.Faults, rep.Stats.Launches, e.session.Stopped()
	return nil
}

// tracing calls body, which runs kernels. If the pass memtrace runs, its file is open meanwhile. The file appears at
// the end of a run without an error.
func (e *emulation) tracing(c *cli.Context, body func() error) error {
	if !slices.Contains(e.options.Passes.Passes(), all.MemTrace) {
		return body()
	}
	return command.WriteDuring(c, c.String(all.MemTrace.Name), func(w io.Writer) error {
		e.options.MemTrace = output.Escaping(w)
		return body()
	}, nil)
}

// writeMeters writes the results of the measuring passes.
func (e *emulation) writeMeters(c *cli.Context) error {
	var errs []error
	for _, m := range e.session.Meters() {
		if m.Write != nil {
			errs = append(errs, command.WriteOutput(c, c.String(m.Pass), m.Write))
		}
	}
	return errors.Join(errs...)
}

// emulationOf reads flags and files.
func emulationOf(c *cli.Context) (*emulation, outputs, error) {
	var show outputs
	name, err := command.OneFile(c)
	if err != nil {
		return nil, show, err
	}
	exec, err := executionOf(c)
	if err != nil {
		return nil, show, err
	}
	pipeline, err := meteredPipeline(c)
	if err != nil {
		return nil, show, err
	}
	if _, err = command.PassTimerOf(c, pipeline); err != nil {
		return nil, show, err
	}
	e := &emulation{options: session.Options{Emulator: exec.config, Passes: pipeline, RunPasses: passRunner(c)}}
	e.options.Emulator.Stdout = command.Data(c)
	if c.String("format") == "json" {
		if len(c.StringSlice("print")) > 0 {
			return nil, show, command.Usagef("--print writes text: use --dump with --format json")
		}
		e.options.Emulator.Stdout = c.App.ErrWriter
	}
	mod, file, err := readLaunched(c, name, exec)
	if err != nil || mod == nil {
		return nil, show, err
	}
	if show, err = outputsOf(c, file); err != nil {
		return nil, show, err
	}
	if e.options.GPU, err = deviceOf(c); err != nil {
		return nil, show, err
	}
	e.plan, err = session.NewPlan(session.NewProgram(mod), file, exec.config.MaxSteps)
	return e, show, err
}

// writeOutcome writes the outcome of a run. The exit code depends on its faults.
func writeOutcome(c *cli.Context, o *session.Outcome) error {
	var err error
	if c.String("format") == "json" {
		err = o.WriteJSON(c.App.Writer)
	} else {
		err = o.WriteText(c.App.Writer, textOptions(c, nil))
	}
	if err == nil && len(o.Faults) > 0 {
		err = command.Exit(command.Faulted)
	}
	return err
}
