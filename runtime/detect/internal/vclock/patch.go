// Dense blocks that differ from another one in the times of a few threads.

package vclock

import (
	"math/bits"
	"slices"
)

// The join of two dense blocks often has the times of one of them, but for a few threads. Its node is patched then: it shares the
// arrays of that block, and has a list of threads with later times. A node with more than maxPatches of these gets arrays of its own.

const maxPatches = 27

// patch is a thread of a block and its time.
type patch struct {
	thread uint16 // slot of the unit times Radix, plus the lane
	at     Time
}

func (p patch) slot() uint32 { return uint32(p.thread) >> RadixBits }

// patches are the threads of a block with later times than in the arrays of a dense node.
type patches struct {
	of    *Clock  // the node, which is not patched itself
	units uint32  // set of slots of the threads
	list  []patch // in the order of the threads
}

// newPatched returns a new node and an empty list with room for n threads, in one allocation.
func newPatched(n int) (*Clock, *patches) {
	switch {
	case n <= 5:
		made := new(struct {
			Clock
			of   patches
			room [5]patch
		})
		made.of.list = made.room[:0]
		return &made.Clock, &made.of
	case n <= 13:
		made := new(struct {
			Clock
			of   patches
			room [13]patch
		})
		made.of.list = made.room[:0]
		return &made.Clock, &made.of
	}
	made := new(struct {
		Clock
		of   patches
		room [maxPatches]patch
	})
	made.of.list = made.room[:0]
	return &made.Clock, &made.of
}

// add adds a thread behind all others.
func (p *patches) add(x patch) {
	p.list, p.units = append(p.list, x), p.units|1<<x.slot()
}

// insert adds a thread, or its later time, if there is room for it, and reports whether there is. The list must belong to an open node
// alone.
func (p *patches) insert(x patch) bool {
	at := 0
	for at < len(p.list) && p.list[at].thread < x.thread {
		at++
	}
	switch {
	case at < len(p.list) && p.list[at].thread == x.thread:
		p.list[at] = x
		return true
	case len(p.list) == cap(p.list):
		return false
	}
	p.list, p.units = slices.Insert(p.list, at, x), p.units|1<<x.slot()
	return true
}

// at returns the time of the thread with a slot and a lane, 0 if there is none.
func (p *patches) at(slot uint32, lane int) Time {
	if p == nil || p.units>>slot&1 == 0 {
		return 0
	}
	thread := uint16(slot<<RadixBits | uint32(lane))
	for _, x := range p.list {
		if x.thread >= thread {
			if x.thread == thread {
				return x.at
			}
			break
		}
	}
	return 0
}

// reached returns the lanes of the unit of a slot whose time is at least t.
func (p *patches) reached(slot uint32, t Time) (mask uint32) {
	if p == nil || p.units>>slot&1 == 0 {
		return 0
	}
	for _, x := range p.list {
		if x.slot() == slot && x.at >= t {
			mask |= 1 << (x.thread % Radix)
		}
	}
	return mask
}

// applied returns the times of the unit of a slot, which are row in the arrays, in room or elsewhere.
func (p *patches) applied(slot uint32, row, room *[Radix]Time) *[Radix]Time {
	if p == nil || p.units>>slot&1 == 0 {
		return row
	}
	*room = *row
	for _, x := range p.list {
		switch s := x.slot(); {
		case s == slot:
			room[x.thread%Radix] = x.at
		case s > slot:
			return room
		}
	}
	return room
}

// bytes returns the size in memory, with what this measurement has not counted yet of the arrays.
func (p *patches) bytes(measurement uint32) uint64 {
	return 40 + 8*uint64(cap(p.list)) + p.of.Bytes(measurement)
}

// patchList returns the patches of a dense node.
func (c *Clock) patchList() []patch {
	if c.patches == nil {
		return nil
	}
	return c.patches.list
}

// patchCount returns the number of patches of a dense node.
func (c *Clock) patchCount() int { return len(c.patchList()) }

// patched returns a node in place of node a of the same range, units and floor: it shares the arrays of node of, with the threads of
// that node's patches and, at later times, those of the list, which is in order. It changes a if that is open.
func (to *Builder) patched(a, of *Clock, list []patch, top Time) *Clock {
	if a.open && a == of && len(list) == 1 && a.patches.insert(list[0]) {
		a.top, a.counted = top, 0
		return a
	}
	out, made := newPatched(of.patchCount() + len(list))
	if made.of = of; of.patches != nil {
		made.of = of.patches.of
	}
	old := of.patchList()
	for _, p := range list {
		for len(old) > 0 && old[0].thread < p.thread {
			made.add(old[0])
			old = old[1:]
		}
		if len(old) > 0 && old[0].thread == p.thread {
			old = old[1:]
		}
		made.add(p)
	}
	for _, p := range old {
		made.add(p)
	}
	return to.denseAs(out, a, of.lanes, made, top)
}

