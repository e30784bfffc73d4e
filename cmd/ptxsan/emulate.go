package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

func emulateCommand() *cli.Command {
	flags := []cli.Flag{
		launchFlag(), noCheckFlag(),
		&cli.StringSliceFlag{Name: "print", Usage: "print buffer `NAME[:n]`, the first n elements; repeatable", Category: catOutput},
		&cli.StringSliceFlag{Name: "dump", Usage: "write the bytes of buffer NAME to a file, as `NAME=FILE`; repeatable", Category: catOutput},
		&cli.BoolFlag{Name: "stats", Usage: "print statistics; those of the passes on standard error", Category: catOutput},
		colorFlag(),
	}
	return &cli.Command{
		Name:      "emulate",
		Category:  "Execution",
		Usage:     "run kernels on the emulated GPU, without a detector",
		ArgsUsage: "FILE.ptx",
		Description: `Runs the launches of the launch file. Output of the kernels' printf, buffers and
statistics go to standard output; a fault of the kernel is explained there too
and makes the exit code 3.

With --passes the program is instrumented first. What measuring passes find goes
to the file that the flag of their name gives, else to standard output; accesses
that boundscheck records are reported like faults, but the kernels run to the end.

Examples:
   ptxsan emulate --launch k.yaml --print out:8 --dump out=out.bin k.ptx
   ptxsan emulate --launch k.yaml --coverage k.lcov --instcount - k.ptx
   ptxsan emulate --launch k.yaml --passes boundscheck k.ptx`,
		Flags:  slices.Concat(flags, meterFlags(), pipelineFlags(), executionFlags()),
		Action: emulateAction,
	}
}

func emulateAction(c *cli.Context) error {
	e, show, err := emulationOf(c)
	if err != nil {
		return err
	}
	if err = e.setUp(); err != nil {
		return err
	}
	ctx, cancel := withTimeout(c)
	defer cancel()
	faults, stopped, err := e.run(ctx)
	if err != nil {
		return err
	}
	if err = e.writeMeters(c); err != nil {
		return err
	}
	if !stopped {
		if err = showResults(c, e.dev, show); err != nil {
			return err
		}
	}
	return reportFaults(c, faults, stopped)
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
	if e.passes, err = watchOf(c, pipeline); err != nil {
		return nil, show, err
	}
	if e.user, err = readModule(c, name); err != nil {
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

// reportFaults reports what went wrong, if anything: recorded by passes or, when
// stopped, also a fault that ended the run.
func reportFaults(c *cli.Context, faults []*report.FaultEvent, stopped bool) error {
	if len(faults) == 0 {
		return nil
	}
	var err error
	if stopped {
		rep := &report.Report{Faults: faults}
		rep.Finish()
		err = rep.WriteText(c.App.Writer, textOptions(c))
	} else {
		err = report.WriteRecorded(c.App.Writer, faults, textOptions(c))
	}
	if err != nil {
		return err
	}
	return exit(exitFault)
}

// outputs are the buffers to print and to write.
type outputs struct {
	print []printed
	dump  []dumped
}

type printed struct {
	buffer *launch.Buffer
	count  uint64
}

type dumped struct {
	buffer *launch.Buffer
	file   string
}

func outputsOf(c *cli.Context, file *launch.File) (outputs, error) {
	var o outputs
	for _, arg := range c.StringSlice("print") {
		name, limit, limited := strings.Cut(arg, ":")
		b := file.Buffer(name)
		if b == nil {
			return o, usagef("--print %s: %s has no buffer %q", arg, file.Name, name)
		}
		p := printed{b, b.Count}
		if limited {
			n, err := strconv.ParseUint(limit, 10, 64)
			if err != nil {
				return o, usagef("--print %s: expected NAME or NAME:n with a number of elements", arg)
			}
			p.count = min(n, b.Count)
		}
		o.print = append(o.print, p)
	}
	for _, arg := range c.StringSlice("dump") {
		name, path, ok := strings.Cut(arg, "=")
		b := file.Buffer(name)
		if !ok || path == "" {
			return o, usagef("--dump %s: expected NAME=FILE", arg)
		}
		if b == nil {
			return o, usagef("--dump %s: %s has no buffer %q", arg, file.Name, name)
		}
		o.dump = append(o.dump, dumped{b, path})
	}
	return o, nil
}

func showResults(c *cli.Context, dev *device, o outputs) error {
	for _, p := range o.print {
		if err := printBuffer(c.App.Writer, dev, p); err != nil {
			return err
		}
	}
	for _, d := range o.dump {
		err := writeOutput(c, d.file, func(w io.Writer) error {
			return dev.copyBuffer(d.buffer, d.buffer.Count, func(p []byte) error { _, err := w.Write(p); return err })
		})
		if err != nil {
			return err
		}
	}
	if c.Bool("stats") {
		fmt.Fprintf(c.App.Writer, "launches %d\nwarp-instructions %d\nthread-instructions %d\n", dev.done, dev.stats.WarpInstructions, dev.stats.ThreadInstructions)
	}
	return nil
}

// perLine is the number of elements in a line of a printed buffer.
const perLine = 8

func printBuffer(w io.Writer, dev *device, p printed) error {
	fmt.Fprintf(w, "%s: %d x %s\n", p.buffer.Name, p.buffer.Count, p.buffer.Type)
	i, size := uint64(0), p.buffer.Type.Size()
	err := dev.copyBuffer(p.buffer, p.count, func(chunk []byte) error {
		for ; len(chunk) > 0; chunk = chunk[size:] {
			if i%perLine == 0 {
				fmt.Fprintf(w, "%6d:", i)
			}
			fmt.Fprintf(w, " %s", p.buffer.Type.Format(chunk))
			if i++; i%perLine == 0 || i == p.count {
				fmt.Fprintln(w)
			}
		}
		return nil
	})
	if err == nil && p.count < p.buffer.Count {
		fmt.Fprintf(w, "        ... %d more\n", p.buffer.Count-p.count)
	}
	return err
}

// copyBuffer passes the first count elements of a buffer on, in pieces of whole
// elements.
func (d *device) copyBuffer(b *launch.Buffer, count uint64, f func(p []byte) error) error {
	read := d.readBuffer(b.Name)
	total := count * uint64(b.Type.Size())
	buf := make([]byte, min(total, 1<<16))
	for off := uint64(0); off < total; off += uint64(len(buf)) {
		buf = buf[:min(total-off, uint64(len(buf)))]
		if err := read(off, buf); err != nil {
			return err
		}
		if err := f(buf); err != nil {
			return err
		}
	}
	return nil
}
