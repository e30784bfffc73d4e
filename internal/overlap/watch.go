// Watch: the listener to the accesses of kernels.

package overlap

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Watch enters the accesses of kernels into a tracker, and into a detector for launches that may overlap. It observes
// launches between Begin and End.
type Watch struct {
	Code
	tracker *order.Tracker
	// listens says that accesses are needed, relates that the detector needs all events.
	listens, relates bool
	running          *launch       // nil for none
	suspended        []*order.Grid // between Suspend and resume
	related          related
	log              log
	places           places
}

// Code is what a Watch asks about instructions.
type Code struct {
	// Own maps an instruction of the running program to the user's, nil for one that a detector has inserted.
	Own func(*rewrite.Inst) *rewrite.Inst
	// Inserted says that programs may have instructions which a detector has inserted.
	Inserted bool
	// Describe describes an instruction for reports. It leaves Access empty for loads and stores.
	Describe func(*rewrite.Inst) report.Access
}

// Launch is what a Watch knows of a launch before it begins.
type Launch struct {
	// Overlappable says that a dependent launch may follow.
	Overlappable bool
	Weak         bool // memory is weak
}

// launch is a launch that is observed.
type launch struct {
	Launch
	grid    *order.Grid
	depth   int                   // number of running grids: that of the launch, and those that its threads have launched
	touches bool                  // the tracker needs its accesses
	relates bool                  // the detector needs its events
	size    emu.Dim3              // of the grid
	extent  emu.Dim3              // of a block
	fenced  map[warpOfGrid]uint32 // lanes that have executed a fence since their last weak write
}

// New makes a listener that does not observe anything yet. found is called for each race between launches that may
// overlap, when the later one ends.
func New(c Code, found func(*Race)) *Watch {
	return &Watch{Code: c, related: related{found: found}, places: newPlaces(c)}
}

// Listen makes the listener need accesses, for a tracker; with relates, also what orders threads of launches that may
// overlap. It reports whether that is new.
func (w *Watch) Listen(t *order.Tracker, relates bool) (changed bool) {
	changed = !w.listens || relates && !w.relates
	w.tracker, w.places.tracker, w.listens, w.relates = t, t, true, w.relates || relates
	return changed
}

// Rest ends the observation of launches that may overlap, until the next call of Listen.
func (w *Watch) Rest() { w.relates, w.listens = false, w.listens && w.tracker.Matters() }

// Begin begins a launch.
func (w *Watch) Begin(g *order.Grid, l Launch) {
	if len(w.suspended) > 0 {
		w.tracker.SideBySide(w.suspended)
	}
	w.running = &launch{
		Launch: l, grid: g, touches: w.tracker.Matters(), relates: w.relates && (l.Overlappable || len(g.Prerequisites) > 0),
		fenced: make(map[warpOfGrid]uint32),
	}
	if w.running.relates {
		w.tracker.Judge(g)
	}
}

// Relates reports whether the detector knows the accesses of a launch, which has begun.
func (w *Watch) Relates(g *order.Grid) bool { return w.related.launches[g] != nil }

// End ends the launch.
func (w *Watch) End() {
	if l := w.running; l != nil && l.relates {
		w.related.end(w)
	}
	w.running = nil
}

// Suspend lets other launches begin and end while the running one waits, until resume is called.
func (w *Watch) Suspend() (resume func()) {
	l, module := w.running, w.places.current
	if w.running = nil; l == nil {
		return func() {}
	}
	w.suspended = append(w.suspended, l.grid)
	return func() {
		w.suspended = slices.DeleteFunc(w.suspended, func(g *order.Grid) bool { return g == l.grid })
		if w.running, w.places.current = l, module; l.relates {
			w.related.resume(l)
		}
	}
}

// Interest implements emu.Listener.
func (w *Watch) Interest() emu.Interest {
	needs := abi.Needs{Skips: !w.listens}
	if w.relates {
		needs = neededToRelate
	}
	return emu.Interest{
		Needs: needs, Site: func(*rewrite.Inst) bool { return w.listens },
		Kernel: func(kernel *rewrite.Func) { w.places.enter(kernel.Module) },
	}
}

// TakesLoops implements abi.LoopReceiver.
func (w *Watch) TakesLoops() bool { return true }

