// Unloading of programs: applications load and unload thousands of modules.

package session

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
)

// Unload frees a program's variables and drops the program. The findings of its launches stay in the report. The device
// must be emulated.
func (s *Session) Unload(p *Program) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.loaded(p) {
		return badinput.Errorf("the program has not been loaded")
	}
	s.past.report.Notes = append(s.past.report.Notes, s.proofs(p)...)
	for _, r := range s.runs {
		l := r.loaded[p]
		s.past.add(l)
		for _, addr := range slices.Sorted(maps.Keys(l.privates)) {
			if err := r.dev.Free(addr); err != nil {
				return badinput.Wrap(err)
			}
		}
		for _, v := range l.all() {
			if err := v.machine.Unload(); err != nil {
				return badinput.Wrap(err)
			}
		}
	}
	s.drop(p)
	return nil
}

// past is the report about programs that have been unloaded.
type past struct {
	report     report.Report // coverage, notes, and statistics of detectors
	statistics map[*detectors.Detector][]string
}

// add adds the report about a program.
func (p *past) add(l *loadedProgram) {
	l.addTo(&p.report)
	if p.statistics == nil {
		p.statistics = make(map[*detectors.Detector][]string)
	}
	for _, v := range l.all() {
		for _, w := range v.dets {
			p.statistics[w.Detector] = append(p.statistics[w.Detector], saidBy(w.Detector, w.statistics())...)
		}
	}
}

func (p *past) addTo(rep *report.Report) {
	rep.Coverage = append(rep.Coverage, p.report.Coverage...)
	rep.Notes = append(rep.Notes, p.report.Notes...)
	rep.AddFidelity(p.report.Fidelity)
	rep.Stats.Sites += p.report.Stats.Sites
	rep.Stats.Dropped += p.report.Stats.Dropped
}

// Drop removes a loaded program that has not been launched, such as one that a GPU's driver refuses.
func (s *Session) Drop(p *Program) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(p)
}

func (s *Session) drop(p *Program) {
	delete(s.facts, p)
	s.forgetKernels(p)
	s.programs = slices.DeleteFunc(s.programs, func(other *Program) bool { return other == p })
	for _, r := range s.runs {
		delete(r.loaded, p)
		r.order = slices.DeleteFunc(r.order, func(l *loadedProgram) bool { return l.program == p })
	}
}

// addTo adds to a report what detectors check in a program, and their notes about it.
func (l *loadedProgram) addTo(rep *report.Report) {
	rep.Coverage = append(rep.Coverage, l.coverage()...)
	if l.run == l.run.s.first() {
		rep.AddFidelity(l.fidelity())
	}
	for _, w := range l.dets {
		rep.Stats.Sites += w.accesses()
		rep.Stats.Dropped += w.lost()
		rep.Notes = append(rep.Notes, w.notes()...)
	}
	for _, v := range l.versions {
		for _, w := range v.dets {
			rep.Stats.Dropped += w.lost()
			rep.Notes = append(rep.Notes, w.notes()...)
		}
	}
	if l.made != nil {
		for _, note := range l.made.Diagnostics {
			rep.Notes = append(rep.Notes, note.String())
		}
	}
}
