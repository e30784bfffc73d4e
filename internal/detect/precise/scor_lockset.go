// Lock sets of the papers' model.

package precise

import (
	"math/bits"
	"slices"
	"sort"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Lock sets, a rule of the papers' model (ScoRD, IV, "Detecting races due to lock/unlock"): a thread holds a lock from
// a compare-and-swap and a fence on until an exchange, within the scopes of both. An access under a lock races with any
// access that is not under the same lock, unless a barrier separates them.
type lockSets struct {
	of      map[thread]*lockSet
	changed map[unit]stamp // when the locks held by threads of a warp changed last
}

// lockSet holds the locks of a thread.
type lockSet struct {
	taken []guard    // by compare-and-swap, without a fence since
	spans []lockSpan // in order
}

// guard is a lock and its reach, the lesser of those of the compare-and-swap and the fence.
type guard struct {
	evidence.Lock
	swap, reach accesses.Reach
}

// lockSpan is what a thread holds from a stamp on, until the next span.
type lockSpan struct {
	from  stamp
	holds []guard // immutable
	drop  drop    // the drop that began the span, if one did
}

// drop is an exchange that drops a lock, with its reach and that of the fences before.
type drop struct {
	evidence.Lock
	reach  accesses.Reach
	fenced release
}

// forget drops the spans that apply only to accesses which the shadow has dropped.
func (k *lockSets) forget() {
	for _, s := range k.of {
		s.spans = slices.Clone(s.spans[max(len(s.spans), 1)-1:])
	}
}

// none reports whether no thread has ever held a lock.
func (k *lockSets) none() bool { return k.changed == nil }

// at returns the spans of a thread from a time on.
func (s *lockSet) at(t stamp) []lockSpan {
	i := sort.Search(len(s.spans), func(i int) bool { return s.spans[i].from > t })
	if i == 0 {
		return nil
	}
	return s.spans[i-1:]
}

// now returns the locks that a thread holds.
func (s *lockSet) now() []guard {
	if len(s.spans) == 0 {
		return nil
	}
	return s.spans[len(s.spans)-1].holds
}

// nowHolds makes a lane hold locks after the current operation. The caller must call tick afterwards.
func (d *Detector) nowHolds(w *warp, s *lockSet, holds []guard, by drop) {
	if d.lockSets.changed == nil {
		d.lockSets.changed = make(map[unit]stamp)
	}
	s.spans = append(s.spans, lockSpan{d.now + 1, holds, by})
	d.lockSets.changed[w.unit], w.since = d.now+1, 0
	d.uses(unsafe.Sizeof(lockSpan{}) + uintptr(len(holds))*unsafe.Sizeof(guard{}))
}

// scorLocks records the effect of a lane's strong write on its locks.
func (d *Detector) scorLocks(a *access, l evidence.Lock, lane int) {
	me := thread{Unit: a.warp.unit, Lane: uint8(lane)}
	s := d.lockSets.of[me]
	if a.ev.Atomic == abi.AtomicCAS {
		if s == nil {
			if d.lockSets.of == nil {
				d.lockSets.of = make(map[thread]*lockSet)
			}
			s = new(lockSet)
			d.lockSets.of[me] = s
		}
		s.taken = append(s.without(l), guard{l, a.Reach, a.Reach})
		if a.Sem.Acquires() {
			d.holdTaken(a.warp, s, a.Reach)
		}
		return
	}
	if s == nil {
		return
	}
	s.taken = s.without(l)
	if isIt := func(g guard) bool { return g.Lock == l }; slices.ContainsFunc(s.now(), isIt) {
		by := drop{Lock: l, reach: a.Reach}
		if f := a.warp.pendingOf(lane).fences; f != nil {
			by.fenced = *f.fenced
		}
		if a.Sem.Releases() {
			by.fenced[a.Reach].At = d.now
		}
		d.nowHolds(a.warp, s, slices.DeleteFunc(slices.Clone(s.now()), isIt), by)
	}
}

// without returns the locks taken, without l.
func (s *lockSet) without(l evidence.Lock) []guard {
	return slices.DeleteFunc(s.taken, func(g guard) bool { return g.Lock == l })
}

// scorFence handles a fence of a lane: it now holds the locks that it has taken.
func (d *Detector) scorFence(w *warp, lane int, r accesses.Reach) {
	if s := d.lockSets.of[thread{Unit: w.unit, Lane: uint8(lane)}]; s != nil {
		d.holdTaken(w, s, r)
	}
}

// holdTaken makes a lane hold the locks it has taken, after a fence of reach r. A later, wider fence widens the reach
// of a lock.
func (d *Detector) holdTaken(w *warp, s *lockSet, r accesses.Reach) {
	holds, changes := slices.Clone(s.now()), false
	for i := range holds {
		if g := &holds[i]; g.reach < min(g.swap, r) {
			g.reach, changes = min(g.swap, r), true
		}
	}
	for _, g := range s.taken {
		i := slices.IndexFunc(holds, func(h guard) bool { return h.Lock == g.Lock })
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

// holdsOf returns the spans of thread t from a time on.
func (d *Detector) holdsOf(t thread, at stamp) []lockSpan {
	if s := d.lockSets.of[t]; s != nil {
		return s.at(at)
	}
	return nil
}

// scorLocksAt returns the locks held at the two accesses of a race whose reach includes the other thread. applies is
// true in the papers' model.
func (d *Detector) scorLocksAt(f *evidence.Finding) (first, second []evidence.Lock, applies bool) {
	if !d.model.lockSets {
		return nil, nil, false
	}
	p, q := d.placeOf(f.FirstUnit), d.placeOf(f.SecondUnit)
	x, y := thread{Unit: f.FirstUnit, Lane: f.FirstLane}, thread{Unit: f.SecondUnit, Lane: f.SecondLane}
	return reaching(d.holdsOf(x, f.Since), p, q), reaching(d.holdsOf(y, d.now), q, p), true
}

// share reports whether two threads hold a common lock whose reach includes both, and whether either holds any lock at
// all.
func (d *Detector) share(x, y []lockSpan, p, q *place) (both, any bool) {
	first, second := reaching(x, p, q), reaching(y, q, p)
	for _, l := range first {
		both = both || slices.Contains(second, l)
	}
	return both, len(heldFirst(x))+len(heldFirst(y)) > 0
}

// reaching returns the locks held in the first of the spans, by a thread at p, whose reach includes threads at q.
func reaching(s []lockSpan, p, q *place) (out []evidence.Lock) {
	for _, g := range heldFirst(s) {
		if p.Within(g.reach, &q.Place) {
			out = append(out, g.Lock)
		}
	}
	return out
}

// unguarded reports whether the access of another lane in an entry races with lane's access although it is ordered
// before: only one of them is made under some lock, and no barrier separates them.
func (d *Detector) unguarded(a *access, e *entry, other, lane int) bool {
	if d.lockSets.none() {
		return false
	}
	_, differ := d.lockedApart(a, e, other, lane)
	if !differ {
		return false
	}
	c := a.warp.of(lane)
	return c == nil || !c.Fenced.Includes(e.unit, other, e.at)
}

// lockedApart compares the locks at another lane's entry with those at lane's access: it reports whether they have a
// lock in common, and whether there are locks but no common one.
func (d *Detector) lockedApart(a *access, e *entry, other, lane int) (both, differ bool) {
	x, y := d.holdsOf(thread{Unit: e.unit, Lane: uint8(other)}, e.at),
		d.holdsOf(thread{Unit: a.unit, Lane: uint8(lane)}, d.now)
	both, any := d.share(x, y, d.placeOf(e.unit), a.warp.at)
	return both, any && !both
}

// guarded reports whether another lane's entry and lane's access are made under a common lock that the first thread has
// dropped properly since, or never drops.
func (d *Detector) guarded(a *access, e *entry, other, lane int) bool {
	if d.lockSets.none() {
		return false
	}
	x, y := d.holdsOf(thread{Unit: e.unit, Lane: uint8(other)}, e.at),
		d.holdsOf(thread{Unit: a.unit, Lane: uint8(lane)}, d.now)
	for _, l := range reaching(x, d.placeOf(e.unit), a.warp.at) {
		by := slices.IndexFunc(x, func(s lockSpan) bool { return s.drop.Lock == l })
		if (by < 1 || x[by].drop.releases(e.at, d.placeOf(e.unit), a.warp.at)) &&
			slices.Contains(reaching(y, a.warp.at, d.placeOf(e.unit)), l) {
			return true
		}
	}
	return false
}

// releases reports whether the drop of a lock by a thread at p makes what was done under it at a time visible to
// threads at q.
func (x *drop) releases(at stamp, p, q *place) bool {
	for r, f := range x.fenced {
		if f.At >= at && p.Within(min(accesses.Reach(r), x.reach), &q.Place) {
			return true
		}
	}
	return false
}

// alikeLocked reports whether an entry and an access are made under the same locks, so that one may subsume the other.
func (d *Detector) alikeLocked(a *access, e *entry) bool {
	if e.unit == a.unit && e.at >= d.lockSets.changed[e.unit] {
		return true
	}
	all := d.holdsOf(thread{Unit: a.unit, Lane: uint8(bits.TrailingZeros32(a.ev.Mask))}, d.now)
	same := func(u unit, mask uint32, at stamp) bool {
		for ; mask != 0; mask &= mask - 1 {
			if !slices.Equal(heldFirst(d.holdsOf(thread{Unit: u, Lane: uint8(bits.TrailingZeros32(mask))}, at)),
				heldFirst(all)) {
				return false
			}
		}
		return true
	}
	return same(e.unit, e.mask, e.at) && same(a.unit, a.ev.Mask, d.now)
}

// heldFirst returns the locks held in the first span.
func heldFirst(s []lockSpan) []guard {
	if len(s) == 0 {
		return nil
	}
	return s[0].holds
}
