// Cells: the compact state of scalars that only one thread accesses strongly.

package precise

import (
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/accesses"
)

// Most volatile scalars belong to one thread, and few are accessed by others. As long as one thread alone accesses a scalar, by
// strong loads and stores whose scope includes all threads, it races with nothing and observes no other thread, and its latest
// accesses suffice for any later question. A cell holds these without a pointer. When other threads access the scalar strongly,
// each ordered after the accesses that it conflicts with, an ordered cell takes its place (strong_cell_ordered.go). Any other
// access exposes the scalar first: its location and its history are made from the cell, which is then empty.
//
// Scalars with cells have 4 or 8 bytes, all in a line the same. In this file and in other files strong_cell*, a word is such a
// scalar, and a word's number counts the words of its line.

// cell holds the accesses of the only thread that has accessed a word.
type cell struct {
	unit  unit // 0 for an empty cell
	lane  uint8
	flags uint8
	// The latest write, the latest read and the write before: a thread that observes the latest write need not have observed the
	// one before. Stamps are 0 for none.
	writeClass, readClass, beforeClass uint16
	writeAt, readAt, beforeAt          stamp
	value                              uint64 // value of the latest write
}

// Flags of cells.
const (
	cellValued       = 1 << iota // value is known
	cellReadsLast                // the latest access is a read
	cellSynchronises             // a read has shown that threads synchronise through the word
)

// maxCellClass is the largest class index that cells can hold.
const maxCellClass = 1<<16 - 1

// cells holds those of a line. A cell has 32 bytes, so that it lies in one cache line.
type cells [lineWords]cell

// mayUseCells reports whether cells can hold accesses of a class: strong loads and stores of words whose scope includes all
// threads, without acquire or release semantics.
func (d *Detector) mayUseCells(x *accesses.Class, index uint32) bool {
	return x.Code == x.Size && (x.Size == wordBytes || x.Size == 2*wordBytes) && x.Kind != abi.AccessRMW && index <= maxCellClass && !x.Sem.Acquires() && !x.Sem.Releases() &&
		(!x.Shared || d.barriersSeparate && d.sharedCellsPay(index)) && !d.model.fencesOrder && d.journals != 0 && d.tuning.takes(cellsOfWords)
}

