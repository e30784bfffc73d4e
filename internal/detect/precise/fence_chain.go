// Strong accesses and fence.sc: those before an access, those that the next one follows because of it; and, first,
// fences before the writes of a chain of atomic operations.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// Suppose that the scopes of all strong operations of a program include all threads. Whoever reads a location then
// observes the releases of the latest strong write and of the atomic operations since, and acquires them by its next
// fence.sc. If these releases are those of fence.sc, and no barrier has passed on others to the writers, they include
// the Fence-SC order of these writes for every reader, and records of the fences before the writes would only repeat
// them: the location is chained. When the chain ends, or has another release, the releases become records.

// chains reports whether there may be chained locations.
func (d *Detector) chains() bool { return d.wide && d.model.fenceSC }

// beginChain says that the location's releases are those of the write that follows.
func (loc *location) beginChain(d *Detector) {
	loc.endChain(d)
	loc.releases, loc.chained = releases{}, d.chains()
}

// endChain makes records of the fences before the writes of a chain. The caller must reset the releases.
func (loc *location) endChain(d *Detector) {
	if loc.chained && !loc.releases.none() {
		loc.writes.addReleases(d, &loc.releases)
	}
	loc.chained = false
}

// continueChain ends a chain, but not the releases, if a write that releases by (nil for nothing) does not only add
// what the writer's latest fence.sc releases.
func (loc *location) continueChain(d *Detector, f *fences, by *release) {
	switch {
	case !loc.chained, f == nil && (by == nil || by.isNone()), f != nil && f.inherited.isNone() && by == f.sc:
		return
	case !loc.releases.none():
		before := loc.releases.clone()
		loc.writes.addReleases(d, &before)
	}
	loc.chained = false
}

// followChain makes the next fence.sc of a lane follow the fences before the writes of a chain that the lane does not
// observe.
func (d *Detector) followChain(a *access, loc *location, lane int) {
	if loc.releases.none() {
		return
	}
	if before := loc.releases.acquiredBy(d, a.warp, lane); before != (acquired{}) {
		a.warp.pendingFor(lane).after.merge(&d.merges, &before)
	}
}

// addReleases adds releases, which the caller must not use any more, to the records that are joined.
func (o *fenceOrder) addReleases(d *Detector, h *releases) {
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
func (h *releases) clone() releases {
	out := *h
	if h.older != nil {
		m := *h.older
		out.older = &m
	}
	return out
}

// addAllOf adds other releases.
func (h *releases) addAllOf(d *Detector, o *releases) {
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
func (m *olderReleases) addJoined(d *Detector, o *olderReleases) {
	m.acquirer, m.asked = 0, false
	m.any, m.all = order.Merge(m.any, o.any), o.all.after(d, m.all)
}

// recordFenceSC records the fence.sc that precede a strong access of lanes with the same fences: their own, and those
// that barriers have passed on.
func (d *Detector) recordFenceSC(a *access, s *shadow, l *line, addr uint64, loc *location, lanes uint32, writes bool) {
	f := a.warp.pendingOf(bits.TrailingZeros32(lanes)).fences
	if f == nil || writes && loc.chained || f.sc.isNone() && f.inherited.isNone() {
		return
	}
	if loc == nil {
		loc = l.location(d, s, addr, uint64(a.Scalar))
	}
	to := &loc.reads
	if writes {
		to = &loc.writes
	}
	for n := (fenceRecord{fences: f, unit: a.warp.unit, within: a.Reach}); lanes != 0; lanes &^= n.lanes {
		if n.lanes = lanes; !to.latest.isAlike(&n) {
			n.lanes = lanes & -lanes
		}
		if to.record(d, n) {
			loc.version++
		}
	}
}

// followFenceSC makes the fence.sc before earlier conflicting accesses precede, in Fence-SC order, the next fence.sc of
// lanes: in the opposite order, the accesses would have happened the other way round.
func (d *Detector) followFenceSC(a *access, loc *location, lanes uint32, writes bool) {
	d.follow(a, &loc.writes, lanes)
	if writes {
		d.follow(a, &loc.reads, lanes)
	}
}

// follow makes the next fence.sc of lanes follow those in o.
func (d *Detector) follow(a *access, o *fenceOrder, lanes uint32) {
	if o.none() {
		return
	}
	before := o.acquiredBy(d, a.warp, bits.TrailingZeros32(lanes))
	clear(before[a.Reach+1:])
	if before != (acquired{}) {
		a.warp.pendingTogether(lanes, a.ev.Live).after.merge(&d.merges, &before)
	}
}
