package barracuda

// epochs are the last accesses of a kind to the cells of a page. As long as the cells
// of a group are accessed together, by consecutive lanes of one warp, the group keeps
// one epoch for all of them; when they are not, each has its own.
type epochs struct {
	groups []group
	cells  []epoch     // of mixed groups; empty as long as there is none
	sets   []*epochSet // of groups and cells with concurrent accesses
	free   []uint32    // of sets, not in use
}

// epoch is c@t, and the instruction; or a set of them that are concurrent.
type epoch struct {
	clock uint32 // 0 for ⊥
	warp  uint32 // warpID, or index in sets
	site  uint32
	lane  uint8
}

// inSet stands in lane for accesses that are concurrent.
const inSet = 0xff

func newEpochs(cells int) *epochs { return &epochs{groups: make([]group, cells/groupCells)} }

// at is the epoch of a cell, or the set of them, if there are any.
func (e *epochs) at(i int) (epoch, *epochSet) {
	g := &e.groups[i/groupCells]
	switch g.state {
	case groupEmpty:
		return epoch{}, nil
	case groupMixed:
		x := e.cells[i]
		if x.lane == inSet {
			return x, e.sets[x.warp]
		}
		return x, nil
	}
	x := epoch{clock: g.clock, warp: g.warp, site: g.site, lane: uint8(g.lane(i))}
	if g.state == groupShared {
		return x, e.sets[g.warp]
	}
	return x, nil
}

// put makes an access the only one to a cell of a mixed group.
func (e *epochs) put(i int, a *access, lane int) {
	c := &e.cells[i]
	if c.lane == inSet {
		e.drop(c.warp)
	}
	*c = epoch{clock: a.local, warp: a.id, site: a.site, lane: uint8(lane)}
}

// reset is the minimal epoch, for a cell of a mixed group.
func (e *epochs) reset(i int) {
	c := &e.cells[i]
	if c.lane == inSet {
		e.drop(c.warp)
	}
	*c = epoch{}
}

// drop forgets a set.
func (e *epochs) drop(at uint32) {
	s := e.sets[at]
	s.list = s.list[:0]
	e.free = append(e.free, at)
}

// take is an empty set and its number.
func (e *epochs) take() (*epochSet, uint32) {
	n := len(e.free)
	if n == 0 {
		e.sets = append(e.sets, new(epochSet))
		return e.sets[len(e.sets)-1], uint32(len(e.sets) - 1)
	}
	at := e.free[n-1]
	e.free = e.free[:n-1]
	return e.sets[at], at
}

// inflate makes a set of the epoch of a cell of a mixed group, and returns it.
func (e *epochs) inflate(i int) *epochSet {
	s, at := e.take()
	c := &e.cells[i]
	if c.clock != 0 {
		s.list = append(s.list, epochRun{warp: c.warp, warps: 1, mask: 1 << c.lane, clock: c.clock, site: c.site})
	}
	*c = epoch{clock: 1, warp: at, lane: inSet}
	return s
}

// spread gives each of parts cells the epochs of the cell that they were.
func (e *epochs) spread(parts int) *epochs {
	for g := range e.groups {
		e.mix(g)
	}
	n := newEpochs(len(e.cells) * parts)
	for g := range n.groups {
		n.mix(g)
	}
	n.sets, n.free = e.sets, e.free
	for i := range n.cells {
		c := &n.cells[i]
		*c = e.cells[i/parts]
		if c.lane == inSet && i%parts != 0 {
			n.sets = append(n.sets, n.sets[c.warp].clone())
			c.warp = uint32(len(n.sets) - 1)
		}
	}
	return n
}
