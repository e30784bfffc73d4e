package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// exploration runs the launches of a file under many schedules. Detectors that listen
// share their runs; each detector inside the kernel has runs of its own, because what it
// inserts takes part in the schedule.
type exploration struct {
	k       *checker
	search  search
	workers int
	enough  func(*report.Report) bool // what is found suffices; nil to make all runs
	shorten bool                      // minimise schedules, and look for smaller launches
	count   *outcomeCount             // nil when nobody asks for outcomes
	replay  *replayTokens             // says how a run is repeated
	rep     *report.Report            // of all runs
	made    []*finding
	longest uint64 // warp instructions of the longest launch
}

// finding is a run that was the first to show something, and what.
type finding struct {
	dets   []*detector
	run    *emu.Run
	races  []*report.Race
	faults []*report.FaultEvent
}

// ran is what one run showed.
type ran struct {
	rep   *report.Report
	state string // of the buffers, when outcomes are counted and there was no fault
}

// run makes all runs. The first one is fair and without a guide; what the launch file
// expects is compared with its buffers, and with the findings of all.
func (e *exploration) run(ctx context.Context) (*report.Report, error) {
	rep, dev, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	e.rep = rep
	rep.Exploration = &report.Exploration{Search: e.search.name, Complete: true}
	for _, dets := range e.subjects() {
		if err = e.explore(ctx, dets); err != nil {
			return nil, err
		}
		if e.done() {
			break
		}
	}
	if e.shorten {
		if err = e.minimise(ctx); err != nil {
			return nil, err
		}
	}
	rep.Runs = rep.Exploration.Schedules
	if e.count != nil {
		rep.Exploration.Outcomes = e.count.list()
	}
	rep.Finish()
	rep.Expect, err = compareExpect(e.k.file, rep, dev)
	return rep, err
}

// begin runs the program once as it is, for its length and for what it computes.
func (e *exploration) begin(ctx context.Context) (*report.Report, *device, error) {
	k := e.k.alone(nil)
	dev, _, err := k.runBare(ctx, &report.Report{})
	if err != nil {
		return nil, nil, err
	}
	e.longest = dev.longest
	rep := &report.Report{
		Tool: report.Tool{Name: "ptxsan", Version: version}, Detector: names(e.k.dets),
		Seed: e.k.exec.config.Seed, Schedule: e.search.name,
	}
	rep.Stats = report.Stats{Launches: dev.done, WarpInstructions: dev.stats.WarpInstructions, ThreadInstructions: dev.stats.ThreadInstructions}
	return rep, dev, nil
}

// subjects are the detectors that share runs. The first are those that listen, even if
// there are none: livelocks show in programs as they are only.
func (e *exploration) subjects() [][]*detector {
	list := [][]*detector{nil}
	for _, d := range e.k.dets {
		if d.listens() {
			list[0] = append(list[0], d)
		} else {
			list = append(list, []*detector{d})
		}
	}
	return list
}

// exploredSteps is the limit on the steps of a launch, from those of the longest one of
// a fair run: waiting takes more under other schedules, and a detector's hooks take a
// few thousand.
func exploredSteps(longest uint64) uint64 { return 500_000 + 10_000*min(longest, 1<<40) }

func (e *exploration) done() bool { return e.enough != nil && e.enough(e.rep) }

// explore makes the runs of one subject.
func (e *exploration) explore(ctx context.Context, dets []*detector) error {
	wanted, err := e.wanted(dets)
	if err != nil {
		return err
	}
	s := e.search.strategy(e.k.exec.config, e.longest, wanted)
	var lock sync.Mutex
	results := make(map[*emu.Run]*ran)
	x := e.rep.Exploration
	sites := 0
	_, err = emu.Explore(ctx, s, emu.Bounds{Runs: e.search.runs, Workers: cmp.Or(e.workers, runtime.NumCPU())},
		func(_ int, r *emu.Run) error {
			one, n, failed := e.once(ctx, dets, r, nil)
			lock.Lock()
			defer lock.Unlock()
			results[r], sites = one, n
			return failed
		},
		func(r *emu.Run) bool {
			lock.Lock()
			one := results[r]
			delete(results, r)
			lock.Unlock()
			if one == nil {
				x.Redundant++
				return true
			}
			x.Schedules++
			e.take(dets, r, one)
			e.k.progress.step(fmt.Sprintf("%d schedules, %d races", x.Schedules, len(e.rep.Races)))
			return !e.done()
		})
	e.rep.Stats.Sites += sites
	if all, ok := s.(*emu.All); ok {
		ok, why := all.Complete()
		if e.done() {
			ok, why = false, append(why, "enough was found")
		}
		x.Complete, x.Limits = x.Complete && ok, append(x.Limits, why...)
	} else {
		x.Complete = false
	}
	return err
}

