// Fast path: decides a weak access by the latest write and the latest read of a location.

package precise

// orderedFast reports whether an entry is ordered before an access of the lanes in mask, as far as the lanes' program
// order and the warp's clock show it.
func (d *Detector) orderedFast(a *access, e *entry, mask uint32, shift int32, row bool) bool {
	x := &d.classes[e.class]
	switch {
	case a.Proxy != x.Proxy || a.unit != a.warp.unit:
		return false
	case e.unit != a.unit:
	case row && e.shift == shift && x.Size == a.Size, !row && e.mask == mask && mask&(mask-1) == 0:
		return true
	}
	return d.allPrecede(a, e, x)
}

// coversEntry reports whether an access by the lanes in mask touches every location of an entry that precedes it.
func (d *Detector) coversEntry(a *access, e *entry, mask uint32, shift int32, row bool) bool {
	return !row || d.classes[e.class].Size == a.Size && e.mask&^e.over(mask, shift) == 0
}

// over returns the lanes of an entry in a line's history that accessed an element which lanes in mask, whose entry has
// another shift, access as well.
func (e *entry) over(mask uint32, shift int32) uint32 {
	if by := e.shift - shift; by >= 0 {
		return mask >> by
	}
	return mask << (shift - e.shift)
}

// tryFast checks and records a weak access that is ordered after everything in a history. It reports whether the access
// is one, and otherwise changes nothing.
func (d *Detector) tryFast(a *access, h *history, mask uint32, shift int32, row bool) bool {
	if a.Strong || h.more != nil && !h.more.readsOnly() || !d.lockSets.none() || !d.tuning.takes(latestOnly) {
		return false
	}
	if e := &h.write; e.mask != 0 && !d.orderedFast(a, e, mask, shift, row) {
		return false
	}
	if !a.Writes() {
		return d.tryFastRead(a, h, mask, shift, row)
	}
	if h.more != nil && len(h.more.reads.entries) > 0 {
		return false
	}
	if e := &h.write; e.mask != 0 && (!d.coversEntry(a, e, mask, shift, row) ||
		!d.subsumes(a, e, &d.classes[e.class])) {
		return false
	}
	if e := &h.read; e.mask != 0 && (!d.orderedFast(a, e, mask, shift, row) || !d.coversEntry(a, e, mask, shift, row)) {
		return false
	}
	h.read.mask = 0
	h.write = entry{unit: a.unit, mask: mask, at: a.at, class: a.index, shift: shift}
	return true
}

// readsOnly reports whether the further entries are all reads.
func (m *more) readsOnly() bool { return m.bytes == nil && len(m.writes.entries) == 0 }

// tryFastRead records a weak read that is ordered after all writes.
func (d *Detector) tryFastRead(a *access, h *history, mask uint32, shift int32, row bool) bool {
	e := entry{unit: a.unit, mask: mask, at: a.at, class: a.index, shift: shift}
	if h.read.replaced(&e) {
		return true
	}
	if r := &h.read; r.mask == 0 || !d.classes[r.class].Strong && d.orderedFast(a, r, mask, shift, row) &&
		d.coversEntry(a, r, mask, shift, row) {
		*r = e
		return true
	}
	if h.more != nil && len(h.more.reads.entries) > 0 &&
		h.more.reads.entries[len(h.more.reads.entries)-1].replaced(&e) {
		return true
	}
	d.enter(h, e, a)
	return true
}

// replaced extends an entry by a later read, and reports whether it could: the read is of the same instruction and
// lanes, or by more lanes at the same time.
func (e *entry) replaced(later *entry) bool {
	if e.unit != later.unit || e.class != later.class || e.shift != later.shift || e.mask == 0 {
		return false
	}
	if e.at != later.at && e.mask&^later.mask != 0 {
		return false
	}
	e.mask |= later.mask
	e.at = later.at
	return true
}
