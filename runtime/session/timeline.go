// The timeline of a run, with an arrow for each race.

package session

import (
	"io"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// Timeline is the timeline of the run in which races are found, with an arrow for each race. It belongs to one session.
type Timeline struct {
	*observe.Timeline
	symbols  *symbolize.Symbolizer // of the current launch
	reported bool                  // races of the current launch are reported
	listed   []*appliedDetector    // detectors that do not announce races
	chart    *chart                // nil without Draw
}

// NewTimeline makes a timeline that writes to w, for ui.perfetto.dev. Close completes the file. A nil w writes nothing;
// a nil filter selects everything.
func NewTimeline(w io.Writer, filter *observe.Filter) *Timeline {
	t := &Timeline{}
	t.Timeline = observe.NewTimeline(w, names(func(addr uint64) string {
		if t.symbols == nil {
			return ""
		}
		return t.symbols.Symbol(addr)
	}), filter)
	return t
}

// Names returns names of addresses and instructions as reports have them, for listeners of the uninstrumented program.
func (s *Session) Names() observe.Names {
	return names(func(addr uint64) string {
		r := s.first()
		if len(r.order) == 0 {
			return ""
		}
		return (&symbolize.Symbolizer{User: r.order[0].program.Module, Memory: r.order[0]}).Symbol(addr)
	})
}

func names(symbol func(addr uint64) string) observe.Names {
	return observe.Names{Kernel: report.Demangle, Symbol: symbol, Source: SourceLines()}
}

// SourceLines returns a function that returns the user's source line of an instruction, and caches the results.
func SourceLines() func(*rewrite.Inst) (file string, line int) {
	places := map[*rewrite.Inst]observe.Place{}
	return func(in *rewrite.Inst) (string, int) {
		p, ok := places[in]
		if s := symbolize.StatedSource(in); !ok && s != nil {
			own := s.Own()
			p = observe.Place{File: own.File, Line: own.Line}
		}
		places[in] = p
		return p.File, p.Line
	}
}

// follow returns the timeline as a listener of a run with detectors that listen, and makes detectors announce races if
// they can. It returns nil if there is nothing to draw.
func (t *Timeline) follow(dets []*appliedDetector, shown bool) emu.Listener {
	if t == nil || len(dets) == 0 || !shown {
		return nil
	}
	t.listed = nil
	for _, d := range dets {
		a, ok := d.listener.(detect.Announcer)
		if !ok {
			t.listed = append(t.listed, d)
			continue
		}
		a.Announce(func(r *detect.Race) { t.arrow(d, r) })
	}
	t.Remember(func(in *rewrite.Inst) uint32 {
		if !slices.ContainsFunc(dets, func(d *appliedDetector) bool { return d.events.NeedsSite(in) }) {
			return 0 // the access is in no race
		}
		return sites.Number(in)
	})
	return t.Timeline
}

// followInside is follow for a run with a detector inside the kernel.
func (t *Timeline) followInside(d *appliedDetector, out *passes.Output) emu.Listener {
	if t == nil {
		return nil
	}
	t.listed = []*appliedDetector{d}
	byLine := map[int][]*abi.Site{}
	for i := range out.Sites {
		s := &out.Sites[i]
		byLine[s.PTX.Line] = append(byLine[s.PTX.Line], s)
	}
	t.Remember(func(in *rewrite.Inst) uint32 {
		for _, s := range byLine[out.Module.Origin(in.Line).Line] {
			if s.Instruction == symbolize.OpcodeText(in) {
				return s.ID
			}
		}
		return 0
	})
	return t.Timeline
}

// begin starts a launch.
func (t *Timeline) begin(n *symbolize.Symbolizer, reported bool) {
	if t != nil {
		t.symbols, t.reported = n, reported
	}
}

// draw draws the races of a detector that does not announce them.
func (t *Timeline) draw(d *appliedDetector, races []detect.Race) {
	if t == nil || !slices.Contains(t.listed, d) {
		return
	}
	for i := range races {
		t.arrow(d, &races[i])
	}
}

func (t *Timeline) arrow(d *appliedDetector, r *detect.Race) {
	if t.reported {
		t.Arrow(d.Name()+" race: "+string(r.Cause), t.visit(r.First), t.visit(r.Second))
	}
}

func (t *Timeline) visit(s detect.Side) observe.Visit {
	b := t.symbols.Block
	thread := s.Thread[0] + b[0]*(s.Thread[1]+b[1]*s.Thread[2])
	return observe.Visit{Site: s.Site, Block: dim3(s.Block), Warp: symbolize.WarpOf(s.Thread, b), Lane: thread % 32}
}
