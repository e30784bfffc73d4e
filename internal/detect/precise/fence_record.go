// Records of the fence.sc that precede the strong accesses of a location.

package precise

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
)

// fenceRecord holds the fences of lanes of a warp, equal for all of them, before an access of a location; within is the
// reach of the access.
type fenceRecord struct {
	fences *fences // nil when there is none
	unit   unit    // of the lanes
	lanes  uint32
	within accesses.Reach
	// follows says that threads of all blocks follow the record, and that its first thread follows all earlier records.
	// Whoever reads this one can skip the earlier ones, except those of its own block, which it may follow by a fence
	// of narrower reach.
	follows bool
}

// in returns the lanes of a unit that have made the record, 0 for other units.
func (x *fenceRecord) in(u unit) uint32 {
	if x.unit != u {
		return 0
	}
	return x.lanes
}

// isAlike reports whether two records differ in their lanes only.
func (x *fenceRecord) isAlike(y *fenceRecord) bool {
	return x.fences == y.fences && x.unit == y.unit && x.within == y.within
}

// fenceOrder holds the fences of threads before their writes, or before their reads, of a location: the latest record,
// and earlier ones that it does not include.
type fenceOrder struct {
	latest fenceRecord
	more   *olderFences // nil if there are none
}

// olderFences holds the records before the latest.
type olderFences struct {
	list  []fenceRecord
	rest  *releases // join of the records before those; nil if there are none
	apart bool      // some access has joined the clocks of manyToLearn records of the list
}

// older returns the records before the latest, for callers that do not change them.
func (o *fenceOrder) older() *olderFences {
	if o.more == nil {
		return &noOlderFences
	}
	return o.more
}

var noOlderFences olderFences

// Limits on the list of older records of a location; records beyond them are joined into olderFences.rest. A separate
// record is cheap for a thread whose clock covers it, which one comparison of times shows. A thread whose clock does
// not cover several separate records has to join the clocks of all of them at each access, where the clock in rest is
// joined once.
const (
	manyToLearn     = 6 // records that a thread's clock did not cover, after which maxRecordsApart is the limit of the location
	maxRecordsApart = 2
	maxFollowed     = 32 // limit where a record follows those before it, so that most threads skip these
)

// none reports whether no thread has executed a fence before its access.
func (o *fenceOrder) none() bool { return o.latest.fences == nil && o.more == nil }

