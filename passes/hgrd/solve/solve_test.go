package solve

import (
	"context"
	"testing"
	"time"
)

// TestRaceQueries decides the queries of the race detector.
func TestRaceQueries(t *testing.T) {
	qs := raceQueries()
	if len(qs) != 29 {
		t.Errorf("%d queries", len(qs))
	}
	for _, q := range qs {
		for _, hosted := range []bool{false, true} {
			s, err := New(Options{Solver: "go"})
			if err != nil {
				t.Fatal(err)
			}
			query, want, name := Query{Goal: q.goal}, q.alone, q.name+"/alone"
			if hosted {
				query.Facts, want, name = q.facts, q.hosted, q.name+"/hosted"
			}
			start := time.Now()
			r, err := s.Solve(context.Background(), query)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%-40s %s work %d %v %v %s", name, r.Verdict, r.Work, time.Since(start).Round(time.Microsecond*100), r.Core, r.Reason)
			if r.Verdict != want {
				t.Errorf("%s: %s, want %s (%s)", name, r.Verdict, want, r.Reason)
			}
		}
	}
}
