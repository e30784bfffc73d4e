// Events for detectors, from events of the emulator.

package observe

import (
	"cmp"
	"maps"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe/internal/relay"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
	"github.com/ptxsan/ptxsan/rewrite/sites"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/sample"
)

// Events translates the emulator's events to the events for detectors on the host (abi.Event). One Events may serve several
// launches.
type Events struct {
	to       abi.Receiver
	needs    emu.Interest
	receiver abi.Receiver // the receiver passed to NewEvents
	beside   *relay.Relay // relay to the receiver, nil if that is called directly
	proxy    abi.Proxy    // ProxyAsync if an instruction of the module uses it
	sites    []abi.Site
	known    map[*rewrite.Func][]siteEvent
	ignored  map[*rewrite.Inst]bool // the argument of the last IgnoreSites: Events drops the accesses of these instructions
	last     *rewrite.Func          // function of the last event
	facts    []siteEvent            // facts of its instructions
	grid     running
	outer    []running      // grids that wait for the running one
	next     uint64         // number of the grid about to begin
	sampled  *sample.Launch // Watch
	ev       abi.Event
	begin    abi.Event // the last EventKernelBegin
	batch    abi.Batch

	classes map[abi.AccessClass]*abi.AccessClass // all classes so far
	noted   []noted                              // by emu.AccessSite.Number

	takesLoops bool  // the receiver does
	loops      Loops // of the batch
}

// siteEvent has the fields of an instruction's events that are known before it is executed.
type siteEvent struct {
	site     uint32
	atomic   abi.AtomicOp
	sem      abi.Semantics
	scope    abi.Scope
	proxy    abi.Proxy
	mode     abi.BarrierMode
	fence    abi.EventKind // of a fence
	scalar   uint32
	reduces  bool                         // an asynchronous reduction in bulk, which only reads what it reduces by
	endpoint bool                         // it accesses a logical endpoint
	classes  [isa.Spaces]*abi.AccessClass // classes of its last accesses, by space
	// tensorMap is the class of reads of tensor maps by a tensor copy, nil for none.
	tensorMap *abi.AccessClass

	ignored  bool // its accesses cause no events
	executed bool // it has made an access
}

// NewEvents returns a listener that passes the events of a module to a receiver: those in needs, whatever other listeners to the
// run need.
func NewEvents(m *rewrite.Module, needs abi.Needs, to abi.Receiver) *Events {
	e := &Events{
		to: to, receiver: to, known: make(map[*rewrite.Func][]siteEvent, len(m.Funcs)),
		classes: make(map[abi.AccessClass]*abi.AccessClass),
	}
	e.needs = emu.Interest{Needs: needs, Site: e.NeedsSite}
	e.takesLoops = takesLoops(to)
	for _, f := range m.Funcs {
		facts := make([]siteEvent, len(f.Insts))
		for i, in := range f.Insts {
			facts[i] = e.describe(in)
		}
		e.known[f] = facts
	}
	return e
}

// takesLoops reports whether a receiver takes batches with loops.
func takesLoops(to abi.Receiver) bool {
	r, ok := to.(abi.LoopReceiver)
	return ok && r.TakesLoops()
}

// Sites returns the table that Event.Site refers to: Sites()[i].ID is i+1.
func (e *Events) Sites() []abi.Site { return e.sites }

// Site returns the ID of an instruction of the module in that table, 0 if it has none.
func (e *Events) Site(in *rewrite.Inst) uint32 { return e.known[in.Func][in.Index].site }

// describe adds an instruction to the table if it may cause events.
func (e *Events) describe(in *rewrite.Inst) siteEvent {
	const events = isa.ReadsMemory | isa.WritesMemory | isa.Orders | isa.Synchronises | isa.Branches | isa.Calls
	if in.Effects()&events == 0 && in.Instr.Class != isa.ClassBarrier && in.Instr.Class != isa.ClassAsync {
		return siteEvent{}
	}
	s := sites.Of(in)
	s.ID = uint32(len(e.sites) + 1)
	e.sites = append(e.sites, s)
	fact := siteEvent{
		site: s.ID, atomic: AtomicOp(in), sem: in.MemorySem(), scope: in.MemoryScope(),
		proxy: in.Proxy(), fence: fenceEvents[in.TensorFence()], scalar: scalarOf(in), endpoint: in.Endpoint() >= 0,
	}
	if fact.reduces = in.Proxy() == isa.ProxyAsync && in.Has("reduce"); fact.reduces {
		fact.sem, fact.scope = abi.SemRelaxed, cmp.Or(fact.scope, abi.ScopeGPU)
	}
	if fact.proxy == abi.ProxyAsync && in.Instr.Class != isa.ClassFence {
		e.proxy = fact.proxy
	}
	if b, ok := in.Barrier(); ok {
		fact.mode = modes[b.Step]
		if b.Of == isa.BarrierOfWarp { // it orders memory, unlike other operations that synchronise lanes
			fact.sem = abi.SemAcqRel
		}
	}
	if query.HandsOver(in) {
		fact.sem = abi.SemAcqRel
	}
	return fact
}

