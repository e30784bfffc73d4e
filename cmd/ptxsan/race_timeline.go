package main

import (
	"context"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// raceTimeline is the timeline of the run in which races are found, with an arrow for
// each. Its methods do nothing when it is nil.
type raceTimeline struct {
	*observe.Timeline
	names  naming // of the run
	shown  bool   // races of the launch are reported
	listed []*detector
}

// runShown is run with the timeline that --timeline asks for.
func (k *checker) runShown(ctx context.Context, c *cli.Context) (rep *report.Report, err error) {
	filter, err := timelineFilter(c)
	if err != nil {
		return nil, err
	}
	body := func() error {
		rep, err = k.run(ctx)
		return err
	}
	err = into(c, c.String("timeline"), body, func(w io.Writer) writer {
		t := &raceTimeline{}
		t.Timeline = observe.NewTimeline(w, observedNames(func() *naming { return &t.names }), filter)
		k.timeline = t
		return t
	})()
	k.timeline = nil
	return rep, err
}

func timelineFilter(c *cli.Context) (*observe.Filter, error) {
	text := c.String("trace-filter")
	switch {
	case text == "":
		return nil, nil
	case c.String("timeline") == "":
		return nil, usagef("--trace-filter: expected --timeline as well")
	}
	f, err := observe.ParseFilter(text)
	if err != nil {
		return nil, usagef("--trace-filter: %w", err)
	}
	return f, nil
}

// follow is the timeline as a listener of a run with detectors that listen, and makes
// those that can announce races.
func (t *raceTimeline) follow(dets []*detector) emu.Listener {
	if t == nil || len(dets) == 0 {
		return nil
	}
	for _, d := range dets {
		a, ok := d.listener.(detect.Announcer)
		if !ok {
			t.listed = append(t.listed, d)
			continue
		}
		a.Announce(func(r *detect.Race) { t.arrow(d, r) })
	}
	t.Remember(func(in *rewrite.Inst) uint32 {
		if !slices.ContainsFunc(dets, func(d *detector) bool { return d.events.NeedsSite(in) }) {
			return 0 // the access is part of no race
		}
		return dets[0].events.Site(in) // all number alike
	})
	return t.Timeline
}

// followInside is follow for a run with a detector inside the kernel.
func (t *raceTimeline) followInside(d *detector) emu.Listener {
	if t == nil {
		return nil
	}
	t.listed = []*detector{d}
	byLine := map[int][]*abi.Site{}
	for i := range d.out.Sites {
		s := &d.out.Sites[i]
		byLine[s.PTX.Line] = append(byLine[s.PTX.Line], s)
	}
	t.Remember(func(in *rewrite.Inst) uint32 {
		for _, s := range byLine[d.out.Module.Origin(in.Line).Line] {
			if s.Instruction == opcodeText(in) {
				return s.ID
			}
		}
		return 0
	})
	return t.Timeline
}

// begin is called before a launch.
func (t *raceTimeline) begin(n naming, shown bool) {
	if t != nil {
		t.names, t.shown = n, shown
	}
}

// draw draws the races of a detector that has not announced them.
func (t *raceTimeline) draw(d *detector, races []detect.Race) {
	if t == nil {
		return
	}
	for _, own := range t.listed {
		for i := range races {
			if own == d {
				t.arrow(d, &races[i])
			}
		}
	}
}

func (t *raceTimeline) arrow(d *detector, r *detect.Race) {
	if t.shown {
		t.Arrow(d.name()+" race: "+string(r.Cause), t.visit(r.First), t.visit(r.Second))
	}
}

func (t *raceTimeline) visit(s detect.Side) observe.Visit {
	b := t.names.block
	thread := s.Thread[0] + b[0]*(s.Thread[1]+b[1]*s.Thread[2])
	return observe.Visit{Site: s.Site, Block: emu.Dim3{X: s.Block[0], Y: s.Block[1], Z: s.Block[2]}, Warp: warpOf(s.Thread, b), Lane: thread % 32}
}
