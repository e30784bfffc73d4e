package precise

import (
	"math/bits"
	"slices"
	"unsafe"
)

// A unit is 32 threads that share a number: a warp, or the lanes of an asynchronous
// operation. The number is that of its block, times 32, plus that within the block.
type unit uint32

const (
	radixBits = 5
	radix     = 1 << radixBits
	maxBlocks = 1 << 25
)

// stamp is a point of logical time, which passes at every synchronisation. An access
// has the stamp of the thread's latest synchronisation.
type stamp uint32

// node is knowledge of the units in a range: up to which stamp their accesses are
// ordered before whoever knows. A node never changes once it is made, so that the
// knowledge of threads and blocks can share most of it.
type node struct {
	base  unit  // the first of the range, which is radix^level long
	level uint8 // 0: one unit, whose threads are told apart
	floor stamp // all threads of the range are known up to here
	top   stamp // and none further than this
	// which are the 32nds of the range that have a node in kids, not always one for all
	// of it; the others are known up to floor. Of one unit it is the threads that are known up to
	// top, the others being known up to floor, if lanes is nil.
	which uint32
	kids  []*node
	lanes *[radix]stamp
}

// holds reports whether a unit is in the range.
func (n *node) holds(u unit) bool { return (u^n.base)>>(radixBits*n.level) == 0 }

// slot is the 32nd of the range that a unit is in.
func (n *node) slot(u unit) uint32 { return uint32(u) >> (radixBits * (n.level - 1)) % radix }

// index is the place of a slot's node in kids.
func (n *node) index(i uint32) int { return bits.OnesCount32(n.which & (1<<i - 1)) }

// kid is the node of a slot, nil when there is none.
func (n *node) kid(i uint32) *node {
	if n.which>>i&1 == 0 {
		return nil
	}
	return n.kids[n.index(i)]
}

// known is the stamp up to which a thread is known.
func (n *node) known(u unit, lane int) stamp {
	n, floor := n.descend(u)
	if n == nil {
		return floor
	}
	return max(floor, n.lane(lane))
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
	for n != nil && n.holds(u) {
		floor = max(floor, n.floor)
		if n.level == 0 {
			return n, floor
		}
		n = n.kid(n.slot(u))
	}
	return nil, floor
}

// join is what two know together. It is one of them if that knows all, so that nothing
// is made anew where nothing is learnt.
func join(a, b *node) *node {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	case a.level > b.level && a.holds(b.base):
		return joinInto(a, b)
	case b.level > a.level && b.holds(a.base):
		return joinInto(b, a)
	case a.level != b.level || a.base != b.base:
		return joinApart(a, b)
	case a.floor >= b.top:
		return a
	case b.floor >= a.top:
		return b
	case a.level == 0:
		return joinLanes(a, b)
	}
	return joinKids(a, b)
}

// joinInto joins a node with one of a range within one of its slots.
func joinInto(n, part *node) *node {
	if n.floor >= part.top {
		return n
	}
	i := n.slot(part.base)
	at, old := n.index(i), n.kid(i)
	kid := join(old, part)
	if kid == old {
		return n
	}
	out := &node{base: n.base, level: n.level, floor: n.floor, top: max(n.top, kid.top), which: n.which | 1<<i}
	if old != nil {
		out.kids = slices.Clone(n.kids)
		out.kids[at] = kid
		return out
	}
	out.kids = make([]*node, len(n.kids)+1)
	copy(out.kids, n.kids[:at])
	out.kids[at] = kid
	copy(out.kids[at+1:], n.kids[at:])
	return out
}

// joinApart joins nodes of ranges that have nothing in common.
func joinApart(a, b *node) *node {
	level := max(a.level, b.level) + 1
	for (a.base^b.base)>>(radixBits*level) != 0 {
		level++
	}
	if a.base > b.base {
		a, b = b, a
	}
	n := &node{base: a.base >> (radixBits * level) << (radixBits * level), level: level, top: max(a.top, b.top), kids: []*node{a, b}}
	n.which = 1<<n.slot(a.base) | 1<<n.slot(b.base)
	return n
}

