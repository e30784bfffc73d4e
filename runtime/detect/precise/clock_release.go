// Clocks of releases, whose trees are made only when somebody needs them.

package precise

import "github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"

// Who acquires a lock from another thread of its block learns that thread's accesses, and as a rule nothing else:
// what that thread knew comes from the same barrier. The next barrier passes on all accesses of the block. Such a
// clock is what the thread knew, the thread and a time, and no nodes of a tree are made that the barrier would
// replace.

// maxBehind is how many clocks there may be between one whose tree is not made and one whose tree is.
const maxBehind = 4

// releasedBy is the clock of a snapshot by a thread: what it knew, and its own accesses.
func releasedBy(t thread, f snapshot) *clock {
	knew := f.clock
	switch {
	case knew == nil || knew.parts != nil || knew.behind == maxBehind:
		c := knew.with(vclock.Threads(t.unit, 1<<t.lane, f.at))
		if c != knew {
			c.by, c.at = t, f.at
		}
		return c
	case knew.includes(t.unit, int(t.lane), f.at):
		return knew
	}
	return &clock{fenced: knew.fenced, by: t, at: f.at, knew: knew, behind: knew.behind + 1}
}

// tree is known, which it makes if it has not been made.
func (c *clock) tree() *vclock.Clock {
	if c.knew == nil {
		return c.known
	}
	var later [maxBehind]*clock
	n, x := 0, c
	for ; x.knew != nil; x = x.knew {
		later[n] = x
		n++
	}
	for c.known = x.known; n > 0; n-- {
		x = later[n-1]
		c.known = vclock.Join(c.known, vclock.Threads(x.by.unit, 1<<x.by.lane, x.at))
	}
	c.knew, c.behind = nil, 0
	return c.known
}

// beyond is the clock without the latest releases that n includes.
func (c *clock) beyond(n *vclock.Clock) *clock {
	for c.knew != nil && n.Includes(c.by.unit, int(c.by.lane), c.at) {
		c = c.knew
	}
	return c
}

// includes reports whether what a thread has done up to a stamp is known by a clock that is no join of parts.
func (c *clock) includes(u unit, lane int, s stamp) bool {
	for ; c.knew != nil; c = c.knew {
		if c.at >= s && c.by.unit == u && int(c.by.lane) == lane {
			return true
		}
	}
	return c.known.Includes(u, lane, s)
}

// most is a time beyond which no thread of a unit is known.
func (c *clock) most(u unit) (at stamp) {
	for ; c.knew != nil; c = c.knew {
		if c.by.unit == u {
			at = max(at, c.at)
		}
	}
	return max(at, c.known.Most(u))
}

// least is a time up to which all threads of a unit are known.
func (c *clock) least(u unit) stamp {
	for c.knew != nil {
		c = c.knew
	}
	return c.known.Least(u)
}
