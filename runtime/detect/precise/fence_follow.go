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

// asker has what acquiredFrom depends on, for the records of other blocks: the block of the thread that asks, its clock, and what its next
// fence.sc follows already. The zero value is nobody.
type asker struct {
	block unit // number of the block
	clock *clock
	after acquired
}

// acquiredBy returns what a lane of a warp acquires from the records beyond its own clock.
func (o *fenceOrder) acquiredBy(d *Detector, w *warp, lane int) (found acquired) {
	mine, before := w.of(lane), o.older()
	switch k := (asker{w.unit >> radixBits, mine, w.pendingOf(lane).after}); {
	case mine == nil || o.more == nil || d.absent.Barriers: // without barriers, the result also depends on what the thread has observed
		o.acquiredFrom(d, w, lane, false, &found)
	case k == before.asker:
		found = before.found
	default:
		o.acquiredFrom(d, w, lane, false, &found)
		before.asker, before.found = k, found
	}
	o.acquiredFrom(d, w, lane, true, &found)
	if before.rest != nil && (!d.absent.Barriers || !before.rest.knownTo(d, w, mine, &w.pendingOf(lane).seen)) {
		rest := before.rest.acquiredBy(d, w, lane)
		found.merge(&d.merges, &rest)
	}
	return found
}

// acquiredFrom adds to found what a lane of a warp acquires, beyond its own clock, from the records of its own block, or from those of all
// others.
func (o *fenceOrder) acquiredFrom(d *Detector, w *warp, lane int, own bool, found *acquired) {
	mine, block, learnt := w.of(lane), w.unit>>radixBits, 0
	if x := &o.latest; x.fences != nil && own == (x.unit>>radixBits == block) {
		x.acquiredBy(d, w, lane, mine, found)
	}
	before := o.older()
	for i, follows := len(before.list)-1, o.latest.follows; i >= 0; i-- {
		x := &before.list[i]
		if own == (x.unit>>radixBits == block) && (own || !follows) && x.acquiredBy(d, w, lane, mine, found) {
			learnt++
		}
		follows = follows || x.follows
	}
	if learnt >= manyToLearn {
		o.more.apart = true
	}
}

// acquiredBy adds to found what a lane with clock mine acquires from a record, and reports whether the record had to be examined.
func (x *fenceRecord) acquiredBy(d *Detector, w *warp, lane int, mine *clock, found *acquired) bool {
	others := x.lanes &^ (thread{w.unit, uint8(lane)}).in(x.unit)
	if others == 0 || mine.includesAll(x.unit, others, x.fences.made) {
		return false
	}
	m, least, p := &d.merges, w.at.least(d.places[x.unit>>radixBits]), w.pendingOf(lane)
	to := d.kept(least)
	switch at := x.fences.made; {
	case least > x.within, found.includes(to, x.unit, others, at), p.after.includes(to, x.unit, others, at):
		return false
	case d.absent.Barriers && p.seen.includes(to, x.unit, others, at):
		return false // the next fence acquires it
	}
	inherits := x.fences.inherited != p.inherited()
	for r := least; r < reaches; r++ {
		if f := x.fences.sc[r]; f.at != 0 && !mine.includesAll(x.unit, others, f.at) {
			found[to] = m.merge(found[to], m.ofLanes(f, x.unit, x.lanes))
		}
		if f := x.fences.inherited[r]; inherits && f.at != 0 && !m.includes(mine, f.clock) {
			found[to] = m.merge(found[to], f.clock.made(m))
		}
	}
	return true
}

// includes reports whether an operation of reach r acquires the accesses of lanes of a unit up to a time.
func (o *acquired) includes(r reach, u unit, lanes uint32, at stamp) bool {
	for _, c := range o[:r+1] {
		if c.includesAll(u, lanes, at) {
			return true
		}
	}
	return false
}

// inherited returns what barriers have passed on to a lane.
func (p *pending) inherited() *release {
	if p.fences == nil {
		return &nothingReleased
	}
	return p.fences.inherited
}
