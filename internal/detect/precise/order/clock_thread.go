// Threads, and what they release.

package order

import "math/bits"

// Thread is a lane of a unit.
type Thread struct {
	Unit Unit
	Lane uint8
}

// In returns the lane of a thread if it is of unit u, else 0.
func (t Thread) In(u Unit) uint32 {
	if t.Unit != u {
		return 0
	}
	return 1 << t.Lane
}

// NoLane stands, in place of a lane, for a clock that barriers have passed on to a thread of the unit.
const NoLane = Radix

// SameAs reports whether two threads that have made the same release are equal, or are both noLane in one block.
func (t Thread) SameAs(o Thread) bool {
	return t == o || t.Lane == NoLane && o.Lane == NoLane && t.Unit>>RadixBits == o.Unit>>RadixBits
}

// Snapshot is the clock that a thread could release at some time, without the thread's own accesses.
type Snapshot struct {
	Clock *Clock
	At    Stamp // 0 for an empty snapshot
}

// Of returns the clock of a snapshot by a thread: the snapshot, and the thread's own accesses. Lane noLane adds none.
func (m *Merges) Of(f Snapshot, t Thread) *Clock {
	if t.Lane == NoLane {
		return f.Clock.Made(m)
	}
	return m.OfLanes(f, t.Unit, 1<<t.Lane)
}

// OrNone returns c, or an empty clock for nil.
func (c *Clock) OrNone() *Clock {
	if c == nil {
		return &Clock{}
	}
	return c
}

// IncludesAny reports whether the clock includes the accesses up to a stamp of any lane in mask.
func (c *Clock) IncludesAny(u Unit, mask uint32, s Stamp) bool {
	for ; mask != 0; mask &= mask - 1 {
		if c.Includes(u, bits.TrailingZeros32(mask), s) {
			return true
		}
	}
	return false
}

// Includes reports whether a snapshot of thread of includes the accesses of thread t up to a time.
func (f *Snapshot) Includes(of, t Thread, at Stamp) bool {
	return f.At != 0 && (f.At >= at && of == t || f.Clock.Includes(t.Unit, int(t.Lane), at))
}
