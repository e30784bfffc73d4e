// Windows: the cells of the group that a walk currently accesses.

package barracuda

// window is the group that an instruction of a walk currently accesses.
type window struct {
	number    uint64                    // of the group: address >> windowBits
	scattered int                       // accessTable.scattered when the window was opened
	into      *[groupCells]accessRef    // where the accesses are recorded
	others    [5]*[groupCells]accessRef // other accesses that must precede
	count     int                       // of others
}

const (
	windowBits = groupBits + wordBits
	nowhere    = ^uint64(0)
)

// holds reports whether an address is in the window. A window becomes invalid when any group is given an epoch for each cell:
// that group may be one that the window has left out.
func (w *window) holds(a *access, addr uint64) bool {
	return addr>>windowBits == w.number && w.scattered == a.shard.spare.accesses.scattered
}

// take checks and records the first accesses of a strip, beginning with a, and returns their number. It stops at the end of the
// window, and before a cell that holds an access by another path.
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

// pathAccesses distinguishes the accesses by threads of a path from others.
type pathAccesses struct {
	table      []tableEntry
	warp, mask uint32
}

// precede is access.continues for an access at a clock. It does not cache the number of the latest access looked up: each round
// of a walk finds another one.
func (p *pathAccesses) precede(m accessRef, clock uint32) bool {
	return m == 0 || p.mask>>m.lane()&1 != 0 && p.table[m.number()].before(p.warp, clock)
}

// open sets the window to that of an address. It returns false if the page is not the current one, or the cells of the group
// share an epoch.
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
