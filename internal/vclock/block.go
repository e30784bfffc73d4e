// Vector clocks without the entries of one block.

package vclock

import (
	"math/bits"
	"slices"
)

// A thread often has later times for its own block than a clock that it receives. These functions separate what a clock
// has about one block.

// Beyond reports whether the clock has, for a unit of u's block other than u itself, a time later than t.
func (c *Clock) Beyond(u Unit, t Time) bool {
	n := c.blockOf(u)
	switch {
	case n == nil:
		return false
	case n.level < blockLevel:
		return n.base != u && n.top > t
	case n.floor > t:
		return true
	}
	for m := n.which &^ (1 << (u % Radix)); n.isDense() && m != 0; m &= m - 1 {
		var room [Radix]Time
		if slices.Max(n.row(uint32(bits.TrailingZeros32(m)), &room)[:]) > t {
			return true
		}
	}
	for _, k := range n.kids {
		if k.base != u && k.top > t {
			return true
		}
	}
	return false
}

// MostInBlock returns an upper bound of the times of the threads of u's block.
func (c *Clock) MostInBlock(u Unit) (most Time) {
	for c != nil && c.level > blockLevel && c.holds(u) {
		most = max(most, c.floor)
		c = c.kid(c.slot(u))
	}
	if c == nil || c.level > blockLevel || !sameBlock(c.base, u) {
		return most
	}
	return max(most, c.top)
}

// WithoutBlock returns the clock without its entries for u's block.
func (c *Clock) WithoutBlock(u Unit) *Clock {
	switch {
	case c == nil || !c.holds(u) && (c.level >= blockLevel || !sameBlock(c.base, u)):
		return c
	case c.level <= blockLevel:
		return nil
	}
	i := c.slot(u)
	old := c.kid(i)
	kid := old.WithoutBlock(u)
	if kid == old {
		return c
	}
	out := &Clock{base: c.base, level: c.level, floor: c.floor, top: c.floor, kids: make([]*Clock, 0, len(c.kids))}
	for m := c.which; m != 0; m &= m - 1 {
		k, bit := c.kid(uint32(bits.TrailingZeros32(m))), m&-m
		if bit == 1<<i {
			k = kid
		}
		if k != nil {
			out.which, out.kids, out.top = out.which|bit, append(out.kids, k), max(out.top, k.top)
		}
	}
	if out.top == 0 {
		return nil
	}
	return out
}

// blockOf returns the node of u's block, or of a unit in it, nil if the clock has none.
func (c *Clock) blockOf(u Unit) *Clock {
	for c != nil && c.level > blockLevel {
		if !c.holds(u) {
			return nil
		}
		c = c.kid(c.slot(u))
	}
	if c == nil || !sameBlock(c.base, u) {
		return nil
	}
	return c
}

func sameBlock(a, b Unit) bool { return a>>RadixBits == b>>RadixBits }
