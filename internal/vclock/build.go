// Joins of many clocks, one after the other.

package vclock

import (
	"math/bits"
	"slices"
)

// Builder joins clocks one after the other. It changes the nodes that it has made itself in place, so that joining
// several clocks into one makes each node of the result once. The zero Builder is ready; a nil Builder only makes new
// nodes.
//
// A node that may be changed is called open. All nodes above an open one are open, and it has one parent.
type Builder struct {
	made []*Clock // open nodes
	kept []Entry  // for the next JoinKept
}

// Entry is a time of a thread.
type Entry struct {
	Unit Unit
	Lane int
	At   Time
}

// Keep has the next JoinKept add the time of a thread. There should be few such times.
func (to *Builder) Keep(x Entry) { to.kept = append(to.kept, x) }

// keeps reports whether there are kept times.
func (to *Builder) keeps() bool { return to != nil && len(to.kept) > 0 }

// JoinKept returns the join of two clocks and the times that were kept, or b without these: only if a adds nothing to b
// and them, and always then if the clocks are of one dense block.
func (to *Builder) JoinKept(a, b *Clock) *Clock {
	c := to.join(a, b)
	kept := to.kept
	if to.kept = kept[:0]; c == b {
		return b
	}
	for _, x := range kept {
		c = to.Add(c, x)
	}
	return c
}

// Join returns the join of two clocks, as the function Join does. If the first is a result of the Builder since Finish,
// it is no longer valid.
func (to *Builder) Join(a, b *Clock) *Clock { return to.join(a, b) }

// Finish makes the results so far immutable.
func (to *Builder) Finish() {
	if to == nil {
		return
	}
	for i, c := range to.made {
		c.open, to.made[i] = false, nil
	}
	to.made = to.made[:0]
}

// opens marks a new node as open, unless the Builder is nil.
func (to *Builder) opens(c *Clock) *Clock {
	if to != nil {
		c.open, to.made = true, append(to.made, c)
	}
	return c
}

// unit returns a node that is equal to c, in place of an old one of the same unit. Neither has an array of times.
func (to *Builder) unit(old *Clock, c Clock) *Clock {
	if old.open {
		old.floor, old.top, old.which, old.counted = c.floor, c.top, c.which, 0
		return old
	}
	made := c
	return to.opens(&made)
}

// put makes kid the node of slot i of an open node.
func (c *Clock) put(i uint32, kid *Clock) {
	at, bit := c.index(i), uint32(1)<<i
	if c.which&bit != 0 {
		c.kids[at] = kid
	} else {
		c.kids, c.which = slices.Insert(c.kids, at, kid), c.which|bit
	}
	c.top = max(c.top, kid.top)
}

// joinOpen changes the open node a to the join of a and b, and returns it. Both nodes have the same range, and the
// floor of b is not above that of a.
func (to *Builder) joinOpen(a, b *Clock) *Clock {
	for rest, j := b.which, 0; rest != 0; rest, j = rest&(rest-1), j+1 {
		with, at := b.kids[j], bits.OnesCount32(a.which&(rest&-rest-1))
		if a.which&rest&-rest == 0 {
			if with.top > a.floor {
				a.kids, a.which, a.top = slices.Insert(a.kids, at, with), a.which|rest&-rest, max(a.top, with.top)
			}
			continue
		}
		if old := a.kids[at]; old != with {
			kid := to.join(old, with)
			if a.top = max(a.top, kid.top); kid != old {
				a.kids[at] = kid
			}
		}
	}
	return a
}
