package precise_test

import (
	"math/rand/v2"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The threads of random traces: three lanes in each of two warps in each of three
// blocks, the first two of which are a cluster.
const (
	traceBlocks = 3
	traceWarps  = 2
	traceLanes  = 0b111
)

func clusterOf(block uint64) uint64 { return block / 2 }

// tracer makes a random trace that a machine may produce.
type tracer struct {
	*rand.Rand
	events  []abi.Event
	sites   uint32 // instructions have numbers up to this one, 0 for a number each
	narrow  bool   // few locations
	apart   bool   // some weak accesses are by ld.global.nc, or through textures and surfaces
	strong  int    // tenths of accesses that are
	waiting map[[2]uint64]*abi.Event
	cluster map[[2]uint64]int // 1 arrived, 2 waiting
	phases  map[[2]uint64]int
	groups  map[[2]uint64]int
	child   bool                           // of a grid that a thread launched
	about   func(t *tracer, key [2]uint64) // what half of the steps are, nil for anything
	alone   *aloneTracer                   // nil when there are clusters
	habits  [traceWindows]habit

	mbarriers map[[2]uint64]*tracedMbarrier // by cluster and address
	flights   []*flight
	launches  []uint64 // grids that have not begun
}

func newTrace(seed uint64, length int) []abi.Event {
	return newHabitualTrace(seed, length, anyAccess, onlyReads, onlyCounts, onlyOwn)
}

// newHabitualTrace is a random trace with windows of some habits.
func newHabitualTrace(seed uint64, length int, habits ...habit) []abi.Event {
	t := &tracer{
		Rand: rand.New(rand.NewPCG(seed, 1)), waiting: map[[2]uint64]*abi.Event{}, cluster: map[[2]uint64]int{},
		phases: map[[2]uint64]int{}, groups: map[[2]uint64]int{}, mbarriers: map[[2]uint64]*tracedMbarrier{},
	}
	if t.IntN(3) == 0 {
		t.sites = 6
	}
	t.narrow, t.strong, t.apart = t.IntN(2) == 0, pick(t, 5, 9, 10), t.IntN(8) == 0
	for i := range t.habits {
		t.habits[i] = pick(t, habits...)
	}
	if t.IntN(3) == 0 {
		t.alone = newAloneTracer()
	} else {
		t.focus()
	}
	warps := 2 + t.IntN(traceBlocks*traceWarps-1)
	for tries := 0; len(t.events) < length && tries < 20*length; tries++ { // all may wait for warps that take no part
		w := uint64(t.IntN(warps))
		key := [2]uint64{w % traceBlocks, w / traceBlocks}
		if t.waiting[key] == nil && t.cluster[key] != 2 && t.lanes(key) != 0 {
			t.step(key)
		}
	}
	return t.events
}

// emit appends an event of a warp.
func (t *tracer) emit(key [2]uint64, ev abi.Event) {
	ev.Block, ev.Warp, ev.Cluster, ev.Live = key[0], uint32(key[1]), clusterOf(key[0]), t.lanes(key)
	if t.alone != nil {
		ev.Cluster = key[0]
		ev.Mask &= ev.Live
		ev.Wrote &= ev.Live
		if ev.Mask == 0 {
			return
		}
	}
	ev.Site = uint32(len(t.events) + 1)
	if t.sites > 0 {
		ev.Site = t.Uint32N(t.sites) + 1
	}
	if t.apart && ev.Sem == abi.SemWeak && ev.Async == abi.Synchronous && ev.Space == abi.SpaceGlobal && t.IntN(3) == 0 {
		switch ev.Access {
		case abi.AccessLoad:
			ev.Proxy = pick(t, abi.ProxyReadOnly, abi.ProxyReadOnly, abi.ProxyTexture, abi.ProxySurface)
		case abi.AccessStore:
			ev.Proxy = pick(t, abi.ProxyGeneric, abi.ProxySurface)
		}
	}
	neighbours(&ev)
	t.events = append(t.events, ev)
}

// neighbours fills in which lanes' addresses follow that of the lane before, or equal it.
func neighbours(ev *abi.Event) {
	ev.Next, ev.Same = 0, 0
	for i := 1; i < len(ev.Addr); i++ {
		bit := uint32(1) << i & ev.Mask & (ev.Mask << 1)
		if ev.Addr[i] == ev.Addr[i-1]+uint64(ev.Bytes) {
			ev.Next |= bit
		}
		if ev.Addr[i] == ev.Addr[i-1] {
			ev.Same |= bit
		}
	}
}

func (t *tracer) mask() uint32 {
	if t.IntN(3) == 0 {
		return traceLanes
	}
	return t.Uint32N(traceLanes) + 1
}

func pick[T any](t *tracer, from ...T) T { return from[t.IntN(len(from))] }

func (t *tracer) scope() abi.Scope {
	return pick(t, abi.ScopeCTA, abi.ScopeCluster, abi.ScopeGPU, abi.ScopeSys, abi.ScopeGPU)
}

// step is one instruction of a warp, or a few that belong together.
func (t *tracer) step(key [2]uint64) {
	if t.alone != nil {
		t.stepAlone(key)
		return
	}
	if t.about != nil && !t.child && t.IntN(2) == 0 {
		t.about(t, key)
		return
	}
	switch n := t.IntN(100); {
	case n < 56:
		t.access(key)
	case n < 72:
		sem := pick(t, abi.SemAcqRel, abi.SemSC, abi.SemSC, abi.SemAcquire, abi.SemRelease)
		t.emit(key, abi.Event{Kind: abi.EventFence, Mask: t.mask(), Sem: sem, Scope: t.scope()})
	case n < 76:
		sem := abi.SemAcqRel
		t.emit(key, abi.Event{Kind: abi.EventWarpSync, Mask: t.mask(), Sem: sem})
	case t.child:
		t.access(key)
	case n < 80:
		t.barrier(key)
	case n < 84:
		t.clusterBarrier(key)
	case n < 88:
		t.async(key)
	case n < 91:
		t.bulk(key)
	case n < 93:
		t.emit(key, abi.Event{Kind: abi.EventFence, Mask: t.mask(), Proxy: abi.ProxyAsync})
	case n < 98:
		t.mbarrier(key)
	default:
		t.grid(key)
	}
}

// access is a synchronous access.
func (t *tracer) access(key [2]uint64) {
	ev := abi.Event{Kind: abi.EventAccess, Mask: t.mask(), Sem: abi.SemWeak, Valued: true}
	ev.Access = pick(t, abi.AccessLoad, abi.AccessStore, abi.AccessLoad, abi.AccessStore, abi.AccessRMW)
	window := t.IntN(traceWindows)
	if t.habitual(key, window, &ev) {
		t.emit(key, ev)
		return
	}
	if ev.Access == abi.AccessRMW || t.IntN(10) < t.strong {
		ev.Scope = t.scope()
		switch ev.Access {
		case abi.AccessLoad:
			ev.Sem = pick(t, abi.SemRelaxed, abi.SemAcquire, abi.SemVolatile, abi.SemAcquire)
		case abi.AccessStore:
			ev.Sem = pick(t, abi.SemRelaxed, abi.SemRelease, abi.SemVolatile, abi.SemRelease)
		default:
			ev.Sem = pick(t, abi.SemRelaxed, abi.SemAcquire, abi.SemRelease, abi.SemAcqRel)
			ev.Reduces = t.IntN(4) == 0
		}
		if ev.Reduces {
			ev.Sem = pick(t, abi.SemRelaxed, abi.SemRelease)
		}
	}
	t.address(&ev)
	moveTo(&ev, window)
	switch ev.Access {
	case abi.AccessStore:
		ev.Wrote = ev.Mask
	case abi.AccessRMW:
		ev.Wrote = ev.Mask
		if t.IntN(4) == 0 && !ev.Reduces {
			ev.Wrote &= t.Uint32()
			ev.Atomic = abi.AtomicCAS
		}
	}
	t.emit(key, ev)
}

// address chooses where an access is.
func (t *tracer) address(ev *abi.Event) {
	ev.Space, ev.Bytes = abi.SpaceGlobal, pick(t, uint32(4), 4, 4, 8, 1, 2)
	base, span := uint64(0x1000), uint64(16)
	if t.narrow {
		span = 8
		ev.Bytes = pick(t, uint32(4), 4, 4, 4, 8)
	}
	if t.IntN(4) < t.shared() {
		ev.Space, base = abi.SpaceShared, 0x400
	}
	if ev.Bytes == 8 && ev.Access != abi.AccessRMW && !ev.Sem.Acquires() && !ev.Sem.Releases() && t.IntN(2) == 0 { // the detector takes one that synchronises for one operation
		ev.Scalar = 4
	}
	base += 128 - 8 // across lines
	size := uint64(ev.Bytes)
	how, first := t.IntN(3), t.Uint64N(span/size)
	for i := range uint64(3) {
		switch how {
		case 0: // all lanes the same
			ev.Addr[i] = base + first*size
		case 1: // side by side
			ev.Addr[i] = base + (first+i)*size
		default:
			ev.Addr[i] = base + t.Uint64N(span/size)*size
		}
	}
}

// barrier is an arrival at barrier 0, of all threads of the block, or at barrier 1,
// where one warp does not wait.
func (t *tracer) barrier(key [2]uint64) {
	other := [2]uint64{key[0], 1 - key[1]}
	ev := abi.Event{Kind: abi.EventBarrierArrive, Mask: t.lanes(key), Barrier: 0}
	if t.lanes(other) == 0 {
		for _, kind := range []abi.EventKind{abi.EventBarrierArrive, abi.EventBarrierComplete, abi.EventBarrierPass} {
			ev.Kind = kind
			t.emit(key, ev)
		}
		return
	}
	if w := t.waiting[other]; w != nil {
		ev.Barrier = w.Barrier
		ev.Mode = pick(t, abi.BarrierSync, abi.BarrierArrive)
		if ev.Barrier == 0 {
			ev.Mode = abi.BarrierSync
		}
		t.emit(key, ev)
		done := ev
		done.Kind = abi.EventBarrierComplete
		t.emit(key, done)
		t.waiting[other] = nil
		ev.Kind = abi.EventBarrierPass
		waited := ev
		waited.Mask = t.lanes(other)
		t.emit(other, waited)
		if ev.Mode == abi.BarrierSync {
			t.emit(key, ev)
		}
		return
	}
	ev.Barrier = t.Uint32N(2)
	t.emit(key, ev)
	t.waiting[key] = &ev
}

// clusterBarrier is the next of an arrival, a wait and what follows at the barrier of
// the first cluster, by its four warps.
func (t *tracer) clusterBarrier(key [2]uint64) {
	if clusterOf(key[0]) != 0 {
		return
	}
	switch t.cluster[key] {
	case 0:
		sem := pick(t, abi.SemNone, abi.SemRelaxed, abi.SemRelease)
		t.emit(key, abi.Event{Kind: abi.EventClusterArrive, Mask: traceLanes, Sem: sem})
		t.phases[key]++
		t.cluster[key] = 1
	case 1:
		t.cluster[key] = 2
	}
	t.releaseCluster()
}

// releaseCluster lets those go on who wait for a phase in which all have arrived.
func (t *tracer) releaseCluster() {
	for b := range uint64(2) {
		for w := range uint64(traceWarps) {
			key := [2]uint64{b, w}
			if t.cluster[key] != 2 || !t.phaseDone(t.phases[key]) {
				continue
			}
			t.cluster[key] = 0
			t.emit(key, abi.Event{Kind: abi.EventClusterPass, Mask: traceLanes})
		}
	}
}

func (t *tracer) phaseDone(phase int) bool {
	for b := range uint64(2) {
		for w := range uint64(traceWarps) {
			if t.phases[[2]uint64{b, w}] < phase {
				return false
			}
		}
	}
	return true
}

// async is a copy, the end of a group, or a wait for groups.
func (t *tracer) async(key [2]uint64) {
	switch t.IntN(3) {
	case 0:
		mask, number := t.mask(), uint64(len(t.events)+1)
		for _, kind := range []abi.AccessKind{abi.AccessLoad, abi.AccessStore} {
			ev := abi.Event{Kind: abi.EventAccess, Mask: mask, Access: kind, Sem: abi.SemWeak, Async: abi.AsyncCopies, Op: number}
			t.address(&ev)
			ev.Bytes, ev.Scalar = 4, 0
			ev.Space = abi.SpaceGlobal
			for i := range ev.Addr[:3] { // what a copy reads and writes is apart
				ev.Addr[i] = 0x2000 + 4*t.Uint64N(2) + uint64(kind)*64 + uint64(len(t.events))*128*uint64(t.IntN(2)) + 16*uint64(i)
			}
			if kind == abi.AccessStore {
				ev.Wrote = mask
			}
			t.emit(key, ev)
		}
	case 1:
		t.emit(key, abi.Event{Kind: abi.EventAsyncCommit, Mask: t.mask(), Async: abi.AsyncCopies})
	default:
		ev := abi.Event{Kind: abi.EventAsyncWait, Mask: t.mask(), Async: abi.AsyncCopies}
		for i := range ev.Pending {
			ev.Pending[i] = t.Uint32N(2)
		}
		t.emit(key, ev)
	}
}
