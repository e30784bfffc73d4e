// Grids that may overlap: launches of kernels with programmatic stream serialization (CUDA Programming Guide,
// "Programmatic Dependent Launch and Synchronization"; PTX ISA, "griddepcontrol"), and launches on different devices.

package order

import "slices"

// Grid is the launch of a kernel as an operation of its stream. A dependent grid may begin before its prerequisites
// have ended, and its threads follow their ends only from their wait on (griddepcontrol.wait). How threads of grids
// that may overlap are ordered is not the tracker's to say: to it, each of the grids follows the earlier ones.
type Grid struct {
	*Operation
	Prerequisites []Prerequisite
	// Overlaps has the earlier grids that it may overlap, in ascending order in each stream: its prerequisites, and those
	// that they may overlap; and if it is judged, judged grids of other devices.
	Overlaps []*Grid
	// judged says that a detector judges its accesses, thread by thread, together with those of judged grids that it
	// may overlap.
	judged bool
}

// Prerequisite is a grid on which another one depends.
type Prerequisite struct {
	On *Grid
	// AtStart says that the dependent grid may begin when all blocks of the other one have begun, not when they have let
	// it begin (CUDA Runtime API, "cudaLaunchAttributeProgrammaticEvent", triggerAtBlockStart;
	// "cudaGraphKernelNodePortLaunchCompletion").
	AtStart bool
}

// mostGrids is the number of grids that a device executes at a time (CUDA Programming Guide, "Compute Capabilities"): a
// grid begins after the end of those further back.
const mostGrids = 128

// Launch adds a grid to a stream. It may be dependent on the operation before it in the stream, if that is a grid as
// well.
func (t *Tracker) Launch(s Stream, label any, dependent bool) *Grid {
	st := t.of(s)
	needs := st.awaits
	if dependent && st.last != nil {
		needs = append(needs, Prerequisite{On: st.last})
	}
	g := &Grid{Operation: t.Begin(s, label)}
	g.grid = g
	for _, p := range needs {
		if !g.ended(p.On) {
			g.Prerequisites = append(g.Prerequisites, p)
			g.overlap(p.On.Overlaps)
			g.overlap([]*Grid{p.On})
		}
	}
	if n := len(g.Overlaps) - (mostGrids - 1); n > 0 {
		for _, gone := range g.Overlaps[:n] {
			gone.Prerequisites, gone.Overlaps = nil, nil
		}
		g.Overlaps = g.Overlaps[n:]
	}
	g.in.last = g
	return g
}

// Judge says that the grid, which is the latest one of all streams, is judged thread by thread. It may then overlap
// judged grids of other devices.
func (t *Tracker) Judge(g *Grid) {
	g.judged = true
	if !t.SeveralDevices() {
		return
	}
	for _, d := range t.devices {
		if d.grids = slices.DeleteFunc(d.grids, t.hasEnded); d != g.in.device {
			g.overlap(d.grids)
		}
	}
	d := g.in.device
	d.grids = append(d.grids, g)
	if n := len(d.grids) - mostGrids; n > 0 {
		d.grids = slices.Delete(d.grids, 0, n)
	}
}

// overlap adds grids that have not ended to those that the grid may overlap.
func (g *Grid) overlap(list []*Grid) {
	for _, other := range list {
		if !slices.Contains(g.Overlaps, other) && !g.ended(other) {
			g.Overlaps = append(g.Overlaps, other)
		}
	}
}

// Has reports whether an operation is the grid, or what it does after a signal.
func (g *Grid) Has(o *Operation) bool { return o.grid == g }

// ended reports whether the grid follows the end of another one by more than the order of their stream.
func (g *Grid) ended(other *Grid) bool {
	return other.in.settled || g.before.of(other.in.track) >= other.now().number
}

// Follows reports whether the grid begins after the end of an earlier one.
func (g *Grid) Follows(earlier *Grid) bool {
	return g.follows(earlier.now()) && !g.mayOverlap(earlier.Operation)
}

// Apart reports whether neither the grid nor a later one may overlap an earlier grid.
func (t *Tracker) Apart(g *Grid) bool {
	if len(g.Overlaps) > 0 {
		return false
	}
	for _, d := range t.devices {
		if slices.ContainsFunc(d.grids, func(other *Grid) bool { return other != g && !t.hasEnded(other) }) {
			return false
		}
	}
	for _, st := range t.streams {
		if st != g.in && st.last != nil && !t.hasEnded(st.last) || slices.ContainsFunc(st.awaits, t.mayStart) {
			return false
		}
	}
	t.letting = slices.DeleteFunc(t.letting, t.hasEnded)
	return len(t.letting) == 0
}

// mayStart reports whether a later grid may overlap a prerequisite.
func (t *Tracker) mayStart(p Prerequisite) bool { return !t.hasEnded(p.On) }

// hasEnded reports whether the host has waited for a grid, which everything from then on follows.
func (t *Tracker) hasEnded(g *Grid) bool {
	return g.in.settled || t.host.of(g.in.track) >= g.now().number
}

// Waited records that threads of the grid have waited: what follows the grid follows its prerequisites.
func (g *Grid) Waited() {
	for _, p := range g.Prerequisites {
		if p.On.in != g.in && !p.On.in.settled {
			g.in.others = g.in.others.with(p.On.in.track, p.On.now().number)
		}
	}
}

// RecordLet makes an event represent the time when all blocks of the grid that is the latest operation of a stream have
// let dependent grids begin, or have begun (CUDA Runtime API, "cudaLaunchAttributeProgrammaticEvent").
func (t *Tracker) RecordLet(event uint64, s Stream, atStart bool) {
	g := t.of(s).last
	t.RecordBegun(event, s)
	if g != nil {
		e := t.events[event]
		for _, other := range g.Overlaps { // which need not have ended
			if other.in == g.in {
				e.number = min(e.number, other.number-1)
			}
		}
		e.let = Prerequisite{g, atStart}
		t.letting = append(t.letting, g)
	}
}

// RecordBegun makes an event represent the time when all blocks of that grid have begun. Unlike by RecordLet, what
// follows the event does not depend on the grid: its wait is for other grids (CUDA Runtime API,
// "cudaLaunchAttributeLaunchCompletionEvent").
func (t *Tracker) RecordBegun(event uint64, s Stream) {
	g := t.of(s).last
	t.Record(event, s)
	if g != nil {
		t.events[event].number = g.number - 1
	}
}

// mayOverlap reports whether two operations are grids of a device of which the later may overlap the earlier.
func (o *Operation) mayOverlap(earlier *Operation) bool {
	return o.grid != nil && earlier.grid != nil && !o.isApart(earlier) && slices.Contains(o.grid.Overlaps, earlier.grid)
}

// isApart reports whether two operations are of different devices of the machine.
func (o *Operation) isApart(other *Operation) bool {
	return o.in != nil && other.in != nil && o.in.device.machine != other.in.device.machine
}

// areJudged reports whether two operations are grids of different devices that a detector judges together,
// thread by thread: that of their process.
func (o *Operation) areJudged(other *Operation) bool {
	return o.grid != nil && other.grid != nil && o.isApart(other) && o.grid.judged && other.grid.judged &&
		o.in.device.of == other.in.device.of
}
