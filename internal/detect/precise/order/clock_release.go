// Lazy clocks of releases: the tree of the vector clock is made when it is needed.

package order

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/vclock"
)

// A thread that acquires a lock from another thread of its block usually learns only that thread's accesses: the rest
// of the clock comes from the barrier both have passed. The next barrier passes on all accesses of the block, so tree
// nodes made for the acquire would soon be replaced. Such a clock is therefore stored as the earlier clock, a thread
// and a time.

// maxBehind is the maximal length of a chain of clocks without a tree.
const maxBehind = 4

// releasedBy returns the clock of a snapshot by a thread: the snapshot, and the thread's own accesses.
func (m *Merges) releasedBy(t Thread, f Snapshot) *Clock {
	before := f.Clock
	switch {
	case before == nil || before.parts != nil:
		c := before.With(vclock.Threads(t.Unit, 1<<t.Lane, f.At))
		if c != before {
			c.By, c.At = t, f.At
		}
		return c
	case before.IncludesEager(t.Unit, int(t.Lane), f.At):
		return before
	}
	c := &Clock{
		Fenced: before.Fenced, By: t, At: f.At, Before: before, behind: before.behind + 1,
		Kind: before.Kind & HasBeside, latest: max(before.bound(), f.At),
	}
	if before.isBeside() { // one clock in place of two, so that the chain is shorter
		c.Known, c.Before, c.behind = before.Known, before.Before, before.behind
	}
	if c.isLong(m.Lazy.Longest) {
		c.treeBy(&m.builder)
	}
	return c
}

// isLong reports whether a chain of clocks is longer than it should be; longest is the length of one with lazy joins.
func (c *Clock) isLong(longest uint8) bool {
	return c.behind > maxBehind && (c.Kind&HasBeside == 0 || c.behind > longest)
}

// Tree returns known, which it makes on first use.
func (c *Clock) Tree() *vclock.Clock {
	if c.Before == nil {
		return c.Known
	}
	return c.treeBy(new(vclock.Builder))
}

// treeBy is tree with a Builder.
func (c *Clock) treeBy(to *vclock.Builder) *vclock.Clock {
	if c.Before == nil {
		return c.Known
	}
	var room [16]*Clock
	later, x := room[:0], c
	for ; x.Before != nil; x = x.Before {
		later = append(later, x)
	}
	known := x.Known
	for _, x := range slices.Backward(later) {
		known = to.Join(known, x.Known)
		if x.Kind&IsJoin == 0 {
			known = to.Add(known, x.own())
		}
	}
	to.Finish()
	if c.Kind&(hasMore|IsJoin) != 0 {
		c.At = 0
	}
	c.Known, c.Before, c.behind, c.Kind = known, nil, 0, 0
	return c.Known
}

// join returns the join of two clocks. If the tree of one has not been made, that is left so: the threads and times
// that are stored in its place are added to the join.
func (m *Merges) join(a, b *Clock) *Clock {
	switch {
	case b.covers(a):
		return b
	case a.covers(b):
		return a
	}
	if c := m.joinBeside(a, b); c != nil {
		return c
	}
	for _, c := range [...]*Clock{a, b} {
		if c.Kind&HasBeside != 0 {
			c.treeBy(&m.builder)
		}
	}
	switch {
	case a.Before == nil && b.Before == nil:
		return Merge(a, b)
	case a.behind > b.behind:
		a, b = b, a
	}
	oldestA, oldestB := a.oldest(), b.oldest()
	for x := b; x != oldestB; x = x.Before {
		m.builder.Keep(x.own())
	}
	known, fenced := m.builder.JoinKept(oldestA.Known, oldestB.Known), vclock.Join(a.Fenced, b.Fenced)
	switch {
	case known == oldestB.Known && fenced == b.Fenced && b.hasReleasesOf(a):
		m.builder.Finish()
		return b
	case known == oldestA.Known && fenced == a.Fenced && a.hasReleasesOf(b):
		m.builder.Finish()
		return a
	case known == oldestB.Known:
		for x := b; x != oldestB; x = x.Before {
			known = m.builder.Add(known, x.own())
		}
	}
	for x := a; x != oldestA; x = x.Before {
		known = m.builder.Add(known, x.own())
	}
	m.builder.Finish()
	if known == a.Known && fenced == a.Fenced {
		return a
	}
	return &Clock{Known: known, Fenced: fenced}
}

