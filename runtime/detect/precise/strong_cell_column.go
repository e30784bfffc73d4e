// Walks by columns: a lane enters all accesses of an instruction that fall into a line at once.

package precise

import "slices"

// A walk is a loop in which each lane accesses word after word; a column is one instruction of the loop, in all rounds. The accesses
// of a column to one line differ only in their stamps, which rise by the same amount from word to word, and in the values they
// write, so they are entered in bands (strong_cell_band.go).
//
// If two columns access the same words, the column with the address further in the direction of the walk accesses each word first.
// Columns are entered in this order, so each word gets its accesses in the order of the program. A cell keeps only the latest read of a
// lane. If a later column reads the same words as an earlier one, only those last rounds of the earlier column are entered whose
// words the later column does not reach.

// maxStride is the number of words from one round to the next up to which walks are entered by columns.
const maxStride = 8

// findColumns computes the order in which columns are entered, and sets stride if they can be.
func (k *walk) findColumns() {
	k.stride, k.writes = 0, 0
	for i := range k.columns {
		k.columns[i].writesBefore = k.writes
		if k.columns[i].writes {
			k.writes++
		}
	}
	stride := int(int64(k.delta)) / wordBytes
	if stride == 0 || max(stride, -stride) > maxStride || k.writes%stride != 0 {
		return
	}
	k.stride, k.pattern = stride, 0
	for i := 0; i < lineWords; i += max(stride, -stride) {
		k.pattern |= 1 << i
	}
	k.order = k.order[:0]
	for i := range k.columns {
		at := len(k.order)
		for at > 0 && k.isAhead(i, k.order[at-1]) {
			at--
		}
		k.order = slices.Insert(k.order, at, i)
	}
	for n := len(k.order) - 1; n >= 0; n-- {
		k.findCover(k.order[n], k.order[n+1:])
	}
}

// isAhead reports whether the words that column i accesses are ahead of those that column j accesses in the same round.
func (k *walk) isAhead(i, j int) bool {
	between := int64(k.columns[i].offset - k.columns[j].offset)
	return between != 0 && between > 0 == (k.stride > 0)
}

// findCover finds among the columns that are entered later one that reads the words of column i.
func (k *walk) findCover(i int, later []int) {
	x := &k.columns[i]
	for _, j := range later {
		y := &k.columns[j]
		between := int64(x.offset - y.offset)
		if !x.writes && !y.writes && x.flags == y.flags && !y.isCovered && between%int64(k.delta) == 0 {
			x.isCovered, x.by, x.later = true, j, int(between/int64(k.delta))
			x.from = max(0, k.rounds(j)-x.later)
			return
		}
	}
}

// rounds returns the number of rounds of a column.
func (k *walk) rounds(c int) int { return (len(k.list) - c + len(k.columns) - 1) / len(k.columns) }

// leave leaves an access by a lane out, and those that it covers.
func (k *walk) leave(c, round int, lane uint8) {
	k.rest[round*len(k.columns)+c] |= 1 << lane
	for i := range k.columns {
		if x := &k.columns[i]; x.isCovered && x.by == c && round >= x.later {
			k.rest[(round-x.later)*len(k.columns)+i] |= 1 << lane
		}
	}
}

// walkColumns is walk column by column.
func (k *walk) walkColumns(d *Detector, w *warp, lane int, since stamp) {
	d.noteGlobal(w, lane)
	a := bandAccess{unit: w.unit, lanes: wordLanes(lane)}
	for _, c := range k.order {
		col := &k.columns[c]
		a.class, a.flags, a.writes, a.at = col.class, col.flags, col.writes, stamps{first: since}
		round, rounds := col.from, k.rounds(c)
		for addr := k.list[c].At(lane) + uint64(round)*k.delta; round < rounds; {
			n := k.enterLine(d, &a, c, round, rounds-round, addr)
			round += n
			addr += uint64(n) * k.delta
		}
	}
}

// enterLine enters accesses of a column from a round on, at most count of them, as far as they are in one line. It returns their
// number.
func (k *walk) enterLine(d *Detector, a *bandAccess, c, round, count int, addr uint64) (n int) {
	word, lowest := int(addr%lineBytes/wordBytes), 0
	if k.stride > 0 {
		n = min(count, (lineWords-1-word)/k.stride+1)
		lowest = word
	} else {
		n = min(count, word/-k.stride+1)
		lowest = word + (n-1)*k.stride
	}
	first := d.now + stamp(round*k.writes+k.columns[c].writesBefore)
	l := d.line(d.global, addr)
	x := d.bandsOf(d.global, l, wordBytes)
	if x == nil {
		k.enterWords(d, a, l, c, round, n, addr, first)
		return n
	}
	a.words = uint32(k.pattern & (1<<(n*max(k.stride, -k.stride)) - 1) << lowest)
	if a.writes {
		step := stamp(k.writes / k.stride)
		a.at = stamps{first - stamp(word)*step, step}
	}
	others, held := x.enter(a)
	if !held {
		d.makeCells(l)
		k.enterWords(d, a, l, c, round, n, addr, first)
		return n
	}
	if a.writes {
		k.enterValues(x, int(a.lanes), c, round, word, a.words&^others)
	}
	for ; others != 0; round, word = round+1, word+k.stride {
		if others>>word&1 != 0 {
			k.leave(c, round, uint8(a.lanes))
			others &^= 1 << word
		}
	}
	return n
}

// enterValues sets the values of words that a lane has written, from a round and a word on.
func (k *walk) enterValues(x *bands, lane, c, round, word int, words uint32) {
	for i := round*len(k.columns) + c; words != 0; i, word = i+len(k.columns), word+k.stride {
		if words>>word&1 == 0 {
			continue
		}
		words &^= 1 << word
		if x.values[word] = 0; k.list[i].New != nil {
			x.values[word] = uint32(k.list[i].New[lane])
		}
	}
}

// enterWords enters accesses of a column to words of a line that has no bands, in the cells of those that the lane owns. first is
// the time of the first access, if it is a write.
func (k *walk) enterWords(d *Detector, a *bandAccess, l *line, c, round, n int, addr uint64, first stamp) {
	for last := round + n; round < last; round++ {
		x := d.cellIn(l, d.global, a.unit, addr, int(a.lanes), wordBytes)
		switch {
		case x == nil:
			k.leave(c, round, uint8(a.lanes))
		case !a.writes:
			x.read(a.at.first, a.class, a.flags)
		case !k.write(x, first, a.class, &k.list[round*len(k.columns)+c], int(a.lanes)):
			d.makeOrdered(x) // later accesses of the word wait for this one
			k.leave(c, round, uint8(a.lanes))
		}
		first += stamp(k.writes)
		addr += k.delta
	}
}
