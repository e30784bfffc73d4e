// Contexts: the clocks and fences of threads when they accessed words that have cells.

package precise

import "slices"

// A cell has no pointer to the clock of its thread. Each thread has a list of contexts by time instead, in which the stamp of an
// access finds the right one. The clock and fences of a thread change only between accesses with different stamps (warp.since).

// context is the clock and the fences of a thread from some time on.
type context struct {
	since  stamp
	used   bool // by a cell, at the latest dropContexts
	clock  *clock
	fences *fences
}

// contexts holds the contexts of all threads. A thread without one has an empty clock.
type contexts struct {
	byBlock []*[radix]*unitContexts // by number of the block, then by warp
	count   int                     // in all lists
	limit   int                     // value of count at which to drop unused ones
}

// unitContexts holds the contexts of the lanes of a warp.
type unitContexts [radix][]context

// ofUnit returns the contexts of a warp, nil when there are none.
func (x *contexts) ofUnit(u unit) *unitContexts {
	if b := u >> radixBits; int(b) < len(x.byBlock) && x.byBlock[b] != nil {
		return x.byBlock[b][u%radix]
	}
	return nil
}

// makeUnit makes the empty lists of contexts of a warp.
func (x *contexts) makeUnit(u unit) *unitContexts {
	b := int(u >> radixBits)
	if b >= len(x.byBlock) {
		x.byBlock = append(x.byBlock, make([]*[radix]*unitContexts, b+1-len(x.byBlock))...)
	}
	if x.byBlock[b] == nil {
		x.byBlock[b] = new([radix]*unitContexts)
	}
	made := new(unitContexts)
	x.byBlock[b][u%radix] = made
	return made
}

// minContexts is the number of contexts up to which none are dropped.
var minContexts = 1 << 16

// of returns the context of a thread at the time of an access.
func (x *contexts) of(t thread, at stamp) (c context) {
	if u := x.ofUnit(t.unit); u != nil {
		if i := contextAt(u[t.lane], at); i >= 0 {
			c = u[t.lane][i]
		}
	}
	return c
}

// contextAt returns the index of the latest context of a list at a time, -1 for none.
func contextAt(list []context, at stamp) int {
	for i := len(list) - 1; i >= max(0, len(list)-4); i-- { // usually it is one of the latest
		if list[i].since <= at {
			return i
		}
	}
	i, _ := slices.BinarySearchFunc(list, at, func(c context, at stamp) int {
		if c.since <= at {
			return -1
		}
		return 1
	})
	return i - 1
}

// noteContext records the context of a lane before an access that a cell holds.
func (d *Detector) noteContext(w *warp, lane int) {
	w.noted |= 1 << lane
	now := context{since: w.since, clock: w.of(lane), fences: w.pendingOf(lane).fences}
	if now.clock == nil && now.fences == nil {
		return
	}
	if now.since == 0 {
		now.since = d.now
	}
	x := &d.contexts
	u := x.ofUnit(w.unit)
	if u == nil {
		u = x.makeUnit(w.unit)
	}
	list := u[lane]
	if n := len(list); n > 0 && list[n-1].clock == now.clock && list[n-1].fences == now.fences {
		return
	}
	u[lane] = append(list, now)
	if x.count++; x.count > x.limit {
		d.dropContexts()
	}
}

// dropContexts drops contexts that no cell needs, except for the latest of each thread.
func (d *Detector) dropContexts() {
	x, held := &d.contexts, 0
	for _, p := range d.global.pages.All {
		for i := range p {
			switch l := &p[i]; {
			case l.generation != d.global.generation:
			case l.cells != nil:
				held += l.cells.useContexts(d)
			case l.bands != nil:
				held += l.bands.useContexts(d)
			}
		}
	}
	x.count = 0
	for _, b := range x.byBlock {
		if b == nil {
			continue
		}
		for _, u := range b {
			if u != nil {
				x.count += u.dropUnused()
			}
		}
	}
	x.limit = max(minContexts, 2*x.count, held/4)
}

// dropUnused drops the unused contexts of a warp, except for the latest of each lane, and returns the number of those left.
func (u *unitContexts) dropUnused() (left int) {
	for lane, list := range u {
		last := len(list) - 1
		kept := list[:0]
		for i := range list {
			if c := list[i]; c.used || i == last {
				c.used = false
				kept = append(kept, c)
			}
		}
		clear(list[len(kept):])
		u[lane] = kept
		left += len(kept)
	}
	return left
}

// useContexts marks the contexts that cells need, and returns the number of cells in use.
func (l *cells) useContexts(d *Detector) (held int) {
	for i := range l {
		if c := &l[i]; c.unit != 0 {
			c.useContexts(d)
			held++
		}
	}
	return held
}

// useContexts marks the contexts that a cell in use needs.
func (c *cell) useContexts(d *Detector) {
	x := &d.contexts
	if c.unit == inOrder {
		d.ordered.at(c.value).useContexts(x)
		return
	}
	if u := x.ofUnit(c.unit); u != nil {
		for _, at := range [...]stamp{c.writeAt, c.readAt} {
			if k := contextAt(u[c.lane], at); at != 0 && k >= 0 {
				u[c.lane][k].used = true
			}
		}
	}
}
