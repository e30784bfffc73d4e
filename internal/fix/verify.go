// Verification: runs of edited modules.

package fix

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// errUnverified is the reason for rejecting a set of edits that leaves no race.
var errUnverified = errors.New("not verified")

// attempt is the result of running the module with edits.
type attempt struct {
	module   *rewrite.Module
	verified *Verified      // nil when the usual runs show races
	races    []*report.Race // remaining races, of the usual runs or of those that confirm
	run      *session.Run   // the run that showed them, nil if it cannot be repeated before others
	threads  uint32         // the size of the blocks that show them, 0 for that of the launches
}

// try runs the module with edits up to the first race or fault, and without one, confirms that there is none. If first
// is not nil, it is the first schedule. The error describes problems other than races.
func (f *fixer) try(ctx context.Context, edits []*repair.Edit, first *session.Run) (*attempt, error) {
	m, plan, err := f.Edited(edits)
	if err != nil {
		return nil, err
	}
	rep, run, err := f.explore(ctx, f.usual, m, plan, first)
	if err != nil {
		return nil, err
	}
	if again, wrong := f.unknown(ctx, m, rep); again || wrong != nil {
		return f.try(ctx, edits, first)
	}
	if x := f.usual.NewFault(m, rep); x != nil {
		return nil, fmt.Errorf("%w: %s", errUnverified, x.Message)
	}
	if races := f.pairs(m, rep); len(races) > 0 {
		return &attempt{module: m, races: races, run: run}, nil
	}
	t := &attempt{module: m, verified: verifiedBy(rep)}
	if len(rep.Faults) > 0 {
		t.verified.Fault = rep.Faults[0].Message
	}
	t.verified.states = trial.States(rep.Exploration.Outcomes)
	if t.verified.Results, err = f.results(rep, edits); err != nil {
		return nil, err
	}
	if err = f.otherContents(ctx, plan, edits); err != nil {
		return nil, err
	}
	return t, f.confirm(ctx, t, plan, rep, edits)
}

// verifiedBy says under which schedules a program was run.
func verifiedBy(rep *report.Report) *Verified {
	x := rep.Exploration
	return &Verified{Schedules: x.Schedules, Every: x.Claimed, Search: x.Search}
}

// explore runs the plan of an edited module m, or of the original if m is nil, in one way, up to the first race or
// fault that edits have to remove.
func (f *fixer) explore(ctx context.Context, r *trial.Runs, m *rewrite.Module, plan *session.Plan, first *session.Run,
) (*report.Report, *session.Run, error) {
	return r.Explore(ctx, plan, first, func(rep *report.Report) bool {
		return len(f.pairs(m, rep)) > 0 || r.NewFault(m, rep) != nil
	})
}

// results describes the comparison of the results of verified runs. The error says that they differ from the required
// ones.
func (f *fixer) results(rep *report.Report, edits []*repair.Edit) (string, error) {
	for _, e := range rep.Expect {
		if strings.HasPrefix(e.What, "buffer ") && !e.OK {
			return "", fmt.Errorf("%w: %s: expected %s, got %s", errUnverified, e.What, e.Want, e.Got)
		}
	}
	states := len(rep.Exploration.Outcomes)
	if f.unseen(edits) {
		return "", fmt.Errorf("%w: of two writes that are made strong one may be lost, which no buffer shows",
			errUnverified)
	}
	switch {
	case f.Expected() && states <= 1:
		return "as the launch file expects", nil
	case f.Expected():
		return "", fmt.Errorf("%w: buffers of which the launch file says what they hold differ between schedules",
			errUnverified)
	case states > 1 && f.strengthOnly(edits):
		return "", errOrder
	case states > 1:
		return fmt.Sprintf("%d different ones, by schedule", states), nil
	case states == 0:
		return "not compared: the buffers are too large", nil
	}
	return "the same under all schedules", nil
}

// errOrder is the reason for rejecting edits by which accesses no longer race, but still come in either order, as the
// results show.
var errOrder = fmt.Errorf("%w: accesses that are made strong leave results that differ between schedules",
	errUnverified)

// strengthOnly reports whether edits make accesses strong, or widen their scope, that need an order if the results
// depend on it: two writes, two weak accesses, or a load of which the thread stores what it has read. Other loads are
// polls, and guesses that an atomic operation checks.
func (f *fixer) strengthOnly(edits []*repair.Edit) bool {
	if len(f.found) == 0 { // for results of weak memory: those of the original depend on the schedule
		return false
	}
	passesOn := func(c repair.Change) bool { return c.Place == repair.Strengthen && address.Stored(c.At.Func)[c.At] }
	return len(f.lossy(edits)) > 0 || slices.ContainsFunc(edits, func(e *repair.Edit) bool {
		return e.Unordered || (e.Op == repair.Strong || e.Op == repair.WidenScope) &&
			slices.ContainsFunc(e.Changes, passesOn)
	})
}

// otherContents runs an edited module, whose results must not depend on the schedule, with other contents of a
// template's buffers: as long as all of them are zero, all orders of the accesses may leave the same.
func (f *fixer) otherContents(ctx context.Context, plan *session.Plan, edits []*repair.Edit) error {
	if !f.Plan.File.Guessed || !f.strengthOnly(edits) {
		return nil
	}
	file := plan.File.WithSmall(func(b *launch.Buffer) bool { return plan.OnlyRead(b.Name) })
	if file == nil {
		return nil
	}
	rep, _, err := f.usual.Explore(ctx, plan.Of(file), nil, nil)
	if err != nil {
		return err
	}
	complete := slices.DeleteFunc(slices.Clone(rep.Exploration.Outcomes),
		func(o report.Outcome) bool { return o.Fault != "" })
	if len(complete) > 1 {
		return errOrder
	}
	return nil
}

// lossy returns the races of the original between two writes of which one may be lost, if an edit makes one of the
// accesses strong. The edit may be for another race of the access.
func (f *fixer) lossy(edits []*repair.Edit) (list []*repair.Race) {
	for _, r := range f.found {
		strong := func(e *repair.Edit) bool { return e.Strengthens(r.First) || e.Strengthens(r.Second) }
		if r.Lossy() && slices.ContainsFunc(edits, strong) {
			list = append(list, r)
		}
	}
	return list
}

// unseen reports whether two writes, of which one may be lost, no longer race only because they are strong, and no
// compared result would show the loss.
func (f *fixer) unseen(edits []*repair.Edit) bool {
	orders := func(e *repair.Edit) bool { return e.Op != repair.Strong && e.Op != repair.WidenScope }
	return !slices.ContainsFunc(edits, orders) && slices.ContainsFunc(f.lossy(edits),
		func(r *repair.Race) bool { return !r.Compared })
}

// prove runs the static detector on the launches of the repaired module.
func (f *fixer) prove(ctx context.Context, res *Result) error {
	_, plan, err := f.Edited(res.Edits)
	if err != nil {
		return err
	}
	s, err := session.Open(f.Session)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := plan.Play(ctx, s); err != nil {
		return err
	}
	switch proved, every := s.Proved(ctx); {
	case every:
		res.Verified.Proof = ProofOfKernels
	case proved:
		res.Verified.Proof = ProofOfLaunches
	}
	return nil
}
