package solve

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// TestRaceQueries decides the queries of the race detector.
func TestRaceQueries(t *testing.T) {
	qs := raceQueries()
	if len(qs) != 40 {
		t.Errorf("%d queries", len(qs))
	}
	total := int64(0)
	for _, q := range qs {
		for _, hosted := range []bool{false, true} {
			query, want, name := Query{Goal: q.goal}, q.alone, q.name+"/alone"
			if hosted {
				query.Facts, want, name = q.facts, q.hosted, q.name+"/hosted"
			}
			r, err := Solve(context.Background(), query, Options{})
			if err != nil {
				t.Fatal(err)
			}
			total += r.Work
			if r.Verdict != want {
				t.Errorf("%s: %s, want %s (%s)", name, r.Verdict, want, r.Reason)
			}
			checkCore(t, query, r)
		}
	}
	if total > 20_000_000 {
		t.Errorf("the queries took %d work units; they took 8 million when this was written", total)
	}
}

// checkCore checks that a proof holds with the facts of its core alone, and the formulas of the goal that it uses, and
// with none of these facts missing.
func checkCore(t *testing.T, q Query, r Result) {
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
		p, err := try(context.Background(), part, DefaultBudget, true)
		if err != nil {
			t.Fatal(err)
		}
		if (p.Verdict == Unsat) != (without == "") {
			t.Errorf("core %v without %q: %s", r.Core, without, p.Verdict)
		}
	}
}

// TestDataDependent: a condition on data is no reason to go on.
func TestDataDependent(t *testing.T) {
	r, err := Solve(context.Background(), Query{Goal: []*Bool{expr.Maybe()}}, Options{})
	if err != nil || r.Verdict != Unknown || r.Reason != "data-dependent" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestCancel ends a search by its context.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Solve(ctx, Query{Goal: raceQueries()[0].goal}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
