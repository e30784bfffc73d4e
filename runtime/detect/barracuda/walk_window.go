// Windows: the cells of a group that a walk is at.

package barracuda

// window is the group that an instruction of a walk is at.
type window struct {
	number    uint64                    // of the group: address >> windowBits
	scattered int                       // of the table, when the window was opened
	into      *[groupCells]accessRef    // where the accesses are kept
	others    [5]*[groupCells]accessRef // what has to come before, besides
	count     int                       // of others
}

const (
	windowBits = groupBits + wordBits
	nowhere    = ^uint64(0)
)

// holds reports whether an address is in the window. A window is no longer valid when a group has been given epochs for each cell
// since it was opened: the group may be one of those that it left out.
func (w *window) holds(a *access, addr uint64) bool {
	return addr>>windowBits == w.number && w.scattered == a.shard.spare.accesses.scattered
}

// take checks and records the first accesses of a strip, of which a is the first. It returns how many: it stops at the end of the
// window, and before an access to a cell that holds an access by another path.
func (w *window) take(a *access, t *strip) (n int) {
	path := pathAccesses{a.shard.spare.accesses.list, a.id, a.mask}
	own, local := a.epoch(), a.local
	others, write := w.others[:w.count], a.kind == Write
	i, step := int(t.addr>>wordBits%groupCells), int(int64(t.delta)>>wordBits)
	for ; n < t.rounds && uint(i) < groupCells; n++ {
		if !path.precede(w.into[i], local) {
			return n
		}
		for _, cells := range others {
			if !path.precede(cells[i], local) {
				return n
			}
		}
		w.into[i] = own
		if write {
			for _, cells := range others {
				cells[i] = 0
			}
		}
		i, local, own = i+step, local+t.operations, own+accessRef(t.operations<<refLaneBits)
	}
	return n
}

// pathAccesses tells the accesses by the threads of a path from others.
type pathAccesses struct {
	table      []tableEntry
	warp, mask uint32
}

// precede is access.continues for an access at a clock, without the number of the latest access that was looked up: each round
// of a walk finds another one.
func (p *pathAccesses) precede(m accessRef, clock uint32) bool {
	return m == 0 || p.mask>>m.lane()&1 != 0 && p.table[m.number()].before(p.warp, clock)
}

// open makes the window that of an address. It reports false when the page has not been entered or the cells of the
// group have no epochs of their own.
func (w *window) open(a *access, addr uint64) bool {
	w.number = nowhere
	cell := a.cellAt(addr)
	if cell < 0 || a.into.groups[cell/groupCells].state != groupMixed {
		return false
	}
	w.into, w.count = a.into.groups[cell/groupCells].cells, 0
	for k := range a.conflicts[:a.count] {
		c := &a.conflicts[k]
		switch g := &c.groups[cell/groupCells]; {
		case c.epochs == a.into || g.state == groupEmpty:
		case g.state != groupMixed:
			return false
		default:
			w.others[w.count] = g.cells
			w.count++
		}
	}
	w.number, w.scattered = addr>>windowBits, a.shard.spare.accesses.scattered
	return true
}
