// Checking of a trace of operations saved by an earlier session.

package session

import (
	"errors"
	"io"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/barracuda"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// CheckTrace checks the launches of a trace file (Options.SaveTrace) with a detector, which must be barracuda. The lines describe
// the detector's work.
func CheckTrace(r io.Reader, d *Detector) (rep *report.Report, statistics []string, err error) {
	if d.kind != barracudaKind {
		return nil, nil, inputErrorf("expected the detector %s, found %s", barracudaPass.Name, d.Name())
	}
	checker, err := barracuda.New(d.options().(*barracudaOptions).Options)
	if err != nil {
		return nil, nil, inputError(err)
	}
	checker.Measure()
	rep, err = reportTrace(r, checker)
	return rep, saidBy(d, checker.Statistics()), inputError(err)
}

// reportTrace checks the launches of a trace file.
func reportTrace(r io.Reader, d *barracuda.Detector) (*report.Report, error) {
	t, err := barracuda.NewReader(r)
	if err != nil {
		return nil, err
	}
	rep := &report.Report{Tool: report.Tool{Name: "ptxsan", Version: Version}, Detector: barracudaPass.Name, Runs: 1}
	for {
		l, err := t.Launch()
		if errors.Is(err, io.EOF) {
			rep.Finish()
			return rep, nil
		}
		if err != nil {
			return nil, err
		}
		races, err := checkLaunch(t, d, l)
		if err != nil {
			return nil, err
		}
		rep.Stats.Launches++
		symbols := symbolizer{sites: t.Sites(), regions: l.Regions, block: l.Block, kernel: l.Kernel, described: make(descriptions)}
		for i := range races {
			rep.Races = append(rep.Races, symbols.race(&races[i]))
		}
		rep.Faults = symbols.detected(rep.Faults, d)
	}
}

func checkLaunch(t *barracuda.Reader, d *barracuda.Detector, l detect.Launch) ([]detect.Race, error) {
	d.Begin(l)
	var op barracuda.Op
	for {
		switch err := t.Op(&op); {
		case errors.Is(err, io.EOF):
			return d.End(), nil
		case err != nil:
			d.End()
			return nil, err
		}
		d.Op(&op)
	}
}

// siteSource returns the place of a site in the form of reports.
func siteSource(s *abi.Source) *report.Source {
	if s == nil {
		return nil
	}
	out := &report.Source{File: s.File, Line: s.Line, Column: s.Column}
	for at := s.InlinedAt; at != nil; at = at.InlinedAt {
		out.InlinedAt = append(out.InlinedAt, report.Frame{File: at.File, Line: at.Line, Column: at.Column})
	}
	return out
}
