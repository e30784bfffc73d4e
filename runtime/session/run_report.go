// The contribution of a run to the report of its session.

package session

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/symbolize"
)

// addTo adds the findings of the run to a report. The first fault of the uninstrumented program stands for those of instrumented
// runs.
func (r *run) addTo(rep *report.Report) {
	for _, x := range r.races { // copies, since finishing a report merges races
		race := *x
		race.Detectors = slices.Clone(x.Detectors)
		rep.Races = append(rep.Races, &race)
	}
	if len(rep.Faults) == 0 {
		for _, x := range r.faults {
			fault := *x
			rep.Faults = append(rep.Faults, &fault)
		}
	}
	if r == r.s.first() {
		rep.Stats.Launches = r.ended
		rep.Notes = append(rep.Notes, r.hints...)
		rep.Stats.WarpInstructions, rep.Stats.ThreadInstructions = r.stats.WarpInstructions, r.stats.ThreadInstructions
	}
	if r.inside != nil {
		rep.Stats.InstrumentedWarpInstructions += r.stats.WarpInstructions
	}
	for _, l := range r.order {
		l.addTo(rep)
	}
}

// statistics returns lines of text about the work of a detector in this run.
func (r *run) statistics(d *detectors.Detector) (lines []string) {
	for _, l := range r.order {
		for _, w := range l.dets {
			if w.Detector == d {
				lines = append(lines, w.statistics()...)
			}
		}
	}
	return saidBy(d, lines)
}

// statistics returns lines of text about the work of a detector on a program.
func (w *atWork) statistics() (lines []string) {
	if w.events != nil && w.events.Ignored() > 0 {
		lines = append(lines, fmt.Sprintf("%d elided", w.events.Ignored()))
	}
	if s, ok := w.half().(interface{ Statistics() []string }); ok {
		lines = append(lines, s.Statistics()...)
	}
	return lines
}

// saidBy puts a detector's name before lines of text about its work.
func saidBy(d *detectors.Detector, lines []string) []string {
	for i, line := range lines {
		lines[i] = fmt.Sprintf("detector %s: %s", d.Name(), line)
	}
	return lines
}

// foundLike identifies the races of one likeness found by one detector.
type foundLike struct {
	by *detectors.Detector
	symbolize.Likeness
}

// found adds a race to r.races, or its count to an existing race of the same likeness.
func (r *run) found(k foundLike, x *report.Race) {
	if was := r.like[k]; was != nil {
		was.Count += x.Count
		return
	}
	race := *x
	r.like[k], r.races = &race, append(r.races, &race)
}
