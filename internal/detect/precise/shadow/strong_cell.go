// Cells: the compact state of scalars that only one thread accesses strongly.

package shadow

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Most volatile scalars belong to one thread, and few are accessed by others. As long as one thread alone accesses a
// scalar, by strong loads and stores whose scope includes all threads, it races with nothing and observes no other
// thread, and its latest accesses suffice for any later question. A cell holds these without a pointer. When other
// threads access the scalar strongly, each ordered after the accesses that it conflicts with, an ordered cell takes its
// place (strong_cell_ordered.go). Any other access exposes the scalar first: its location and its history are made from
// the cell, which is then empty.
//
// Scalars with cells have 4 or 8 bytes, all in a line the same. In this file and in other files strong_cell*, a word is
// such a scalar, and a word's number counts the words of its line.

// Cell holds the accesses of the only thread that has accessed a word.
type Cell struct {
	Unit  unit // 0 for an empty cell
	Lane  uint8
	flags uint8
	// The latest write, the latest read and the write before: a thread that observes the latest write need not have
	// observed the one before. Stamps are 0 for none.
	writeClass, readClass, beforeClass uint16
	writeAt, readAt, beforeAt          stamp
	value                              uint64 // value of the latest write
}

// Flags of cells.
const (
	CellValued       = 1 << iota // value is known
	cellReadsLast                // the latest access is a read
	CellSynchronises             // a read has shown that threads synchronise through the word
)

// maxCellClass is the largest class index that cells can hold.
const maxCellClass = 1<<16 - 1

// Cells holds those of a line. A cell has 32 bytes, so that it lies in one cache line.
type Cells [lineWords]Cell

// MayUseCells reports whether cells can hold accesses of a class: strong loads and stores of words whose scope includes
// all threads, without acquire or release semantics.
func (d *Record) MayUseCells(x *accesses.Class, index uint32) bool {
	return x.Code == x.Size && (x.Size == wordBytes || x.Size == 2*wordBytes) && x.Kind != abi.AccessRMW &&
		index <= maxCellClass && !x.Sem.Acquires() && !x.Sem.Releases() &&
		!x.Shared && !d.Model.FencesOrder && d.Journals != 0 && d.Tuning.Takes(options.CellsOfWords)
}

