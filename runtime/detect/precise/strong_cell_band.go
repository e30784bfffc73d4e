// Bands: the compact state of the cells of a line that lanes walk through, or that lanes side by side access.

package precise

import "math/bits"

// A lane that walks through words of its own leaves the same in the cells of all of them, but for values and for stamps that rise
// evenly from word to word. Lanes side by side leave the same, but for values and for lanes, which rise from word to word. A few
// bands then stand for the cells of a line. When they do not suffice, the line gets cells.

// band stands for the cells of some words of a line. Its fields are those of cells.
type band struct {
	words                              uint32 // bit i for word i of the line; 0 for an unused band
	unit                               unit
	lanes                              wordLanes
	flags                              uint8
	writeClass, readClass, beforeClass uint16
	write, read, before                stamps
}

// stamps holds the stamps of words that rise evenly: word i has first + i*step, modulo 2^32. Both are 0 for none.
type stamps struct{ first, step stamp }

func (s stamps) of(word int) stamp { return s.first + stamp(word)*s.step }

// wordLanes says which lane each word of a band belongs to: the same for all, or the next lane for the next word.
type wordLanes uint8

// risingLanes is added to the lane of word 0, which may be as low as 1 - radix, if the lanes of a band rise.
const risingLanes = 2 * radix

// lanesFrom returns rising lanes of which the one of word 0 is first, as low as 1 - radix.
func lanesFrom(first int) wordLanes { return wordLanes(first + risingLanes) }

func (l wordLanes) of(word int) uint8 {
	if l < radix {
		return uint8(l)
	}
	return uint8(int(l) - risingLanes + word)
}

// maxBands is the number of bands that stand for the cells of a line.
const maxBands = 12

// bands holds those of a line. No word is in two of them.
type bands struct {
	n      int32 // in list
	wide   bool  // words have 8 bytes
	list   [maxBands]band
	values [lineWords]uint32 // of the cells, of a wide one its lower half and then its upper one
}

// value returns the value of a cell.
func (x *bands) value(word int) uint64 {
	if x.wide {
		return uint64(x.values[2*word]) | uint64(x.values[2*word+1])<<32
	}
	return uint64(x.values[word])
}

// setValue sets the value of a cell.
func (x *bands) setValue(word int, value uint64) {
	if x.wide {
		x.values[2*word], x.values[2*word+1] = uint32(value), uint32(value>>32)
	} else {
		x.values[word] = uint32(value)
	}
}

// bandAccess is a strong access to each of some words of a line, by one lane or by lanes side by side.
type bandAccess struct {
	unit   unit
	lanes  wordLanes
	flags  uint8 // cell flags that it sets
	class  uint16
	writes bool
	shared bool // to shared memory
	words  uint32
	at     stamps
}

// enter records an access in the bands of the words that its lanes own, or that nothing has accessed, and returns the other words.
// It reports whether bands can hold the access, and otherwise changes nothing.
func (x *bands) enter(a *bandAccess) (others uint32, held bool) {
	fresh, used := a.words, 0 // used: bands that there may be afterwards
	for i := range x.list[:x.n] {
		b := &x.list[i]
		common := b.words & a.words
		fresh &^= common
		if b.words != 0 {
			used++
		}
		switch {
		case common == 0:
		case b.unit != a.unit || b.lanes != a.lanes:
			others |= common
		case a.writes && !a.shared && b.before != (stamps{}) && b.beforeClass != b.writeClass && b.beforeClass != a.class:
			return 0, false // as in cell.losesWrite
		case common != b.words:
			used++
		}
	}
	if used > maxBands || used == maxBands && fresh != 0 {
		return 0, false
	}
	left := a.words &^ (others | fresh) // a band may get words that have been entered
	for i := range x.list[:x.n] {
		b := &x.list[i]
		if common := b.words & left; common != 0 {
			part := *b
			left &^= common
			b.words &^= common
			part.words = common
			part.enter(a)
			x.add(&part)
		}
	}
	if fresh != 0 {
		part := band{words: fresh, unit: a.unit, lanes: a.lanes}
		part.enter(a)
		x.add(&part)
	}
	return others, true
}

// enter records an access in all words of a band, as cell.read and cell.wrote do.
func (b *band) enter(a *bandAccess) {
	if !a.writes {
		b.read, b.readClass, b.flags = a.at, a.class, b.flags|a.flags
		return
	}
	b.before, b.beforeClass = b.write, b.writeClass
	b.write, b.writeClass, b.flags = a.at, a.class, b.flags&cellSynchronises|a.flags
}

// add adds the words of a band to one that differs only in its words, or else the band, and reports whether there is room.
func (x *bands) add(b *band) bool {
	unused := -1
	for i := range x.list[:x.n] {
		switch c := &x.list[i]; {
		case c.words == 0:
			unused = i
		case c.isLike(b):
			c.words |= b.words
			return true
		}
	}
	if unused < 0 {
		if x.n == maxBands {
			return false
		}
		unused = int(x.n)
		x.n++
	}
	x.list[unused] = *b
	return true
}

