// Witnesses as launch files, and their confirmation by an execution.

package analysis

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/static"
)

// Limits of the launch of a witness.
const (
	maxWitnessThreads = 1 << 20
	maxWitnessBytes   = 64 << 20 // of a buffer
	maxContents       = 1 << 16  // elements that the file lists
	witnessSteps      = 20_000_000
)

// ErrNoWitness is the error of WriteWitness when no race has an executable launch.
var ErrNoWitness = errors.New("no race has a witness that can be executed")

// Confirm executes the witness of each race and records the outcome in the report.
func (out *Outcome) Confirm(ctx context.Context, step func(string)) error {
	done := make(map[string]bool)
	for _, f := range out.found {
		if !f.pair.Shown() || done[f.race.ID] {
			continue
		}
		done[f.race.ID] = true
		if step != nil {
			step("executing a witness of " + report.Demangle(f.kernel.Name))
		}
		if _, err := out.confirm(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// Witness returns a launch file that shows a race: the race with the given identity, or with "" the first that an execution
// confirms. If none is confirmed, it is the first that can be executed.
func (out *Outcome) Witness(ctx context.Context, id string) (string, *report.Race, error) {
	var fallback string
	var of *report.Race
	for _, f := range out.found {
		if !f.pair.Shown() || id != "" && f.race.ID != id {
			continue
		}
		text, err := out.confirm(ctx, f)
		if err != nil {
			return "", nil, err
		}
		if f.race.Witness.Confirmed {
			return text, f.race, nil
		}
		if fallback == "" {
			fallback, of = text, f.race
		}
	}
	if fallback == "" {
		return "", nil, ErrNoWitness
	}
	return fallback, of, nil
}

// confirm executes the witness of a finding, with buffers that are large enough for all other threads, too. It returns the
// launch file.
func (out *Outcome) confirm(ctx context.Context, f *finding) (string, error) {
	w := f.race.Witness
	if file := out.byFile[f.pair]; file != nil {
		return textOf(file), nil
	}
	if n := threads(f.pair.Witness); n > maxWitnessThreads {
		w.Refuted = fmt.Sprintf("the launch has %d threads, more than %d", n, maxWitnessThreads)
		return "", nil
	}
	least := int64(1 << 10)
	for {
		text := out.launchFile(f, least)
		rep, err := out.execute(ctx, text, emu.Config{MaxSteps: witnessSteps})
		if err != nil {
			return "", err
		}
		fault := slices.IndexFunc(rep.Faults, func(e *report.FaultEvent) bool { return e.Class == "out-of-bounds" })
		if fault >= 0 && least < maxWitnessBytes {
			least *= 16
			continue
		}
		w.Confirmed, w.Refuted = shows(rep, f.race), ""
		if !w.Confirmed && len(rep.Faults) == 0 {
			if rep, err = out.explore(ctx, text, emu.Config{MaxSteps: witnessSteps}, func(rep *report.Report) bool { return shows(rep, f.race) }); err != nil {
				return "", err
			}
			w.Confirmed = shows(rep, f.race)
		}
		if !w.Confirmed {
			w.Refuted = "another schedule may show it"
			if len(rep.Faults) > 0 {
				w.Refuted = "the kernel faulted: " + rep.Faults[0].Message
			}
		}
		return text, nil
	}
}

func threads(w *static.Witness) uint64 {
	n := uint64(1)
	for i := range 3 {
		n *= max(uint64(w.Grid[i]), 1)
		if n > maxWitnessThreads {
			return n
		}
		n *= max(uint64(w.Block[i]), 1)
		if n > maxWitnessThreads {
			return n
		}
	}
	return n
}

// shows reports whether a report has a race at the same two places.
func shows(rep *report.Report, x *report.Race) bool {
	ends := func(r *report.Race) [2]int {
		a, b := r.First.PTX.Line, r.Second.PTX.Line
		return [2]int{min(a, b), max(a, b)}
	}
	lines := func(r *report.Race) [2]int {
		if r.First.Source == nil || r.Second.Source == nil {
			return [2]int{}
		}
		a, b := r.First.Source.Own().Line, r.Second.Source.Own().Line
		return [2]int{min(a, b), max(a, b)}
	}
	return slices.ContainsFunc(rep.Pairs(), func(r *report.Race) bool {
		return ends(r) == ends(x) || lines(r) != [2]int{} && lines(r) == lines(x)
	})
}

// launchFile returns the launch file of a witness. least is the minimum size of buffers in bytes.
func (out *Outcome) launchFile(f *finding, least int64) string {
	w := f.pair.Witness
	return fmt.Sprintf("# A launch in which %s races: %s and %s.\n", report.Demangle(f.kernel.Name), f.race.First.At(), f.race.Second.At()) +
		fmt.Sprintf("# Threads %v of block %v and %v of block %v.\n", w.Threads[0].Thread, w.Threads[0].Block, w.Threads[1].Thread, w.Threads[1].Block) +
		(&builder{witness: w, given: f.given, kernel: f.kernel, least: least}).text()
}
