// Cells: the compact state of words that one thread alone accesses strongly.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Most volatile words belong to one thread, and those that others look at are few. As long as
// one thread alone accesses a word, by strong loads and stores that reach everybody, it races with
// nothing and observes nobody, and all that somebody else may ask later is told by its latest
// accesses. A cell holds these without a pointer. When other threads access it strongly, each in order after
// the accesses that it conflicts with, an ordered cell takes its place (strong_cell_ordered.go). Any other access exposes the word first:
// its location and its history are made of the cell, and the cell stays empty.

// cell is what the only thread that has accessed a word has done there.
type cell struct {
	unit  unit // 0 when the cell is empty
	lane  uint8
	flags uint8
	// The latest write, the latest read and, as who observes the latest write need not have
	// observed it, the write before. Stamps are 0 when there was none.
	writeClass, readClass, beforeClass uint16
	writeAt, readAt, beforeAt          stamp
	value                              uint32 // that is written
	_                                  uint32 // a cell of 32 bytes lies in one line of the processor's cache
}

// Flags of cells.
const (
	cellValued       = 1 << iota // value is known
	cellReadsLast                // the latest access is a read
	cellSynchronises             // a read has shown that threads synchronise by the word
)

// maxCellClass is the last class of accesses that cells hold.
const maxCellClass = 1<<16 - 1

// cells are those of a line.
type cells [lineWords]cell

// mayUseCells reports whether accesses of a class may be told by cells alone: strong loads and stores of
// words that reach everybody, and neither acquire nor release.
func (d *Detector) mayUseCells(x *accessClass, index uint32) bool {
	return x.code == wordBytes && x.size == wordBytes && x.kind != abi.AccessRMW && index <= maxCellClass && !x.sem.Acquires() && !x.sem.Releases() &&
		!x.shared && !d.model.fencesOrder && d.journals != 0
}

// wordFlags are the flags of cells that an access of a class sets, of which the values may be known.
func (d *Detector) wordFlags(x *accessClass, valued bool) uint8 {
	switch {
	case x.kind == abi.AccessLoad && d.evidence.decisions.has(x.site):
		return cellReadsLast | cellSynchronises
	case x.kind == abi.AccessLoad:
		return cellReadsLast
	case valued:
		return cellValued
	}
	return 0
}

// wordAccess is a strong load or store of a word by a lane.
type wordAccess struct {
	lane  int
	addr  uint64
	value uint32 // that is written
	flags uint8  // those that the access sets
}

// tryCells checks and records a strong load or store of words by those lanes to which the
// words belong. It returns the others.
func (d *Detector) tryCells(a *access, s *shadow) (rest uint32) {
	ev := a.ev
	mask := ev.Mask &^ a.entered
	if ev.Access == abi.AccessRMW || !d.mayUseCells(a.accessClass, a.index) {
		return mask
	}
	x := wordAccess{flags: d.wordFlags(a.accessClass, ev.Valued)}
	for m := mask; m != 0; m &= m - 1 {
		x.lane = bits.TrailingZeros32(m)
		if x.addr, x.value = ev.Addr[x.lane], uint32(ev.New[x.lane]); !d.tryCell(a, s, &x) {
			rest |= 1 << x.lane
		}
	}
	return rest
}

// tryBatchCells is tryCells for an access of a batch, of which it makes an event only if there are lanes to which the words do not
// belong. It reports whether the access is one that cells may hold.
func (d *Detector) tryBatchCells(b *abi.Batch, w *warp, x *abi.Access) bool {
	index := d.walkClass(x)
	if index == 0 || d.used > d.opts.Memory {
		return false
	}
	at, starts := addresses{x.Base, x.Step, x.Addr}, x.Mask&^(x.Next|x.Same)
	window, one := at.window(x.Mask, starts, wordBytes)
	if !one || d.regions.of(window, d.global).mode != settled {
		return false
	}
	d.prefetch(d.global, &at, x.Mask, starts, wordBytes)
	a := d.batchAccess(w, index)
	if a.writes() {
		a.at = d.now
	}
	d.events++
	rest, word := uint32(0), wordAccess{flags: d.wordFlags(a.accessClass, x.New != nil)}
	for m := x.Mask; m != 0; m &= m - 1 {
		word.lane = bits.TrailingZeros32(m)
		if word.addr = at.of(word.lane); x.New != nil {
			word.value = uint32(x.New[word.lane])
		}
		if !d.tryCell(a, d.global, &word) {
			rest |= 1 << word.lane
		}
	}
	d.events--
	if rest == 0 {
		d.countStrong(w, x.Mask, a)
		return true
	}
	d.batched(b, x, x.Mask&^rest)
	return true
}