// isLike reports whether two bands differ only in their words.
func (b *band) isLike(c *band) bool {
	return b.write == c.write && b.read == c.read && b.before == c.before && b.unit == c.unit && b.lanes == c.lanes && b.flags == c.flags &&
		b.writeClass == c.writeClass && b.readClass == c.readClass && b.beforeClass == c.beforeClass
}

// cell returns the cell of a word, an empty one for a word in no band.
func (x *bands) cell(word int) (c cell) {
	for i := range x.list[:x.n] {
		if b := &x.list[i]; b.words>>word&1 != 0 {
			return cell{
				unit: b.unit, lane: b.lanes.of(word), flags: b.flags, writeClass: b.writeClass, readClass: b.readClass, beforeClass: b.beforeClass,
				writeAt: b.write.of(word), readAt: b.read.of(word), beforeAt: b.before.of(word), value: x.value(word),
			}
		}
	}
	return c
}

// put replaces the cell of a word, and reports whether there is room for the new one.
func (x *bands) put(word int, c *cell) bool {
	for i := range x.list[:x.n] {
		x.list[i].words &^= 1 << word
	}
	x.setValue(word, c.value)
	return x.add(&band{
		words: 1 << word, unit: c.unit, lanes: wordLanes(c.lane), flags: c.flags, writeClass: c.writeClass, readClass: c.readClass, beforeClass: c.beforeClass,
		write: stamps{first: c.writeAt}, read: stamps{first: c.readAt}, before: stamps{first: c.beforeAt},
	})
}

// words returns the words that are in bands.
func (x *bands) words() (all uint32) {
	for i := range x.list[:x.n] {
		all |= x.list[i].words
	}
	return all
}

// bandsOf returns the bands of a line for words of size bytes. It makes them if the line holds nothing but cells that bands can
// stand for; otherwise it returns nil.
func (d *Detector) bandsOf(s *shadow, l *line, size uint64) *bands {
	if !l.mayHold(size) {
		return nil
	}
	if l.bands != nil {
		return l.bands
	}
	if l.uneven || l.words != nil || l.synced != nil && l.synced.sizes != 0 || !l.whole.none() || l.readSets != nil && len(l.readSets.list) > 0 {
		return nil
	}
	x := d.newBands()
	x.wide = size != wordBytes
	if l.cells != nil {
		for i := range l.cells {
			if c := &l.cells[i]; c.unit != 0 && !x.put(i, c) {
				d.freeBands, l.uneven = append(d.freeBands, x), true
				return nil
			}
		}
		*l.cells = cells{}
		d.freeCells, l.cells = append(d.freeCells, l.cells), nil
	}
	l.bands, l.cellBytes, s.synced = x, uint8(size), true // as in cellIn
	return x
}

// makeCells gives a line cells in place of bands, for good.
func (d *Detector) makeCells(l *line) {
	x := l.bands
	l.cells, l.bands, l.uneven = d.newCells(), nil, true
	for m := x.words(); m != 0; m &= m - 1 {
		word := bits.TrailingZeros32(m)
		l.cells[word] = x.cell(word)
	}
	d.freeBands = append(d.freeBands, x)
}

// tryBandWord is tryCellOf for a word of a line that has bands.
func (d *Detector) tryBandWord(a *access, l *line, x *wordAccess) bool {
	word := int(x.addr % lineBytes / uint64(a.size))
	before := l.bands.cell(word)
	c := before
	if c.unit == 0 {
		c.unit, c.lane = a.unit, uint8(x.lane)
	}
	held := d.tryCellWord(a, &c, x)
	if c != before && !l.bands.put(word, &c) {
		d.makeCells(l)
		l.cells[word] = c
	}
	return held
}

// synchronising returns the words in bands that threads synchronise through, as far as the bands record it (cellSynchronises).
func (x *bands) synchronising(o *orderedCells) (words uint32) {
	for i := range x.list[:x.n] {
		b := &x.list[i]
		if b.unit != inOrder && b.flags&cellSynchronises != 0 {
			words |= b.words
		}
		if b.unit == inOrder {
			for m := b.words; m != 0; m &= m - 1 {
				if word := bits.TrailingZeros32(m); o.at(x.value(word)).flags&cellSynchronises != 0 {
					words |= 1 << word
				}
			}
		}
	}
	return words
}

// releaseOrdered frees the ordered cells of the words in bands.
func (x *bands) releaseOrdered(o *orderedCells) {
	for i := range x.list[:x.n] {
		if b := &x.list[i]; b.unit == inOrder {
			for m := b.words; m != 0; m &= m - 1 {
				o.free = append(o.free, uint32(x.value(bits.TrailingZeros32(m))))
			}
		}
	}
}

// useContexts is cells.useContexts for bands.
func (x *bands) useContexts(d *Detector, shared bool) (held int) {
	for m := x.words(); m != 0; m &= m - 1 {
		c := x.cell(bits.TrailingZeros32(m))
		c.useContexts(d, shared)
		held++
	}
	return held
}
