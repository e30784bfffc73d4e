package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/barracuda"
)

// detector is a race detector at work: one inside the kernel, which a pass puts
// there and whose findings the host half reads, or one that listens to the program
// as it is.
type detector struct {
	kind     *detectorKind
	pipeline passes.Pipeline // of its pass, with the options

	watch *watch          // runs the pipeline
	out   *passes.Output  // set by instrument
	mod   *rewrite.Module // set by instrument
	host  detect.InKernel // set by attach

	listener detect.Detector // set by listenTo
	events   *observe.Events // set by listenTo
	exempt   exemptions      // of the program, set by listenTo
	trace    *tracing        // with --save-trace
}

func (d *detector) name() string { return d.kind.pass.Name }

// listens reports whether the detector listens to the program as it is.
func (d *detector) listens() bool {
	return d.kind.listen != nil && (d.kind.instruments == nil || !d.kind.instruments(d.pipeline.Options(0)))
}

// newDetectors reads the value of --detector: names separated by commas, each with
// options as NAME<option=value,...>.
func newDetectors(spec string) ([]*detector, error) {
	p, err := passes.ParsePipeline(spec, detectorPasses())
	if err != nil {
		var pe *passes.PipelineError
		if errors.As(err, &pe) {
			err = fmt.Errorf("%q, column %d: %s", pe.Text, pe.Col, strings.NewReplacer("unknown pass", "unknown detector", "passes:", "detectors:", "of a pass", "of a detector", "pass ", "detector ").Replace(pe.Msg))
		}
		return nil, usagef("--detector: %w", err)
	}
	var list []*detector
	seen := make(map[string]bool)
	for _, one := range p.Split() {
		d := &detector{kind: kindOf(one.Passes()[0]), pipeline: one, watch: newWatch(one)}
		if seen[d.name()] {
			return nil, usagef("--detector: %s is named twice", d.name())
		}
		seen[d.name()] = true
		if d.listens() {
			if _, err := d.kind.listen(one.Options(0)); err != nil {
				return nil, usagef("--detector: %w", err)
			}
		}
		list = append(list, d)
	}
	if list == nil {
		return nil, usagef("--detector: expected a detector")
	}
	return list, nil
}

// detectorsOf reads --detector and the flags that watch its passes run.
func detectorsOf(c *cli.Context) ([]*detector, error) {
	list, err := newDetectors(c.String("detector"))
	if err != nil {
		return nil, err
	}
	var all passes.Pipeline
	runs, listening := 0, 0 // those that listen share a run
	for _, d := range list {
		if d.listens() {
			listening = 1
			continue
		}
		all = all.Append(d.pipeline)
		d.watch = watcher(c, d.pipeline)
		runs++
	}
	if _, err := watchOf(c, all); err != nil {
		return nil, err
	}
	for _, flag := range []string{"record", "replay", "timeline"} {
		if runs+listening > 1 && c.String(flag) != "" {
			return nil, usagef("--%s: expected one detector, found %s, which take runs of their own", flag, names(list))
		}
	}
	return list, nil
}

// names is the detectors' names.
func names(list []*detector) string {
	var words []string
	for _, d := range list {
		words = append(words, d.name())
	}
	return strings.Join(words, ",")
}

// instrument runs the detector's passes, for what the launches of a plan give kernels, and
// reads the text that they made as a GPU's driver would: the module that is returned knows
// nothing of the passes. The result is kept for further runs.
func (d *detector) instrument(user *rewrite.Module, plan []planned) (*rewrite.Module, error) {
	if d.mod != nil {
		return d.mod, nil
	}
	d.watch.driver.Given = programOf(user, plan).Given
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
	d.host, err = d.kind.inKernel(d.out.Results[d.name()])
	return err
}

// poll lets the host half read what the running kernel has written, if it wants to. The
// device is the one that will be there by then.
func (d *detector) poll(dev **device) func() bool {
	p, ok := d.host.(detect.Polling)
	if !ok {
		return nil
	}
	return func() bool { return p.Poll(*dev) }
}

// listenTo makes the detector that listens to runs of a module by the launches of a plan.
func (d *detector) listenTo(user *rewrite.Module, plan []planned) (err error) {
	d.listener, err = d.kind.listen(d.pipeline.Options(0))
	if err == nil {
		d.events = observe.NewEvents(user, emu.Needs(detect.NeedsOf(d.listener)), d.listener.Event)
		if b, ok := d.listener.(detect.Batching); ok {
			d.events.EmitBatches(b.Accesses)
		}
	}
	if err == nil && d.kind.study != nil {
		if d.exempt == nil {
			d.exempt = exempt(user, programOf(user, plan))
		}
		err = d.kind.study(d.pipeline.Options(0), d.listener, user, d.exempt, d.events)
	}
	if err == nil && d.trace != nil {
		err = d.trace.begin(d.listener.(*barracuda.Listener), d.events.Sites())
	}
	return err
}

// sites is the table that the detector's races refer to.
func (d *detector) sites() []abi.Site {
	if d.listens() {
		return d.events.Sites()
	}
	return d.out.Sites
}

// accesses counts the places where the detector checks accesses.
func (d *detector) accesses() int {
	n := 0
	for _, s := range d.sites() {
		if s.Size > 0 {
			n++
		}
	}
	return n
}

// prepare sets the detector up for a launch.
func (d *detector) prepare(user *rewrite.Module, dev *device, p planned) error {
	shape := detect.LaunchShape{Grid: p.Grid, Block: p.Block, Cluster: p.cluster()}
	dev.extent(&shape)
	var err error
	if shape.Shared, err = dev.SharedSize(p.kernel.Name, p.Shared); err != nil {
		return err
	}
	if d.listens() {
		l := detect.Launch{Kernel: p.kernel.Name, LaunchShape: shape}
		if d.trace != nil {
			l.Regions = (&naming{user: user, dev: dev, kernel: p.kernel.Name}).namedRegions()
		}
		d.listener.Begin(l)
		return nil
	}
	return d.host.Prepare(dev, shape)
}

// collect is the races of the launch.
func (d *detector) collect(dev *device) ([]detect.Race, error) {
	if d.listens() {
		return d.listener.End(), nil
	}
	return d.host.Collect(dev)
}
