// Launches that overlap: races between a programmatic launch and the launches before it.

package session

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/internal/overlap"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// overlaps compares the accesses of launches that may overlap, in the uninstrumented run.
type overlaps struct {
	watch    *overlap.Watch
	tracker  *order.Tracker
	observed bool // the latest launch
	symbols  *symbolize.Symbolizer
	run      *run
	// unobserved are launches that may overlap one that was not observed.
	unobserved []report.NotChecked
}

// numberedLaunch is a launch by its number in the session, as the label of an operation.
type numberedLaunch struct {
	number     int
	kernel     string
	unreported bool
}

func (n numberedLaunch) String() string { return fmt.Sprintf("launch %d", n.number) }

// programmatic prepares the session for a launch that may overlap others.
func (s *Session) programmatic(b *boundLaunch) {
	if !b.Programmatic || s.overlaps != nil || s.opts.InstrumentedOnly ||
		len(s.opts.Detectors) == 0 && !s.opts.relates {
		return
	}
	o := &overlaps{run: s.first(), tracker: order.NewTracker(nil)} // of one stream, whose operations follow each other
	o.watch = overlap.New(overlap.Code{Own: s.Own, Describe: symbolize.AccessOf}, o.found)
	o.watch.Listen(o.tracker, true)
	s.overlaps = o
	s.listenerChanged()
}

// overlappable reports whether the launch after the current one may be programmatic.
func (s *Session) overlappable() bool {
	return s.launches >= len(s.programmatics) || s.programmatics[s.launches]
}

// begin begins the observation of a launch, if it may overlap another one, until end is called.
func (o *overlaps) begin(s *Session, b *boundLaunch, symbols *symbolize.Symbolizer) (end func()) {
	if o == nil {
		if b.Programmatic && s.opts.GPU != nil && len(s.opts.Detectors) > 0 {
			s.notes = append(s.notes,
				fmt.Sprintf("not checked: races of launch %d with the launch before, which it may overlap: that needs the emulator", s.launches))
		}
		return func() {}
	}
	if b.Programmatic && !o.observed {
		o.unobserved = append(o.unobserved, report.NotChecked{
			Kernel: b.kernel.Name, Launches: 1, Required: true,
			Why: "the launch before, which it may overlap, was not observed, since this one was not announced: races of " +
				"the two may be missing",
		})
	}
	label := numberedLaunch{s.launches, b.kernel.Name, b.Unreported}
	grid := o.tracker.Launch(0, label, b.Programmatic)
	if o.observed = b.Programmatic || s.overlappable(); !o.observed {
		return func() {}
	}
	o.symbols = symbols
	o.watch.Begin(grid, overlap.Launch{Overlappable: true, Weak: s.opts.Emulator.Memory == emu.PTX})
	return o.watch.End
}

// found reports a race between launches.
func (o *overlaps) found(r *overlap.Race) {
	first, second := r.First.Label.(numberedLaunch), r.Second.Label.(numberedLaunch)
	if first.unreported && second.unreported {
		return
	}
	x := &report.Race{
		Kind: detect.InterKernel, Cause: r.Cause, Space: isa.SpaceGlobal.String(),
		Address: report.Hex(r.Address), Symbol: o.symbols.Symbol(r.Address), Size: r.Size, Count: r.Words,
		Flag: r.Flag, Publish: r.Publish, Observe: r.Observe,
		First: o.access(&r.First), Second: o.access(&r.Second),
	}
	if r.Between != nil {
		x.Between = r.Between.(numberedLaunch).kernel
	}
	o.run.races = append(o.run.races, x)
}

// access describes one side of a race.
func (o *overlaps) access(s *overlap.Side) report.Access {
	l := s.Label.(numberedLaunch)
	a := s.Access
	a.Kernel, a.Operation = l.kernel, l.String()
	if a.Function == a.Kernel {
		a.Function = ""
	}
	return a
}
