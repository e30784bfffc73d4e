// Exploration: many runs of a scenario under schedules that a search chooses.

package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
	"github.com/ptxsan/ptxsan/runtime/session/internal/search"
)

// Exploration runs a scenario under many schedules. Detectors that listen share their runs. Each detector inside the
// kernel has its own runs, since its code affects the schedule. The findings do not depend on the number of workers.
type Exploration struct {
	// Options are those of each session. Record, Replay and Listener of the emulator's configuration have no effect,
	// nor have Timeline, SaveTrace and Stdout.
	Options  Options
	Scenario Scenario
	Search   search.Search
	Workers  int // number of goroutines, 0 for one per processor
	// Enough reports whether the findings suffice, which ends the exploration; nil to make all runs.
	Enough func(*report.Report) bool
	// Minimise shortens the schedules of findings and, for a Plan, looks for smaller launches that show them.
	Minimise bool
	// Outcomes lists buffers of a Plan whose final contents are counted; nil for none.
	Outcomes []*launch.Buffer
	// Digests names further buffers, and variables of a Plan's module: a digest of the contents of each is a part of an
	// outcome, too.
	Digests []string
	// RacesOnly says that weak outcomes are not looked for, which takes sequentially consistent runs.
	RacesOnly bool
	// Replay describes how a run is repeated; nil for a schedule for Options.Emulator.Replay.
	Replay Replayer
	// Instructions limits those that the threads of all runs execute: after so many, no further run is made. 0 for any
	// number.
	Instructions uint64
	// Whole says that an exhaustive search that cannot be complete is worth nothing: it ends after a run that was cut
	// off.
	Whole bool
	// Conflicts collects the ordered pairs of conflicting accesses of the runs; nil for nothing.
	Conflicts *search.ConflictSet

	count   *outcomeCount
	weak    *weakWatch     // nil unless weak outcomes are looked for
	long    atomic.Bool    // a run was cut off, as emu.ErrLong says
	rep     *report.Report // joined over all runs
	made    []*finding
	longest uint64 // warp instructions of the longest launch
	threads uint64 // thread instructions of the launch that has most
	known   map[*Program]*proofs.Facts
	strayed bool // in one of the runs, an access left its proved object

	executed uint64 // instructions of threads in all runs
}

// finding is the first run that showed something, and what it showed.
type finding struct {
	dets   []*detectors.Detector
	run    *explore.Run
	races  []*report.Race
	faults []*report.FaultEvent
}

// ran is the result of one run.
type ran struct {
	rep   *report.Report
	state string // contents of the buffers, if outcomes are counted and there was no fault

	conflicts []uint64
	strayed   bool // an access left its proved object
}

