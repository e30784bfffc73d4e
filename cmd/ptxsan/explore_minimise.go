package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// explore --minimise: findings with schedules of few turns, and with fewer threads.

// exploreMinimiseRuns is how many runs may be made to minimise one finding's schedule.
const exploreMinimiseRuns = 200

// minimise replaces the replay commands of findings by those of schedules that need
// few turns. Findings whose schedules cannot be shortened keep theirs.
func (e *exploration) minimise(ctx context.Context) error {
	for _, f := range e.made {
		s, err := e.recorded(ctx, f)
		if err != nil {
			return err
		}
		least, err := emu.Minimize(ctx, s, exploreMinimiseRuns, func(s *emu.Schedule) (bool, error) {
			one, _, failed := e.once(ctx, f.dets, f.run, s)
			return failed == nil && f.shownBy(one.rep), failed
		})
		if err != nil {
			return err
		}
		if again := e.replay.schedule(f.dets, least); again != "" {
			f.repeatBy(again)
		}
		if err := e.shrink(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// repeatBy sets the replay commands.
func (f *finding) repeatBy(command string) {
	for _, x := range f.races {
		x.Replay = command
	}
	for _, x := range f.faults {
		x.Replay = command
	}
}

// shrink finds out for each race with how small a grid and block its kernel still shows
// it, in a few schedules.
func (e *exploration) shrink(ctx context.Context, f *finding) error {
	for _, x := range f.races {
		i := slices.IndexFunc(e.k.plan, func(p planned) bool { return p.kernel.Name == x.First.Kernel })
		if i < 0 {
			continue
		}
		l := e.k.plan[i].Launch
		shape := [6]uint32{l.Grid[0], l.Grid[1], l.Grid[2], l.Block[0], l.Block[1], l.Block[2]}
		for d := 0; d < len(shape); {
			smaller, err := e.smaller(ctx, f, x, shape, d)
			if err != nil {
				return err
			}
			if smaller == shape {
				d++
			}
			shape = smaller
		}
		x.Smallest = fmt.Sprintf("grid (%d,%d,%d), block (%d,%d,%d)", shape[0], shape[1], shape[2], shape[3], shape[4], shape[5])
	}
	return nil
}

// smaller is a shape with a smaller extent d in which the race shows: 1, half,
// three quarters, or one less; the same shape when there is none.
func (e *exploration) smaller(ctx context.Context, f *finding, x *report.Race, shape [6]uint32, d int) ([6]uint32, error) {
	tried := shape[d]
	for _, n := range []uint32{1, shape[d] / 2, shape[d] / 4 * 3, shape[d] - 1} {
		if n == 0 || n >= shape[d] || n == tried {
			continue
		}
		tried = n
		try := shape
		try[d] = n
		if ok, err := e.showsWith(ctx, f, x, try); ok || err != nil {
			return try, err
		}
	}
	return shape, nil
}

// shrunkSchedules is how many schedules are run of a smaller launch.
const shrunkSchedules = 12

// showsWith reports whether the race shows when its kernel is launched with another
// shape. A shape that cannot be launched shows nothing.
func (e *exploration) showsWith(ctx context.Context, f *finding, x *report.Race, shape [6]uint32) (bool, error) {
	k := e.k.alone(f.dets)
	k.plan = slices.Clone(k.plan)
	for i := range k.plan {
		if p := &k.plan[i]; p.kernel.Name == x.First.Kernel {
			l := *p.Launch
			l.Grid, l.Block = [3]uint32(shape[:3]), [3]uint32(shape[3:])
			p.Launch = &l
		}
	}
	s := search{name: searchNames[0], runs: shrunkSchedules}
	sub := &exploration{k: k, search: s, workers: e.workers, replay: e.replay}
	rep, err := sub.run(ctx)
	if err != nil {
		return false, ctx.Err()
	}
	return slices.ContainsFunc(rep.Races, func(y *report.Race) bool { return x.ID == y.ID }), nil
}

// recorded is the schedule of the run of a finding.
func (e *exploration) recorded(ctx context.Context, f *finding) (*emu.Schedule, error) {
	if s := f.run.Schedule(); s != nil {
		return s, nil
	}
	k, s := e.k.alone(f.dets), new(emu.Schedule)
	f.run.Configure(&k.exec.config)
	k.exec.config.Record = s
	_, err := e.execute(ctx, k, &report.Report{})
	return s, err
}

// shownBy reports whether a run shows what the finding is.
func (f *finding) shownBy(rep *report.Report) bool {
	for _, x := range f.races {
		if !slices.ContainsFunc(rep.Races, func(y *report.Race) bool { return x.ID == y.ID }) {
			return false
		}
	}
	for _, x := range f.faults {
		if !slices.ContainsFunc(rep.Faults, func(y *report.FaultEvent) bool { return x.Class == y.Class && x.PTX == y.PTX }) {
			return false
		}
	}
	return true
}