// wordFlags returns the cell flags that an access of a class sets; valued says that its values are known.
func (d *Detector) wordFlags(x *accesses.Class, valued bool) uint8 {
	switch {
	case x.Kind == abi.AccessLoad && d.evidence.Decisions.Has(x.Site):
		return cellReadsLast | cellSynchronises
	case x.Kind == abi.AccessLoad:
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
	value uint64 // value written
	flags uint8  // cell flags that the access sets
}

// tryCell checks and records a strong load or store of a word, and reports whether a cell holds it.
func (d *Detector) tryCell(a *access, s *shadow, x *wordAccess) bool {
	return d.tryCellOf(a, s, d.line(s, x.addr), x)
}

// tryCellOf is tryCell for a word of a line.
func (d *Detector) tryCellOf(a *access, s *shadow, l *line, x *wordAccess) bool {
	size := uint64(a.Size)
	if !l.mayHold(size) || x.addr%size != 0 || a.logs && d.prefersLog(a, l) {
		return false
	}
	if c := d.cellIn(l, s, a.unit, x.addr, x.lane, size); c != nil {
		return d.tryCellWord(a, c, x)
	}
	return l.cells != nil && d.tryOrdered(a, &l.cells[x.addr%lineBytes/size], x)
}

// mayHold reports whether cells of a line can be those of scalars of size bytes.
func (l *line) mayHold(size uint64) bool {
	return l.log == nil && (l.cells == nil || uint64(l.cellBytes) == size)
}

// tryCellWord is tryCell for a cell that is in use.
func (d *Detector) tryCellWord(a *access, c *cell, x *wordAccess) bool {
	if c.unit != a.unit || int(c.lane) != x.lane {
		return d.tryOrdered(a, c, x)
	}
	d.noteContext(a, x.lane)
	if a.Kind == abi.AccessLoad {
		c.read(a.at, uint16(a.index), x.flags)
		return true
	}
	if !a.Shared && c.losesWrite(uint16(a.index)) { // the write deserves a report of its own
		return d.tryOrdered(a, c, x)
	}
	c.wrote(a.at, uint16(a.index), x.value, x.flags)
	return true
}

// read records a read.
func (c *cell) read(at stamp, class uint16, flags uint8) {
	c.readAt, c.readClass, c.flags = at, class, c.flags|flags
}

// losesWrite reports whether a cell cannot hold one more write without losing one by another instruction.
func (c *cell) losesWrite(class uint16) bool {
	return c.beforeAt != 0 && c.beforeClass != c.writeClass && c.beforeClass != class
}

// wrote records a write.
func (c *cell) wrote(at stamp, class uint16, value uint64, flags uint8) {
	c.beforeAt, c.beforeClass = c.writeAt, c.writeClass
	c.writeAt, c.writeClass, c.value, c.flags = at, class, value, c.flags&cellSynchronises|flags
}

// cellIn returns the cell in a line of a word of size bytes that a lane of a unit accesses; nil unless the lane owns the word.
func (d *Detector) cellIn(l *line, s *shadow, u unit, addr uint64, lane int, size uint64) *cell {
	switch {
	case addr%size != 0 || !l.mayHold(size):
		return nil
	case l.cells != nil:
	case !l.untouched(addr, size):
		return nil
	default:
		l.cells, l.cellBytes = d.newCells(), uint8(size)
		s.synced = true // takes effect when the cells are exposed
	}
	c := &l.cells[addr%lineBytes/size]
	switch {
	case c.unit == u && int(c.lane) == lane:
		return c
	case c.unit != 0 || !l.untouched(addr, size):
		return nil
	}
	c.unit, c.lane = u, uint8(lane)
	return c
}

// untouched reports whether the shadow holds nothing for a scalar of size bytes, 4 or 8, apart from its cell.
func (l *line) untouched(addr, size uint64) bool {
	at := addr % lineBytes / wordBytes
	return l.whole.none() &&
		(l.words == nil || l.words[at].none() && (size == wordBytes || l.words[at+1].none())) &&
		(l.synced == nil || l.synced.at[at].isBlank() && uint64(l.synced.sizes)&^size == 0)
}

// none reports whether there are no entries.
func (h *history) none() bool {
	return h.write.mask == 0 && h.read.mask == 0 && (h.more == nil || h.more.bytes == nil && len(h.more.writes.entries) == 0 && len(h.more.reads.entries) == 0)
}

// hasCell reports whether the cell of an address is in use.
func (l *line) hasCell(addr uint64) bool {
	return l.cells != nil && l.cells[addr%lineBytes/uint64(l.cellBytes)].unit != 0
}

// isSplit reports whether words of the line have, or may have, histories of their own.
func (l *line) isSplit() bool {
	return l.words != nil || l.cells != nil || l.log != nil
}

// lineAt returns the line of an address, with its log replayed, and the cells of size bytes from there on exposed.
func (d *Detector) lineAt(s *shadow, addr, size uint64) *line {
	l := d.withoutLog(s, addr)
	if l.cells != nil {
		d.exposeRange(s, l, addr, size)
	}
	return l
}

// exposeRange exposes the words of a line that a range of bytes touches. The range begins in the line.
func (d *Detector) exposeRange(s *shadow, l *line, addr, size uint64) {
	bytes := uint64(l.cellBytes)
	first, last := addr%lineBytes/bytes, min(addr%lineBytes+size-1, lineBytes-1)/bytes
	for i := first; i <= last; i++ {
		if c := &l.cells[i]; c.unit != 0 {
			d.expose(s, l, c, addr-addr%lineBytes+i*bytes)
		}
	}
}
