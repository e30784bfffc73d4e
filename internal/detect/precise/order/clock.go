// Vector clocks of threads.

package order

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/vclock"
)

// Unit is 32 threads with a common number: a warp, or the lanes of an asynchronous operation. The number is that of the
// block times 32, plus the number within the block.
type Unit = vclock.Unit

// Stamp is a point of logical time, which advances at every synchronisation. An access has the stamp of its thread's
// latest synchronisation.
type Stamp = vclock.Time

// Sizes of clocks: children of a node as a power of two and as a number, and blocks of a grid.
const (
	RadixBits = vclock.RadixBits
	Radix     = vclock.Radix
	MaxBlocks = 1 << 25
)

// Clock is the vector clock of a thread. What it includes never changes.
type Clock struct {
	Known *vclock.Clock // accesses that are ordered before the thread's next one
	// Fenced is the part of known made through the generic proxy that is also ordered before accesses through the
	// asynchronous proxy. In the papers' model, which has no proxies, it is the part that is ordered before by barriers
	// alone.
	Fenced *vclock.Clock
	// Thread by released this clock, or one that includes it, at time at; if kind has hasMore or isJoin, only a part of
	// this clock. The time at is 0 if no such release is known; isKnownTo may set it later.
	By Thread
	At Stamp
	// For the clock of a release, whose known is made lazily (clock_release.go): the clock of its thread before its own
	// accesses, and the length of the chain of such clocks up to one whose known is made.
	behind uint8
	Kind   clockKind
	number uint16 // by which merges finds it, 0 as long as it has none; mutable
	Before *Clock // if it is set, known is nil, or what the clock has besides before (clock_beside.go)
	latest Stamp  // with before: no time that the clock includes is later
	// For a join of parts, whose known is made lazily (clock_join.go).
	parts *parts
}

// clockKind is the flags of a lazy clock. A clock is lazy as long as its field before is set and its tree has not been
// built.
type clockKind uint8

const (
	// hasMore says that the clock is a join of what thread by released at time at with other clocks, which before
	// includes.
	hasMore clockKind = 1 << iota
	// IsJoin says that the clock is the join of before and known, and no more (joinBeside). Thread by has had known
	// since time at.
	IsJoin
	// HasBeside says that this clock, or one that is reached by the fields before, has both before and known.
	HasBeside
)

// covers reports whether clock c includes clock x, if comparisons of few times show it: a clock that includes thread
// x.by up to x.at includes what that thread released then. False means that c may or may not include x.
func (c *Clock) covers(x *Clock) bool {
	if x.Fenced != nil && x.Fenced != c.Fenced {
		return false
	}
	for ; x.At != 0 && c.IncludesEager(x.By.Unit, int(x.By.Lane), x.At); x = x.Before {
		if x.Kind&(hasMore|IsJoin) == 0 {
			return true
		}
	}
	return false
}

// IsKnownTo records that thread t has had clock c since a time. A clock that includes t up to that time or later
// therefore includes all of c, which covers then finds by one comparison.
func (c *Clock) IsKnownTo(t Thread, at Stamp) {
	if c != nil && c.At == 0 && c.parts == nil && (c.Before == nil || c.Kind&IsJoin != 0) {
		c.By, c.At = t, at
	}
}

// Merge returns the join of two clocks.
func Merge(a, b *Clock) *Clock {
	switch {
	case a == b || b == nil:
		return a
	case a == nil, b.covers(a):
		return b
	case a.covers(b):
		return a
	}
	known, fenced := vclock.Join(a.Tree(), b.Tree()), vclock.Join(a.Fenced, b.Fenced)
	switch {
	case known == a.Known && fenced == a.Fenced:
		return a
	case known == b.Known && fenced == b.Fenced:
		return b
	}
	return &Clock{Known: known, Fenced: fenced}
}

// Merges caches recent joins: threads often merge the same clocks one after another, and the release of one fence is
// published at several locations.
type Merges struct {
	Beside  bool // joinBeside may make joins
	Lazy    JoinTuning
	latest  uint16 // number of a clock
	builder vclock.Builder
	made    *mergesMade // nil before the first one
}

// mergesMade is the entries of the cache. Most launches without synchronisation need none.
type mergesMade struct {
	pairs     [2048]ClockPair
	snapshots [1 << snapshotBits]struct {
		Snapshot
		unit  Unit
		lanes uint32
		all   *Clock
	}
}

// entries returns the entries of the cache.
func (m *Merges) entries() *mergesMade {
	if m.made == nil {
		m.made = new(mergesMade)
	}
	return m.made
}

