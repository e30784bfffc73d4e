// Asynchronous operations that complete on mbarriers, also compared with the lives of these: initialisation and end.

package operations

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
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

// Landed handles an asynchronous operation that has written and completes on its mbarrier: threads in any block that
// wait for the phase observe its accesses.
func (d *State) Landed(ev *abi.Event) {
	w := d.WarpOf(ev)
	async := d.AsyncOf(w)
	if async == nil {
		return
	}
	b := d.MbarrierAt(w, ev.Signal)
	if b == nil {
		return
	}
	i := bits.TrailingZeros32(ev.Mask)
	if ev.Async == abi.AsyncTensor {
		d.signalled(b, ev.Phases>>i&1, w, i, w.Unit)
		d.tensorLanded(ev, w, b, i)
		return
	}
	if c := async.ends[asyncOp{ev.Op, i}]; c != nil {
		b.in(ev.Phases >> i & 1).AddAll(c)
	}
	units, ok := async.signals[ev.Op]
	if !ok {
		return
	}
	d.signalled(b, ev.Phases>>i&1, w, i, units[AsyncWrites])
	d.completeObject(ev, w, i, b, units[AsyncWrites])
	if r, reads := async.mapReads[asyncOp{ev.Op, i}]; reads {
		b.in(ev.Phases >> i & 1).AddAll((*clock)(nil).With(vclock.Threads(r.unit, 1<<i, r.at)))
		delete(async.mapReads, asyncOp{ev.Op, i})
	}
	b.in(ev.Phases >> i & 1).AddAll((*clock)(nil).With(completed(closedGroup{AsyncUnits: units, at: d.Now}, i, false)))
	d.Tick()
}

// objectEntry returns the access of a lane by mbarrier.init or mbarrier.inval.
func (d *State) objectEntry(ev *abi.Event, w *causality.Warp, lane int) accesses.Entry {
	x := accesses.Class{
		Site: d.Evidence.SiteOf(ev), Kind: abi.AccessStore, Sem: abi.SemWeak,
		Size: mbarrierBytes, Scalar: mbarrierBytes, Shared: true, Reach: accesses.ReachAll,
	}
	w.Touched |= 1 << lane
	return accesses.Entry{Unit: w.Unit, Mask: 1 << lane, At: d.Now, Class: d.Classes.NumberOf(x)}
}

// completeObject checks that the complete-tx operation of a lane's asynchronous operation follows the initialisation.
func (d *State) completeObject(ev *abi.Event, w *causality.Warp, lane int, b *mbarrier, u unit) {
	x := accesses.Class{
		Site: d.Evidence.SiteOf(ev), Kind: abi.AccessRMW, Async: abi.AsyncSignals, Sem: abi.SemRelaxed,
		Scope: abi.ScopeCluster, Strong: true, Size: mbarrierBytes, Scalar: mbarrierBytes, Shared: true,
		Reach: accesses.ReachAll, Completes: true,
	}
	done := accesses.Entry{Unit: u, Mask: 1 << lane, At: d.Now, Class: d.Classes.NumberOf(x)}
	if len(b.pending) == maxPending {
		b.pending = append(b.pending[:0], b.pending[maxPending/2:]...)
	}
	b.pending = append(b.pending, done)
	d.compareObjects(w, lane, &b.made, &done, ev.Signal)
}

// endObject checks that mbarrier.inval by a lane follows the operations that complete on the mbarrier.
func (d *State) endObject(ev *abi.Event, w *causality.Warp, lane int, b *mbarrier) {
	end := d.objectEntry(ev, w, lane)
	for i := range b.pending {
		d.compareObjects(w, lane, &b.pending[i], &end, ev.Addr[lane])
	}
}

// compareObjects reports a race of two accesses to an mbarrier unless the first is ordered before the second, which is
// by a lane or by an asynchronous operation that it has started.
func (d *State) compareObjects(w *causality.Warp, lane int, first, second *accesses.Entry, addr uint64) {
	other := bits.TrailingZeros32(first.Mask)
	if first.Unit == w.Unit && other == lane || w.Of(lane).Includes(first.Unit, other, first.At) {
		return
	}
	d.Current.Begin(d.Threads, w, second.Unit, second.Class)
	d.Evidence.Race(&evidence.Finding{
		First: first.Class, Second: second.Class, FirstUnit: first.Unit, SecondUnit: second.Unit,
		FirstLane: uint8(other), SecondLane: uint8(lane), At: addr, Since: first.At,
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

// noteArrivals records the arrivals of lanes with block scope in another block than the one that initialised the
// mbarrier. Reports name them.
func (b *mbarrier) noteArrivals(d *State, ev *abi.Event, w *causality.Warp, lanes uint32) {
	if d.mbarrierReach(ev) != accesses.ReachBlock || d.Model.RelaxedOrders || ev.Sem == abi.SemRelaxed ||
		w.Block() == b.home {
		return
	}
	list := &b.narrow[ev.Phases>>bits.TrailingZeros32(lanes)&1]
	for m := lanes; m != 0 && len(*list) < maxNarrowArrivals; m &= m - 1 {
		c := d.MetBy(w.All(m&-m), vclock.Threads(w.Unit, m&-m, d.Now))
		*list = append(*list, narrowArrival{d.Evidence.SiteOf(ev), c})
	}
}

// noteUnheardBy records the releases of a phase that lanes do not acquire by their wait. wider are the clocks of
// releases at wider scopes than the wait has; the releases of narrow arrivals are in b.narrow. Reports name the wait or
// the arrival.
func (b *mbarrier) noteUnheardBy(d *State, ev *abi.Event, w *causality.Warp, lanes uint32, wider []*clock) {
	narrow := b.narrow[ev.Phases>>bits.TrailingZeros32(lanes)&1]
	for ; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros32(lanes)
		for _, c := range wider {
			if c != nil {
				d.Evidence.NoteUnheard(w.Unit, lane, d.Evidence.SiteOf(ev), evidence.NarrowWait, c)
			}
		}
		for _, a := range narrow {
			d.Evidence.NoteUnheard(w.Unit, lane, a.site, evidence.NarrowArrive, a.released)
		}
	}
}

// mapRead is the read of a tensor map by an operation that completes on an mbarrier.
type mapRead struct {
	unit unit
	at   stamp
}

// NoteMapRead records the read of a tensor map by an operation of a lane.
func (x *asyncState) NoteMapRead(a *causality.Access) {
	if x.mapReads == nil {
		x.mapReads = make(map[asyncOp]mapRead)
	}
	x.mapReads[asyncOp{a.Ev.Op, bits.TrailingZeros32(a.Ev.Mask)}] = mapRead{a.Unit, a.At}
}

// ScorCopied records the clocks of lanes that have started copies, which complete at once.
func (d *State) ScorCopied(ev *abi.Event, w *causality.Warp) {
	async := d.asyncFor(w)
	if async.ends == nil {
		async.ends = make(map[asyncOp]*clock)
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		async.ends[asyncOp{ev.Op, lane}] = d.MetBy(w.Of(lane), vclock.Threads(w.Unit, 1<<lane, d.Now))
	}
	w.Since = 0
	d.Tick()
}
