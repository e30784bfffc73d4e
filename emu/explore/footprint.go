// Footprints of steps: the shared state that a thread's turn accesses, and whether two turns commute.

package explore

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// step is one turn of one thread in a run of the exhaustive strategy, with the effects that other threads can observe.
type step struct {
	thread  emu.Thread
	enabler int // the step that made the thread able to run, -1 for the beginning
	foot    *footprint
	// Synchronisation, in order: arrivals of the thread, and threads that are released.
	meetings []conflict
}

// footprint is the shared state that a step accesses. Two steps commute if neither accesses what the other one changes.
type footprint struct {
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
	objectMbarrier // of a cluster
	objectTensor   // of a cluster: which columns of tensor memory are allocated
)

// conflict is an arrival at, or a departure from, a point where threads wait for all others. The order of arrivals
// makes no difference.
type conflict struct {
	at      object
	number  uint64
	threads []emu.Thread
	kind    meetingKind
	nth     uint64 // the phase, from 1; 0 if it follows from the number of the thread's arrivals
}

type meetingKind uint8

const (
	meetingArrive meetingKind = iota
	meetingLeave
	meetingAll // the threads have waited for each other
)

// conflicts reports whether the order of two steps matters.
func (a *footprint) conflicts(b *footprint) bool {
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
	cur    *step // nil between launches
	launch uint64
	block  emu.Dim3
	// beyond describes the operations of the run for which not all orders are explored.
	beyond  map[string]bool
	assumed Assumptions
	waits   bool                // All.WaitsOnly
	module  *rewrite.Module     // of the running kernel
	phases  map[mbarrier]uint64 // in progress, of mbarriers that threads have used; even ones have parity 0
}

// Assumptions say what the exhaustive strategy takes for granted of the runs that it has made. Where one does not hold,
// not all orders are explored.
type Assumptions struct {
	// Phases: other arrivals cannot complete a phase of an mbarrier.
	Phases bool
	// Copies: no access races with that of an asynchronous operation, so that the time at which the operation is
	// performed shows nowhere.
	Copies bool
}

// mbarrier is an mbarrier object of a cluster.
type mbarrier struct{ cluster, addr uint64 }

// Interest implements Listener. Values distinguish a failed compare-and-swap, which only reads, from one that writes.
func (f *footprints) Interest() emu.Interest {
	return emu.Interest{
		Needs:  abi.Needs{Values: true, Shared: true, Lanes: true},
		Kernel: func(kernel *rewrite.Func) { f.module = kernel.Module },
	}
}

// Accesses implements abi.Receiver.
func (f *footprints) Accesses(b *abi.Batch) {
	for a := range b.All() {
		if f.cur != nil {
			f.access(b, a)
		}
	}
}

func (f *footprints) access(b *abi.Batch, a *abi.Access) {
	if a.Bytes == 0 {
		f.everything("matrices of which only the beginning is known are accessed at one of the times that are possible")
		return
	}
	if b.Async != abi.Synchronous {
		f.copies()
	}
	meets := f.waits && f.meets(a.Site)
	of := object{kind: objectGlobal}
	switch a.Space {
	case abi.SpaceShared, abi.SpaceTensor: // their addresses differ
		of = object{objectShared, b.Cluster}
	case abi.SpaceConst:
		return
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		lo, writes := a.At(i), a.Wrote>>i&1 != 0 && !meets
		f.cur.foot.spans = append(f.cur.foot.spans, span{of, lo, lo + uint64(a.Bytes), writes})
	}
}

// meets reports whether an instruction arrives at an mbarrier, or tests one. The order of such operations makes no
// difference, as that of arrivals at a barrier: the phase orders what precedes its arrivals before what follows its
// waits.
func (f *footprints) meets(site uint32) bool {
	in := sites.At(f.module, site)
	if in == nil {
		return false
	}
	switch in.Mbarrier() {
	case isa.MbarrierNone, isa.MbarrierInit, isa.MbarrierInval:
		return false
	}
	return true
}

// copies records that the current step performs, or waits for, asynchronous operations.
func (f *footprints) copies() {
	if f.assumed.Copies = true; !f.waits {
		f.everything("asynchronous copies are performed at one of the times that are possible")
	}
}

// everything makes the current step conflict with all others.
func (f *footprints) everything(why string) {
	f.cur.foot.all = true
	f.beyond[why] = true
}

