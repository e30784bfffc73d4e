package emu

import "fmt"

// mbarrier is a barrier object in shared memory (PTX ISA, "Parallel
// Synchronization and Communication Instructions: mbarrier"). A phase is complete
// when the pending count and the tx-count are both zero; the next one starts at
// once, with the expected count pending.
//
// What the manual leaves undefined is refused: an object that has not been
// initialised or has been invalidated (as far as its bits tell), counts outside
// their ranges, more arrivals than are pending, a .noComplete arrival that would
// complete the phase, and mbarrier.init in the middle of a phase. mbarrier.init of an
// object between phases is let pass, as devices do.
type mbarrier struct {
	pending  uint32 // arrivals until the phase may complete
	expected uint32 // arrivals of a phase
	tx       int32  // bytes of asynchronous operations expected minus those done
	phase    uint32 // parity of the phase in progress
}

// Of the 64 opaque bits of an object, which are those of a state too: pending in
// bits 0-19, expected in 20-39, tx-count in 40-60, parity in 61, and two bits that
// tell an object from other data, zeros above all.
const (
	countBits = 20
	maxCount  = 1<<countBits - 1 // of arrivals, and of bytes in the tx-count (PTX ISA, "Contents of the mbarrier object")

	expectedShift = countBits
	txShift       = 2 * countBits
	txBits        = countBits + 1
	phaseShift    = txShift + txBits
	tagShift      = phaseShift + 1
	mbarrierTag   = 2
)

// pack is the object's 64 bits.
func (b mbarrier) pack() uint64 {
	return uint64(b.pending) | uint64(b.expected)<<expectedShift |
		uint64(b.tx)&(1<<txBits-1)<<txShift | uint64(b.phase)<<phaseShift | mbarrierTag<<tagShift
}

// unpackMbarrier reads an object or a state; ok is false when the bits are neither.
func unpackMbarrier(w uint64) (b mbarrier, ok bool) {
	b = mbarrier{
		pending: uint32(w & maxCount), expected: uint32(w >> expectedShift & maxCount),
		tx: int32(int64(w<<(64-phaseShift)) >> (64 - txBits)), phase: uint32(w >> phaseShift & 1),
	}
	return b, w>>tagShift == mbarrierTag && b.tx >= -maxCount
}

// violationf makes a violation.
func violationf(class, format string, args ...any) *violation {
	return &violation{class, fmt.Sprintf(format, args...)}
}

// newMbarrier is mbarrier.init.
func newMbarrier(count uint32) (mbarrier, *violation) {
	if count == 0 || count > maxCount {
		return mbarrier{}, violationf("barrier-divergence", "mbarrier with a count of %d, expected 1 to %d", count, maxCount)
	}
	return mbarrier{pending: count, expected: count}, nil
}

// idle reports whether the phase in progress is still as it began.
func (b *mbarrier) idle() bool { return b.pending == b.expected && b.tx == 0 }

// expect is the expect-tx operation.
func (b *mbarrier) expect(n uint32) *violation { return b.transact(int64(n)) }

// done is the complete-tx operation.
func (b *mbarrier) done(n uint32) *violation {
	if bad := b.transact(-int64(n)); bad != nil {
		return bad
	}
	b.advance()
	return nil
}

// transact adds to the tx-count.
func (b *mbarrier) transact(n int64) *violation {
	tx := int64(b.tx) + n
	if tx < -maxCount || tx > maxCount {
		return violationf("barrier-divergence", "the tx-count of the mbarrier becomes %d, beyond %d", tx, maxCount)
	}
	b.tx = int32(tx)
	return nil
}

// more is the increment of the pending count by cp.async.mbarrier.arrive.
func (b *mbarrier) more() *violation {
	if b.pending == maxCount {
		return violationf("barrier-divergence", "more than %d arrivals pending at an mbarrier", maxCount)
	}
	b.pending++
	return nil
}

// arrival is an arrive-on operation.
type arrival struct {
	count      uint32
	drop       bool // expected no more in later phases
	noComplete bool // must leave the phase in progress
}

// arrive is the arrive-on operation.
func (b *mbarrier) arrive(a arrival) *violation {
	switch {
	case a.count == 0 || a.count > maxCount:
		return violationf("barrier-divergence", "%d arrivals at an mbarrier, expected 1 to %d", a.count, maxCount)
	case a.count > b.pending:
		return violationf("barrier-divergence", "%s at an mbarrier that has %d pending", plural(int(a.count), "arrival"), b.pending)
	case a.noComplete && a.count == b.pending && b.tx == 0:
		return violationf("barrier-divergence", "a .noComplete arrival would complete the phase of the mbarrier")
	}
	b.pending -= a.count
	if a.drop {
		b.expected -= a.count
	}
	b.advance()
	return nil
}

// advance starts the next phase when this one is complete.
func (b *mbarrier) advance() {
	if b.pending == 0 && b.tx == 0 {
		b.phase ^= 1
		b.pending = b.expected
	}
}
