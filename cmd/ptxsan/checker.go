package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// checker runs the launches of a file under detectors.
type checker struct {
	user     *rewrite.Module
	file     *launch.File
	plan     []planned
	dets     []*detector
	exec     execution
	progress *progress
	stdout   io.Writer // printf of the kernels
	timeline *raceTimeline
	steps    uint64 // limit of an instrumented launch, set by run
}

// run checks all launches. The program runs once as it is: whether threads spin for
// ever can be told there only, because a detector's bookkeeping changes memory all
// the time; and detectors that listen do so. Then it runs instrumented for each of
// the other detectors; its limit of steps follows from the first run.
func (k *checker) run(ctx context.Context) (*report.Report, error) {
	rep := &report.Report{
		Tool: report.Tool{Name: "ptxsan", Version: version}, Detector: names(k.dets),
		Runs: 1, Seed: k.exec.config.Seed, Schedule: k.exec.policy,
	}
	if err := k.refuseNested(); err != nil {
		return nil, err
	}
	dev, faults, err := k.runBare(ctx, rep)
	if err != nil {
		return nil, err
	}
	rep.Stats = report.Stats{
		Launches: dev.done, WarpInstructions: dev.stats.WarpInstructions, ThreadInstructions: dev.stats.ThreadInstructions,
	}
	k.steps = instrumentedSteps(dev.longest, len(faults) == 0)
	for _, d := range k.dets {
		if !d.listens() {
			var later []*report.FaultEvent
			if dev, later, err = k.runInstrumented(ctx, d, rep, k.steps); err != nil {
				return nil, err
			}
			if len(faults) == 0 {
				faults = later
			}
			rep.Stats.Dropped += d.host.Dropped()
			rep.Stats.InstrumentedWarpInstructions += dev.stats.WarpInstructions
		}
		rep.Stats.Sites += d.accesses()
	}
	rep.Faults = faults
	rep.Finish()
	rep.Expect, err = compareExpect(k.file, rep, dev)
	return rep, err
}

// refuseNested refuses programs that launch kernels from kernels for detectors inside the
// kernel, whose memory is set up by the host for each launch.
func (k *checker) refuseNested() error {
	for _, d := range k.dets {
		if d.listens() {
			continue
		}
		for _, f := range k.user.Funcs {
			if i := slices.IndexFunc(f.Insts, emu.LaunchesGrid); i >= 0 {
				return badInput(fmt.Errorf("%s: detector %s cannot check kernels that kernels launch: expected a detector that is not part of the kernel, such as scord", f.Insts[i].Position(), d.name()))
			}
		}
	}
	return nil
}

// printing is the detector in whose run printf of the kernels is shown, nil when all
// detectors listen.
func (k *checker) printing() *detector {
	if i := slices.IndexFunc(k.dets, func(d *detector) bool { return !d.listens() }); i >= 0 {
		return k.dets[i]
	}
	return nil
}

// runBare runs the user's program as it is, up to the first fault, and adds the races
// that the listening detectors find to the report.
func (k *checker) runBare(ctx context.Context, rep *report.Report) (*device, []*report.FaultEvent, error) {
	cfg := k.exec.config
	if k.printing() != nil {
		cfg = bare(cfg)
	} else {
		cfg.Stdout = k.stdout
	}
	var listening []*detector
	var ears []emu.Listener
	for _, d := range k.dets {
		if d.listens() {
			if err := d.listenTo(k.user, k.plan); err != nil {
				return nil, nil, err
			}
			listening, ears = append(listening, d), append(ears, d.events)
		}
	}
	if k.printing() == nil {
		ears = append([]emu.Listener{k.timeline.follow(listening)}, ears...)
	}
	cfg.Listener = observe.Tee(append(ears, cfg.Listener)...)
	dev, err := newDevice(k.user, k.file, cfg)
	if err != nil {
		return nil, nil, err
	}
	for i, p := range k.plan {
		k.progress.step(fmt.Sprintf("running launch %d of %d: %s", i+1, len(k.plan), p.Kernel))
		faults, err := k.launch(ctx, dev, p, listening, rep)
		if err != nil || len(faults) > 0 {
			return dev, faults, err
		}
	}
	return dev, nil, nil
}