// oldest follows the fields before from c to the oldest clock of the chain: the only one whose tree is made.
func (c *Clock) oldest() *Clock {
	for c.Before != nil {
		c = c.Before
	}
	return c
}

// own returns what the clock of a release adds to the one before.
func (c *Clock) own() vclock.Entry {
	return vclock.Entry{Unit: c.By.Unit, Lane: int(c.By.Lane), At: c.At}
}

// hasReleasesOf reports whether clock c includes the time that each clock of the chain that ends with x adds to the
// clock before it.
func (c *Clock) hasReleasesOf(x *Clock) bool {
	for ; x.Before != nil; x = x.Before {
		if !c.IncludesEager(x.By.Unit, int(x.By.Lane), x.At) {
			return false
		}
	}
	return true
}

// MergeReleased returns the join of clock a with clock b of a release. If the tree of b has not been made, it joins a
// with the clock that the releasing thread had before, and adds that thread's own time. The thread has often observed
// a, and needs the same join when it acquires a at its next fence; it then finds the join in the cache.
func (m *Merges) MergeReleased(a, b *Clock) *Clock {
	if a == nil || b == nil || b.Before == nil || b.Known != nil || a.parts != nil || b.covers(a) || a.covers(b) {
		return m.Merge(a, b)
	}
	both := m.Merge(b.Before, a)
	switch {
	case both == b.Before:
		return b
	case both.IncludesEager(b.By.Unit, int(b.By.Lane), b.At):
		return both
	}
	if both.behind >= maxBehind {
		both.Tree()
	}
	return &Clock{
		Fenced: both.Fenced, By: b.By, At: b.At, Kind: hasMore | both.Kind&HasBeside, Before: both,
		behind: both.behind + 1, latest: max(both.bound(), b.At),
	}
}

// adds reports whether a clock with a clock before it adds a time of a thread of a unit.
func (c *Clock) adds(u Unit) bool { return c.By.Unit == u && c.Kind&IsJoin == 0 }

// bound returns an upper bound of all times.
func (c *Clock) bound() Stamp {
	if c.Before != nil {
		return c.latest
	}
	return c.Known.Latest()
}

// beyond returns the clock without its latest releases that n includes.
func (c *Clock) beyond(n *vclock.Clock) *Clock {
	for c.Before != nil && c.Known == nil && c.Kind&IsJoin == 0 && n.Includes(c.By.Unit, int(c.By.Lane), c.At) {
		c = c.Before
	}
	return c
}

// IncludesEager reports whether a clock that is no lazy join includes the accesses of a thread up to a stamp.
func (c *Clock) IncludesEager(u Unit, lane int, s Stamp) bool {
	for ; c.Before != nil; c = c.Before {
		switch {
		case c.latest < s:
			return false
		case c.At >= s && c.By.Unit == u && int(c.By.Lane) == lane && c.Kind&IsJoin == 0:
			return true
		case c.Known == nil:
		case c.Before.Before != nil && c.Before.At >= s && c.Before.adds(u) && int(c.Before.By.Lane) == lane:
			return true // the next one is likely to have what has just been acquired
		case c.Known.Includes(u, lane, s):
			return true
		}
	}
	return c.Known.Includes(u, lane, s)
}

// Most returns an upper bound of the times of the threads of a unit.
func (c *Clock) Most(u Unit) (at Stamp) {
	for ; c.Before != nil; c = c.Before {
		if c.adds(u) {
			at = max(at, c.At)
		}
		at = max(at, c.Known.Most(u))
	}
	return max(at, c.Known.Most(u))
}

// MostInBlock returns an upper bound of the times of the threads of the block of a unit.
func (c *Clock) MostInBlock(u Unit) (at Stamp) {
	for ; c.Before != nil; c = c.Before {
		if c.By.Unit>>RadixBits == u>>RadixBits && c.Kind&IsJoin == 0 {
			at = max(at, c.At)
		}
		at = max(at, c.Known.MostInBlock(u))
	}
	return max(at, c.Known.MostInBlock(u))
}

// Least returns a time up to which all threads of a unit are included.
func (c *Clock) Least(u Unit) Stamp {
	return c.oldest().Known.Least(u)
}
