package precise

import "math/bits"

// serials are the part of Fence-SC order that barriers pass on. A fence.sc that precedes
// a strong access in base causality order, perhaps that of another thread behind a
// barrier, precedes every fence.sc that a later conflicting access precedes, or else the
// accesses would have happened the other way round.
type serials struct {
	before observed // released by fence.sc that precede the thread, by their reach
	after  observed // as pending.after
}

func (s *serials) merge(m *merges, t serials) {
	s.before.merge(m, t.before)
	s.after.merge(m, t.after)
}

// serials is what the lanes in mask pass on at a barrier.
func (d *Detector) serials(w *warp, mask uint32) serials {
	var s serials
	if w.pending == nil {
		return s
	}
	for mask != 0 {
		p, same := w.alike(mask)
		if mask &^= same; p == nil {
			continue
		}
		for r, f := range p.serial {
			if f.at != 0 {
				s.before[r] = d.merges.merge(s.before[r], f.clock.with(knowUnit(w.unit, same, f.at)))
			}
		}
		s.merge(&d.merges, serials{p.inherited, p.after})
	}
	return s
}

// alike is what is pending for the first lane in mask, and the lanes that share it.
func (w *warp) alike(mask uint32) (p *pending, same uint32) {
	p = w.pending[bits.TrailingZeros32(mask)]
	for m := mask; m != 0; m &= m - 1 {
		if lane := bits.TrailingZeros32(m); w.pending[lane] == p {
			same |= 1 << lane
		}
	}
	return p, same
}

// inherit makes the lanes in mask, which have passed a barrier, go on with what all have
// brought to it: their own is part of it.
func (d *Detector) inherit(w *warp, mask uint32, s serials) {
	if s == (serials{}) {
		return
	}
	if w.pending == nil {
		w.pending = new([radix]*pending)
	}
	for mask != 0 {
		old, same := w.alike(mask)
		mask &^= same
		p := new(pending)
		if old != nil {
			*p = *old
		}
		p.serial = [reaches]snapshot{}
		p.inherited.merge(&d.merges, s.before)
		p.after.merge(&d.merges, s.after)
		if old != nil && *p == *old {
			continue
		}
		for ; same != 0; same &= same - 1 {
			w.pending[bits.TrailingZeros32(same)] = p
		}
	}
}

// inheritedBefore notes the fence.sc of other threads that precede a strong access of a
// lane by barriers, as serialBefore does those of its own.
func (d *Detector) inheritedBefore(a *access, loc *location, to *heads, inherited observed) {
	for r, c := range inherited {
		if within := min(reach(r), a.reach); c != nil && !to.holds(&d.merges, within, a.warp, c) {
			loc.version++
			to.add(within, a.warp, c)
		}
	}
}

// holds reports whether a clock is among the heads of that reach.
func (h *heads) holds(m *merges, r reach, w *warp, c *clock) bool {
	knows := func(known *clock) bool { return known != nil && m.merge(known, c) == known }
	return knows(h.blocks[w.home.number]) && (r < reachCluster || knows(h.clusters[w.clusterKey()])) && (r < reachAll || knows(h.all))
}