var modes = [...]abi.BarrierMode{
	isa.BarrierSync: abi.BarrierSync, isa.BarrierWait: abi.BarrierSync,
	isa.BarrierArrive: abi.BarrierArrive, isa.BarrierReduce: abi.BarrierReduce,
}

// AtomicOp returns the kind of an atomic operation that detectors tell apart.
func AtomicOp(in *rewrite.Inst) abi.AtomicOp {
	switch in.Access.AtomOp {
	case "cas":
		return abi.AtomicCAS
	case "exch":
		return abi.AtomicExch
	}
	return abi.AtomicOther
}

// scalarOf returns the size of the scalars of an access to a vector or to packed values, or of a strong access in bulk (PTX ISA,
// "cp.async.bulk", ".relaxed", "cp.reduce.async.bulk"), and 0 for other accesses.
func scalarOf(in *rewrite.Inst) uint32 {
	if in.Has("bulk") && !in.Has("tensor") && (in.Has("reduce") || in.Has("relaxed")) || in.Endpoint() >= 0 {
		return uint32(in.Type(0).Size())
	}
	if in.Access.Single() {
		return 0
	}
	return uint32(in.Access.Scalar)
}

// fact returns the siteEvent of an instruction.
func (e *Events) fact(in *rewrite.Inst) *siteEvent {
	if in.Func != e.last {
		e.last, e.facts = in.Func, e.known[in.Func]
	}
	return &e.facts[in.Index]
}

// start fills in the fields that all events of warps have.
func (e *Events) start(kind abi.EventKind, s *emu.SyncEvent) *siteEvent {
	f, ev := e.fact(s.Inst), &e.ev
	ev.Kind, ev.Site = kind, f.site
	ev.Block, ev.Cluster, ev.Warp = e.grid.Linear(s.Block), s.Cluster, s.Warp
	ev.Mask, ev.Live = s.Mask, s.Live
	return f
}

// IgnoreSites omits the events of accesses by the instructions in the set, and only those. It reports whether the set differs
// from the previous one. It must be called before the machine is made.
func (e *Events) IgnoreSites(ignored map[*rewrite.Inst]bool) (changed bool) {
	if maps.Equal(e.ignored, ignored) {
		return false
	}
	for in := range e.ignored {
		e.known[in.Func][in.Index].ignored = false
	}
	for in := range ignored {
		e.known[in.Func][in.Index].ignored = true
	}
	e.ignored = maps.Clone(ignored)
	return true
}

// Ignored returns the number of instructions whose accesses are omitted.
func (e *Events) Ignored() int { return len(e.ignored) }

// Interest implements emu.Listener.
func (e *Events) Interest() emu.Interest { return e.needs }

// NeedsSite reports whether accesses by an instruction cause events.
func (e *Events) NeedsSite(in *rewrite.Inst) bool { return !e.known[in.Func][in.Index].ignored }

// Executed reports whether an instruction has made an access.
func (e *Events) Executed(in *rewrite.Inst) bool { return e.known[in.Func][in.Index].executed }

// ignores reports whether an access is omitted that only another listener to the run needs.
func (e *Events) ignores(f *siteEvent, in *rewrite.Inst, space isa.Space) bool {
	return f.ignored || space == isa.SpaceShared && !e.needs.Shared && in.Access.Space != isa.SpaceNone
}

func accessOf(k isa.AccessKind) abi.AccessKind {
	switch k {
	case isa.AccessStore:
		return abi.AccessStore
	case isa.AccessAtomic, isa.AccessReduce:
		return abi.AccessRMW
	}
	return abi.AccessLoad
}

var fenceEvents = [...]abi.EventKind{
	isa.TensorNone: abi.EventFence, isa.TensorBefore: abi.EventTensorBefore, isa.TensorAfter: abi.EventTensorAfter,
}

// Fence implements emu.Listener.
func (e *Events) Fence(s *emu.SyncEvent) {
	f := e.fact(s.Inst)
	e.start(f.fence, s)
	e.ev.Sem, e.ev.Scope, e.ev.Proxy = f.sem, f.scope, f.proxy
	e.to.Event(&e.ev)
}

var barrierEvents = [...]abi.EventKind{
	emu.BarrierArrive: abi.EventBarrierArrive, emu.BarrierComplete: abi.EventBarrierComplete,
	emu.BarrierPass: abi.EventBarrierPass, emu.WarpSync: abi.EventWarpSync, emu.ClusterArrive: abi.EventClusterArrive,
	emu.ClusterWait: abi.EventClusterWait, emu.ClusterPass: abi.EventClusterPass,
}

// Barrier implements emu.Listener.
func (e *Events) Barrier(b *emu.BarrierEvent) {
	if !e.needs.NeedsBarrier(b.Kind, b.Inst) {
		return
	}
	f := e.start(barrierEvents[b.Kind], &b.SyncEvent)
	e.ev.Barrier, e.ev.Expected, e.ev.Mode = b.ID, b.Count, f.mode
	e.ev.Sem, e.ev.Scope = f.sem, f.scope
	if b.Kind == emu.WarpSync && f.proxy == abi.ProxyTensorMap {
		e.ev.Sem = abi.SemAcqRel
	}
	if b.Kind == emu.BarrierComplete {
		e.ev.Site = 0 // an exit may complete a barrier too
	}
	e.to.Event(&e.ev)
}

