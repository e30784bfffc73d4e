// Arrivals at barriers, and warp-level barriers, as evidence.

package precise

import "math/bits"

// markArrival notes for reports that lanes have arrived somewhere and do not wait.
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

// arrivalOf is the latest arrival of the first thread, if that is between its access and a
// wait of the second thread, but for one thing: that it comes too early, before the access, or else that
// the second thread does not wait for it. It is nil otherwise.
func (e *evidence) arrivalOf(f *finding) (m *fenceMark, early bool) {
	marks := e.arrivals[f.firstUnit]
	if marks == nil || marks[f.firstLane].at == 0 {
		return nil, false
	}
	m = &marks[f.firstLane]
	knows := func(at stamp) bool {
		return e.currentClock(int(f.secondLane)).knows(f.firstUnit, int(f.firstLane), at)
	}
	switch early = m.at < f.since; {
	case early && knows(m.at), !early && !knows(1): // it has waited for no other one either
		return m, early
	}
	return nil, false
}

// warpSync is a bar.warp.sync, for reports.
type warpSync struct {
	fenceMark
	mask, live uint32
}
