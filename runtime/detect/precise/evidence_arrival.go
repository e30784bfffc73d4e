// Evidence from arrivals at barriers and from warp-level barriers.

package precise

import "math/bits"

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
		return e.currentClock(int(f.secondLane)).includes(f.firstUnit, int(f.firstLane), at)
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
