// Clocks without the entries of one block.

package vclock

import "math/bits"

// Threads of a block often know their block better than a clock says that they have from
// elsewhere. These functions take out of a clock what it says of one block.

// Beyond reports whether the clock says more about the units of u's block, u itself
// excepted, than that they are known up to t.
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
	for _, k := range n.kids {
		if k.base != u && k.top > t {
			return true
		}
	}
	return false
}

// WithoutBlock is the clock without what it says about u's block.
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

// blockOf is the node that u's block has of its own, or a unit of it; nil for none.
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
