// Clocks that the threads of a path have for the other lanes of their warp.

package barracuda

import "github.com/ptxsan/ptxsan/internal/vclock"

// laneClocks holds clocks for the lanes of a warp outside a path: a list of sets of lanes, each with one clock. The
// first set that contains a lane counts; a lane in none has clock 0. Lists are immutable: the two paths of a branch
// share one, and its head is dropped when the paths meet.
//
// A branch prepends the lanes of the path that it splits. So a list has at most twice as many sets as a warp has lanes.
type laneClocks struct {
	lanes, clock uint32
	next         *laneClocks
}

// at returns the clock for a lane.
func (c *laneClocks) at(lane int) uint32 {
	for ; c != nil; c = c.next {
		if c.lanes>>lane&1 != 0 {
			return c.clock
		}
	}
	return 0
}

// reach reports whether the clocks of all lanes in lanes are at least clock.
func (c *laneClocks) reach(lanes, clock uint32) bool {
	for ; c != nil && lanes != 0; c = c.next {
		if lanes&c.lanes != 0 && c.clock < clock {
			return false
		}
		lanes &^= c.lanes
	}
	return lanes == 0 || clock == 0
}

// beyond returns the clocks for the lanes that are not in lanes.
func (c *laneClocks) beyond(lanes uint32) *laneClocks {
	for c != nil && c.lanes&^lanes == 0 {
		c = c.next
	}
	return c
}

// with returns the clocks, with clock for the lanes in lanes.
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

// newLaneClocks returns the clocks of the lanes in lanes, in as few sets as possible.
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

// join returns, for the lanes in lanes, the later of their clocks and times.
func (c *laneClocks) join(lanes uint32, times [fanout]vclock.Time) *laneClocks {
	var clocks [fanout]uint32
	for m := lanes; m != 0; m &= m - 1 {
		i := first(m)
		clocks[i] = max(c.at(i), uint32(times[i]))
	}
	return newLaneClocks(lanes, &clocks)
}

// sets returns the number of sets.
func (c *laneClocks) sets() (n uint64) {
	for ; c != nil; c = c.next {
		n++
	}
	return n
}
