package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/runtime/report"
)

func emulateCommand() *cli.Command {
	flags := []cli.Flag{launchFlag(), rootFlag(), noCheckFlag(), formatFlag(), colorFlag()}
	return &cli.Command{
		Name:      "emulate",
		Category:  "Execution",
		Usage:     "run kernels on the emulated GPU, without a detector",
		ArgsUsage: "FILE.ptx",
		Description: `Runs the launches of the launch file. Output of the kernels' printf, buffers and
statistics go to standard output; a fault of the kernel is explained there too
and makes the exit code 3. With --format json, faults and statistics are one
document, and printf goes to standard error.

--trace shows every instruction, --timeline when each warp ran, --stats what each
line cost: executions, divergence, bank conflicts, coalescing. docs/emulate.md
defines the numbers.

With --passes the program is instrumented first. What measuring passes find goes
to the file that the flag of their name gives, else to standard output; accesses
that boundscheck records are reported like faults, but the kernels run to the end.

Examples:
   ptxsan emulate --launch k.yaml --print out:8 --dump out=out.npy k.ptx
   ptxsan emulate --launch k.yaml --trace - --trace-filter block=0,warp=1 k.ptx
   ptxsan emulate --launch k.yaml --stats --timeline k.json.gz k.ptx
   ptxsan emulate --launch k.yaml --coverage k.lcov --instcount - k.ptx
   ptxsan emulate --launch k.yaml --passes boundscheck k.ptx`,
		Flags:  slices.Concat(flags, outputFlags(), observeFlags(), meterFlags(), pipelineFlags(), executionFlags(), profileFlags()),
		Action: profiled(emulateAction),
	}
}

func emulateAction(c *cli.Context) error {
	e, show, err := emulationOf(c)
	if err != nil {
		return err
	}
	o, err := observersOf(c, e)
	if err != nil {
		return err
	}
	ctx, cancel := withTimeout(c)
	defer cancel()
	out := &outcome{}
	err = e.trace.around(c, e.passes.pipeline, func() error {
		return o.around(c, func(l emu.Listener) error {
			e.config.Listener = l
			if failed := e.setUp(); failed != nil {
				return failed
			}
			out.Faults, out.stopped, err = e.run(ctx)
			return err
		})
	})
	if err != nil {
		return err
	}
	same, err := e.byOutcome(ctx, out.Faults)
	if err != nil {
		return err
	}
	if err = minimise(ctx, c, e.config.Record, same); err != nil {
		return err
	}
	if err = writeRecord(c, e.config.Record); err != nil {
		return err
	}
	if err = e.writeMeters(c); err != nil {
		return err
	}
	if !out.stopped {
		if err = show.show(c, e.dev); err != nil {
			return err
		}
	}
	out.Launches = e.dev.done
	if o.stats != nil {
		out.Statistics = o.stats.Report()
	}
	return out.report(c)
}

// emulationOf reads flags and files.
func emulationOf(c *cli.Context) (*emulation, outputs, error) {
	var show outputs
	name, err := oneFile(c)
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
	e := &emulation{config: exec.config}
	e.config.Stdout = c.App.Writer
	if c.String("format") == "json" {
		if len(c.StringSlice("print")) > 0 {
			return nil, show, usagef("--print writes text: use --dump with --format json")
		}
		e.config.Stdout = c.App.ErrWriter
	}
	if e.passes, err = watchOf(c, pipeline); err != nil {
		return nil, show, err
	}
	if e.user, err = readModule(c, name); err != nil {
		return nil, show, err
	}
	if err = checkStrict(c, e.user); err != nil {
		return nil, show, err
	}
	if c.String("launch") == "" {
		return nil, show, explainLaunch(c, e.user)
	}
	if e.file, err = loadLaunch(c, exec); err != nil {
		return nil, show, err
	}
	if show, err = outputsOf(c, e.file); err != nil {
		return nil, show, err
	}
	e.plan, err = planLaunches(e.user, e.file, "", exec)
	return e, show, err
}

// outcome is what there is to say of a run, apart from buffers.
type outcome struct {
	Launches   int                  `json:"launches"` // that ended, by themselves or by a fault
	Faults     []*report.FaultEvent `json:"faults"`   // recorded by passes, and the one that ended the run
	Statistics *observe.Statistics  `json:"statistics,omitempty"`

	stopped bool // by a fault
}

// report writes the outcome. Faults make the exit code.
func (o *outcome) report(c *cli.Context) error {
	write := o.writeText
	if c.String("format") == "json" {
		write = o.writeJSON
	}
	if err := write(c); err != nil {
		return err
	}
	if len(o.Faults) > 0 {
		return exit(exitFault)
	}
	return nil
}

func (o *outcome) writeText(c *cli.Context) error {
	w := c.App.Writer
	if o.Statistics != nil {
		fmt.Fprintf(w, "launches %d\n", o.Launches)
		if err := o.Statistics.WriteText(w); err != nil {
			return err
		}
	}
	switch {
	case len(o.Faults) == 0:
		return nil
	case !o.stopped:
		return report.WriteRecorded(w, o.Faults, textOptions(c))
	}
	rep := &report.Report{Faults: o.Faults}
	rep.Finish()
	return rep.WriteText(w, textOptions(c))
}

func (o *outcome) writeJSON(c *cli.Context) error {
	rep := &report.Report{Faults: o.Faults}
	rep.Finish()
	all := *o
	if all.Faults = rep.Faults; all.Faults == nil {
		all.Faults = []*report.FaultEvent{}
	}
	enc := json.NewEncoder(c.App.Writer)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(&all)
}
