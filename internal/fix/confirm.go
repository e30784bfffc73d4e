// Confirmation: a repair that leaves no race is run in other ways than the search ran it.

package fix

import (
	"context"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Confirming runs have schedules that the search does not have. Their number is a part of Options.Schedules, but not
// less than leastRuns; for each size of blocks it is leastRuns.
const (
	otherSeed  = 1000
	strictPart = 4
	leastRuns  = 8
)

// confirmation is how a module without a race is run once more: with the checks of strict, nil for none, and with the
// launches in other shapes.
type confirmation struct {
	*fixer
	strict *trial.Runs
	shapes []*trial.Shape
}

// subject is what a confirmation is of.
type subject uint8

const (
	// ofRepair is a repair, which is run under other schedules, with strict checks of synchronisation and with
	// asynchronous copies that are performed as late as possible, with blocks of other sizes, and with other numbers
	// than those of a template.
	ofRepair subject = iota
	// ofBlockBarrier is advice that has a barrier of the block: a branch on a number of a template may part warps.
	ofBlockBarrier
	// ofWarpBarrier is advice that orders only lanes of a warp, for launches with blocks of one: with larger blocks, if
	// those fit the original, a barrier of the block may be what is missing.
	ofWarpBarrier
	subjects
)

// widerBlocks are the sizes of blocks with which advice for warps is run.
var widerBlocks = []uint32{2 * isa.WarpSize, 8 * isa.WarpSize}

// confirm runs a module without a race in other ways than the search does. rep is the report of its usual runs. Races
// that are found become those of the attempt. The error describes other problems.
func (f *fixer) confirm(ctx context.Context, t *attempt, plan *session.Plan, rep *report.Report,
	edits []*repair.Edit,
) error {
	for of := range subjects {
		if !f.has(of, edits) {
			continue
		}
		c, err := f.confirmation(ctx, of)
		if err != nil {
			return err
		}
		if err = c.strictly(ctx, t, plan, rep); err != nil || len(t.races) > 0 {
			return err
		}
		if err = c.otherShapes(ctx, t, plan); err != nil || len(t.races) > 0 {
			return err
		}
	}
	return nil
}

// has reports whether edits are a subject of a confirmation. A kernel whose file launches it with blocks of one warp
// has no larger ones.
func (f *fixer) has(of subject, edits []*repair.Edit) bool {
	ops := func(list ...repair.Op) bool {
		return slices.ContainsFunc(edits, func(e *repair.Edit) bool { return slices.Contains(list, e.Op) })
	}
	switch {
	case of == ofRepair || f.aim == nil:
		return of == ofRepair && f.aim == nil
	case of == ofBlockBarrier:
		return f.Plan.File.Guessed && ops(repair.Barrier, repair.SplitBarrier)
	}
	larger := slices.ContainsFunc(f.Plan.Launches,
		func(l session.Launch) bool { return l.Block.X*l.Block.Y*l.Block.Z > isa.WarpSize })
	return !larger && !f.Plan.File.Shaped && ops(repair.WarpBarrier, repair.WidenMask)
}

// confirmation returns the confirmation of a subject. Its first call explores the original in the same way.
func (f *fixer) confirmation(ctx context.Context, of subject) (*confirmation, error) {
	if c := f.confirmations[of]; c != nil {
		return c, nil
	}
	c := &confirmation{fixer: f}
	var sizes []uint32
	config := f.usual.Config
	switch of {
	case ofRepair:
		rep, err := c.prepare(ctx)
		if err != nil {
			return nil, err
		}
		f.free = append(f.free, raceFree(rep)...)
		sizes, config = f.Plan.OtherBlocks(), c.strict.Config
	case ofWarpBarrier:
		sizes = widerBlocks
	}
	fit, err := f.Shapes(ctx, trial.ShapeSearch{
		Config: config, Sizes: sizes, Schedules: min(f.Schedules, leastRuns), Steps: f.steps,
	})
	if err != nil {
		return nil, err
	}
	c.shapes = fit
	f.confirmations[of] = c
	return c, nil
}

// prepare explores the original with strict checks.
func (c *confirmation) prepare(ctx context.Context) (*report.Report, error) {
	c.strict = &trial.Runs{
		Subject: &c.Subject, Config: c.Session.Emulator,
		Schedules: min(c.Schedules, max(leastRuns, c.Schedules/strictPart)),
	}
	c.strict.Config.Seed += otherSeed
	c.strict.Config.Synccheck, c.strict.Config.LateAsync = true, true
	rep, _, err := c.strict.Base(ctx, c.Plan)
	return rep, err
}

// strictly runs an edited module with strict checks.
func (c *confirmation) strictly(ctx context.Context, t *attempt, plan *session.Plan, rep *report.Report) error {
	if c.strict == nil {
		return nil
	}
	late, _, err := c.explore(ctx, c.strict, t.module, plan, nil)
	if err != nil {
		return err
	}
	if x := c.strict.NewFault(t.module, late); x != nil {
		return fmt.Errorf("%w: %s", errUnverified, x.Message)
	}
	if t.races = c.pairs(t.module, late); len(t.races) > 0 {
		return nil
	}
	t.verified.Strict = late.Exploration.Schedules
	return c.compare(t.verified, rep.Exploration.Outcomes, late.Exploration.Outcomes)
}

// raceFree returns the outcomes of runs without a race and without a fault.
func raceFree(rep *report.Report) (list []report.Outcome) {
	for _, o := range rep.Exploration.Outcomes {
		if o.RaceFree > 0 && o.Fault == "" {
			list = append(list, o)
		}
	}
	return list
}

// compare compares the results of edited runs with each other, and with those of the original's runs without a race if
// these agree. The error says that the repair changes results. Under weak memory, runs without a race may have weak
// outcomes.
func (f *fixer) compare(v *Verified, usual, late []report.Outcome) error {
	if len(usual) == 1 && len(late) == 1 && trial.States(usual)[0] != trial.States(late)[0] {
		return fmt.Errorf("%w: results depend on when asynchronous copies are performed", errUnverified)
	}
	free := slices.Compact(slices.Sorted(slices.Values(trial.States(f.free))))
	switch {
	case len(usual) == 0 || f.Session.Emulator.Memory == emu.PTX:
	case len(free) == 0:
		v.Results += "; no run of the original is free of races to compare with"
	case len(free) > 1:
		v.Results += fmt.Sprintf("; the original's runs without a race have %d different ones", len(free))
	case !slices.Contains(trial.States(append(usual, late...)), free[0]):
		return fmt.Errorf("%w: the results differ from those of the original's runs without a race", errUnverified)
	default:
		v.Results += "; as in the original's runs without a race"
	}
	return nil
}

// timeout is a class of faults.
const timeout = "timeout"

// otherShapes runs an edited module with the sizes of blocks that fit the original. The races that the repair is for
// must be gone there, too; others are named.
func (c *confirmation) otherShapes(ctx context.Context, t *attempt, plan *session.Plan) error {
	for _, s := range c.shapes {
		other := s.Of(plan)
		if other == nil {
			continue
		}
		rep, _, err := s.Explore(ctx, other, nil, s.Enough)
		if err != nil {
			return err
		}
		x := s.NewFault(t.module, rep)
		switch {
		case x != nil && x.Class == timeout: // the runs decide nothing
			continue
		case x != nil:
			return fmt.Errorf("%w: with %s: %s", errUnverified, s.Name(), x.Message)
		}
		mine, others := c.apart(t.module, c.pairs(t.module, rep))
		if s.Threads > 0 {
			t.verified.Blocks = append(t.verified.Blocks, s.Threads)
		}
		if len(mine) > 0 {
			t.races, t.threads = mine, s.Threads
			return nil
		}
		for _, x := range others {
			other := fmt.Sprintf("%s: %s and %s", s.Name(), trial.Brief(&x.First), trial.Brief(&x.Second))
			if !slices.Contains(t.verified.Others, other) {
				t.verified.Others = append(t.verified.Others, other)
			}
		}
	}
	return nil
}

// apart separates the races of an edited module that the original has in the given launches from the others.
func (f *fixer) apart(m *rewrite.Module, races []*report.Race) (mine, others []*report.Race) {
	for _, x := range races {
		r := f.raceOf(m, x)
		known := r != nil && slices.ContainsFunc(f.found, r.SameAccesses)
		if known {
			mine = append(mine, x)
		} else {
			others = append(others, x)
		}
	}
	return mine, others
}
