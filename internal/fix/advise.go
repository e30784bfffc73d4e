// Advice for the findings of a check: for each, the cheapest edits that remove it, found and verified as a repair of
// all races is.

package fix

import (
	"context"
	"errors"
	"slices"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Limits of the search for advice.
const (
	adviceSchedules = 8         // fewer for long programs
	adviceAttempts  = 60        // for one finding
	adviceSteps     = 6_000_000 // instructions of threads executed for all findings of a report
	adviceLeast     = 3         // schedules, at least
)

// RunCost returns what one run of a plan costs, in instructions of threads.
func RunCost(plan *session.Plan, rep *report.Report) uint64 {
	runs := max(rep.Stats.Launches/max(len(plan.Launches), 1), 1) // a sweep has several
	return max(rep.Stats.ThreadInstructions/uint64(runs), 1) + trial.FillCost(plan)
}

// adviceMeter returns the meter of a search for advice.
func adviceMeter(plan *session.Plan) *trial.Meter {
	return trial.NewMeter(trial.Budget{Instructions: adviceSteps}, plan, adviceLeast*adviceSteps)
}

// affordable reports whether the limit of a search for advice allows to verify an edit; run is the cost of a run.
func affordable(run uint64, plan *session.Plan) bool {
	return adviceLeast*run+uint64(len(plan.Program.Module.AST.File.Src)) <= adviceSteps
}

// aim is what a search for advice looks at: the races of one finding, and those that the original does not have.
type aim struct {
	own, known map[pair]bool // the pairs of instructions that race in the finding, and in the original
	based      bool          // known has the races of the original under several schedules, and the fixer has its faults
}

// pair is two racing instructions of the original module, in the order of their lines.
type pair struct{ first, second *rewrite.Inst }

// pairOf returns the instructions of a race of the edited module m, nil for inserted ones.
func (f *fixer) pairOf(m *rewrite.Module, x *report.Race) pair {
	a, b := f.AccessOf(m, &x.First), f.AccessOf(m, &x.Second)
	if a != nil && b != nil && b.Line < a.Line {
		a, b = b, a
	}
	return pair{a, b}
}

// selects reports whether edits must remove, or must not make, a race.
func (a *aim) selects(p pair) bool { return a.own[p] || !a.known[p] }

// learnt adds the races of the original to those that are known.
func (f *fixer) learnt(races []*report.Race) (list []pair) {
	for _, x := range races {
		for _, y := range x.Each() {
			p := f.pairOf(f.original, y)
			f.aim.known[p], list = true, append(list, p)
		}
	}
	return list
}

// base runs the original under several schedules, once, to learn which races and faults edits need not remove.
func (f *fixer) base(ctx context.Context) error {
	f.aim.based = true
	rep, _, err := f.usual.Base(ctx, f.Plan)
	if err != nil {
		return err
	}
	f.learnt(f.Counted(rep.Races))
	return nil
}

// unknown reports whether a run of the edited module m shows a race or fault that the original was not seen to have,
// before the original was run under several schedules. It then does that.
func (f *fixer) unknown(ctx context.Context, m *rewrite.Module, rep *report.Report) (bool, error) {
	if f.aim == nil || f.aim.based || f.usual.NewFault(m, rep) == nil &&
		!slices.ContainsFunc(f.pairs(m, rep), func(x *report.Race) bool { return !f.aim.own[f.pairOf(m, x)] }) {
		return false, nil
	}
	return true, f.base(ctx)
}

// Advise replaces the advice for the findings of a check that count for the verdict by the edits that remove them, as
// far as a search of limited length finds some. The report is that of a run of the plan with the same detectors.
func Advise(ctx context.Context, o Options, rep *report.Report) error {
	run := RunCost(o.Plan, rep)
	if !affordable(run, o.Plan) {
		return nil
	}
	o.Schedules, o.Attempts = int(min(adviceSchedules, max(adviceLeast, adviceSteps/4/run))), adviceAttempts
	o.Session.Emulator.Synccheck = true
	o.Announced = slices.ContainsFunc(rep.Races, func(x *report.Race) bool { return x.Cause == detect.WeakOutcome })
	f := newFixer(o)
	f.aim, f.Spending, f.usual.Faults = &aim{known: make(map[pair]bool)}, adviceMeter(o.Plan), make(map[string]int)
	found := f.Counted(rep.Races)
	f.learnt(found)
	for _, x := range found {
		f.add(x)
	}
	f.usual.Note(rep)
	f.steps = rep.Stats.WarpInstructions
	slices.SortStableFunc(found, func(a, b *report.Race) int {
		return slices.Index(detect.Kinds, a.Kind) - slices.Index(detect.Kinds, b.Kind)
	})
	var earlier [][]*repair.Edit // of findings between more distant threads: what orders those may order others, too
	for _, x := range found {
		if f.Spending.Spent() {
			break
		}
		if x.Advice != nil && (x.Advice.Repair == detect.RepairShape || x.Advice.Repair == detect.RepairApart) ||
			x.Variation != "" {
			continue // the advice is to change the launch or addresses, or the race is of another launch
		}
		res, err := f.advise(ctx, rep, x, earlier)
		if err != nil {
			return err
		}
		if res.Mended() {
			earlier = append(earlier, res.Edits)
		}
	}
	return nil
}

// add adds the races of a finding to those of the original.
func (f *fixer) add(x *report.Race) (list []*repair.Race) {
	for _, y := range x.Each() {
		if r := f.raceOf(f.original, y); r != nil {
			list = append(list, r)
		}
	}
	f.found = append(f.found, list...)
	return list
}

// advise searches for edits that remove a finding, those for earlier findings first, and sets its advice.
func (f *fixer) advise(ctx context.Context, rep *report.Report, x *report.Race,
	earlier [][]*repair.Edit,
) (*Result, error) {
	f.aim.own = make(map[pair]bool)
	for _, p := range f.learnt([]*report.Race{x}) {
		f.aim.own[p] = true
		f.ownStore(p)
	}
	one := *rep
	one.Races = []*report.Race{x}
	res := &Result{Report: &one, Races: one.Races, Original: f.original, Module: f.original, fixer: f}
	for _, y := range x.Each() {
		if r := f.raceOf(f.original, y); r != nil {
			res.pairs = append(res.pairs, r)
		}
	}
	if t, err := f.try(ctx, nil, nil); err != nil || len(t.races) == 0 { // too rare to see whether it is gone
		return res, ctx.Err()
	}
	for _, edits := range earlier {
		f.tryFor(ctx, res, edits)
	}
	if !res.Mended() && len(res.pairs) > 0 {
		if err := f.search(ctx, res, &one, nil); err != nil && !errors.Is(err, trial.ErrSpent) {
			return nil, err
		}
	}
	if edits := res.separate(x); edits != nil { // more barriers than the search puts together
		res.refuted = f.tryFor(ctx, res, edits) && !res.Mended()
	}
	res.counsel(x)
	return res, nil
}

// tryFor makes edits the result if they remove the finding, unless there is one. It reports whether it has tried them.
func (f *fixer) tryFor(ctx context.Context, res *Result, edits []*repair.Edit) bool {
	if res.Mended() || f.Spending.Spent() {
		return false
	}
	t, err := f.try(ctx, edits, nil)
	if err == nil && t.verified != nil {
		res.Edits, res.Module, res.Verified = edits, t.module, *t.verified
	}
	return ctx.Err() == nil
}

// ownStore adds the race of a store with itself to those of the finding if a pair is that store and a load: edits that
// only order the two would leave updates lost, or leave open which of the values is loaded.
func (f *fixer) ownStore(p pair) {
	for _, in := range []*rewrite.Inst{p.first, p.second} {
		other := p.first
		if in == p.first {
			other = p.second
		}
		if in != nil && other != nil && in.Access.Writes() && !other.Access.Writes() && f.aim.known[pair{in, in}] {
			f.aim.own[pair{in, in}] = true
		}
	}
}

// separate returns barriers at all places that the control flow shows between the accesses of a finding, if those are
// ordered by a barrier of the block or warp; else nil.
func (r *Result) separate(x *report.Race) []*repair.Edit {
	barrier := x.Advice != nil && (x.Advice.Repair == detect.RepairBarrier || x.Advice.Repair == detect.RepairSplit)
	if !barrier || len(r.pairs) != len(x.Each()) || x.Space == "tensor" {
		return nil
	}
	return repair.Separate(r.pairs, r.fixer.origins)
}

// counsel sets the advice of a finding by the result of the search. A search that was cut short leaves it as it is,
// unless it has been refuted.
func (r *Result) counsel(x *report.Race) {
	old := x.Advice
	switch {
	case r.Mended():
		a := &report.Advice{
			Repair: repairs[r.Edits[0].Op], Scope: r.scope(x), Verified: r.Verified.Schedules,
			Changes: r.changesOf(repair.Changes(r.Edits)),
		}
		x.Counsel(a, r.words(r.Edits))
	case r.refuted || !r.fixer.Spending.Spent() && old != nil && local[old.Repair] && r.Attempts > 0:
		x.Counsel(&report.Advice{Repair: old.Repair, Scope: old.Scope, None: true}, noEdit)
	}
}

// Advise replaces the advice for the findings of a report of the original that count for the verdict by what the search
// for a repair of all has found, so that both are verified by the same runs. A finding keeps advice that is a part of
// the repair, at the places of the repair.
func (r *Result) Advise(rep *report.Report) {
	changes := r.changesOf(repair.Changes(r.Edits))
	for _, x := range r.fixer.Counted(rep.Races) {
		a := x.Advice
		switch {
		case !r.shows(x): // of another launch
		case r.revised != nil:
			x.Counsel(r.inSource(x), r.words(nil))
		case r.Mended() && a.Within(changes):
			a.Verified = r.Verified.Schedules
			part := r.part(a.Changes)
			a.Changes = r.changesOf(repair.Changes(part))
			x.Counsel(a, r.words(part))
		case r.Mended():
			r.counsel(x)
		case r.Undecided != "":
		case x.Unverified():
			x.Counsel(&report.Advice{Repair: a.Repair, Scope: a.Scope, None: true},
				"ptxsan fix found no repair of all races: "+r.Why)
		case a != nil && len(a.Changes) > 0:
			x.Counsel(a,
				x.Hint+" (verified for the sizes of this launch alone; ptxsan fix found no repair of all races)")
		}
	}
}

// inSource returns the advice to change the source as the patch does.
func (r *Result) inSource(x *report.Race) *report.Advice {
	a := &report.Advice{Scope: r.scope(x), Verified: r.fixer.Schedules}
	if x.Advice != nil {
		a.Repair = x.Advice.Repair
	}
	return a
}

// part returns the edits of the repair that make some of its changes. Edits that strengthen one instruction make one
// change together.
func (r *Result) part(changes []report.Change) (edits []*repair.Edit) {
	made := repair.Changes(r.Edits)
	for _, e := range r.Edits {
		makes := func(c repair.Change) bool {
			same := slices.ContainsFunc(e.Changes, func(d repair.Change) bool {
				return d.At == c.At &&
					d.Place == c.Place && d.Text == c.Text
			})
			return same && slices.ContainsFunc(changes, r.changesOf([]repair.Change{c})[0].Same)
		}
		if slices.ContainsFunc(made, makes) {
			edits = append(edits, e)
		}
	}
	return edits
}

// scope returns the name of the narrowest scope that includes the threads of a finding.
func (r *Result) scope(x *report.Race) string {
	if x.Advice != nil {
		return x.Advice.Scope
	}
	return ""
}

// noEdit is the advice where no edits were found.
const noEdit = "no single edit of the kernel removes it without another fault: give each thread an element of its own, or let another order of steps, or several kernels, separate the accesses"

// repairs has the kind of repair for each kind of edit.
var repairs = map[repair.Op]detect.Repair{
	repair.Barrier: detect.RepairBarrier, repair.WarpBarrier: detect.RepairBarrier,
	repair.Cluster: detect.RepairBarrier, repair.SplitBarrier: detect.RepairBarrier,
	repair.WidenMask: detect.RepairMask, repair.Fence: detect.RepairFence, repair.Release: detect.RepairFence,
	repair.Acquire:    detect.RepairFence,
	repair.WidenFence: detect.RepairScope, repair.WidenScope: detect.RepairScope, repair.Strong: detect.RepairStrong,
	repair.Atomic:   detect.RepairUpdate,
	repair.Coherent: detect.RepairLoad, repair.Wait: detect.RepairWait, repair.Expect: detect.RepairWait,
	repair.ProxyFence:  detect.RepairFence,
	repair.TensorFence: detect.RepairFence, repair.Lock: detect.RepairLock, repair.OneThread: detect.RepairOneThread,
	repair.Move: detect.RepairMove,
}

// local has the kinds of repair that are edits of a few instructions.
var local = map[detect.Repair]bool{
	detect.RepairUpdate: true, detect.RepairSplit: true, detect.RepairOneThread: true, detect.RepairBarrier: true,
	detect.RepairFence: true,
	detect.RepairScope: true, detect.RepairStrong: true, detect.RepairWait: true, detect.RepairMask: true,
}
