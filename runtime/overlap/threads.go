// Threads of a grid: which have waited for the grid before, and which blocks have let dependent grids begin.

package overlap

import (
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/cuda/order"
)

// threads is the state of the threads of a grid. If it is not active, all threads are alike: no access of another grid is compared
// with theirs but those of later launches, before which all of them end.
type threads struct {
	grid     *order.Grid
	active   bool
	extent   emu.Dim3 // of a block
	blocks   map[emu.Dim3]*block
	clusters map[uint64]*bool // whether a thread of the cluster has waited
	waited   bool             // a thread has waited
	last     *warp
}

type block struct {
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
	return threads{grid: g, active: active, blocks: make(map[emu.Dim3]*block), clusters: make(map[uint64]*bool)}
}

// nobody stands for the threads of grids that are not active, and of grids that threads have launched.
var nobody = &warp{block: &block{}}

// of returns the warp of an event.
func (w *Watch) of(ev *emu.SyncEvent) *warp { return w.thread(ev.Block, ev.Cluster, ev.Warp) }

func (w *Watch) thread(at emu.Dim3, cluster uint64, index uint32) *warp {
	if t := &w.threads; t.active && w.depth == 1 {
		return t.warp(at, cluster, index)
	}
	return nobody
}

func (t *threads) warp(at emu.Dim3, cluster uint64, index uint32) *warp {
	if l := t.last; l != nil && l.index == index && l.block.index == at {
		return l
	}
	b := t.blocks[at]
	if b == nil {
		if t.clusters[cluster] == nil {
			t.clusters[cluster] = new(bool)
		}
		b = &block{index: at, cluster: t.clusters[cluster]}
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

// fence records a fence of lanes, which may be part of an access. One of device scope may follow what another thread of the grid
// has published after its wait, or what the grid before has.
func (t *threads) fence(by *warp, in *rewrite.Inst, lanes uint32) {
	t.releases(by, in)
	t.acquires(by, in, lanes)
}

// releases records what an instruction that may be a release or a fence of device scope does before its access.
func (t *threads) releases(by *warp, in *rewrite.Inst) {
	if in.MemorySem().Releases() && wide(in) && !by.block.let {
		t.grid.Fence(t.active)
	}
}

// acquires records what an instruction that may be an acquire or a fence of device scope does after its access.
func (t *threads) acquires(by *warp, in *rewrite.Inst, lanes uint32) {
	if by != nobody && in.MemorySem().Acquires() && wide(in) && (t.waited || t.grid.Signalled()) {
		t.wait(by, lanes)
	}
}

// wide reports whether the scope of an instruction includes other grids.
func wide(in *rewrite.Inst) bool { return in.MemoryScope() >= isa.ScopeGPU }

// Depend implements emu.DependenceListener.
func (w *Watch) Depend(ev *emu.SyncEvent) {
	switch t := &w.threads; {
	case w.grid == nil || w.depth != 1:
	case ev.Inst.Has("wait"):
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

// Barrier implements emu.Listener.
func (w *Watch) Barrier(ev *emu.BarrierEvent) {
	if w.grid == nil || !w.threads.waited {
		return
	}
	by := w.of(&ev.SyncEvent)
	if by == nobody {
		return
	}
	switch {
	case ev.Kind == emu.WarpSync && ev.Inst.Instr.Class == isa.ClassBarrier && by.waited&ev.Mask != 0,
		ev.Kind == emu.BarrierPass && by.block.waited, ev.Kind == emu.ClusterPass && *by.block.cluster:
		w.threads.wait(by, ev.Mask)
	}
}

// Mbarrier implements emu.Listener.
func (w *Watch) Mbarrier(ev *emu.MbarrierEvent) {
	if w.grid == nil || !w.threads.waited || ev.Kind != emu.MbarrierWait {
		return
	}
	if by := w.of(&ev.SyncEvent); by != nobody && *by.block.cluster {
		w.threads.wait(by, ev.Mask)
	}
}

// BeginKernel implements emu.Listener.
func (w *Watch) BeginKernel(_ string, _, block emu.Dim3) {
	if w.depth++; w.depth == 1 {
		w.threads.extent = block
	}
}

// EndKernel implements emu.Listener.
func (w *Watch) EndKernel(string) { w.depth-- }

// EndBlock implements emu.Listener: a block that has not let dependent grids begin does so when it ends.
func (w *Watch) EndBlock(at emu.Dim3) {
	if w.grid == nil || w.depth != 1 {
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
