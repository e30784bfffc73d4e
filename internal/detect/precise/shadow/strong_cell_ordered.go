// Ordered cells: the compact state of words that several threads access strongly, in causality order.

package shadow

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Data handed over under a lock, or between flags, is accessed strongly by several threads, each of which follows in
// causality order the accesses that it conflicts with. As long as that is so, the word races with nothing, and no
// thread learns anything there: a thread that follows a write has the writer's clock and the releases of its fences
// already. The latest accesses of each thread suffice for any later question. An ordered cell holds them without a
// pointer. An access out of this order exposes the word.

// orderedAccess is one access to a word.
type orderedAccess struct {
	Unit  unit
	At    stamp
	Class uint16
	Lane  uint8
	reads bool
}

// orderedCell holds the accesses of a word, oldest first: of each thread the latest read and, by each instruction, the
// latest write. For the thread and instruction of the latest write it holds the previous write, too: a thread that
// observes the latest one need not have observed that. Under weak memory it holds all writes: a later read may return
// any of them. A read follows the latest write before it. A write follows that write and all reads since.
type orderedCell struct { // 192 bytes: three cache lines
	Value uint64 // value of the latest write
	N     uint8
	Flags uint8 // CellValued, CellSynchronises
	List  [maxOrdered]orderedAccess
}

// maxOrdered is the number of accesses that an ordered cell holds.
const maxOrdered = 15

// inOrder is the unit of a cell that refers to an ordered cell, whose number is its value.
const inOrder = ^unit(0)

// OrderedTogether is the number of ordered cells allocated together.
const OrderedTogether = 64

// orderedCells holds all ordered cells, by number.
type orderedCells struct {
	Chunks []*[OrderedTogether]orderedCell
	Free   []uint32
}

func (o *orderedCells) at(number uint64) *orderedCell {
	return &o.Chunks[number/OrderedTogether][number%OrderedTogether]
}

// Release frees the ordered cell of a cell, if it has one.
func (o *orderedCells) Release(c *Cell) {
	if c.Unit == inOrder {
		o.Free = append(o.Free, uint32(c.value))
	}
}

// releaseOrdered frees the ordered cells of a line.
func (c *Cells) releaseOrdered(d *Record) {
	if len(d.Ordered.Chunks) == 0 {
		return
	}
	for i := range c {
		d.Ordered.Release(&c[i])
	}
}

// newOrdered returns the number of a free ordered cell.
func (d *Record) newOrdered() uint64 {
	o := &d.Ordered
	if len(o.Free) == 0 {
		first := uint32(len(o.Chunks) * OrderedTogether)
		chunk := new([OrderedTogether]orderedCell)
		d.Used.Add(unsafe.Sizeof(*chunk))
		o.Chunks = append(o.Chunks, chunk)
		for i := range uint32(OrderedTogether) {
			o.Free = append(o.Free, first+OrderedTogether-1-i)
		}
	}
	number := o.Free[len(o.Free)-1]
	o.Free = o.Free[:len(o.Free)-1]
	return uint64(number)
}

// AccessesOf returns the accesses of a cell in use.
func (d *Record) AccessesOf(c *Cell) (x orderedCell) {
	if c.Unit == inOrder {
		return *d.Ordered.at(c.value)
	}
	x.Flags, x.Value = c.flags&^cellReadsLast, c.value
	read := orderedAccess{c.Unit, c.readAt, c.readClass, c.Lane, true}
	if c.readAt != 0 && c.flags&cellReadsLast == 0 {
		x.append(read)
	}
	if c.beforeAt != 0 {
		x.append(orderedAccess{c.Unit, c.beforeAt, c.beforeClass, c.Lane, false})
	}
	if c.writeAt != 0 {
		x.append(orderedAccess{c.Unit, c.writeAt, c.writeClass, c.Lane, false})
	}
	if c.flags&cellReadsLast != 0 {
		x.append(read)
	}
	return x
}

// tryOrdered checks and records an access to a word that other threads have accessed, or that its cell cannot hold, and
// reports whether an ordered cell holds it, to which the cell then refers.
func (d *Record) tryOrdered(a *causality.Access, c *Cell, x *wordAccess) bool {
	if !d.Tuning.Takes(options.OrderedWords) {
		return false
	}
	switch {
	case c.Unit == 0:
		return false
	case c.Unit != inOrder:
		before := d.AccessesOf(c)
		if !d.precedesAll(&before, a, x.lane) {
			return false
		}
		d.makeOrdered(c)
	case !d.precedesAll(d.Ordered.at(c.value), a, x.lane):
		return false
	}
	d.NoteContext(a.Warp, x.lane)
	return d.enterOrdered(a, d.Ordered.at(c.value), x)
}

// makeOrdered has a cell in use refer to an ordered cell with its accesses.
func (d *Record) makeOrdered(c *Cell) {
	number := d.newOrdered()
	*d.Ordered.at(number) = d.AccessesOf(c)
	*c = Cell{Unit: inOrder, value: number}
}

