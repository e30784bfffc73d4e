// Verification: runs of edited modules.

package fix

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// errUnverified is why a set of edits that leaves no race is refused.
var errUnverified = errors.New("not verified")

// trial is what a run of the module with edits showed.
type trial struct {
	module   *rewrite.Module
	verified *Verified      // nil when there are races
	races    []*report.Race // that are left
	run      *session.Run   // that showed them, nil when it cannot be made first elsewhere
}

// try runs the module with edits up to the first race or fault, under first before all others unless it is nil. The error says what
// else is wrong than races.
func (f *fixer) try(ctx context.Context, edits []*repair.Edit, first *session.Run) (*trial, error) {
	m, plan, err := f.edited(edits)
	if err != nil {
		return nil, err
	}
	rep, run, err := f.explore(ctx, m, plan, first, true)
	if err != nil {
		return nil, err
	}
	if x := f.newFault(m, rep); x != nil {
		return nil, fmt.Errorf("%w: %s", errUnverified, x.Message)
	}
	if races := f.pairs(rep); len(races) > 0 {
		return &trial{module: m, races: races, run: run}, nil
	}
	v := &Verified{Schedules: rep.Exploration.Schedules, Search: rep.Exploration.Search}
	v.Results, err = f.results(rep, edits)
	return &trial{module: m, verified: v}, err
}

// explore runs a plan, of the edited module m unless that is nil, under schedules of all kinds, up to the first race or fault if that is
// enough. The run is that which was the first to show one, nil when it cannot be made first elsewhere.
func (f *fixer) explore(ctx context.Context, m *rewrite.Module, plan *session.Plan, first *session.Run, enough bool) (*report.Report, *session.Run, error) {
	e := &session.Exploration{
		Options: f.Session, Scenario: plan, Search: session.Search{Name: session.SearchNames[0], Runs: f.Schedules, First: first},
		Workers: f.Workers, Outcomes: f.compared(),
	}
	if enough {
		e.Enough = func(rep *report.Report) bool { return len(f.counted(rep)) > 0 || f.newFault(m, rep) != nil }
	}
	rep, err := e.Run(ctx)
	return rep, e.Found(), err
}

// compared are the buffers that results are compared by: those that the launch file expects
// something of, otherwise all; nil when they are too large.
func (f *fixer) compared() []*launch.Buffer {
	file := f.Plan.File
	list, total := []*launch.Buffer{}, uint64(0)
	for i := range file.Buffers {
		b := &file.Buffers[i]
		if f.expected() && !slices.ContainsFunc(file.Expect.Buffers, func(x launch.ExpectBuffer) bool { return x.Name == b.Name }) {
			continue
		}
		list, total = append(list, b), total+b.Size()
	}
	if total > session.MaxOutcome {
		return nil
	}
	return list
}

// expected reports whether the launch file says what buffers hold at the end.
func (f *fixer) expected() bool {
	return f.Plan.File.Expect != nil && len(f.Plan.File.Expect.Buffers) > 0
}

// results says how the results of verified runs compare. The error is that they are not as they
// must be.
func (f *fixer) results(rep *report.Report, edits []*repair.Edit) (string, error) {
	for _, e := range rep.Expect {
		if strings.HasPrefix(e.What, "buffer ") && !e.OK {
			return "", fmt.Errorf("%w: %s: expected %s, got %s", errUnverified, e.What, e.Want, e.Got)
		}
	}
	states := len(rep.Exploration.Outcomes)
	if f.unseen(edits) {
		return "", fmt.Errorf("%w: of two writes that are made strong one may be lost, which no buffer shows", errUnverified)
	}
	switch {
	case f.expected() && states <= 1:
		return "as the launch file expects", nil
	case f.expected():
		return "", fmt.Errorf("%w: buffers of which the launch file says what they hold differ between schedules", errUnverified)
	case states > 1 && (len(f.lossy(edits)) > 0 || slices.ContainsFunc(edits, func(e *repair.Edit) bool { return e.Unordered })):
		return "", fmt.Errorf("%w: accesses that are made strong leave results that differ between schedules", errUnverified)
	case states > 1:
		return fmt.Sprintf("%d different ones, by schedule", states), nil
	case states == 0:
		return "not compared: the buffers are too large", nil
	}
	return "the same under all schedules", nil
}

// lossy are the races of the original between writes of which one may be lost, an access of which the edits make strong. It may
// be an edit that is meant for another race of the access.
func (f *fixer) lossy(edits []*repair.Edit) (list []*repair.Race) {
	for _, r := range f.found {
		strong := func(e *repair.Edit) bool { return e.Strengthens(r.First) || e.Strengthens(r.Second) }
		if r.Lossy() && slices.ContainsFunc(edits, strong) {
			list = append(list, r)
		}
	}
	return list
}

// unseen reports whether nothing but strength keeps two writes from racing of which one may be lost without any result
// that shows it.
func (f *fixer) unseen(edits []*repair.Edit) bool {
	orders := func(e *repair.Edit) bool { return e.Op != repair.Strong && e.Op != repair.WidenScope }
	return !slices.ContainsFunc(edits, orders) && slices.ContainsFunc(f.lossy(edits), func(r *repair.Race) bool { return !r.Compared })
}

// prove asks the static detector about the launches of the mended module.
func (f *fixer) prove(ctx context.Context, res *Result) error {
	_, plan, err := f.edited(res.Edits)
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
