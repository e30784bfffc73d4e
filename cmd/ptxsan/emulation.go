package main

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// emulation is a run of the launches of a file, of a program that passes may have
// instrumented.
type emulation struct {
	user   *rewrite.Module
	file   *launch.File
	plan   []planned
	passes *watch
	config emu.Config
	dev    *device // set by setUp
	meters []meter // set by setUp
	trace  traceFile
}

// setUp instruments the program and makes the device. The device reads the text
// that the passes made, as a GPU's driver would.
func (e *emulation) setUp() error {
	out, err := e.passes.run(e.user)
	if err != nil {
		return err
	}
	mod := e.user
	if out.Module != mod {
		if mod, err = loadText(mod.AST.File.Name, text(out.Module)); err != nil {
			return err
		}
		e.config.Blame = blamer(e.user, out)
		e.config.MemoryLimit = cmp.Or(e.config.MemoryLimit, emu.DefaultMemoryLimit) + detectorMemory
	}
	if e.dev, err = newDevice(mod, e.file, e.config); err != nil {
		return err
	}
	e.meters = newMeters(e.user, out, e.passes.pipeline, e.dev, &e.trace)
	return nil
}

// run runs the launches up to the first that faults. The faults are those that
// passes recorded and, when stopped, the one of the emulator that ended the run.
func (e *emulation) run(ctx context.Context) (faults []*report.FaultEvent, stopped bool, err error) {
	names := naming{user: e.user, dev: e.dev}
	for _, p := range e.plan {
		for _, m := range e.meters {
			if m.prepare == nil {
				continue
			}
			if err := m.prepare(); err != nil {
				return nil, false, badInput(p.Errorf("%v", err))
			}
		}
		fatal, err := e.dev.run(ctx, p)
		if err != nil {
			return nil, false, err
		}
		recorded, err := e.collect(p)
		if err != nil {
			return nil, false, err
		}
		faults = append(faults, recorded...)
		if len(fatal) > 0 {
			return append(faults, names.faults(fatal)...), true, nil
		}
	}
	return faults, false, nil
}

// collect reads what the passes recorded of one launch.
func (e *emulation) collect(p planned) ([]*report.FaultEvent, error) {
	var events []*report.FaultEvent
	for _, m := range e.meters {
		if m.collect == nil {
			continue
		}
		found, err := m.collect(p)
		if err != nil {
			return nil, err
		}
		events = append(events, found...)
	}
	return events, nil
}

// writeMeters writes what the measuring passes found.
func (e *emulation) writeMeters(c *cli.Context) error {
	var errs []error
	for _, m := range e.meters {
		if m.write != nil {
			errs = append(errs, writeOutput(c, c.String(m.pass), func(w io.Writer) error { return m.write(w) }))
		}
	}
	return errors.Join(errs...)
}
