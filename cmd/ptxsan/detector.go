package main

import (
	"strings"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/passes/iguard"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// detector joins the two halves of a race detector: the pass that puts it into
// the kernel and the host half that reads its findings.
type detector struct {
	name     string
	pipeline passes.Pipeline
	watch    *watch          // runs the pipeline
	out      *passes.Output  // set by instrument
	mod      *rewrite.Module // set by instrument
	host     *detect.IGuard  // set by attach
}

// detectorNames are the values of --detector; each is also the name of a pass.
var detectorNames = []string{"iguard"}

// newDetector reads a value of --detector, NAME or NAME<option=value,...>.
func newDetector(spec string) (*detector, error) {
	name, _, _ := strings.Cut(strings.TrimSpace(spec), "<")
	known := false
	for _, n := range detectorNames {
		known = known || n == name
	}
	if !known {
		return nil, usagef("--detector: unknown detector %q; detectors: %s", name, strings.Join(detectorNames, ", "))
	}
	p, err := passes.ParsePipeline(spec, all.Passes)
	if err != nil {
		return nil, usagef("--detector: %w", err)
	}
	if n := len(p.Passes()); n != 1 {
		return nil, usagef("--detector: expected one detector, found %d passes", n)
	}
	return &detector{name: name, pipeline: p, watch: newWatch(p)}, nil
}

// instrument runs the detector's passes and reads the text that they made as a
// GPU's driver would: the module that is returned knows nothing of the passes. The
// result is kept for further runs.
func (d *detector) instrument(user *rewrite.Module) (*rewrite.Module, error) {
	if d.mod != nil {
		return d.mod, nil
	}
	out, err := d.watch.run(user)
	if err != nil {
		return nil, err
	}
	d.out = out
	d.mod, err = loadText(user.AST.File.Name, text(out.Module))
	return d.mod, err
}

// attach makes the host half for a new device.
func (d *detector) attach() (err error) {
	d.host, err = detect.NewIGuard(d.out.Results[iguard.Pass.Name].(*iguard.Result).Options)
	return err
}

// prepare sets up the detector's memory for a launch.
func (d *detector) prepare(dev *device, l *launch.Launch) error {
	largest, slots := dev.extent()
	return d.host.Prepare(dev, detect.LaunchShape{Grid: l.Grid, Block: l.Block, LargestAllocation: largest, Slots: slots})
}

func (d *detector) collect(dev *device) ([]detect.Race, error) { return d.host.Collect(dev) }

func (d *detector) dropped() uint64 { return d.host.Dropped() }
