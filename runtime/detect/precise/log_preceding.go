// Long lists of strong writes all of which precede an access: the next access need not look at them again.

package precise

import "math/bits"

// Words that threads change by atomic operations under a lock keep an entry for each thread, since a thread that observes the latest
// write need not have observed the one before. A weak read of such a word is compared with all of them. In causality order, what
// precedes an access precedes everything after that access. So the list keeps the latest read that all entries precede: a later read
// that is ordered after it looks at the entries added since then.

// preceding says that the first entries of a list of writes precede a read.
type preceding struct {
	count int
	last  stamp // of the last of these entries. Each strong write has its own, so that it tells whether entries have been dropped.
	unit  unit  // of the read
	lane  uint8
	at    stamp
}

// tryPreceded reports whether an access of one lane to a word is a weak read that all writes in a history precede. It compares the
// access with the writes in their order and stops at the first one that does not.
func (d *Detector) tryPreceded(a *access, h *history, mask uint32) bool {
	if h.more == nil || len(h.more.writes.entries) < d.tuning.preceding || !d.tuning.takes(precedingReads) || h.more.writes.same == 0 || mask&(mask-1) != 0 {
		return false
	}
	if a.Strong || a.Writes() || !a.IsPlain() || d.model.fencesOrder || !d.lockSets.none() {
		return false
	}
	lane, list, p := bits.TrailingZeros32(mask), h.more.writes.entries, h.more.writes.preceding
	if !d.precedesLane(a, &h.write, lane) {
		return false
	}
	from := 0
	if p != nil && p.count <= len(list) && list[p.count-1].at == p.last && d.followsRead(a, p, lane) {
		from = p.count
	}
	for i := from; i < len(list); i++ {
		if !d.precedesLane(a, &list[i], lane) {
			return false
		}
	}
	if p == nil {
		p = new(preceding)
		h.more.writes.preceding = p
	}
	*p = preceding{len(list), list[len(list)-1].at, a.unit, uint8(lane), a.at}
	return true
}

// precedesLane reports whether all lanes of an entry precede an access of a lane.
func (d *Detector) precedesLane(a *access, e *entry, lane int) bool {
	x := &d.classes[e.class]
	return d.allPrecede(a, e, x) || d.unordered(a, e, x, lane) == 0
}

// followsRead reports whether an access of a lane is ordered after a read.
func (d *Detector) followsRead(a *access, p *preceding, lane int) bool {
	if p.unit == a.unit && int(p.lane) == lane {
		return true
	}
	c := a.warp.of(lane)
	return c != nil && c.IncludesEager(p.unit, int(p.lane), p.at)
}