// withRows returns a node in place of node a of the same range, units and floor, with other arrays. It changes a if that is open.
func (to *Builder) withRows(a *Clock, rows [][Radix]Time, top Time) *Clock {
	return to.denseAs(nil, a, &rows[0], nil, top)
}

// denseAs returns a node in place of node a of the same range, units and floor: a itself if it is open, else the node made, or a new
// one if that is nil.
func (to *Builder) denseAs(made, a *Clock, lanes *[Radix]Time, with *patches, top Time) *Clock {
	switch {
	case a.open:
		made = a
	case made == nil:
		made = new(Clock)
		fallthrough
	default:
		made.base, made.level, made.floor, made.which = a.base, a.level, a.floor, a.which
		to.opens(made)
	}
	made.top, made.counted, made.lanes, made.patches = top, 0, lanes, with
	return made
}

// laterLanes holds, for each array of a dense node, the set of lanes that have a later time in that node than in another one.
type laterLanes [Radix]uint32

// set says whether a thread of an array has a later time.
func (l *laterLanes) set(row int, lane uint16, is bool) {
	l[row] &^= 1 << lane
	if is {
		l[row] |= 1 << lane
	}
}

// compareRows returns the threads that have a later time in dense node a, and in b, and their number. Both nodes have arrays for the
// same units.
func compareRows(a, b *Clock, laterA, laterB *laterLanes) (byA, byB int) {
	rowsA, rowsB := a.rows(), b.rows()
	exceedRows(rowsA, rowsB, laterA, laterB)
	for x, y := a.patchList(), b.patchList(); len(x)+len(y) > 0; {
		var thread uint16
		if len(y) == 0 || len(x) > 0 && x[0].thread <= y[0].thread {
			thread = x[0].thread
		} else {
			thread = y[0].thread
		}
		row, lane := a.index(uint32(thread)>>RadixBits), thread%Radix
		inA, inB := rowsA[row][lane], rowsB[row][lane]
		if len(x) > 0 && x[0].thread == thread {
			inA, x = x[0].at, x[1:]
		}
		if len(y) > 0 && y[0].thread == thread {
			inB, y = y[0].at, y[1:]
		}
		laterA.set(row, lane, inA > inB)
		laterB.set(row, lane, inB > inA)
	}
	for row := range rowsA {
		byA, byB = byA+bits.OnesCount32(laterA[row]), byB+bits.OnesCount32(laterB[row])
	}
	return byA, byB
}

// joinAligned joins two dense nodes with arrays for the same units, and the same floor.
func (to *Builder) joinAligned(a, b *Clock) *Clock {
	if a.lanes == b.lanes {
		return to.joinPatches(a, b)
	}
	var laterA, laterB laterLanes
	byA, byB := compareRows(a, b, &laterA, &laterB)
	byA -= to.forget(a, &laterA)
	switch {
	case byB == 0:
		return a
	case byA == 0:
		return b
	}
	top := max(a.top, b.top)
	if a.open && a.patches == nil {
		b.raise(a.rows())
		a.top, a.counted = top, 0
		return a
	}
	of, by, later, n := a, b, &laterB, a.patchCount()+byB
	if m := b.patchCount() + byA; m < n && !b.open {
		of, by, later, n = b, a, &laterA, m
	}
	if n <= maxPatches {
		var room [maxPatches]patch
		return to.patched(a, of, by.timesOf(later, room[:0]), top)
	}
	rows := a.copyRows(nil)
	b.raise(rows)
	return to.withRows(a, rows, top)
}

// forget removes from a set of lanes of a dense node those of which a time that is no earlier is kept, and returns their number.
func (to *Builder) forget(c *Clock, lanes *laterLanes) (n int) {
	if to == nil {
		return 0
	}
	for _, x := range to.kept {
		if !sameBlock(x.Unit, c.base) || c.which>>c.slot(x.Unit)&1 == 0 {
			continue
		}
		i := c.slot(x.Unit)
		row := c.index(i)
		if lanes[row]>>x.Lane&1 != 0 && max(c.rows()[row][x.Lane], c.patches.at(i, x.Lane)) <= x.At {
			lanes[row] &^= 1 << x.Lane
			n++
		}
	}
	return n
}

// timesOf appends the threads in a set of lanes to a list, with their times in c.
func (c *Clock) timesOf(lanes *laterLanes, list []patch) []patch {
	rows, patched := c.rows(), c.patchList()
	for row, m := 0, c.which; m != 0; row, m = row+1, m&(m-1) {
		first := uint16(bits.TrailingZeros32(m)) << RadixBits
		for l := lanes[row]; l != 0; l &= l - 1 {
			x := patch{thread: first | uint16(bits.TrailingZeros32(l))}
			for len(patched) > 0 && patched[0].thread < x.thread {
				patched = patched[1:]
			}
			if x.at = rows[row][x.thread%Radix]; len(patched) > 0 && patched[0].thread == x.thread {
				x.at = patched[0].at
			}
			list = append(list, x)
		}
	}
	return list
}

