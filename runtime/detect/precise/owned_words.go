// Owned words: the compact state of words that one thread each accesses weakly.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Threads often have words of their own in one array, far apart for the lanes of a warp: an array for each thread, or structures of
// several values. Such a word has two accesses that matter: the thread's latest write, and its latest read after that. A line that is
// split holds 48 bytes for each word, and 96 for a value of 8 bytes; a line of owned words holds 20 for each value. An access by
// another thread, of another size, strong, or asynchronous gives the line histories, as if there had been no owners.

// ownedWord is a value of 4 or 8 bytes, and the accesses of its owner that a history would hold. Stamps are 0 for none.
type ownedWord struct {
	unit                  unit // 0 as long as nothing has accessed the value
	writeAt, readAt       stamp
	writeClass, readClass uint16
	lane                  uint8
}

// enter records an access by the owner. A write takes the place of earlier reads.
func (w *ownedWord) enter(a *access) {
	if a.writes() {
		w.writeAt, w.writeClass, w.readAt = a.at, uint16(a.index), 0
	} else {
		w.readAt, w.readClass = a.at, uint16(a.index)
	}
}

// ownedLines counts lines that have had owned words, and those of them that have got histories since.
type ownedLines struct{ made, exposed int }

// pay reports whether most lines with owned words keep them. Of few lines it does not matter.
func (o *ownedLines) pay(few int) bool { return o.made < few || o.exposed < o.made/4 }

// tryOwned checks and records a weak access by lanes in mask to owned words of a line, which it makes if the access is the first store
// to the line. It reports whether owned words can hold the access, and otherwise gives the line histories.
func (d *Detector) tryOwned(a *access, s *shadow, l *line, addr uint64, mask uint32) bool {
	if !l.hasOwned() && (!a.writes() || l.isSplit() || !d.mayOwn(a, s, l, mask)) {
		return false
	}
	owned, lane := l.ownedWords(), uint8(bits.TrailingZeros32(mask))
	size := uint64(lineBytes / len(owned))
	if uint64(a.size) == size && addr%size == 0 && a.isOwners(mask) {
		w := &owned[addr%lineBytes/size]
		if w.unit == 0 {
			w.unit, w.lane = a.unit, lane
		}
		if w.unit == a.unit && w.lane == lane {
			w.enter(a)
			return true
		}
	}
	d.exposeOwned(l)
	return false
}

// isOwners reports whether owned words may hold a weak access by lanes in mask: a synchronous one by one lane.
func (a *access) isOwners(mask uint32) bool {
	return mask&(mask-1) == 0 && a.proxy == abi.ProxyGeneric && a.unit == a.warp.unit && a.index <= maxCellClass
}

// mayOwn gives a line of global memory owned words if it holds nothing but reads of values by one thread each, and reports whether it
// has.
func (d *Detector) mayOwn(a *access, s *shadow, l *line, mask uint32) bool {
	if s != d.global || a.inRows || a.size != wordBytes && a.size != 2*wordBytes || !a.isOwners(mask) || !l.whole.none() || l.whole.more != nil ||
		d.model.lockSets || !d.owned.pay(d.tuning.ownedLines) || !d.tuning.takes(ownedValues) {
		return false
	}
	d.owned.made++
	d.makeOwned(l, a.size)
	return true
}

// hasOwned reports whether a line has owned words.
func (l *line) hasOwned() bool { return l.owned != nil || l.ownedWide != nil }

// ownedWords returns the owned words of a line, nil if it has none.
func (l *line) ownedWords() []ownedWord {
	switch {
	case l.owned != nil:
		return l.owned[:]
	case l.ownedWide != nil:
		return l.ownedWide[:]
	}
	return nil
}

// makeOwned gives a line owned words for values of size bytes.
func (d *Detector) makeOwned(l *line, size uint32) {
	if size == wordBytes {
		l.owned = reused(d, &d.freeOwned)
	} else {
		l.ownedWide = reused(d, &d.freeOwnedWide)
	}
}

// takeOwned takes a line's owned words away, for other lines.
func (d *Detector) takeOwned(l *line) {
	clear(l.ownedWords())
	if l.owned != nil {
		d.freeOwned, l.owned = append(d.freeOwned, l.owned), nil
	}
	if l.ownedWide != nil {
		d.freeOwnedWide, l.ownedWide = append(d.freeOwnedWide, l.ownedWide), nil
	}
}

// exposeOwned gives a line histories in place of owned words.
func (d *Detector) exposeOwned(l *line) {
	d.owned.exposed++
	words, owned := d.split(l), l.ownedWords()
	size := lineBytes / len(owned)
	for i := range owned {
		w := &owned[i]
		e := entry{unit: w.unit, mask: 1 << w.lane}
		if w.writeAt != 0 {
			e.at, e.class = w.writeAt, uint32(w.writeClass)
			d.spread(words, i*size, size, &e, false)
		}
		if w.readAt != 0 {
			e.at, e.class = w.readAt, uint32(w.readClass)
			d.spread(words, i*size, size, &e, true)
		}
	}
	d.takeOwned(l)
}
