// What fence.sc precede the strong accesses of a location.

package precise

import (
	"math/bits"
	"slices"
)

// fenceRecord is what lanes of a warp, which had fenced the same, had fenced when they accessed a location, as far as the access
// reaches.
type fenceRecord struct {
	fences *fences // nil when there is none
	unit   unit    // of the threads
	lanes  uint32
	within reach
	// follows says that threads of all blocks follow the record, and the first of its threads all before it. Who looks at it need not
	// look at those before, but for those of its own block, which it may follow with a fence of less reach.
	follows bool
}

// newFenceRecord is the record of an access that reaches so far, by a thread that has fenced f.
func newFenceRecord(t thread, f *fences, within reach) fenceRecord {
	return fenceRecord{fences: f, unit: t.unit, lanes: 1 << t.lane, within: within}
}

// in is the lanes of a unit that have made the record, none for other units.
func (x *fenceRecord) in(u unit) uint32 {
	if x.unit != u {
		return 0
	}
	return x.lanes
}

// fenceOrder is what threads had fenced when they accessed a location, by writes or by reads: the latest,
// and those before that it does not include.
type fenceOrder struct {
	latest fenceRecord
	more   *olderFences // nil while there have been no others
}

// olderFences are those before the latest.
type olderFences struct {
	list  []fenceRecord
	rest  *releases // those before that; nil when that is all
	apart bool      // an access has joined the clocks of manyToLearn records of the list
}

// older is those before the latest, for callers that do not change them.
func (o *fenceOrder) older() *olderFences {
	if o.more == nil {
		return &noOlderFences
	}
	return o.more
}

var noOlderFences olderFences

// Limits on the list of older records of a location; records beyond them are joined into olderFences.rest. A separate record is
// cheap for a thread whose clock covers it, which one comparison of times shows. A thread whose clock does not cover several separate
// records has to join the clocks of all of them at each access, where the clock in rest is joined once.
const (
	manyToLearn     = 6 // records that a thread's clock did not cover, after which maxRecordsApart is the limit of the location
	maxRecordsApart = 2
	maxFollowed     = 32 // limit where a record follows those before it, so that most threads skip these
)

// maxFenceRecords is the limit of other locations.
var maxFenceRecords = 8

// none reports whether nobody has fenced anything.
func (o *fenceOrder) none() bool { return o.latest.fences == nil }

// record adds what a thread has fenced, and reports whether that is more than there was.
func (o *fenceOrder) record(d *Detector, n fenceRecord) bool {
	switch {
	case o.latest.fences == n.fences && o.latest.unit == n.unit && o.latest.within == n.within:
		return o.addLanes(d, n.lanes)
	case o.latest.fences == nil:
		n.follows = n.reachesAll(d)
		o.latest = n
		return true
	case o.latest.includes(d, &n), o.more != nil && o.more.include(d, &n):
		return false
	}
	if o.more != nil {
		o.more.list = slices.DeleteFunc(o.more.list, func(x fenceRecord) bool { return n.includes(d, &x) })
	}
	n.follows = n.reachesAll(d) && o.followedBy(&n)
	if !n.includes(d, &o.latest) {
		if o.more == nil {
			o.more = new(olderFences)
		}
		o.more.keep(d, &o.latest)
	}
	o.latest = n
	return true
}

// addLanes adds lanes to the latest record, and reports whether they are more than it has.
func (o *fenceOrder) addLanes(d *Detector, lanes uint32) bool {
	x := &o.latest
	if lanes&^x.lanes == 0 {
		return false
	}
	x.lanes |= lanes
	if o.more != nil {
		o.more.list = slices.DeleteFunc(o.more.list, func(y fenceRecord) bool { return y.unit == x.unit && x.includes(d, &y) })
	}
	return true
}

// include reports whether the older records include another one.
func (o *olderFences) include(d *Detector, n *fenceRecord) bool {
	return slices.ContainsFunc(o.list, func(x fenceRecord) bool { return x.includes(d, n) }) || o.rest != nil && o.rest.haveRecord(d, n)
}

// reachesAll reports whether threads of all blocks follow a record.
func (x *fenceRecord) reachesAll(d *Detector) bool {
	return x.within == reachAll && !d.clustered && x.fences.sc[reachAll].at != 0
}

// followedBy reports whether a record that reaches all follows those that there are.
func (o *fenceOrder) followedBy(n *fenceRecord) bool {
	if !n.knows(&o.latest) {
		return false
	}
	before := o.older()
	for i, follows := len(before.list)-1, o.latest.follows; !follows; i-- {
		if i < 0 {
			return before.rest == nil
		}
		if !n.knows(&before.list[i]) {
			return false
		}
		follows = before.list[i].follows
	}
	return true
}