// enterOrdered records an access, and reports whether there is room for it.
func (d *Record) enterOrdered(a *causality.Access, o *orderedCell, x *wordAccess) bool {
	e := orderedAccess{a.Unit, a.At, uint16(a.Index), uint8(x.lane), a.Kind == abi.AccessLoad}
	if !e.reads {
		if d.Launch.Weak && !o.append(e) || !d.Launch.Weak && !o.wrote(e) {
			return false
		}
		o.Value, o.Flags = x.value, o.Flags&CellSynchronises|x.flags
		return true
	}
	repeated := o.N > 0 && o.List[o.N-1] == e
	if !o.read(e) {
		return false
	}
	o.Flags |= x.flags & CellSynchronises
	if !repeated {
		d.noteOrderedRead(a, o, x)
	}
	return true
}

// precedesAll reports whether the accesses in x that conflict with a, made by lane, are ordered before it.
func (d *Record) precedesAll(x *orderedCell, a *causality.Access, lane int) bool {
	clock := a.Warp.Of(lane)
	for i := int(x.N) - 1; i >= 0; i-- {
		e := &x.List[i]
		if (!e.reads || a.Writes()) && (e.Unit != a.Unit || int(e.Lane) != lane) &&
			(clock == nil || !d.known.includes(clock, e)) {
			return false
		}
		if !e.reads {
			break // this write follows the accesses before it
		}
	}
	return true
}

// orderedQuery caches the latest thread and time that a clock was found to include: a walk through words that another
// thread has written repeats the same question.
type orderedQuery struct {
	clock *clock
	unit  unit
	lane  uint8
	at    stamp
}

// includes reports whether a clock includes an access.
func (k *orderedQuery) includes(c *clock, e *orderedAccess) bool {
	if k.clock == c && k.unit == e.Unit && k.lane == e.Lane && e.At <= k.at {
		return true
	}
	if !c.IncludesEager(e.Unit, int(e.Lane), e.At) {
		return false
	}
	*k = orderedQuery{c, e.Unit, e.Lane, e.At}
	return true
}

// LatestWrite returns the index of the latest write, -1 when there is none.
func (x *orderedCell) LatestWrite() int {
	i := int(x.N) - 1
	for i >= 0 && x.List[i].reads {
		i--
	}
	return i
}

// read adds a read in place of the thread's earlier one, and reports whether there is room.
func (x *orderedCell) read(e orderedAccess) bool {
	for i := int(x.N) - 1; i >= 0; i-- {
		if y := &x.List[i]; y.reads && y.Unit == e.Unit && y.Lane == e.Lane {
			x.remove(i)
			break
		}
	}
	return x.append(e)
}

// wrote adds a write, and reports whether there is room.
func (x *orderedCell) wrote(e orderedAccess) bool {
	latest := x.LatestWrite()
	for i := latest - 1; i >= 0; i-- {
		if y := &x.List[i]; y.isLike(&x.List[latest]) {
			x.remove(i)
			break
		}
	}
	return x.append(e)
}

// isLike reports whether two accesses are writes, or reads, of one thread by one instruction.
func (e *orderedAccess) isLike(f *orderedAccess) bool {
	return e.Unit == f.Unit && e.Lane == f.Lane && e.Class == f.Class && e.reads == f.reads
}

func (x *orderedCell) remove(i int) {
	copy(x.List[i:x.N], x.List[i+1:x.N])
	x.N--
}

func (x *orderedCell) append(e orderedAccess) bool {
	if x.N == maxOrdered {
		return false
	}
	x.List[x.N] = e
	x.N++
	return true
}

// noteOrderedRead records for reports that a lane reads what another thread has written.
func (d *Record) noteOrderedRead(a *causality.Access, o *orderedCell, x *wordAccess) {
	me := thread{Unit: a.Unit, Lane: uint8(x.lane)}
	i := o.LatestWrite()
	if i < 0 || o.List[i].thread() == me {
		return
	}
	loc := &d.readFrom
	write := &o.List[i]
	its := d.ContextOf(write.thread(), write.At)
	loc.Addr, loc.Size = x.addr, uint8(a.Size)
	loc.SetWriter(write.thread(), write.At, uint32(write.Class), its.Clock, its.Fences)
	d.TellRead(a, loc, me, true)
}

func (e *orderedAccess) thread() thread { return thread{Unit: e.Unit, Lane: e.Lane} }

// useContexts marks the contexts that the accesses of a word need.
func (x *orderedCell) useContexts(d *Record) {
	for i := range x.List[:x.N] {
		e := &x.List[i]
		list := d.contextsOf(e.Unit, e.Lane)
		if k := contextAt(list, e.At); k >= 0 {
			list[k].used = true
		}
	}
}
