// Watch: the listener to the accesses of kernels.

package overlap

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Watch enters the accesses of kernels into a tracker. It observes launches between Begin and End.
type Watch struct {
	own      func(*rewrite.Inst) *rewrite.Inst
	describe func(*rewrite.Inst) report.Access
	tracker  *order.Tracker
	listens  bool
	module   *rewrite.Module
	grid     *order.Grid // of the running launch; nil for none
	depth    int         // number of running grids: that of the launch, and those that its threads have launched
	threads  threads
	log      log
	signals  signals
	// suspended are the grids between Suspend and resume.
	suspended []*order.Grid

	places map[*rewrite.Inst]order.Place
	recent [256]recentPlace
	known  []instruction // by place; those before order.FirstPlace are no instructions
	// undescribed lists places of loaded modules whose description has not been needed yet.
	undescribed []order.Place
}

// New makes a listener that does not observe anything yet. own maps an instruction of the running program to the
// user's, nil for one that a detector has inserted. describe describes an instruction for reports; it leaves Access
// empty for loads and stores.
func New(own func(*rewrite.Inst) *rewrite.Inst, describe func(*rewrite.Inst) report.Access) *Watch {
	return &Watch{
		own: own, describe: describe, places: make(map[*rewrite.Inst]order.Place),
		known: make([]instruction, order.FirstPlace), signals: newSignals(),
	}
}

// Listen makes the listener need events, for a tracker. It reports whether that is new.
func (w *Watch) Listen(t *order.Tracker) (changed bool) {
	changed = !w.listens
	w.tracker, w.listens = t, true
	return changed
}

// Begin begins a launch. overlappable says that a dependent grid may follow, so that threads and fences matter.
func (w *Watch) Begin(g *order.Grid, overlappable bool) {
	w.grid, w.depth = g, 0
	w.signals.fenced = make(map[warpOfGrid]uint32)
	if len(w.suspended) > 0 {
		w.tracker.SideBySide(w.suspended)
	}
	w.threads = newThreads(g, overlappable || g.Dependent())
}

// End ends the launch.
func (w *Watch) End() {
	if w.grid != nil {
		w.grid.End()
	}
	w.grid = nil
}

// Suspend lets other launches begin and end while the running one waits, until resume is called.
func (w *Watch) Suspend() (resume func()) {
	grid, depth, threads, fenced, module := w.grid, w.depth, w.threads, w.signals.fenced, w.module
	w.grid, w.depth = nil, 0
	if grid != nil {
		w.suspended = append(w.suspended, grid)
	}
	return func() {
		w.suspended = slices.DeleteFunc(w.suspended, func(g *order.Grid) bool { return g == grid })
		w.grid, w.depth, w.threads, w.signals.fenced, w.module = grid, depth, threads, fenced, module
	}
}

// Interest implements emu.Listener.
func (w *Watch) Interest() emu.Interest {
	return emu.Interest{
		Needs: abi.Needs{Skips: !w.listens}, Site: func(*rewrite.Inst) bool { return w.listens },
		Kernel: func(kernel *rewrite.Func) { w.module = kernel.Module },
	}
}

// TakesLoops implements abi.LoopReceiver.
func (w *Watch) TakesLoops() bool { return true }

// Event implements abi.Receiver.
func (w *Watch) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventKernelBegin:
		if w.depth++; w.depth == 1 {
			w.threads.begin(ev)
		}
	case abi.EventKernelEnd:
		w.depth--
	default:
		if w.grid != nil {
			w.event(ev)
			if ev.Kind == abi.EventFence && w.own(sites.At(w.module, ev.Site)) != nil {
				w.signals.fence(ev)
			}
		}
	}
}

// Accesses implements abi.Receiver.
func (w *Watch) Accesses(b *abi.Batch) {
	if w.grid == nil {
		return
	}
	by := w.thread(b.Block, b.Cluster, b.Warp)
	for a := range b.All() {
		if a.Space == abi.SpaceGlobal || a.Space == abi.SpaceConst { // constant variables have addresses of global memory
			w.accessed(by, b, a, sites.At(w.module, a.Site))
		}
	}
}

// accessed records the bytes that an access of a warp covers.
func (w *Watch) accessed(by *warp, b *abi.Batch, a *abi.Access, in *rewrite.Inst) {
	at := w.placeOf(in, uint64(a.Bytes))
	if at.place == foreign {
		return
	}
	place := at.place
	switch {
	case at.signals && w.signals.releases(in, b, a.Mask):
		place++
	case !at.signals && a.Access.Writes():
		w.signals.wrote(b, a.Mask)
	}
	sem, scope := in.MemorySem(), in.MemoryScope()
	if at.orders {
		w.threads.releases(by, sem, scope)
	}
	for rest := a.Mask; rest != 0; {
		lanes := by.alike(rest)
		rest &^= lanes
		w.enter(w.threads.part(by, lanes), place, by, a, lanes)
	}
	if at.orders {
		w.threads.acquires(by, sem, scope, a.Mask)
	}
}