// joinPatches joins two dense nodes that share their arrays.
func (to *Builder) joinPatches(a, b *Clock) *Clock {
	switch {
	case b.patches == nil || a.patches == b.patches:
		return a
	case a.patches == nil:
		return b
	}
	var room [2 * maxPatches]patch
	list, isA, isB := room[:0], true, true
	for x, y := a.patches.list, b.patches.list; len(x)+len(y) > 0; {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].thread < y[0].thread:
			isB = isB && to.adds(a, x[0])
			list, x = append(list, x[0]), x[1:]
		case len(x) == 0 || y[0].thread < x[0].thread:
			list, y, isA = append(list, y[0]), y[1:], false
		default:
			isA, isB = isA && x[0].at >= y[0].at, isB && (y[0].at >= x[0].at || to.adds(a, x[0]))
			list, x, y = append(list, patch{x[0].thread, max(x[0].at, y[0].at)}), x[1:], y[1:]
		}
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	base, top := a.patches.of, max(a.top, b.top)
	if len(list) <= maxPatches {
		return to.patched(a, base, list, top)
	}
	return to.withRows(a, base.copyRows(list), top)
}

// adds reports whether a time that is no earlier is kept of a thread of a block.
func (to *Builder) adds(c *Clock, x patch) bool {
	if to == nil {
		return false
	}
	u := c.base | Unit(x.slot())
	return slices.ContainsFunc(to.kept, func(y Entry) bool { return y.Unit == u && y.Lane == int(x.thread%Radix) && y.At >= x.at })
}

// raise sets the times in arrays for the same units to those of a dense node that are later.
func (c *Clock) raise(rows [][Radix]Time) {
	raiseRows(rows, c.rows())
	for _, x := range c.patchList() {
		at := &rows[c.index(x.slot())][x.thread%Radix]
		*at = max(*at, x.at)
	}
}

// copyRows returns a copy of the arrays of a dense node, with the times of its patches and those of a list in place of theirs.
func (c *Clock) copyRows(list []patch) [][Radix]Time {
	rows := slices.Clone(c.rows())
	c.putTimes(rows, c.patchList())
	c.putTimes(rows, list)
	return rows
}

// putTimes sets the times of the threads of a list in arrays for the units of a dense node.
func (c *Clock) putTimes(rows [][Radix]Time, list []patch) {
	for _, x := range list {
		rows[c.index(x.slot())][x.thread%Radix] = x.at
	}
}

// addToRow joins a dense node with the time of a thread of a unit that it has an array for.
func (to *Builder) addToRow(c *Clock, i uint32, lane int, t Time) *Clock {
	in := &c.rows()[c.index(i)][lane]
	if *in >= t || c.patches.at(i, lane) >= t {
		return c
	}
	top := max(c.top, t)
	list := [...]patch{{uint16(i<<RadixBits | uint32(lane)), t}}
	switch {
	case c.open && c.patches == nil:
		*in, c.top, c.counted = t, top, 0
		return c
	case c.patchCount() < maxPatches:
		return to.patched(c, c, list[:], top)
	}
	return to.withRows(c, c.copyRows(list[:]), top)
}

// joinRow joins a dense node with the node of a unit of its block.
func (to *Builder) joinRow(c, unit *Clock) *Clock {
	var roomC, roomU [Radix]Time
	i := c.slot(unit.base)
	old, times := c.unitTimes(i, &roomC), unit.timesFrom(c.floor, &roomU)
	_, later := exceed(old, times)
	top := max(c.top, unit.top)
	switch {
	case later == 0:
		return c
	case c.which>>i&1 == 0:
		return to.opens(c.withRow(i, times, top))
	case c.open && c.patches == nil:
		row := &c.rows()[c.index(i)]
		latest(row, row, times)
		c.top, c.counted = top, 0
		return c
	}
	if c.patchCount()+bits.OnesCount32(later) <= maxPatches {
		var room [Radix]patch
		list := room[:0]
		for m := later; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			list = append(list, patch{uint16(i<<RadixBits | uint32(lane)), times[lane]})
		}
		return to.patched(c, c, list, top)
	}
	rows := c.copyRows(nil)
	row := &rows[c.index(i)]
	latest(row, row, times)
	return to.withRows(c, rows, top)
}

// withRow returns a copy of a dense node with the times of one more unit.
func (c *Clock) withRow(i uint32, times *[Radix]Time, top Time) *Clock {
	out := &Clock{base: c.base, level: c.level, floor: c.floor, top: top, which: c.which | 1<<i}
	at, old := out.index(i), c.rows()
	rows := append(append(append(make([][Radix]Time, 0, len(old)+1), old[:at]...), *times), old[at:]...)
	out.putTimes(rows, c.patchList())
	out.lanes = &rows[0]
	return out
}
