// Footprints of steps: the shared state that a thread's turn accesses, and whether two turns commute.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// sortThreads sorts threads.
func sortThreads(list []thread) { slices.SortFunc(list, thread.compare) }

// step is one turn of one thread in a run of the exhaustive strategy, with the effects that other threads can observe.
type step struct {
	thread  thread
	enabler int // the step that made the thread able to run, -1 for the beginning
	foot    *touched
	// Synchronisation, in order: arrivals of the thread, and threads that are released.
	meetings []meeting
}

// touched is the shared state that a step accesses. Two steps commute if neither accesses what the other one changes.
type touched struct {
	spans []span
	all   bool // possibly everything
}

// span is a range of shared state.
type span struct {
	of     object
	lo, hi uint64 // hi is exclusive
	writes bool
}

// object is the state that a span is part of: a memory space, or synchronisation state.
type object struct {
	kind objectKind
	id   uint64 // of the cluster or block
}

type objectKind uint8

const (
	objectGlobal  objectKind = iota
	objectShared             // of a cluster
	objectFences             // all fence.sc have a total order
	objectBarrier            // of a block: assigns threads to phases
	objectPhase              // a phase of a barrier at which all threads arrive
	objectCluster
)

// meeting is an arrival at, or a departure from, a point where threads wait for all others. The order of arrivals makes no
// difference.
type meeting struct {
	at      object
	number  uint64
	threads []thread
	kind    meetingKind
}

type meetingKind uint8

const (
	meetingArrive meetingKind = iota
	meetingLeave
	meetingAll // the threads have waited for each other
)

// conflicts reports whether the order of two steps matters.
func (a *touched) conflicts(b *touched) bool {
	if a.all || b.all {
		return true
	}
	for i := range a.spans {
		for j := range b.spans {
			p, q := &a.spans[i], &b.spans[j]
			if (p.writes || q.writes) && p.of == q.of && p.lo < q.hi && q.lo < p.hi {
				return true
			}
		}
	}
	return false
}

// footprints is a Listener that adds each event to the footprint of the current step.
type footprints struct {
	NopListener
	cur    *step // nil between launches
	launch uint64
	grid   Dim3
	block  Dim3
	// beyond describes the operations of the run for which not all orders are explored.
	beyond map[string]bool
}

// Interest implements Listener. Values distinguish a failed compare-and-swap, which only reads, from one that writes.
func (f *footprints) Interest() Interest {
	return Interest{Needs: Needs{Values: true, Shared: true, Lanes: true}}
}

// Access implements Listener.
func (f *footprints) Access(ev *AccessEvent) {
	if f.cur == nil {
		return
	}
	if ev.Async != Synchronous || ev.Size == 0 {
		f.everything("asynchronous copies are performed at one of the times that are possible")
		return
	}
	of := object{kind: objectGlobal}
	switch ev.Space {
	case isa.SpaceShared, isa.SpaceTensor: // their addresses differ
		of = object{objectShared, ev.Cluster}
	case isa.SpaceConst:
		return
	}
	for m := lanes(ev.Mask); m != 0; m &= m - 1 {
		i := m.first()
		writes := ev.Kind != isa.AccessLoad
		if ev.Kind >= isa.AccessAtomic && ev.Values != nil {
			writes = lanes(ev.Values.Done).has(i)
		}
		lo := ev.Addrs[i]
		f.cur.foot.spans = append(f.cur.foot.spans, span{of, lo, lo + uint64(ev.Size), writes})
	}
}

// everything makes the current step conflict with all others.
func (f *footprints) everything(why string) {
	if f.cur != nil {
		f.cur.foot.all = true
		f.beyond[why] = true
	}
}

// Fence implements Listener: all fence.sc have a total order (PTX ISA, "Fence-SC").
func (f *footprints) Fence(ev *SyncEvent) {
	if f.cur != nil && ev.Inst.Sem == isa.SemSC {
		f.cur.foot.spans = append(f.cur.foot.spans, span{object{kind: objectFences}, 0, 1, true})
	}
}

// Barrier implements Listener.
func (f *footprints) Barrier(ev *BarrierEvent) {
	if f.cur == nil {
		return
	}
	block := f.grid.Linear(ev.Block)
	full := ev.Count == 0 || uint64(ev.Count) == f.block.count()
	m := meeting{at: object{objectPhase, block}, number: uint64(ev.ID), threads: f.threads(block, ev.Warp, ev.Mask)}
	switch ev.Kind {
	case BarrierArrive:
		if !full || !ev.Waits {
			f.cur.foot.spans = append(f.cur.foot.spans, span{object{objectBarrier, block}, uint64(ev.ID), uint64(ev.ID) + 1, true})
			return
		}
	case BarrierPass:
		m.kind = meetingLeave
	case ClusterArrive:
		m.at = object{objectCluster, ev.Cluster}
	case ClusterPass:
		m.at, m.kind = object{objectCluster, ev.Cluster}, meetingLeave
	case WarpSync:
		m.kind = meetingAll
	default:
		return
	}
	f.cur.meetings = append(f.cur.meetings, m)
}

// Heap implements Listener.
func (f *footprints) Heap(*HeapEvent) {
	if f.cur != nil {
		f.cur.foot.all = true
	}
}

// LaunchGrid implements GridListener.
func (f *footprints) LaunchGrid(*GridEvent) {
	f.everything("grids launched by threads run at one of the times that are possible, and in one order")
}

// BeginGrid implements GridListener.
func (f *footprints) BeginGrid(uint64) { f.LaunchGrid(nil) }

// JoinGrids implements GridListener.
func (f *footprints) JoinGrids(ev *SyncEvent) { f.LaunchGrid(nil) }

// Async implements Listener.
func (f *footprints) Async(*AsyncEvent) {
	f.everything("asynchronous copies are performed at one of the times that are possible")
}

// threads returns the threads of some lanes of a warp.
func (f *footprints) threads(block uint64, warp, mask uint32) (list []thread) {
	for m := lanes(mask); m != 0; m &= m - 1 {
		list = append(list, thread{f.launch, threadPos{block, int(warp), m.first()}})
	}
	return list
}
