// Lock inference and lock tables of warps.

package scord

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Locks are inferred: atomicCAS followed by a fence takes one, atomicExch releases it
// (IV.A, "Detecting races due to lock/unlock").

// lock is an entry of a warp's lock table, 9 bits as in hardware: the hash of the lock's address, 6 bits, and flags.
type lock uint16

const (
	lockDevice lock = 1 << (iota + lockHashBits) // scope
	lockValid
	lockActive

	lockHashBits = 6
)

// lockOf returns the entry of a lock that has been taken, without a fence after it.
func lockOf(addr uint64, device bool) lock {
	l := lockValid | lockHash(addr)
	if device {
		l |= lockDevice
	}
	return l
}

// locks is the lock table of a warp: a circular buffer of four entries, and what follows from them.
type locks struct {
	entries [4]lock
	next    uint8
	waiting bool   // some valid entries are not active
	changed bool   // filter is not up to date
	filter  uint16 // Bloom filter of the locks held
}

// acquire handles an atomicCAS. While a warp spins, it takes one entry.
func (t *locks) acquire(taken lock) {
	for _, l := range t.entries {
		if l&^lockActive == taken {
			return
		}
	}
	t.waiting, t.changed = true, t.changed || t.entries[t.next]&lockActive != 0
	t.entries[t.next] = taken
	t.next = (t.next + 1) % uint8(len(t.entries))
}

// fence activates the locks taken with the fence's scope or a narrower one.
func (t *locks) fence(device bool) {
	if !t.waiting {
		return
	}
	t.waiting, t.changed = false, true
	for i, l := range t.entries {
		switch {
		case l&lockValid == 0 || l&lockActive != 0:
		case device || l&lockDevice == 0:
			t.entries[i] |= lockActive
		default:
			t.waiting = true
		}
	}
}

// release handles an atomicExch of the lock that has been taken.
func (t *locks) release(taken lock) {
	for i, l := range t.entries {
		if l&^lockActive == taken {
			t.changed = t.changed || l&lockActive != 0
			t.entries[i] = 0
		}
	}
}

// summary returns the Bloom filter of the locks held. A lock of block scope differs from block to block; one of device
// scope also excludes threads of the same block.
func (t *locks) summary(block uint32) (filter uint16) {
	if !t.changed {
		return t.filter
	}
	for _, l := range t.entries {
		if l&lockActive == 0 {
			continue
		}
		hash := l % (1 << lockHashBits)
		filter |= lockBits(hash, 1+block)
		if l&lockDevice != 0 {
			filter |= lockBits(hash, 0)
		}
	}
	t.filter, t.changed = filter, false
	return filter
}

// lockHash folds the address of a lock, at least a word, to six bits: the exclusive or of all groups of six bits.
func lockHash(addr uint64) lock {
	w := addr >> 2
	w ^= w >> (8 * lockHashBits)
	w ^= w >> (4 * lockHashBits)
	w ^= w >> (2 * lockHashBits)
	w ^= w >> lockHashBits
	return lock(w % (1 << lockHashBits))
}

// lockBits returns the bits of one lock in a filter of two ways of 8 bits; scope is 0 for device scope.
func lockBits(hash lock, scope uint32) uint16 {
	k := (uint32(hash) | scope<<6) * 0x9e3779b1
	return 1<<(k>>29) | 1<<(8+k>>26&7)
}

// infersLock reports whether an access may take or release a lock.
func infersLock(x *abi.Access) bool {
	return x.Access == abi.AccessRMW && x.Atomic != abi.AtomicOther
}

// inferLock updates the lock table of the warp.
func (s *Detector) inferLock(x *abi.Access, w uint32) {
	device := deviceScope(x.Scope)
	for m := x.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		switch {
		case s.opts.LockValues && !lockValues(x, lane):
		case x.Atomic == abi.AtomicCAS:
			s.locks[w].acquire(lockOf(x.At(lane), device))
		case x.Atomic == abi.AtomicExch:
			s.locks[w].release(lockOf(x.At(lane), device))
		}
	}
}

// lockValues reports whether a CAS has found 0 and written, or an Exch writes 0.
func lockValues(x *abi.Access, lane int) bool {
	switch {
	case x.New == nil || x.Old == nil:
		return false
	case x.Atomic == abi.AtomicCAS:
		return x.Wrote>>lane&1 != 0 && x.Old[lane] == 0
	}
	return x.New[lane] == 0
}
