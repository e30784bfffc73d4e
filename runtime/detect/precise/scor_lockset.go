// Lock sets of the papers' model.

package precise

import (
	"math/bits"
	"slices"
	"sort"
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Lock sets, a rule of the papers' model (ScoRD, IV, "Detecting races due to lock/unlock"):
// a thread holds a lock from a compare-and-swap and a fence on, until an exchange, as far
// as the scopes of both reach. Accesses of which one is made under a lock, and the other
// not under the same one, race unless a barrier stands between.
type lockSets struct {
	of      map[thread]*lockSet
	changed map[unit]stamp // since when accesses of a warp are under the locks that its threads hold
}

// lockSet is the locks of a thread.
type lockSet struct {
	taken []guard    // by compare-and-swap, no fence since
	spans []lockSpan // in order
}

// guard is a lock and how far it reaches: as far as the compare-and-swap and the fence.
type guard struct {
	lock
	swap, reach reach
}

// lockSpan is what a thread holds from a stamp on.
type lockSpan struct {
	from  stamp
	holds []guard // never changes
	drop  drop    // that began it, if one did
}

// drop is an exchange that drops a lock, and how far that and the fences before reach.
type drop struct {
	lock
	reach  reach
	fenced release
}

// forget drops what has been held at accesses that are forgotten.
func (k *lockSets) forget() {
	for _, s := range k.of {
		s.spans = slices.Clone(s.spans[max(len(s.spans), 1)-1:])
	}
}

// none reports whether no thread has ever held a lock.
func (k *lockSets) none() bool { return k.changed == nil }

// at is what a thread held at a time, and since then.
func (s *lockSet) at(t stamp) []lockSpan {
	i := sort.Search(len(s.spans), func(i int) bool { return s.spans[i].from > t })
	if i == 0 {
		return nil
	}
	return s.spans[i-1:]
}

// now is what a thread holds.
func (s *lockSet) now() []guard {
	if len(s.spans) == 0 {
		return nil
	}
	return s.spans[len(s.spans)-1].holds
}

// nowHolds makes a lane hold locks after what is being done, which the caller ends with a
// tick.
func (d *Detector) nowHolds(w *warp, s *lockSet, holds []guard, by drop) {
	if d.lockSets.changed == nil {
		d.lockSets.changed = make(map[unit]stamp)
	}
	s.spans = append(s.spans, lockSpan{d.now + 1, holds, by})
	d.lockSets.changed[w.unit], w.since = d.now+1, 0
	d.uses(unsafe.Sizeof(lockSpan{}) + uintptr(len(holds))*unsafe.Sizeof(guard{}))
}

// scorLocks notes what a strong write of a lane does to its locks.
func (d *Detector) scorLocks(a *access, l lock, lane int) {
	me := thread{a.warp.unit, uint8(lane)}
	s := d.lockSets.of[me]
	if a.ev.Atomic == abi.AtomicCAS {
		if s == nil {
			if d.lockSets.of == nil {
				d.lockSets.of = make(map[thread]*lockSet)
			}
			s = new(lockSet)
			d.lockSets.of[me] = s
		}
		s.taken = append(s.without(l), guard{l, a.reach, a.reach})
		if a.sem.Acquires() {
			d.holdTaken(a.warp, s, a.reach)
		}
		return
	}
	if s == nil {
		return
	}
	s.taken = s.without(l)
	if isIt := func(g guard) bool { return g.lock == l }; slices.ContainsFunc(s.now(), isIt) {
		by := drop{lock: l, reach: a.reach}
		if f := a.warp.pendingOf(lane).fences; f != nil {
			by.fenced = *f.fenced
		}
		if a.sem.Releases() {
			by.fenced[a.reach].at = d.now
		}
		d.nowHolds(a.warp, s, slices.DeleteFunc(slices.Clone(s.now()), isIt), by)
	}
}

// without is the locks taken but for one.
func (s *lockSet) without(l lock) []guard {
	return slices.DeleteFunc(s.taken, func(g guard) bool { return g.lock == l })
}

// scorFence is a fence of a lane: what it has taken, it holds.
func (d *Detector) scorFence(w *warp, lane int, r reach) {
	if s := d.lockSets.of[thread{w.unit, uint8(lane)}]; s != nil {
		d.holdTaken(w, s, r)
	}
}

// holdTaken makes a lane hold what it has taken, after a fence of that reach. A later fence
// that is wider makes a lock reach further.
func (d *Detector) holdTaken(w *warp, s *lockSet, r reach) {
	holds, changes := slices.Clone(s.now()), false
	for i := range holds {
		if g := &holds[i]; g.reach < min(g.swap, r) {
			g.reach, changes = min(g.swap, r), true
		}
	}
	for _, g := range s.taken {
		i := slices.IndexFunc(holds, func(h guard) bool { return h.lock == g.lock })
		if i < 0 {
			g.reach = min(g.swap, r)
			holds, changes = append(holds, g), true
		}
	}
	s.taken = s.taken[:0]
	if changes {
		d.nowHolds(w, s, holds, drop{})
	}
}

// holdsOf is what a thread held at a time, and since then.
func (d *Detector) holdsOf(t thread, at stamp) []lockSpan {
	if s := d.lockSets.of[t]; s != nil {
		return s.at(at)
	}
	return nil
}

// scorLocksAt is the locks held at the two accesses of a race that include the other
// thread; applies is set in the papers' model.
func (d *Detector) scorLocksAt(f *finding) (first, second []lock, applies bool) {
	if !d.model.lockSets {
		return nil, nil, false
	}
	p, q := d.placeOf(f.firstUnit), d.placeOf(f.secondUnit)
	x, y := thread{f.firstUnit, f.firstLane}, thread{f.secondUnit, f.secondLane}
	return reaching(d.holdsOf(x, f.since), p, q), reaching(d.holdsOf(y, d.now), q, p), true
}

// share reports whether two threads hold a lock in common that includes both, and whether
// either holds one, whomever it includes.
func (d *Detector) share(x, y []lockSpan, p, q *place) (both, any bool) {
	first, second := reaching(x, p, q), reaching(y, q, p)
	for _, l := range first {
		both = both || slices.Contains(second, l)
	}
	return both, len(heldFirst(x))+len(heldFirst(y)) > 0
}

// reaching is the locks that a thread at p held first, and that include threads at q.
func reaching(s []lockSpan, p, q *place) (out []lock) {
	for _, g := range heldFirst(s) {
		if p.within(g.reach, q) {
			out = append(out, g.lock)
		}
	}
	return out
}

// unguarded reports whether an access of another lane in an entry races with the access of lane
// although it is ordered before: one of the two is made under a lock that the other does
// not hold, and no barrier stands between.
func (d *Detector) unguarded(a *access, e *entry, other, lane int) bool {
	if d.lockSets.none() {
		return false
	}
	_, differ := d.lockedApart(a, e, other, lane)
	if !differ {
		return false
	}
	c := a.warp.of(lane)
	return c == nil || !c.fenced.Includes(e.unit, other, e.at)
}

// lockedApart says of an entry of another lane and the access of lane whether they have a
// lock in common, and whether one has a lock and no common one.
func (d *Detector) lockedApart(a *access, e *entry, other, lane int) (both, differ bool) {
	x, y := d.holdsOf(thread{e.unit, uint8(other)}, e.at), d.holdsOf(thread{a.unit, uint8(lane)}, d.now)
	both, any := d.share(x, y, d.placeOf(e.unit), a.warp.at)
	return both, any && !both
}

// guarded reports whether an entry of another lane and the access of lane are made under
// one lock that the first thread has dropped as it should since, or holds for ever.
func (d *Detector) guarded(a *access, e *entry, other, lane int) bool {
	if d.lockSets.none() {
		return false
	}
	x, y := d.holdsOf(thread{e.unit, uint8(other)}, e.at), d.holdsOf(thread{a.unit, uint8(lane)}, d.now)
	for _, l := range reaching(x, d.placeOf(e.unit), a.warp.at) {
		by := slices.IndexFunc(x, func(s lockSpan) bool { return s.drop.lock == l })
		if (by < 1 || x[by].drop.releases(e.at, d.placeOf(e.unit), a.warp.at)) && slices.Contains(reaching(y, a.warp.at, d.placeOf(e.unit)), l) {
			return true
		}
	}
	return false
}

// releases reports whether a drop, by a thread at p, of a lock makes threads at q see what
// was done under it at a time.
func (x *drop) releases(at stamp, p, q *place) bool {
	for r, f := range x.fenced {
		if f.at >= at && p.within(min(reach(r), x.reach), q) {
			return true
		}
	}
	return false
}

// alikeLocked reports whether an entry and an access are made under the same locks, so that
// the one may stand for the other.
func (d *Detector) alikeLocked(a *access, e *entry) bool {
	if e.unit == a.unit && e.at >= d.lockSets.changed[e.unit] {
		return true
	}
	all := d.holdsOf(thread{a.unit, uint8(bits.TrailingZeros32(a.ev.Mask))}, d.now)
	same := func(u unit, mask uint32, at stamp) bool {
		for ; mask != 0; mask &= mask - 1 {
			if !slices.Equal(heldFirst(d.holdsOf(thread{u, uint8(bits.TrailingZeros32(mask))}, at)), heldFirst(all)) {
				return false
			}
		}
		return true
	}
	return same(e.unit, e.mask, e.at) && same(a.unit, a.ev.Mask, d.now)
}

// heldFirst is what was held first.
func heldFirst(s []lockSpan) []guard {
	if len(s) == 0 {
		return nil
	}
	return s[0].holds
}
