// Lazy clocks of releases: the tree of the vector clock is made when it is needed.

package precise

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"
)

// A thread that acquires a lock from another thread of its block usually learns only that thread's accesses: the rest of the
// clock comes from the barrier both have passed. The next barrier passes on all accesses of the block, so tree nodes made for the
// acquire would soon be replaced. Such a clock is therefore stored as the earlier clock, a thread and a time.

// maxBehind is the maximal length of a chain of clocks without a tree.
const maxBehind = 4

// releasedBy returns the clock of a snapshot by a thread: the snapshot, and the thread's own accesses.
func (m *merges) releasedBy(t thread, f snapshot) *clock {
	before := f.clock
	switch {
	case before == nil || before.parts != nil:
		c := before.with(vclock.Threads(t.unit, 1<<t.lane, f.at))
		if c != before {
			c.by, c.at = t, f.at
		}
		return c
	case before.includesEager(t.unit, int(t.lane), f.at):
		return before
	}
	c := &clock{fenced: before.fenced, by: t, at: f.at, before: before, behind: before.behind + 1, kind: before.kind & hasBeside, latest: max(before.bound(), f.at)}
	if before.isBeside() { // one clock in place of two, so that the chain is shorter
		c.known, c.before, c.behind = before.known, before.before, before.behind
	}
	if c.isLong(m.lazy.longest) {
		c.treeBy(&m.builder)
	}
	return c
}

// isLong reports whether a chain of clocks is longer than it should be; longest is the length of one with lazy joins.
func (c *clock) isLong(longest uint8) bool {
	return c.behind > maxBehind && (c.kind&hasBeside == 0 || c.behind > longest)
}

// tree returns known, which it makes on first use.
func (c *clock) tree() *vclock.Clock {
	if c.before == nil {
		return c.known
	}
	return c.treeBy(new(vclock.Builder))
}

// treeBy is tree with a Builder.
func (c *clock) treeBy(to *vclock.Builder) *vclock.Clock {
	if c.before == nil {
		return c.known
	}
	var room [16]*clock
	later, x := room[:0], c
	for ; x.before != nil; x = x.before {
		later = append(later, x)
	}
	known := x.known
	for _, x := range slices.Backward(later) {
		known = to.Join(known, x.known)
		if x.kind&isJoin == 0 {
			known = to.Add(known, x.own())
		}
	}
	to.Finish()
	if c.kind&(hasMore|isJoin) != 0 {
		c.at = 0
	}
	c.known, c.before, c.behind, c.kind = known, nil, 0, 0
	return c.known
}

// join returns the join of two clocks. If the tree of one has not been made, that is left so: the threads and times that are stored
// in its place are added to the join.
func (m *merges) join(a, b *clock) *clock {
	switch {
	case b.covers(a):
		return b
	case a.covers(b):
		return a
	}
	if c := m.joinBeside(a, b); c != nil {
		return c
	}
	for _, c := range [...]*clock{a, b} {
		if c.kind&hasBeside != 0 {
			c.treeBy(&m.builder)
		}
	}
	switch {
	case a.before == nil && b.before == nil:
		return merge(a, b)
	case a.behind > b.behind:
		a, b = b, a
	}
	oldestA, oldestB := a.oldest(), b.oldest()
	for x := b; x != oldestB; x = x.before {
		m.builder.Keep(x.own())
	}
	known, fenced := m.builder.JoinKept(oldestA.known, oldestB.known), vclock.Join(a.fenced, b.fenced)
	switch {
	case known == oldestB.known && fenced == b.fenced && b.hasReleasesOf(a):
		m.builder.Finish()
		return b
	case known == oldestA.known && fenced == a.fenced && a.hasReleasesOf(b):
		m.builder.Finish()
		return a
	case known == oldestB.known:
		for x := b; x != oldestB; x = x.before {
			known = m.builder.Add(known, x.own())
		}
	}
	for x := a; x != oldestA; x = x.before {
		known = m.builder.Add(known, x.own())
	}
	m.builder.Finish()
	if known == a.known && fenced == a.fenced {
		return a
	}
	return &clock{known: known, fenced: fenced}
}

