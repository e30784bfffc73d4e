// Package vclock implements vector clocks over the threads of a grid: for each thread, the time up
// to which its operations are ordered before the owner of the clock.
//
// A clock is a persistent tree over units of 32 threads. A node has at most 32 children, and bounds
// of the times of all threads below it. If all threads below a node have the same time, the node has
// no children. A block of threads with many different times is one node, too, with an array of the
// times (dense.go). Two such nodes may share an array if their times differ in a few threads
// (patch.go). Clocks are immutable, so the clocks of many threads share most of their nodes, and Join
// returns one of its operands when that one includes the other. A Builder joins many clocks without
// making nodes for the results in between.
//
// The package must not know operations and races.
package vclock

import "math/bits"

// Unit is 32 threads with a common number, such as a warp: the number of the block times 32, plus that within the
// block.
type Unit uint32

// Time is a point in the logical time of a thread.
type Time uint32

// Radix is the number of threads of a unit, of units of a block, and of children of a node.
const (
	RadixBits = 5
	Radix     = 1 << RadixBits
)

const blockLevel = 1

// Clock is a vector clock, and a node of the tree: the times of a range of units. The nil Clock is empty.
type Clock struct {
	base  Unit  // first unit of the range, which is Radix^level long
	level uint8 // 0: one unit, with a time for each thread; 1: a block
	open  bool  // a Builder may change the node
	floor Time  // lower bound of the times of all threads in the range
	top   Time  // upper bound of these times
	// which is the set of 32nds of the range with a node in kids, which need not cover all of the 32nd; the others have
	// time floor. In a unit without lanes, it is the set of threads that have time top, and the others have time floor.
	which   uint32
	counted uint32 // the latest measurement of memory; mutable
	kids    []*Clock
	lanes   *[Radix]Time // of a unit, nil if which says it all, or the first one of a dense block
	patches *patches     // of a dense block, or of the block of a unit that descend has made; nil for none
}

// Threads returns a clock with time t for the threads of a unit in mask.
func Threads(u Unit, mask uint32, t Time) *Clock {
	c := few(u, 0, t, mask)
	return &c
}

// Block returns a clock with time t for all units of a block.
func Block(block uint32, t Time) *Clock {
	return &Clock{base: Unit(block << RadixBits), level: blockLevel, floor: t, top: t}
}

// Within returns a clock with the times of lanes for the threads of a unit, and time others for the other units of its
// block.
func Within(u Unit, lanes *[Radix]Time, others Time) *Clock { return ofLanes(u, lanes).within(others) }

// WithinTwo is Within for lanes with two times: top for the threads in which, and floor, which is not later, for those
// that are not.
func WithinTwo(u Unit, floor, top Time, which uint32, others Time) *Clock {
	unit := few(u, floor, top, which)
	return unit.within(others)
}

// within returns the node of a unit, with time others for the other units of its block.
func (c *Clock) within(others Time) *Clock {
	if others == 0 {
		return c
	}
	u := c.base
	block, kids := withKids(1)
	block.base, block.level, block.floor, block.top, block.which, block.kids = u&^(Radix-1), blockLevel, others,
		max(others, c.top), 1<<(u%Radix), append(kids, c)
	return block
}

// ofLanes returns a node with the times of lanes for the threads of a unit.
func ofLanes(u Unit, lanes *[Radix]Time) *Clock {
	floor, top, which, two := twoTimes(lanes)
	if two {
		c := few(u, floor, top, which)
		return &c
	}
	made := new(struct { // in one allocation, since there are many
		unit  Clock
		lanes [Radix]Time
	})
	made.lanes = *lanes
	made.unit = Clock{base: u, floor: floor, top: top, lanes: &made.lanes}
	return &made.unit
}

// twoTimes returns the least and the latest of the times. If two is true, there are no others: which is the set of
// lanes with the latest, and the unit needs no array of times.
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

// At returns the time of a thread.
func (c *Clock) At(u Unit, lane int) Time {
	n, floor := c.descend(u, new(Clock))
	if n == nil {
		return floor
	}
	return max(floor, n.lane(lane))
}

// Includes reports whether the time of a thread is at least t.
func (c *Clock) Includes(u Unit, lane int, t Time) bool {
	for c != nil && c.top >= t && (u^c.base)>>(RadixBits*c.level) == 0 {
		switch {
		case c.floor >= t:
			return true
		case c.level == 0:
			return c.lane(lane) >= t
		}
		i := c.slot(u)
		switch {
		case c.which>>i&1 == 0:
			return false
		case c.lanes != nil:
			return c.rows()[c.index(i)][lane] >= t || c.patches.at(i, lane) >= t
		}
		c = c.kids[c.index(i)]
	}
	return t == 0
}

// Unit returns the times of the threads of a unit.
func (c *Clock) Unit(u Unit) (times [Radix]Time) {
	n, floor := c.descend(u, new(Clock))
	for i := range times {
		times[i] = floor
		if n != nil {
			times[i] = max(floor, n.lane(i))
		}
	}
	return times
}

// Least returns a lower bound of the times of a unit's threads.
func (c *Clock) Least(u Unit) Time {
	_, floor := c.descend(u, new(Clock))
	return floor
}