// joinKids joins two nodes of one range of several units.
func joinKids(a, b *node) *node {
	var kids [radix]*node
	floor := max(a.floor, b.floor)
	out := node{base: a.base, level: a.level, floor: floor, top: floor, kids: kids[:0]}
	isA, isB := floor == a.floor, floor == b.floor
	for w := a.which | b.which; w != 0; w &= w - 1 {
		i := uint32(bits.TrailingZeros32(w))
		ka, kb := a.kid(i), b.kid(i)
		k := ka
		if ka != kb {
			k = join(ka, kb)
		}
		if k.top <= floor {
			continue // neither needs it to know that
		}
		isA, isB = isA && k == ka, isB && k == kb
		out.which |= 1 << i
		out.kids = append(out.kids, k)
		out.top = max(out.top, k.top)
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	made := out
	made.kids = slices.Clone(out.kids)
	return &made
}

// joinLanes joins two nodes of a unit.
func joinLanes(a, b *node) *node {
	if a.lanes == nil && b.lanes == nil {
		if n := joinFew(a, b); n != nil {
			return n
		}
	}
	var lanes [radix]stamp
	least, most := stamp(1<<32-1), stamp(0)
	isA, isB := true, true
	for i := range lanes {
		x, y := a.lane(i), b.lane(i)
		s := max(x, y)
		isA, isB = isA && s == x, isB && s == y
		lanes[i] = s
		least, most = min(least, s), max(most, s)
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	case least == most:
		return &node{base: a.base, floor: least, top: most}
	}
	kept := lanes // the array that is allocated
	return &node{base: a.base, floor: least, top: most, lanes: &kept}
}

// joinFew joins two nodes of a unit when one of them, or one that needs no stamps of
// single threads, knows all; otherwise it is nil.
func joinFew(a, b *node) *node {
	if a.top < b.top {
		a, b = b, a
	}
	floor := max(a.floor, b.floor)
	switch further := b.which &^ a.which; { // threads that b may know further
	case b.top <= a.floor, further == 0 && floor == a.floor:
		return a
	case a.top == b.top && a.which&^b.which == 0 && floor == b.floor:
		return b
	case a.top == b.top:
		return lanesNode(a.base, floor, a.top, a.which|b.which)
	case further == 0, b.top <= floor:
		return lanesNode(a.base, floor, a.top, a.which)
	}
	return nil
}

// lanesNode is knowledge of the threads of a unit in which up to top, of others up to
// floor.
func lanesNode(u unit, floor, top stamp, which uint32) *node {
	switch {
	case which == 0 || floor == top:
		return &node{base: u, floor: floor, top: floor}
	case which == 1<<radix-1:
		return &node{base: u, floor: top, top: top}
	}
	return &node{base: u, floor: floor, top: top, which: which}
}

// lane is the stamp up to which a node of a unit knows one of its threads.
func (n *node) lane(i int) stamp {
	switch {
	case n.lanes != nil:
		return n.lanes[i]
	case n.which>>i&1 != 0:
		return n.top
	}
	return n.floor
}

// knowUnit is knowledge of the threads of a unit in mask up to a stamp.
func knowUnit(u unit, mask uint32, s stamp) *node { return lanesNode(u, 0, s, mask) }

// knowBlock is knowledge of all units of a block up to a stamp.
func knowBlock(block uint32, s stamp) *node {
	return &node{base: unit(block << radixBits), level: 1, floor: s, top: s}
}

// clock is what a thread knows. It never changes once it is made.
type clock struct {
	known *node // accesses that are ordered before
	// fenced are those accesses of known through the generic proxy that are ordered
	// before accesses through the asynchronous proxy too. In the papers' model, which has no
	// proxies, they are those that barriers alone order before.
	fenced *node
	// It is all that a thread had to release at a time; at is 0 when that is not known.
	by thread
	at stamp
}

// covers reports whether a clock knows all of another one, when that is easily told: who
// knows a thread up to some stamp knows what it knew.
func (c *clock) covers(x *clock) bool {
	return x.at != 0 && (x.fenced == nil || x.fenced == c.fenced) && c.known.known(x.by.unit, int(x.by.lane)) >= x.at
}

// merge is what two clocks know together.
func merge(a, b *clock) *clock {
	switch {
	case a == b || b == nil:
		return a
	case a == nil, b.covers(a):
		return b
	case a.covers(b):
		return a
	}
	known, fenced := join(a.known, b.known), join(a.fenced, b.fenced)
	switch {
	case known == a.known && fenced == a.fenced:
		return a
	case known == b.known && fenced == b.fenced:
		return b
	}
	return &clock{known: known, fenced: fenced}
}

// merges are the latest that were made: threads often merge the same clocks one after
// another.
type merges [256]struct{ a, b, both *clock }

// merge is what two clocks know together.
func (m *merges) merge(a, b *clock) *clock {
	if a == b || a == nil || b == nil {
		return merge(a, b)
	}
	x := &m[(uintptr(unsafe.Pointer(a))/16*31^uintptr(unsafe.Pointer(b))/16)%uintptr(len(m))]
	if x.a != a || x.b != b {
		x.a, x.b, x.both = a, b, merge(a, b)
	}
	return x.both
}

// with is a clock that knows n too.
func (c *clock) with(n *node) *clock {
	if c == nil {
		return &clock{known: n}
	}
	known := join(c.known, n)
	if known == c.known {
		return c
	}
	return &clock{known: known, fenced: c.fenced}
}

// knows reports whether what a thread has done up to a stamp is known.
func (c *clock) knows(u unit, lane int, s stamp) bool { return c != nil && c.known.known(u, lane) >= s }