// oldest follows the fields before from c to the oldest clock of the chain: the only one whose tree is made.
func (c *clock) oldest() *clock {
	for c.before != nil {
		c = c.before
	}
	return c
}

// own returns what the clock of a release adds to the one before.
func (c *clock) own() vclock.Entry {
	return vclock.Entry{Unit: c.by.unit, Lane: int(c.by.lane), At: c.at}
}

// hasReleasesOf reports whether clock c includes the time that each clock of the chain that ends with x adds to the clock before it.
func (c *clock) hasReleasesOf(x *clock) bool {
	for ; x.before != nil; x = x.before {
		if !c.includesEager(x.by.unit, int(x.by.lane), x.at) {
			return false
		}
	}
	return true
}

// mergeReleased returns the join of clock a with clock b of a release. If the tree of b has not been made, it joins a with the clock that
// the releasing thread had before, and adds that thread's own time. The thread has often observed a, and needs the same join when it
// acquires a at its next fence; it then finds the join in the cache.
func (m *merges) mergeReleased(a, b *clock) *clock {
	if a == nil || b == nil || b.before == nil || b.known != nil || a.parts != nil || b.covers(a) || a.covers(b) {
		return m.merge(a, b)
	}
	both := m.merge(b.before, a)
	switch {
	case both == b.before:
		return b
	case both.includesEager(b.by.unit, int(b.by.lane), b.at):
		return both
	}
	if both.behind >= maxBehind {
		both.tree()
	}
	return &clock{fenced: both.fenced, by: b.by, at: b.at, kind: hasMore | both.kind&hasBeside, before: both, behind: both.behind + 1, latest: max(both.bound(), b.at)}
}

// adds reports whether a clock with a clock before it adds a time of a thread of a unit.
func (c *clock) adds(u unit) bool { return c.by.unit == u && c.kind&isJoin == 0 }

// bound returns an upper bound of all times.
func (c *clock) bound() stamp {
	if c.before != nil {
		return c.latest
	}
	return c.known.Latest()
}

// beyond returns the clock without its latest releases that n includes.
func (c *clock) beyond(n *vclock.Clock) *clock {
	for c.before != nil && c.known == nil && c.kind&isJoin == 0 && n.Includes(c.by.unit, int(c.by.lane), c.at) {
		c = c.before
	}
	return c
}

// includesEager reports whether a clock that is no lazy join includes the accesses of a thread up to a stamp.
func (c *clock) includesEager(u unit, lane int, s stamp) bool {
	for ; c.before != nil; c = c.before {
		switch {
		case c.latest < s:
			return false
		case c.at >= s && c.by.unit == u && int(c.by.lane) == lane && c.kind&isJoin == 0:
			return true
		case c.known == nil:
		case c.before.before != nil && c.before.at >= s && c.before.adds(u) && int(c.before.by.lane) == lane:
			return true // the next one is likely to have what has just been acquired
		case c.known.Includes(u, lane, s):
			return true
		}
	}
	return c.known.Includes(u, lane, s)
}

// most returns an upper bound of the times of the threads of a unit.
func (c *clock) most(u unit) (at stamp) {
	for ; c.before != nil; c = c.before {
		if c.adds(u) {
			at = max(at, c.at)
		}
		at = max(at, c.known.Most(u))
	}
	return max(at, c.known.Most(u))
}

// mostInBlock returns an upper bound of the times of the threads of the block of a unit.
func (c *clock) mostInBlock(u unit) (at stamp) {
	for ; c.before != nil; c = c.before {
		if c.by.unit>>radixBits == u>>radixBits && c.kind&isJoin == 0 {
			at = max(at, c.at)
		}
		at = max(at, c.known.MostInBlock(u))
	}
	return max(at, c.known.MostInBlock(u))
}

// least returns a time up to which all threads of a unit are included.
func (c *clock) least(u unit) stamp {
	return c.oldest().known.Least(u)
}
