// What explorations of random kernels find, against single runs and the verdicts.

package static_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Runs of an exploration of a random kernel, and the most threads of one whose schedules are all tried.
const (
	mixedRuns  = 8
	orderedAll = 400
	fewThreads = 4
)

// disagrees returns what explorations contradict: the verdict of the analysis, or that the run by the default schedule
// has raced, which is one of those of every exploration. An exhaustive exploration that completes has seen all races of
// the launches.
func (k *random) disagrees(verdict string, fair bool) (string, error) {
	mixed, err := k.explored(session.Search{Name: "mixed", Runs: mixedRuns})
	switch {
	case err != nil || mixed == nil:
		return "", err
	case verdict == "clean" && racing(mixed):
		return "explore: racy, analyze: clean", nil
	case fair && !racing(mixed):
		return "explore: clean, check: racy", nil
	}
	for _, l := range k.launches {
		if l.grid*l.block > fewThreads {
			return "", nil
		}
	}
	all, err := k.explored(session.Search{Name: "exhaustive", Runs: orderedAll, Steps: maxSteps})
	switch {
	case err != nil || all == nil:
		return "", err
	case verdict == "clean" && racing(all):
		return "explore --search exhaustive: racy, analyze: clean", nil
	case all.Exploration.Complete && !racing(all) && (racing(mixed) || verdict == "racy"):
		return fmt.Sprintf("explore --search exhaustive: clean, analyze: %s, explore: racy %t", verdict, racing(mixed)), nil
	}
	return "", nil
}

// racing reports whether a report has a race that is an error.
func racing(r *report.Report) bool {
	return slices.ContainsFunc(r.Races, func(x *report.Race) bool { return x.Severity == report.Error })
}

// explored returns the report of an exploration; nil if a run of it does not come to the end.
func (k *random) explored(s session.Search) (*report.Report, error) {
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		return nil, err
	}
	e := &session.Exploration{
		Options: session.Options{Detectors: detectors, Emulator: emu.Config{MaxSteps: maxSteps}}, Scenario: k, Search: s, Workers: 1, RacesOnly: true,
	}
	r, err := e.Run(context.Background())
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(r.Faults, func(f *report.FaultEvent) bool { return f.Class != "timeout" }) {
		return nil, nil
	}
	return r, nil
}
