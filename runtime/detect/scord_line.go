package detect

import "math/bits"

const (
	scordLineBits = 5 // granules of a line, as many as a set has bits
	scordKinds    = 3 // that a line tells apart
)

// scordCell is what is known of a granule: the entry, and which access it describes.
type scordCell struct {
	entry scordEntry
	mark  scordMark
}

// scordFreshCell is a granule that has not been accessed.
var scordFreshCell = scordCell{entry: scordFresh}

// scordLine is the metadata of 32 granules. A warp mostly accesses many of them in the
// same way: what they have in common is kept once. It fills a line of the processor's
// cache. The zero value is a line of fresh granules.
type scordLine struct {
	kinds uint32             // in use; 0: all granules are fresh
	sets  [scordKinds]uint32 // the granules of each kind
	cells [scordKinds]scordCell
}

// after is the cell when the access that a describes, by mark, has been made.
func (c *scordCell) after(a *scordAccess, mark scordMark) scordCell {
	next := scordCell{c.entry.update(a), mark}
	if c.entry.keeps(a) {
		next.mark = c.mark
	}
	return next
}

// risky reports whether a may race with the access that the cell describes.
func (c *scordCell) risky(a *scordAccess) bool {
	return conflicting(c.entry, a) && !harmless(c.entry, a)
}

// update makes the granules in set what they are after an access. It reports false, and
// changes nothing, when the line cannot: the access may race, or there would be too many
// kinds.
func (l *scordLine) update(a *scordAccess, set uint32, mark scordMark) bool {
	if l.kinds == 0 {
		l.kinds, l.sets[0], l.cells[0] = 1, ^uint32(0), scordFreshCell
	}
	for i := range l.kinds {
		if c := &l.cells[i]; l.sets[i] == set {
			if c.risky(a) {
				return false
			}
			*c = c.after(a, mark)
			return true
		}
	}
	return l.divide(a, set, mark)
}

// divide is update when there is no such set.
func (l *scordLine) divide(a *scordAccess, set uint32, mark scordMark) bool {
	var all scordLine
	for i := range l.kinds {
		c, rest, part := &l.cells[i], l.sets[i]&^set, l.sets[i]&set
		if rest != 0 && !all.add(rest, *c) || part != 0 && (c.risky(a) || !all.add(part, c.after(a, mark))) {
			return false
		}
	}
	*l = all
	return true
}

// add makes the granules in set, which are in no other kind, like c.
func (l *scordLine) add(set uint32, c scordCell) bool {
	for i := range l.cells[:l.kinds] {
		if l.cells[i] == c {
			l.sets[i] |= set
			return true
		}
	}
	if l.kinds == scordKinds {
		return false
	}
	l.sets[l.kinds], l.cells[l.kinds] = set, c
	l.kinds++
	return true
}

// spread writes a cell for each granule.
func (l *scordLine) spread(cells *scordCells) {
	if l.kinds == 0 {
		for k := range cells {
			cells[k] = scordFreshCell
		}
	}
	for i := range l.kinds {
		c := l.cells[i]
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