// countStrong counts a strong load or store by lanes in mask that was not made an event.
func (d *Detector) countStrong(w *warp, mask uint32, a *access) {
	if !a.writes() {
		d.countAccess(w, mask)
		return
	}
	d.events++
	w.touched |= mask
	d.tick()
}

// tryCell checks and records a strong load or store of a word, and reports whether a cell holds it.
func (d *Detector) tryCell(a *access, s *shadow, x *wordAccess) bool {
	l := d.line(s, x.addr)
	c := d.cellIn(l, s, a.unit, x.addr, x.lane)
	if c == nil {
		return d.tryOrdered(a, l, x)
	}
	if a.warp.noted>>x.lane&1 == 0 {
		d.noteContext(a.warp, x.lane)
	}
	if a.kind == abi.AccessLoad {
		c.read(a.at, uint16(a.index), x.flags)
		return true
	}
	return c.wrote(a.at, uint16(a.index), x.value, x.flags) || d.tryOrdered(a, l, x)
}

// read records a read.
func (c *cell) read(at stamp, class uint16, flags uint8) {
	c.readAt, c.readClass, c.flags = at, class, c.flags|flags
}

// wrote records a write, and reports whether the cell can hold it: not in place of one by another
// instruction, which is worth a report of its own.
func (c *cell) wrote(at stamp, class uint16, value uint32, flags uint8) bool {
	if c.beforeAt != 0 && c.beforeClass != c.writeClass && c.beforeClass != class {
		return false
	}
	c.beforeAt, c.beforeClass = c.writeAt, c.writeClass
	c.writeAt, c.writeClass, c.value, c.flags = at, class, value, c.flags&cellSynchronises|flags
	return true
}

// cellIn is the cell in a line of a word that a lane of a unit accesses; nil unless the word belongs to it.
func (d *Detector) cellIn(l *line, s *shadow, u unit, addr uint64, lane int) *cell {
	at := addr % lineBytes / wordBytes
	if l.cells == nil {
		if !l.untouched(at) {
			return nil
		}
		l.cells = d.newCells()
		s.synced = true // once the cells are exposed
	}
	c := &l.cells[at]
	switch {
	case c.unit == u && int(c.lane) == lane:
		return c
	case c.unit != 0 || !l.untouched(at) || addr%wordBytes != 0:
		return nil
	}
	c.unit, c.lane = u, uint8(lane)
	return c
}

// untouched reports whether nothing is known of a word, its cell aside.
func (l *line) untouched(word uint64) bool {
	return l.whole.none() && (l.readSets == nil || len(l.readSets.list) == 0) && (l.words == nil || l.words[word].none()) &&
		(l.synced == nil || l.synced.at[word] == nil && l.synced.sizes&^wordBytes == 0)
}

// none reports whether there are no entries.
func (h *history) none() bool {
	return h.write.mask == 0 && h.read.mask == 0 && (h.more == nil || h.more.bytes == nil && len(h.more.writes.entries) == 0 && len(h.more.reads.entries) == 0)
}

// isSplit reports whether words of the line have, or may have, histories of their own.
func (l *line) isSplit() bool { return l.words != nil || l.cells != nil }

// lineAt is the line of an address, none of whose words from there on, so many bytes of them, belongs
// to one thread.
func (d *Detector) lineAt(s *shadow, addr, size uint64) *line {
	l := d.line(s, addr)
	if l.cells != nil {
		d.exposeRange(s, l, addr, size)
	}
	return l
}

// exposeRange exposes the words that a range of bytes shares with a line, in which it begins.
func (d *Detector) exposeRange(s *shadow, l *line, addr, size uint64) {
	first := addr % lineBytes / wordBytes
	last := min((addr%lineBytes+size-1)/wordBytes, lineWords-1)
	for i := first; i <= last; i++ {
		if c := &l.cells[i]; c.unit != 0 {
			d.expose(s, l, c, addr-addr%lineBytes+i*wordBytes)
		}
	}
}

// exposeLocations makes locations of the cells of a line at an address, and forgets what they know of accesses.
func (d *Detector) exposeLocations(s *shadow, l *line, addr uint64) {
	for i := range l.cells {
		if c := &l.cells[i]; c.unit != 0 {
			x := d.accesses(c)
			d.exposeLocation(s, l, &x, addr+uint64(i)*wordBytes)
			d.ordered.release(c)
			*c = cell{}
		}
	}
}
