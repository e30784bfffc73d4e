// Weak outcomes: the search for fences and stronger accesses that forbid them, verified by exploring the edited module.

package fix

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Limits of the search for weak outcomes.
const (
	weakRuns         = 2000 // executions of the exhaustive search
	weakInstructions = 2000 // of the threads of a run; the exhaustive search does not take longer ones
	weakRounds       = 16   // sets of edits
	adviceShare      = 4    // of the first two, for advice: one part of so many
)

// errManyExecutions says that advice is not offered: not all executions can be made.
var errManyExecutions = errors.New("too many executions")

// weakSearch is the search for edits that forbid the weak outcomes of a module with other edits.
type weakSearch struct {
	*fixer
	base     []*repair.Edit
	orders   []*weakOrder
	stronger []*repair.Edit
	round    int
}

// weakOrder is an order that is needed, and the edits that may give it.
type weakOrder struct {
	repair.Order
	edits []*repair.Edit // cheapest first
	tried int            // of them, before the one that is in use
	round int            // the last one that has needed it
}

// mendWeak adds to the result the edits that forbid the weak outcomes of the module with its edits. run is the first
// schedule of the runs that verify them.
func (f *fixer) mendWeak(ctx context.Context, res *Result, run *session.Run) error {
	if f.Session.Emulator.Memory != emu.PTX {
		return nil
	}
	s := &weakSearch{fixer: f, base: res.Edits}
	found, how, err := s.outcomes(ctx, res.Edits)
	if err != nil {
		return err
	}
	if res.Verified.Weak = how; len(found) == 0 {
		return nil
	}
	res.Weak = found
	for _, x := range found { // in the source, edits go between these
		for i := range x.Reordered {
			r := &repair.Race{
				First:  f.AccessOf(f.original, &x.Reordered[i].First),
				Second: f.AccessOf(f.original, &x.Reordered[i].Second),
			}
			if r.First != nil && r.Second != nil {
				res.pairs = append(res.pairs, r)
			}
		}
	}
	for len(found) > 0 {
		if s.round++; s.round > weakRounds || !s.learn(found) {
			return res.keepWeak(found, "")
		}
		res.Attempts++
		if found, how, err = s.outcomes(ctx, s.edits()); err != nil {
			return err
		}
	}
	if how, err = s.reduce(ctx, res, how); err != nil {
		return err
	}
	t, err := f.try(ctx, s.edits(), run)
	switch {
	case ctx.Err() != nil:
		return session.Ended(ctx)
	case err != nil:
		return res.keepWeak(res.Weak, err.Error())
	case len(t.races) > 0:
		return res.keepWeak(res.Weak, "a race is left: "+trial.Place(&t.races[0].First)+" and "+trial.Place(&t.races[0].Second))
	}
	res.Edits, res.Module, res.Verified = s.edits(), t.module, *t.verified
	res.Verified.Weak, res.Cost = how, 0
	for _, e := range res.Edits {
		res.Cost += e.Cost
	}
	return nil
}

// AdviseWeak adds to the weak outcomes of a report the edits that forbid them all, if all executions of the program can
// be made and a search of limited length finds and verifies some. The report is that of an exploration of the plan.
func AdviseWeak(ctx context.Context, o Options, rep *report.Report) error {
	weak := slices.DeleteFunc(slices.Clone(rep.Faults),
		func(x *report.FaultEvent) bool { return x.Class != report.WeakClass })
	run := RunCost(o.Plan, rep)
	if len(weak) == 0 || !affordable(run, o.Plan) {
		return nil
	}
	o.Schedules = adviceSchedules
	f := newFixer(o)
	f.aim, f.Spending, f.usual.Faults = &aim{known: make(map[pair]bool)}, adviceMeter(o.Plan), make(map[string]int)
	f.learnt(f.Counted(rep.Races))
	f.usual.Note(rep)
	f.steps, f.threads = rep.Stats.WarpInstructions, rep.Stats.ThreadInstructions
	res := &Result{Report: rep, Original: f.original, Module: f.original, fixer: f}
	if err := f.mendWeak(ctx, res, nil); err != nil || !res.Mended() {
		return err
	}
	for _, x := range weak {
		x.Hint = fmt.Sprintf("%s (verified: weak outcomes: %s)", res.words(res.Edits), res.Verified.Weak)
	}
	return nil
}

// keepWeak records weak outcomes that are not mended, and why.
func (r *Result) keepWeak(found []*report.FaultEvent, why string) error {
	left := found[0].Message
	if why != "" {
		left = fmt.Sprintf("no repair is verified: %s: %s", why, left)
	}
	r.Verified.WeakLeft = left
	return nil
}

// outcomes returns the weak outcomes of the module with edits, and how they were looked for.
func (s *weakSearch) outcomes(ctx context.Context, edits []*repair.Edit) ([]*report.FaultEvent, string, error) {
	m, plan, err := s.Edited(edits)
	if err != nil {
		return nil, "", err
	}
	found, how, err := s.weakOutcomes(ctx, plan)
	for _, x := range found { // in terms of the original
		for i := range x.Reordered {
			s.Restore(m, &x.Reordered[i].First)
			s.Restore(m, &x.Reordered[i].Second)
		}
		for i := range x.Involved {
			s.Restore(m, &x.Involved[i])
		}
	}
	return found, how, err
}

