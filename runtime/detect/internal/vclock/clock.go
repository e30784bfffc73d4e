// Package vclock implements vector clocks over the threads of a grid: for each thread, the time up
// to which its operations are ordered before the owner of the clock.
//
// A clock is a persistent tree over units of 32 threads, with at most 32 children in a node, and
// bounds for the whole subtree at each node: a subtree whose threads have the same time is one
// node. Clocks are immutable, so the clocks of many threads share most of their nodes, and Join
// returns one of its operands when that one includes the other.
//
// The package must not know operations and races.
package vclock

import "math/bits"

// Unit is 32 threads that share a number, such as a warp: that of its block, times 32, plus
// that within the block.
type Unit uint32

// Time is a point in the logical time of a thread.
type Time uint32

// Radix is the number of threads of a unit, of units of a block, and of children of a node.
const (
	RadixBits = 5
	Radix     = 1 << RadixBits
)

const blockLevel = 1

// Clock is a vector clock, and a node of the tree: what is known of the units in a range.
// The nil Clock knows nothing.
type Clock struct {
	base  Unit  // the first of the range, which is Radix^level long
	level uint8 // 0: one unit, whose threads are told apart; 1: a block
	floor Time  // all threads of the range are known up to here
	top   Time  // and none further than this
	// which are the 32nds of the range that have a node in kids, not always one for all
	// of it; the others are known up to floor. Of one unit it is the threads that are known up to
	// top, the others being known up to floor, if lanes is nil.
	which   uint32
	counted uint32 // the latest measurement of memory; nothing else of a node ever changes
	kids    []*Clock
	lanes   *[Radix]Time
}

// Threads knows the threads of a unit in mask up to a time.
func Threads(u Unit, mask uint32, t Time) *Clock { return few(u, 0, t, mask) }

// Block knows all units of a block up to a time.
func Block(block uint32, t Time) *Clock {
	return &Clock{base: Unit(block << RadixBits), level: blockLevel, floor: t, top: t}
}

// Within knows each thread of a unit up to the time of its lane, and the other units of its
// block up to others.
func Within(u Unit, lanes *[Radix]Time, others Time) *Clock {
	unit := ofLanes(u, lanes)
	if others == 0 {
		return unit
	}
	c, kids := withKids(1)
	c.base, c.level, c.floor, c.top, c.which, c.kids = u&^(Radix-1), blockLevel, others, max(others, unit.top), 1<<(u%Radix), append(kids, unit)
	return c
}

// ofLanes knows each thread of a unit up to the time of its lane.
func ofLanes(u Unit, lanes *[Radix]Time) *Clock {
	floor, top, which, two := twoTimes(lanes)
	if two {
		return few(u, floor, top, which)
	}
	made := new(struct { // allocated together, since there are many
		unit  Clock
		lanes [Radix]Time
	})
	made.lanes = *lanes
	made.unit = Clock{base: u, floor: floor, top: top, lanes: &made.lanes}
	return &made.unit
}

// twoTimes is the least and the latest time of some lanes and, if two is true, which of them have the latest; all others have
// the least then: such a unit needs no time for each lane.
func twoTimes(lanes *[Radix]Time) (floor, top Time, which uint32, two bool) {
	floor, top = lanes[0], lanes[0]
	for _, t := range lanes[1:] {
		floor, top = min(floor, t), max(top, t)
	}
	for i, t := range lanes {
		switch t {
		case top:
			which |= 1 << i
		case floor:
		default:
			return floor, top, which, false
		}
	}
	return floor, top, which, true
}

// At is the time up to which a thread is known.
func (c *Clock) At(u Unit, lane int) Time {
	n, floor := c.descend(u)
	if n == nil {
		return floor
	}
	return max(floor, n.lane(lane))
}

// Includes reports whether a thread is known up to a time.
func (c *Clock) Includes(u Unit, lane int, t Time) bool {
	for c != nil && c.top >= t && (u^c.base)>>(RadixBits*c.level) == 0 {
		switch {
		case c.floor >= t:
			return true
		case c.level == 0:
			return c.lane(lane) >= t
		}
		i := c.slot(u)
		if c.which>>i&1 == 0 {
			return false
		}
		c = c.kids[c.index(i)]
	}
	return t == 0
}