// Event implements abi.Receiver.
func (w *Watch) Event(ev *abi.Event) {
	l := w.running
	if l == nil {
		return
	}
	if ev.Kind == abi.EventKernelBegin {
		if l.depth++; l.depth == 1 {
			l.begin(ev)
			if l.relates {
				w.related.begin(w, l, ev)
			}
		}
	}
	if ev.Site == 0 || !w.Inserted || w.places.of(ev.Site, 0) != foreign {
		if l.relates {
			w.related.detector.Event(ev)
		}
		if ev.Kind == abi.EventFence {
			l.fence(ev)
		}
	}
	if ev.Kind == abi.EventKernelEnd {
		l.depth--
	}
}

// begin sets the extents of the grid.
func (l *launch) begin(ev *abi.Event) {
	n := func(at int) uint32 { return uint32(ev.Addr[at]) }
	l.size, l.extent = emu.Dim3{X: n(0), Y: n(1), Z: n(2)}, emu.Dim3{X: n(3), Y: n(4), Z: n(5)}
}

// Accesses implements abi.Receiver.
func (w *Watch) Accesses(b *abi.Batch) {
	l := w.running
	if l == nil {
		return
	}
	if l.touches {
		for a := range b.All() {
			if a.Space == abi.SpaceGlobal || a.Space == abi.SpaceConst { // constant variables have addresses of global memory
				if at := w.places.of(a.Site, uint64(a.Bytes)); at != foreign {
					w.enter(l, w.signalled(l, at, b, a), b, a)
				}
			}
		}
	}
	if l.relates {
		w.related.accesses(w, b)
	}
}

// signalled returns the place of an access at a place: that of its signals, if it is one.
func (w *Watch) signalled(l *launch, at order.Place, b *abi.Batch, a *abi.Access) order.Place {
	switch may := w.places.known[at].signals; {
	case may && l.releases(b, a):
		return at + 1
	case !may && a.Access.Writes():
		l.wrote(b, a.Mask)
	}
	return at
}

// enter records the bytes that an access of a warp covers: runs of lanes with consecutive addresses together, and those
// with the address of the lane before not again.
func (w *Watch) enter(l *launch, place order.Place, b *abi.Batch, a *abi.Access) {
	size, write, lanes := uint64(a.Bytes), a.Access.Writes(), a.Mask
	next := a.Next & lanes & (lanes << 1)
	for lanes &^= a.Same & (lanes << 1); lanes != 0; {
		first := bits.TrailingZeros32(lanes)
		n := 1 + bits.TrailingZeros32(^uint32(uint64(next)>>(first+1)))
		lanes &^= uint32(uint64(1)<<n-1) << first
		from := a.At(first)
		if l.relates && l.depth == 1 {
			w.log.add(entry{l, place, b.Block, b.Warp, uint8(first), uint8(n), write, uint32(size), from})
		}
		w.tracker.Touch(l.grid.Operation, place, from, uint64(n)*size, write)
	}
}

// Unloaded drops the instructions of a module; if it runs in another form (instrumented), those of all. Their
// descriptions are kept for reports.
func (w *Watch) Unloaded(m *rewrite.Module, instrumented bool) { w.places.unload(m, instrumented) }

// Describe returns one side of a conflict: the instruction, its function, and the thread as far as it is known.
func (w *Watch) Describe(t *order.Touch, c *order.Conflict) report.Access {
	a := w.places.describe(t.Place, t.Write)
	if e, lane := w.log.find(t, c.Address); e != nil {
		at := e.of.size.At(e.block)
		a.Block, a.Thread, a.Warp, a.Known = [3]uint32{at.X, at.Y, at.Z}, e.of.thread(e.warp, lane), e.warp, true
	}
	return a
}

// thread returns the index of a lane's thread in its block.
func (l *launch) thread(warp uint32, lane int) [3]uint32 {
	n, x, y := warp*32+uint32(lane), max(l.extent.X, 1), max(l.extent.Y, 1)
	return [3]uint32{n % x, n / x % y, n / x / y}
}

// warp returns the number of a thread's warp in its block.
func (l *launch) warp(thread [3]uint32) uint32 {
	return (thread[0] + l.extent.X*(thread[1]+l.extent.Y*thread[2])) / 32
}

// NotChecked returns what was not checked of launches that may overlap, a line each.
func (w *Watch) NotChecked() []string { return w.related.losses() }