// weakOutcomes explores a plan: all its executions if they are few, else random ones, as many as there are schedules.
func (f *fixer) weakOutcomes(ctx context.Context,
	plan *session.Plan,
) (found []*report.FaultEvent, how string, err error) {
	share := uint64(1)
	if f.aim != nil {
		share = adviceShare
	}
	small := f.threads <= weakInstructions/share
	if small {
		found, how, err = f.weakRun(ctx, plan, session.Search{Name: "exhaustive", Runs: weakRuns / int(share)})
	}
	switch {
	case how != "" || err != nil || small && len(found) > 0:
		return found, how, err
	case f.aim != nil:
		return nil, "", errManyExecutions
	}
	return f.weakRun(ctx, plan, session.Search{Name: session.SearchNames[0], Runs: f.Schedules})
}

// weakRun explores a plan by one search. how is empty if that was not complete and should have been.
func (f *fixer) weakRun(ctx context.Context, plan *session.Plan,
	search session.Search,
) (found []*report.FaultEvent, how string, err error) {
	e := &session.Exploration{Options: f.Session, Scenario: plan, Search: search, Workers: f.Workers}
	e.Options.Detectors, e.Options.Progress = nil, nil
	rep, err := f.Spending.Explore(ctx, e)
	if err != nil {
		return nil, "", err
	}
	for _, x := range rep.Faults {
		if x.Class == report.WeakClass {
			found = append(found, x)
		}
	}
	switch {
	case !e.Watched():
		how = "not looked for: the buffers are too large, or the launch is a template"
	case rep.Exploration.Complete:
		how = fmt.Sprintf("none in %d executions, which are all that the memory model allows",
			rep.Exploration.Schedules)
	case search.Name != "exhaustive":
		how = fmt.Sprintf("none under %d schedules (%s)", rep.Exploration.Schedules, search.Name)
	}
	return found, how, nil
}

// edits returns the edits in use.
func (s *weakSearch) edits() []*repair.Edit {
	list := slices.Concat(s.base, s.stronger)
	for _, o := range s.orders {
		e := o.edits[o.tried]
		if !slices.ContainsFunc(list, func(x *repair.Edit) bool { return x.Key() == e.Key() }) {
			list = append(list, e)
		}
	}
	return list
}

// learn adds what forbids weak outcomes, and reports whether there is something new. Where fence.acq_rel does not
// suffice, accesses may be too weak for it.
func (s *weakSearch) learn(found []*report.FaultEvent) (learnt bool) {
	for _, x := range found {
		scope, _ := isa.ScopeOf(x.Scope)
		sc := strings.Contains(x.Fence, ".sc.")
		if (x.Fence == "" || sc) && s.strengthen(x, scope) {
			learnt = true
			continue
		}
		for i := range x.Reordered {
			o := repair.Order{
				First:  s.AccessOf(s.original, &x.Reordered[i].First),
				Second: s.AccessOf(s.original, &x.Reordered[i].Second), Scope: scope, SC: sc,
			}
			if x.Fence != "" && o.First != nil && o.Second != nil {
				learnt = s.need(&o) || learnt
			}
		}
	}
	return learnt
}

// need adds an order, or another edit for one that has not sufficed, and reports whether there is one.
func (s *weakSearch) need(o *repair.Order) bool {
	for _, have := range s.orders {
		if have.First != o.First || have.Second != o.Second {
			continue
		}
		again := have.round == s.round
		if have.round = s.round; have.Join(o) {
			have.edits, have.tried = repair.Ordering(&have.Order), 0
			return true
		}
		if again || have.tried+1 == len(have.edits) {
			return false
		}
		have.tried++
		return true
	}
	s.orders = append(s.orders, &weakOrder{Order: *o, edits: repair.Ordering(o), round: s.round})
	return true
}

// strengthen adds edits that make the accesses of a weak outcome strong, with a scope that includes its threads.
func (s *weakSearch) strengthen(x *report.FaultEvent, scope isa.Scope) (some bool) {
	for i := range x.Involved {
		in := s.AccessOf(s.original, &x.Involved[i])
		if in == nil {
			continue
		}
		e := repair.Stronger(in, scope)
		if e != nil && !slices.ContainsFunc(s.edits(), func(y *repair.Edit) bool { return y.Key() == e.Key() }) {
			s.stronger, some = append(s.stronger, e), true
		}
	}
	return some
}

// reduce leaves out edits without which there is no weak outcome either. how says how those were looked for.
func (s *weakSearch) reduce(ctx context.Context, res *Result, how string) (string, error) {
	all := *s
	for i := range len(all.orders) + len(all.stronger) {
		was := *s
		if k := i - len(all.orders); k < 0 {
			s.orders = without(s.orders, all.orders[i])
		} else {
			s.stronger = without(s.stronger, all.stronger[k])
		}
		if len(s.edits()) == len(s.base) {
			*s = was
			break
		}
		res.Attempts++
		found, same, err := s.outcomes(ctx, s.edits())
		switch {
		case err != nil:
			return how, err
		case len(found) > 0:
			*s = was
		default:
			how = same
		}
	}
	return how, nil
}

// without returns a list but for one element.
func without[T comparable](list []T, one T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return x == one })
}
