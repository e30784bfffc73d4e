// Strong reads of one scalar by lanes of a warp, recorded together for warnings.

package evidence

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
)

// Lanes that read a word together often do so after a store, say of lane 0, to which nothing orders them. Each read
// deserves the same warning, which is counted, and the history keeps the reads of the last lanes. The result is that of
// one lane after the other.

// manyReaders is the number of lanes from which on their reads are recorded together, but for the first, which adds the
// warnings that the scalar has not had. The others fill the list.
const manyReaders = 1 + maxStrongAccesses

// recordReads records strong reads by lanes with the same clock.
func (e *Evidence) recordReads(a *Access, v *History, lanes uint32) {
	together := bits.OnesCount32(lanes) >= manyReaders
	for n := 0; lanes != 0; n++ {
		if together && n == 1 && e.warnTogether(a, v, lanes) {
			e.keepReads(a, v, lanes)
			return
		}
		e.recordStrongBy(a, v, bits.TrailingZeros32(lanes))
		lanes &= lanes - 1
	}
}

// warnTogether adds the warnings about earlier writes and reads by lanes, and reports whether it did: there are none,
// or all are about one write and like a known one.
func (e *Evidence) warnTogether(a *Access, v *History, lanes uint32) bool {
	var open *StrongAccess
	for i := range v.writes {
		if x := &v.writes[i]; e.isOpen(a, x, lanes) {
			if open != nil {
				return false
			}
			open = x
		}
	}
	if open == nil {
		return true
	}
	lanes &^= thread{Unit: open.Unit, Lane: open.Lane}.In(a.Unit)
	if a.By.ObservedSpan(open.At, lanes, a.Event.Addr[bits.TrailingZeros32(lanes)]).Has(open.At) {
		return false // some lanes may have observed it
	}
	e.replayDeferred() // may add warnings
	known := e.knownWarning(open.Class, a.Index, e.KindOf(open.Unit, a.Unit))
	return e.repeatTogether(v, known, bits.OnesCount32(lanes))
}

// isOpen reports whether write x and reads by lanes other than its own deserve warnings, unless the lanes have observed
// the write.
func (e *Evidence) isOpen(a *Access, x *StrongAccess, lanes uint32) bool {
	lanes &^= thread{Unit: x.Unit, Lane: x.Lane}.In(a.Unit)
	reach := e.classes.At(x.Class).Reach
	return lanes != 0 && !e.isBefore(a, x, bits.TrailingZeros32(lanes)) &&
		(reach == accesses.ReachAll && a.Reach == accesses.ReachAll ||
			accesses.Mutual(reach, e.PlaceOf(x.Unit), a.Reach, a.Place))
}

// keepReads makes the reads of the last lanes, of at least as many as are kept, those of a history.
func (e *Evidence) keepReads(a *Access, v *History, lanes uint32) {
	for bits.OnesCount32(lanes) > maxStrongAccesses {
		lanes &= lanes - 1
	}
	v.reads = v.reads[:0]
	for ; lanes != 0; lanes &= lanes - 1 {
		m := strongBy(a, bits.TrailingZeros32(lanes))
		v.reads = e.appendRecent(v.reads, &m)
	}
}
