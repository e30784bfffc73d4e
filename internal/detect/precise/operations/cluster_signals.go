// What arrivals at mbarriers tell other blocks of the cluster: that blocks have started, and which operations are
// complete.

package operations

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// signal is an operation of a thread on an mbarrier at an address.
type signal struct {
	by thread
	at uint64
}

// arrivals is what the arrivals in a phase of an mbarrier, and in those before, tell the threads that wait for it,
// whatever their semantics and scope.
type arrivals struct {
	ranks uint32           // of blocks that have started
	by    map[thread]stamp // of other blocks
}

func (a *arrivals) add(t thread, at stamp) {
	if a.by == nil {
		a.by = make(map[thread]stamp)
	}
	a.by[t] = max(a.by[t], at)
}

// merge adds other arrivals, and empties them.
func (a *arrivals) merge(x *arrivals) {
	a.ranks |= x.ranks
	for t, at := range x.by {
		a.add(t, at)
	}
	clear(x.by)
}

// signalled adds what an operation of a lane on an mbarrier tells: an arrival, of the lane's warp u, or the completion
// of an asynchronous operation u, which says nothing of what else its thread has done.
func (d *State) signalled(b *mbarrier, parity uint32, w *causality.Warp, lane int, u unit) {
	if !d.TracksLives() {
		return
	}
	b.in(parity)
	a := &b.arrivals[parity]
	a.ranks |= d.livesOf(w).started[lane]
	if w.Block() != b.home {
		a.add(thread{Unit: u, Lane: uint8(lane)}, d.Now)
	}
}

// learnsArrivals makes lanes that have waited for a phase of an mbarrier, at an address, learn what the arrivals tell.
func (d *State) learnsArrivals(b *mbarrier, at uint64, parity uint32, w *causality.Warp, lanes uint32) {
	if !d.TracksLives() {
		return
	}
	a := &b.arrivals[parity]
	if b.parity == parity { // the next phase has no arrival yet
		a.merge(&b.arrivals[parity^1])
	}
	d.learnsStarts(w, lanes, a.ranks)
	life := d.livesOf(w).of
	for t, when := range a.by {
		life.heard[t] = max(life.heard[t], when)
		s := signal{t, at}
		life.joined[s] = max(life.joined[s], when)
	}
	clear(a.by)
}

// Transacted handles mbarrier.expect_tx and complete_tx.
func (d *State) Transacted(ev *abi.Event) {
	w := d.WarpAt(ev)
	for m := ev.Mask; m != 0 && d.TracksLives(); m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if b := d.MbarrierAt(w, ev.Addr[i]); b != nil {
			d.signalled(b, ev.Phases>>i&1, w, i, w.Unit)
		}
	}
}
