// Asynchronous operations that complete on mbarriers, also compared with the lives of these: initialisation and end.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The complete-tx operation of an asynchronous operation accesses the mbarrier through the generic proxy (PTX ISA, "cp.async.bulk",
// "st.async": "This instruction accesses its mbarrier operand using generic-proxy"), so a proxy fence makes no difference. Like
// arrivals and waits it has to follow mbarrier.init in causality order, and to precede mbarrier.inval. It does not race with other
// operations on the mbarrier, all of which are strong. So it is not entered in the shadow memory but compared with these two alone.

// maxPending is the number of complete-tx operations that are kept for comparison with mbarrier.inval.
const maxPending = 64

// landed handles an asynchronous operation that has written and completes on its mbarrier: threads in any block that wait for the
// phase observe its accesses.
func (d *Detector) landed(ev *abi.Event) {
	w := d.warpOf(ev)
	if w.async == nil {
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
	if c := w.async.ends[asyncOp{ev.Op, i}]; c != nil {
		b.in(ev.Phases >> i & 1).addAll(c)
	}
	units, ok := w.async.signals[ev.Op]
	if !ok {
		return
	}
	d.signalled(b, ev.Phases>>i&1, w, i, units[asyncWrites])
	d.completeObject(ev, w, i, b, units[asyncWrites])
	b.in(ev.Phases >> i & 1).addAll((*clock)(nil).With(d.completed(units, i, false)))
	d.tick()
}

// objectEntry returns the access of a lane by mbarrier.init or mbarrier.inval.
func (d *Detector) objectEntry(ev *abi.Event, w *warp, lane int) entry {
	x := accessClass{
		site: ev.Site, kind: abi.AccessStore, sem: abi.SemWeak, size: mbarrierBytes, scalar: mbarrierBytes, shared: true, reach: reachAll,
	}
	w.touched |= 1 << lane
	return entry{unit: w.unit, mask: 1 << lane, at: d.now, class: d.numberOf(x)}
}

// completeObject checks that the complete-tx operation of a lane's asynchronous operation follows the initialisation.
func (d *Detector) completeObject(ev *abi.Event, w *warp, lane int, b *mbarrier, u unit) {
	x := accessClass{
		site: ev.Site, kind: abi.AccessRMW, async: abi.AsyncSignals, sem: abi.SemRelaxed, scope: abi.ScopeCluster, strong: true,
		size: mbarrierBytes, scalar: mbarrierBytes, shared: true, reach: reachAll, completes: true,
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

// compareObjects reports a race of two accesses to an mbarrier unless the first is ordered before the second, which is by a lane or
// by an asynchronous operation that it has started.
func (d *Detector) compareObjects(w *warp, lane int, first, second *entry, addr uint64) {
	other := bits.TrailingZeros32(first.mask)
	if first.unit == w.unit && other == lane || w.of(lane).Includes(first.unit, other, first.at) {
		return
	}
	d.current.begin(d, w, second.unit, second.class)
	d.evidence.race(&finding{
		first: first.class, second: second.class, firstUnit: first.unit, secondUnit: second.unit,
		firstLane: uint8(other), secondLane: uint8(lane), at: addr, since: first.at,
	})
}
