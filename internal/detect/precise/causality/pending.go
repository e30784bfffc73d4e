// What lanes may release or acquire with later operations.

package causality

import (
	"math/bits"
)

// LikeBefore returns the lanes in mask, up to the first that differs, whose pending state is that which another lane
// had before.
func (p *Pendings) LikeBefore(mask uint32, before *PendingSync) (like uint32) {
	rest := p.Rest.passesOn(before) && p.Rest.Seen == before.Seen
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if q := &p.own[lane]; p.Apart>>lane&1 == 0 && !rest ||
			p.Apart>>lane&1 != 0 && (!q.passesOn(before) || q.Seen != before.Seen) {
			break
		}
		like |= 1 << lane
	}
	return like
}

// Learn sets what the lanes in mask have observed, and what their next fence.sc follows.
func (p *Pendings) Learn(mask, live uint32, seen, after Acquired) {
	if live&^p.Apart&^mask == 0 {
		p.Rest.Seen, p.Rest.After = seen, after
		mask &= p.Apart
	}
	for m := mask; m != 0; m &= m - 1 {
		q := p.of(bits.TrailingZeros32(m))
		q.Seen, q.After = seen, after
	}
}

// PendingSync is what a lane may release or acquire with later operations.
type PendingSync struct {
	Fences *Fences  // nil for none
	Seen   Acquired // observed by strong reads, but not acquired yet
	// after holds the releases of other threads' fence.sc that precede the lane's next fence.sc in Fence-SC order. If
	// there are no barriers, which pass that order on, it omits those that the lane acquires with what it has seen.
	After Acquired
	// passes holds what strong writes pass on without a fence, in the papers' model; nil for nothing.
	Passes *Acquired
	// The latest strong read since the latest fence. If the location has not changed, the same instruction acquires
	// nothing more.
	polled         *Location
	version, class uint32
}

// Pendings holds the pending state of the lanes of a warp, most of which usually share one.
type Pendings struct {
	own   [radix]PendingSync // for the lanes in apart
	Apart uint32
	Rest  PendingSync // for the other lanes
}

// PendingOf returns the pending state of a lane, for callers that do not change it.
func (w *Warp) PendingOf(lane int) *PendingSync {
	switch p := w.Pending; {
	case p == nil:
		return &nothingPending
	case p.Apart>>lane&1 != 0:
		return &p.own[lane]
	default:
		return &p.Rest
	}
}

var nothingPending PendingSync

// PendingFor returns the pending state of a lane, for callers that change it.
func (w *Warp) PendingFor(lane int) *PendingSync {
	if w.Pending == nil {
		w.Pending = new(Pendings)
	}
	return w.Pending.of(lane)
}

// of returns the pending state of a lane, which no longer shares that of the others.
func (p *Pendings) of(lane int) *PendingSync {
	if p.Apart>>lane&1 == 0 {
		p.own[lane] = p.Rest
		p.Apart |= 1 << lane
	}
	return &p.own[lane]
}

// Fenced reports whether a lane in mask has executed a fence, or has passed a barrier after another thread's fence.
func (w *Warp) Fenced(mask uint32) bool {
	if w.Pending == nil {
		return false
	}
	for mask != 0 {
		p, same := w.samePending(mask)
		if p.Fences != nil || p.Passes != nil {
			return true
		}
		mask &^= same
	}
	return false
}
