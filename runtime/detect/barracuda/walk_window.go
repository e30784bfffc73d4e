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

// enter checks an access by one lane to a word, and takes it in. It reports false, and has done nothing, unless all accesses
// that have to come before it are by the path's own threads.
func (w *window) enter(a *access, addr uint64) bool {
	if (addr>>windowBits != w.number || w.scattered != a.shard.spare.accesses.scattered) && !w.open(a, addr) {
		return false
	}
	i := addr >> wordBits % groupCells
	if !a.continues(w.into[i]) {
		return false
	}
	for _, cells := range w.others[:w.count] {
		if !a.continues(cells[i]) {
			return false
		}
	}
	w.into[i] = a.epoch()
	if a.kind == Write {
		for _, cells := range w.others[:w.count] {
			cells[i] = 0
		}
	}
	return true
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
