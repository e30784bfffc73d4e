// The clocks that the threads of a path have for the other lanes of their warp.

package barracuda

import "github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"

// laneClocks is clocks for the lanes of a warp outside a path: sets of lanes with a clock each. Of several sets that a
// lane is in, the first one counts; lanes that are in none have clock 0. Lists never change once they are
// made: the two paths of a branch share one, and what they begin with is dropped when they meet.
//
// A branch puts the lanes of a path before the list, which its paths are parts of. So a list has at
// most twice as many sets as a warp has lanes.
type laneClocks struct {
	lanes, clock uint32
	next         *laneClocks
}

// at is the clock for a lane.
func (c *laneClocks) at(lane int) uint32 {
	for ; c != nil; c = c.next {
		if c.lanes>>lane&1 != 0 {
			return c.clock
		}
	}
	return 0
}

// reach reports whether all clocks for some lanes are at least so large.
func (c *laneClocks) reach(lanes, clock uint32) bool {
	for ; c != nil && lanes != 0; c = c.next {
		if lanes&c.lanes != 0 && c.clock < clock {
			return false
		}
		lanes &^= c.lanes
	}
	return lanes == 0 || clock == 0
}

// beyond is the clocks for lanes that are not among some.
func (c *laneClocks) beyond(lanes uint32) *laneClocks {
	for c != nil && c.lanes&^lanes == 0 {
		c = c.next
	}
	return c
}

// with is the clocks with another one for some lanes.
func (c *laneClocks) with(lanes, clock uint32) *laneClocks {
	c = c.beyond(lanes)
	if c != nil && c.clock == clock {
		if lanes&^c.lanes == 0 {
			return c
		}
		lanes |= c.lanes
		c = c.next.beyond(lanes)
	}
	return &laneClocks{lanes, clock, c}
}

// newLaneClocks is the clocks of some lanes, in as few sets as possible.
func newLaneClocks(lanes uint32, clocks *[fanout]uint32) *laneClocks {
	var c *laneClocks
	for lanes != 0 {
		same, clock := uint32(0), clocks[first(lanes)]
		for m := lanes; m != 0; m &= m - 1 {
			if clocks[first(m)] == clock {
				same |= m & -m
			}
		}
		lanes &^= same
		c = &laneClocks{same, clock, c}
	}
	return c
}

// join is the clocks of some lanes, or the times if they are later.
func (c *laneClocks) join(lanes uint32, times [fanout]vclock.Time) *laneClocks {
	var clocks [fanout]uint32
	for m := lanes; m != 0; m &= m - 1 {
		i := first(m)
		clocks[i] = max(c.at(i), uint32(times[i]))
	}
	return newLaneClocks(lanes, &clocks)
}

// sets is how many sets there are.
func (c *laneClocks) sets() (n uint64) {
	for ; c != nil; c = c.next {
		n++
	}
	return n
}
