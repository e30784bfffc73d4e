// Fast path of loops of one lane: what the accesses of an instruction have in common is checked once.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A lane that copies words under a lock makes two accesses for each, one of them weak and one strong. A walk takes strong accesses
// only. Here the accesses are entered one after the other, as if each came alone.

// loopColumn is one access of a loop, in all rounds.
type loopColumn struct {
	index  uint32 // of the class
	strong bool
	valued bool // its values are known
	flags  uint8
	shadow *shadow
	window uint64 // of the latest access, in a settled region
	known  bool   // window is set
	// The latest line and its number, nil if there is none.
	number uint64
	line   *line
}

// tryLoop checks and records the rounds of a loop by one lane that a list of accesses of a warp begins with, and returns the number
// of accesses, 0 for none. The list has minWalkRounds accesses or more.
func (d *Detector) tryLoop(b *abi.Batch, w *warp, list []abi.Access) (n int) {
	mask := list[0].Mask
	if mask == 0 || mask&(mask-1) != 0 || !d.findLoop(w, list) {
		return 0
	}
	lane, width := bits.TrailingZeros32(mask), len(d.loop)
	for c := 0; n < len(list) && !d.overflowed && d.used <= d.opts.Memory; n++ {
		x, col := &list[n], &d.loop[c]
		if x.Mask != mask || x.AccessClass != list[c].AccessClass || col.valued != (x.New != nil) || !d.isSettled(col, x.At(lane)) {
			break
		}
		if !d.tryStep(w, col, x, lane) {
			d.batched(b, x, done{})
			d.forgetLines()
		}
		if c++; c == width {
			c = 0
		}
	}
	return n
}

// findLoop sets d.loop to the columns of the loop that a list begins with, and reports whether there is one.
func (d *Detector) findLoop(w *warp, list []abi.Access) bool {
	width := 1
	for list[width].AccessClass != list[0].AccessClass {
		if width++; width > min(len(list)/minWalkRounds, maxWalkColumns) {
			return false
		}
	}
	d.loop = d.loop[:0]
	for i := range list[:width] {
		col, ok := d.columnOf(w, &list[i])
		if !ok {
			d.loop = d.loop[:0]
			return false
		}
		d.loop = append(d.loop, col)
	}
	return true
}

// columnOf returns the column of an access, and reports whether the fast path may suffice for it.
func (d *Detector) columnOf(w *warp, x *abi.Access) (c loopColumn, ok bool) {
	if x.Access == abi.AccessRMW || int(x.Site) >= len(d.bySite) {
		return c, false
	}
	known := &d.bySite[x.Site][x.Access]
	class := &d.classes[known.index]
	c = loopColumn{index: known.index, strong: class.strong, valued: x.New != nil, flags: d.wordFlags(class, x.New != nil), shadow: d.global}
	if class.shared {
		c.shadow = w.shared
	}
	switch {
	case known.known != x.AccessClass || !d.lockSets.none() || c.shadow == nil:
		return c, false
	case c.strong:
		return c, d.walkClass(x) != 0
	}
	return c, d.neverMbarrier(class) && class.size <= wordBytes
}

// isSettled reports whether an address is in a settled region.
func (d *Detector) isSettled(c *loopColumn, addr uint64) bool {
	if n := addr >> windowBits; !c.known || c.window != n {
		c.window, c.known = n, d.regionOf(c.shadow, n).mode == settled
	}
	return c.known
}

// tryStep checks and records one access of a loop, and reports whether the fast path sufficed.
func (d *Detector) tryStep(w *warp, c *loopColumn, x *abi.Access, lane int) bool {
	a, addr := d.batchAccess(w, c.index), x.At(lane)
	if addr%wordBytes+uint64(a.size) > wordBytes {
		return false
	}
	if n := addr / lineBytes; c.line == nil || c.number != n {
		c.line, c.number = d.line(c.shadow, addr), n
	}
	if !c.strong {
		if !d.tryWordOf(a, c.shadow, c.line, addr, x.Mask) {
			return false
		}
		d.countAccess(w, x.Mask)
		return true
	}
	word := wordAccess{lane: lane, addr: addr, flags: c.flags}
	if x.New != nil {
		word.value = x.New[lane]
	}
	if a.writes() {
		a.at = d.now
	}
	d.events++
	entered := d.tryCellOf(a, c.shadow, c.line, &word)
	if d.events--; entered {
		d.countStrong(w, x.Mask, a)
	}
	return entered
}

// forgetLines drops the latest lines and windows of the columns of a loop.
func (d *Detector) forgetLines() {
	for i := range d.loop {
		d.loop[i].line, d.loop[i].known = nil, false
	}
}
