// Exited lanes at barriers with a count: they count together with the first live lane of their warp.

package emu

// remember records arrived lanes of a warp that do not wait, and may exit before the others arrive.
func (b *barrier) remember(w *warp, m lanes) {
	for len(b.passedBy) <= w.index {
		b.passedBy = append(b.passedBy, 0)
	}
	b.passedBy[w.index] |= m
}

// absent returns the lanes of a warp that have exited without arriving.
func (b *barrier) absent(w *warp) lanes {
	if w.index < len(b.passedBy) {
		return ^w.live &^ b.passedBy[w.index]
	}
	return ^w.live
}

// weight returns the number of threads that the lanes in m count as. At barriers with a count, the first live lane also counts
// for the lanes that hold no thread or have exited.
func (b *barrier) weight(w *warp, m lanes) int {
	n := m.count()
	if b.need != 0 && m.has(w.live.first()) {
		n += b.countAbsent(w)
	}
	return n
}

// countAbsent returns the number of lanes of a warp that have exited and have not been counted yet, and counts them.
func (b *barrier) countAbsent(w *warp) int {
	absent := b.absent(w)
	b.remember(w, absent)
	return absent.count()
}

// leave counts lanes of a warp that have exited after the first live lane arrived at a barrier with a count. It returns their
// number.
func (b *barrier) leave(w *warp) int {
	var arrived lanes
	if w.index < len(b.passedBy) {
		arrived = b.passedBy[w.index]
	}
	for _, g := range b.waiting {
		if g.warp == w {
			arrived |= g.mask
		}
	}
	if w.live != 0 && !arrived.has(w.live.first()) || arrived == 0 {
		return 0
	}
	n := b.countAbsent(w)
	b.arrived += n
	return n
}
