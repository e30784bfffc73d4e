// Grids that may overlap: launches of kernels with programmatic stream serialization (CUDA Programming Guide,
// "Programmatic Dependent Launch and Synchronization"; PTX ISA, "griddepcontrol").

package order

import "slices"

// Grid is the launch of a kernel as an operation of its stream. A dependent grid may begin when all blocks of the grid
// before it have let it (griddepcontrol.launch_dependents) or have ended. Only from its wait on (griddepcontrol.wait)
// does a thread follow the end of that grid, which is the end of the grids before only if that grid has waited for
// them. A grid therefore consists of parts, each an Operation, which differ in what they follow and in what follows
// them.
type Grid struct {
	label        any
	in           *stream
	number       uint32
	prev         *Grid     // the grid of its stream on which it depends; nil for none
	awaits       []awaited // grids of other streams on which it depends
	early, late  past      // of threads before and after their wait
	waited       bool      // a thread has waited
	letAfterWait bool      // a block has waited before it let dependent grids begin, or ended
	signalled    bool      // a thread has read what an overlapping grid has written, both with strong accesses
	now          *phase
	let          phase // of blocks that have let dependent grids begin
	parts        map[part]*Operation
	latest       *Operation // returned by Part
}

// awaited is a grid of another stream on which a grid depends by an event: when all blocks have let dependent grids
// begin, or atStart, when they have begun.
type awaited struct {
	*Grid
	atStart bool
}

// past is what happens before a part of a grid, besides the operations of its stream that do not overlap it.
type past struct {
	others   clock
	overlaps []uint32 // numbers of operations of the stream that it may overlap, in ascending order
}

// phase is a time in the execution of blocks that have not let dependent grids begin, which a fence ends; or all the
// time after.
type phase struct {
	rank   int
	let    bool
	fenced bool // a fence of device scope has ended the phase
}

// part identifies a part of a grid.
type part struct {
	waited bool
	phase  *phase
}

const (
	// mostGrids is the number of grids that a device executes at a time (CUDA Programming Guide, "Compute
	// Capabilities"): a grid begins after the end of those further back.
	mostGrids = 128
	// mostPhases is the number of phases of a grid that are told apart. The last one counts as ended by a fence.
	mostPhases = 4096
)

// Overlapping says that grids may be dependent, so that accesses in a single stream matter.
func (t *Tracker) Overlapping() { t.overlapping = true }

// NotOverlapping says that no grid that is added from now on is dependent, until the next call of Overlapping.
func (t *Tracker) NotOverlapping() { t.overlapping = false }

// Launch adds a grid to a stream. It may be dependent on the operation before it in the stream, if that is a grid as
// well.
func (t *Tracker) Launch(s Stream, label any, dependent bool) *Grid {
	st := t.of(s)
	prev, awaits := st.last, st.awaits
	o := t.Begin(s, label)
	g := &Grid{
		label: label, in: o.in, number: o.number, now: &phase{}, let: phase{rank: mostPhases, let: true},
		parts: make(map[part]*Operation),
	}
	g.early.others, g.late.others = o.before, o.before
	for _, of := range awaits {
		if t.streams[of.in.stream] == of.in && o.before.of(of.in.stream) < of.number {
			g.awaits, g.late.others = append(g.awaits, of), g.late.others.with(of.in.stream, of.number)
		}
	}
	if dependent && prev != nil {
		t.depend(g, prev)
	}
	o.in.last = g
	return g
}

// depend makes a grid dependent on the one before it in its stream.
func (t *Tracker) depend(g, prev *Grid) {
	g.prev = prev
	ended := max(t.host.of(g.in.stream), g.early.others.of(g.in.stream))
	g.early.overlaps = since(ended, append(slices.Clip(prev.whenLet().overlaps), prev.number))
	g.late.overlaps = since(ended, prev.atEnd().overlaps)
	if !prev.waited || len(g.late.overlaps) == 0 {
		prev.prev = nil // unwaited looks no further back
	}
}

// since returns the numbers of a list after one, mostGrids-1 at most.
func since(ended uint32, list []uint32) []uint32 {
	i, _ := slices.BinarySearch(list, ended+1)
	return list[max(i, len(list)-(mostGrids-1)):]
}

// whenLet returns what happens before the time when all blocks have let dependent grids begin, atEnd before the end of
// the grid.
func (g *Grid) whenLet() *past { return g.choose(g.letAfterWait) }
func (g *Grid) atEnd() *past   { return g.choose(g.waited) }

func (g *Grid) choose(late bool) *past {
	if late {
		return &g.late
	}
	return &g.early
}

// Dependent reports whether the grid may overlap another one.
func (g *Grid) Dependent() bool { return g.prev != nil || len(g.awaits) > 0 }

