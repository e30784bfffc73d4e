// Vector clocks of threads.

package precise

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"
)

// A unit is 32 threads that share a number: a warp, or the lanes of an asynchronous
// operation. The number is that of its block, times 32, plus that within the block.
type unit = vclock.Unit

// stamp is a point of logical time, which passes at every synchronisation. An access
// has the stamp of the thread's latest synchronisation.
type stamp = vclock.Time

const (
	radixBits = vclock.RadixBits
	radix     = vclock.Radix
	maxBlocks = 1 << 25
)

// clock is what a thread knows. It never changes once it is made.
type clock struct {
	known *vclock.Clock // accesses that are ordered before
	// fenced are those accesses of known through the generic proxy that are ordered
	// before accesses through the asynchronous proxy too. In the papers' model, which has no
	// proxies, they are those that barriers alone order before.
	fenced *vclock.Clock
	// It is all that a thread had to release at a time; at is 0 when that is not known.
	by thread
	at stamp
	// Of the clock of a release, which has known only once it has been made (clock_release.go): what its thread knew,
	// and how many clocks there are from here to one that has known.
	behind uint8
	knew   *clock
	// Of a join of parts, which has known only once it has been made (clock_join.go).
	parts *parts
}

// covers reports whether a clock knows all of another one, when that is easily told: who
// knows a thread up to some stamp knows what it knew.
func (c *clock) covers(x *clock) bool {
	return x.at != 0 && (x.fenced == nil || x.fenced == c.fenced) && c.includes(x.by.unit, int(x.by.lane), x.at)
}

// merge is what two clocks know together.
func merge(a, b *clock) *clock {
	switch {
	case a == b || b == nil:
		return a
	case a == nil, b.covers(a):
		return b
	case a.covers(b):
		return a
	}
	known, fenced := vclock.Join(a.tree(), b.tree()), vclock.Join(a.fenced, b.fenced)
	switch {
	case known == a.known && fenced == a.fenced:
		return a
	case known == b.known && fenced == b.fenced:
		return b
	}
	return &clock{known: known, fenced: fenced}
}

// merges are the latest that were made: threads often merge the same clocks one after
// another, and what a fence releases is released at several locations.
type merges struct {
	pairs     [1024]clockPair
	snapshots [1 << snapshotBits]struct {
		snapshot
		unit  unit
		lanes uint32
		all   *clock
	}
}

const snapshotBits = 8

// clockPair is two clocks, and what they know together.
type clockPair struct{ a, b, both *clock }

// merge is what two clocks know together.
func (m *merges) merge(a, b *clock) *clock {
	if a == b || a == nil || b == nil {
		return merge(a, b)
	}
	x := m.pair(a, b)
	if x.a != a || x.b != b {
		*x = clockPair{a, b, merge(a, b)}
	}
	return x.both
}

// pair is where two clocks and what they know together have their place.
func (m *merges) pair(a, b *clock) *clockPair {
	return &m.pairs[(uintptr(unsafe.Pointer(a))/16*31^uintptr(unsafe.Pointer(b))/16)%uintptr(len(m.pairs))]
}

// hasAll reports whether one clock knows all that another one does, neither of which is nil or a join of parts that is not made.
func (m *merges) hasAll(c, x *clock) bool {
	p := m.pair(c, x)
	switch {
	case p.a == c && p.b == x:
		return p.both == c
	case c.covers(x), c.tree().Covers(x.tree()) && c.fenced.Covers(x.fenced):
		*p = clockPair{c, x, c}
		return true
	}
	return false
}

// ofLanes is the clock of a snapshot that lanes of a unit share: what they knew, and their own accesses.
func (m *merges) ofLanes(f snapshot, u unit, lanes uint32) *clock {
	x := &m.snapshots[(uint32(f.at)*0x9e3779b1+uint32(u)*0xc2b2ae35+lanes*0x85ebca6b)>>(32-snapshotBits)]
	if x.snapshot == f && x.unit == u && x.lanes == lanes {
		return x.all
	}
	var c *clock
	if lanes&(lanes-1) == 0 {
		c = releasedBy(thread{u, uint8(bits.TrailingZeros32(lanes))}, f)
	} else {
		c = f.clock.with(vclock.Threads(u, lanes, f.at))
	}
	x.snapshot, x.unit, x.lanes, x.all = f, u, lanes, c
	return c
}

// with is a clock that knows n too.
func (c *clock) with(n *vclock.Clock) *clock {
	if c == nil {
		return &clock{known: n}
	}
	x := c.beyond(n)
	known := vclock.Join(x.tree(), n)
	if known == c.known && x == c {
		return c
	}
	return &clock{known: known, fenced: c.fenced}
}

// knows reports whether what a thread has done up to a stamp is known.
func (c *clock) knows(u unit, lane int, s stamp) bool {
	return c != nil && (c.includes(u, lane, s) || c.parts != nil && c.partsTell(u, lane, s))
}

// knowsAll is knows of all lanes in mask.
func (c *clock) knowsAll(u unit, mask uint32, s stamp) bool {
	if mask&(mask-1) != 0 && c != nil && c.least(u) >= s {
		return true
	}
	for ; mask != 0; mask &= mask - 1 {
		if !c.knows(u, bits.TrailingZeros32(mask), s) {
			return false
		}
	}
	return true
}
