// Locks that threads hold, as evidence that one is missing.

package evidence

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Lock is a potential lock, for reports about missing locks: a scalar that a thread changes with a successful
// compare-and-swap and later overwrites with an exchange or a strong store.
type Lock struct {
	memory *Memory
	life   uint32 // number of times that the memory has been recycled
	scalar
}

// LockAt returns the lock that a strong write of a scalar may change.
func LockAt(m *Memory, life uint32, addr uint64, size uint32) Lock {
	return Lock{m, life, scalar{addr, size}}
}

// TakesLock reports whether an access takes a lock: a compare-and-swap.
func TakesLock(ev *abi.Event) bool {
	return ev.Access == abi.AccessRMW && ev.Atomic == abi.AtomicCAS
}

// DropsLock reports whether an access drops a lock: an exchange or a store.
func DropsLock(ev *abi.Event) bool {
	return ev.Access == abi.AccessStore || ev.Atomic == abi.AtomicExch
}

// hold is an interval in which a thread holds a potential lock.
type hold struct {
	Lock
	from, to stamp // to is 0 while the lock is held
	dropped  bool  // the lock is in locks.dropped
}

// locks holds the locks observed so far.
type locks struct {
	holds   map[thread]*holds // nil until a thread takes a lock
	latest  [16]*holds        // by the low bits of the unit
	dropped map[Lock]bool     // potential locks that their holder has dropped, which proves that they are locks
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
		k.holds, k.dropped = make(map[thread]*holds), make(map[Lock]bool)
	}
	list := &holds{by: t}
	k.holds[t] = list
	return list
}

// LockedBy records the effect of a thread's strong write on what may be a lock. The write must take place: a failed
// compare-and-swap has no effect.
func (e *Evidence) LockedBy(ev *abi.Event, me thread, l Lock) {
	drops := DropsLock(ev)
	if !TakesLock(ev) && (!drops || e.locks.holds == nil) {
		return
	}
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
func (e *Evidence) drop(list *holds, l Lock) {
	if list == nil {
		return
	}
	for i := range list.n {
		h := &list.all[i]
		if h.Lock != l || h.to != 0 {
			continue
		}
		h.to = e.Now()
		if !h.dropped {
			h.dropped = true
			e.locks.dropped[l] = true
		}
	}
}

// hold begins a hold of l, a potential lock.
func (e *Evidence) hold(list *holds, l Lock) {
	x := hold{Lock: l, from: e.Now()}
	at := list.n
	for i := range list.n {
		h := &list.all[i]
		x.dropped = x.dropped || h.dropped && h.Lock == l
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

// unlocked returns the fault in the locks held at the accesses of a finding, and the locks that are held, provided that
// they are locks. The fault is "" if no lock is held, or a common one.
func (e *Evidence) unlocked(f *Finding) (wrong detect.LockFault, held []Lock) {
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
func (e *Evidence) locksAt(f *Finding) (first, second []Lock) {
	first, second, applies := e.LocksAt(f)
	if !applies {
		x, y := thread{Unit: f.FirstUnit, Lane: f.FirstLane}, thread{Unit: f.SecondUnit, Lane: f.SecondLane}
		return e.locks.held(x, f, f.Since), e.locks.held(y, f, e.Now())
	}
	own := func(l Lock) bool { return l.contains(f.At) }
	return slices.DeleteFunc(first, own), slices.DeleteFunc(second, own)
}

// scalar is the address and size of a strong operation.
type scalar struct {
	addr uint64
	size uint32
}

// contains reports whether an address is one of the lock's bytes.
func (s *scalar) contains(addr uint64) bool { return addr-s.addr < uint64(s.size) }

// held returns the locks of a thread at a time, without those that the finding is about.
func (k *locks) held(t thread, f *Finding, at stamp) (out []Lock) {
	list := k.holds[t]
	if list == nil {
		return nil
	}
	for _, h := range list.all[:list.n] {
		if h.from < at && (h.to == 0 || at <= h.to) && !h.contains(f.At) {
			out = append(out, h.Lock)
		}
	}
	return out
}

// real reports whether one of held has turned out to be a lock.
func (k *locks) real(held []Lock) bool {
	return slices.ContainsFunc(held, func(l Lock) bool { return k.dropped[l] })
}
