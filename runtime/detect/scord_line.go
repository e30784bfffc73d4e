package detect

import "math/bits"

const (
	scordLineBits = 5 // granules of a line, as many as a set has bits
	scordKinds    = 6 // that a divided line tells apart

	scordAll = ^uint32(0) // the granules of a line
)

// scordCell is what is known of a granule: the entry, and which access it describes. A
// line has one for all of its granules, unless it is divided or spread.
type scordCell struct {
	entry scordEntry
	mark  scordMark // of a line that is divided or spread, the place of what is known
}

// scordFreshCell is a granule that has not been accessed.
var scordFreshCell = scordCell{entry: scordFresh}

// Entries of lines that are not whole. No entry in use has both flags but a fresh one, which
// has Modified too.
const (
	scordDivided = mdBlkShared | mdDevShared
	scordSpread  = scordDivided | mdIsAtom
)

// whole reports whether the cell of a line is that of all its granules.
func (c *scordCell) whole() bool { return c.entry&scordFresh != scordDivided }

// scordCells is a cell for each granule of a line, which is spread.
type scordCells [1 << scordLineBits]scordCell

// scordLine is the metadata of a line that is divided. A warp mostly accesses many
// granules in the same way: what they have in common is kept once. It fills two lines of
// the processor's cache.
type scordLine struct {
	kinds uint32             // in use
	sets  [scordKinds]uint32 // the granules of each kind
	kind  [scordKinds]scordCell
}

// find is the first kind that has granules in set.
func (l *scordLine) find(set uint32) (i int) {
	for l.sets[i]&set == 0 {
		i++
	}
	return i
}

// update makes the granules in set what they are after an access. It reports false, and
// has changed nothing, when the line cannot: the access may race, or there would be too
// many kinds.
func (l *scordLine) update(a *scordAccess, set uint32, mark scordMark) bool {
	i := l.find(set)
	if set&^l.sets[i] != 0 {
		return l.divide(a, set, mark)
	}
	to := a.step(l.kind[i].entry)
	return to.safe && l.change(i, set, to.cell(&l.kind[i], mark))
}

// change makes the granules in set, which are of kind i, like c. It reports false, and
// has done nothing, when there would be too many kinds.
func (l *scordLine) change(i int, set uint32, c scordCell) bool {
	if l.kind[i] == c {
		return true
	}
	rest := l.sets[i] &^ set
	for j := range l.kind[:l.kinds] {
		if l.kind[j] != c {
			continue
		}
		l.sets[j] |= set
		if l.sets[i] = rest; rest == 0 {
			l.kinds--
			l.sets[i], l.kind[i] = l.sets[l.kinds], l.kind[l.kinds]
		}
		return true
	}
	if rest == 0 {
		l.kind[i] = c
		return true
	}
	if l.kinds == scordKinds {
		return false
	}
	l.sets[i] = rest
	l.sets[l.kinds], l.kind[l.kinds] = set, c
	l.kinds++
	return true
}

// divide is update for granules of several kinds. Mostly they become alike.
func (l *scordLine) divide(a *scordAccess, set uint32, mark scordMark) bool {
	var next scordCell
	first, left := true, 0 // kinds with other granules
	for i := range l.kind[:l.kinds] {
		if l.sets[i]&^set != 0 {
			left++
		}
		if l.sets[i]&set == 0 {
			continue
		}
		to := a.step(l.kind[i].entry)
		c := to.cell(&l.kind[i], mark)
		switch {
		case !to.safe:
			return false
		case first:
			next, first = c, false
		case c != next:
			return l.rebuild(a, set, mark)
		}
	}
	if left == scordKinds {
		return l.rebuild(a, set, mark)
	}
	kinds := l.kinds
	l.kinds = 0
	for i := range l.kind[:kinds] {
		if rest := l.sets[i] &^ set; rest != 0 {
			l.sets[l.kinds], l.kind[l.kinds] = rest, l.kind[i]
			l.kinds++
		}
	}
	return l.add(set, next)
}

// rebuild is divide for granules that do not become alike.
func (l *scordLine) rebuild(a *scordAccess, set uint32, mark scordMark) bool {
	var all scordLine
	for i := range l.kinds {
		c, rest, part := &l.kind[i], l.sets[i]&^set, l.sets[i]&set
		if rest != 0 && !all.add(rest, *c) {
			return false
		}
		if part == 0 {
			continue
		}
		if to := a.step(c.entry); !to.safe || !all.add(part, to.cell(c, mark)) {
			return false
		}
	}
	*l = all
	return true
}

// add makes the granules in set, which are in no other kind, like c.
func (l *scordLine) add(set uint32, c scordCell) bool {
	for i := range l.kind[:l.kinds] {
		if l.kind[i] == c {
			l.sets[i] |= set
			return true
		}
	}
	if l.kinds == scordKinds {
		return false
	}
	l.sets[l.kinds], l.kind[l.kinds] = set, c
	l.kinds++
	return true
}

// spread writes a cell for each granule.
func (l *scordLine) spread(cells *scordCells) {
	for i := range l.kinds {
		c := l.kind[i]
		for set := l.sets[i]; set != 0; set &= set - 1 {
			cells[bits.TrailingZeros32(set)] = c
		}
	}
}

// gathered is the line that says the same as the cells. It is not ok that there are too
// many kinds.
func gathered(cells *scordCells) (l scordLine, ok bool) {
	for k := 0; k < len(cells); {
		n := 1
		for k+n < len(cells) && cells[k+n] == cells[k] {
			n++
		}
		if !l.add((1<<n-1)<<k, cells[k]) {
			return l, false
		}
		k += n
	}
	return l, true
}
