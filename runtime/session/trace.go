// Checking of a trace of operations saved by an earlier session.

package session

import (
	"errors"
	"io"

	"github.com/ptxsan/ptxsan/internal/detect/barracuda"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// CheckTrace checks the launches of a trace file (Options.SaveTrace) with a detector, which must be barracuda. The
// lines describe the detector's work.
func CheckTrace(r io.Reader, d *detectors.Detector) (rep *report.Report, statistics []string, err error) {
	if d.Kind != detectors.BarracudaKind {
		return nil, nil, badinput.Errorf("expected the detector %s, found %s", detectors.BarracudaPass.Name, d.Name())
	}
	checker, err := barracuda.New(d.Options().(*detectors.BarracudaOptions).Options)
	if err != nil {
		return nil, nil, badinput.Wrap(err)
	}
	checker.Measure()
	rep, err = reportTrace(r, checker)
	return rep, saidBy(d, checker.Statistics()), badinput.Wrap(err)
}

// reportTrace checks the launches of a trace file.
func reportTrace(r io.Reader, d *barracuda.Detector) (*report.Report, error) {
	t, err := barracuda.NewReader(r)
	if err != nil {
		return nil, err
	}
	rep := &report.Report{
		Tool: report.Tool{Name: "ptxsan", Version: Version}, Detector: detectors.BarracudaPass.Name,
		Runs: 1,
	}
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
		symbols := symbolize.Symbolizer{
			Sites: t.Sites(), Regions: l.Regions, Block: l.Block, Kernel: l.Kernel,
			Described: make(symbolize.Descriptions),
		}
		for i := range races {
			rep.Races = append(rep.Races, symbols.Race(&races[i]))
		}
		rep.Faults = symbols.Detected(rep.Faults, d)
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