var mbarrierEvents = [...]abi.EventKind{
	emu.MbarrierInit: abi.EventMbarrierInit, emu.MbarrierInval: abi.EventMbarrierInval, emu.MbarrierArrive: abi.EventMbarrierArrive,
	emu.MbarrierExpect: abi.EventMbarrierExpect, emu.MbarrierComplete: abi.EventMbarrierComplete,
	emu.MbarrierCopyArrive: abi.EventMbarrierCopyArrive, emu.MbarrierWait: abi.EventMbarrierPass,
}

// Mbarrier implements emu.Listener.
func (e *Events) Mbarrier(b *emu.MbarrierEvent) {
	f := e.start(mbarrierEvents[b.Kind], &b.SyncEvent)
	e.ev.Addr, e.ev.Sem, e.ev.Scope, e.ev.Phases = *b.Addrs, f.sem, f.scope, b.Phases
	e.to.Event(&e.ev)
}

// Async implements emu.Listener.
func (e *Events) Async(a *emu.AsyncEvent) {
	kind := [...]abi.EventKind{emu.AsyncCommit: abi.EventAsyncCommit, emu.AsyncWait: abi.EventAsyncWait, emu.AsyncDone: abi.EventAsyncDone}[a.Kind]
	e.start(kind, &a.SyncEvent)
	e.ev.Async, e.ev.Op, e.ev.Signal, e.ev.Mode = a.Of, a.Op, a.Signal, abi.BarrierSync
	if a.Kind == emu.AsyncDone {
		e.ev.Phases = a.Phase << bits.TrailingZeros32(a.Mask)
	}
	if a.Read {
		e.ev.Mode = abi.BarrierRead
	}
	if a.Pending != nil {
		e.ev.Pending = *a.Pending
	}
	e.to.Event(&e.ev)
}

// Branch implements emu.Listener.
func (e *Events) Branch(b *emu.BranchEvent) {
	if !e.needs.Branches {
		return
	}
	kind := abi.EventDiverge
	if b.Meet {
		kind = abi.EventConverge
	}
	e.start(kind, &b.SyncEvent)
	e.ev.Wrote = b.Taken
	e.to.Event(&e.ev)
}

// Heap implements emu.Listener.
func (e *Events) Heap(h *emu.HeapEvent) {
	kind := abi.EventAlloc
	switch {
	case h.Tensor:
		kind = abi.EventTensorAlloc
	case h.Freed:
		kind = abi.EventFree
	}
	e.start(kind, &h.SyncEvent)
	for i := range e.ev.Addr {
		e.ev.Addr[i] = h.Addr
	}
	e.ev.Bytes = uint32(min(h.Size, 1<<32-1))
	e.to.Event(&e.ev)
}

// BeginKernel implements emu.Listener.
func (e *Events) BeginKernel(_ string, grid, block emu.Dim3) {
	e.outer = append(e.outer, e.grid)
	e.grid = running{Dim3: grid, block: noBlock}
	if len(e.outer) == 1 {
		e.grid.sample = e.sampled
	}
	e.ev.Op, e.next, e.ev.Proxy = e.next, 0, e.proxy
	for i, n := range [...]uint32{grid.X, grid.Y, grid.Z, block.X, block.Y, block.Z} {
		e.ev.Addr[i] = uint64(n)
	}
	e.machine(abi.EventKernelBegin, 0)
	e.begin = e.ev
}

// EndKernel implements emu.Listener.
func (e *Events) EndKernel(string) {
	e.machine(abi.EventKernelEnd, 0)
	last := len(e.outer) - 1
	e.grid, e.outer = e.outer[last], e.outer[:last]
}

// LaunchGrid implements emu.GridListener.
func (e *Events) LaunchGrid(g *emu.GridEvent) {
	e.start(abi.EventLaunch, &g.SyncEvent)
	e.ev.Op, e.ev.Addr[0] = g.Grid, g.Stream
	e.to.Event(&e.ev)
}

// BeginGrid implements emu.GridListener.
func (e *Events) BeginGrid(grid uint64) { e.next = grid }

// JoinGrids implements emu.GridListener.
func (e *Events) JoinGrids(s *emu.SyncEvent) {
	e.start(abi.EventJoin, s)
	e.to.Event(&e.ev)
}

// BeginBlock implements emu.Listener.
func (e *Events) BeginBlock(b emu.Dim3) {
	n := e.grid.Linear(b)
	e.grid.sample.BeginBlock(n)
	e.machine(abi.EventBlockBegin, n)
}

// EndBlock implements emu.Listener.
func (e *Events) EndBlock(b emu.Dim3) { e.machine(abi.EventBlockEnd, e.grid.Linear(b)) }

// machine emits an event that belongs to no warp.
func (e *Events) machine(kind abi.EventKind, block uint64) {
	e.ev.Kind, e.ev.Site, e.ev.Block, e.ev.Mask = kind, 0, block, 0
	e.to.Event(&e.ev)
}
