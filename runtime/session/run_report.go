// The contribution of a run to the report of its session.

package session

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// addTo adds the findings of the run to a report. The first fault of the uninstrumented program stands for those of
// instrumented runs.
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
		for _, v := range l.all() {
			for _, w := range v.dets {
				if w.Detector == d {
					lines = append(lines, w.statistics()...)
				}
			}
		}
	}
	return saidBy(d, lines)
}

// statistics returns lines of text about the work of a detector on a program.
func (w *appliedDetector) statistics() (lines []string) {
	if w.events != nil && w.events.Ignored() > 0 {
		lines = append(lines, fmt.Sprintf("%d elided", w.events.Ignored()))
	}
	if s, ok := w.half().(detect.Statistics); ok {
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

// collect returns the findings of detectors and measuring passes in a launch, and the faults that ended it. It also
// adds the races to the run (run.found).
func (l *loadedProgram) collect(b *boundLaunch, symbols *symbolize.Symbolizer,
	faults []*report.FaultEvent,
) ([]*report.Race, []*report.FaultEvent, error) {
	var list []*report.Race
	var claimed []detect.Race
	for _, w := range l.dets {
		races, err := w.collect(l)
		if err != nil {
			return nil, nil, err
		}
		if w == l.claiming() {
			claimed = races
		}
		symbols.Sites = w.sites()
		l.run.s.opts.Timeline.draw(w, races)
		if !b.watched() {
			continue
		}
		for i := range races {
			if nowhere(&races[i]) {
				continue
			}
			x := l.run.s.named(symbols, w.Detector, &races[i])
			x.Launched, x.Range = b.launchedAt(), b.Range
			l.run.found(foundLike{w.Detector, symbols.Like(&races[i])}, x)
			list = append(list, x)
		}
		if by, ok := w.half().(detect.Faulting); ok && !l.machine.Lost() {
			faults = symbols.Detected(faults, by)
		}
	}
	switch {
	case b.varies:
		l.run.s.stray(l, b)
	case l.claiming() == nil || b.stands:
	case b.beside && b.watched():
		l.claimNothing(b, "other launches ran beside it")
	case b.sampled.Partial():
		l.claimNothing(b, "not all of its blocks were watched")
	case b.watched():
		l.claim(b, symbols, claimed, len(faults) > 0 || b.interrupted)
	default:
		l.run.s.stray(l, b)
	}
	if b.stands || !b.watched() || l.claimants.followed == nil {
		l.run.s.unseen++
	}
	if l.machine.Lost() {
		return list, faults, nil
	}
	recorded, err := l.recorded(b)
	return list, append(recorded, faults...), err
}

// nowhere reports whether a race is about the page of the null pointer: detectors are told of an access before the
// emulator finds that there is no such memory.
func nowhere(r *detect.Race) bool {
	return r.Space == abi.SpaceGlobal && r.Address < nullPage
}

// nullPage is the number of bytes at address 0 where no device has memory. (In the emulator there is more.)
const nullPage = 1 << 12

// recorded returns the faults that measuring passes have recorded. They do not end the kernel.
func (l *loadedProgram) recorded(b *boundLaunch) (list []*report.FaultEvent, err error) {
	for _, m := range l.meters {
		if m.collect == nil {
			continue
		}
		found, err := m.collect(b)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// named returns a race with the names and lines of the user's program.
func (s *Session) named(symbols *symbolize.Symbolizer, d *detectors.Detector, r *detect.Race) *report.Race {
	x := symbols.Race(r)
	if len(s.opts.Detectors) > 1 {
		x.Detectors = []string{d.Name()}
	}
	return x
}
