// Exploration: many runs of a scenario under schedules that a search chooses.

package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Exploration runs a scenario under many schedules. Detectors that listen share their
// runs; each detector inside the kernel has runs of its own, because what it inserts takes
// part in the schedule. What it finds does not depend on the number of workers.
type Exploration struct {
	// Options are those of each session. Record, Replay and Listener of the emulator's
	// configuration, Timeline and SaveTrace have no effect, nor has Stdout.
	Options  Options
	Scenario Scenario
	Search   Search
	Workers  int // goroutines, 0 for one per processor
	// Enough ends the exploration when what has been found suffices; nil to make all runs.
	Enough func(*report.Report) bool
	// Minimise shortens the schedules of findings and, of a Plan, looks for smaller
	// launches that show them.
	Minimise bool
	// Outcomes counts what these buffers of a Plan hold at the end; nil for nothing.
	Outcomes []*launch.Buffer
	// Replay says how a run is repeated; nil for a schedule that Options.Emulator.Replay
	// takes.
	Replay Replayer
	// Conflicts takes in which conflicting accesses runs have ordered how; nil for nothing.
	Conflicts *ConflictSet

	count   *outcomeCount
	rep     *report.Report // of all runs
	made    []*finding
	longest uint64 // warp instructions of the longest launch
	known   map[*Program]*facts
	strayed bool // an access, in one of the runs
}

// Replayer says for people how a run is repeated. The text becomes report.Race.Replay.
type Replayer interface {
	// Run is how a run with detectors is repeated, Schedule how one by a schedule.
	Run(dets []*Detector, r *emu.Run) string
	Schedule(dets []*Detector, s *emu.Schedule) string
	// Prune is called now and then with all that is needed.
	Prune(*report.Report)
}

// finding is a run that was the first to show something, and what.
type finding struct {
	dets   []*Detector
	run    *emu.Run
	races  []*report.Race
	faults []*report.FaultEvent
}

// ran is what one run showed.
type ran struct {
	rep   *report.Report
	state string // of the buffers, when outcomes are counted and there was no fault

	conflicts []uint64
	strayed   bool // an access went elsewhere than was proved
}

// Run makes all runs. The first one is fair and without a guide; what a launch file
// expects is compared with its buffers, and with the findings of all. When an access goes
// elsewhere in one of them than was proved, Run makes all again and leaves no access out.
//
// When the context ends before all runs are made, Run returns the cause together with the report
// of the runs that were finished, if there are any; nothing is expected of it.
func (e *Exploration) Run(ctx context.Context) (*report.Report, error) {
	rep, err := e.runAll(ctx)
	if !e.strayed || e.Options.Refuted {
		return rep, err
	}
	if err == nil {
		e.Options.Refuted, e.made, e.longest, e.known = true, nil, 0, nil
		return e.runAll(ctx)
	}
	if rep != nil {
		rep.Exploration.Limits = append(rep.Exploration.Limits, "an access went elsewhere than was proved: races of accesses that were left out are missing")
	}
	return rep, err
}

func (e *Exploration) runAll(ctx context.Context) (*report.Report, error) {
	if err := e.Search.Fits(e.Options.Detectors); err != nil {
		return nil, err
	}
	if e.Replay == nil {
		e.Replay = plainReplay{}
	}
	if e.Options.Progress == nil {
		e.Options.Progress = func(string) {}
	}
	if e.Conflicts == nil && e.Search.Quiet > 0 {
		e.Conflicts = NewConflictSet()
	}
	if e.Outcomes != nil {
		e.count = newOutcomeCount(e.Outcomes)
	}
	fair, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	rep := e.rep
	rep.Exploration = &report.Exploration{Search: e.Search.Name, Complete: true}
	for _, dets := range e.subjects() {
		if err = e.explore(ctx, dets); err != nil || e.done() {
			break
		}
	}
	if err == nil && e.Minimise {
		err = e.minimise(ctx)
	}
	if err != nil {
		return e.cutShort(ctx, err)
	}
	e.finish()
	if p, ok := e.Scenario.(*Plan); ok {
		rep.Expect, err = p.compareExpect(rep, fair)
	}
	return rep, err
}

// finish completes the report.
func (e *Exploration) finish() {
	rep := e.rep
	rep.Runs = rep.Exploration.Schedules
	if e.count != nil {
		rep.Exploration.Outcomes = e.count.list()
	}
	rep.Finish()
}

// cutShort is what Run returns after an error. The report is of the runs that were finished before
// the context ended, nil without one and after other errors.
func (e *Exploration) cutShort(ctx context.Context, err error) (*report.Report, error) {
	if ctx.Err() == nil {
		return nil, err
	}
	why := context.Cause(ctx)
	if errors.Is(why, context.Canceled) {
		why = ErrInterrupted
	}
	x := e.rep.Exploration
	if x.Schedules == 0 {
		return nil, why
	}
	x.Ended, x.Complete = why.Error(), false
	e.finish()
	return e.rep, why
}

// begin runs the scenario once as it is, for its length, for what launches give kernels,
// and for what it computes.
func (e *Exploration) begin(ctx context.Context) (*Session, error) {
	s, err := Open(e.options(nil))
	if err != nil {
		return nil, err
	}
	if err = e.Scenario.Play(ctx, s); err != nil {
		return nil, err
	}
	e.longest, e.known = s.first().longest, s.facts
	stats := s.Report().Stats
	e.rep = NewReport(e.Options.Detectors, &e.Options.Emulator)
	e.rep.Schedule, e.rep.ErrorLevel = e.Search.Name, e.Options.ErrorLevel
	e.rep.Stats = report.Stats{Launches: stats.Launches, WarpInstructions: stats.WarpInstructions, ThreadInstructions: stats.ThreadInstructions}
	return s, nil
}

// options are those of one run with some detectors.
func (e *Exploration) options(dets []*Detector) Options {
	o := e.Options
	o.Detectors, o.Timeline, o.SaveTrace, o.Progress, o.known = dets, nil, nil, nil, e.known
	cfg := &o.Emulator
	cfg.Record, cfg.Replay, cfg.Listener, cfg.Stdout, cfg.Workers = nil, nil, nil, nil, 1
	if len(dets) > 0 && !dets[0].Listens() {
		o.InstrumentedOnly, o.steps = true, exploredSteps(e.longest)
	} else if e.known != nil {
		cfg.MaxSteps = cmp.Or(cfg.MaxSteps, exploredSteps(e.longest))
	}
	return o
}

// subjects are the detectors that share runs. The first are those that listen, even if
// there are none: livelocks show in programs as they are only.
func (e *Exploration) subjects() [][]*Detector {
	list := [][]*Detector{nil}
	for _, d := range e.Options.Detectors {
		if d.Listens() {
			list[0] = append(list[0], d)
		} else {
			list = append(list, []*Detector{d})
		}
	}
	return list
}

// exploredSteps is the limit on the steps of a launch, from those of the longest one of
// a fair run: waiting takes more under other schedules, and a detector's hooks take a
// few thousand.
func exploredSteps(longest uint64) uint64 { return 500_000 + 10_000*min(longest, 1<<40) }

func (e *Exploration) done() bool { return e.Enough != nil && e.Enough(e.rep) }

// Found is the run that was the first to show a race or a fault, nil without one and where more than a policy and its parameters decided.
func (e *Exploration) Found() *emu.Run {
	for _, f := range e.made {
		if f.run.Schedule() == nil {
			return f.run
		}
	}
	return nil
}

