// Lock inference and lock tables of warps.

package scord

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Locks are inferred: atomicCAS followed by a fence takes one, atomicExch releases it
// (IV.A, "Detecting races due to lock/unlock").

// lock is an entry of a warp's lock table, 9 bits in hardware.
type lock struct {
	hash   uint8 // of the lock's address, 6 bits
	device bool  // scope
	valid  bool
	active bool
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
func (t *locks) acquire(addr uint64, device bool) {
	h := lockHash(addr)
	for i := range t.entries {
		if l := &t.entries[i]; l.valid && l.hash == h && l.device == device {
			return
		}
	}
	t.waiting, t.changed = true, t.changed || t.entries[t.next].active
	t.entries[t.next] = lock{hash: h, device: device, valid: true}
	t.next = (t.next + 1) % uint8(len(t.entries))
}

// fence activates the locks taken with the fence's scope or a narrower one.
func (t *locks) fence(device bool) {
	if !t.waiting {
		return
	}
	t.waiting, t.changed = false, true
	for i := range t.entries {
		l := &t.entries[i]
		if device || !l.device {
			l.active = l.valid
		}
		t.waiting = t.waiting || l.valid && !l.active
	}
}

// release handles an atomicExch.
func (t *locks) release(addr uint64, device bool) {
	h := lockHash(addr)
	for i := range t.entries {
		if l := &t.entries[i]; l.hash == h && l.device == device {
			t.changed = t.changed || l.active
			l.valid, l.active = false, false
		}
	}
}

// summary returns the Bloom filter of the locks held. A lock of block scope differs from block to block; one of device scope also
// excludes threads of the same block.
func (t *locks) summary(block uint32) (filter uint16) {
	if !t.changed {
		return t.filter
	}
	for _, l := range t.entries {
		if !l.valid || !l.active {
			continue
		}
		filter |= lockBits(l.hash, 1+block)
		if l.device {
			filter |= lockBits(l.hash, 0)
		}
	}
	t.filter, t.changed = filter, false
	return filter
}

// lockHash folds the address of a lock, at least a word, to six bits.
func lockHash(addr uint64) (h uint8) {
	for w := addr >> 2; w != 0; w >>= 6 {
		h ^= uint8(w & 0x3f)
	}
	return h
}

// lockBits returns the bits of one lock in a filter of two ways of 8 bits; scope is 0 for device scope.
func lockBits(hash uint8, scope uint32) uint16 {
	k := (uint32(hash) | scope<<6) * 0x9e3779b1
	return 1<<(k>>29) | 1<<(8+k>>26&7)
}

// infersLock reports whether an access may take or release a lock.
func infersLock(x *abi.Access) bool {
	return x.Access == abi.AccessRMW && x.Atomic != abi.AtomicOther
}

// inferLock updates the lock table of the warp.
func (s *Detector) inferLock(x *abi.Access, w uint32) {
	s.known = false
	device := deviceScope(x.Scope)
	for m := x.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		switch {
		case s.opts.LockValues && !lockValues(x, lane):
		case x.Atomic == abi.AtomicCAS:
			s.locks[w].acquire(x.At(lane), device)
		case x.Atomic == abi.AtomicExch:
			s.locks[w].release(x.At(lane), device)
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
