// Lock sets of the papers' model.

package causality

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

// Forget drops the spans that apply only to accesses which the shadow has dropped.
func (k *lockSets) Forget() {
	for _, s := range k.of {
		s.spans = slices.Clone(s.spans[max(len(s.spans), 1)-1:])
	}
}

// None reports whether no thread has ever held a lock.
func (k *lockSets) None() bool { return k.changed == nil }

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
func (d *Threads) nowHolds(w *Warp, s *lockSet, holds []guard, by drop) {
	if d.LockSets.changed == nil {
		d.LockSets.changed = make(map[unit]stamp)
	}
	s.spans = append(s.spans, lockSpan{d.Now + 1, holds, by})
	d.LockSets.changed[w.Unit], w.Since = d.Now+1, 0
	d.Used.Add(unsafe.Sizeof(lockSpan{}) + uintptr(len(holds))*unsafe.Sizeof(guard{}))
}

// ScorLocks records the effect of a lane's strong write on its locks.
func (d *Threads) ScorLocks(a *Access, l evidence.Lock, lane int) {
	me := thread{Unit: a.Warp.Unit, Lane: uint8(lane)}
	s := d.LockSets.of[me]
	if a.Ev.Atomic == abi.AtomicCAS {
		if s == nil {
			if d.LockSets.of == nil {
				d.LockSets.of = make(map[thread]*lockSet)
			}
			s = new(lockSet)
			d.LockSets.of[me] = s
		}
		s.taken = append(s.without(l), guard{l, a.Reach, a.Reach})
		if a.Sem.Acquires() {
			d.holdTaken(a.Warp, s, a.Reach)
		}
		return
	}
	if s == nil {
		return
	}
	s.taken = s.without(l)
	if isIt := func(g guard) bool { return g.Lock == l }; slices.ContainsFunc(s.now(), isIt) {
		by := drop{Lock: l, reach: a.Reach}
		if f := a.Warp.PendingOf(lane).Fences; f != nil {
			by.fenced = *f.Fenced
		}
		if a.Sem.Releases() {
			by.fenced[a.Reach].At = d.Now
		}
		d.nowHolds(a.Warp, s, slices.DeleteFunc(slices.Clone(s.now()), isIt), by)
	}
}

// without returns the locks taken, without l.
func (s *lockSet) without(l evidence.Lock) []guard {
	return slices.DeleteFunc(s.taken, func(g guard) bool { return g.Lock == l })
}

// scorFence handles a fence of a lane: it now holds the locks that it has taken.
func (d *Threads) scorFence(w *Warp, lane int, r accesses.Reach) {
	if s := d.LockSets.of[thread{Unit: w.Unit, Lane: uint8(lane)}]; s != nil {
		d.holdTaken(w, s, r)
	}
}

