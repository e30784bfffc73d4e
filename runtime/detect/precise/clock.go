package precise

import (
	"math/bits"
	"slices"
)

// A unit is 32 threads that share a number: a warp, or the lanes of an asynchronous
// operation. The number is that of its block, times 32, plus that within the block.
type unit uint32

const (
	radixBits = 5
	radix     = 1 << radixBits
	// levels are those of a tree over all units, above the one for lanes.
	levels    = 6
	maxBlocks = 1 << (radixBits * (levels - 1))
)

// stamp is a point of logical time, which passes at every synchronisation. An access
// has the stamp of the thread's latest synchronisation.
type stamp uint32

// node is knowledge of the units in a range: up to which stamp their accesses are
// ordered before whoever knows. A node never changes once it is made, so that the
// knowledge of threads and blocks can share most of it.
type node struct {
	floor stamp // all threads of the range are known up to here
	top   stamp // and none further than this
	which uint32
	kids  []*node // those whose bit is set in which; the others are known up to floor
	lanes *[radix]stamp
}

// kid is the part of a node for one 32nd of its range, nil when it is floor.
func (n *node) kid(i uint32) *node {
	if n.which>>i&1 == 0 {
		return nil
	}
	return n.kids[bits.OnesCount32(n.which&(1<<i-1))]
}

// known is the stamp up to which a thread is known.
func (n *node) known(u unit, lane int) stamp {
	n, floor := n.descend(u)
	if n == nil || n.lanes == nil {
		return floor
	}
	return max(floor, n.lanes[lane])
}

// knownUnit is the stamp up to which all threads of a unit are known.
func (n *node) knownUnit(u unit) stamp {
	_, floor := n.descend(u)
	return floor
}

// descend is the node of a unit, nil when there is none of its own, and the stamp up
// to which all of it is known.
func (n *node) descend(u unit) (*node, stamp) {
	floor := stamp(0)
	for level := levels; n != nil; level-- {
		floor = max(floor, n.floor)
		if level == 0 {
			return n, floor
		}
		n = n.kid(uint32(u) >> (radixBits * (level - 1)) % radix)
	}
	return nil, floor
}

// join is what two know together.
func join(a, b *node) *node {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	case a.floor >= b.top:
		return a
	case b.floor >= a.top:
		return b
	}
	floor := max(a.floor, b.floor)
	if a.lanes != nil || b.lanes != nil {
		return joinLanes(a, b, floor)
	}
	return joinKids(a, b, floor)
}

// joinKids joins two nodes of several units. It returns one of them if that knows all,
// so that nothing is made anew where nothing is learnt.
func joinKids(a, b *node, floor stamp) *node {
	var kids [radix]*node
	out := node{floor: floor, top: floor, kids: kids[:0]}
	isA, isB := floor == a.floor, floor == b.floor
	for w := a.which | b.which; w != 0; w &= w - 1 {
		i := uint32(bits.TrailingZeros32(w))
		ka, kb := a.kid(i), b.kid(i)
		k := join(ka, kb)
		isA, isB = isA && k == ka, isB && k == kb
		if k.top > floor {
			out.add(i, k)
		}
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	return &node{floor: floor, top: out.top, which: out.which, kids: slices.Clone(out.kids)}
}

func (n *node) add(i uint32, k *node) {
	n.which |= 1 << i
	n.kids = append(n.kids, k)
	n.top = max(n.top, k.top)
}

// joinLanes joins two nodes of a unit.
func joinLanes(a, b *node, floor stamp) *node {
	var lanes [radix]stamp
	least, most := stamp(1<<32-1), floor
	for i := range lanes {
		lanes[i] = max(a.lane(i), b.lane(i))
		least, most = min(least, lanes[i]), max(most, lanes[i])
	}
	switch {
	case least == most:
		return &node{floor: least, top: most}
	case a.lanes != nil && lanes == *a.lanes:
		return a
	case b.lanes != nil && lanes == *b.lanes:
		return b
	}
	kept := lanes // the array that is allocated
	return &node{floor: least, top: most, lanes: &kept}
}

func (n *node) lane(i int) stamp {
	if n.lanes == nil {
		return n.floor
	}
	return n.lanes[i]
}

// knowUnit is knowledge of the threads of a unit in mask up to a stamp.
func knowUnit(u unit, mask uint32, s stamp) *node {
	n := &node{floor: s, top: s}
	if mask != 1<<radix-1 {
		n = &node{top: s, lanes: new([radix]stamp)}
		for ; mask != 0; mask &= mask - 1 {
			n.lanes[bits.TrailingZeros32(mask)] = s
		}
	}
	return wrap(n, 0, u)
}

// knowBlock is knowledge of all units of a block up to a stamp.
func knowBlock(block uint32, s stamp) *node {
	return wrap(&node{floor: s, top: s}, 1, unit(block<<radixBits))
}

// wrap puts a node of a level at its place in a tree.
func wrap(n *node, level int, u unit) *node {
	for ; level < levels; level++ {
		i := uint32(u) >> (radixBits * level) % radix
		n = &node{top: n.top, which: 1 << i, kids: []*node{n}}
	}
	return n
}

// clock is what a thread knows. It never changes once it is made.
type clock struct {
	known *node // accesses that are ordered before
	// fenced are those accesses of known through the generic proxy that are ordered
	// before accesses through the asynchronous proxy too.
	fenced *node
}

// merge is what two clocks know together.
func merge(a, b *clock) *clock {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	known, fenced := join(a.known, b.known), join(a.fenced, b.fenced)
	switch {
	case known == a.known && fenced == a.fenced:
		return a
	case known == b.known && fenced == b.fenced:
		return b
	}
	return &clock{known, fenced}
}

// merges are the latest that were made: the lanes of a warp often merge the same clocks
// one after another.
type merges struct {
	made [8]struct{ a, b, both *clock }
	next int
}

// merge is what two clocks know together.
func (m *merges) merge(a, b *clock) *clock {
	if a == b || a == nil || b == nil {
		return merge(a, b)
	}
	for i := range m.made {
		if x := &m.made[i]; x.a == a && x.b == b {
			return x.both
		}
	}
	x := &m.made[m.next]
	m.next = (m.next + 1) % len(m.made)
	x.a, x.b, x.both = a, b, merge(a, b)
	return x.both
}

// with is a clock that knows n too.
func (c *clock) with(n *node) *clock { return merge(c, &clock{known: n}) }
