// Contexts: the clocks and fences of threads when they accessed words that have cells.

package shadow

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// A cell has no pointer to the clock of its thread. Each thread has a list of contexts by time instead, in which the
// stamp of an access finds the right one. The clock and fences of a thread change only between accesses with different
// stamps (Warp.Since).

// context is the clock and the fences of a thread from some time on.
type context struct {
	since  stamp
	used   bool // by a cell, at the latest dropContexts
	Clock  *clock
	Fences *causality.Fences
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
func (d *Record) contextsOf(u unit, lane uint8) []context {
	if x := d.contexts.of.Of(u); x != nil {
		return x[lane]
	}
	return nil
}

// ContextOf returns the context of a thread at the time of an access.
func (d *Record) ContextOf(t thread, at stamp) (c context) {
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

// NoteContext records the context of a lane before an access that a cell holds.
func (d *Record) NoteContext(w *causality.Warp, lane int) {
	if w.Noted>>lane&1 == 0 {
		d.addContext(w, lane)
	}
}

// context returns the context of a lane from now on.
func (d *Record) context(w *causality.Warp, lane int) context {
	return context{since: cmp.Or(w.Since, d.Now), Clock: w.Of(lane), Fences: w.PendingOf(lane).Fences}
}

// addContext adds the context of a lane.
func (d *Record) addContext(w *causality.Warp, lane int) {
	w.Noted |= 1 << lane
	now := d.context(w, lane)
	if now.Clock == nil && now.Fences == nil {
		return
	}
	x := &d.contexts
	u := x.of.Of(w.Unit)
	if u == nil {
		u = new(unitContexts)
		x.of.Set(w.Unit, u)
	}
	list := u[lane]
	if n := len(list); n > 0 && list[n-1].Clock == now.Clock && list[n-1].Fences == now.Fences {
		return
	}
	u[lane] = append(list, now)
	if x.count++; x.count > x.limit {
		d.dropContexts()
	}
}

// dropContexts drops contexts that no cell needs, except for the latest of each thread.
func (d *Record) dropContexts() {
	x := &d.contexts
	held := d.useContexts()
	x.count = 0
	for u := range x.of.All {
		for lane := range u {
			u[lane] = dropUnused(u[lane])
			x.count += len(u[lane])
		}
	}
	x.limit = max(d.Tuning.Contexts, 2*x.count, held/4)
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
func (d *Record) useContexts() (held int) {
	for _, p := range d.Global.Pages.All {
		for i := range p {
			if l := &p[i]; l.Generation == d.Global.Generation && l.cells != nil {
				held += l.cells.useContexts(d)
			}
		}
	}
	return held
}

// useContexts marks the contexts that the cells of a line need, and returns the number of those in use.
func (l *Cells) useContexts(d *Record) (held int) {
	for i := range l {
		if c := &l[i]; c.Unit != 0 {
			c.useContexts(d)
			held++
		}
	}
	return held
}

// useContexts marks the contexts that a cell in use needs.
func (c *Cell) useContexts(d *Record) {
	if c.Unit == inOrder {
		d.Ordered.at(c.value).useContexts(d)
		return
	}
	list := d.contextsOf(c.Unit, c.Lane)
	for _, at := range [...]stamp{c.writeAt, c.readAt, c.beforeAt} {
		if k := contextAt(list, at); at != 0 && k >= 0 {
			list[k].used = true
		}
	}
}