// holdTaken makes a lane hold the locks it has taken, after a fence of reach r. A later, wider fence widens the reach
// of a lock.
func (d *Threads) holdTaken(w *Warp, s *lockSet, r accesses.Reach) {
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
func (d *Threads) holdsOf(t thread, at stamp) []lockSpan {
	if s := d.LockSets.of[t]; s != nil {
		return s.at(at)
	}
	return nil
}

// ScorLocksAt returns the locks held at the two accesses of a race whose reach includes the other thread. applies is
// true in the papers' model.
func (d *Threads) ScorLocksAt(f *evidence.Finding) (first, second []evidence.Lock, applies bool) {
	if !d.Model.LockSets {
		return nil, nil, false
	}
	p, q := d.PlaceOf(f.FirstUnit), d.PlaceOf(f.SecondUnit)
	x, y := thread{Unit: f.FirstUnit, Lane: f.FirstLane}, thread{Unit: f.SecondUnit, Lane: f.SecondLane}
	return reaching(d.holdsOf(x, f.Since), p, q), reaching(d.holdsOf(y, d.Now), q, p), true
}

// share reports whether two threads hold a common lock whose reach includes both, and whether either holds any lock at
// all.
func (d *Threads) share(x, y []lockSpan, p, q *Place) (both, any bool) {
	first, second := reaching(x, p, q), reaching(y, q, p)
	for _, l := range first {
		both = both || slices.Contains(second, l)
	}
	return both, len(heldFirst(x))+len(heldFirst(y)) > 0
}

// reaching returns the locks held in the first of the spans, by a thread at p, whose reach includes threads at q.
func reaching(s []lockSpan, p, q *Place) (out []evidence.Lock) {
	for _, g := range heldFirst(s) {
		if p.Within(g.reach, &q.Place) {
			out = append(out, g.Lock)
		}
	}
	return out
}

// unguarded reports whether the access of another lane in an entry races with lane's access although it is ordered
// before: only one of them is made under some lock, and no barrier separates them.
func (d *Threads) unguarded(a *Access, e *accesses.Entry, other, lane int) bool {
	if d.LockSets.None() {
		return false
	}
	_, differ := d.lockedApart(a, e, other, lane)
	if !differ {
		return false
	}
	c := a.Warp.Of(lane)
	return c == nil || !c.Fenced.Includes(e.Unit, other, e.At)
}

// lockedApart compares the locks at another lane's entry with those at lane's access: it reports whether they have a
// lock in common, and whether there are locks but no common one.
func (d *Threads) lockedApart(a *Access, e *accesses.Entry, other, lane int) (both, differ bool) {
	x, y := d.holdsOf(thread{Unit: e.Unit, Lane: uint8(other)}, e.At),
		d.holdsOf(thread{Unit: a.Unit, Lane: uint8(lane)}, d.Now)
	both, any := d.share(x, y, d.PlaceOf(e.Unit), a.Warp.At)
	return both, any && !both
}

// Guarded reports whether another lane's entry and lane's access are made under a common lock that the first thread has
// dropped properly since, or never drops.
func (d *Threads) Guarded(a *Access, e *accesses.Entry, other, lane int) bool {
	if d.LockSets.None() {
		return false
	}
	x, y := d.holdsOf(thread{Unit: e.Unit, Lane: uint8(other)}, e.At),
		d.holdsOf(thread{Unit: a.Unit, Lane: uint8(lane)}, d.Now)
	for _, l := range reaching(x, d.PlaceOf(e.Unit), a.Warp.At) {
		by := slices.IndexFunc(x, func(s lockSpan) bool { return s.drop.Lock == l })
		if (by < 1 || x[by].drop.releases(e.At, d.PlaceOf(e.Unit), a.Warp.At)) &&
			slices.Contains(reaching(y, a.Warp.At, d.PlaceOf(e.Unit)), l) {
			return true
		}
	}
	return false
}

// releases reports whether the drop of a lock by a thread at p makes what was done under it at a time visible to
// threads at q.
func (x *drop) releases(at stamp, p, q *Place) bool {
	for r, f := range x.fenced {
		if f.At >= at && p.Within(min(accesses.Reach(r), x.reach), &q.Place) {
			return true
		}
	}
	return false
}

// AlikeLocked reports whether an entry and an access are made under the same locks, so that one may subsume the other.
func (d *Threads) AlikeLocked(a *Access, e *accesses.Entry) bool {
	if e.Unit == a.Unit && e.At >= d.LockSets.changed[e.Unit] {
		return true
	}
	all := d.holdsOf(thread{Unit: a.Unit, Lane: uint8(bits.TrailingZeros32(a.Ev.Mask))}, d.Now)
	same := func(u unit, mask uint32, at stamp) bool {
		for ; mask != 0; mask &= mask - 1 {
			if !slices.Equal(heldFirst(d.holdsOf(thread{Unit: u, Lane: uint8(bits.TrailingZeros32(mask))}, at)),
				heldFirst(all)) {
				return false
			}
		}
		return true
	}
	return same(e.Unit, e.Mask, e.At) && same(a.Unit, a.Ev.Mask, d.Now)
}

// heldFirst returns the locks held in the first span.
func heldFirst(s []lockSpan) []guard {
	if len(s) == 0 {
		return nil
	}
	return s[0].holds
}
