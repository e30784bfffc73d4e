// Strong reads of one scalar by several lanes with the same state, handled once for all of them.

package causality

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Before returns the lanes in mask up to, and without, the first that is in others.
func Before(mask, others uint32) uint32 {
	others &= mask
	return mask & (others&-others - 1)
}

// LikeFirst returns the first lane in mask, and the lanes after it up to the first with another clock or pending state.
func (w *Warp) LikeFirst(mask uint32) (like uint32) {
	apart := w.Apart
	if w.Pending != nil {
		apart |= w.Pending.Apart
	}
	if mask&-mask&apart == 0 {
		return Before(mask, apart)
	}
	lane := bits.TrailingZeros32(mask)
	c, has := w.Of(lane), w.PendingOf(lane)
	for m := mask; m != 0; m &= m - 1 {
		if lane = bits.TrailingZeros32(m); w.Of(lane) != c || *w.PendingOf(lane) != *has {
			break
		}
		like |= m & -m
	}
	return like
}

// Authors returns the lanes of a unit that have written at a location or own some of its state.
func (loc *Location) Authors(u unit) (lanes uint32) {
	lanes = loc.Writer.In(u) | loc.Releases.authors(u) | loc.Writes.Latest.in(u)
	before := loc.Writes.older()
	for i := range before.list {
		lanes |= before.list[i].in(u)
	}
	if before.rest != nil {
		lanes |= before.rest.authors(u)
	}
	return lanes
}

// authors returns the lanes of a unit that have made releases.
func (h *Releases) authors(u unit) (lanes uint32) {
	lanes = h.latest.In(u)
	if h.older != nil {
		for i := range h.older.recent[:h.older.recents] {
			lanes |= h.older.recent[i].In(u)
		}
	}
	return lanes
}

// pendingTogether returns the pending state that lanes have in common, for callers that change it and then call spread.
func (w *Warp) pendingTogether(lanes, live uint32) *PendingSync {
	lane := bits.TrailingZeros32(lanes)
	if lanes&(lanes-1) == 0 {
		return w.PendingFor(lane)
	}
	if w.Pending == nil {
		w.Pending = new(Pendings)
	}
	p := w.Pending
	if live&^p.Apart&^lanes != 0 {
		return p.of(lane)
	}
	p.Rest = *w.PendingOf(lane)
	p.Apart &^= lanes
	return &p.Rest
}

// Observe adds what lanes with the same pending state have observed.
func (w *Warp) Observe(m *merges, lanes, live uint32, seen *Acquired) {
	w.pendingTogether(lanes, live).Seen.Merge(m, seen)
	w.Spread(lanes)
}

// Spread copies the pending state of the first lane to the others.
func (w *Warp) Spread(lanes uint32) {
	first := lanes & -lanes
	if lanes == first || w.Pending == nil || w.Pending.Apart&first == 0 {
		return
	}
	has := w.PendingOf(bits.TrailingZeros32(lanes))
	for m := lanes &^ first; m != 0; m &= m - 1 {
		*w.Pending.of(bits.TrailingZeros32(m)) = *has
	}
}

// IsOfOneAddress reports whether all lanes access one address. The test is conservative: false may mean unknown.
func IsOfOneAddress(x *abi.Access) bool {
	return x.Addr == nil && x.Step == 0 || x.Mask&^x.Same == x.Mask&-x.Mask
}