// Pairs returns the joins in the cache.
func (m *Merges) Pairs() []ClockPair { return m.entries().pairs[:] }

const snapshotBits = 8

// ClockPair holds two clocks and their join.
type ClockPair struct{ a, b, Both *Clock }

// Merge returns the join of two clocks, from the cache if possible.
func (m *Merges) Merge(a, b *Clock) *Clock {
	if a == b || a == nil || b == nil {
		return Merge(a, b)
	}
	x := m.pair(a, b)
	if x.a != a || x.b != b {
		*x = ClockPair{a, b, m.join(a, b)}
	}
	return x.Both
}

// pair returns the cache slot of a and b. It depends on the order in which clocks were first joined and not on where
// they are in memory: a join that is made again is another clock, which may count as different where clocks are
// compared.
func (m *Merges) pair(a, b *Clock) *ClockPair {
	pairs := &m.entries().pairs
	return &pairs[(uint(m.numberOf(a))*31^uint(m.numberOf(b)))%uint(len(pairs))]
}

// numberOf returns the number of a clock. Numbers repeat after 65,535 clocks.
func (m *Merges) numberOf(c *Clock) uint16 {
	if c.number == 0 {
		if m.latest++; m.latest == 0 {
			m.latest = 1
		}
		c.number = m.latest
	}
	return c.number
}

// hasAll reports whether clock c includes clock x. Neither may be nil or a join whose known is not made.
func (m *Merges) hasAll(c, x *Clock) bool {
	p := m.pair(c, x)
	switch {
	case p.a == c && p.b == x:
		return p.Both == c
	case x.Before != nil && x.Kind&IsJoin == 0 && !c.IncludesEager(x.By.Unit, int(x.By.Lane), x.At):
		return false
	case c.covers(x), c.Tree().Covers(x.Tree()) && c.Fenced.Covers(x.Fenced):
		*p = ClockPair{c, x, c}
		return true
	}
	return false
}

// OfLanes returns the clock of a snapshot shared by lanes of a unit: the snapshot and the lanes' own accesses.
func (m *Merges) OfLanes(f Snapshot, u Unit, lanes uint32) *Clock {
	x := &m.entries().snapshots[(uint32(f.At)*0x9e3779b1+uint32(u)*0xc2b2ae35+lanes*0x85ebca6b)>>(32-snapshotBits)]
	if x.Snapshot == f && x.unit == u && x.lanes == lanes {
		return x.all
	}
	var c *Clock
	if lanes&(lanes-1) == 0 {
		c = m.releasedBy(Thread{u, uint8(bits.TrailingZeros32(lanes))}, f)
	} else {
		c = f.Clock.With(vclock.Threads(u, lanes, f.At))
	}
	x.Snapshot, x.unit, x.lanes, x.all = f, u, lanes, c
	return c
}

// With returns clock c joined with n.
func (c *Clock) With(n *vclock.Clock) *Clock {
	if c == nil {
		return &Clock{Known: n}
	}
	x := c.beyond(n)
	known := vclock.Join(x.Tree(), n)
	if known == c.Known && x == c {
		return c
	}
	return &Clock{Known: known, Fenced: c.Fenced}
}

// Includes reports whether the clock includes the accesses of a thread up to a stamp.
func (c *Clock) Includes(u Unit, lane int, s Stamp) bool {
	return c != nil && (c.IncludesEager(u, lane, s) || c.parts != nil && c.partsInclude(u, lane, s))
}

// Reached returns the lanes of a unit whose accesses up to a stamp the clock includes. Of a join of parts, it may lack
// some.
func (c *Clock) Reached(u Unit, s Stamp) (lanes uint32) {
	for ; c.Before != nil; c = c.Before {
		if c.latest < s {
			return lanes
		}
		if c.adds(u) && c.At >= s {
			lanes |= 1 << c.By.Lane
		}
		lanes |= c.Known.Reached(u, s)
	}
	return lanes | c.Known.Reached(u, s)
}

// IncludesAll is includes for all lanes in mask.
func (c *Clock) IncludesAll(u Unit, mask uint32, s Stamp) bool {
	if mask&(mask-1) != 0 && c != nil && c.parts == nil {
		mask &^= c.Reached(u, s)
		if c = c.oldest(); c.parts == nil {
			return mask == 0
		}
	}
	for ; mask != 0; mask &= mask - 1 {
		if !c.Includes(u, bits.TrailingZeros32(mask), s) {
			return false
		}
	}
	return true
}
