// Metadata of the bytes of a page: epochs of the last reads and writes.

package barracuda

import "github.com/ptxsan/ptxsan/internal/hugepage"

// epochs holds the last accesses of one kind to the cells of a page.
type epochs struct {
	cells    []accessRef
	sets     []*[setBlock]epochSet // for cells with concurrent accesses
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
	return &epochs{cells: hugepage.Slice(make([]accessRef, cells)), accesses: p}
}

// put makes m the content of a cell: its only access, or ⊥.
func (e *epochs) put(i int, m accessRef) {
	c := &e.cells[i]
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

// clear makes all cells empty.
func (e *epochs) clear() {
	clear(e.cells)
	e.used, e.free = 0, e.free[:0]
}

// inflate replaces the epoch of a cell by a set, and returns the set.
func (e *epochs) inflate(i int) *epochSet {
	s, at := e.take()
	c := &e.cells[i]
	if x := e.accesses.epoch(*c); x.clock != 0 {
		s.start(x.warp, 1<<x.lane, x.clock, x.site)
	}
	*c = newRef(at, inSet)
	return s
}

// spread splits each cell into parts cells with the same epochs.
func (e *epochs) spread(parts int) *epochs {
	n := &epochs{
		cells: make([]accessRef, len(e.cells)*parts), sets: e.sets, used: e.used, free: e.free,
		accesses: e.accesses,
	}
	for i := range n.cells {
		m := e.cells[i/parts]
		if m.isSet() && i%parts != 0 {
			m = newRef(n.copySet(m.number()), inSet)
		}
		n.cells[i] = m
	}
	return n
}

// copySet returns the number of a copy of a set.
func (e *epochs) copySet(at uint32) uint32 {
	s, n := e.take()
	s.copy(e.set(at))
	return n
}
