// The interface: queries, options, results, and the order of the solver's stages.

package solve

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
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
	Work    int64       // work units of the Go solver
	Solver  string      // the solver that decided: go or z3
}

// DefaultBudget is the default of Options.Budget in work units, about one second.
const DefaultBudget = 12_000_000

// DefaultTimeout is the default of Options.Timeout.
const DefaultTimeout = 5 * time.Second

// Options are the options of a solver.
type Options struct {
	Solver  string        // go (the default); z3; auto: go, then z3 if go gave up and z3 is installed
	Budget  int64         // work units for a query; 0 is [DefaultBudget]
	Z3      string        // the program; "" is z3 from PATH
	Timeout time.Duration // of z3 for a query; 0 is [DefaultTimeout]
	NoModel bool          // only Unsat matters: without a proof the result is Unknown, and no witness is searched
	NoCore  bool          // the core need not be minimal
}

// Solver answers queries, one at a time.
type Solver struct {
	o  Options
	z3 *z3
}

// New returns a solver. The caller must close it.
func New(o Options) (*Solver, error) {
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	s := &Solver{o: o}
	switch o.Solver {
	case "", "go":
		return s, nil
	case "auto", "z3":
	default:
		return nil, fmt.Errorf("unknown solver %q; expected auto, go or z3", o.Solver)
	}
	var err error
	s.z3, err = findZ3(o.Z3, o.Timeout)
	if err != nil && s.o.Solver == "z3" {
		return nil, err
	}
	return s, nil
}

// Close ends the z3 process, if any.
func (s *Solver) Close() error {
	if s.z3 != nil {
		s.z3.stop()
	}
	return nil
}

// Solve answers a query. It returns an error if the context ends or z3 does not start.
func (s *Solver) Solve(ctx context.Context, q Query) (Result, error) {
	r, err := s.decide(ctx, q)
	if err != nil || r.Verdict != Unsat || s.o.NoCore {
		return r, err
	}
	return s.minimise(ctx, q, r)
}

// decide answers a query with a core that need not be minimal.
func (s *Solver) decide(ctx context.Context, q Query) (Result, error) {
	if s.o.Solver == "z3" {
		return s.attempt(ctx, q, s.z3, s.o.Budget, s.o.NoModel)
	}
	r, err := s.attempt(ctx, q, nil, s.o.Budget, s.o.NoModel)
	if err != nil || r.Verdict != Unknown || s.z3 == nil {
		return r, err
	}
	z, err := s.attempt(ctx, q, s.z3, s.o.Budget, s.o.NoModel)
	if err != nil && ctx.Err() == nil { // z3 is optional: on its error the answer of the Go solver stands
		return r, nil
	}
	z.Work += r.Work
	return z, err
}

// attempt answers a query with the Go solver, or with z3 for the linear problem.
func (s *Solver) attempt(ctx context.Context, q Query, z *z3, budget int64, noModel bool) (Result, error) {
	a := newAttempt(q, budget, noModel)
	if a.z = z; z != nil {
		a.untag()
	}
	st, err := a.run(ctx)
	if err != nil {
		return Result{}, err
	}
	r := Result{Work: a.work, Solver: "go"}
	if z != nil {
		r.Solver = "z3"
	}
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
func (s *Solver) minimise(ctx context.Context, q Query, r Result) (Result, error) {
	needed := r.Core
	var z *z3
	if r.Solver == "z3" {
		z = s.z3
	}
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
		t, err := s.attempt(ctx, smaller, z, max(4*r.Work, 200_000), true)
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
