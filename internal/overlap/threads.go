// Threads of a grid: which have waited for the grid before, and which blocks have let dependent grids begin.

package overlap

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// threads is the state of the threads of a grid. If it is not active, all threads are alike: no access of another grid
// is compared with theirs but those of later launches, before which all of them end.
type threads struct {
	grid     *order.Grid
	active   bool
	size     emu.Dim3          // of the grid
	extent   emu.Dim3          // of a block
	blocks   map[uint64]*block // by linear index
	clusters map[uint64]*bool  // whether a thread of the cluster has waited
	waited   bool              // a thread has waited
	last     *warp
}

type block struct {
	linear  uint64
	index   emu.Dim3
	cluster *bool
	waited  bool // a thread has waited
	let     bool // it has let dependent grids begin
	warps   []*warp
}

type warp struct {
	block  *block
	index  uint32
	extent emu.Dim3 // of the block
	waited uint32   // lanes
}

func newThreads(g *order.Grid, active bool) threads {
	return threads{grid: g, active: active, blocks: make(map[uint64]*block), clusters: make(map[uint64]*bool)}
}

// nobody stands for the threads of grids that are not active, and of grids that threads have launched.
var nobody = &warp{block: &block{}}

// begin sets the extents of the grid.
func (t *threads) begin(ev *abi.Event) {
	n := func(at int) uint32 { return uint32(ev.Addr[at]) }
	t.size, t.extent = emu.Dim3{X: n(0), Y: n(1), Z: n(2)}, emu.Dim3{X: n(3), Y: n(4), Z: n(5)}
}

// of returns the warp of an event.
func (w *Watch) of(ev *abi.Event) *warp { return w.thread(ev.Block, ev.Cluster, ev.Warp) }

func (w *Watch) thread(at uint64, cluster uint64, index uint32) *warp {
	if t := &w.threads; t.active && w.depth == 1 {
		return t.warp(at, cluster, index)
	}
	return nobody
}

func (t *threads) warp(at uint64, cluster uint64, index uint32) *warp {
	if l := t.last; l != nil && l.index == index && l.block.linear == at {
		return l
	}
	b := t.blocks[at]
	if b == nil {
		if t.clusters[cluster] == nil {
			t.clusters[cluster] = new(bool)
		}
		b = &block{linear: at, index: t.size.At(at), cluster: t.clusters[cluster]}
		t.blocks[at] = b
	}
	for uint32(len(b.warps)) <= index {
		b.warps = append(b.warps, &warp{block: b, index: uint32(len(b.warps)), extent: t.extent})
	}
	t.last = b.warps[index]
	return t.last
}

// thread returns the index of a lane's thread in its block.
func (w *warp) thread(lane int) [3]uint32 {
	n, x, y := w.index*32+uint32(lane), max(w.extent.X, 1), max(w.extent.Y, 1)
	return [3]uint32{n % x, n / x % y, n / x / y}
}

// alike returns those of the lanes that have waited, or else those that have not.
func (w *warp) alike(lanes uint32) uint32 {
	if waited := lanes & w.waited; waited != 0 {
		return waited
	}
	return lanes
}

// part returns the part of the grid that accesses of lanes belong to.
func (t *threads) part(by *warp, lanes uint32) *order.Operation {
	if by == nobody { // grids that threads launch may run after their block has let dependent grids begin
		return t.grid.Part(t.waited, t.active)
	}
	return t.grid.Part(by.waited&lanes != 0, by.block.let)
}

// wait records that lanes follow the wait of a thread.
func (t *threads) wait(by *warp, lanes uint32) {
	by.waited |= lanes
	by.block.waited, *by.block.cluster, t.waited = true, true, true
}

// fence records a fence of lanes. One of device scope may follow what another thread of the grid has published after
// its wait, or what the grid before has.
func (t *threads) fence(by *warp, ev *abi.Event) {
	t.releases(by, ev.Sem, ev.Scope)
	t.acquires(by, ev.Sem, ev.Scope, ev.Mask)
}

// releases records what an instruction that may be a release or a fence of device scope does before its access.
func (t *threads) releases(by *warp, sem abi.Semantics, scope abi.Scope) {
	if sem.Releases() && scope >= abi.ScopeGPU && !by.block.let {
		t.grid.Fence(t.active)
	}
}

// acquires records what an instruction that may be an acquire or a fence of device scope does after its access.
func (t *threads) acquires(by *warp, sem abi.Semantics, scope abi.Scope, lanes uint32) {
	if by != nobody && sem.Acquires() && scope >= abi.ScopeGPU && (t.waited || t.grid.Signalled()) {
		t.wait(by, lanes)
	}
}

// event follows an event of the running launch.
func (w *Watch) event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventFence:
		w.threads.fence(w.of(ev), ev)
	case abi.EventDepend:
		w.depend(ev)
	case abi.EventBlockEnd:
		w.endBlock(ev.Block)
	case abi.EventWarpSync, abi.EventBarrierPass, abi.EventClusterPass, abi.EventMbarrierPass:
		w.meet(ev)
	}
}

// meet follows an event by which lanes have met others.
func (w *Watch) meet(ev *abi.Event) {
	if !w.threads.waited {
		return
	}
	if by := w.of(ev); by != nobody && w.follows(by, ev) {
		w.threads.wait(by, ev.Mask)
	}
}

// follows reports whether lanes that have met others follow the wait of one of these.
func (w *Watch) follows(by *warp, ev *abi.Event) bool {
	switch ev.Kind {
	case abi.EventWarpSync:
		return by.waited&ev.Mask != 0 && sites.At(w.module, ev.Site).Instr.Class == isa.ClassBarrier
	case abi.EventBarrierPass:
		return by.block.waited
	}
	return *by.block.cluster
}

// depend follows griddepcontrol.
func (w *Watch) depend(ev *abi.Event) {
	switch t := &w.threads; {
	case w.depth != 1:
	case ev.Mode == abi.BarrierSync:
		if w.grid.Dependent() {
			t.wait(w.of(ev), ev.Mask)
			w.grid.Wait()
		}
	default:
		t.active = true
		if by := w.of(ev); !by.block.let {
			by.block.let = true
			w.grid.Let(by.waited&ev.Mask != 0)
		}
	}
}

// endBlock ends a block: one that has not let dependent grids begin does so.
func (w *Watch) endBlock(at uint64) {
	if w.depth != 1 {
		return
	}
	if b := w.threads.blocks[at]; b != nil {
		if !b.let {
			w.grid.Let(b.waited)
		}
		delete(w.threads.blocks, at)
		w.threads.last = nil
	}
}
