// Fast path for strong accesses to words that no thread accesses otherwise, if observers acquire.

package precise

import "math/bits"

// fewAlike is the number of entries of a list up to which only the latest is looked at.
const fewAlike = 4

// tryAlike checks and records an access of one lane to a word all accesses of which are morally strong with it, so that there is no
// race, in a program in which observers acquire. It reports whether that is so, and otherwise changes nothing.
//
// A write subsumes what precedes it. Usually that is the latest write, and the read by its own thread. Writes between the read and the
// write of a thread are unordered with it, and may stay so: looking for each of them at every access, in vain, takes long.
func (d *Detector) tryAlike(a *access, h *history, mask uint32) bool {
	if !d.observersAcquire || !a.strong || a.code == 0 || mask&(mask-1) != 0 || a.unit != a.warp.unit || !d.lockSets.none() ||
		h.more != nil && (h.more.bytes != nil || h.more.writes.tally != nil) {
		return false
	}
	writes, reads := h.logs(false), h.logs(true)
	if !d.areAlike(a, writes) || !d.areAlike(a, reads) {
		return false
	}
	if a.writesHere = writes.size(); a.writes() {
		d.dropLatest(a, writes, mask)
		d.dropLatest(a, reads, mask)
	}
	d.enter(h, entry{unit: a.unit, mask: mask, at: a.at, class: a.index}, a)
	return true
}

// dropLatest drops the latest entry of a list if an access of one lane subsumes it. When the list has become twice as long as it was,
// it drops all such entries.
func (d *Detector) dropLatest(a *access, l logs, mask uint32) {
	n := l.size()
	switch {
	case n == 0:
		return
	case n == 1:
		if d.isToDrop(a, l.first, mask) {
			l.first.mask = 0
		}
		return
	case n > max(int(l.more.next), fewAlike):
		l.filter(func(e *entry) {
			if d.isToDrop(a, e, mask) {
				e.mask = 0
			}
		}, 0)
		l.more.next = uint32(2 * len(l.more.entries))
		return
	}
	if last := len(l.more.entries) - 1; d.isToDrop(a, &l.more.entries[last], mask) {
		l.more.entries = l.more.entries[:last]
	}
}

// isToDrop reports whether an access of one lane subsumes an entry, and the entry precedes it.
func (d *Detector) isToDrop(a *access, e *entry, mask uint32) bool {
	if !d.subsumes(a, e, &d.classes[e.class]) {
		return false
	}
	c := a.warp.of(bits.TrailingZeros32(mask))
	return e.unit == a.unit && e.mask == mask || c != nil && c.includesAll(e.unit, e.mask, e.at)
}
