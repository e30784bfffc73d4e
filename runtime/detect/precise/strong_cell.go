// Cells: the compact state of words that only one thread accesses strongly.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Most volatile words belong to one thread, and few are accessed by others. As long as one thread alone accesses a word, by
// strong loads and stores whose scope includes all threads, it races with nothing and observes no other thread, and its latest
// accesses suffice for any later question. A cell holds these without a pointer. When other threads access the word strongly,
// each ordered after the accesses that it conflicts with, an ordered cell takes its place (strong_cell_ordered.go). Any other
// access exposes the word first: its location and its history are made from the cell, which is then empty.

// cell holds the accesses of the only thread that has accessed a word.
type cell struct {
	unit  unit // 0 for an empty cell
	lane  uint8
	flags uint8
	// The latest write, the latest read and the write before: a thread that observes the latest write need not have observed the
	// one before. Stamps are 0 for none.
	writeClass, readClass, beforeClass uint16
	writeAt, readAt, beforeAt          stamp
	value                              uint32 // value of the latest write
	_                                  uint32 // pads the cell to 32 bytes, so that it lies in one cache line
}

// Flags of cells.
const (
	cellValued       = 1 << iota // value is known
	cellReadsLast                // the latest access is a read
	cellSynchronises             // a read has shown that threads synchronise through the word
)

// maxCellClass is the largest class index that cells can hold.
const maxCellClass = 1<<16 - 1

// cells holds those of a line.
type cells [lineWords]cell

// mayUseCells reports whether cells can hold accesses of a class: strong loads and stores of words whose scope includes all
// threads, without acquire or release semantics.
func (d *Detector) mayUseCells(x *accessClass, index uint32) bool {
	return x.code == wordBytes && x.size == wordBytes && x.kind != abi.AccessRMW && index <= maxCellClass && !x.sem.Acquires() && !x.sem.Releases() &&
		!x.shared && !d.model.fencesOrder && d.journals != 0
}

// wordFlags returns the cell flags that an access of a class sets; valued says that its values are known.
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

// wordAccess is a strong load or store of a word by one lane.
type wordAccess struct {
	lane  int
	addr  uint64
	value uint32 // value written
	flags uint8  // cell flags that the access sets
}

// tryCells checks and records a strong load or store of words, for those lanes that own their word. It returns the other lanes.
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

// tryBatchCells is tryCells for an access of a batch. It makes an event only for lanes that do not own their word, and reports
// whether cells can hold accesses of that class.
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

// countStrong counts a strong load or store by the lanes in mask for which no event was made.
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
	return d.tryCellOf(a, s, d.line(s, x.addr), x)
}

// tryCellOf is tryCell for a word of a line.
func (d *Detector) tryCellOf(a *access, s *shadow, l *line, x *wordAccess) bool {
	if l.bands != nil && x.addr%wordBytes == 0 {
		return d.tryBandWord(a, l, x)
	}
	if c := d.cellIn(l, s, a.unit, x.addr, x.lane); c != nil {
		return d.tryCellWord(a, c, x)
	}
	return l.cells != nil && x.addr%wordBytes == 0 && d.tryOrdered(a, &l.cells[x.addr%lineBytes/wordBytes], x)
}

// tryCellWord is tryCell for a cell that is in use.
func (d *Detector) tryCellWord(a *access, c *cell, x *wordAccess) bool {
	if c.unit != a.unit || int(c.lane) != x.lane {
		return d.tryOrdered(a, c, x)
	}
	if a.warp.noted>>x.lane&1 == 0 {
		d.noteContext(a.warp, x.lane)
	}
	if a.kind == abi.AccessLoad {
		c.read(a.at, uint16(a.index), x.flags)
		return true
	}
	return c.wrote(a.at, uint16(a.index), x.value, x.flags) || d.tryOrdered(a, c, x)
}

// read records a read.
func (c *cell) read(at stamp, class uint16, flags uint8) {
	c.readAt, c.readClass, c.flags = at, class, c.flags|flags
}

// wrote records a write, and reports whether the cell can hold it: it cannot replace a write by another instruction, which
// deserves a report of its own.
func (c *cell) wrote(at stamp, class uint16, value uint32, flags uint8) bool {
	if c.beforeAt != 0 && c.beforeClass != c.writeClass && c.beforeClass != class {
		return false
	}
	c.beforeAt, c.beforeClass = c.writeAt, c.writeClass
	c.writeAt, c.writeClass, c.value, c.flags = at, class, value, c.flags&cellSynchronises|flags
	return true
}

// cellIn returns the cell in a line of a word that a lane of a unit accesses; nil unless the lane owns the word.
func (d *Detector) cellIn(l *line, s *shadow, u unit, addr uint64, lane int) *cell {
	at := addr % lineBytes / wordBytes
	switch {
	case l.cells != nil:
	case l.bands != nil:
		d.makeCells(l)
	case !l.untouched(at):
		return nil
	default:
		l.cells = d.newCells()
		s.synced = true // takes effect when the cells are exposed
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

// untouched reports whether the shadow holds nothing for a word apart from its cell.
func (l *line) untouched(word uint64) bool {
	return l.whole.none() && (l.readSets == nil || len(l.readSets.list) == 0) && (l.words == nil || l.words[word].none()) &&
		(l.synced == nil || l.synced.at[word] == nil && l.synced.sizes&^wordBytes == 0)
}

// none reports whether there are no entries.
func (h *history) none() bool {
	return h.write.mask == 0 && h.read.mask == 0 && (h.more == nil || h.more.bytes == nil && len(h.more.writes.entries) == 0 && len(h.more.reads.entries) == 0)
}

// isSplit reports whether words of the line have, or may have, histories of their own.
func (l *line) isSplit() bool { return l.words != nil || l.cells != nil || l.bands != nil }

// lineAt returns the line of an address, with the cells of size bytes from there on exposed.
func (d *Detector) lineAt(s *shadow, addr, size uint64) *line {
	l := d.line(s, addr)
	if l.cells != nil || l.bands != nil {
		d.exposeRange(s, l, addr, size)
	}
	return l
}

// exposeRange exposes the words of a line that a range of bytes touches. The range begins in the line.
func (d *Detector) exposeRange(s *shadow, l *line, addr, size uint64) {
	if l.bands != nil {
		d.makeCells(l)
	}
	first := addr % lineBytes / wordBytes
	last := min((addr%lineBytes+size-1)/wordBytes, lineWords-1)
	for i := first; i <= last; i++ {
		if c := &l.cells[i]; c.unit != 0 {
			d.expose(s, l, c, addr-addr%lineBytes+i*wordBytes)
		}
	}
}
