// Joins of dense blocks.

package vclock

import (
	"math/bits"
	"slices"
)

// patched returns a node in place of node a of the same range, units and floor: it shares the arrays of node of, with
// the threads of that node's patches and, at later times, those of the list, which is in order. It changes a if that is
// open.
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

// withRows returns a node in place of node a of the same range, units and floor, with other arrays. It changes a if
// that is open.
func (to *Builder) withRows(a *Clock, rows [][Radix]Time, top Time) *Clock {
	return to.denseAs(nil, a, &rows[0], nil, top)
}

// denseAs returns a node in place of node a of the same range, units and floor: a itself if it is open, else the node
// made, or a new one if that is nil.
func (to *Builder) denseAs(made, a *Clock, lanes *[Radix]Time, with *patches, top Time) *Clock {
	if a.open {
		made = a
	} else {
		if made == nil {
			made = new(Clock)
		}
		made.base, made.level, made.floor, made.which = a.base, a.level, a.floor, a.which
		to.opens(made)
	}
	made.top, made.counted, made.lanes, made.patches = top, 0, lanes, with
	return made
}

// laterLanes holds, for each array of a dense node, the set of lanes that have a later time in that node than in
// another one.
type laterLanes [Radix]uint32

// set says whether a thread of an array has a later time.
func (l *laterLanes) set(row int, lane uint16, is bool) {
	l[row] &^= 1 << lane
	if is {
		l[row] |= 1 << lane
	}
}

// compareRows returns the threads that have a later time in dense node a, and in b, and their number. Both nodes have
// arrays for the same units.
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
	switch byA -= to.forget(a, &laterA); {
	case byA == 0 && (byB > 0 || to.keeps()):
		return b
	case byB == 0:
		return a
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

// forget removes from a set of lanes of a dense node those of which a time that is no earlier is kept, and returns
// their number.
func (to *Builder) forget(c *Clock, lanes *laterLanes) (n int) {
	if !to.keeps() {
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
	if a.patches == b.patches {
		return a
	}
	var room [2 * maxPatches]patch
	list, isA, isB := room[:0], true, true
	for x, y := a.patchList(), b.patchList(); len(x)+len(y) > 0; {
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
	case isA && (!isB || !to.keeps()):
		return a
	case isB:
		return b
	}
	base, top := a.patches.of, max(a.top, b.top) // both have patches
	if len(list) <= maxPatches {
		return to.patched(a, base, list, top)
	}
	return to.withRows(a, base.copyRows(list), top)
}

// adds reports whether a time that is no earlier is kept of a thread of a block.
func (to *Builder) adds(c *Clock, x patch) bool {
	if !to.keeps() {
		return false
	}
	u := c.base | Unit(x.slot())
	return slices.ContainsFunc(to.kept, func(y Entry) bool {
		return y.Unit == u && y.Lane == int(x.thread%Radix) &&
			y.At >= x.at
	})
}

// raise sets the times in arrays for the same units to those of a dense node that are later.
func (c *Clock) raise(rows [][Radix]Time) {
	raiseRows(rows, c.rows())
	for _, x := range c.patchList() {
		at := &rows[c.index(x.slot())][x.thread%Radix]
		*at = max(*at, x.at)
	}
}

// copyRows returns a copy of the arrays of a dense node, with the times of its patches and those of a list in place of
// theirs.
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
