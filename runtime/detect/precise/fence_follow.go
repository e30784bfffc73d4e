// Strong accesses: the fence.sc before them, and those that the next fence.sc follows because of them.

package precise

import "math/bits"

// recordFenceSC records the fence.sc that precede a strong access of lanes with the same fences: their own, and those that barriers have
// passed on.
func (d *Detector) recordFenceSC(a *access, s *shadow, l *line, addr uint64, loc *location, lanes uint32, writes bool) {
	f := a.warp.pendingOf(bits.TrailingZeros32(lanes)).fences
	if f == nil || writes && loc.chained || f.sc.isNone() && f.inherited.isNone() {
		return
	}
	if loc == nil {
		loc = l.location(d, s, addr, uint64(a.scalar))
	}
	to := &loc.reads
	if writes {
		to = &loc.writes
	}
	for n := (fenceRecord{fences: f, unit: a.warp.unit, within: a.reach}); lanes != 0; lanes &^= n.lanes {
		if n.lanes = lanes; !to.latest.isAlike(&n) {
			n.lanes = lanes & -lanes
		}
		if to.record(d, n) {
			loc.version++
		}
	}
}

// followFenceSC makes the fence.sc before earlier conflicting accesses precede, in Fence-SC order, the next fence.sc of lanes: in
// the opposite order, the accesses would have happened the other way round.
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
	clear(before[a.reach+1:])
	if before != (acquired{}) {
		a.warp.pendingTogether(lanes, a.ev.Live).after.merge(&d.merges, &before)
	}
}
