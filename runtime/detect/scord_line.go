package detect

import "math/bits"

const (
	scordLineBits = 5 // granules of a line, as many as a set has bits
	scordKinds    = 6 // that a divided line tells apart

	scordAll = ^uint32(0) // the granules of a line
)

// A line has one run for all of its granules, unless it is divided, and the place of what
// is known of it in the low half, or spread, and has a cell for each granule.
const (
	scordDivided scordRun = 1 << (iota + 40)
	scordSpread
)

// whole reports whether a line's run is that of all its granules.
func (r scordRun) whole() bool { return r < scordDivided }

// place is the place of what is known of a line that is divided.
func (r scordRun) place() uint32 { return uint32(r) }

// scordCells is the cells of a line.
type scordCells [1 << scordLineBits]scordCell

// all reports whether all granules are like the first.
func (c *scordCells) all() bool {
	for _, x := range c[1:] {
		if x != c[0] {
			return false
		}
	}
	return true
}

// scordLine is the metadata of a line that is divided. A warp mostly accesses many
// granules in the same way: what they have in common is kept once.
type scordLine struct {
	kinds uint32             // in use
	sets  [scordKinds]uint32 // the granules of each kind
	kind  [scordKinds]scordRun
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
func (l *scordLine) update(a *scordAccess, set uint32, mine scordRun) bool {
	i := l.find(set)
	if set&^l.sets[i] != 0 {
		return l.divide(a, set, mine)
	}
	to := a.step(l.kind[i].record())
	return to.safe && l.change(i, set, to.run(l.kind[i], mine))
}

// change makes the granules in set, which are of kind i, like r. It reports false, and
// has done nothing, when there would be too many kinds.
func (l *scordLine) change(i int, set uint32, r scordRun) bool {
	if l.kind[i] == r {
		return true
	}
	rest := l.sets[i] &^ set
	for j := range l.kind[:l.kinds] {
		if l.kind[j] != r {
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
		l.kind[i] = r
		return true
	}
	if l.kinds == scordKinds {
		return false
	}
	l.sets[i] = rest
	l.sets[l.kinds], l.kind[l.kinds] = set, r
	l.kinds++
	return true
}

// divide is update for granules of several kinds. Mostly they become alike.
func (l *scordLine) divide(a *scordAccess, set uint32, mine scordRun) bool {
	var next scordRun
	first, left := true, 0 // kinds with other granules
	for i := range l.kind[:l.kinds] {
		if l.sets[i]&^set != 0 {
			left++
		}
		if l.sets[i]&set == 0 {
			continue
		}
		to := a.step(l.kind[i].record())
		r := to.run(l.kind[i], mine)
		switch {
		case !to.safe:
			return false
		case first:
			next, first = r, false
		case r != next:
			return l.rebuild(a, set, mine)
		}
	}
	if left == scordKinds {
		return l.rebuild(a, set, mine)
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
func (l *scordLine) rebuild(a *scordAccess, set uint32, mine scordRun) bool {
	var all scordLine
	for i := range l.kinds {
		r, rest, part := l.kind[i], l.sets[i]&^set, l.sets[i]&set
		if rest != 0 && !all.add(rest, r) {
			return false
		}
		if part == 0 {
			continue
		}
		if to := a.step(r.record()); !to.safe || !all.add(part, to.run(r, mine)) {
			return false
		}
	}
	*l = all
	return true
}

// add makes the granules in set, which are in no other kind, like r.
func (l *scordLine) add(set uint32, r scordRun) bool {
	for i := range l.kind[:l.kinds] {
		if l.kind[i] == r {
			l.sets[i] |= set
			return true
		}
	}
	if l.kinds == scordKinds {
		return false
	}
	l.sets[l.kinds], l.kind[l.kinds] = set, r
	l.kinds++
	return true
}

// spread writes a cell for each granule.
func (l *scordLine) spread(cells *scordCells) {
	for i := range l.kinds {
		r := l.kind[i]
		for set := l.sets[i]; set != 0; set &= set - 1 {
			k := bits.TrailingZeros32(set)
			cells[k] = r.cell(uint64(k))
		}
	}
}

// gathered is the line that says the same as the cells. It is not ok that there are too
// many kinds.
func gathered(cells *scordCells) (l scordLine, ok bool) {
	for k := 0; k < len(cells); {
		n := k + 1
		lanes := uint32(scordStepWord) // from one granule to the next
		for ; n < len(cells) && cells[n].record() == cells[k].record(); n++ {
			if d := (cells[n].lane() - cells[n-1].lane()) % 32; n == k+1 && d == 0 {
				lanes = 0
			} else if d != lanes {
				break
			}
		}
		if n == k+1 {
			lanes = 0
		}
		if !l.add((1<<(n-k)-1)<<k, runOf(int(cells[k].lane()), uint64(k), uint(lanes)).of(cells[k].record())) {
			return l, false
		}
		k = n
	}
	return l, true
}
