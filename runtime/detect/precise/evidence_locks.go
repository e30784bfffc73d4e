// Locks that threads hold, as evidence that one is missing.

package precise

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// lock is a potential lock, for reports about missing locks: a scalar that a thread changes with a successful compare-and-swap
// and later overwrites with an exchange or a strong store.
type lock struct {
	memory *shadow
	life   uint32 // the memory's life, see shadow.life
	scalar
}

// lockAt returns the lock that a strong write of an address may change.
func lockAt(a *access, s *shadow, addr uint64) lock {
	return lock{s, s.life, scalar{addr, a.scalar}}
}

// takesLock reports whether an access takes a lock: a compare-and-swap.
func (a *access) takesLock() bool {
	return a.ev.Access == abi.AccessRMW && a.ev.Atomic == abi.AtomicCAS
}

// dropsLock reports whether an access drops a lock: an exchange or a store.
func (a *access) dropsLock() bool {
	return a.ev.Access == abi.AccessStore || a.ev.Atomic == abi.AtomicExch
}

// hold is an interval in which a thread holds a potential lock.
type hold struct {
	lock
	from, to stamp // to is 0 while the lock is held
	dropped  bool  // the lock is in locks.dropped
}

// locks holds the locks observed so far.
type locks struct {
	holds   map[thread]*holds // nil until a thread takes a lock
	latest  [16]*holds        // by the low bits of the unit
	dropped map[lock]bool     // potential locks that their holder has dropped, which proves that they are locks
}

// maxHolds is the number of holds kept for each thread.
const maxHolds = 4

// holds lists the latest holds of a thread, in order.
type holds struct {
	by  thread
	n   int
	all [maxHolds]hold
}

// of returns the holds of a thread, nil if it has had none.
func (k *locks) of(t thread) *holds {
	x := &k.latest[t.Unit%unit(len(k.latest))]
	if *x == nil || (*x).by != t {
		*x = k.holds[t]
	}
	return *x
}

// add allocates the holds of a thread that has had none.
func (k *locks) add(t thread) *holds {
	if k.holds == nil {
		k.holds, k.dropped = make(map[thread]*holds), make(map[lock]bool)
	}
	list := &holds{by: t}
	k.holds[t] = list
	return list
}

// lockedBy records the effect of a lane's strong write on locks. The write must take place: a failed compare-and-swap has no
// effect.
func (e *evidence) lockedBy(a *access, s *shadow, addr uint64, lane int) {
	drops := a.dropsLock()
	if !a.takesLock() && (!drops || e.locks.holds == nil) {
		return
	}
	me, l := thread{Unit: a.warp.unit, Lane: uint8(lane)}, lockAt(a, s, addr)
	if drops {
		e.drop(e.locks.of(me), l)
		return
	}
	list := e.locks.of(me)
	if list == nil {
		list = e.locks.add(me)
	}
	e.hold(list, l)
}

// drop ends a hold of l, a potential lock.
func (e *evidence) drop(list *holds, l lock) {
	if list == nil {
		return
	}
	for i := range list.n {
		h := &list.all[i]
		if h.lock != l || h.to != 0 {
			continue
		}
		h.to = e.time()
		if !h.dropped {
			h.dropped = true
			e.locks.dropped[l] = true
		}
	}
}

// hold begins a hold of l, a potential lock.
func (e *evidence) hold(list *holds, l lock) {
	x := hold{lock: l, from: e.time()}
	at := list.n
	for i := range list.n {
		h := &list.all[i]
		x.dropped = x.dropped || h.dropped && h.lock == l
		if h.from > x.from {
			at = min(at, i) // accesses from a journal are processed late
		}
	}
	switch {
	case list.n < maxHolds:
		copy(list.all[at+1:], list.all[at:list.n])
		list.all[at] = x
		list.n++
	case at > 0:
		copy(list.all[:], list.all[1:at]) // replaces the oldest
		list.all[at-1] = x
	}
}

// unlocked returns the fault in the locks held at the accesses of a finding, and the locks that are held, provided that they are
// locks. The fault is "" if no lock is held, or a common one.
func (e *evidence) unlocked(f *finding) (wrong detect.LockFault, held []lock) {
	first, second := e.locksAt(f)
	for _, l := range first {
		if slices.Contains(second, l) {
			return "", nil
		}
	}
	switch held = append(first, second...); {
	case len(held) == 0:
		return "", nil
	case len(first) == 0:
		return detect.FirstUnlocked, held
	case len(second) == 0:
		return detect.SecondUnlocked, held
	}
	return detect.LocksDiffer, held
}

// locksAt returns the locks held at the two accesses of a finding.
func (e *evidence) locksAt(f *finding) (first, second []lock) {
	first, second, applies := e.scorLocksAt(f)
	if !applies {
		x, y := thread{Unit: f.firstUnit, Lane: f.firstLane}, thread{Unit: f.secondUnit, Lane: f.secondLane}
		return e.locks.held(x, f, f.since), e.locks.held(y, f, e.time())
	}
	own := func(l lock) bool { return l.contains(f.at) }
	return slices.DeleteFunc(first, own), slices.DeleteFunc(second, own)
}

// contains reports whether an address is one of the lock's bytes.
func (s *scalar) contains(addr uint64) bool { return addr-s.addr < uint64(s.size) }

// held returns the locks of a thread at a time, without those that the finding is about.
func (k *locks) held(t thread, f *finding, at stamp) (out []lock) {
	list := k.holds[t]
	if list == nil {
		return nil
	}
	for _, h := range list.all[:list.n] {
		if h.from < at && (h.to == 0 || at <= h.to) && !h.contains(f.at) {
			out = append(out, h.lock)
		}
	}
	return out
}

// real reports whether one of held has turned out to be a lock.
func (k *locks) real(held []lock) bool {
	return slices.ContainsFunc(held, func(l lock) bool { return k.dropped[l] })
}
