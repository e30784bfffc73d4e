// Inclusion of one clock in another.

package vclock

import "math/bits"

// Covers reports whether clock c includes clock b. Unlike Join it allocates nothing.
func (c *Clock) Covers(b *Clock) bool { return b == nil || c.covers(0, b) }

// IsSmall reports whether a clock has at most n nodes. To find out whether another clock covers it takes at most that
// many steps.
func (c *Clock) IsSmall(n int) bool { return c == nil || c.spend(n) >= 0 }

// spend returns n without the number of nodes, or something below 0 if there are more than n.
func (c *Clock) spend(n int) int {
	n--
	if c.isDense() {
		return n - bits.OnesCount32(c.which)
	}
	for _, k := range c.kids {
		if n < 0 {
			break
		}
		n = k.spend(n)
	}
	return n
}

// covers is Covers for a node of a tree, nil for none, whose ancestors give all threads below them at least time floor.
func (c *Clock) covers(floor Time, b *Clock) bool {
	for c != nil && c != b && c.level > b.level {
		if !c.holds(b.base) {
			c = nil
			break
		}
		floor = max(floor, c.floor)
		if c.isDense() {
			var roomC, roomB [Radix]Time
			return b.top <= floor || coversRow(c.unitTimes(c.slot(b.base), &roomC), floor, b.times(&roomB))
		}
		c = c.kid(c.slot(b.base))
	}
	switch {
	case c == b, b.top <= floor:
		return true
	case c == nil, b.level == c.level && b.base != c.base, b.top > max(floor, c.top):
		return false
	case b.level > c.level:
		return b.floor <= floor && c.coversKids(floor, b)
	}
	floor = max(floor, c.floor)
	switch {
	case b.top <= floor:
		return true
	case b.floor > floor:
		return false
	case c.level == 0:
		return c.coversLanes(floor, b)
	}
	return c.coversKids(floor, b)
}

// coversKids reports whether c covers each kid of b. The level of c is that of b, or less.
func (c *Clock) coversKids(floor Time, b *Clock) bool {
	switch {
	case c.level == b.level && (c.isDense() || b.isDense()):
		return c.coversUnits(floor, b)
	case b.isDense():
		return c.coversOneOf(floor, b)
	}
	for m := b.which; m != 0; m &= m - 1 {
		i := uint32(bits.TrailingZeros32(m))
		of := c
		if c.level == b.level {
			of = c.kid(i)
		}
		if !of.covers(floor, b.kid(i)) {
			return false
		}
	}
	return true
}

// coversLanes is covers for two nodes of the same unit. The caller has checked that b.top <= c.top and b.floor <=
// floor.
func (c *Clock) coversLanes(floor Time, b *Clock) bool {
	if b.lanes == nil && c.lanes == nil {
		return b.which&^c.which == 0
	}
	lanes := b.which
	if b.lanes != nil {
		lanes = 1<<Radix - 1
	}
	for m := lanes; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m); max(floor, c.lane(i)) < b.lane(i) {
			return false
		}
	}
	return true
}