// take adds what a run showed.
func (e *exploration) take(dets []*detector, r *emu.Run, one *ran) {
	races, faults := len(e.rep.Races), len(e.rep.Faults)
	again := ""
	if len(one.rep.Races)+len(one.rep.Faults) > 0 || e.count != nil && e.count.isNew(one) {
		again = e.replay.command(dets, r)
	}
	e.rep.Add(one.rep, again)
	e.rep.Stats.Dropped += one.rep.Stats.Dropped
	e.rep.Stats.InstrumentedWarpInstructions += one.rep.Stats.InstrumentedWarpInstructions
	if f := (&finding{dets, r, e.rep.Races[races:], e.rep.Faults[faults:]}); len(f.races)+len(f.faults) > 0 {
		e.made = append(e.made, f)
	}
	if e.count != nil {
		e.count.add(one, again)
	} else if len(e.replay.long) > manyLong {
		e.replay.forget(e.rep)
	}
}

// manyLong is how many long schedules are kept before those that are not needed are
// looked for.
const manyLong = 16

// wanted is which instructions of the program that runs are the user's, nil for all.
func (e *exploration) wanted(dets []*detector) (func(*rewrite.Inst) bool, error) {
	if len(dets) == 0 || dets[0].listens() {
		return nil, nil
	}
	d := dets[0]
	if _, err := d.instrument(e.k.user, e.k.plan); err != nil {
		return nil, err
	}
	return func(in *rewrite.Inst) bool { return d.out.Module.Origin(in.Line).Line != 0 }, nil
}

// once makes one run, by replay when s is not nil. The result is nil when the run is
// redundant. sites is how many places the detectors check.
func (e *exploration) once(ctx context.Context, dets []*detector, r *emu.Run, s *emu.Schedule) (one *ran, sites int, err error) {
	k := e.k.alone(dets)
	if cfg := &k.exec.config; s != nil {
		cfg.Replay = s
	} else {
		cfg.Listener = r.Listener()
		r.Configure(cfg)
	}
	one = &ran{rep: &report.Report{}}
	dev, err := e.execute(ctx, k, one.rep)
	switch {
	case errors.Is(err, emu.ErrRedundant):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	}
	for _, d := range k.dets {
		sites += d.accesses()
		if !d.listens() {
			one.rep.Stats.Dropped += d.host.Dropped()
			one.rep.Stats.InstrumentedWarpInstructions += dev.stats.WarpInstructions
		}
	}
	one.rep.Finish()
	if e.count != nil && len(one.rep.Faults) == 0 {
		one.state, err = e.count.state(dev)
	}
	return one, sites, err
}

// execute runs the launches once, with the detectors of k.
func (e *exploration) execute(ctx context.Context, k *checker, rep *report.Report) (dev *device, err error) {
	if len(k.dets) > 0 && !k.dets[0].listens() {
		dev, rep.Faults, err = k.runInstrumented(ctx, k.dets[0], rep, exploredSteps(e.longest))
		return dev, err
	}
	k.exec.config.MaxSteps = cmp.Or(k.exec.config.MaxSteps, exploredSteps(e.longest))
	dev, rep.Faults, err = k.runBare(ctx, rep)
	return dev, err
}

// alone is a checker for one run, with detectors of its own.
func (k *checker) alone(dets []*detector) *checker {
	again := *k
	again.dets = nil
	for _, d := range dets {
		own := *d
		again.dets = append(again.dets, &own)
	}
	again.stdout, again.progress, again.timeline = io.Discard, &progress{io.Discard}, nil
	cfg := &again.exec.config
	cfg.Record, cfg.Replay, cfg.Listener, cfg.Workers = nil, nil, nil, 1
	return &again
}