// Event implements abi.Receiver.
func (f *footprints) Event(ev *abi.Event) {
	if f.cur == nil {
		return
	}
	switch ev.Kind {
	case abi.EventMbarrierInit, abi.EventMbarrierArrive, abi.EventMbarrierExpect, abi.EventMbarrierComplete,
		abi.EventMbarrierCopyArrive, abi.EventMbarrierPass:
		for m := ev.Mask; m != 0 && f.waits; m &= m - 1 {
			i := bits.TrailingZeros32(m)
			f.mbarrier(ev, i, ev.Addr[i])
		}
	case abi.EventAsyncCommit, abi.EventAsyncWait:
		f.copies()
	case abi.EventAsyncDone:
		if f.copies(); !f.waits {
			return
		}
		f.mbarrier(ev, bits.TrailingZeros32(ev.Mask), ev.Signal)
	case abi.EventLaunch, abi.EventJoin, abi.EventKernelBegin: // the beginning of the host's grid is in no step
		f.everything("grids launched by threads run at one of the times that are possible, and in one order")
	case abi.EventAlloc, abi.EventFree:
		f.cur.foot.all = true
	case abi.EventTensorAlloc:
		f.cur.foot.spans = append(f.cur.foot.spans, span{object{objectTensor, ev.Cluster}, 0, 1, true})
	case abi.EventFence: // all fence.sc have a total order (PTX ISA, "Fence-SC")
		if ev.Sem == abi.SemSC {
			f.cur.foot.spans = append(f.cur.foot.spans, span{object{kind: objectFences}, 0, 1, true})
		}
	default:
		f.barrier(ev)
	}
}

// barrier adds an event of a barrier.
func (f *footprints) barrier(ev *abi.Event) {
	full := ev.Expected == 0 || uint64(ev.Expected) == volume(f.block)
	m := conflict{
		at: object{objectPhase, ev.Block}, number: uint64(ev.Barrier),
		threads: f.threads(ev.Block, ev.Warp, ev.Mask),
	}
	switch ev.Kind {
	case abi.EventBarrierArrive:
		if !full || ev.Mode == abi.BarrierArrive {
			f.cur.foot.spans = append(f.cur.foot.spans,
				span{object{objectBarrier, ev.Block}, m.number, m.number + 1, true})
			return
		}
	case abi.EventBarrierPass:
		m.kind = meetingLeave
	case abi.EventClusterArrive:
		m.at = object{objectCluster, ev.Cluster}
	case abi.EventClusterPass:
		m.at, m.kind = object{objectCluster, ev.Cluster}, meetingLeave
	case abi.EventWarpSync:
		m.kind = meetingAll
	default:
		return
	}
	f.cur.meetings = append(f.cur.meetings, m)
}

// mbarrier adds an event of a lane, or of one of its asynchronous operations, at an mbarrier.
func (f *footprints) mbarrier(ev *abi.Event, lane int, addr uint64) {
	of, parity := mbarrier{ev.Cluster, addr}, uint64(ev.Phases>>lane&1)
	n := f.phases[of]
	m := conflict{
		at: object{objectMbarrier, ev.Cluster}, number: addr, threads: f.threads(ev.Block, ev.Warp, 1<<lane),
	}
	f.assumed.Phases = true
	switch ev.Kind {
	case abi.EventMbarrierInit:
		if n > 0 { // one object after another
			f.phases[of] = (n | 1) + 1
		}
		return
	case abi.EventMbarrierPass:
		if m.kind = meetingLeave; n&1 != parity {
			if n == 0 {
				return // the phase before the first one is complete from the beginning
			}
			n--
		}
	default:
		if n&1 != parity {
			n++
		}
		f.phases[of] = n
	}
	m.nth = n + 1
	f.cur.meetings = append(f.cur.meetings, m)
}

// threads returns the threads of some lanes of a warp.
func (f *footprints) threads(block uint64, warp, mask uint32) (list []emu.Thread) {
	for m := mask; m != 0; m &= m - 1 {
		list = append(list, emu.Thread{
			Launch:    f.launch,
			ThreadPos: emu.ThreadPos{Block: block, Warp: int(warp), Lane: bits.TrailingZeros32(m)},
		})
	}
	return list
}

// volume returns the number of indices within d.
func volume(d emu.Dim3) uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }
