// Ordered cells: the compact state of words that several threads access strongly, in causality order.

package precise

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Data handed over under a lock, or between flags, is accessed strongly by several threads, each of which follows in
// causality order the accesses that it conflicts with. As long as that is so, the word races with nothing, and no
// thread learns anything there: a thread that follows a write has the writer's clock and the releases of its fences
// already. The latest accesses of each thread suffice for any later question. An ordered cell holds them without a
// pointer. An access out of this order exposes the word.

// orderedAccess is one access to a word.
type orderedAccess struct {
	unit  unit
	at    stamp
	class uint16
	lane  uint8
	reads bool
}

// orderedCell holds the accesses of a word, oldest first: of each thread the latest read and, by each instruction, the
// latest write. For the thread and instruction of the latest write it holds the previous write, too: a thread that
// observes the latest one need not have observed that. Under weak memory it holds all writes: a later read may return
// any of them. A read follows the latest write before it. A write follows that write and all reads since.
type orderedCell struct { // 192 bytes: three cache lines
	value uint64 // value of the latest write
	n     uint8
	flags uint8 // cellValued, cellSynchronises
	list  [maxOrdered]orderedAccess
}

// maxOrdered is the number of accesses that an ordered cell holds.
const maxOrdered = 15

// inOrder is the unit of a cell that refers to an ordered cell, whose number is its value.
const inOrder = ^unit(0)

// orderedTogether is the number of ordered cells allocated together.
const orderedTogether = 64

// orderedCells holds all ordered cells, by number.
type orderedCells struct {
	chunks []*[orderedTogether]orderedCell
	free   []uint32
}

func (o *orderedCells) at(number uint64) *orderedCell {
	return &o.chunks[number/orderedTogether][number%orderedTogether]
}

// release frees the ordered cell of a cell, if it has one.
func (o *orderedCells) release(c *cell) {
	if c.unit == inOrder {
		o.free = append(o.free, uint32(c.value))
	}
}

// releaseOrdered frees the ordered cells of a line.
func (c *cells) releaseOrdered(d *Detector) {
	if len(d.ordered.chunks) == 0 {
		return
	}
	for i := range c {
		d.ordered.release(&c[i])
	}
}

// newOrdered returns the number of a free ordered cell.
func (d *Detector) newOrdered() uint64 {
	o := &d.ordered
	if len(o.free) == 0 {
		first := uint32(len(o.chunks) * orderedTogether)
		chunk := new([orderedTogether]orderedCell)
		d.uses(unsafe.Sizeof(*chunk))
		o.chunks = append(o.chunks, chunk)
		for i := range uint32(orderedTogether) {
			o.free = append(o.free, first+orderedTogether-1-i)
		}
	}
	number := o.free[len(o.free)-1]
	o.free = o.free[:len(o.free)-1]
	return uint64(number)
}

// accessesOf returns the accesses of a cell in use.
func (d *Detector) accessesOf(c *cell) (x orderedCell) {
	if c.unit == inOrder {
		return *d.ordered.at(c.value)
	}
	x.flags, x.value = c.flags&^cellReadsLast, c.value
	read := orderedAccess{c.unit, c.readAt, c.readClass, c.lane, true}
	if c.readAt != 0 && c.flags&cellReadsLast == 0 {
		x.append(read)
	}
	if c.beforeAt != 0 {
		x.append(orderedAccess{c.unit, c.beforeAt, c.beforeClass, c.lane, false})
	}
	if c.writeAt != 0 {
		x.append(orderedAccess{c.unit, c.writeAt, c.writeClass, c.lane, false})
	}
	if c.flags&cellReadsLast != 0 {
		x.append(read)
	}
	return x
}

// tryOrdered checks and records an access to a word that other threads have accessed, or that its cell cannot hold, and
// reports whether an ordered cell holds it, to which the cell then refers.
func (d *Detector) tryOrdered(a *access, c *cell, x *wordAccess) bool {
	if !d.tuning.takes(orderedWords) {
		return false
	}
	switch {
	case c.unit == 0:
		return false
	case c.unit != inOrder:
		before := d.accessesOf(c)
		if !d.precedesAll(&before, a, x.lane) {
			return false
		}
		d.makeOrdered(c)
	case !d.precedesAll(d.ordered.at(c.value), a, x.lane):
		return false
	}
	d.noteContext(a.warp, x.lane)
	return d.enterOrdered(a, d.ordered.at(c.value), x)
}

// makeOrdered has a cell in use refer to an ordered cell with its accesses.
func (d *Detector) makeOrdered(c *cell) {
	number := d.newOrdered()
	*d.ordered.at(number) = d.accessesOf(c)
	*c = cell{unit: inOrder, value: number}
}

// enterOrdered records an access, and reports whether there is room for it.
func (d *Detector) enterOrdered(a *access, o *orderedCell, x *wordAccess) bool {
	e := orderedAccess{a.unit, a.at, uint16(a.index), uint8(x.lane), a.Kind == abi.AccessLoad}
	if !e.reads {
		if d.launch.Weak && !o.append(e) || !d.launch.Weak && !o.wrote(e) {
			return false
		}
		o.value, o.flags = x.value, o.flags&cellSynchronises|x.flags
		return true
	}
	repeated := o.n > 0 && o.list[o.n-1] == e
	if !o.read(e) {
		return false
	}
	o.flags |= x.flags & cellSynchronises
	if !repeated {
		d.noteOrderedRead(a, o, x)
	}
	return true
}

// precedesAll reports whether the accesses in x that conflict with a, made by lane, are ordered before it.
func (d *Detector) precedesAll(x *orderedCell, a *access, lane int) bool {
	clock := a.warp.of(lane)
	for i := int(x.n) - 1; i >= 0; i-- {
		e := &x.list[i]
		if (!e.reads || a.Writes()) && (e.unit != a.unit || int(e.lane) != lane) &&
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
	if k.clock == c && k.unit == e.unit && k.lane == e.lane && e.at <= k.at {
		return true
	}
	if !c.IncludesEager(e.unit, int(e.lane), e.at) {
		return false
	}
	*k = orderedQuery{c, e.unit, e.lane, e.at}
	return true
}

// latestWrite returns the index of the latest write, -1 when there is none.
func (x *orderedCell) latestWrite() int {
	i := int(x.n) - 1
	for i >= 0 && x.list[i].reads {
		i--
	}
	return i
}

// read adds a read in place of the thread's earlier one, and reports whether there is room.
func (x *orderedCell) read(e orderedAccess) bool {
	for i := int(x.n) - 1; i >= 0; i-- {
		if y := &x.list[i]; y.reads && y.unit == e.unit && y.lane == e.lane {
			x.remove(i)
			break
		}
	}
	return x.append(e)
}

// wrote adds a write, and reports whether there is room.
func (x *orderedCell) wrote(e orderedAccess) bool {
	latest := x.latestWrite()
	for i := latest - 1; i >= 0; i-- {
		if y := &x.list[i]; y.isLike(&x.list[latest]) {
			x.remove(i)
			break
		}
	}
	return x.append(e)
}

// isLike reports whether two accesses are writes, or reads, of one thread by one instruction.
func (e *orderedAccess) isLike(f *orderedAccess) bool {
	return e.unit == f.unit && e.lane == f.lane && e.class == f.class && e.reads == f.reads
}

func (x *orderedCell) remove(i int) {
	copy(x.list[i:x.n], x.list[i+1:x.n])
	x.n--
}

func (x *orderedCell) append(e orderedAccess) bool {
	if x.n == maxOrdered {
		return false
	}
	x.list[x.n] = e
	x.n++
	return true
}

// noteOrderedRead records for reports that a lane reads what another thread has written.
func (d *Detector) noteOrderedRead(a *access, o *orderedCell, x *wordAccess) {
	me := thread{Unit: a.unit, Lane: uint8(x.lane)}
	i := o.latestWrite()
	if i < 0 || o.list[i].thread() == me {
		return
	}
	loc := &d.readFrom
	write := &o.list[i]
	its := d.contextOf(write.thread(), write.at)
	loc.addr, loc.size = x.addr, uint8(a.Size)
	loc.setWriter(write.thread(), write.at, uint32(write.class), its.clock, its.fences)
	d.tellRead(a, loc, me, true)
}

func (e *orderedAccess) thread() thread { return thread{Unit: e.unit, Lane: e.lane} }

// expose makes a location and a history from the cell at an address.
func (d *Detector) expose(s *shadow, l *line, c *cell, addr uint64) {
	x := d.accessesOf(c)
	d.ordered.release(c)
	*c = cell{}
	loc := l.location(d, s, addr, uint64(l.scalar))
	if x.flags&cellSynchronises != 0 && d.evidence.Warns() {
		loc.setSynchronises()
	}
	p, latest := d.beginReplay(), x.latestWrite()
	for i := range x.list[:x.n] {
		e := &x.list[i]
		p.describe(p.by(d, e.unit, nil, uint32(e.class)).Class)
		p.recall(d, e.lane, e.at)
		p.at(d, e.at, p.events-1)
		p.event.Addr[e.lane], p.event.New[e.lane], p.event.Valued = addr, x.value, i == latest &&
			x.flags&cellValued != 0
		d.words(p.again(d, s, e.lane), s, addr, 1<<e.lane)
	}
	p.end(d)
}

// useContexts marks the contexts that the accesses of a word need.
func (x *orderedCell) useContexts(d *Detector) {
	for i := range x.list[:x.n] {
		e := &x.list[i]
		list := d.contextsOf(e.unit, e.lane)
		if k := contextAt(list, e.at); k >= 0 {
			list[k].used = true
		}
	}
}
