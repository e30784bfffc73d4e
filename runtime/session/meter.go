// Meters: the results of measuring passes.

package session

import (
	"cmp"
	"fmt"
	"io"

	"github.com/ptxsan/ptxsan/internal/profile"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// Meter is the host half of a measuring pass (Options.Passes). Functions that it does not need are nil.
type Meter struct {
	Pass string
	// Write writes the results of all launches.
	Write func(w io.Writer) error

	prepare func() error                                       // before each launch
	collect func(b *boundLaunch) ([]*report.FaultEvent, error) // after each launch
}

// Meters returns the host halves of measuring passes, for each program launched.
func (s *Session) Meters() (list []*Meter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.first().order {
		list = append(list, l.meters...)
	}
	return list
}

// newMeters makes the host halves of the passes that instrument a program.
func (l *loadedProgram) newMeters() []*Meter {
	var list []*Meter
	out, dev := l.made, l.machine
	for _, pass := range l.run.s.opts.Passes.Passes() {
		switch pass {
		case all.Coverage:
			list = append(list, &Meter{Pass: pass.Name, Write: func(w io.Writer) error {
				r, err := profile.ReadCoverage(dev, out.Results[pass.Name].(*abi.CoverageMap))
				if err != nil {
					return err
				}
				return r.WriteLCOV(w)
			}})
		case all.InstCount:
			list = append(list, &Meter{Pass: pass.Name, Write: func(w io.Writer) error {
				r, err := profile.ReadInstCount(dev, out.Results[pass.Name].(*abi.InstMap))
				if err != nil {
					return err
				}
				return r.WriteText(w)
			}})
		case all.MemTrace:
			list = append(list, l.traceMeter(out))
		case all.BoundsCheck:
			list = append(list, l.boundsMeter(out))
		}
	}
	return list
}

// traceMeter makes a meter that writes the trace of each launch at its end.
func (l *loadedProgram) traceMeter(out *passes.Output) *Meter {
	t := profile.NewMemTrace(profile.DefaultTraceRecords)
	symbols := symbolize.Symbolizer{User: l.program.Module, Sites: out.Sites, Memory: l}
	text := profile.NewTraceText(cmp.Or(l.run.s.opts.MemTrace, io.Discard), out.Sites, symbols.Symbol)
	return &Meter{
		Pass:    all.MemTrace.Name,
		prepare: func() error { return t.Prepare(l.private()) },
		collect: func(b *boundLaunch) ([]*report.FaultEvent, error) {
			if err := t.Collect(l.machine, report.Demangle(b.kernel.Name), array3(b.Grid), text); err != nil {
				return nil, err
			}
			return nil, text.Flush()
		},
	}
}

func (l *loadedProgram) boundsMeter(out *passes.Output) *Meter {
	check := profile.NewBoundsCheck(l.Allocations(), out.Sites)
	return &Meter{
		Pass:    all.BoundsCheck.Name,
		prepare: func() error { return check.Prepare(l.private()) },
		collect: func(b *boundLaunch) ([]*report.FaultEvent, error) {
			faults, err := check.Collect(l.machine, array3(b.Grid), array3(b.Block))
			var events []*report.FaultEvent
			for i := range faults {
				events = append(events, boundsEvent(&faults[i], &out.Sites[faults[i].Site-1], b))
			}
			return events, err
		},
	}
}

// boundsEvent describes the accesses of a site that were out of bounds.
func boundsEvent(f *profile.BoundsFault, site *abi.Site, b *boundLaunch) *report.FaultEvent {
	e := &report.FaultEvent{
		Class: "out-of-bounds", Message: fmt.Sprintf("the address %s", f.Near), Kernel: b.kernel.Name,
		Block: f.Block, Thread: f.Thread, Address: report.Hex(f.Address),
		PTX:         report.Place{File: site.PTX.File, Line: site.PTX.Line},
		Instruction: site.Instruction, Access: site.Access, Space: "global", Size: site.Size,
	}
	if f.Count > 1 {
		e.Message += fmt.Sprintf("; %d accesses of this instruction were out of bounds", f.Count)
	}
	e.Source = symbolize.SiteSource(site.Source)
	return e
}
