// Strong accesses and fence.sc: those before an access, those that the next one follows because of it; and, first,
// fences before the writes of a chain of atomic operations.

package causality

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// Suppose that the scopes of all strong operations of a program include all threads. Whoever reads a location then
// observes the releases of the latest strong write and of the atomic operations since, and acquires them by its next
// fence.sc. If these releases are those of fence.sc, and no barrier has passed on others to the writers, they include
// the Fence-SC order of these writes for every reader, and records of the fences before the writes would only repeat
// them: the location is chained. When the chain ends, or has another release, the releases become records.

// Chains reports whether there may be chained locations.
func (d *Threads) Chains() bool { return d.wide && d.Model.FenceSC }

// beginChain says that the location's releases are those of the write that follows.
func (loc *Location) beginChain(d *Threads) {
	loc.EndChain(d)
	loc.Releases, loc.Chained = Releases{}, d.Chains()
}

// EndChain makes records of the fences before the writes of a chain. The caller must reset the releases.
func (loc *Location) EndChain(d *Threads) {
	if loc.Chained && !loc.Releases.None() {
		loc.Writes.addReleases(d, &loc.Releases)
	}
	loc.Chained = false
}

// continueChain ends a chain, but not the releases, if a write that releases by (nil for nothing) does not only add
// what the writer's latest fence.sc releases.
func (loc *Location) continueChain(d *Threads, f *Fences, by *release) {
	switch {
	case !loc.Chained, f == nil && (by == nil || by.IsNone()), f != nil && f.Inherited.IsNone() && by == f.Sc:
		return
	case !loc.Releases.None():
		before := loc.Releases.clone()
		loc.Writes.addReleases(d, &before)
	}
	loc.Chained = false
}

// FollowChain makes the next fence.sc of a lane follow the fences before the writes of a chain that the lane does not
// observe.
func (d *Threads) FollowChain(a *Access, loc *Location, lane int) {
	if loc.Releases.None() {
		return
	}
	if before := loc.Releases.AcquiredBy(d, a.Warp, lane); before != (Acquired{}) {
		a.Warp.PendingFor(lane).After.Merge(&d.Merges, &before)
	}
}

// addReleases adds releases, which the caller must not use any more, to the records that are joined.
func (o *fenceOrder) addReleases(d *Threads, h *Releases) {
	if o.more == nil {
		o.more = new(olderFences)
	}
	if o.more.rest != nil {
		o.more.rest.addAllOf(d, h)
		return
	}
	rest := *h
	o.more.rest = &rest
}

// clone returns a copy that may be changed independently, of releases that include all threads.
func (h *Releases) clone() Releases {
	out := *h
	if h.older != nil {
		m := *h.older
		out.older = &m
	}
	return out
}

// addAllOf adds other releases.
func (h *Releases) addAllOf(d *Threads, o *Releases) {
	if m := o.older; m != nil {
		h.olderReleases().addJoined(d, m)
		for i := range m.recent[:m.recents] {
			h.add(d, m.recent[i])
		}
	}
	if o.latest.by != nil {
		h.add(d, o.latest)
	}
}

// addJoined adds the join of other releases that include all threads.
func (m *olderReleases) addJoined(d *Threads, o *olderReleases) {
	m.acquirer, m.asked = 0, false
	m.any, m.all = order.Merge(m.any, o.any), o.all.after(d, m.all)
}

// FollowFenceSC makes the fence.sc before earlier conflicting accesses precede, in Fence-SC order, the next fence.sc of
// lanes: in the opposite order, the accesses would have happened the other way round.
func (d *Threads) FollowFenceSC(a *Access, loc *Location, lanes uint32, writes bool) {
	d.follow(a, &loc.Writes, lanes)
	if writes {
		d.follow(a, &loc.Reads, lanes)
	}
}

// follow makes the next fence.sc of lanes follow those in o.
func (d *Threads) follow(a *Access, o *fenceOrder, lanes uint32) {
	if o.None() {
		return
	}
	before := o.acquiredBy(d, a.Warp, bits.TrailingZeros32(lanes))
	clear(before[a.Reach+1:])
	if before != (Acquired{}) {
		a.Warp.pendingTogether(lanes, a.Ev.Live).After.Merge(&d.Merges, &before)
	}
}
