// Metadata of the bytes of a page: epochs of the last reads and writes.

package barracuda

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/hugepage"
)

// epochs holds the last accesses of one kind to the cells of a page. As long as the cells of a group are accessed together, by
// consecutive lanes of one warp, the group has one epoch for all of them; otherwise each cell has its own.
type epochs struct {
	groups   []group
	sets     []*[setBlock]epochSet // for groups and cells with concurrent accesses
	used     uint32                // number of sets that have been in use
	free     []uint32              // those of them that are free again
	accesses *accessTable
}

// epoch is c@t and the instruction, or a set of concurrent epochs.
type epoch struct {
	clock uint32 // 0 for ⊥
	warp  uint32 // warpID, or index in sets
	site  uint32
	lane  uint8 // or inSet
}

func newEpochs(cells int, p *accessTable) *epochs {
	return &epochs{groups: hugepage.Slice(make([]group, cells/groupCells)), accesses: p}
}

// at returns the epoch of a cell, or its set of epochs if it has one.
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

// cell returns a cell of a mixed group.
func (e *epochs) cell(i int) *accessRef { return &e.groups[i/groupCells].cells[i%groupCells] }

// put makes m the content of a cell of a mixed group: its only access, or ⊥.
func (e *epochs) put(i int, m accessRef) {
	c := e.cell(i)
	if c.isSet() {
		e.drop(c.number())
	}
	*c = m
}

// drop frees a set.
func (e *epochs) drop(at uint32) { e.free = append(e.free, at) }

// take returns an empty set and its number.
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

// setBlock is the number of sets allocated at a time.
const setBlock = 16

// set returns the set with that number.
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

// inflate replaces the epoch of a cell of a mixed group by a set, and returns the set.
func (e *epochs) inflate(i int) *epochSet {
	s, at := e.take()
	c := e.cell(i)
	if x := e.accesses.epoch(*c); x.clock != 0 {
		s.start(x.warp, 1<<x.lane, x.clock, x.site)
	}
	*c = newRef(at, inSet)
	return s
}

// spread splits each cell into parts cells with the same epochs, and each group into parts groups.
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

// copySet returns the number of a copy of a set.
func (e *epochs) copySet(at uint32) uint32 {
	s, n := e.take()
	s.copy(e.set(at))
	return n
}

// copyGroupSet copies the set of a group to one of its parts. The lane of the group's first cell stands for all lanes.
func (e *epochs) copyGroupSet(to, from *group, part int) {
	if part == 0 {
		return
	}
	to.warp = e.copySet(from.warp)
	list := e.set(to.warp).runs().list
	for k := range list {
		list[k].mask = to.lanes() & -to.lanes()
	}
}