// Run makes all runs. The first one has a fair schedule without a guide; the expectations of a launch file are compared
// with its buffers, and with the findings of all runs. If an access of a run leaves its proved object, Run makes all
// runs again without leaving out any access.
//
// If the context ends before all runs are made, Run returns the cause together with the report of the finished runs, if
// there are any, without comparing expectations.
func (e *Exploration) Run(ctx context.Context) (*report.Report, error) {
	rep, err := e.runAll(ctx)
	if !e.strayed || e.Options.Refuted {
		return rep, err
	}
	if err == nil {
		e.Options.Refuted, e.made, e.longest, e.threads, e.known = true, nil, 0, 0, nil
		return e.runAll(ctx)
	}
	if rep != nil {
		rep.Exploration.Limits = append(rep.Exploration.Limits,
			"an access went elsewhere than was proved: races of accesses that were left out are missing")
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
		e.Conflicts = search.NewConflictSet()
	}
	if e.counts() {
		e.count = newOutcomeCount(e.Outcomes)
		e.count.digests = e.Digests
	}
	if err := e.watchWeak(ctx); err != nil {
		return nil, err
	}
	claiming := e.claiming()
	fair, err := e.begin(ctx, claiming)
	if err != nil {
		return nil, err
	}
	rep := e.rep
	rep.Exploration = &report.Exploration{
		Search: e.Search.Name, Complete: true,
		Weak: e.Options.Emulator.Memory == emu.PTX,
	}
	stands, err := e.stands(claiming, fair)
	for i, dets := range e.subjects() {
		if err != nil || e.done() {
			break
		}
		if !stands || i > 0 {
			err = e.explore(ctx, dets)
		}
	}
	if err == nil {
		err = e.reportWeak(ctx)
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
	if e.counts() {
		rep.Exploration.Outcomes = e.count.list()
	}
	rep.Finish()
}

// cutShort returns the results of Run after an error: the report of the runs finished before the context ended, nil if
// there are none or for other errors.
func (e *Exploration) cutShort(ctx context.Context, err error) (*report.Report, error) {
	if ctx.Err() == nil {
		return nil, err
	}
	why := Ended(ctx)
	x := e.rep.Exploration
	if x.Schedules == 0 {
		return nil, why
	}
	x.Ended, x.Complete = why.Error(), false
	e.finish()
	return e.rep, why
}

// begin runs the scenario once, with the detectors that make claims, to learn the number of its steps, the facts about
// its launches, and its results.
func (e *Exploration) begin(ctx context.Context, claiming []*detectors.Detector) (*Session, error) {
	o := e.options(claiming)
	o.Claims = claiming != nil
	s, err := Open(o)
	if err != nil {
		return nil, err
	}
	if err = e.Scenario.Play(ctx, s); err != nil {
		return nil, err
	}
	e.longest, e.threads, e.known = s.first().longest, s.first().threads, s.facts
	stats := s.Report().Stats
	e.executed += stats.ThreadInstructions
	e.rep = NewReport(e.Options.Detectors, &e.Options.Emulator)
	e.rep.Schedule, e.rep.ErrorLevel, e.rep.Strict = e.Search.Name, e.Options.ErrorLevel, e.Options.Strict
	e.rep.Stats = report.Stats{
		Launches: stats.Launches, WarpInstructions: stats.WarpInstructions,
		ThreadInstructions: stats.ThreadInstructions,
	}
	return s, nil
}

// options returns the options of one run with some detectors.
func (e *Exploration) options(dets []*detectors.Detector) Options {
	o := e.Options
	o.Detectors, o.Timeline, o.SaveTrace, o.Progress, o.Starting, o.known = dets, nil, nil, nil, nil, e.known
	o.relates, o.Claims = len(e.Options.Detectors) > 0, false
	cfg := &o.Emulator
	cfg.Record, cfg.Replay, cfg.Listener, cfg.Stdout, cfg.Workers = nil, nil, nil, nil, 1
	if len(dets) > 0 && !dets[0].Listens() {
		o.InstrumentedOnly, o.steps = true, exploredSteps(e.longest)
	} else if e.known != nil {
		cfg.MaxSteps = cmp.Or(cfg.MaxSteps, exploredSteps(e.longest))
	}
	if limit := max(e.Instructions, leastSteps); e.Instructions > 0 {
		cfg.MaxSteps = min(cmp.Or(cfg.MaxSteps, limit), limit)
	}
	return o
}

// leastSteps is the least limit of warp instructions of a launch that Exploration.Instructions makes: launches with
// many warps are refused by a lower one.
const leastSteps = 100_000

// subjects returns groups of detectors that share runs. The first group is those that listen, even if there are none:
// livelocks are detected only in uninstrumented programs.
func (e *Exploration) subjects() [][]*detectors.Detector {
	list := [][]*detectors.Detector{nil}
	for _, d := range e.Options.Detectors {
		if d.Listens() {
			list[0] = append(list[0], d)
		} else {
			list = append(list, []*detectors.Detector{d})
		}
	}
	return list
}

// exploredSteps returns the limit of the steps of a launch, derived from the longest launch of a fair run: waiting
// takes more steps under other schedules, and a detector's hooks take a few thousand.
func exploredSteps(longest uint64) uint64 { return 500_000 + 10_000*min(longest, 1<<40) }

func (e *Exploration) done() bool { return e.Enough != nil && e.Enough(e.rep) }

// Executed returns the number of instructions that the threads of all runs have executed.
func (e *Exploration) Executed() uint64 { return e.executed }

// Over reports whether the runs have executed as many instructions as they may.
func (e *Exploration) Over() bool { return e.Instructions > 0 && e.executed >= e.Instructions }

// Found returns the first run that showed a race or a fault. It returns nil without such a run, and if the schedule of
// that run does not follow from a policy and its parameters.
func (e *Exploration) Found() *explore.Run {
	for _, f := range e.made {
		if f.run.Schedule() == nil {
			return f.run
		}
	}
	return nil
}

// explore makes the runs of one group of detectors.
func (e *Exploration) explore(ctx context.Context, dets []*detectors.Detector) error {
	s := e.Search.Strategy(e.Options.Emulator, e.longest, e.threads, search.UsersOnly(dets))
	if x, ok := s.(*explore.All); ok && e.waitsOnly() {
		x.WaitsOnly()
	}
	var lock sync.Mutex
	results := make(map[*explore.Run]*ran)
	x := e.rep.Exploration
	before, earlier := x.Schedules, e.rep.TakeSchedules()
	x.Schedules = 0
	sites, quiet := 0, 0
	_, err := explore.Explore(ctx, s, explore.Bounds{Runs: e.Search.Runs, Workers: cmp.Or(e.Workers, runtime.NumCPU())},
		func(_ int, r *explore.Run) error {
			one, failed := e.once(ctx, dets, r, nil)
			if failed == nil && ctx.Err() != nil { // the run may have failed because the context ended
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
		func(r *explore.Run) bool {
			lock.Lock()
			one := results[r]
			delete(results, r)
			lock.Unlock()
			if one == nil {
				x.Redundant++
				return !e.Whole || !e.long.Load()
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
			return !e.done() && !e.Over()
		})
	x.Schedules = max(x.Schedules, before)
	e.rep.JoinSchedules(earlier)
	e.rep.Stats.Sites += sites
	complete, why := e.complete(s)
	x.Complete, x.Limits = x.Complete && complete, append(x.Limits, why...)
	return err
}

// complete reports whether a strategy has made all runs that can differ, and if it says so, why not.
func (e *Exploration) complete(s explore.Strategy) (complete bool, why []string) {
	all, ok := s.(interface {
		Complete() (ok bool, why []string)
	})
	if !ok {
		return false, nil
	}
	complete, why = all.Complete()
	if x, ok := s.(*explore.All); ok {
		why = append(why, e.assumed(x.Assumed())...)
		complete = complete && len(why) == 0
	}
	if e.done() {
		complete, why = false, append(why, "enough was found")
	}
	if e.long.Load() {
		complete, why = false, append(why, emu.ErrLong.Error())
	}
	if e.Over() {
		complete, why = false, append(why, "the runs have executed as many instructions as they may")
	}
	if slices.ContainsFunc(e.rep.Faults, func(f *report.FaultEvent) bool { return f.Class == "timeout" }) {
		complete, why = false, append(why, "a run reached its limit of instructions or time")
	}
	return complete, why
}

// found returns the number of races, faults and outcomes.
func (e *Exploration) found() int {
	n := len(e.rep.Pairs()) + len(e.rep.Faults)
	if e.count != nil {
		n += len(e.count.seen)
	}
	return n
}

// take adds the result of a run, and reports whether any of it is new.
func (e *Exploration) take(dets []*detectors.Detector, r *explore.Run, one *ran) bool {
	e.executed += one.rep.Stats.ThreadInstructions
	races, faults, found := len(e.rep.Races), len(e.rep.Faults), e.found()
	ordered := e.Conflicts != nil && e.Conflicts.Add(one.conflicts)
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
		e.weak.note(e.count.key(one), dets, r)
		e.count.add(one, again)
	}
	if !e.counts() {
		e.Replay.Prune(e.rep)
	}
	return ordered || e.found() > found
}

// once makes one run, by replay if schedule is not nil. It returns nil if the run is redundant.
func (e *Exploration) once(ctx context.Context, dets []*detectors.Detector, r *explore.Run,
	schedule *emu.Schedule,
) (*ran, error) {
	o := e.options(dets)
	var conflicts *search.ConflictWatch
	if schedule != nil {
		o.Emulator.Replay = schedule
	} else {
		conflicts = e.Conflicts.Watch(search.UsersOnly(dets), r)
		o.Emulator.Listener = observe.Tee(r.Listener(), conflicts.Listener())
		r.Configure(&o.Emulator)
	}
	s, err := e.execute(ctx, o)
	switch {
	case errors.Is(err, explore.ErrRedundant):
		if errors.Is(err, emu.ErrLong) {
			e.long.Store(true)
		}
		return nil, nil
	case err != nil:
		return nil, err
	}
	one := &ran{rep: s.Report(), strayed: s.Strayed() != nil, conflicts: conflicts.Hashes()}
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
