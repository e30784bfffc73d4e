// Predicted races: pairs of accesses that only the order of threads in a run has kept apart. A check looks for a
// schedule in which they race.

package session

import (
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/search"
)

// Limits of the search for predicted races.
const (
	maxPredictedRuns   = 32      // schedules
	maxPredictedBudget = 1 << 20 // instructions of threads in these runs
)

// ShowPredicted adds the races to a report of the plan that a search for those finds which the run of the session
// predicts. Others that it meets on the way are added as well. again describes how runs are repeated.
func (p *Plan) ShowPredicted(ctx context.Context, o Options, s *Session, rep *report.Report, again Replayer) error {
	cost := max(rep.Stats.ThreadInstructions, 1)
	if !s.Predicts() || o.Emulator.Replay != nil || o.Emulator.Guide != nil || cost*4 > maxPredictedBudget {
		return nil
	}
	e := &Exploration{
		Options: o, Scenario: p, Search: search.Search{Name: "directed", Runs: maxPredictedRuns}, RacesOnly: true,
		Replay: again, Instructions: maxPredictedBudget,
		Enough: func(r *report.Report) bool { return slices.ContainsFunc(r.Races, isError) },
	}
	e.Options.Claims = false
	found, err := e.Run(ctx)
	if err != nil {
		return err
	}
	fresh := false
	for _, x := range found.Races {
		if isError(x) && !slices.ContainsFunc(rep.Races, x.SamePair) {
			x.Schedules, fresh = 0, true
			rep.Races = append(rep.Races, x)
		}
	}
	if fresh {
		rep.Finish()
		p.expectAgain(rep)
	}
	return nil
}

// isError reports whether a race counts for the verdict by itself.
func isError(x *report.Race) bool { return x.Severity == report.Error }

// Predicts reports whether two accesses of a launch so far would race in another order of the threads.
func (s *Session) Predicts() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.claimed, func(c claim) bool { return c.predicts })
}