// Unit is the times up to which the threads of a unit are known.
func (c *Clock) Unit(u Unit) (times [Radix]Time) {
	n, floor := c.descend(u)
	for i := range times {
		times[i] = floor
		if n != nil {
			times[i] = max(floor, n.lane(i))
		}
	}
	return times
}

// Least is the time up to which all threads of a unit are known.
func (c *Clock) Least(u Unit) Time {
	_, floor := c.descend(u)
	return floor
}

// Most is a time beyond which no thread of a unit is known.
func (c *Clock) Most(u Unit) Time {
	n, floor := c.descend(u)
	if n == nil {
		return floor
	}
	return max(floor, n.top)
}

// EachKnown calls f for each range of units that the clock has a time for, until f returns false. A range is one unit or Radix^n
// units, and begins with the unit first. EachKnown reports whether f has returned true for all of them.
func (c *Clock) EachKnown(f func(first Unit, count uint64) bool) bool {
	switch {
	case c == nil || c.top == 0:
		return true
	case c.floor > 0 || c.level == 0:
		return f(c.base, 1<<(RadixBits*c.level))
	}
	for _, kid := range c.kids {
		if !kid.EachKnown(f) {
			return false
		}
	}
	return true
}

// descend is the node of a unit, nil when there is none of its own, and the time up
// to which all of it is known.
func (c *Clock) descend(u Unit) (*Clock, Time) {
	floor := Time(0)
	for c != nil && c.holds(u) {
		floor = max(floor, c.floor)
		if c.level == 0 {
			return c, floor
		}
		c = c.kid(c.slot(u))
	}
	return nil, floor
}

// holds reports whether a unit is in the range.
func (c *Clock) holds(u Unit) bool { return (u^c.base)>>(RadixBits*c.level) == 0 }

// slot is the 32nd of the range that a unit is in.
func (c *Clock) slot(u Unit) uint32 { return uint32(u) >> (RadixBits * (c.level - 1)) % Radix }

// index is the place of a slot's node in kids.
func (c *Clock) index(i uint32) int { return bits.OnesCount32(c.which & (1<<i - 1)) }

// kid is the node of a slot, nil when there is none.
func (c *Clock) kid(i uint32) *Clock {
	if c.which>>i&1 == 0 {
		return nil
	}
	return c.kids[c.index(i)]
}

// lane is the time up to which a node of a unit knows one of its threads.
func (c *Clock) lane(i int) Time {
	switch {
	case c.lanes != nil:
		return c.lanes[i]
	case c.which>>i&1 != 0:
		return c.top
	}
	return c.floor
}

// times is the time up to which a node of a unit knows each of its threads: its own array if it has one, else room.
func (c *Clock) times(room *[Radix]Time) *[Radix]Time {
	if c.lanes != nil {
		return c.lanes
	}
	further := c.top - c.floor
	for i := range room {
		room[i] = c.floor + further&-Time(c.which>>i&1)
	}
	return room
}

// few knows the threads of a unit in which up to top, the others up to floor.
func few(u Unit, floor, top Time, which uint32) *Clock {
	switch {
	case which == 0 || floor == top:
		return &Clock{base: u, floor: floor, top: floor}
	case which == 1<<Radix-1:
		return &Clock{base: u, floor: top, top: top}
	}
	return &Clock{base: u, floor: floor, top: top, which: which}
}

// Bytes is the size in memory of the nodes that have not been counted by that measurement. Measurements
// have numbers, which are not 0, and are not made side by side.
func (c *Clock) Bytes(measurement uint32) uint64 {
	if c == nil || c.counted == measurement {
		return 0
	}
	c.counted = measurement
	n := uint64(56) + 8*uint64(len(c.kids))
	if c.lanes != nil {
		n += 4 * Radix
	}
	for _, k := range c.kids {
		n += k.Bytes(measurement)
	}
	return n
}