// runInstrumented runs the program instrumented for a detector, up to the first
// fault, and adds its races to the report. A launch ends after so many steps at the
// latest.
func (k *checker) runInstrumented(ctx context.Context, d *detector, rep *report.Report, steps uint64) (*device, []*report.FaultEvent, error) {
	k.progress.step("instrumenting for " + d.name())
	mod, err := d.instrument(k.user, k.plan)
	if err != nil {
		return nil, nil, err
	}
	for _, note := range d.out.Diagnostics {
		rep.Notes = append(rep.Notes, note.String())
	}
	cfg := instrumented(k.exec.config)
	cfg.Listener = observe.Tee(cfg.Listener, k.timeline.followInside(d))
	cfg.Blame, cfg.MaxSteps = blamer(k.user, d.out), steps
	if d == k.printing() {
		cfg.Stdout = k.stdout
	}
	cfg.MemoryLimit = cmp.Or(cfg.MemoryLimit, emu.DefaultMemoryLimit) + detectorMemory
	if err = d.attach(); err != nil {
		return nil, nil, err
	}
	var dev *device
	cfg.Poll = d.poll(&dev)
	if dev, err = newDevice(mod, k.file, cfg); err != nil {
		return nil, nil, err
	}
	for i, p := range k.plan {
		k.progress.step(fmt.Sprintf("checking launch %d of %d: %s", i+1, len(k.plan), p.Kernel))
		faults, err := k.launch(ctx, dev, p, []*detector{d}, rep)
		if err != nil || len(faults) > 0 {
			return dev, faults, err
		}
	}
	return dev, nil, nil
}

// detectorMemory is what a detector may allocate beside the program's own memory,
// in bytes.
const detectorMemory = 8 << 30

// instrumentedSteps is the limit on the steps of an instrumented launch, from the
// warp instructions of the program's longest launch without instrumentation. A hook
// takes at most a few thousand, when it handles the lanes one after the other. A
// program that does not end need not be waited for so long: what races it has by
// then is all that the report can say.
func instrumentedSteps(bare uint64, ends bool) uint64 {
	const atLeast, perInstruction, usual = 10_000_000, 10_000, 200
	if ends {
		return atLeast + perInstruction*min(bare, 1<<48)
	}
	return atLeast + min(usual*min(bare, 1<<48), emu.DefaultMaxSteps/4)
}

// launch runs one launch under detectors and adds what they found to the report.
func (k *checker) launch(ctx context.Context, dev *device, p planned, dets []*detector, rep *report.Report) ([]*report.FaultEvent, error) {
	for _, d := range dets {
		if err := d.prepare(k.user, dev, p); err != nil {
			return nil, badInput(p.Errorf("%v", err))
		}
	}
	names := naming{user: k.user, dev: dev, block: p.Block, kernel: p.kernel.Name}
	k.timeline.begin(names, p.checked)
	stopped, err := dev.run(ctx, p)
	if err != nil {
		return nil, err
	}
	faults := names.faults(stopped)
	for _, d := range dets {
		races, err := d.collect(dev)
		if err != nil {
			return nil, err
		}
		names.sites = d.sites()
		k.timeline.draw(d, races)
		for i := range races {
			if !p.checked {
				continue
			}
			x := names.race(&races[i])
			if len(k.dets) > 1 {
				x.Detectors = []string{d.name()}
			}
			rep.Races = append(rep.Races, x)
		}
		if p.checked {
			faults = names.found(faults, d)
		}
	}
	return faults, nil
}

// printStatistics prints what detectors on the host say about their work.
func (k *checker) printStatistics(w io.Writer) {
	for _, d := range k.dets {
		if d.events != nil && d.events.Ignored() > 0 {
			printLines(w, d.name(), []string{fmt.Sprintf("%d elided", d.events.Ignored())})
		}
		for _, half := range []any{d.listener, d.host} {
			if s, ok := half.(interface{ Statistics() []string }); ok {
				printLines(w, d.name(), s.Statistics())
			}
		}
	}
}

// printLines prints what a detector says about its work.
func printLines(w io.Writer, name string, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(w, "detector %s: %s\n", name, line)
	}
}

func (n *naming) faults(list []*emu.Fault) []*report.FaultEvent {
	var out []*report.FaultEvent
	for _, f := range list {
		out = append(out, n.fault(f))
	}
	return out
}
