package barracuda

// clocks is a sparse vector clock over the threads of the grid: the unordered map
// from threads to clocks of the SPARSEVC format, as a tree over lanes, warps, blocks
// and powers of 32 blocks. A node's floor holds for all threads below it, so that a
// block whose threads agree costs one node. Nodes are immutable and shared: joins
// copy what changes only, and cost nothing where both sides have the same node. The
// nil clocks is the minimal one.
type clocks struct {
	level uint8            // levelWarp, levelBlock, ...
	floor uint32           // the clock of every thread below, at least
	top   uint32           // the largest clock below
	kids  *[fanout]*clocks // levels above 0; nil for none
	lanes *[fanout]uint32  // level 0, the lanes of a warp; nil for none
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
		if c.kids == nil || c.top <= n {
			break
		}
		c = c.kids[slotOf(warp, c.level)]
	}
	return n
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
	n := clocks{level: a.level, floor: max(a.floor, b.floor), top: max(a.top, b.top)}
	isA, isB := n.floor == a.floor, n.floor == b.floor
	if a.lanes != nil || b.lanes != nil {
		n.lanes = joinLanes(a, b, n.floor, &isA, &isB)
	} else {
		n.kids = joinKids(a, b, n.floor, &isA, &isB)
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	return &n
}

// joinLanes joins the lanes of two warps, and says whether the result is one of them.
func joinLanes(a, b *clocks, floor uint32, isA, isB *bool) *[fanout]uint32 {
	lanes := new([fanout]uint32)
	for i := range lanes {
		x, y := a.lane(i), b.lane(i)
		lanes[i] = max(x, y, floor)
		*isA = *isA && lanes[i] == max(x, a.floor)
		*isB = *isB && lanes[i] == max(y, b.floor)
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
// whether the result is that of one of the operands.
func joinKids(a, b *clocks, floor uint32, isA, isB *bool) *[fanout]*clocks {
	kids := new([fanout]*clocks)
	for i := range kids {
		x, y := a.kid(i), b.kid(i)
		k := join(x, y)
		if k != nil && k.top <= floor {
			k = nil
		}
		kids[i] = k
		*isA, *isB = *isA && k == x, *isB && k == y
	}
	return kids
}

func (c *clocks) kid(i int) *clocks {
	if c.kids == nil {
		return nil
	}
	return c.kids[i]
}

// nest is a tree up to level root in which n, a node of the warp or its block, is
// the only one.
func nest(n *clocks, warp uint32, root uint8) *clocks {
	for n.level < root {
		up := &clocks{level: n.level + 1, top: n.top, kids: new([fanout]*clocks)}
		up.kids[slotOf(warp, up.level)] = n
		n = up
	}
	return n
}

// find is the node of a level that the warp belongs to, nil for none, and the floor
// that nodes above it give.
func (c *clocks) find(warp uint32, level uint8) (n *clocks, floor uint32) {
	for c != nil && c.level > level {
		floor = max(floor, c.floor)
		c = c.kid(int(slotOf(warp, c.level)))
	}
	return c, floor
}

// without is the clocks without the node of the block that a warp belongs to, which
// must be there.
func (c *clocks) without(warp uint32) *clocks {
	if c.level == levelBlock {
		return nil
	}
	n := clocks{level: c.level, floor: c.floor, top: c.floor, kids: new([fanout]*clocks)}
	*n.kids = *c.kids
	slot := slotOf(warp, c.level)
	n.kids[slot] = c.kids[slot].without(warp)
	for _, k := range n.kids {
		if k != nil {
			n.top = max(n.top, k.top)
		}
	}
	if n.top == 0 {
		return nil
	}
	return &n
}

// size is the memory in bytes of the nodes that have not been seen.
func (c *clocks) size(seen map[*clocks]bool) uint64 {
	if c == nil || seen[c] {
		return 0
	}
	seen[c] = true
	bytes := uint64(32)
	if c.lanes != nil {
		bytes += 4 * fanout
	}
	if c.kids != nil {
		bytes += 8 * fanout
		for _, k := range c.kids {
			bytes += k.size(seen)
		}
	}
	return bytes
}
