// Strong reads of one scalar by several lanes with the same state, handled once for all of them.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Lanes that wait for a lock or a flag read the same scalar with one instruction again and again. Usually their clocks,
// fences and observations are the same, so the read means the same for all of them, unless the location holds something
// of a lane itself.

// readersTogether returns the first lane in mask, and the lanes after it for which a strong access is a read of the
// same scalar with the same effect.
func (d *Detector) readersTogether(a *access, s *shadow, mask uint32) (lanes uint32) {
	first := mask & -mask
	if mask == first || a.ev.Ages != nil || !d.tuning.takes(readersAtOnce) || a.Kind == abi.AccessStore ||
		a.Size != a.Scalar || a.Sem.Acquires() || d.model.fencesOrder {
		return first
	}
	if a.Kind == abi.AccessRMW {
		if !a.ev.Valued || a.ev.Wrote&first != 0 {
			return first
		}
		mask = before(mask, a.ev.Wrote)
	}
	if lanes = sameAddress(a.ev, mask); lanes == first {
		return first
	}
	addr := a.ev.Addr[bits.TrailingZeros32(first)]
	loc := d.expanded(s, addr, uint64(a.Scalar)).find(addr, uint64(a.Scalar))
	if loc == nil {
		return first
	}
	if d.evidence.Warns() && !loc.synchronises {
		lanes = before(mask, ^lanes) // warnings depend on the reads of earlier lanes
	}
	lanes = before(a.warp.likeFirst(lanes), loc.authors(a.unit))
	return lanes | first
}

// before returns the lanes in mask up to, and without, the first that is in others.
func before(mask, others uint32) uint32 {
	others &= mask
	return mask & (others&-others - 1)
}

// likeFirst returns the first lane in mask, and the lanes after it up to the first with another clock or pending state.
func (w *warp) likeFirst(mask uint32) (like uint32) {
	apart := w.apart
	if w.pending != nil {
		apart |= w.pending.apart
	}
	if mask&-mask&apart == 0 {
		return before(mask, apart)
	}
	lane := bits.TrailingZeros32(mask)
	c, has := w.of(lane), w.pendingOf(lane)
	for m := mask; m != 0; m &= m - 1 {
		if lane = bits.TrailingZeros32(m); w.of(lane) != c || *w.pendingOf(lane) != *has {
			break
		}
		like |= m & -m
	}
	return like
}

// authors returns the lanes of a unit that have written at a location or own some of its state.
func (loc *location) authors(u unit) (lanes uint32) {
	lanes = loc.writer.In(u) | loc.releases.authors(u) | loc.writes.latest.in(u)
	before := loc.writes.older()
	for i := range before.list {
		lanes |= before.list[i].in(u)
	}
	if before.rest != nil {
		lanes |= before.rest.authors(u)
	}
	return lanes
}

// authors returns the lanes of a unit that have made releases.
func (h *releases) authors(u unit) (lanes uint32) {
	lanes = h.latest.In(u)
	if h.older != nil {
		for i := range h.older.recent[:h.older.recents] {
			lanes |= h.older.recent[i].In(u)
		}
	}
	return lanes
}

// pendingTogether returns the pending state that lanes have in common, for callers that change it and then call spread.
func (w *warp) pendingTogether(lanes, live uint32) *pendingSync {
	lane := bits.TrailingZeros32(lanes)
	if lanes&(lanes-1) == 0 {
		return w.pendingFor(lane)
	}
	if w.pending == nil {
		w.pending = new(pendings)
	}
	p := w.pending
	if live&^p.apart&^lanes != 0 {
		return p.of(lane)
	}
	p.rest = *w.pendingOf(lane)
	p.apart &^= lanes
	return &p.rest
}

// spread copies the pending state of the first lane to the others.
func (w *warp) spread(lanes uint32) {
	first := lanes & -lanes
	if lanes == first || w.pending == nil || w.pending.apart&first == 0 {
		return
	}
	has := w.pendingOf(bits.TrailingZeros32(lanes))
	for m := lanes &^ first; m != 0; m &= m - 1 {
		*w.pending.of(bits.TrailingZeros32(m)) = *has
	}
}

// isOfOneAddress reports whether all lanes access one address. The test is conservative: false may mean unknown.
func isOfOneAddress(x *abi.Access) bool {
	return x.Addr == nil && x.Step == 0 || x.Mask&^x.Same == x.Mask&-x.Mask
}