// knows reports whether those who follow a record that reaches all know all of an earlier one.
func (x *fenceRecord) knows(y *fenceRecord) bool {
	return x.releases(x.fences.sc[reachAll], y, y.fences.made)
}

// releases reports whether what the threads of a record have released by a fence tells of all threads of another one up to a time.
func (x *fenceRecord) releases(s snapshot, y *fenceRecord, at stamp) bool {
	lanes := y.lanes
	if s.at >= at {
		lanes &^= x.in(y.unit)
	}
	return s.at != 0 && s.clock.knowsAll(y.unit, lanes, at)
}

// keep adds a record to the older ones.
func (o *olderFences) keep(d *Detector, x *fenceRecord) {
	most := maxFenceRecords
	if o.apart {
		most = maxRecordsApart
	}
	if x.follows || len(o.list) > 0 && o.list[len(o.list)-1].follows {
		most = maxFollowed
	}
	for len(o.list) >= most {
		if o.rest == nil {
			o.rest = new(releases)
		}
		sc, inherited := o.list[0].sources(d)
		o.rest.add(d, sc)
		o.rest.add(d, inherited)
		o.list = o.list[:copy(o.list, o.list[1:])]
	}
	o.list = append(o.list, *x)
}

// sources are the releases of a record.
func (x *fenceRecord) sources(d *Detector) (sc, inherited source) {
	f := x.fences
	byFences, byBarriers := f.sc, f.inherited
	if !byFences.reachesNoFurther(x.within) || !byBarriers.reachesNoFurther(x.within) {
		if f.narrow == nil {
			f.narrow = new(narrowFences)
		}
		byFences, byBarriers = f.sc.within(d, x.within, &f.narrow.sc), f.inherited.within(d, x.within, &f.narrow.inherited)
	}
	by := thread{x.unit, uint8(bits.TrailingZeros32(x.lanes))}
	if x.lanes&(x.lanes-1) != 0 {
		by, byFences = thread{x.unit, nobody}, byFences.of(d, x.unit, x.lanes)
	}
	return source{by, byFences}, source{thread{x.unit, nobody}, byBarriers}
}

// of is what lanes of a unit release together that have released the same: to nobody's account.
func (f *release) of(d *Detector, u unit, lanes uint32) *release {
	if f.isNone() {
		return f
	}
	out := d.releases.next()
	for r, s := range f {
		if s.at != 0 {
			out[r] = snapshot{d.merges.ofLanes(s, u, lanes), s.at}
		}
	}
	return out
}

// haveRecord reports whether a record has been released here, one way or another.
func (h *releases) haveRecord(d *Detector, x *fenceRecord) bool {
	sc, inherited := x.sources(d)
	return h.have(d, &sc) && h.have(d, &inherited)
}

// have reports whether all of a source has been released here, one way or another.
func (h *releases) have(d *Detector, s *source) bool {
	return s.by.isNone() || h.latest.by != nil && h.latest.covers(d, s) || h.older != nil && h.older.has(d, s)
}

// includes reports whether a record has all of another one of its block, for the same threads at least.
func (x *fenceRecord) includes(d *Detector, y *fenceRecord) bool {
	if x.unit>>radixBits != y.unit>>radixBits {
		return false
	}
	for _, f := range y.fences.sc {
		if f.at > x.fences.made {
			return false // it came later
		}
	}
	if x.tellsAll(y) {
		return true
	}
	for r, f := range y.fences.sc {
		if f.at != 0 && !x.tellsOf(min(reach(r), y.within), y, f.at) {
			return false
		}
	}
	if x.fences.inherited == y.fences.inherited && x.within >= y.within {
		return true
	}
	for r, f := range y.fences.inherited {
		if f.at != 0 && !x.passesOn(d, min(reach(r), y.within), f) {
			return false
		}
	}
	return true
}

// tellsAll reports whether a record includes another one of its block because what it has released knows the
// other's thread at the time of its fences. It may say no when the record includes the other one.
func (x *fenceRecord) tellsAll(y *fenceRecord) bool {
	r := y.within
	for r > 0 && y.fences.sc[r].at|y.fences.inherited[r].at == 0 {
		r--
	}
	for _, f := range y.fences.inherited {
		if f.clock != nil && f.clock.fenced != nil {
			return false
		}
	}
	if r > x.within {
		return false
	}
	for _, s := range x.fences.sc[r:] {
		if x.releases(s, y, y.fences.made) {
			return true
		}
	}
	return false
}

