package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/barracuda"
	"github.com/ptxsan/ptxsan/runtime/input"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Trace files: what barracuda is told of a run, to check it again elsewhere.

func traceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "save-trace", Usage: "write what the detector barracuda is told of the run to `FILE`", Category: catOutput},
		&cli.StringFlag{Name: "trace", Usage: "check what --save-trace wrote to `FILE`, in place of a program", Category: catExecution},
	}
}

// tracing is the writer that --save-trace asks for.
type tracing struct {
	file io.Writer
	*barracuda.Writer
}

// begin writes the header when the table of sites is known, and has the listener write
// what it is told.
func (t *tracing) begin(l *barracuda.Listener, sites []abi.Site) (err error) {
	t.Writer, err = barracuda.NewWriter(t.file, sites)
	if err == nil {
		l.Record(t.Writer)
	}
	return err
}

// runSaved is runShown with the trace that --save-trace asks for.
func (k *checker) runSaved(ctx context.Context, c *cli.Context) (rep *report.Report, err error) {
	name := c.String("save-trace")
	if name == "" {
		return k.runShown(ctx, c)
	}
	d := k.detectorOf(barracudaPass.Name)
	switch {
	case d == nil:
		return nil, usagef("--save-trace: expected the detector %s, found %s", barracudaPass.Name, names(k.dets))
	case !d.listens():
		return nil, usagef("--save-trace: expected the detector %s without the option instrumented", barracudaPass.Name)
	}
	var failed error
	err = writeOutput(c, name, func(w io.Writer) error {
		d.trace = &tracing{file: w}
		if rep, failed = k.runShown(ctx, c); failed != nil {
			return failed
		}
		return d.trace.Close()
	})
	if failed != nil {
		return nil, failed
	}
	return rep, err
}

// detectorOf is the detector of that name, nil when it is not at work.
func (k *checker) detectorOf(name string) *detector {
	for _, d := range k.dets {
		if d.name() == name {
			return d
		}
	}
	return nil
}

// checkTrace is check of a trace file.
func checkTrace(c *cli.Context) error {
	if c.NArg() > 0 {
		return usagef("--trace: expected no PTX file, found %q", c.Args().Slice())
	}
	spec := barracudaPass.Name
	if c.IsSet("detector") {
		spec = c.String("detector")
	}
	dets, err := newDetectors(spec)
	if err != nil {
		return err
	}
	if len(dets) != 1 || dets[0].kind.pass != barracudaPass {
		return usagef("--trace: expected the detector %s, found %s", barracudaPass.Name, names(dets))
	}
	d, err := barracuda.New(dets[0].pipeline.Options(0).(*barracudaOptions).Options)
	if err != nil {
		return err
	}
	name := c.String("trace")
	f, err := input.Open(name, math.MaxInt64)
	if err != nil {
		return badInput(err)
	}
	defer f.Close()
	rep, err := reportTrace(bufio.NewReader(f), d)
	if err != nil {
		return badInput(fmt.Errorf("%s: %w", name, err))
	}
	if c.Bool("stats") {
		printLines(c.App.ErrWriter, barracudaPass.Name, d.Statistics())
	}
	return finishCheck(c, rep, nil)
}

// reportTrace checks the launches of a trace file.
func reportTrace(r io.Reader, d *barracuda.Detector) (*report.Report, error) {
	t, err := barracuda.NewReader(r)
	if err != nil {
		return nil, err
	}
	rep := &report.Report{Tool: report.Tool{Name: "ptxsan", Version: version}, Detector: barracudaPass.Name, Runs: 1}
	for {
		l, err := t.Launch()
		if errors.Is(err, io.EOF) {
			rep.Finish()
			return rep, nil
		}
		if err != nil {
			return nil, err
		}
		races, err := checkLaunch(t, d, l)
		if err != nil {
			return nil, err
		}
		rep.Stats.Launches++
		names := naming{sites: t.Sites(), regions: l.Regions, block: l.Block, kernel: l.Kernel}
		for i := range races {
			rep.Races = append(rep.Races, names.race(&races[i]))
		}
		rep.Faults = names.detected(rep.Faults, d)
	}
}

func checkLaunch(t *barracuda.Reader, d *barracuda.Detector, l detect.Launch) ([]detect.Race, error) {
	d.Begin(l)
	var op barracuda.Op
	for {
		switch err := t.Op(&op); {
		case errors.Is(err, io.EOF):
			return d.End(), nil
		case err != nil:
			d.End()
			return nil, err
		}
		d.Op(&op)
	}
}

// siteSource is the place of a site as reports have it.
func siteSource(s *abi.Source) *report.Source {
	if s == nil {
		return nil
	}
	out := &report.Source{File: s.File, Line: s.Line, Column: s.Column}
	for at := s.InlinedAt; at != nil; at = at.InlinedAt {
		out.InlinedAt = append(out.InlinedAt, report.Frame{File: at.File, Line: at.Line, Column: at.Column})
	}
	return out
}
