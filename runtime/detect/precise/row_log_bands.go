// Row logs made from bands.

package precise

import "math/bits"

// logBands enters the accesses to the words in bands in a log, and reports whether it can hold them: these words have no ordered
// cells, threads do not synchronise through them, and their threads had executed no fence.
func (d *Detector) logBands(g *rowLog, x *bands) bool {
	for i := range x.list[:x.n] {
		if b := &x.list[i]; b.words != 0 && (b.unit == inOrder || b.flags&cellSynchronises != 0 || d.fencedBefore(b)) {
			return false
		}
	}
	for m := x.words(); m != 0; m &= m - 1 {
		word := bits.TrailingZeros32(m)
		c := x.cell(word)
		d.logCell(g, word, &c)
	}
	if len(g.rows) > d.tuning.logged {
		return false
	}
	for m := x.words(); m != 0; m &= m - 1 {
		c := x.cell(bits.TrailingZeros32(m))
		of := d.accesses(&c)
		d.countExposed(&of)
	}
	return true
}

// fencedBefore reports whether the threads of a band in shared memory had executed fences before their accesses.
func (d *Detector) fencedBefore(b *band) bool {
	word := bits.TrailingZeros32(b.words)
	by := thread{b.unit, b.lanes.of(word)}
	for _, at := range [...]stamps{b.write, b.read, b.before} {
		if at != (stamps{}) && d.contextOf(true, by, at.of(word)).fences != nil {
			return true
		}
	}
	return false
}

// logCell enters the accesses to a word in a log.
func (d *Detector) logCell(g *rowLog, word int, c *cell) {
	of, after := d.accesses(c), -1 // after: the row of the word's previous access
	latest := of.latestWrite()
	for i := range of.list[:of.n] {
		e := &of.list[i]
		after = d.logOrdered(g, e, word, after)
		r := &g.rows[after]
		if d.evidence.warns() && i >= latest { // as in historyOf
			r.recent |= 1 << word
		}
		if i == latest {
			r.valued = of.flags&cellValued != 0
			g.values[r.values][word], g.latest[word] = of.value, uint8(after)
			g.written |= 1 << word
		}
	}
}

// logOrdered enters an access to a word in a row after a given one, and returns the index of the row.
func (d *Detector) logOrdered(g *rowLog, e *orderedAccess, word, after int) int {
	x := loggedRow{unit: e.unit, class: uint32(e.class), at: e.at, from: int8(int(e.lane) - word), reads: e.reads}
	for i := after + 1; i < len(g.rows); i++ {
		if r := &g.rows[i]; r.isByLanesOf(&x) && r.class == x.class && r.at == x.at {
			r.words |= 1 << word
			return i
		}
	}
	x.words, x.clock = 1<<word, d.contextOf(true, e.thread(), e.at).clock
	if !x.reads {
		x.values = len(g.values)
		g.values = append(g.values, [lineWords]uint64{})
	}
	g.rows = append(g.rows, x)
	return len(g.rows) - 1
}
