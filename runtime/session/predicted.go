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

// ShowPredicted adds the races to a report of the plan that the run of the session predicts, as far as a search finds
// runs that show them. again describes how runs are repeated.
func (p *Plan) ShowPredicted(ctx context.Context, o Options, s *Session, rep *report.Report, again Replayer) error {
	cost := max(rep.Stats.ThreadInstructions, 1)
	predicted := s.Predicted()
	if len(predicted) == 0 || o.Emulator.Replay != nil || o.Emulator.Guide != nil || cost*4 > maxPredictedBudget {
		return nil
	}
	e := &Exploration{
		Options: o, Scenario: p, Search: search.Search{Name: "directed", Runs: maxPredictedRuns}, RacesOnly: true,
		Replay: again, Instructions: maxPredictedBudget,
		Enough: func(r *report.Report) bool {
			return slices.ContainsFunc(r.Races, func(x *report.Race) bool { return isPredicted(x, predicted) })
		},
	}
	e.Options.Claims = false
	found, err := e.Run(ctx)
	if err != nil {
		return err
	}
	fresh := false
	for _, x := range found.Races {
		if isPredicted(x, predicted) && !slices.ContainsFunc(rep.Races, x.SamePair) {
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

// isPredicted reports whether a race counts for the verdict and is one of those that were predicted.
func isPredicted(x *report.Race, predicted []*report.Race) bool {
	return x.Severity == report.Error && slices.ContainsFunc(x.Each(), func(y *report.Race) bool {
		return slices.ContainsFunc(predicted, y.SamePair)
	})
}

// Predicted returns the pairs of accesses of the launches so far that would race in another order of the threads.
func (s *Session) Predicted() []*report.Race {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.predicted
}