// Most returns an upper bound of the times of a unit's threads.
func (c *Clock) Most(u Unit) Time {
	n, floor := c.descend(u, new(Clock))
	if n == nil {
		return floor
	}
	return max(floor, n.top)
}

// Latest returns an upper bound of all times.
func (c *Clock) Latest() Time {
	if c == nil {
		return 0
	}
	return c.top
}

// Reached returns the threads of a unit whose time is at least t.
func (c *Clock) Reached(u Unit, t Time) (mask uint32) {
	n, floor := c.descend(u, new(Clock))
	switch {
	case floor >= t:
		return 1<<Radix - 1
	case n == nil || n.top < t:
		return 0
	case n.lanes == nil:
		return n.which
	}
	for i, at := range n.lanes {
		if at >= t {
			mask |= 1 << i
		}
	}
	return mask | n.patches.reached(uint32(n.base%Radix), t)
}

// EachKnown calls f for each range of units that the clock has a time for, until f returns false. A range is one unit
// or Radix^n units, and begins with the unit first. EachKnown reports whether f has returned true for all of them.
func (c *Clock) EachKnown(f func(first Unit, count uint64) bool) bool {
	switch {
	case c == nil || c.top == 0:
		return true
	case c.floor > 0 || c.level == 0:
		return f(c.base, 1<<(RadixBits*c.level))
	}
	for m := c.which; c.isDense() && m != 0; m &= m - 1 {
		if !f(c.base|Unit(bits.TrailingZeros32(m)), 1) {
			return false
		}
	}
	for _, kid := range c.kids {
		if !kid.EachKnown(f) {
			return false
		}
	}
	return true
}

// descend returns the node of a unit, nil if it has none of its own, and a lower bound of the times of its threads. If
// the unit's block is dense, the node is made in room, with the block's bounds and patches.
func (c *Clock) descend(u Unit, room *Clock) (*Clock, Time) {
	floor := Time(0)
	for c != nil && (u^c.base)>>(RadixBits*c.level) == 0 {
		floor = max(floor, c.floor)
		if c.level == 0 {
			return c, floor
		}
		bit := uint32(1) << (uint32(u) >> (RadixBits * (c.level - 1)) % Radix)
		if c.which&bit == 0 {
			return nil, floor
		}
		if c.lanes != nil {
			room.base, room.floor, room.top, room.lanes, room.patches = u, c.floor, c.top,
				&c.rows()[c.index(c.slot(u))], c.patches
			return room, floor
		}
		c = c.kids[bits.OnesCount32(c.which&(bit-1))]
	}
	return nil, floor
}

// OfBlock returns the times of the units of a block that the clock has besides those of wider ranges, nil for none.
func (c *Clock) OfBlock(block uint32) *Clock {
	u := Unit(block << RadixBits)
	for c != nil && c.level > blockLevel {
		if !c.holds(u) {
			return nil
		}
		c = c.kid(c.slot(u))
	}
	if c == nil || c.base>>RadixBits != Unit(block) {
		return nil
	}
	return c
}

// holds reports whether a unit is in the range.
func (c *Clock) holds(u Unit) bool { return (u^c.base)>>(RadixBits*c.level) == 0 }

// slot returns the index of the 32nd of the range that a unit is in.
func (c *Clock) slot(u Unit) uint32 { return uint32(u) >> (RadixBits * (c.level - 1)) % Radix }

// index returns the index of a slot's node in kids.
func (c *Clock) index(i uint32) int { return bits.OnesCount32(c.which & (1<<i - 1)) }

// kid returns the node of a slot, nil for none.
func (c *Clock) kid(i uint32) *Clock {
	if c.which>>i&1 == 0 {
		return nil
	}
	return c.kids[c.index(i)]
}

// lane returns the time of a thread in the node of a unit.
func (c *Clock) lane(i int) Time {
	switch {
	case c.patches != nil:
		return max(c.lanes[i], c.patches.at(uint32(c.base%Radix), i))
	case c.lanes != nil:
		return c.lanes[i]
	case c.which>>i&1 != 0:
		return c.top
	}
	return c.floor
}

// times returns the times of the threads in the node of a unit: its own array if it has one, else room, filled.
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

// few returns a node in which the threads of a unit in which have time top, the others time floor.
func few(u Unit, floor, top Time, which uint32) Clock {
	switch {
	case which == 0 || floor == top:
		return Clock{base: u, floor: floor, top: floor}
	case which == 1<<Radix-1:
		return Clock{base: u, floor: top, top: top}
	}
	return Clock{base: u, floor: floor, top: top, which: which}
}

// Bytes returns the size in memory of the nodes that this measurement has not counted yet. Measurements have numbers
// other than 0, and must not run concurrently.
func (c *Clock) Bytes(measurement uint32) uint64 {
	if c == nil || c.counted == measurement {
		return 0
	}
	c.counted = measurement
	n := uint64(64) + 8*uint64(len(c.kids))
	switch {
	case c.patches != nil:
		n += c.patches.bytes(measurement)
	case c.isDense():
		n += 4 * Radix * uint64(bits.OnesCount32(c.which))
	case c.lanes != nil:
		n += 4 * Radix
	}
	for _, k := range c.kids {
		n += k.Bytes(measurement)
	}
	return n
}