// record adds the fences of a thread, or of several if the latest record is alike, and reports whether they add
// anything.
func (o *fenceOrder) record(d *Detector, n fenceRecord) bool {
	switch {
	case o.latest.isAlike(&n):
		return o.addLanes(d, n.lanes)
	case o.none():
		n.follows = n.reachesAll(d)
		o.latest = n
		return true
	case o.latest.fences == nil && o.more.include(d, &n):
		return false
	case o.latest.fences == nil:
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

// addLanes adds lanes to the latest record, and reports whether they add anything.
func (o *fenceOrder) addLanes(d *Detector, lanes uint32) bool {
	x := &o.latest
	if lanes&^x.lanes == 0 {
		return false
	}
	x.lanes |= lanes
	if o.more != nil {
		o.more.list = slices.DeleteFunc(o.more.list, func(y fenceRecord) bool {
			return y.unit == x.unit &&
				x.includes(d, &y)
		})
	}
	return true
}

// include reports whether the older records include n.
func (o *olderFences) include(d *Detector, n *fenceRecord) bool {
	return slices.ContainsFunc(o.list, func(x fenceRecord) bool { return x.includes(d, n) }) ||
		o.rest != nil && o.rest.haveRecord(d, n)
}

// reachesAll reports whether threads of all blocks follow a record.
func (x *fenceRecord) reachesAll(d *Detector) bool {
	return x.within == accesses.ReachAll && !d.clustered && x.fences.sc[accesses.ReachAll].At != 0
}

// followedBy reports whether record n, which reaches all blocks, follows the existing ones.
func (o *fenceOrder) followedBy(n *fenceRecord) bool {
	if !n.implies(&o.latest) {
		return false
	}
	before := o.older()
	for i, follows := len(before.list)-1, o.latest.follows; !follows; i-- {
		if i < 0 {
			return before.rest == nil
		}
		if !n.implies(&before.list[i]) {
			return false
		}
		follows = before.list[i].follows
	}
	return true
}

// implies reports whether a thread that follows x, which reaches all blocks, follows the earlier record y as well.
func (x *fenceRecord) implies(y *fenceRecord) bool {
	return x.releases(x.fences.sc[accesses.ReachAll], y, y.fences.made)
}

// releases reports whether snapshot s, released by the threads of x, includes the threads of y up to a time.
func (x *fenceRecord) releases(s snapshot, y *fenceRecord, at stamp) bool {
	lanes := y.lanes
	if s.At >= at {
		lanes &^= x.in(y.unit)
	}
	return s.At != 0 && s.Clock.IncludesAll(y.unit, lanes, at)
}

// keep adds a record to the older ones.
func (o *olderFences) keep(d *Detector, x *fenceRecord) {
	most := d.tuning.fenceRecords
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

// sources returns the releases of a record.
func (x *fenceRecord) sources(d *Detector) (sc, inherited source) {
	f := x.fences
	byFences, byBarriers := f.sc, f.inherited
	if !byFences.reachesNoFurther(x.within) || !byBarriers.reachesNoFurther(x.within) {
		if f.narrow == nil {
			f.narrow = new(narrowFences)
		}
		byFences, byBarriers = f.sc.within(d, x.within, &f.narrow.sc),
			f.inherited.within(d, x.within, &f.narrow.inherited)
	}
	by := thread{Unit: x.unit, Lane: uint8(bits.TrailingZeros32(x.lanes))}
	if x.lanes&(x.lanes-1) != 0 {
		by, byFences = thread{Unit: x.unit, Lane: noLane}, byFences.of(d, x.unit, x.lanes)
	}
	return source{by, byFences}, source{thread{Unit: x.unit, Lane: noLane}, byBarriers}
}

// of returns the join of one release made by several lanes of a unit. It belongs to lane noLane.
func (f *release) of(d *Detector, u unit, lanes uint32) *release {
	if f.isNone() {
		return f
	}
	out := d.releases.Next()
	for r, s := range f {
		if s.At != 0 {
			out[r] = snapshot{Clock: d.merges.OfLanes(s, u, lanes), At: s.At}
		}
	}
	return out
}

// haveRecord reports whether the releases include a record.
func (h *releases) haveRecord(d *Detector, x *fenceRecord) bool {
	sc, inherited := x.sources(d)
	return h.have(d, &sc) && h.have(d, &inherited)
}

// have reports whether the releases include all of a source.
func (h *releases) have(d *Detector, s *source) bool {
	return s.by.isNone() || h.latest.by != nil && h.latest.covers(d, s) || h.older != nil && h.older.has(d, s)
}

// includes reports whether record x includes record y of the same block, for at least the same threads.
func (x *fenceRecord) includes(d *Detector, y *fenceRecord) bool {
	if x.unit>>radixBits != y.unit>>radixBits {
		return false
	}
	for _, f := range y.fences.sc {
		if f.At > x.fences.made {
			return false // y came later
		}
	}
	if x.releasesAll(y) {
		return true
	}
	for r, f := range y.fences.sc {
		if f.At != 0 && !x.releasesUpTo(min(accesses.Reach(r), y.within), y, f.At) {
			return false
		}
	}
	if x.fences.inherited == y.fences.inherited && x.within >= y.within {
		return true
	}
	for r, f := range y.fences.inherited {
		if f.At != 0 && !x.passesOn(d, min(accesses.Reach(r), y.within), f) {
			return false
		}
	}
	return true
}

// releasesAll reports whether x includes y, of the same block, because the releases of x include y's threads at the
// time of their fences. The test is conservative: false may mean unknown.
func (x *fenceRecord) releasesAll(y *fenceRecord) bool {
	r := y.within
	for r > 0 && y.fences.sc[r].At|y.fences.inherited[r].At == 0 {
		r--
	}
	for _, f := range y.fences.inherited {
		if f.Clock != nil && f.Clock.Fenced != nil {
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

// releasesUpTo reports whether the releases of x with that reach include the threads of y up to a time.
func (x *fenceRecord) releasesUpTo(r accesses.Reach, y *fenceRecord, at stamp) bool {
	if r > x.within {
		return false
	}
	for i := r; i < accesses.Reaches; i++ {
		if s := x.fences.inherited[i]; x.releases(x.fences.sc[i], y, at) ||
			s.At != 0 && s.Clock.IncludesAll(y.unit, y.lanes, at) {
			return true
		}
	}
	return false
}

// passesOn reports whether the releases of x with that reach include f, which barriers have passed on to another record
// of its block.
func (x *fenceRecord) passesOn(d *Detector, r accesses.Reach, f snapshot) bool {
	if r > x.within {
		return false
	}
	for i := r; i < accesses.Reaches; i++ {
		for _, s := range [...]snapshot{x.fences.sc[i], x.fences.inherited[i]} {
			if s.At != 0 && d.merges.Includes(s.Clock, f.Clock) {
				return true
			}
		}
	}
	return false
}

// acquiredBy returns what a lane of a warp acquires from the records beyond its own clock.
func (o *fenceOrder) acquiredBy(d *Detector, w *warp, lane int) (found acquired) {
	mine, learnt := w.of(lane), 0
	if o.latest.fences != nil {
		o.latest.acquiredBy(d, w, lane, mine, &found)
	}
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
	if before.rest != nil && (!d.absent.Barriers || !before.rest.knownTo(d, w, mine, &w.pendingOf(lane).seen)) {
		rest := before.rest.acquiredBy(d, w, lane)
		found.merge(&d.merges, &rest)
	}
	return found
}

// acquiredBy adds to found what a lane with clock mine acquires from a record, and reports whether the record had to be
// examined.
func (x *fenceRecord) acquiredBy(d *Detector, w *warp, lane int, mine *clock, found *acquired) bool {
	others := x.lanes &^ (thread{Unit: w.unit, Lane: uint8(lane)}).In(x.unit)
	if others == 0 || mine.IncludesAll(x.unit, others, x.fences.made) {
		return false
	}
	m, least, p := &d.merges, w.at.Least(&d.places[x.unit>>radixBits].Place), w.pendingOf(lane)
	to := d.kept(least)
	switch at := x.fences.made; {
	case least > x.within, found.includes(to, x.unit, others, at), p.after.includes(to, x.unit, others, at):
		return false
	case d.absent.Barriers && p.seen.includes(to, x.unit, others, at):
		return false // the next fence acquires it
	}
	inherits := x.fences.inherited != p.inherited()
	for r := least; r < accesses.Reaches; r++ {
		if f := x.fences.sc[r]; f.At != 0 && !mine.IncludesAll(x.unit, others, f.At) {
			found[to] = m.Merge(found[to], m.OfLanes(f, x.unit, x.lanes))
		}
		if f := x.fences.inherited[r]; inherits && f.At != 0 && !m.Includes(mine, f.Clock) {
			found[to] = m.Merge(found[to], f.Clock.Made(m))
		}
	}
	return true
}

// includes reports whether an operation of reach r acquires the accesses of lanes of a unit up to a time.
func (o *acquired) includes(r accesses.Reach, u unit, lanes uint32, at stamp) bool {
	for _, c := range o[:r+1] {
		if c.IncludesAll(u, lanes, at) {
			return true
		}
	}
	return false
}

// inherited returns what barriers have passed on to a lane.
func (p *pendingSync) inherited() *release {
	if p.fences == nil {
		return &nothingReleased
	}
	return p.fences.inherited
}