// enter records the access of lanes that belong to one part of the grid: runs of lanes with consecutive addresses
// together, and those with the address of the lane before not again.
func (w *Watch) enter(o *order.Operation, place order.Place, by *warp, a *abi.Access, lanes uint32) {
	size, write := uint64(a.Bytes), a.Access.Writes()
	next := a.Next & lanes & (lanes << 1)
	for lanes &^= a.Same & (lanes << 1); lanes != 0; {
		first := bits.TrailingZeros32(lanes)
		n := 1 + bits.TrailingZeros32(^uint32(uint64(next)>>(first+1)))
		lanes &^= uint32(uint64(1)<<n-1) << first
		from := a.At(first)
		if by != nobody {
			w.log.add(entry{o, place, by, uint8(first), uint8(n), write, uint32(size), from})
		}
		w.tracker.Touch(o, place, from, uint64(n)*size, write)
	}
}

// recentPlace is an entry of a cache of places, which is faster than a map.
type recentPlace struct {
	in      *rewrite.Inst
	place   order.Place
	orders  bool // the instruction acquires or releases
	signals bool // it may be a signal, whose place is the next one
}

// foreign is the place of an instruction that a detector has inserted.
const foreign = ^order.Place(0)

// placeOf returns the place of an instruction with accesses of the given size.
func (w *Watch) placeOf(in *rewrite.Inst, size uint64) *recentPlace {
	recent := &w.recent[uint64(in.Line)%uint64(len(w.recent))]
	if recent.in != in {
		*recent = recentPlace{in, w.place(in, size), in.MemorySem() > isa.SemRelaxed, mayRelease(in)}
	}
	return recent
}

// place is placeOf without the cache.
func (w *Watch) place(in *rewrite.Inst, size uint64) order.Place {
	p, ok := w.places[in]
	if !ok {
		p = foreign
		if own := w.own(in); own != nil {
			p = w.newPlace(own, size)
			if mayRelease(in) {
				w.tracker.Releases(w.newPlace(own, size))
			}
		}
		w.places[in] = p
	}
	return p
}

// newPlace makes a place of an instruction.
func (w *Watch) newPlace(own *rewrite.Inst, size uint64) order.Place {
	p := order.Place(len(w.known))
	w.known, w.undescribed = append(w.known, instruction{of: own}), append(w.undescribed, p)
	if scope := own.StrongScope(); own.Strong() && scope >= isa.ScopeGPU {
		w.tracker.Strong(p, size)
		if scope == isa.ScopeSys {
			w.tracker.Signals(p)
		}
		if own.Access.Kind != isa.AccessStore && w.signals.awaits(own) {
			w.tracker.Awaits(p)
		}
	}
	return p
}

// instruction describes an instruction for reports, also after its module has been unloaded.
type instruction struct {
	of     *rewrite.Inst // nil once the access is filled in
	access report.Access
}

// Unloaded drops the instructions of a module; if it runs in another form (instrumented), those of all. Their
// descriptions are kept for reports.
func (w *Watch) Unloaded(m *rewrite.Module, instrumented bool) {
	w.undescribed = slices.DeleteFunc(w.undescribed, func(p order.Place) bool {
		if in := w.known[p].of; in != nil && in.Func.Module == m {
			w.described(p)
		}
		return w.known[p].of == nil
	})
	maps.DeleteFunc(w.places, func(in *rewrite.Inst, _ order.Place) bool { return instrumented || in.Func.Module == m })
	w.recent = [len(w.recent)]recentPlace{}
}

// described returns the description of a place.
func (w *Watch) described(p order.Place) *report.Access {
	i := &w.known[p]
	if i.of != nil {
		*i = instruction{access: w.describe(i.of)}
	}
	return &i.access
}

// Describe returns one side of a conflict: the instruction, its function, and the thread as far as it is known.
func (w *Watch) Describe(t *order.Touch, c *order.Conflict) report.Access {
	a := *w.described(t.Place)
	if a.Access == "" {
		a.Access = "read"
		if t.Write {
			a.Access = "write"
		}
	}
	if e, lane := w.log.find(t, c.Address); e != nil {
		at := e.by.block.index
		a.Block, a.Thread, a.Warp, a.Known = [3]uint32{at.X, at.Y, at.Z}, e.by.thread(lane), e.by.index, true
	}
	return a
}
