// Package mbar holds the barrier objects of PTX, mbarriers: their 64 bits and the operations on them. It does not
// depend on threads, nor on the location of objects.
package mbar

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
)

// Object is a barrier object in shared memory (PTX ISA, "Parallel Synchronization and Communication Instructions:
// mbarrier"). A phase is complete when the pending count and the tx-count are both zero. The next one starts
// immediately, with the expected count pending.
//
// Operations that the manual leaves undefined are refused: on an object that has not been initialised or has been
// invalidated (as far as its bits show), counts outside of their ranges, more arrivals than are pending, and a
// .noComplete arrival that would complete the phase. Objects says where an object is valid, and must not be initialised
// again.
type Object struct {
	Pending  uint32 // arrivals until the phase may complete
	Expected uint32 // arrivals of a phase
	Tx       int32  // bytes of asynchronous operations expected minus bytes completed
	Phase    uint32 // parity of the current phase
	Payload         // of layout::v1
}

// Payload is what an object of layout::v1 has in addition: reports of asynchronous operations, and the conditional
// phase, which advances with the primary one unless there is a report (PTX ISA 9.4, "Conditional phase", "Phase
// Completion of the mbarrier object"). An object of layout::v0 has none: its value is zero, and its conditional phase
// equals the primary phase.
type Payload struct {
	V1          bool
	Report      Report // of the current primary phase
	Completed   Report // of the one before
	Conditional uint32 // parity of the current conditional phase
	Advanced    uint32 // parity of the primary phase that completed the conditional one before
}

// Report is a report predicate, in bit 8, and a report value.
type Report uint16

// reported is the predicate of a report.
const reported Report = 1 << 8

// Predicate returns the report predicate.
func (r Report) Predicate() bool { return r&reported != 0 }

// Value returns the report value.
func (r Report) Value() uint8 { return uint8(r) }

// The 64 opaque bits of an object, which are those of a state too: pending in bits 0-19, expected in 20-39, tx-count in
// 40-60, parity in 61, and two bits that distinguish an object from other data, above all zeros. In layout::v1 both
// counts have 9 bits; above the pending count are the report, and the two parities of the payload, above the expected
// count the report of the phase before and two zeros.
const (
	countBits  = 20
	MaxCount   = 1<<countBits - 1 // of arrivals, and of bytes in the tx-count (PTX ISA, "Contents of the mbarrier object")
	shortBits  = 9
	maxShort   = 1<<shortBits - 1 // of arrivals in layout::v1
	reportBits = 9

	reportShift      = shortBits
	conditionalShift = reportShift + reportBits
	advancedShift    = conditionalShift + 1
	expectedShift    = countBits
	completedShift   = expectedShift + shortBits
	spareShift       = completedShift + reportBits
	txShift          = 2 * countBits
	txBits           = countBits + 1
	phaseShift       = txShift + txBits
	tagShift         = phaseShift + 1
	mbarrierTag      = 2
	payloadTag       = 3 // layout::v1
)

// Pack returns the object's 64 bits.
func (b Object) Pack() uint64 {
	w := uint64(b.Pending) | uint64(b.Expected)<<expectedShift |
		uint64(b.Tx)&(1<<txBits-1)<<txShift | uint64(b.Phase)<<phaseShift
	if !b.V1 {
		return w | mbarrierTag<<tagShift
	}
	return w | uint64(b.Report)<<reportShift | uint64(b.Conditional)<<conditionalShift | uint64(b.Advanced)<<advancedShift |
		uint64(b.Completed)<<completedShift | payloadTag<<tagShift
}

// Unpack decodes an object or a state; ok is false if the bits are neither.
func Unpack(w uint64) (b Object, ok bool) {
	b = Object{
		Pending: uint32(w & MaxCount), Expected: uint32(w >> expectedShift & MaxCount),
		Tx: int32(int64(w<<(64-phaseShift)) >> (64 - txBits)), Phase: uint32(w >> phaseShift & 1),
	}
	switch ok = b.Tx >= -MaxCount; w >> tagShift {
	case mbarrierTag:
		return b, ok
	case payloadTag:
		b.Pending, b.Expected = b.Pending&maxShort, b.Expected&maxShort
		b.Payload = Payload{
			V1: true, Report: Report(w >> reportShift & (1<<reportBits - 1)),
			Completed:   Report(w >> completedShift & (1<<reportBits - 1)),
			Conditional: uint32(w >> conditionalShift & 1), Advanced: uint32(w >> advancedShift & 1),
		}
		return b, ok && w>>spareShift&3 == 0
	}
	return b, false
}

// New implements mbarrier.init, with layout::v1 if v1 is true, else layout::v0.
func New(count uint32, v1 bool) (Object, *diag.Violation) {
	b := Object{Pending: count, Expected: count, Payload: Payload{V1: v1}}
	if count == 0 || count > b.most() {
		return Object{}, diag.Violationf("barrier-divergence", "mbarrier with a count of %d, expected 1 to %d", count,
			b.most())
	}
	return b, nil
}

// most returns the largest count of arrivals.
func (b *Object) most() uint32 {
	if b.V1 {
		return maxShort
	}
	return MaxCount
}

// ReportOn implements the report-on operation: it sets the report predicate of the current phase, and adds bits to the
// value.
func (b *Object) ReportOn(value uint8) *diag.Violation {
	if !b.V1 {
		return diag.Violationf("mbarrier", "a report to an mbarrier of layout::v0, expected layout::v1")
	}
	b.Report |= reported | Report(value)
	return nil
}

// Passed reports whether the phase with a parity is complete, and the parity of the primary phase that completed it.
// The phase is the conditional one if conditional is true, else the primary one.
func (b *Object) Passed(parity uint32, conditional bool) (done bool, primary uint32) {
	if conditional && b.V1 {
		return b.Conditional != parity, b.Advanced
	}
	return b.Phase != parity, parity
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
	if b.Pending == b.most() {
		return diag.Violationf("barrier-divergence", "more than %d arrivals pending at an mbarrier", b.most())
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
	case a.Count == 0 || a.Count > b.most():
		return diag.Violationf("barrier-divergence", "%d arrivals at an mbarrier, expected 1 to %d", a.Count, b.most())
	case a.Count > b.Pending:
		return diag.Violationf("barrier-divergence", "%s at an mbarrier that has %d pending",
			diag.Plural(int(a.Count), "arrival"), b.Pending)
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
	if b.Pending != 0 || b.Tx != 0 {
		return
	}
	if b.V1 {
		if b.Report == 0 {
			b.Conditional, b.Advanced = b.Conditional^1, b.Phase
		}
		b.Completed, b.Report = b.Report, 0
	}
	b.Phase ^= 1
	b.Pending = b.Expected
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