// WordFlags returns the cell flags that an access of a class sets; valued says that its values are known.
func (d *Record) WordFlags(x *accesses.Class, valued bool) uint8 {
	switch {
	case x.Kind == abi.AccessLoad && d.Evidence.Decisions.Has(x.Site):
		return cellReadsLast | CellSynchronises
	case x.Kind == abi.AccessLoad:
		return cellReadsLast
	case valued:
		return CellValued
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

// tryCellWord checks and records a strong load or store of a word of a line, and reports whether its cell holds it.
func (d *Record) tryCellWord(a *causality.Access, l *Line, c *Cell, x *wordAccess) bool {
	if !c.IsOf(l, a.Unit, x.lane, x.addr) {
		return d.tryOrdered(a, c, x)
	}
	d.NoteContext(a.Warp, x.lane)
	if a.Kind == abi.AccessLoad {
		c.Read(a.At, uint16(a.Index), x.flags)
		return true
	}
	if c.LosesWrite(uint16(a.Index)) || d.Launch.Weak && c.beforeAt != 0 { // it deserves a report of its own, or may be read
		return d.tryOrdered(a, c, x)
	}
	c.Wrote(a.At, uint16(a.Index), x.value, x.flags)
	return true
}

// Read records a read.
func (c *Cell) Read(at stamp, class uint16, flags uint8) {
	c.readAt, c.readClass, c.flags = at, class, c.flags|flags
}

// LosesWrite reports whether a cell cannot hold one more write without losing one by another instruction.
func (c *Cell) LosesWrite(class uint16) bool {
	return c.beforeAt != 0 && c.beforeClass != c.writeClass && c.beforeClass != class
}

// Wrote records a write.
func (c *Cell) Wrote(at stamp, class uint16, value uint64, flags uint8) {
	c.beforeAt, c.beforeClass = c.writeAt, c.writeClass
	c.writeAt, c.writeClass, c.value, c.flags = at, class, value, c.flags&CellSynchronises|flags
}

// IsOf reports whether a cell of a line holds the accesses of a lane of a unit, or nobody has accessed its word before.
func (c *Cell) IsOf(l *Line, u unit, lane int, addr uint64) bool {
	switch {
	case c.Unit == u && int(c.Lane) == lane:
		return true
	case c.Unit != 0 || !l.untouched(addr, uint64(l.Scalar)):
		return false
	}
	c.Unit, c.Lane = u, uint8(lane)
	return true
}

// CellsFor returns the cells of a line for a scalar of size bytes, which it makes if nothing has been accessed there;
// nil if the line cannot have any.
func (d *Record) CellsFor(s *Memory, l *Line, addr, size uint64) *Cells {
	switch {
	case addr%size != 0:
		return nil
	case l.cells != nil:
		if uint64(l.Scalar) != size {
			return nil
		}
		return l.cells
	case !l.untouched(addr, size):
		return nil
	}
	c := d.newCells()
	l.cells, l.Scalar = c, uint8(size)
	s.Synced = true // takes effect when the cells are expanded
	return c
}

// untouched reports whether the shadow holds nothing for a scalar of size bytes, 4 or 8, apart from its cell.
func (l *Line) untouched(addr, size uint64) bool {
	at := addr % lineBytes / wordBytes
	none := l.Whole.none()
	if l.Words != nil {
		l.Words.Each(int(at), int(size/wordBytes), func(h *History) { none = none && h.none() })
	}
	return none &&
		(l.Synced == nil || l.Synced.at[at].IsBlank() && uint64(l.Synced.sizes)&^size == 0)
}

// none reports whether there are no entries.
func (h *History) none() bool { return h.Write.Mask == 0 && h.Read.Mask == 0 && h.More.isEmpty() }

// HasCell reports whether the cell of an address is in use.
func (l *Line) HasCell(addr uint64) bool {
	c := l.cells
	return c != nil && c[addr%lineBytes/uint64(l.Scalar)].Unit != 0
}

// expand makes histories and locations of the accesses to size bytes from an address of the line on, which their cells
// then do not hold any more.
func (c *Cells) expand(d *Record, s *Memory, l *Line, addr, size uint64) {
	bytes, start := uint64(l.Scalar), addr%lineBytes
	for i := start / bytes; size > 0 && i*bytes < min(start+size, lineBytes); i++ {
		if c[i].Unit != 0 {
			d.replayer.ReplayCell(s, l, &c[i], addr-start+i*bytes)
		}
	}
}

// free drops all accesses, and keeps the memory for another line.
func (c *Cells) free(d *Record) {
	c.releaseOrdered(d)
	*c = Cells{}
	d.freeCells = append(d.freeCells, c)
}

func (c *Cells) bytes() uintptr { return unsafe.Sizeof(*c) }

// wordsAccess is a strong load or store of words by lanes of a warp.
type wordsAccess struct {
	at     deferred.Addresses
	values *[radix]uint64 // written, nil if unknown
	ages   *[radix]uint64 // as in Event
	flags  uint8          // cell flags that the access sets
}

// TryCells checks and records a strong load or store of words, for those lanes that own their word. It returns the
// other lanes.
func (d *Record) TryCells(a *causality.Access, s *Memory) (rest uint32) {
	ev := a.Ev
	mask := ev.Mask &^ a.Before.Lanes
	if ev.Access == abi.AccessRMW || !d.MayUseCells(a.Class, a.Index) {
		return mask
	}
	return d.enterCells(a, s, mask, &wordsAccess{
		at: deferred.Addresses{Each: &ev.Addr}, values: &ev.New, ages: ev.Ages, flags: d.WordFlags(a.Class, ev.Valued),
	})
}

// enterCells checks and records a strong load or store of words, for those of some lanes that own their word. It
// returns the other lanes. Those that access a word like an earlier lane that does not own it are among them: the lanes
// of an instruction enter a word in their order.
func (d *Record) enterCells(a *causality.Access, s *Memory, lanes uint32, x *wordsAccess) (rest uint32) {
	one := wordAccess{flags: x.flags}
	others := uint64(0) // words that lanes in rest access, by the low bits of their number
	for m := lanes; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		one.lane, one.addr = lane, x.at.Of(lane)
		if x.values != nil {
			one.value = x.values[lane]
		}
		bit := uint64(1) << (one.addr / wordBytes % 64)
		if others&bit != 0 && x.at.Has(rest, one.addr) || x.ages != nil && x.ages[lane] != 0 || !d.tryCell(a, s, &one) {
			rest |= 1 << lane
			others |= bit
		}
	}
	return rest
}

// tryCell checks and records a strong load or store of a word by one lane, and reports whether a cell holds it.
func (d *Record) tryCell(a *causality.Access, s *Memory, x *wordAccess) bool {
	l := d.Line(s, x.addr)
	c := d.CellsFor(s, l, x.addr, uint64(a.Size))
	return c != nil && d.tryCellWord(a, l, &c[x.addr%lineBytes/uint64(a.Size)], x)
}
