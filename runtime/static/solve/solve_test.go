package solve

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
)

// TestRaceQueries decides the queries of the race detector.
func TestRaceQueries(t *testing.T) {
	qs := raceQueries()
	if len(qs) != 40 {
		t.Errorf("%d queries", len(qs))
	}
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	for _, q := range qs {
		for _, hosted := range []bool{false, true} {
			query, want, name := Query{Goal: q.goal}, q.alone, q.name+"/alone"
			if hosted {
				query.Facts, want, name = q.facts, q.hosted, q.name+"/hosted"
			}
			r, err := s.Solve(context.Background(), query)
			if err != nil {
				t.Fatal(err)
			}
			total += r.Work
			if r.Verdict != want {
				t.Errorf("%s: %s, want %s (%s)", name, r.Verdict, want, r.Reason)
			}
			checkCore(t, s, query, r)
		}
	}
	if total > 20_000_000 {
		t.Errorf("the queries took %d work units; they took 8 million when this was written", total)
	}
}

// checkCore checks that a proof holds with the facts of its core alone, and the formulas of the goal that it uses, and with none of
// these facts missing.
func checkCore(t *testing.T, s *Solver, q Query, r Result) {
	t.Helper()
	if r.Verdict != Unsat {
		return
	}
	for _, without := range append([]string{""}, r.Core...) {
		part := Query{Goal: q.Goal}
		if without == "" {
			part.Goal = nil
			for _, i := range r.Used {
				part.Goal = append(part.Goal, q.Goal[i])
			}
		}
		for _, f := range q.Facts {
			if f.Name != without && slices.Contains(r.Core, f.Name) {
				part.Facts = append(part.Facts, f)
			}
		}
		p, err := s.attempt(context.Background(), part, nil, DefaultBudget, true)
		if err != nil {
			t.Fatal(err)
		}
		if (p.Verdict == Unsat) != (without == "") {
			t.Errorf("core %v without %q: %s", r.Core, without, p.Verdict)
		}
	}
}

// TestZ3 has z3 decide every third of the queries: its verdicts do not contradict, and its cores are the same
// or as small.
func TestZ3(t *testing.T) {
	z, err := New(Options{Solver: "z3", NoCore: true})
	if err != nil {
		t.Skipf("z3 is not installed: %v", err)
	}
	defer func() { _ = z.Close() }()
	decided := 0
	for i, q := range raceQueries() {
		if i%3 != 0 {
			continue
		}
		r, err := z.Solve(context.Background(), Query{Goal: q.goal, Facts: q.facts})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict == q.hosted {
			decided++
		} else if r.Verdict != Unknown {
			t.Errorf("%s: %s, want %s", q.name, r.Verdict, q.hosted)
		}
	}
	if decided < 10 {
		t.Errorf("z3 decided %d queries only", decided)
	}
}

// TestZ3Random compares z3 with all values on random formulas.
func TestZ3Random(t *testing.T) {
	z, err := New(Options{Solver: "z3", Budget: 400_000})
	if err != nil {
		t.Skipf("z3 is not installed: %v", err)
	}
	defer func() { _ = z.Close() }()
	for seed := range uint64(40) {
		g := newGenerator(seed, 8, 12)
		q := g.query()
		r, err := z.Solve(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		checkResult(t, seed, q, g.vars, r)
	}
}

// TestOptions refuses a solver that does not exist, and a z3 that is none.
func TestOptions(t *testing.T) {
	if _, err := New(Options{Solver: "cvc5"}); err == nil || err.Error() != `unknown solver "cvc5"; expected auto, go or z3` {
		t.Errorf("%v", err)
	}
	if _, err := New(Options{Solver: "z3", Z3: "no-such-z3"}); err == nil {
		t.Error("a z3 that does not exist was accepted")
	}
	s, err := New(Options{Solver: "auto", Z3: "no-such-z3"})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Solve(context.Background(), Query{Goal: []*Bool{expr.Maybe()}}); err != nil || r.Verdict != Unknown || r.Reason != "data-dependent" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestCancel ends a search by its context.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Solve(ctx, Query{Goal: raceQueries()[0].goal}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