// explore makes the runs of one subject.
func (e *Exploration) explore(ctx context.Context, dets []*Detector) error {
	s := e.Search.strategy(e.Options.Emulator, e.longest, usersOnly(dets))
	var lock sync.Mutex
	results := make(map[*emu.Run]*ran)
	x := e.rep.Exploration
	before, earlier := x.Schedules, e.rep.TakeSchedules()
	x.Schedules = 0
	sites, quiet := 0, 0
	_, err := emu.Explore(ctx, s, emu.Bounds{Runs: e.Search.Runs, Workers: cmp.Or(e.Workers, runtime.NumCPU())},
		func(_ int, r *emu.Run) error {
			one, failed := e.once(ctx, dets, r, nil)
			if failed == nil && ctx.Err() != nil { // what the run shows may be that it was ended
				failed = ctx.Err()
			}
			lock.Lock()
			defer lock.Unlock()
			e.strayed = e.strayed || one != nil && one.strayed
			if results[r] = one; one != nil {
				sites = one.rep.Stats.Sites
			}
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
			quiet++
			if e.take(dets, r, one) {
				quiet = 0
			}
			e.Options.Progress(fmt.Sprintf("%d schedules, %d races", x.Schedules, len(e.rep.Races)))
			if e.Search.Quiet > 0 && quiet >= e.Search.Quiet {
				x.Quiet = quiet
				return false
			}
			return !e.done()
		})
	x.Schedules = max(x.Schedules, before)
	e.rep.JoinSchedules(earlier)
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

// found is how many races, faults and outcomes there are.
func (e *Exploration) found() int {
	n := len(e.rep.Pairs()) + len(e.rep.Faults)
	if e.count != nil {
		n += len(e.count.seen)
	}
	return n
}

// take adds what a run showed. It reports whether any of it is new.
func (e *Exploration) take(dets []*Detector, r *emu.Run, one *ran) bool {
	races, faults, found := len(e.rep.Races), len(e.rep.Faults), e.found()
	ordered := e.Conflicts != nil && e.Conflicts.add(one.conflicts)
	again := ""
	if len(one.rep.Races)+len(one.rep.Faults) > 0 || e.count != nil && e.count.isNew(one) {
		again = e.Replay.Run(dets, r)
	}
	e.rep.Add(one.rep, again)
	e.rep.Stats.Dropped += one.rep.Stats.Dropped
	e.rep.Stats.InstrumentedWarpInstructions += one.rep.Stats.InstrumentedWarpInstructions
	if f := (&finding{dets, r, e.rep.Races[races:], e.rep.Faults[faults:]}); len(f.races)+len(f.faults) > 0 {
		e.made = append(e.made, f)
	}
	if e.count != nil {
		e.count.add(one, again)
	} else {
		e.Replay.Prune(e.rep)
	}
	return ordered || e.found() > found
}

// once makes one run, by replay when schedule is not nil. The result is nil when the run is
// redundant.
func (e *Exploration) once(ctx context.Context, dets []*Detector, r *emu.Run, schedule *emu.Schedule) (*ran, error) {
	o := e.options(dets)
	var conflicts *conflictWatch
	if schedule != nil {
		o.Emulator.Replay = schedule
	} else {
		conflicts = e.Conflicts.watch(usersOnly(dets), r)
		o.Emulator.Listener = observe.Tee(r.Listener(), conflicts.listener())
		r.Configure(&o.Emulator)
	}
	s, err := e.execute(ctx, o)
	switch {
	case errors.Is(err, emu.ErrRedundant):
		return nil, nil
	case err != nil:
		return nil, err
	}
	one := &ran{rep: s.Report(), strayed: s.Strayed() != nil, conflicts: conflicts.hashes()}
	if e.count != nil && len(one.rep.Faults) == 0 {
		one.state, err = e.count.state(s)
	}
	return one, err
}

// execute plays the scenario once.
func (e *Exploration) execute(ctx context.Context, o Options) (*Session, error) {
	s, err := Open(o)
	if err != nil {
		return nil, err
	}
	return s, e.Scenario.Play(ctx, s)
}

// plainReplay repeats runs by schedules alone.
type plainReplay struct{}

func (plainReplay) Run(_ []*Detector, r *emu.Run) string {
	if s := r.Schedule(); s != nil {
		return plainReplay{}.Schedule(nil, s)
	}
	return fmt.Sprintf("schedule %s, seed %d", PolicyName(r.Policy), r.Seed)
}

func (plainReplay) Schedule(_ []*Detector, s *emu.Schedule) string {
	text, err := s.MarshalText()
	if err != nil {
		return ""
	}
	return string(text)
}

func (plainReplay) Prune(*report.Report) {}
