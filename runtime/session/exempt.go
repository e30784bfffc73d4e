// Exempt accesses, which detectors do not watch since a proof says that they cannot race, and what is reported as
// proved.

package session

import (
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
)

// proves reports whether a detector's options request proofs, which assume the memory model of the manual.
func proves(d *detectors.Detector) bool {
	o, ok := d.Options().(*detectors.PreciseOptions)
	return ok && o.Prove && o.Model == "ptx"
}

// exemptByAnalysis returns the accesses of a program that the static detector proves exempt from a detector, besides
// the given ones.
func exemptByAnalysis(d *detectors.Detector, p *Program, f *proofs.Facts,
	exempt map[*rewrite.Inst]bool,
) map[*rewrite.Inst]bool {
	o, ok := d.Options().(*detectors.PreciseOptions)
	switch {
	case !ok || o.Model != "ptx" || o.Unused: // proofs cover only loads whose values are used
		return nil
	case o.Prove:
		return p.proved.ExemptByAnalysis(f, true, exempt)
	case o.Elide:
		return p.proved.ExemptByAnalysis(f, false, exempt)
	}
	return nil
}

// addProofs adds to a report which launched kernels are free of races for every input.
func (s *Session) addProofs(rep *report.Report) {
	for _, p := range s.programs {
		rep.Notes = append(rep.Notes, s.proofs(p)...)
	}
}

// proofs returns notes about launched kernels of a program that are free of races for every input.
func (s *Session) proofs(p *Program) (notes []string) {
	if !slices.ContainsFunc(s.opts.Detectors, proves) {
		return nil
	}
	for _, k := range p.Module.Kernels() {
		if f := p.proved.Free(k); s.facts[p].Program.Launches(k.Name) && f.Yes {
			notes = append(notes, report.Demangle(k.Name)+": "+f.Text())
		}
	}
	return notes
}

// Proved reports whether the static detector proves that no launch so far has a data race within it. everyInput says
// that the proof holds for all launches whose pointers lead to different allocations, rather than for the arguments of
// these launches only.
func (s *Session) Proved(ctx context.Context) (proved, everyInput bool) {
	proved, everyInput = len(s.programs) > 0, true
	for _, p := range s.programs {
		f := s.facts[p]
		if f.Unknown {
			return false, false
		}
		for _, k := range f.Order {
			if free := p.proved.Free(k); free.Yes && len(free.Needs) == 0 {
				continue
			}
			if everyInput = false; !f.ProvedFor(ctx, k) {
				return false, false
			}
		}
	}
	return proved, proved && everyInput
}

// Exempt returns the number of accesses of the programs that cannot race, given the facts about the launches.
func (s *Session) Exempt() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.programs {
		n += len(p.proved.Exemptions(s.facts[p]))
	}
	return n
}

// ExemptByAnalysis returns the number of accesses that are exempt because the static detector proves that they do not
// race.
func (s *Session) ExemptByAnalysis() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.programs {
		f := s.facts[p]
		exempt := make(map[*rewrite.Inst]bool)
		for in := range p.proved.Exemptions(f) {
			exempt[in] = true
		}
		for _, d := range s.opts.Detectors {
			n += len(exemptByAnalysis(d, p, f, exempt))
		}
	}
	return n
}

// whole returns the atomic and other strong accesses that are exempt from the detector if all others of their kernels
// are.
func whole(d *detectors.Detector, p *Program, f *proofs.Facts, exempt map[*rewrite.Inst]bool) map[*rewrite.Inst]bool {
	if o, ok := d.Options().(*detectors.PreciseOptions); !ok || o.Model != "ptx" || !o.Elide {
		return nil
	}
	return p.proved.Whole(f, exempt)
}
