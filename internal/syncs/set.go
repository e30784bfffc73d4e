// Sets: changes that stand together. Two synchronisations that can each go alone need not both go.

package syncs

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// choose takes changes into the set as long as nothing goes wrong with all of them, those that warps execute most often
// first, then in the order of lines.
func (r *Result) choose(ctx context.Context, o *Options) error {
	list := slices.DeleteFunc(slices.Clone(r.Answers), func(a *Answer) bool {
		return a.change == nil || a.InLibrary() && !o.Libraries
	})
	slices.SortStableFunc(list, func(a, b *Answer) int { return cmp.Compare(b.Executions, a.Executions) })
	if len(list) == 0 {
		return nil
	}
	v, err := r.judge.verifier(ctx, o)
	if err != nil {
		return err
	}
	for _, a := range list {
		edits := slices.Concat(r.Set, r.fresh(a.edits()))
		if len(edits) == len(r.Set) { // the partner of one in the set
			a.Chosen = true
			continue
		}
		var verified, wrong string
		verified, wrong, err = v.verify(ctx, edits, a.weakly())
		switch {
		case err != nil:
			return err
		case wrong == "":
			r.Set, r.Verified, r.Holds, a.Chosen = edits, verified, v.held, true
		default:
			if err = r.reconsider(ctx, v, a, wrong); err != nil {
				return err
			}
		}
	}
	if len(r.Set) > 0 {
		r.Module, _, err = r.judge.Edited(r.Set)
	}
	return err
}

// reconsider says why the change of an answer is not in the set, where wrong has been found: that it does not stand alone
// either, under the schedules of sets, or the site that can go in its place, or with which launches it is wrong.
func (r *Result) reconsider(ctx context.Context, v *verifier, a *Answer, wrong string) error {
	out, err := v.try(ctx, a.edits(), a.weakly())
	if err != nil {
		return err
	}
	switch {
	case out.because != nil:
		a.Verdict, a.To, a.change, a.With = Needed, "", nil, nil
		a.Because = cmp.Or(a.Because, out.because)
	case out.undecided != "":
		a.Verdict, a.To, a.change, a.Why = NotDecided, "", nil, out.undecided
	default:
		if a.Or, err = r.rival(ctx, a); err == nil && a.Or == nil {
			a.Elsewhere = wrong
		}
	}
	return err
}

// rival returns a site of the set that cannot go together with an answer's, nil if none is alone the reason.
func (r *Result) rival(ctx context.Context, a *Answer) (*Site, error) {
	for _, o := range r.Answers {
		if !o.Chosen || o.First().Func != a.First().Func {
			continue
		}
		out, err := r.judge.try(ctx, slices.Concat(o.edits(), a.edits()), a.weakly() || o.weakly())
		if err != nil || !out.good() {
			return o.Site, err
		}
	}
	return nil, nil
}

// fresh returns the edits that are not in the set.
func (r *Result) fresh(edits []*repair.Edit) []*repair.Edit {
	return slices.DeleteFunc(edits, func(e *repair.Edit) bool {
		return slices.ContainsFunc(r.Set, func(x *repair.Edit) bool { return x.Key() == e.Key() })
	})
}

// verifier verifies sets of changes: under more schedules than single ones, and with other sizes of blocks.
type verifier struct {
	*judge
	shapes []*trial.Shape
	known  []severities // of the original, by shape
	held   report.Holds // what the last verification holds for
}

// verifier returns one for the plan, whose original it runs in other shapes.
func (j *judge) verifier(ctx context.Context, o *Options) (*verifier, error) {
	more := *j
	usual := *j.usual
	usual.Schedules = cmp.Or(o.Sets, DefaultSets)
	more.usual = &usual
	v := &verifier{judge: &more}
	var err error
	v.shapes, err = j.Shapes(ctx, trial.ShapeSearch{
		Config: j.strict.Config, Sizes: j.Plan.OtherBlocks(), Schedules: strictSchedules, Steps: j.base.Stats.WarpInstructions,
	})
	if err != nil {
		return nil, err
	}
	for _, s := range v.shapes {
		rep, _, err := s.Explore(ctx, s.Of(j.Plan), nil, nil)
		if err != nil {
			return nil, err
		}
		known := make(severities)
		known.add(j, rep)
		v.known = append(v.known, known)
	}
	return v, nil
}

// verify runs the launches with edits, and says how, or what goes wrong.
func (v *verifier) verify(ctx context.Context, edits []*repair.Edit, orders bool) (how, wrong string, err error) {
	out, err := v.try(ctx, edits, orders)
	switch {
	case err != nil:
		return "", "", err
	case out.because != nil:
		return "", out.because.String(), nil
	case out.undecided != "":
		return "", out.undecided, nil
	}
	m, plan, err := v.Edited(edits)
	if err != nil {
		return "", "", err
	}
	v.held = out.holds
	how = fmt.Sprintf("%d schedules", out.schedules)
	if out.schedules == 1 {
		how = "one schedule, which stands for all"
	}
	for i, s := range v.shapes {
		other := s.Of(plan)
		if other == nil {
			continue
		}
		in := *v.judge
		in.pairs = v.known[i]
		rep, _, err := s.Explore(ctx, other, nil, nil)
		if err != nil {
			return "", "", err
		}
		if x := s.NewFault(m, rep); x != nil {
			return "", "with " + s.Name() + ": " + (&report.SyncReason{Fault: x}).String(), nil
		}
		if x := in.newRace(m, rep); x != nil {
			return "", "with " + s.Name() + ": " + (&report.SyncReason{Race: x}).String(), nil
		}
		how += ", " + s.Name()
	}
	return how, "", nil
}
