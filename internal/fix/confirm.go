// Confirmation: a repair that leaves no race is run in other ways than the search ran it.

package fix

import (
	"context"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
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
	strict *runs
	shapes []*shape
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
// that are found become those of the trial. The error describes other problems.
func (f *fixer) confirm(ctx context.Context, t *trial, plan *session.Plan, rep *report.Report,
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
	config := f.usual.config
	switch of {
	case ofRepair:
		rep, err := c.prepare(ctx)
		if err != nil {
			return nil, err
		}
		f.free = append(f.free, raceFree(rep)...)
		sizes, config = f.Plan.OtherBlocks(), c.strict.config
	case ofWarpBarrier:
		sizes = widerBlocks
	}
	if err := c.findShapes(ctx, config, sizes); err != nil {
		return nil, err
	}
	f.confirmations[of] = c
	return c, nil
}

// prepare explores the original with strict checks.
func (c *confirmation) prepare(ctx context.Context) (*report.Report, error) {
	c.strict = &runs{
		fixer: c.fixer, config: c.Session.Emulator,
		schedules: min(c.Schedules, max(leastRuns, c.Schedules/strictPart)),
	}
	c.strict.config.Seed += otherSeed
	c.strict.config.Synccheck, c.strict.config.LateAsync = true, true
	rep, _, err := c.strict.original(ctx, c.Plan)
	return rep, err
}

// strictly runs an edited module with strict checks.
func (c *confirmation) strictly(ctx context.Context, t *trial, plan *session.Plan, rep *report.Report) error {
	if c.strict == nil {
		return nil
	}
	late, _, err := c.strict.explore(ctx, t.module, plan, nil, true)
	if err != nil {
		return err
	}
	if x := c.strict.newFault(t.module, late); x != nil {
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
	if len(usual) == 1 && len(late) == 1 && states(usual)[0] != states(late)[0] {
		return fmt.Errorf("%w: results depend on when asynchronous copies are performed", errUnverified)
	}
	free := slices.Compact(slices.Sorted(slices.Values(states(f.free))))
	switch {
	case len(usual) == 0 || f.Session.Emulator.Memory == emu.PTX:
	case len(free) == 0:
		v.Results += "; no run of the original is free of races to compare with"
	case len(free) > 1:
		v.Results += fmt.Sprintf("; the original's runs without a race have %d different ones", len(free))
	case !slices.Contains(states(append(usual, late...)), free[0]):
		return fmt.Errorf("%w: the results differ from those of the original's runs without a race", errUnverified)
	default:
		v.Results += "; as in the original's runs without a race"
	}
	return nil
}

// states returns outcomes as texts.
func states(list []report.Outcome) (texts []string) {
	for _, o := range list {
		texts = append(texts, fmt.Sprint(o.Fault, o.Buffers))
	}
	return texts
}

// shape is another form of the launches: another size of their blocks, or for a template other numbers.
type shape struct {
	*runs
	threads uint32 // 0 for other numbers
	// of returns a plan in this form, nil where no launch changes: the edited kernel may be for its own size of blocks
	// alone.
	of func(*session.Plan) *session.Plan
}

// name describes the launches.
func (s *shape) name() string {
	if s.threads == 0 {
		return "other sizes than those of the template"
	}
	return fmt.Sprintf("blocks of %d threads", s.threads)
}

// findShapes runs the original with blocks of the given sizes, and a template with other numbers, and keeps those that
// fit: it has no fault with them, and with other blocks uses no shared memory under every schedule that nothing has
// written.
func (c *confirmation) findShapes(ctx context.Context, config emu.Config, sizes []uint32) error {
	var list []*shape
	for _, n := range sizes {
		list = append(list, &shape{threads: n, of: func(p *session.Plan) *session.Plan { return p.Reshaped(n) }})
	}
	for _, other := range c.Plan.OtherNumbers() {
		list = append(list, &shape{of: func(p *session.Plan) *session.Plan { return p.Of(other.File) }})
	}
	for _, s := range list {
		plan := s.of(c.Plan)
		if plan == nil {
			continue
		}
		s.runs = &runs{fixer: c.fixer, config: config, schedules: min(c.Schedules, leastRuns)}
		fits := *s.runs
		fits.config.MaxSteps = min(shapeSteps, shapeBase+shapeFactor*c.steps)
		s.config.MaxSteps = 2 * fits.config.MaxSteps
		fits.config.Variables, fits.config.Uninitialised, fits.config.MaxFaults = true, true, leastRuns
		fits.enough = func(rep *report.Report) bool { return slices.ContainsFunc(rep.Faults, stops) }
		rep, _, err := fits.original(ctx, plan)
		if err != nil {
			return err
		}
		if s.faults = fits.faults; !slices.ContainsFunc(rep.Faults, func(x *report.FaultEvent) bool {
			return stops(x) || s.threads > 0 && unfit(x, rep.Exploration.Schedules)
		}) {
			c.shapes = append(c.shapes, s)
		}
	}
	return nil
}

// A launch of the original with blocks of another size has as many warp instructions at most: a multiple of those of
// the given launches, up to shapeSteps.
const (
	shapeSteps  = 20_000_000
	shapeBase   = 100_000
	shapeFactor = 64
)

// unfit reports whether a fault says that the kernel is for another size of blocks. Races may be why shared memory is
// read that nothing has written, but not under every schedule.
func unfit(x *report.FaultEvent, schedules int) bool {
	return x.Space == isa.SpaceShared.String() && x.Schedules == schedules
}

// stops reports whether a fault does not fit under any schedule.
func stops(x *report.FaultEvent) bool {
	return x.Class != uninitialised && x.Class != report.AsyncRegister
}

// Classes of faults.
const (
	uninitialised = "uninitialised"
	timeout       = "timeout"
)

// otherShapes runs an edited module with the sizes of blocks that fit the original. The races that the repair is for
// must be gone there, too; others are named.
func (c *confirmation) otherShapes(ctx context.Context, t *trial, plan *session.Plan) error {
	for _, s := range c.shapes {
		other := s.of(plan)
		if other == nil {
			continue
		}
		rep, _, err := s.explore(ctx, t.module, other, nil, false)
		if err != nil {
			return err
		}
		x := s.newFault(t.module, rep)
		switch {
		case x != nil && x.Class == timeout: // the runs decide nothing
			continue
		case x != nil:
			return fmt.Errorf("%w: with %s: %s", errUnverified, s.name(), x.Message)
		}
		mine, others := c.apart(t.module, c.pairs(t.module, rep))
		if s.threads > 0 {
			t.verified.Blocks = append(t.verified.Blocks, s.threads)
		}
		if len(mine) > 0 {
			t.races, t.threads = mine, s.threads
			return nil
		}
		for _, x := range others {
			other := fmt.Sprintf("%s: %s and %s", s.name(), brief(&x.First), brief(&x.Second))
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
