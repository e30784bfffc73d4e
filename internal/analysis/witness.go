// Witnesses as launch files.

package analysis

import (
	"context"
	"errors"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Limits of the launch of a witness.
const (
	maxWitnessBytes = 64 << 20 // of a buffer
	maxContents     = 1 << 16  // elements that the file lists
)

// ErrNoWitness is the error of WriteWitness when no race has an executable launch.
var ErrNoWitness = errors.New("no race has a witness that can be executed")

// Witness returns a launch file that shows a race: the race with the given identity, or with "" the first that an
// execution confirms. If none is confirmed, it is the first that can be executed.
func (out *Outcome) Witness(ctx context.Context, id string) (string, *report.Race, error) {
	var fallback string
	var of *report.Race
	for _, f := range out.found {
		if f.pair.Witness == nil || id == "" && !f.pair.Shown() || id != "" && f.race.ID != id {
			continue
		}
		text, err := out.witness(ctx, f)
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

// witness returns the launch file of a finding's witness, as the execution that shows the race had it.
func (out *Outcome) witness(ctx context.Context, f *finding) (string, error) {
	if file := out.byFile[f.pair]; file != nil {
		return out.ofFile(ctx, file, f)
	}
	x, err := newExecutions(out).perform(ctx, &builder{witness: f.pair.Witness, given: f.given, kernel: f.kernel},
		f.pair)
	if err != nil || x.text == "" {
		return "", err
	}
	if x.some || x.why != "" && f.pair.Witness.Executed { // by executions of other schedules
		return f.comment() + someSchedules + x.text, nil
	}
	return f.comment() + x.text, nil
}

// someSchedules is the comment of a launch file whose race the default schedule of check does not show.
const someSchedules = "# Only some schedules show it: run this file with ptxsan explore, or with check --schedules 50.\n"

// ofFile returns the user's launch file as the witness of a race, "" if it refers to other files.
func (out *Outcome) ofFile(ctx context.Context, file *launch.File, f *finding) (string, error) {
	if len(file.DataFiles()) > 0 {
		return "", nil
	}
	rep, err := out.check(ctx, file, emu.Config{MaxSteps: triedSteps})
	switch {
	case err != nil:
		return "", err
	case out.shows(rep, f.pair):
		return string(file.Text), nil
	}
	return someSchedules + string(file.Text), nil
}

// comment returns the comment at the head of a witness's launch file: the kernel, the two accesses and their threads.
func (f *finding) comment() string {
	w := f.pair.Witness
	return fmt.Sprintf("# A launch in which %s races: %s and %s.\n", report.Demangle(f.kernel.Name), f.race.First.At(),
		f.race.Second.At()) +
		fmt.Sprintf("# Threads %v of block %v and %v of block %v.\n", w.Threads[0].Thread, w.Threads[0].Block,
			w.Threads[1].Thread, w.Threads[1].Block)
}
