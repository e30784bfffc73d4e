// Metadata of one line in its three compact forms.

package scord

import "math/bits"

const (
	lineBits = 5  // log2 of the granules of a line: a set of granules has 32 bits
	kinds    = 12 // number of kinds of a divided line
	fewKinds = 6  // number from which on a granule that is accessed alone does not add one

	allGranules = ^uint32(0) // the granules of a line
)

// A line has one of three forms: whole, with one run for all its granules; divided, with an index of a line in the low half of
// the word; or spread, with a cell for each granule.
const (
	lineDivided run = 1 << (iota + 40)
	lineSpread
)

// whole reports whether the line has the form of a single run.
func (r run) whole() bool { return r < lineDivided }

// place returns the index, in memory.divided, of a divided line.
func (r run) place() uint32 { return uint32(r) }

// cells holds the cells of a line.
type cells [1 << lineBits]cell

// all reports whether all cells equal the first.
func (c *cells) all() bool {
	for _, x := range c[1:] {
		if x != c[0] {
			return false
		}
	}
	return true
}

// line is the metadata of a divided line: sets of granules (kinds), each with one run. A warp mostly accesses many granules in
// the same way.
type line [kinds]kind

// kind is granules of a line with one run. Four of them take a cache line of the processor, most lines do not have more.
type kind struct {
	run  run
	set  uint32 // the granules
	used uint32 // of the first kind: the number of kinds in use
}

// find returns the first kind that has granules in set.
func (l *line) find(set uint32) (i int) {
	for l[i].set&set == 0 {
		i++
	}
	return i
}

// update applies an access to the granules in set. It returns false, without a change, if the access may race or the line would
// need too many kinds.
func (l *line) update(a *access, set uint32, mine run) bool {
	i := l.find(set)
	if set&^l[i].set != 0 {
		return l.divide(a, set, mine)
	}
	to := a.step(l[i].run.record())
	return to.safe && l.change(i, set, to.run(l[i].run, mine))
}

// one is update for one granule. It also returns false if the line has several kinds and the granule needs one of its own: of
// such granules there are mostly more.
func (l *line) one(a *access, k uint, mine run) bool {
	i, set := l.find(1<<k), uint32(1)<<k
	to := a.step(l[i].run.record())
	next := to.run(l[i].run, mine)
	if next != l[i].run && l[i].set != set && l[0].used >= fewKinds {
		return false
	}
	return to.safe && l.change(i, set, next)
}

// change gives the granules in set, which are of kind i, the run r. It returns false, without a change, if the line would need
// too many kinds.
func (l *line) change(i int, set uint32, r run) bool {
	if l[i].run == r {
		return true
	}
	rest := l[i].set &^ set
	for j := range l[:l[0].used] {
		if l[j].run != r {
			continue
		}
		l[j].set |= set
		if l[i].set = rest; rest == 0 {
			l[0].used--
			last := &l[l[0].used]
			l[i].set, l[i].run = last.set, last.run
		}
		return true
	}
	if rest == 0 {
		l[i].run = r
		return true
	}
	if l[0].used == kinds {
		return false
	}
	l[i].set = rest
	l.append(set, r)
	return true
}

// divide is update for granules of several kinds. Usually they get one run.
func (l *line) divide(a *access, set uint32, mine run) bool {
	var next run
	first, left := true, 0 // kinds with other granules
	for i := range l[:l[0].used] {
		if l[i].set&^set != 0 {
			left++
		}
		if l[i].set&set == 0 {
			continue
		}
		to := a.step(l[i].run.record())
		r := to.run(l[i].run, mine)
		switch {
		case !to.safe:
			return false
		case first:
			next, first = r, false
		case r != next:
			return l.rebuild(a, set, mine)
		}
	}
	if left == kinds {
		return l.rebuild(a, set, mine)
	}
	l.cut(set)
	return l.add(set, next)
}

// others returns the number of kinds that have granules besides those in set.
func (l *line) others(set uint32) (n int) {
	for _, of := range l[:l[0].used] {
		if of.set&^set != 0 {
			n++
		}
	}
	return n
}

// cut removes the granules in set from their kinds.
func (l *line) cut(set uint32) {
	used := l[0].used
	l[0].used = 0
	for i := range l[:used] {
		if rest := l[i].set &^ set; rest != 0 {
			l.append(rest, l[i].run)
		}
	}
}

// rebuild is divide for granules that do not get one run.
func (l *line) rebuild(a *access, set uint32, mine run) bool {
	var all line
	for i := range l[0].used {
		r, rest, part := l[i].run, l[i].set&^set, l[i].set&set
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

// add gives the granules in set, which are in no kind, the run r.
func (l *line) add(set uint32, r run) bool {
	for i := range l[:l[0].used] {
		if l[i].run == r {
			l[i].set |= set
			return true
		}
	}
	if l[0].used == kinds {
		return false
	}
	l.append(set, r)
	return true
}

// append adds a kind. There must be room for it.
func (l *line) append(set uint32, r run) {
	k := &l[l[0].used]
	k.set, k.run = set, r
	l[0].used++
}

// spread writes the cell of each granule.
func (l *line) spread(cells *cells) {
	for i := range l[0].used {
		r := l[i].run
		for set := l[i].set; set != 0; set &= set - 1 {
			k := bits.TrailingZeros32(set)
			cells[k] = r.cell(uint64(k))
		}
	}
}

// gathered returns the divided form of cells; ok is false if it would need too many kinds.
func gathered(cells *cells) (l line, ok bool) {
	for k := 0; k < len(cells); {
		c, n, lanes := cells[k], k+1, uint(0) // lanes per granule
		if n < len(cells) && cells[n] == c.next() {
			lanes = stepWord
		}
		for n < len(cells) && (lanes == 0 && cells[n] == c || lanes != 0 && cells[n] == cells[n-1].next()) {
			n++
		}
		if !l.add((1<<(n-k)-1)<<k, runOf(int(c.lane()), uint64(k), lanes).of(c.record())) {
			return l, false
		}
		k = n
	}
	return l, true
}