// tellsOf reports whether a record tells, with that reach, of the threads of another one up to a time.
func (x *fenceRecord) tellsOf(r reach, y *fenceRecord, at stamp) bool {
	if r > x.within {
		return false
	}
	for i := r; i < reaches; i++ {
		if s := x.fences.inherited[i]; x.releases(x.fences.sc[i], y, at) || s.at != 0 && s.clock.knowsAll(y.unit, y.lanes, at) {
			return true
		}
	}
	return false
}

// passesOn reports whether a record has, with that reach, what barriers have passed on to another one of its block.
func (x *fenceRecord) passesOn(d *Detector, r reach, f snapshot) bool {
	if r > x.within {
		return false
	}
	for i := r; i < reaches; i++ {
		for _, s := range [...]snapshot{x.fences.sc[i], x.fences.inherited[i]} {
			if s.at != 0 && d.merges.includes(s.clock, f.clock) {
				return true
			}
		}
	}
	return false
}

// acquiredBy is what a lane of a warp observes there that it does not know.
func (o *fenceOrder) acquiredBy(d *Detector, w *warp, lane int) (found acquired) {
	mine, learnt := w.of(lane), 0
	o.latest.acquiredBy(d, w, lane, mine, &found)
	block, follows := w.unit>>radixBits, o.latest.follows
	before := o.older()
	for i := len(before.list) - 1; i >= 0; i-- {
		x := &before.list[i]
		if (!follows || x.unit>>radixBits == block) && x.acquiredBy(d, w, lane, mine, &found) {
			learnt++
		}
		follows = follows || x.follows
	}
	if learnt >= manyToLearn {
		o.more.apart = true
	}
	if before.rest != nil {
		rest := before.rest.acquiredBy(d, w, lane)
		found.merge(&d.merges, &rest)
	}
	return found
}

// acquiredBy adds what a lane, which knows so much, observes of a record that it does not know, and reports whether that may be something.
func (x *fenceRecord) acquiredBy(d *Detector, w *warp, lane int, mine *clock, found *acquired) bool {
	others := x.lanes &^ (thread{w.unit, uint8(lane)}).in(x.unit)
	if others == 0 || mine.knowsAll(x.unit, others, x.fences.made) {
		return false
	}
	m, least, p := &d.merges, w.at.least(d.places[x.unit>>radixBits]), w.pendingOf(lane)
	if least > x.within || found.knows(least, x.unit, others, x.fences.made) || p.after.knows(least, x.unit, others, x.fences.made) {
		return false
	}
	inherits := x.fences.inherited != p.inherited()
	for r := least; r < reaches; r++ {
		if f := x.fences.sc[r]; f.at != 0 && !mine.knowsAll(x.unit, others, f.at) {
			found[least] = m.merge(found[least], m.ofLanes(f, x.unit, x.lanes))
		}
		if f := x.fences.inherited[r]; inherits && f.at != 0 && !m.includes(mine, f.clock) {
			found[least] = m.merge(found[least], f.clock.made(m))
		}
	}
	return true
}

// knows reports whether what has been observed, for an operation that reaches r, includes lanes of a unit up to a time.
func (o *acquired) knows(r reach, u unit, lanes uint32, at stamp) bool {
	for _, c := range o[:r+1] {
		if c.knowsAll(u, lanes, at) {
			return true
		}
	}
	return false
}

// inherited is what barriers have passed on to a lane.
func (p *pending) inherited() *release {
	if p.fences == nil {
		return &nothingReleased
	}
	return p.fences.inherited
}

// recordFenceSC notes the fence.sc that precede a strong access of a lane: its own, and
// those that barriers have passed on.
func (d *Detector) recordFenceSC(a *access, s *shadow, l *line, addr uint64, loc *location, lane int, writes bool) {
	f := a.warp.pendingOf(lane).fences
	if f == nil || f.sc.isNone() && f.inherited.isNone() {
		return
	}
	if loc == nil {
		loc = l.location(d, s, addr, uint64(a.scalar))
	}
	to := &loc.reads
	if writes {
		to = &loc.writes
	}
	if to.record(d, newFenceRecord(thread{a.warp.unit, uint8(lane)}, f, a.reach)) {
		loc.version++
	}
}

// followFenceSC notes the fence.sc before conflicting accesses: they precede the next ones of the
// lanes in Fence-SC order, or else the accesses would have happened the other way
// round.
func (d *Detector) followFenceSC(a *access, loc *location, lanes uint32, writes bool) {
	d.follow(a, &loc.writes, lanes)
	if writes {
		d.follow(a, &loc.reads, lanes)
	}
}

// follow notes fence.sc that the next ones of lanes follow.
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
