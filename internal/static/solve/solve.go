// The interface: queries, options, results, and the order of the solver's stages.

package solve

import (
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// Fact is a named assumption. It is used or dropped as a whole.
type Fact struct {
	Name    string
	Formula *expr.Bool
}

// Query is a question: are there values within the ranges of the variables that satisfy all formulas of Goal and Facts?
type Query struct {
	Goal  []*expr.Bool
	Facts []Fact
	Free  []string // facts that a minimal core may have without need
}

// Verdict is the answer to a query.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota
	Sat             // such values exist
	Unsat           // no such values exist
)

// String returns the name of the verdict in lower case.
func (v Verdict) String() string { return [...]string{"unknown", "sat", "unsat"}[v] }

// Result is the answer to a query with its reasons.
type Result struct {
	Verdict Verdict
	Model   *expr.Model // Sat: values under which every formula is true
	Core    []string    // Unsat: the facts that the proof needs, in the order of the query
	Used    []int       // Unsat: the indices of formulas of Goal which, with the facts of Core, no values satisfy
	Reason  string      // Unknown: why
	Work    int64       // work units
}

// DefaultBudget is the default of Options.Budget in work units, about one second.
const DefaultBudget = 12_000_000

// Options are the options of Solve.
type Options struct {
	Budget  int64 // work units for a query; 0 is [DefaultBudget]
	NoModel bool  // only Unsat matters: without a proof the result is Unknown, and no witness is searched
	NoCore  bool  // the core need not be minimal
}

// Solve answers a query. It returns an error if the context ends.
func Solve(ctx context.Context, q Query, o Options) (Result, error) {
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	r, err := try(ctx, q, o.Budget, o.NoModel)
	if err != nil || r.Verdict != Unsat || o.NoCore {
		return r, err
	}
	return minimise(ctx, q, r)
}

// try answers a query with a core that need not be minimal.
func try(ctx context.Context, q Query, budget int64, noModel bool) (Result, error) {
	a := newAttempt(q, budget, noModel)
	st, err := a.run(ctx)
	if err != nil {
		return Result{}, err
	}
	r := Result{Work: a.work}
	switch st {
	case noneExists:
		r.Verdict, r.Core, r.Used = Unsat, a.core(), a.used()
	case found:
		r.Verdict, r.Model = Sat, a.model
	default:
		r.Reason = a.reason
	}
	return r, nil
}

// minimise drops facts from a proof as long as one remains.
func minimise(ctx context.Context, q Query, r Result) (Result, error) {
	needed := r.Core
	for _, name := range r.Core {
		if !slices.Contains(needed, name) || slices.Contains(q.Free, name) {
			continue
		}
		smaller := Query{Goal: q.Goal}
		for _, f := range q.Facts {
			if f.Name != name && slices.Contains(needed, f.Name) {
				smaller.Facts = append(smaller.Facts, f)
			}
		}
		t, err := try(ctx, smaller, max(4*r.Work, 200_000), true)
		if err != nil {
			return r, err
		}
		r.Work += t.Work
		if t.Verdict == Unsat {
			needed, r.Used = t.Core, t.Used
		}
	}
	r.Core = needed
	return r, nil
}
