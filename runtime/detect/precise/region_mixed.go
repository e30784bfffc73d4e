// Mixed regions of global memory: a launch stores to counters, and then updates them by atomic operations.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/deferred"
)

// A kernel often stores zeros to its counters, passes a barrier, and then updates the counters by relaxed atomic operations whose
// results no instruction reads. The weak stores settle the region. An atomic operation of this kind races with nothing if every
// access that the shadow has of its word precedes it in causality order. The journal takes such operations, as in a counting region,
// and the region counts as mixed. An access of any other kind to a line of the journal replays the journal and settles the region,
// which is not mixed again in the launch.

// tryMix is mix for the access of an event, and reports whether the access is of the kind that mixed regions defer and could be mixed.
func (d *Detector) tryMix(a *access, r *region, at *deferred.Addresses) bool {
	return a.Kind == abi.AccessRMW && a.ev.Wrote&a.ev.Mask == a.ev.Mask && d.mayMix(r, a.Class) && d.modeOf(a, r) == counting && d.mix(a, r, a.ev.Mask, at)
}

// mayMix reports whether a settled or mixed region may defer atomic operations of a class that mayCount.
func (d *Detector) mayMix(r *region, x *accesses.Class) bool {
	return d.tuning.takes(journals|mixedRegions) && (r.mode == mixed || r.mode == settled && !r.unmixed) && r.memory == d.global && x.Size == wordBytes && x.Reach == accesses.ReachAll &&
		d.evidence.Unheeded.Has(x.Site)
}

// mix makes a region mixed and adds the lines that the lanes in mask access to its counted lines, if all earlier accesses of their words
// precede the access. Otherwise it settles the region and returns false. The caller must add the access to the journal.
func (d *Detector) mix(a *access, r *region, mask uint32, at *deferred.Addresses) bool {
	for m := mask; m != 0; m &= m - 1 {
		if addr := at.Of(bits.TrailingZeros32(m)); !d.shadowPrecedes(a, d.line(d.global, addr), addr) {
			d.settle(r)
			r.unmixed = true
			return false
		}
	}
	if r.mode != mixed {
		r.mode, r.size, r.counted = mixed, wordBytes, new(deferred.CountedLines)
	}
	before := r.counted.Bytes()
	for m := mask; m != 0; m &= m - 1 {
		r.counted.Add(uint32(at.Of(bits.TrailingZeros32(m))))
	}
	d.uses(r.counted.Bytes() - before)
	return true
}

// shadowPrecedes reports whether every access that the shadow has of a word precedes access a in causality order. It returns false, too,
// if the line has anything but histories of weak accesses, or if a follows only some lanes of an earlier warp.
func (d *Detector) shadowPrecedes(a *access, l *line, addr uint64) bool {
	h := &l.whole
	switch {
	case l.synced != nil || l.compact != nil:
		return false
	case l.words != nil:
		h = &l.words[addr%lineBytes/wordBytes]
	}
	if m := h.more; m != nil && (m.bytes != nil || m.writes.tally != nil || m.reads.tally != nil) {
		return false
	}
	precedes := func(e *entry) bool { return e.mask == 0 || d.allPrecede(a, e, &d.classes[e.class]) }
	return h.logs(false).all(precedes) && h.logs(true).all(precedes)
}
