// Shapes: the launches of a plan with blocks of other sizes, and those of a template with other numbers.

package trial

import (
	"context"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Shape is another form of the launches: another size of their blocks, or for a template other numbers.
type Shape struct {
	*Runs
	Threads uint32 // 0 for other numbers
	// Of returns a plan in this form, nil where no launch changes: the edited kernel may be for its own size of blocks
	// alone.
	Of func(*session.Plan) *session.Plan
}

// Name describes the launches.
func (s *Shape) Name() string {
	if s.Threads == 0 {
		return "other sizes than those of the template"
	}
	return fmt.Sprintf("blocks of %d threads", s.Threads)
}

// ShapeSearch says which other forms of the launches are run, and how.
type ShapeSearch struct {
	Config    emu.Config
	Sizes     []uint32 // threads of a block
	Schedules int
	Steps     uint64 // warp instructions of one run of the original
}

// Shapes runs the original with blocks of the given sizes, and a template with other numbers, and returns those that
// fit: it has no fault with them, and with other blocks uses no shared memory under every schedule that nothing has
// written.
func (s *Subject) Shapes(ctx context.Context, o ShapeSearch) (fit []*Shape, err error) {
	var list []*Shape
	for _, n := range o.Sizes {
		list = append(list, &Shape{Threads: n, Of: func(p *session.Plan) *session.Plan { return p.Reshaped(n) }})
	}
	for _, other := range s.Plan.OtherNumbers() {
		list = append(list, &Shape{Of: func(p *session.Plan) *session.Plan { return p.Of(other.File) }})
	}
	for _, x := range list {
		plan := x.Of(s.Plan)
		if plan == nil {
			continue
		}
		x.Runs = &Runs{Subject: s, Config: o.Config, Schedules: o.Schedules}
		fits := *x.Runs
		fits.Config.MaxSteps = ShapeSteps(o.Steps)
		x.Config.MaxSteps = 2 * fits.Config.MaxSteps
		fits.Config.Variables, fits.Config.Uninitialised, fits.Config.MaxFaults = true, true, shapeFaults
		fits.Enough = func(rep *report.Report) bool { return slices.ContainsFunc(rep.Faults, stops) }
		rep, _, err := fits.Base(ctx, plan)
		if err != nil {
			return nil, err
		}
		if x.Faults = fits.Faults; !slices.ContainsFunc(rep.Faults, func(f *report.FaultEvent) bool {
			return stops(f) || x.Threads > 0 && unfit(f, rep.Exploration.Schedules)
		}) {
			fit = append(fit, x)
		}
	}
	return fit, nil
}

// ShapeSteps limits the warp instructions of a launch with blocks of another size: a multiple of those of the given
// launches, up to a limit.
func ShapeSteps(steps uint64) uint64 {
	const most, base, factor = 20_000_000, 100_000, 64
	return min(most, base+factor*steps)
}

// shapeFaults are the faults after which a run of the original in another form ends.
const shapeFaults = 8

// unfit reports whether a fault says that the kernel is for another size of blocks. Races may be why shared memory is
// read that nothing has written, but not under every schedule.
func unfit(x *report.FaultEvent, schedules int) bool {
	return x.Space == isa.SpaceShared.String() && x.Schedules == schedules
}

// stops reports whether a fault does not fit under any schedule.
func stops(x *report.FaultEvent) bool {
	return x.Class != uninitialised && x.Class != report.AsyncRegister
}

// uninitialised is a class of faults.
const uninitialised = "uninitialised"