// Part returns the part of the grid that an access belongs to. waited says that the access follows a wait, let that its
// block has let dependent grids begin.
func (g *Grid) Part(waited, let bool) *Operation {
	p := part{waited && g.Dependent(), g.now}
	if let {
		p.phase = &g.let
	}
	if o := g.latest; o != nil && o.part == p {
		return o
	}
	o := g.parts[p]
	if o == nil {
		past := g.choose(p.waited)
		o = &Operation{
			Stream: g.in.stream, Label: g.label, in: g.in, number: g.number, before: past.others,
			overlaps: past.overlaps, grid: g, part: p,
		}
		g.parts[p] = o
	}
	g.latest = o
	return o
}

// Wait records that a thread has waited for the grid before.
func (g *Grid) Wait() { g.waited = true }

// Let records that a block lets dependent grids begin, or ends. waited says that a thread of the block has waited.
func (g *Grid) Let(waited bool) { g.letAfterWait = g.letAfterWait || waited }

// Signalled reports whether a thread has read what an overlapping grid has written, both with strong accesses.
func (g *Grid) Signalled() bool { return g.signalled }

// Fence records a fence of device scope in a block that has not let dependent grids begin: earlier writes are visible
// to these from their beginning on (CUDA Runtime API, "cudaTriggerProgrammaticLaunchCompletion"). If later writes are
// not told apart, they count as visible, too.
func (g *Grid) Fence(apart bool) {
	if g.now.fenced || g.parts[part{false, g.now}] == nil && g.parts[part{true, g.now}] == nil {
		return
	}
	g.now.fenced = true
	if apart && g.now.rank+1 < mostPhases {
		g.now = &phase{rank: g.now.rank + 1}
	}
}

// mayOverlap reports whether a part of a grid may overlap an access of an earlier grid of the stream, so that only a
// wait orders the two. Reads before a block lets dependent grids begin precede these, and so do writes that a fence
// follows there.
func (o *Operation) mayOverlap(earlier *Operation, wrote bool) bool {
	if _, found := slices.BinarySearch(o.overlaps, earlier.number); !found {
		return false
	}
	return !earlier.part.phase.precedes(wrote)
}

// precedes reports whether a write or read in the phase has been performed when dependent grids begin.
func (p *phase) precedes(wrote bool) bool { return !p.let && (!wrote || p.fenced) }

// awaited reports whether a part of a grid follows an access of a grid of another stream, on which it depends by an
// event that records that dependent grids may begin.
func (o *Operation) awaited(earlier *Operation, wrote bool) bool {
	return o.grid != nil && slices.Contains(o.grid.awaits, awaited{earlier.grid, false}) &&
		earlier.part.phase.precedes(wrote)
}

// End ends the grid. What follows it follows the grids that it has waited for.
func (g *Grid) End() {
	if g.waited {
		g.in.others = g.in.others.union(g.late.others)
	}
}

// RecordLet makes an event represent the time when all blocks of the grid that is the latest operation of a stream have
// let dependent grids begin; or, atStart, when each does so at its beginning, so that none of its accesses precedes
// that (CUDA Runtime API, "cudaLaunchAttributeProgrammaticEvent", triggerAtBlockStart).
func (t *Tracker) RecordLet(event uint64, s Stream, atStart bool) {
	g := t.of(s).last
	t.RecordBegun(event, s)
	if g != nil {
		e := t.events[event]
		e.let = awaited{g, atStart}
		t.events[event] = e
	}
}

// RecordBegun makes an event represent the time when all blocks of that grid have begun. Unlike by RecordLet, what
// follows the event does not depend on the grid: its wait is for other grids (CUDA Runtime API,
// "cudaLaunchAttributeLaunchCompletionEvent").
func (t *Tracker) RecordBegun(event uint64, s Stream) {
	g := t.of(s).last
	t.Record(event, s)
	if g != nil {
		e := t.events[event]
		e.number = g.number - 1
		t.events[event] = e
	}
}

// SameGrid reports whether two operations are parts of a grid.
func (o *Operation) SameGrid(other *Operation) bool {
	return o == other || o.grid != nil && o.grid == other.grid
}

// Overlaps reports whether the conflict is one of grids that overlap because one depends on the other. missing is then
// the label of the grid between the two whose wait is missing; nil if that is the wait of the second.
func (c *Conflict) Overlaps() (missing any, ok bool) {
	first, second := c.First.Operation, c.Second.Operation
	switch {
	case second.grid == nil || first.grid == nil:
		return nil, false
	case slices.ContainsFunc(second.grid.awaits, func(a awaited) bool { return a.Grid == first.grid }):
		return nil, true
	case first.in != second.in:
		return nil, false
	case !second.part.waited:
		return nil, true
	}
	for g := second.grid.prev; g != nil && g.number > first.number; g = g.prev {
		if !g.waited {
			return g.label, true
		}
	}
	return nil, true
}
