// Blocks with an array of times for each of several units.

package vclock

import (
	"math/bits"
	"unsafe"
)

// A thread that has learned of the threads of a block one by one has an array of times for most units of the block, and
// the join of two such clocks has new ones. The node of the block is dense then: it has no nodes for the units, but
// their arrays, in the order of the units and in one allocation without pointers. All times in them are at least floor.

// leastDense is the number of units with an array of times in both operands from which a join looks whether its result
// is dense.
const leastDense = 4

// isDense reports whether the node of a block has arrays of times in place of kids.
func (c *Clock) isDense() bool { return c.level == blockLevel && c.lanes != nil }

// rows returns the arrays of the units in which, for a dense node.
func (c *Clock) rows() [][Radix]Time { return unsafe.Slice(c.lanes, bits.OnesCount32(c.which)) }

// row returns the times of the unit of a slot in which, for a dense node, in room or elsewhere.
func (c *Clock) row(i uint32, room *[Radix]Time) *[Radix]Time {
	return c.patches.applied(i, &c.rows()[c.index(i)], room)
}

// unitTimes returns the times of the unit of a slot in the node of a block, in room or elsewhere.
func (c *Clock) unitTimes(i uint32, room *[Radix]Time) *[Radix]Time {
	if c.which>>i&1 == 0 {
		for lane := range room {
			room[lane] = c.floor
		}
		return room
	}
	if c.isDense() {
		return c.row(i, room)
	}
	return c.kid(i).timesFrom(c.floor, room)
}

// timesFrom returns the times of the threads in the node of a unit, but at least floor, in room or elsewhere.
func (c *Clock) timesFrom(floor Time, room *[Radix]Time) *[Radix]Time {
	times := c.times(room)
	if c.floor >= floor {
		return times
	}
	for lane, t := range times {
		room[lane] = max(t, floor)
	}
	return room
}

// areCrowded reports whether most units of a block have an array of times in both nodes, and not the same one. Neither
// node is dense.
func areCrowded(a, b *Clock) bool {
	both := a.which & b.which
	needed := max(leastDense, (bits.OnesCount32(a.which|b.which)+1)/2)
	spare := bits.OnesCount32(both) - needed // how many more units may lack an array
	for m := both; spare >= 0 && m != 0; m &= m - 1 {
		below := m&-m - 1
		x, y := a.kids[bits.OnesCount32(a.which&below)], b.kids[bits.OnesCount32(b.which&below)]
		if x == y || x.lanes == nil || y.lanes == nil {
			spare--
		}
	}
	return spare >= 0
}

// joinUnits joins two nodes of a block, at least one of which is dense or both of which are crowded.
func (to *Builder) joinUnits(a, b *Clock) *Clock {
	if a.isDense() && b.isDense() && a.which == b.which && a.floor == b.floor {
		return to.joinAligned(a, b)
	}
	all, floor := a.which|b.which, max(a.floor, b.floor)
	likeA, likeB := compareUnits(a, b)
	switch {
	case floor == a.floor && likeA == all:
		return a
	case floor == b.floor && likeB == all:
		return b
	}
	out := &Clock{base: a.base, level: a.level, floor: floor, top: max(a.top, b.top), which: all}
	if a.isDense() || b.isDense() || 2*bits.OnesCount32(likeA|likeB) <= bits.OnesCount32(all) {
		out.joinRows(a, b)
	} else {
		out.shareUnits(a, b, likeA, likeB)
	}
	return to.opens(out)
}

// compareUnits compares two nodes of a block unit by unit. likeA is the set of units in which no time of b is later
// than that of a, so that the join has the times of a; likeB is the same for b.
func compareUnits(a, b *Clock) (likeA, likeB uint32) {
	var roomA, roomB [Radix]Time
	for m := a.which | b.which; m != 0; m &= m - 1 {
		i := uint32(bits.TrailingZeros32(m))
		byA, byB := exceed(a.unitTimes(i, &roomA), b.unitTimes(i, &roomB))
		if byB == 0 {
			likeA |= m & -m
		}
		if byA == 0 {
			likeB |= m & -m
		}
	}
	return likeA, likeB
}

// joinRows gives a dense node the later times of a and b. It drops units in which all times are floor.
func (c *Clock) joinRows(a, b *Clock) {
	var roomA, roomB [Radix]Time
	rows := make([][Radix]Time, bits.OnesCount32(c.which))
	n := 0
	for m := c.which; m != 0; m &= m - 1 {
		i := uint32(bits.TrailingZeros32(m))
		latest(&rows[n], a.unitTimes(i, &roomA), b.unitTimes(i, &roomB))
		if a.floor != b.floor && areAll(&rows[n], c.floor) {
			c.which &^= m & -m
			continue
		}
		n++
	}
	c.lanes = &rows[0]
}

// shareUnits gives a node the kids of a and b where the times are those of one of them.
func (c *Clock) shareUnits(a, b *Clock, likeA, likeB uint32) {
	var roomA, roomB, times [Radix]Time
	c.kids = make([]*Clock, 0, bits.OnesCount32(c.which))
	for m := c.which; m != 0; m &= m - 1 {
		i, bit := uint32(bits.TrailingZeros32(m)), m&-m
		switch {
		case likeA&bit != 0 && a.which&bit == 0, likeB&bit != 0 && b.which&bit == 0:
			c.which &^= bit // no time is later than a floor
		case likeA&bit != 0:
			c.kids = append(c.kids, a.kid(i))
		case likeB&bit != 0:
			c.kids = append(c.kids, b.kid(i))
		default:
			latest(&times, a.unitTimes(i, &roomA), b.unitTimes(i, &roomB))
			c.kids = append(c.kids, ofLanes(c.base|Unit(i), &times))
		}
	}
}

// coversUnits is covers for two nodes of the same block, at least one of which is dense. Node c and its ancestors give
// all threads of the block at least time floor.
func (c *Clock) coversUnits(floor Time, b *Clock) bool {
	var roomC, roomB [Radix]Time
	for m := b.which; m != 0; m &= m - 1 {
		i := uint32(bits.TrailingZeros32(m))
		if !coversRow(c.unitTimes(i, &roomC), floor, b.unitTimes(i, &roomB)) {
			return false
		}
	}
	return true
}

// coversOneOf is covers for the node of a unit, nil for none, and a dense one of its block.
func (c *Clock) coversOneOf(floor Time, b *Clock) bool {
	var none, room, roomB [Radix]Time
	for m := b.which; m != 0; m &= m - 1 {
		i := uint32(bits.TrailingZeros32(m))
		times := &none
		if c != nil && c.base == b.base|Unit(i) {
			times = c.times(&room)
		}
		if !coversRow(times, floor, b.row(i, &roomB)) {
			return false
		}
	}
	return true
}
