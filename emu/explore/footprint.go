// Footprints of steps: the shared state that a thread's turn accesses, and whether two turns commute.

package explore

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// step is one turn of one thread in a run of the exhaustive strategy, with the effects that other threads can observe.
type step struct {
	thread  emu.Thread
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
	threads []emu.Thread
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
	emu.NopListener
	cur    *step // nil between launches
	launch uint64
	grid   emu.Dim3
	block  emu.Dim3
	// beyond describes the operations of the run for which not all orders are explored.
	beyond map[string]bool
}

// Interest implements Listener. Values distinguish a failed compare-and-swap, which only reads, from one that writes.
func (f *footprints) Interest() emu.Interest {
	return emu.Interest{Needs: abi.Needs{Values: true, Shared: true, Lanes: true}}
}

// Access implements Listener.
func (f *footprints) Access(ev *emu.AccessEvent) {
	if f.cur == nil {
		return
	}
	if ev.Async != abi.Synchronous || ev.Size == 0 {
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
	for m := ev.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		writes := ev.Kind != isa.AccessLoad
		if ev.Kind >= isa.AccessAtomic && ev.Values != nil {
			writes = ev.Values.Done>>i&1 != 0
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
func (f *footprints) Fence(ev *emu.SyncEvent) {
	if f.cur != nil && ev.Inst.Sem == isa.SemSC {
		f.cur.foot.spans = append(f.cur.foot.spans, span{object{kind: objectFences}, 0, 1, true})
	}
}

// Barrier implements Listener.
func (f *footprints) Barrier(ev *emu.BarrierEvent) {
	if f.cur == nil {
		return
	}
	block := f.grid.Linear(ev.Block)
	full := ev.Count == 0 || uint64(ev.Count) == volume(f.block)
	m := meeting{at: object{objectPhase, block}, number: uint64(ev.ID), threads: f.threads(block, ev.Warp, ev.Mask)}
	switch ev.Kind {
	case emu.BarrierArrive:
		if !full || !ev.Waits {
			f.cur.foot.spans = append(f.cur.foot.spans, span{object{objectBarrier, block}, uint64(ev.ID), uint64(ev.ID) + 1, true})
			return
		}
	case emu.BarrierPass:
		m.kind = meetingLeave
	case emu.ClusterArrive:
		m.at = object{objectCluster, ev.Cluster}
	case emu.ClusterPass:
		m.at, m.kind = object{objectCluster, ev.Cluster}, meetingLeave
	case emu.WarpSync:
		m.kind = meetingAll
	default:
		return
	}
	f.cur.meetings = append(f.cur.meetings, m)
}

// Heap implements Listener.
func (f *footprints) Heap(*emu.HeapEvent) {
	if f.cur != nil {
		f.cur.foot.all = true
	}
}

// LaunchGrid implements GridListener.
func (f *footprints) LaunchGrid(*emu.GridEvent) {
	f.everything("grids launched by threads run at one of the times that are possible, and in one order")
}

// BeginGrid implements GridListener.
func (f *footprints) BeginGrid(uint64) { f.LaunchGrid(nil) }

// JoinGrids implements GridListener.
func (f *footprints) JoinGrids(ev *emu.SyncEvent) { f.LaunchGrid(nil) }

// Async implements Listener.
func (f *footprints) Async(*emu.AsyncEvent) {
	f.everything("asynchronous copies are performed at one of the times that are possible")
}

// threads returns the threads of some lanes of a warp.
func (f *footprints) threads(block uint64, warp, mask uint32) (list []emu.Thread) {
	for m := mask; m != 0; m &= m - 1 {
		list = append(list, emu.Thread{Launch: f.launch, ThreadPos: emu.ThreadPos{Block: block, Warp: int(warp), Lane: bits.TrailingZeros32(m)}})
	}
	return list
}

// volume returns the number of indices within d.
func volume(d emu.Dim3) uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }
