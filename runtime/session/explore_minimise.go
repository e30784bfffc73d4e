// Minimisation of the schedules that explorations keep.

package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/search"
)

// explore --minimise: findings with short schedules and few threads.

// exploreMinimiseRuns is the maximal number of runs to minimise one finding's schedule.
const exploreMinimiseRuns = 200

// minimise replaces the replay commands of findings by those of schedules with fewer turns. Findings whose schedules
// cannot be shortened keep theirs.
func (e *Exploration) minimise(ctx context.Context) error {
	for _, f := range e.made {
		s, err := e.recorded(ctx, f)
		if err != nil {
			return err
		}
		least, err := emu.Minimize(ctx, s, exploreMinimiseRuns, func(s *emu.Schedule) (bool, error) {
			one, failed := e.once(ctx, f.dets, f.run, s)
			return one != nil && f.shownBy(one.rep), failed // no run: the model allows none with these values
		})
		if err != nil {
			return err
		}
		if again := e.Replay.Schedule(f.dets, least); again != "" {
			f.repeatBy(again)
		}
		if err := e.shrink(ctx, f); err != nil {
			return err
		}
	}
	return e.minimiseWeak(ctx)
}

// minimiseWeak replaces the replay commands of weak outcomes by those of schedules with fewer turns that end alike.
// Where a turn is removed, loads return the latest store.
func (e *Exploration) minimiseWeak(ctx context.Context) error {
	if e.weak == nil {
		return nil
	}
	for _, w := range e.weak.first {
		if w.fault == nil {
			continue
		}
		s, err := e.recorded(ctx, &finding{dets: w.dets, run: w.run})
		if err != nil {
			return err
		}
		least, err := emu.Minimize(ctx, s, exploreMinimiseRuns, func(s *emu.Schedule) (bool, error) {
			one, failed := e.once(ctx, w.dets, w.run, s)
			return one != nil && e.count.key(one) == w.key, failed
		})
		if err != nil {
			return err
		}
		if again := e.Replay.Schedule(nil, least); again != "" {
			w.fault.Replay = e.Replay.Results(again, e.count.names())
		}
	}
	return nil
}

// repeatBy sets the replay command of all parts of a finding.
func (f *finding) repeatBy(command string) {
	for _, x := range f.races {
		x.Replay = command
	}
	for _, x := range f.faults {
		x.Replay = command
	}
}

// shrink finds, for each race, the smallest grid and block with which its kernel still shows it within a few schedules.
func (e *Exploration) shrink(ctx context.Context, f *finding) error {
	p, ok := e.Scenario.(*Plan)
	if !ok {
		return nil
	}
	for _, x := range f.races {
		i := p.indexOf(x.First.Kernel)
		if i < 0 {
			continue
		}
		l := &p.Launches[i]
		shape := [6]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z, l.Block.X, l.Block.Y, l.Block.Z}
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
		x.Smallest = fmt.Sprintf("grid (%d,%d,%d), block (%d,%d,%d)", shape[0], shape[1], shape[2], shape[3], shape[4],
			shape[5])
	}
	return nil
}

// indexOf returns the index of the first launch of a kernel, -1 if there is none.
func (p *Plan) indexOf(kernel string) int {
	for i := range p.Launches {
		if p.KernelName(i) == kernel {
			return i
		}
	}
	return -1
}

// smaller returns a shape with a smaller extent d with which the race shows: 1, half, three quarters, or one less. It
// returns the same shape if there is none.
func (e *Exploration) smaller(ctx context.Context, f *finding, x *report.Race, shape [6]uint32,
	d int,
) ([6]uint32, error) {
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

// shrunkSchedules is the number of schedules tried for a smaller launch.
const shrunkSchedules = 12

// showsWith reports whether the race shows when its kernel is launched with another shape. With a shape that cannot be
// launched it does not.
func (e *Exploration) showsWith(ctx context.Context, f *finding, x *report.Race, shape [6]uint32) (bool, error) {
	p := *e.Scenario.(*Plan)
	p.Launches = slices.Clone(p.Launches)
	for i := range p.Launches {
		if p.KernelName(i) == x.First.Kernel {
			p.Launches[i].Grid, p.Launches[i].Block = dim3([3]uint32(shape[:3])), dim3([3]uint32(shape[3:]))
		}
	}
	sub := &Exploration{
		Options: e.options(f.dets), Scenario: &p,
		Search: search.Search{Name: search.SearchNames[0], Runs: shrunkSchedules}, Workers: e.Workers,
	}
	sub.Options.known, sub.Options.InstrumentedOnly, sub.Options.steps, sub.Options.Emulator.MaxSteps = nil, false, 0,
		e.Options.Emulator.MaxSteps
	rep, err := sub.Run(ctx)
	if err != nil {
		return false, ctx.Err()
	}
	return rep.Shows(x), nil
}

// recorded returns the schedule of the run of a finding.
func (e *Exploration) recorded(ctx context.Context, f *finding) (*emu.Schedule, error) {
	if s := f.run.Schedule(); s != nil {
		return s, nil
	}
	o, s := e.options(f.dets), new(emu.Schedule)
	f.run.Configure(&o.Emulator)
	o.Emulator.Record = s
	_, err := e.execute(ctx, o)
	return s, err
}

// shownBy reports whether a run shows the finding.
func (f *finding) shownBy(rep *report.Report) bool {
	for _, x := range f.races {
		if !rep.Shows(x) {
			return false
		}
	}
	for _, x := range f.faults {
		if !slices.ContainsFunc(rep.Faults, func(y *report.FaultEvent) bool {
			return x.Class == y.Class &&
				x.PTX == y.PTX
		}) {
			return false
		}
	}
	return true
}
