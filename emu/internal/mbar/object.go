// Package mbar holds the barrier objects of PTX, mbarriers: their 64 bits and the operations on them. It does not depend on
// threads, nor on the location of objects.
package mbar

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
)

// Object is a barrier object in shared memory (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"). A
// phase is complete when the pending count and the tx-count are both zero. The next one starts immediately, with the expected
// count pending.
//
// Operations that the manual leaves undefined are refused: on an object that has not been initialised or has been invalidated (as
// far as its bits show), counts outside of their ranges, more arrivals than are pending, and a .noComplete arrival that would
// complete the phase. Objects says where an object is valid, and must not be initialised again.
type Object struct {
	Pending  uint32 // arrivals until the phase may complete
	Expected uint32 // arrivals of a phase
	Tx       int32  // bytes of asynchronous operations expected minus bytes completed
	Phase    uint32 // parity of the current phase
}

// The 64 opaque bits of an object, which are those of a state too: pending in bits 0-19, expected in 20-39, tx-count in 40-60,
// parity in 61, and two bits that distinguish an object from other data, above all zeros.
const (
	countBits = 20
	MaxCount  = 1<<countBits - 1 // of arrivals, and of bytes in the tx-count (PTX ISA, "Contents of the mbarrier object")

	expectedShift = countBits
	txShift       = 2 * countBits
	txBits        = countBits + 1
	phaseShift    = txShift + txBits
	tagShift      = phaseShift + 1
	mbarrierTag   = 2
)

// Pack returns the object's 64 bits.
func (b Object) Pack() uint64 {
	return uint64(b.Pending) | uint64(b.Expected)<<expectedShift |
		uint64(b.Tx)&(1<<txBits-1)<<txShift | uint64(b.Phase)<<phaseShift | mbarrierTag<<tagShift
}

// Unpack decodes an object or a state; ok is false if the bits are neither.
func Unpack(w uint64) (b Object, ok bool) {
	b = Object{
		Pending: uint32(w & MaxCount), Expected: uint32(w >> expectedShift & MaxCount),
		Tx: int32(int64(w<<(64-phaseShift)) >> (64 - txBits)), Phase: uint32(w >> phaseShift & 1),
	}
	return b, w>>tagShift == mbarrierTag && b.Tx >= -MaxCount
}

// New implements mbarrier.init.
func New(count uint32) (Object, *diag.Violation) {
	if count == 0 || count > MaxCount {
		return Object{}, diag.Violationf("barrier-divergence", "mbarrier with a count of %d, expected 1 to %d", count, MaxCount)
	}
	return Object{Pending: count, Expected: count}, nil
}

// Expect implements the expect-tx operation.
func (b *Object) Expect(n uint32) *diag.Violation { return b.transact(int64(n)) }

// Done implements the complete-tx operation.
func (b *Object) Done(n uint32) *diag.Violation {
	if bad := b.transact(-int64(n)); bad != nil {
		return bad
	}
	b.advance()
	return nil
}

// transact adds to the tx-count.
func (b *Object) transact(n int64) *diag.Violation {
	tx := int64(b.Tx) + n
	if tx < -MaxCount || tx > MaxCount {
		return diag.Violationf("barrier-divergence", "the tx-count of the mbarrier becomes %d, beyond %d", tx, MaxCount)
	}
	b.Tx = int32(tx)
	return nil
}

// More implements the increment of the pending count by cp.async.mbarrier.arrive.
func (b *Object) More() *diag.Violation {
	if b.Pending == MaxCount {
		return diag.Violationf("barrier-divergence", "more than %d arrivals pending at an mbarrier", MaxCount)
	}
	b.Pending++
	return nil
}

// Arrival is an arrive-on operation.
type Arrival struct {
	Count      uint32
	Drop       bool // the arrival is not expected in later phases
	NoComplete bool // the phase must not complete
}

// Arrive implements the arrive-on operation.
func (b *Object) Arrive(a Arrival) *diag.Violation {
	switch {
	case a.Count == 0 || a.Count > MaxCount:
		return diag.Violationf("barrier-divergence", "%d arrivals at an mbarrier, expected 1 to %d", a.Count, MaxCount)
	case a.Count > b.Pending:
		return diag.Violationf("barrier-divergence", "%s at an mbarrier that has %d pending", diag.Plural(int(a.Count), "arrival"), b.Pending)
	case a.NoComplete && a.Count == b.Pending && b.Tx == 0:
		return diag.Violationf("barrier-divergence", "a .noComplete arrival would complete the phase of the mbarrier")
	}
	b.Pending -= a.Count
	if a.Drop {
		b.Expected -= a.Count
	}
	b.advance()
	return nil
}

// advance starts the next phase if the current one is complete.
func (b *Object) advance() {
	if b.Pending == 0 && b.Tx == 0 {
		b.Phase ^= 1
		b.Pending = b.Expected
	}
}

// Lacks describes what the current phase waits for.
func (b *Object) Lacks() string {
	var parts []string
	if b.Pending > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s", b.Pending, diag.Plural(int(b.Expected), "arrival")))
	}
	if b.Tx != 0 {
		parts = append(parts, fmt.Sprintf("%d bytes", b.Tx))
	}
	return strings.Join(parts, " and ")
}
