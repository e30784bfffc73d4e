package barracuda

import "math/bits"

// clocks is a sparse vector clock over the threads of the grid: the unordered map
// from threads to clocks of the SPARSEVC format, as a tree over lanes, warps, blocks
// and powers of 32 blocks. A node's floor holds for all threads below it, so that a
// block whose threads agree costs one node. Nodes are immutable and shared: joins
// copy what changes only, and cost nothing where both sides have the same node. The
// nil clocks is the minimal one.
type clocks struct {
	level uint8           // levelWarp, levelBlock, ...
	floor uint32          // the clock of every thread below, at least
	top   uint32          // the largest clock below
	has   uint32          // levels above 0: slots with a child
	kids  []*clocks       // the children, in the order of their slots
	lanes *[fanout]uint32 // level 0, the lanes of a warp; nil for none
}

const (
	fanoutBits = 5
	fanout     = 1 << fanoutBits

	levelWarp  = 0
	levelBlock = 1
)

// rootLevel is the level of a tree for a grid with so many blocks.
func rootLevel(blocks uint64) uint8 {
	level := uint8(levelBlock)
	for n := uint64(1); n < blocks && level < 7; n <<= fanoutBits {
		level++
	}
	return level
}

// slotOf is the index, in a node of a level, of the child that the warp is below.
func slotOf(warp uint32, level uint8) uint32 {
	return warp >> (fanoutBits * (level - 1)) & (fanout - 1)
}

// at is the clock of a lane of a warp.
func (c *clocks) at(warp uint32, lane int) uint32 {
	n := uint32(0)
	for c != nil {
		n = max(n, c.floor)
		if c.level == levelWarp {
			if c.lanes != nil {
				n = max(n, c.lanes[lane])
			}
			break
		}
		if c.top <= n {
			break
		}
		c = c.kid(slotOf(warp, c.level))
	}
	return n
}

// least is the smallest clock of a lane of a warp.
func (c *clocks) least(warp uint32) uint32 {
	n, floor := c.find(warp, levelWarp)
	if n == nil {
		return floor
	}
	floor = max(floor, n.floor)
	if n.lanes == nil {
		return floor
	}
	least := n.lanes[0]
	for _, x := range n.lanes[1:] {
		least = min(least, x)
	}
	return max(floor, least)
}

// join is the least upper bound. It is one of its operands when that is not smaller
// than the other.
func join(a, b *clocks) *clocks {
	switch {
	case a == b || b == nil || a != nil && a.floor >= b.top:
		return a
	case a == nil || b.floor >= a.top:
		return b
	}
	floor := max(a.floor, b.floor)
	isA, isB := floor == a.floor, floor == b.floor
	var lanes *[fanout]uint32
	var has uint32
	var kids []*clocks
	if a.lanes != nil || b.lanes != nil {
		lanes = joinLanes(a, b, floor, &isA, &isB)
	} else {
		has, kids = joinKids(a, b, floor, &isA, &isB)
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	return &clocks{level: a.level, floor: floor, top: max(a.top, b.top), has: has, kids: kids, lanes: lanes}
}

// joinLanes joins the lanes of two warps, and says whether the result is one of them;
// then it need not be made.
func joinLanes(a, b *clocks, floor uint32, isA, isB *bool) (lanes *[fanout]uint32) {
	for i := range fanout {
		x, y := max(a.lane(i), a.floor), max(b.lane(i), b.floor)
		n := max(x, y, floor)
		wasA := *isA
		*isA, *isB = *isA && n == x, *isB && n == y
		if lanes == nil && !*isA && !*isB {
			lanes = new([fanout]uint32)
			for k := range i {
				if wasA {
					lanes[k] = max(a.lane(k), a.floor)
				} else {
					lanes[k] = max(b.lane(k), b.floor)
				}
			}
		}
		if lanes != nil {
			lanes[i] = n
		}
	}
	return lanes
}

func (c *clocks) lane(i int) uint32 {
	if c.lanes == nil {
		return c.floor
	}
	return c.lanes[i]
}

// joinKids joins the children, leaving out those that the floor covers, and says
// whether the result is that of one of the operands; then it need not be made.
func joinKids(a, b *clocks, floor uint32, isA, isB *bool) (has uint32, kids []*clocks) {
	i, j, made := 0, 0, false
	for m := a.has | b.has; m != 0; m &= m - 1 {
		var x, y *clocks
		slot := m & -m
		before, from, n := *isA, b.kids, j
		if before {
			from, n = a.kids, i
		}
		if a.has&slot != 0 {
			x = a.kids[i]
			i++
		}
		if b.has&slot != 0 {
			y = b.kids[j]
			j++
		}
		k := join(x, y)
		if k != nil && k.top <= floor {
			k = nil
		}
		*isA, *isB = *isA && k == x, *isB && k == y
		if !made && !*isA && !*isB {
			made = true
			kids = append(make([]*clocks, 0, bits.OnesCount32(a.has|b.has)), from[:n]...)
			if before {
				has = a.has & (slot - 1)
			} else {
				has = b.has & (slot - 1)
			}
		}
		if made && k != nil {
			has, kids = has|slot, append(kids, k)
		}
	}
	return has, kids
}

// kid is the child at a slot, nil for none.
func (c *clocks) kid(slot uint32) *clocks {
	if c.has>>slot&1 == 0 {
		return nil
	}
	return c.kids[bits.OnesCount32(c.has&(1<<slot-1))]
}

// nest is a tree up to level root in which n, a node of the warp or its block, is
// the only one.
func nest(n *clocks, warp uint32, root uint8) *clocks {
	for n.level < root {
		up := new(struct {
			clocks
			kid [1]*clocks
		})
		up.kid[0] = n
		up.clocks = clocks{level: n.level + 1, top: n.top, has: 1 << slotOf(warp, n.level+1), kids: up.kid[:]}
		n = &up.clocks
	}
	return n
}

// find is the node of a level that the warp belongs to, nil for none, and the floor
// that nodes above it give.
func (c *clocks) find(warp uint32, level uint8) (n *clocks, floor uint32) {
	for c != nil && c.level > level {
		floor = max(floor, c.floor)
		c = c.kid(slotOf(warp, c.level))
	}
	return c, floor
}

// without is the clocks without the node of the block that a warp belongs to, which
// must be there.
func (c *clocks) without(warp uint32) *clocks {
	if c.level == levelBlock {
		return nil
	}
	n := &clocks{level: c.level, floor: c.floor, top: c.floor}
	slot, i := uint32(1)<<slotOf(warp, c.level), 0
	for m := c.has; m != 0; m &= m - 1 {
		k := c.kids[i]
		if i++; m&-m == slot {
			k = k.without(warp)
		}
		if k != nil {
			n.has, n.kids, n.top = n.has|m&-m, append(n.kids, k), max(n.top, k.top)
		}
	}
	if n.top == 0 {
		return nil
	}
	return n
}

// size is the memory in bytes of the nodes that have not been seen.
func (c *clocks) size(seen map[*clocks]bool) uint64 {
	if c == nil || seen[c] {
		return 0
	}
	seen[c] = true
	bytes := uint64(48) + 8*uint64(len(c.kids))
	if c.lanes != nil {
		bytes += 4 * fanout
	}
	for _, k := range c.kids {
		bytes += k.size(seen)
	}
	return bytes
}
