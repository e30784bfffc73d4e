// Metadata of the bytes of a page: the epochs of the last reads and writes.

package barracuda

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/hugepage"
)

// epochs are the last accesses of a kind to the cells of a page. As long as the cells
// of a group are accessed together, by consecutive lanes of one warp, the group keeps
// one epoch for all of them; when they are not, each has its own.
type epochs struct {
	groups   []group
	sets     []*[setBlock]epochSet // of groups and cells with concurrent accesses
	used     uint32                // so many of sets have been in use,
	free     []uint32              // and these are not any more
	accesses *accessTable
}

// epoch is c@t, and the instruction; or a set of them that are concurrent.
type epoch struct {
	clock uint32 // 0 for ⊥
	warp  uint32 // warpID, or index in sets
	site  uint32
	lane  uint8 // or inSet
}

func newEpochs(cells int, p *accessTable) *epochs {
	return &epochs{groups: hugepage.Slice(make([]group, cells/groupCells)), accesses: p}
}

// at is the epoch of a cell, or the set of them, if there are any.
func (e *epochs) at(i int) (epoch, *epochSet) {
	g := &e.groups[i/groupCells]
	switch g.state {
	case groupEmpty:
		return epoch{}, nil
	case groupMixed:
		m := g.cells[i%groupCells]
		if m.isSet() {
			return epoch{clock: 1, lane: inSet}, e.set(m.number())
		}
		return e.accesses.epoch(m), nil
	}
	x := epoch{clock: g.clock, warp: g.warp, site: g.site, lane: uint8(g.lane(i))}
	if g.state == groupShared {
		return x, e.set(g.warp)
	}
	return x, nil
}

// cell is a cell of a mixed group.
func (e *epochs) cell(i int) *accessRef { return &e.groups[i/groupCells].cells[i%groupCells] }

// put makes an access the only one to a cell of a mixed group, or ⊥.
func (e *epochs) put(i int, m accessRef) {
	c := e.cell(i)
	if c.isSet() {
		e.drop(c.number())
	}
	*c = m
}

// drop forgets a set.
func (e *epochs) drop(at uint32) { e.free = append(e.free, at) }

// take is an empty set and its number.
func (e *epochs) take() (*epochSet, uint32) {
	at := e.used
	if n := len(e.free) - 1; n >= 0 {
		at, e.free = e.free[n], e.free[:n]
	} else {
		if e.used++; int(at) == len(e.sets)*setBlock {
			e.sets = append(e.sets, hugepage.Object(new([setBlock]epochSet)))
		}
	}
	s := e.set(at)
	s.forget()
	return s, at
}

// setBlock is how many sets are made at a time.
const setBlock = 16

// set is a set by its number.
func (e *epochs) set(at uint32) *epochSet { return &e.sets[at/setBlock][at%setBlock] }

// shared reports whether any set is in use.
func (e *epochs) shared() bool { return len(e.free) != int(e.used) }

// clear makes all cells empty.
func (e *epochs) clear() {
	for i := range e.groups {
		e.groups[i].state = groupEmpty
	}
	e.used, e.free = 0, e.free[:0]
}

// inflate makes a set of the epoch of a cell of a mixed group, and returns it.
func (e *epochs) inflate(i int) *epochSet {
	s, at := e.take()
	c := e.cell(i)
	if x := e.accesses.epoch(*c); x.clock != 0 {
		s.start(x.warp, 1<<x.lane, x.clock, x.site)
	}
	*c = newRef(at, inSet)
	return s
}

// spread gives each of parts cells the epochs of the cell that they were, in groups that
// are as many times as many.
func (e *epochs) spread(parts int) *epochs {
	n := &epochs{groups: make([]group, len(e.groups)*parts), sets: e.sets, used: e.used, free: e.free, accesses: e.accesses}
	for at := range n.groups {
		from, to, part := &e.groups[at/parts], &n.groups[at], at%parts
		*to = *from
		to.cells = nil
		switch from.state {
		case groupMixed:
			to.cells = new([groupCells]accessRef)
			for i := range to.cells {
				j := part*groupCells + i
				to.cells[i] = from.cells[j/parts]
				if m := &to.cells[i]; m.isSet() && j%parts != 0 {
					*m = newRef(n.copySet(m.number()), inSet)
				}
			}
		case groupOne, groupShared:
			to.shift += uint8(bits.TrailingZeros(uint(parts)))
			to.key = from.key*uint16(parts) + uint16(part*groupCells)
			if from.state == groupShared {
				n.copyGroupSet(to, from, part)
			}
		}
	}
	return n
}

// copySet is the number of a copy of a set.
func (e *epochs) copySet(at uint32) uint32 {
	s, n := e.take()
	s.copy(e.set(at))
	return n
}

// copyGroupSet gives a part of a group its set, in which the lane of the group's first cell
// stands for all.
func (e *epochs) copyGroupSet(to, from *group, part int) {
	if part == 0 {
		return
	}
	to.warp = e.copySet(from.warp)
	list := e.set(to.warp).runs()
	for k := range list {
		list[k].mask = to.lanes() & -to.lanes()
	}
}
