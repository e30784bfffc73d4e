// Contexts: the clocks and fences of threads when they accessed words that have cells.

package precise

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// A cell has no pointer to the clock of its thread. Each thread has a list of contexts by time instead, in which the
// stamp of an access finds the right one. The clock and fences of a thread change only between accesses with different
// stamps (warp.since).

// context is the clock and the fences of a thread from some time on.
type context struct {
	since  stamp
	used   bool // by a cell, at the latest dropContexts
	clock  *clock
	fences *fences
}

// contexts holds the contexts of all threads. A thread without one has an empty clock.
type contexts struct {
	of    order.UnitTable[unitContexts] // by warp
	count int                           // in all lists
	limit int                           // value of count at which to drop unused ones
}

// unitContexts holds the contexts of the lanes of a warp.
type unitContexts [radix][]context

// contextsOf returns the contexts of a thread.
func (d *Detector) contextsOf(u unit, lane uint8) []context {
	if x := d.contexts.of.Of(u); x != nil {
		return x[lane]
	}
	return nil
}

// contextOf returns the context of a thread at the time of an access.
func (d *Detector) contextOf(t thread, at stamp) (c context) {
	list := d.contextsOf(t.Unit, t.Lane)
	if i := contextAt(list, at); i >= 0 {
		c = list[i]
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

// forgetContexts says that the contexts of lanes change: they are recorded again before the next access.
func (w *warp) forgetContexts(lanes uint32) { w.noted &^= lanes }

// noteContext records the context of a lane before an access that a cell holds.
func (d *Detector) noteContext(w *warp, lane int) {
	if w.noted>>lane&1 == 0 {
		d.addContext(w, lane)
	}
}

// context returns the context of a lane from now on.
func (d *Detector) context(w *warp, lane int) context {
	return context{since: cmp.Or(w.since, d.now), clock: w.of(lane), fences: w.pendingOf(lane).fences}
}

// addContext adds the context of a lane.
func (d *Detector) addContext(w *warp, lane int) {
	w.noted |= 1 << lane
	now := d.context(w, lane)
	if now.clock == nil && now.fences == nil {
		return
	}
	x := &d.contexts
	u := x.of.Of(w.unit)
	if u == nil {
		u = new(unitContexts)
		x.of.Set(w.unit, u)
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
	x := &d.contexts
	held := d.useContexts()
	x.count = 0
	for u := range x.of.All {
		for lane := range u {
			u[lane] = dropUnused(u[lane])
			x.count += len(u[lane])
		}
	}
	x.limit = max(d.tuning.contexts, 2*x.count, held/4)
}

// dropUnused drops the unused contexts of a list, except for the latest.
func dropUnused(list []context) []context {
	last := len(list) - 1
	kept := list[:0]
	for i := range list {
		if c := list[i]; c.used || i == last {
			c.used = false
			kept = append(kept, c)
		}
	}
	clear(list[len(kept):])
	return kept
}

// useContexts marks the contexts that cells need, and returns the number of cells in use.
func (d *Detector) useContexts() (held int) {
	for _, p := range d.global.pages.All {
		for i := range p {
			if l := &p[i]; l.generation == d.global.generation && l.cells != nil {
				held += l.cells.useContexts(d)
			}
		}
	}
	return held
}

// useContexts marks the contexts that the cells of a line need, and returns the number of those in use.
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
	if c.unit == inOrder {
		d.ordered.at(c.value).useContexts(d)
		return
	}
	list := d.contextsOf(c.unit, c.lane)
	for _, at := range [...]stamp{c.writeAt, c.readAt, c.beforeAt} {
		if k := contextAt(list, at); at != 0 && k >= 0 {
			list[k].used = true
		}
	}
}
