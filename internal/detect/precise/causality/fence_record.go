// Records of the fence.sc that precede the strong accesses of a location.

package causality

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
)

// FenceRecord holds the fences of lanes of a warp, equal for all of them, before an access of a location; within is the
// reach of the access.
type FenceRecord struct {
	Fences *Fences // nil when there is none
	Unit   unit    // of the lanes
	Lanes  uint32
	Within accesses.Reach
	// follows says that threads of all blocks follow the record, and that its first thread follows all earlier records.
	// Whoever reads this one can skip the earlier ones, except those of its own block, which it may follow by a fence
	// of narrower reach.
	follows bool
}

// in returns the lanes of a unit that have made the record, 0 for other units.
func (x *FenceRecord) in(u unit) uint32 {
	if x.Unit != u {
		return 0
	}
	return x.Lanes
}

// IsAlike reports whether two records differ in their lanes only.
func (x *FenceRecord) IsAlike(y *FenceRecord) bool {
	return x.Fences == y.Fences && x.Unit == y.Unit && x.Within == y.Within
}

// fenceOrder holds the fences of threads before their writes, or before their reads, of a location: the latest record,
// and earlier ones that it does not include.
type fenceOrder struct {
	Latest FenceRecord
	more   *olderFences // nil if there are none
}

// olderFences holds the records before the latest.
type olderFences struct {
	list  []FenceRecord
	rest  *Releases // join of the records before those; nil if there are none
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

// Limits on the list of older records of a location; records beyond them are joined into OlderFences.rest. A separate
// record is cheap for a thread whose clock covers it, which one comparison of times shows. A thread whose clock does
// not cover several separate records has to join the clocks of all of them at each access, where the clock in rest is
// joined once.
const (
	manyToLearn     = 6 // records that a thread's clock did not cover, after which maxRecordsApart is the limit of the location
	maxRecordsApart = 2
	maxFollowed     = 32 // limit where a record follows those before it, so that most threads skip these
)

// None reports whether no thread has executed a fence before its access.
func (o *fenceOrder) None() bool { return o.Latest.Fences == nil && o.more == nil }

// Record adds the fences of a thread, or of several if the latest record is alike, and reports whether they add
// anything.
func (o *fenceOrder) Record(d *Threads, n FenceRecord) bool {
	switch {
	case o.Latest.IsAlike(&n):
		return o.addLanes(d, n.Lanes)
	case o.None():
		n.follows = n.reachesAll(d)
		o.Latest = n
		return true
	case o.Latest.Fences == nil && o.more.include(d, &n):
		return false
	case o.Latest.Fences == nil:
		o.Latest = n
		return true
	case o.Latest.includes(d, &n), o.more != nil && o.more.include(d, &n):
		return false
	}
	if o.more != nil {
		o.more.list = slices.DeleteFunc(o.more.list, func(x FenceRecord) bool { return n.includes(d, &x) })
	}
	n.follows = n.reachesAll(d) && o.followedBy(&n)
	if !n.includes(d, &o.Latest) {
		if o.more == nil {
			o.more = new(olderFences)
		}
		o.more.keep(d, &o.Latest)
	}
	o.Latest = n
	return true
}

// addLanes adds lanes to the latest record, and reports whether they add anything.
func (o *fenceOrder) addLanes(d *Threads, lanes uint32) bool {
	x := &o.Latest
	if lanes&^x.Lanes == 0 {
		return false
	}
	x.Lanes |= lanes
	if o.more != nil {
		o.more.list = slices.DeleteFunc(o.more.list, func(y FenceRecord) bool {
			return y.Unit == x.Unit &&
				x.includes(d, &y)
		})
	}
	return true
}

// include reports whether the older records include n.
func (o *olderFences) include(d *Threads, n *FenceRecord) bool {
	return slices.ContainsFunc(o.list, func(x FenceRecord) bool { return x.includes(d, n) }) ||
		o.rest != nil && o.rest.haveRecord(d, n)
}

// reachesAll reports whether threads of all blocks follow a record.
func (x *FenceRecord) reachesAll(d *Threads) bool {
	return x.Within == accesses.ReachAll && !d.Clustered && d.device() == 0 && x.Fences.Sc[accesses.ReachAll].At != 0
}

// followedBy reports whether record n, which reaches all blocks, follows the existing ones.
func (o *fenceOrder) followedBy(n *FenceRecord) bool {
	if !n.implies(&o.Latest) {
		return false
	}
	before := o.older()
	for i, follows := len(before.list)-1, o.Latest.follows; !follows; i-- {
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
func (x *FenceRecord) implies(y *FenceRecord) bool {
	return x.releases(x.Fences.Sc[accesses.ReachAll], y, y.Fences.made)
}

// releases reports whether snapshot s, released by the threads of x, includes the threads of y up to a time.
func (x *FenceRecord) releases(s snapshot, y *FenceRecord, at stamp) bool {
	lanes := y.Lanes
	if s.At >= at {
		lanes &^= x.in(y.Unit)
	}
	return s.At != 0 && s.Clock.IncludesAll(y.Unit, lanes, at)
}

// keep adds a record to the older ones.
func (o *olderFences) keep(d *Threads, x *FenceRecord) {
	most := d.Tuning.FenceRecords
	if o.apart {
		most = maxRecordsApart
	}
	if x.follows || len(o.list) > 0 && o.list[len(o.list)-1].follows {
		most = maxFollowed
	}
	for len(o.list) >= most {
		if o.rest == nil {
			o.rest = new(Releases)
		}
		sc, inherited := o.list[0].sources(d)
		o.rest.add(d, sc)
		o.rest.add(d, inherited)
		o.list = o.list[:copy(o.list, o.list[1:])]
	}
	o.list = append(o.list, *x)
}

// sources returns the releases of a record.
func (x *FenceRecord) sources(d *Threads) (sc, inherited source) {
	f := x.Fences
	byFences, byBarriers := f.Sc, f.Inherited
	if !byFences.reachesNoFurther(x.Within) || !byBarriers.reachesNoFurther(x.Within) {
		if f.narrow == nil {
			f.narrow = new(narrowFences)
		}
		byFences, byBarriers = f.Sc.within(d, x.Within, &f.narrow.sc),
			f.Inherited.within(d, x.Within, &f.narrow.inherited)
	}
	by := thread{Unit: x.Unit, Lane: uint8(bits.TrailingZeros32(x.Lanes))}
	if x.Lanes&(x.Lanes-1) != 0 {
		by, byFences = thread{Unit: x.Unit, Lane: noLane}, byFences.of(d, x.Unit, x.Lanes)
	}
	return source{by, byFences}, source{thread{Unit: x.Unit, Lane: noLane}, byBarriers}
}

// of returns the join of one release made by several lanes of a unit. It belongs to lane noLane.
func (f *release) of(d *Threads, u unit, lanes uint32) *release {
	if f.IsNone() {
		return f
	}
	out := d.releases.Next()
	for r, s := range f {
		if s.At != 0 {
			out[r] = snapshot{Clock: d.Merges.OfLanes(s, u, lanes), At: s.At}
		}
	}
	return out
}

// haveRecord reports whether the releases include a record.
func (h *Releases) haveRecord(d *Threads, x *FenceRecord) bool {
	sc, inherited := x.sources(d)
	return h.have(d, &sc) && h.have(d, &inherited)
}

// have reports whether the releases include all of a source.
func (h *Releases) have(d *Threads, s *source) bool {
	return s.by.IsNone() || h.latest.by != nil && h.latest.covers(d, s) || h.older != nil && h.older.has(d, s)
}

// includes reports whether record x includes record y of the same block, for at least the same threads.
func (x *FenceRecord) includes(d *Threads, y *FenceRecord) bool {
	if x.Unit>>radixBits != y.Unit>>radixBits {
		return false
	}
	for _, f := range y.Fences.Sc {
		if f.At > x.Fences.made {
			return false // y came later
		}
	}
	if x.releasesAll(y) {
		return true
	}
	for r, f := range y.Fences.Sc {
		if f.At != 0 && !x.releasesUpTo(min(accesses.Reach(r), y.Within), y, f.At) {
			return false
		}
	}
	if x.Fences.Inherited == y.Fences.Inherited && x.Within >= y.Within {
		return true
	}
	for r, f := range y.Fences.Inherited {
		if f.At != 0 && !x.passesOn(d, min(accesses.Reach(r), y.Within), f) {
			return false
		}
	}
	return true
}

// releasesAll reports whether x includes y, of the same block, because the releases of x include y's threads at the
// time of their fences. The test is conservative: false may mean unknown.
func (x *FenceRecord) releasesAll(y *FenceRecord) bool {
	r := y.Within
	for r > 0 && y.Fences.Sc[r].At|y.Fences.Inherited[r].At == 0 {
		r--
	}
	for _, f := range y.Fences.Inherited {
		if f.Clock != nil && f.Clock.Fenced != nil {
			return false
		}
	}
	if r > x.Within {
		return false
	}
	for _, s := range x.Fences.Sc[r:] {
		if x.releases(s, y, y.Fences.made) {
			return true
		}
	}
	return false
}

// releasesUpTo reports whether the releases of x with that reach include the threads of y up to a time.
func (x *FenceRecord) releasesUpTo(r accesses.Reach, y *FenceRecord, at stamp) bool {
	if r > x.Within {
		return false
	}
	for i := r; i < accesses.Reaches; i++ {
		if s := x.Fences.Inherited[i]; x.releases(x.Fences.Sc[i], y, at) ||
			s.At != 0 && s.Clock.IncludesAll(y.Unit, y.Lanes, at) {
			return true
		}
	}
	return false
}

// passesOn reports whether the releases of x with that reach include f, which barriers have passed on to another record
// of its block.
func (x *FenceRecord) passesOn(d *Threads, r accesses.Reach, f snapshot) bool {
	if r > x.Within {
		return false
	}
	for i := r; i < accesses.Reaches; i++ {
		for _, s := range [...]snapshot{x.Fences.Sc[i], x.Fences.Inherited[i]} {
			if s.At != 0 && d.Merges.Includes(s.Clock, f.Clock) {
				return true
			}
		}
	}
	return false
}

// acquiredBy returns what a lane of a warp acquires from the records beyond its own clock.
func (o *fenceOrder) acquiredBy(d *Threads, w *Warp, lane int) (found Acquired) {
	mine, learnt := w.Of(lane), 0
	if o.Latest.Fences != nil {
		o.Latest.acquiredBy(d, w, lane, mine, &found)
	}
	block, follows := w.Unit>>radixBits, o.Latest.follows
	before := o.older()
	for i := len(before.list) - 1; i >= 0; i-- {
		x := &before.list[i]
		if (!follows || x.Unit>>radixBits == block) && x.acquiredBy(d, w, lane, mine, &found) {
			learnt++
		}
		follows = follows || x.follows
	}
	if learnt >= manyToLearn {
		o.more.apart = true
	}
	if before.rest != nil && (!d.Absent.Barriers || !before.rest.knownTo(d, w, mine, &w.PendingOf(lane).Seen)) {
		rest := before.rest.AcquiredBy(d, w, lane)
		found.Merge(&d.Merges, &rest)
	}
	return found
}

// acquiredBy adds to found what a lane with clock mine acquires from a record, and reports whether the record had to be
// examined.
func (x *FenceRecord) acquiredBy(d *Threads, w *Warp, lane int, mine *clock, found *Acquired) bool {
	others := x.Lanes &^ (thread{Unit: w.Unit, Lane: uint8(lane)}).In(x.Unit)
	if others == 0 || mine.IncludesAll(x.Unit, others, x.Fences.made) {
		return false
	}
	m, least, p := &d.Merges, w.At.Least(&d.Places[x.Unit>>radixBits].Place), w.PendingOf(lane)
	to := d.kept(least)
	switch at := x.Fences.made; {
	case least > x.Within, found.includes(to, x.Unit, others, at), p.After.includes(to, x.Unit, others, at):
		return false
	case d.Absent.Barriers && p.Seen.includes(to, x.Unit, others, at):
		return false // the next fence acquires it
	}
	inherits := x.Fences.Inherited != p.inherited()
	for r := least; r < accesses.Reaches; r++ {
		if f := x.Fences.Sc[r]; f.At != 0 && !mine.IncludesAll(x.Unit, others, f.At) {
			found[to] = m.Merge(found[to], m.OfLanes(f, x.Unit, x.Lanes))
		}
		if f := x.Fences.Inherited[r]; inherits && f.At != 0 && !m.Includes(mine, f.Clock) {
			found[to] = m.Merge(found[to], f.Clock.Made(m))
		}
	}
	return true
}

// includes reports whether an operation of reach r acquires the accesses of lanes of a unit up to a time.
func (o *Acquired) includes(r accesses.Reach, u unit, lanes uint32, at stamp) bool {
	for _, c := range o[:r+1] {
		if c.IncludesAll(u, lanes, at) {
			return true
		}
	}
	return false
}

// inherited returns what barriers have passed on to a lane.
func (p *PendingSync) inherited() *release {
	if p.Fences == nil {
		return &nothingReleased
	}
	return p.Fences.Inherited
}
