// Evidence from arrivals: at mbarriers, those that a wait does not observe because a scope is too narrow; at the end, those
// without a wait, and warp-level barriers.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/order"
)

// unheard is a release by an arrival at an mbarrier that lanes do not acquire although they have waited for the phase, because
// the scope of the wait, or of the arrival, is too narrow.
type unheard struct {
	fenceMark // the time when the lanes passed the wait, and the site of the arrival or wait with the narrow scope
	side      narrowSide
	unit      unit
	mask      uint32
	released  *clock // clock of the release
}

// maxUnheard is the number of them kept for each block.
const maxUnheard = 64

// noteUnheard records that a lane has passed a wait without acquiring a clock.
func (e *evidence) noteUnheard(w *warp, lane int, site uint32, side narrowSide, released *clock) {
	list := e.unheard[w.home.number]
	for i := range list {
		u := &list[i]
		if u.unit != w.unit || u.site != site || u.side != side {
			continue
		}
		if u.at != e.time() {
			u.mask, u.at = 0, e.time()
		}
		u.mask |= 1 << lane
		u.released = order.Merge(u.released, released)
		return
	}
	if len(list) == maxUnheard {
		list = list[:copy(list, list[1:])]
	}
	e.unheard[w.home.number] = append(list, unheard{fenceMark{e.time(), site}, side, w.unit, 1 << lane, released})
}

// findUnheard returns the mbarrier operation whose narrow scope keeps the second thread from acquiring the first access, although
// it, or a thread before it, has waited for an arrival that releases it.
func (e *evidence) findUnheard(f *finding) narrow {
	list := e.unheard[uint32(e.ownerOf(f.secondUnit)>>radixBits)]
	for i := len(list) - 1; i >= 0; i-- {
		u := &list[i]
		if u.at < f.since || !u.released.Includes(f.firstUnit, int(f.firstLane), f.since) {
			continue
		}
		lane := bits.TrailingZeros32(u.mask)
		if u.unit == e.ownerOf(f.secondUnit) && u.mask>>f.secondLane&1 != 0 {
			lane = int(f.secondLane)
		}
		if e.precedesCurrent(&sighting{unit: u.unit, lanes: 1 << lane, at: u.at}, int(f.secondLane)) {
			return narrow{u.site, u.side, false}
		}
	}
	return narrow{}
}

// narrowArrival is an arrival with block scope at an mbarrier that another block initialised. Threads of that block that
// wait for the phase do not acquire its release.
type narrowArrival struct {
	site     uint32
	released *clock
}

// maxNarrowArrivals is the number of them kept for each phase.
const maxNarrowArrivals = 8

// noteArrival records an arrival with block scope by a thread of another block than the one that initialised the mbarrier.
// Reports name it.
func (b *mbarrier) noteArrival(d *Detector, ev *abi.Event, w *warp, lane int) {
	if mbarrierReach(ev) != reachBlock || d.model.relaxedOrders || ev.Sem == abi.SemRelaxed || w.home.number == b.home {
		return
	}
	p := ev.Phases >> lane & 1
	if list := b.narrow[p]; len(list) < maxNarrowArrivals {
		b.narrow[p] = append(list, narrowArrival{ev.Site, d.metBy(w.of(lane), vclock.Threads(w.unit, 1<<lane, d.now))})
	}
}

// noteUnheardBy records the releases of a phase that a lane does not acquire by its wait. wider are the clocks of releases at
// wider scopes than the wait has; the releases of narrow arrivals are in b.narrow. Reports name the wait or the arrival.
func (b *mbarrier) noteUnheardBy(d *Detector, ev *abi.Event, w *warp, lane int, wider []*clock) {
	for _, c := range wider {
		if c != nil {
			d.evidence.noteUnheard(w, lane, ev.Site, narrowWait, c)
		}
	}
	for _, a := range b.narrow[ev.Phases>>lane&1] {
		d.evidence.noteUnheard(w, lane, a.site, narrowArrive, a.released)
	}
}

// markArrival records for reports that lanes have arrived at a barrier without waiting.
func (e *evidence) markArrival(w *warp, mask, site uint32) {
	marks := e.arrivals[w.unit]
	if marks == nil {
		marks = new([radix]fenceMark)
		e.arrivals[w.unit] = marks
	}
	for ; mask != 0; mask &= mask - 1 {
		marks[bits.TrailingZeros32(mask)] = fenceMark{e.time(), site}
	}
}

// arrivalOf returns the latest arrival of the first thread that would order the accesses but for one defect: it comes before
// the access (early is true), or the second thread does not wait for it. It returns nil if there is none.
func (e *evidence) arrivalOf(f *finding) (m *fenceMark, early bool) {
	marks := e.arrivals[f.firstUnit]
	if marks == nil || marks[f.firstLane].at == 0 {
		return nil, false
	}
	m = &marks[f.firstLane]
	synchronised := func(at stamp) bool {
		return e.currentClock(int(f.secondLane)).Includes(f.firstUnit, int(f.firstLane), at)
	}
	switch early = m.at < f.since; {
	case early && synchronised(m.at), !early && !synchronised(1): // the thread has waited for no other arrival either
		return m, early
	}
	return nil, false
}

// warpSync records a bar.warp.sync, for reports.
type warpSync struct {
	fenceMark
	mask, live uint32
}
