// Blocks with an array of times for each of several units.

package vclock

import (
	"math/bits"
	"unsafe"
)

// A thread that has learned of the threads of a block one by one has an array of times for most units of the block, and the join
// of two such clocks has new ones. The node of the block is dense then: it has no nodes for the units, but their arrays, in the
// order of the units and in one allocation without pointers. All times in them are at least floor.

// leastDense is the number of units with an array of times in both operands from which a join looks whether its result is dense.
const leastDense = 4

// isDense reports whether the node of a block has arrays of times in place of kids.
func (c *Clock) isDense() bool { return c.level == blockLevel && c.lanes != nil }

// rows returns the times of the units in which, for a dense node.
func (c *Clock) rows() [][Radix]Time { return unsafe.Slice(c.lanes, bits.OnesCount32(c.which)) }

// row returns the times of the unit of a slot in which, for a dense node.
func (c *Clock) row(i uint32) *[Radix]Time { return &c.rows()[c.index(i)] }

// dense returns a dense node: that of block c, with other rows, which it copies.
func (c Clock) dense(rows [][Radix]Time) *Clock {
	own := make([][Radix]Time, len(rows))
	copy(own, rows)
	c.kids, c.lanes, c.open, c.counted = nil, &own[0], false, 0
	return &c
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
		return c.row(i)
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

// areCrowded reports whether most units of a block have an array of times in both nodes, and not the same one. Neither node is
// dense.
func areCrowded(a, b *Clock) bool {
	both := a.which & b.which
	if bits.OnesCount32(both) < leastDense {
		return false
	}
	n := 0
	for m := both; m != 0; m &= m - 1 {
		i := uint32(bits.TrailingZeros32(m))
		if x, y := a.kid(i), b.kid(i); x != y && x.lanes != nil && y.lanes != nil {
			n++
		}
	}
	return n >= leastDense && 2*n >= bits.OnesCount32(a.which|b.which)
}

// joinUnits joins two nodes of a block, at least one of which is dense or both of which are crowded.
func (to *Builder) joinUnits(a, b *Clock) *Clock {
	var rows [Radix][Radix]Time
	var roomA, roomB [Radix]Time
	var likeA, likeB uint32 // units whose times are those of a, those of b
	out := Clock{base: a.base, level: a.level, floor: max(a.floor, b.floor), top: max(a.top, b.top)}
	n := 0
	for m := a.which | b.which; m != 0; m &= m - 1 {
		i, bit := uint32(bits.TrailingZeros32(m)), m&-m
		beyondA, beyondB := latest(&rows[n], a.unitTimes(i, &roomA), b.unitTimes(i, &roomB))
		if beyondA == 0 {
			likeA |= bit
		}
		if beyondB == 0 {
			likeB |= bit
		}
		if a.floor == b.floor || !areAll(&rows[n], out.floor) {
			out.which |= bit
			n++
		}
	}
	all := a.which | b.which
	switch {
	case out.floor == a.floor && likeA == all:
		return a
	case out.floor == b.floor && likeB == all:
		return b
	case a.isDense(), b.isDense(), 2*bits.OnesCount32(likeA|likeB) <= n:
		return to.opens(out.dense(rows[:n]))
	}
	return to.opens(out.sharing(a, b, likeA, likeB, rows[:n]))
}

// sharing returns a node that is not dense, with given times, which shares the nodes of the units that are alike in a or b.
func (c Clock) sharing(a, b *Clock, likeA, likeB uint32, rows [][Radix]Time) *Clock {
	c.kids = make([]*Clock, 0, len(rows))
	for m := c.which; m != 0; m &= m - 1 {
		i, bit := uint32(bits.TrailingZeros32(m)), m&-m
		switch {
		case likeA&a.which&bit != 0:
			c.kids = append(c.kids, a.kid(i))
		case likeB&b.which&bit != 0:
			c.kids = append(c.kids, b.kid(i))
		default:
			c.kids = append(c.kids, ofLanes(c.base|Unit(i), &rows[len(c.kids)]))
		}
	}
	return &c
}

// joinRow joins a dense node with the node of a unit of its block.
func (to *Builder) joinRow(c, unit *Clock) *Clock {
	var room, times [Radix]Time
	i := c.slot(unit.base)
	beyond, _ := latest(&times, c.unitTimes(i, &room), unit.timesFrom(c.floor, new([Radix]Time)))
	switch {
	case beyond == 0:
		return c
	case c.open && c.which>>i&1 != 0:
		*c.row(i), c.top, c.counted = times, max(c.top, unit.top), 0
		return c
	}
	var rows [Radix][Radix]Time
	at, old := c.index(i), c.rows()
	copy(rows[:], old[:at])
	rows[at] = times
	n := copy(rows[at+1:], old[at+int(c.which>>i&1):]) + at + 1
	out := *c
	out.which, out.top = c.which|1<<i, max(c.top, unit.top)
	return to.opens(out.dense(rows[:n]))
}

// latest sets each time to the later one of a and b. What it returns for an operand is 0 if no time is later in the result.
func latest(to, a, b *[Radix]Time) (beyondA, beyondB Time) {
	for i := range to {
		x, y := a[i], b[i]
		t := max(x, y)
		beyondA |= t - x
		beyondB |= t - y
		to[i] = t
	}
	return beyondA, beyondB
}

// areAll reports whether all times are t.
func areAll(times *[Radix]Time, t Time) bool {
	for _, x := range times {
		if x != t {
			return false
		}
	}
	return true
}

// coversRow reports whether times, but at least floor, are no earlier than those of another clock.
func coversRow(times *[Radix]Time, floor Time, of *[Radix]Time) bool {
	var beyond Time
	for i, t := range times {
		t = max(t, floor)
		beyond |= max(t, of[i]) - t
	}
	return beyond == 0
}

// coversUnits is covers for two nodes of the same block, at least one of which is dense, whose ancestors and floors give all threads
// at least time floor.
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
	var none, room [Radix]Time
	for m := b.which; m != 0; m &= m - 1 {
		i := uint32(bits.TrailingZeros32(m))
		times := &none
		if c != nil && c.base == b.base|Unit(i) {
			times = c.times(&room)
		}
		if !coversRow(times, floor, b.row(i)) {
			return false
		}
	}
	return true
}
