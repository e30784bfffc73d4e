// Vector clocks of threads.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"
)

// A unit is 32 threads with a common number: a warp, or the lanes of an asynchronous operation. The number is that of the block
// times 32, plus the number within the block.
type unit = vclock.Unit

// stamp is a point of logical time, which advances at every synchronisation. An access has the stamp of its thread's latest
// synchronisation.
type stamp = vclock.Time

const (
	radixBits = vclock.RadixBits
	radix     = vclock.Radix
	maxBlocks = 1 << 25
)

// clock is the vector clock of a thread. What it includes never changes.
type clock struct {
	known *vclock.Clock // accesses that are ordered before the thread's next one
	// fenced is the part of known made through the generic proxy that is also ordered before accesses through the asynchronous
	// proxy. In the papers' model, which has no proxies, it is the part that is ordered before by barriers alone.
	fenced *vclock.Clock
	// Thread by released this clock, or one that includes it, at time at; if kind has hasMore or isJoin, only a part of this clock. The
	// time at is 0 if no such release is known; isKnownTo may set it later.
	by thread
	at stamp
	// For the clock of a release, whose known is made lazily (clock_release.go): the clock of its thread before its own accesses,
	// and the length of the chain of such clocks up to one whose known is made.
	behind uint8
	kind   clockKind
	number uint16 // by which merges finds it, 0 as long as it has none; mutable
	before *clock // if it is set, known is nil, or what the clock has besides before (clock_beside.go)
	latest stamp  // with before: no time that the clock includes is later
	// For a join of parts, whose known is made lazily (clock_join.go).
	parts *parts
}

// clockKind is the flags of a lazy clock. A clock is lazy as long as its field before is set and its tree has not been built.
type clockKind uint8

const (
	// hasMore says that the clock is a join of what thread by released at time at with other clocks, which before includes.
	hasMore clockKind = 1 << iota
	// isJoin says that the clock is the join of before and known, and no more (joinBeside). Thread by has had known since time at.
	isJoin
	// hasBeside says that this clock, or one that is reached by the fields before, has both before and known.
	hasBeside
)

// covers reports whether clock c includes clock x, if comparisons of few times show it: a clock that includes thread x.by up to x.at
// includes what that thread released then. False means that c may or may not include x.
func (c *clock) covers(x *clock) bool {
	if x.fenced != nil && x.fenced != c.fenced {
		return false
	}
	for ; x.at != 0 && c.includesEager(x.by.unit, int(x.by.lane), x.at); x = x.before {
		if x.kind&(hasMore|isJoin) == 0 {
			return true
		}
	}
	return false
}

// isKnownTo records that thread t has had clock c since a time. A clock that includes t up to that time or later therefore includes all
// of c, which covers then finds by one comparison.
func (c *clock) isKnownTo(t thread, at stamp) {
	if c != nil && c.at == 0 && c.parts == nil && (c.before == nil || c.kind&isJoin != 0) {
		c.by, c.at = t, at
	}
}

// merge returns the join of two clocks.
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

// merges caches recent joins: threads often merge the same clocks one after another, and the release of one fence is published at
// several locations.
type merges struct {
	beside    bool // joinBeside may make joins
	lazy      joinTuning
	latest    uint16 // number of a clock
	builder   vclock.Builder
	pairs     [2048]clockPair
	snapshots [1 << snapshotBits]struct {
		snapshot
		unit  unit
		lanes uint32
		all   *clock
	}
}

const snapshotBits = 8

// clockPair holds two clocks and their join.
type clockPair struct{ a, b, both *clock }

// merge returns the join of two clocks, from the cache if possible.
func (m *merges) merge(a, b *clock) *clock {
	if a == b || a == nil || b == nil {
		return merge(a, b)
	}
	x := m.pair(a, b)
	if x.a != a || x.b != b {
		*x = clockPair{a, b, m.join(a, b)}
	}
	return x.both
}

// pair returns the cache slot of a and b. It depends on the order in which clocks were first joined and not on where they are in
// memory: a join that is made again is another clock, which may count as different where clocks are compared.
func (m *merges) pair(a, b *clock) *clockPair {
	return &m.pairs[(uint(m.numberOf(a))*31^uint(m.numberOf(b)))%uint(len(m.pairs))]
}

// numberOf returns the number of a clock. Numbers repeat after 65,535 clocks.
func (m *merges) numberOf(c *clock) uint16 {
	if c.number == 0 {
		if m.latest++; m.latest == 0 {
			m.latest = 1
		}
		c.number = m.latest
	}
	return c.number
}

// hasAll reports whether clock c includes clock x. Neither may be nil or a join whose known is not made.
func (m *merges) hasAll(c, x *clock) bool {
	p := m.pair(c, x)
	switch {
	case p.a == c && p.b == x:
		return p.both == c
	case x.before != nil && x.kind&isJoin == 0 && !c.includesEager(x.by.unit, int(x.by.lane), x.at):
		return false
	case c.covers(x), c.tree().Covers(x.tree()) && c.fenced.Covers(x.fenced):
		*p = clockPair{c, x, c}
		return true
	}
	return false
}

// ofLanes returns the clock of a snapshot shared by lanes of a unit: the snapshot and the lanes' own accesses.
func (m *merges) ofLanes(f snapshot, u unit, lanes uint32) *clock {
	x := &m.snapshots[(uint32(f.at)*0x9e3779b1+uint32(u)*0xc2b2ae35+lanes*0x85ebca6b)>>(32-snapshotBits)]
	if x.snapshot == f && x.unit == u && x.lanes == lanes {
		return x.all
	}
	var c *clock
	if lanes&(lanes-1) == 0 {
		c = m.releasedBy(thread{u, uint8(bits.TrailingZeros32(lanes))}, f)
	} else {
		c = f.clock.with(vclock.Threads(u, lanes, f.at))
	}
	x.snapshot, x.unit, x.lanes, x.all = f, u, lanes, c
	return c
}

// with returns clock c joined with n.
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

// includes reports whether the clock includes the accesses of a thread up to a stamp.
func (c *clock) includes(u unit, lane int, s stamp) bool {
	return c != nil && (c.includesEager(u, lane, s) || c.parts != nil && c.partsInclude(u, lane, s))
}

// includesAll is includes for all lanes in mask.
func (c *clock) includesAll(u unit, mask uint32, s stamp) bool {
	if mask&(mask-1) != 0 && c != nil && c.parts == nil {
		for ; c.before != nil && mask != 0; c = c.before {
			if c.adds(u) && c.at >= s {
				mask &^= 1 << c.by.lane
			}
			mask &^= c.known.Reached(u, s)
		}
		if c.parts == nil {
			return mask&^c.known.Reached(u, s) == 0
		}
	}
	for ; mask != 0; mask &= mask - 1 {
		if !c.includes(u, bits.TrailingZeros32(mask), s) {
			return false
		}
	}
	return true
}
