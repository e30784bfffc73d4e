package session

import (
	"context"
	"errors"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/search"
)

// TestExplorationEnded: an exploration whose context ends reports the runs that were finished, and no
// fault of the one that was not; without a finished run there is no report.
func TestExplorationEnded(t *testing.T) {
	why := errors.New("enough")
	run := func(ctx context.Context, end context.CancelCauseFunc, finished, workers int) (*report.Report, error) {
		n := 0
		e := exploring(t, "precise")
		e.Workers, e.Search = workers, search.Search{Name: "random", Runs: 1000}
		e.Options.Progress = func(string) {
			if n++; n == finished {
				end(why)
			}
		}
		return e.Run(ctx)
	}
	for _, workers := range []int{1, 3} {
		ctx, end := context.WithCancelCause(t.Context())
		rep, failed := run(ctx, end, 40, workers)
		if rep == nil || !errors.Is(failed, why) {
			t.Fatalf("%v, %v: expected a report, and the cause", rep, failed)
		}
		x := rep.Exploration
		if x.Schedules < 40 || x.Schedules >= 1000 || x.Ended != "enough" || x.Complete || rep.Runs != x.Schedules || len(rep.Races) == 0 || len(rep.Faults) > 0 {
			t.Errorf("%d workers: %+v, %d races, %d faults", workers, x, len(rep.Races), len(rep.Faults))
		}
	}
	ctx, end := context.WithCancelCause(t.Context())
	end(nil)
	if rep, failed := run(ctx, end, 1, 1); rep != nil || !errors.Is(failed, ErrInterrupted) {
		t.Errorf("%v, %v: expected that the exploration is interrupted without a report", rep, failed)
	}
}

// TestExplorationCut: an exhaustive exploration is not complete if a run ends at the limit of instructions.
func TestExplorationCut(t *testing.T) {
	for _, limit := range []uint64{0, 8} {
		e := exploring(t, "precise")
		e.Search, e.Options.Emulator.MaxSteps = search.Search{Name: "exhaustive", Runs: 2000}, limit
		rep, err := e.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if x := rep.Exploration; x.Complete != (limit == 0) || (len(rep.Faults) == 0) != (limit == 0) || (len(x.Limits) == 0) != (limit == 0) {
			t.Errorf("limit %d: %+v, %d faults", limit, x, len(rep.Faults))
		}
	}
}
