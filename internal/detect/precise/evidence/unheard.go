// Evidence from arrivals: at mbarriers, those that a wait does not observe because a scope is too narrow; at the end,
// those without a wait, and warp-level barriers.

package evidence

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// unheard is a release by an arrival at an mbarrier that lanes do not acquire although they have waited for the phase,
// because the scope of the wait, or of the arrival, is too narrow.
type unheard struct {
	fenceMark // the time when the lanes passed the wait, and the site of the arrival or wait with the narrow scope
	side      narrowSide
	unit      unit
	mask      uint32
	released  *clock // clock of the release
}

// maxUnheard is the number of them kept for each block.
const maxUnheard = 64

// NoteUnheard records that a lane has passed a wait without acquiring a clock.
func (e *synchronisation) NoteUnheard(by unit, lane int, site uint32, side narrowSide, released *clock) {
	block := uint32(by >> radixBits)
	list := e.unheard[block]
	for i := range list {
		u := &list[i]
		if u.unit != by || u.site != site || u.side != side {
			continue
		}
		if u.at != e.Now() {
			u.mask, u.at = 0, e.Now()
		}
		u.mask |= 1 << lane
		u.released = order.Merge(u.released, released)
		return
	}
	if len(list) == maxUnheard {
		list = list[:copy(list, list[1:])]
	}
	e.unheard[block] = append(list, unheard{fenceMark{e.Now(), site}, side, by, 1 << lane, released})
}

// findUnheard returns the mbarrier operation whose narrow scope keeps the second thread from acquiring the first
// access, although it, or a thread before it, has waited for an arrival that releases it.
func (e *synchronisation) findUnheard(f *Finding) narrow {
	list := e.unheard[uint32(e.OwnerOf(f.SecondUnit)>>radixBits)]
	for i := len(list) - 1; i >= 0; i-- {
		u := &list[i]
		if u.at < f.Since || !u.released.Includes(f.FirstUnit, int(f.FirstLane), f.Since) {
			continue
		}
		lane := bits.TrailingZeros32(u.mask)
		if u.unit == e.OwnerOf(f.SecondUnit) && u.mask>>f.SecondLane&1 != 0 {
			lane = int(f.SecondLane)
		}
		if e.PrecedesCurrent(thread{Unit: u.unit, Lane: uint8(lane)}, u.at, int(f.SecondLane)) {
			return narrow{u.site, u.side, false}
		}
	}
	return narrow{}
}

// MarkArrival records for reports that lanes have arrived at a barrier without waiting.
func (e *synchronisation) MarkArrival(by unit, mask, site uint32) {
	marks := e.arrivals[by]
	if marks == nil {
		marks = new([radix]fenceMark)
		e.arrivals[by] = marks
	}
	for ; mask != 0; mask &= mask - 1 {
		marks[bits.TrailingZeros32(mask)] = fenceMark{e.Now(), site}
	}
}

// arrivalOf returns the latest arrival of the first thread that would order the accesses but for one defect: it comes
// before the access (early is true), or the second thread does not wait for it. It returns nil if there is none.
func (e *synchronisation) arrivalOf(f *Finding) (m *fenceMark, early bool) {
	marks := e.arrivals[f.FirstUnit]
	if marks == nil || marks[f.FirstLane].at == 0 {
		return nil, false
	}
	m = &marks[f.FirstLane]
	synchronised := func(at stamp) bool {
		return e.CurrentClock(int(f.SecondLane)).Includes(f.FirstUnit, int(f.FirstLane), at)
	}
	switch early = m.at < f.Since; {
	case early && synchronised(m.at), !early && !synchronised(1): // the thread has waited for no other arrival either
		return m, early
	}
	return nil, false
}

// electedArrival returns an arrival of another lane of the first thread's warp since its access, for which the second
// thread has waited: one lane arrives for its warp. It returns nil if there is none, or the first thread has arrived
// itself.
func (e *synchronisation) electedArrival(f *Finding) *fenceMark {
	marks, c := e.arrivals[f.FirstUnit], e.CurrentClock(int(f.SecondLane))
	if marks == nil || c == nil || marks[f.FirstLane].at >= f.Since {
		return nil
	}
	for lane := range marks {
		if m := &marks[lane]; m.at >= f.Since && c.Includes(f.FirstUnit, lane, m.at) {
			return m
		}
	}
	return nil
}

// arrivalSince returns the site of the latest arrival, since the first access, of the thread that made or started it; 0
// for none.
func (e *synchronisation) arrivalSince(f *Finding) uint32 {
	if marks := e.arrivals[e.OwnerOf(f.FirstUnit)]; marks != nil && marks[f.FirstLane].at >= f.Since {
		return marks[f.FirstLane].site
	}
	return 0
}

// warpSync records a bar.warp.sync, for reports.
type warpSync struct {
	fenceMark
	mask, live uint32
}
