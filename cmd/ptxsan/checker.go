package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// checker runs the launches of a file under a detector.
type checker struct {
	user     *rewrite.Module
	file     *launch.File
	plan     []planned
	det      *detector
	exec     execution
	progress *progress
	stdout   io.Writer // printf of the kernels
	steps    uint64    // limit of an instrumented launch, set by run
}

// run checks all launches. The program runs twice. The first run is of the
// program as it is: whether threads spin for ever can be told there only, because
// a detector's bookkeeping changes memory all the time. The second is
// instrumented; its limit of steps follows from the first.
func (k *checker) run(ctx context.Context) (*report.Report, error) {
	rep := &report.Report{
		Tool: report.Tool{Name: "ptxsan", Version: version}, Detector: k.det.name,
		Runs: 1, Seed: k.exec.config.Seed, Schedule: k.exec.policy,
	}
	bare, faults, err := k.runBare(ctx)
	if err != nil {
		return nil, err
	}
	k.steps = instrumentedSteps(bare.longest, len(faults) == 0)
	dev, err := k.runInstrumented(ctx, rep, k.steps)
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		rep.Faults = faults
	}
	rep.Stats = report.Stats{
		Launches: bare.done, Sites: len(k.det.out.Sites), Dropped: k.det.dropped(),
		WarpInstructions: bare.stats.WarpInstructions, ThreadInstructions: bare.stats.ThreadInstructions,
		InstrumentedWarpInstructions: dev.stats.WarpInstructions,
	}
	rep.Finish()
	rep.Expect, err = compareExpect(k.file, rep, dev)
	return rep, err
}

// runBare runs the user's program without a detector, up to the first fault.
func (k *checker) runBare(ctx context.Context) (*device, []*report.FaultEvent, error) {
	dev, err := newDevice(k.user, k.file, bare(k.exec.config))
	if err != nil {
		return nil, nil, err
	}
	names := naming{user: k.user, dev: dev}
	for i, p := range k.plan {
		k.progress.step(fmt.Sprintf("running launch %d of %d: %s", i+1, len(k.plan), p.Kernel))
		faults, err := dev.run(ctx, p)
		if err != nil || len(faults) > 0 {
			return dev, names.faults(faults), err
		}
	}
	return dev, nil, nil
}

// runInstrumented runs the instrumented program and adds its races, and its fault
// if there is one, to the report. A launch ends after so many steps at the latest.
func (k *checker) runInstrumented(ctx context.Context, rep *report.Report, steps uint64) (*device, error) {
	k.progress.step("instrumenting")
	mod, err := k.det.instrument(k.user)
	if err != nil {
		return nil, err
	}
	for _, d := range k.det.out.Diagnostics {
		rep.Notes = append(rep.Notes, d.String())
	}
	cfg := instrumented(k.exec.config)
	cfg.Stdout, cfg.Blame, cfg.MaxSteps = k.stdout, blamer(k.user, k.det.out), steps
	cfg.MemoryLimit = cmp.Or(cfg.MemoryLimit, emu.DefaultMemoryLimit) + detectorMemory
	dev, err := newDevice(mod, k.file, cfg)
	if err != nil {
		return nil, err
	}
	if err := k.det.attach(); err != nil {
		return nil, err
	}
	for i, p := range k.plan {
		k.progress.step(fmt.Sprintf("checking launch %d of %d: %s", i+1, len(k.plan), p.Kernel))
		if err := k.check(ctx, dev, p, rep); err != nil || len(rep.Faults) > 0 {
			return dev, err
		}
	}
	return dev, nil
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

// check runs one instrumented launch and adds what it found to the report.
func (k *checker) check(ctx context.Context, dev *device, p planned, rep *report.Report) error {
	if err := k.det.prepare(dev, p.Launch); err != nil {
		return badInput(p.Errorf("%v", err))
	}
	faults, err := dev.run(ctx, p)
	if err != nil {
		return err
	}
	names := naming{user: k.user, sites: k.det.out.Sites, dev: dev, block: p.Block, kernel: p.kernel.Name}
	rep.Faults = append(rep.Faults, names.faults(faults)...)
	races, err := k.det.collect(dev)
	if err != nil {
		return err
	}
	for i := range races {
		if p.checked {
			rep.Races = append(rep.Races, names.race(&races[i]))
		}
	}
	return nil
}

func (n *naming) faults(list []*emu.Fault) []*report.FaultEvent {
	var out []*report.FaultEvent
	for _, f := range list {
		out = append(out, n.fault(f))
	}
	return out
}
