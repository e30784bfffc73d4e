// Asynchronous operations that complete on mbarriers, also compared with the lives of these: initialisation and end.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The complete-tx operation of an asynchronous operation accesses the mbarrier through the generic proxy (PTX ISA,
// "cp.async.bulk", "st.async": "This instruction accesses its mbarrier operand using generic-proxy"), so a proxy fence
// makes no difference. Like arrivals and waits it has to follow mbarrier.init in causality order, and to precede
// mbarrier.inval. It does not race with other operations on the mbarrier, all of which are strong. So it is not entered
// in the shadow memory but compared with these two alone.

// maxPending is the number of complete-tx operations that are kept for comparison with mbarrier.inval.
const maxPending = 64

// landed handles an asynchronous operation that has written and completes on its mbarrier: threads in any block that
// wait for the phase observe its accesses.
func (d *Detector) landed(ev *abi.Event) {
	w := d.warpOf(ev)
	async := d.asyncOf(w)
	if async == nil {
		return
	}
	b := d.mbarrierAt(w, ev.Signal)
	if b == nil {
		return
	}
	i := bits.TrailingZeros32(ev.Mask)
	if ev.Async == abi.AsyncTensor {
		d.signalled(b, ev.Phases>>i&1, w, i, w.unit)
		d.tensorLanded(ev, w, b, i)
		return
	}
	if c := async.ends[asyncOp{ev.Op, i}]; c != nil {
		b.in(ev.Phases >> i & 1).addAll(c)
	}
	units, ok := async.signals[ev.Op]
	if !ok {
		return
	}
	d.signalled(b, ev.Phases>>i&1, w, i, units[asyncWrites])
	d.completeObject(ev, w, i, b, units[asyncWrites])
	if r, reads := async.mapReads[asyncOp{ev.Op, i}]; reads {
		b.in(ev.Phases >> i & 1).addAll((*clock)(nil).With(vclock.Threads(r.unit, 1<<i, r.at)))
		delete(async.mapReads, asyncOp{ev.Op, i})
	}
	b.in(ev.Phases >> i & 1).addAll((*clock)(nil).With(d.completed(units, i, false)))
	d.tick()
}

// objectEntry returns the access of a lane by mbarrier.init or mbarrier.inval.
func (d *Detector) objectEntry(ev *abi.Event, w *warp, lane int) entry {
	x := accesses.Class{
		Site: ev.Site, Kind: abi.AccessStore, Sem: abi.SemWeak, Size: mbarrierBytes, Scalar: mbarrierBytes,
		Shared: true, Reach: accesses.ReachAll,
	}
	w.touched |= 1 << lane
	return entry{unit: w.unit, mask: 1 << lane, at: d.now, class: d.numberOf(x)}
}

// completeObject checks that the complete-tx operation of a lane's asynchronous operation follows the initialisation.
func (d *Detector) completeObject(ev *abi.Event, w *warp, lane int, b *mbarrier, u unit) {
	x := accesses.Class{
		Site: ev.Site, Kind: abi.AccessRMW, Async: abi.AsyncSignals, Sem: abi.SemRelaxed, Scope: abi.ScopeCluster,
		Strong: true,
		Size:   mbarrierBytes, Scalar: mbarrierBytes, Shared: true, Reach: accesses.ReachAll, Completes: true,
	}
	done := entry{unit: u, mask: 1 << lane, at: d.now, class: d.numberOf(x)}
	if len(b.pending) == maxPending {
		b.pending = append(b.pending[:0], b.pending[maxPending/2:]...)
	}
	b.pending = append(b.pending, done)
	d.compareObjects(w, lane, &b.made, &done, ev.Signal)
}

// endObject checks that mbarrier.inval by a lane follows the operations that complete on the mbarrier.
func (d *Detector) endObject(ev *abi.Event, w *warp, lane int, b *mbarrier) {
	if b == nil {
		return
	}
	end := d.objectEntry(ev, w, lane)
	for i := range b.pending {
		d.compareObjects(w, lane, &b.pending[i], &end, ev.Addr[lane])
	}
}

// compareObjects reports a race of two accesses to an mbarrier unless the first is ordered before the second, which is
// by a lane or by an asynchronous operation that it has started.
func (d *Detector) compareObjects(w *warp, lane int, first, second *entry, addr uint64) {
	other := bits.TrailingZeros32(first.mask)
	if first.unit == w.unit && other == lane || w.of(lane).Includes(first.unit, other, first.at) {
		return
	}
	d.current.begin(d, w, second.unit, second.class)
	d.evidence.Race(&evidence.Finding{
		First: first.class, Second: second.class, FirstUnit: first.unit, SecondUnit: second.unit,
		FirstLane: uint8(other), SecondLane: uint8(lane), At: addr, Since: first.at,
	})
}

// narrowArrival is an arrival with block scope at an mbarrier that another block initialised. Threads of that block
// that wait for the phase do not acquire its release.
type narrowArrival struct {
	site     uint32
	released *clock
}

// maxNarrowArrivals is the number of them kept for each phase.
const maxNarrowArrivals = 8

// noteArrival records an arrival with block scope by a thread of another block than the one that initialised the
// mbarrier. Reports name it.
func (b *mbarrier) noteArrival(d *Detector, ev *abi.Event, w *warp, lane int) {
	if mbarrierReach(ev) != accesses.ReachBlock || d.model.relaxedOrders || ev.Sem == abi.SemRelaxed ||
		w.block() == b.home {
		return
	}
	p := ev.Phases >> lane & 1
	if list := b.narrow[p]; len(list) < maxNarrowArrivals {
		b.narrow[p] = append(list, narrowArrival{ev.Site, d.metBy(w.of(lane), vclock.Threads(w.unit, 1<<lane, d.now))})
	}
}

// noteUnheardBy records the releases of a phase that a lane does not acquire by its wait. wider are the clocks of
// releases at wider scopes than the wait has; the releases of narrow arrivals are in b.narrow. Reports name the wait or
// the arrival.
func (b *mbarrier) noteUnheardBy(d *Detector, ev *abi.Event, w *warp, lane int, wider []*clock) {
	for _, c := range wider {
		if c != nil {
			d.evidence.NoteUnheard(w.unit, lane, ev.Site, evidence.NarrowWait, c)
		}
	}
	for _, a := range b.narrow[ev.Phases>>lane&1] {
		d.evidence.NoteUnheard(w.unit, lane, a.site, evidence.NarrowArrive, a.released)
	}
}
