// Contexts: what threads knew, and had fenced, when they accessed words that have cells.

package precise

import "slices"

// Cells do not refer to what their threads knew: each thread has a list of that by time, in which
// the stamps of its accesses find it. What a thread knows and what it has fenced change only
// between accesses with different stamps (warp.since).

// context is what a thread knew, and had fenced, from some time on.
type context struct {
	since  stamp
	used   bool // by a cell, when last looked
	clock  *clock
	fences *fences
}

// contexts are those of all threads. What threads know that is in no list is nothing.
type contexts struct {
	byUnit map[unit]*[radix][]context
	count  int // in all lists
	limit  int // of count, at which to look for those that no cell needs
}

// minContexts is how many contexts are kept without a look at who needs them.
var minContexts = 1 << 16

// of is the context of a thread at the time of an access.
func (x *contexts) of(t thread, at stamp) (c context) {
	if u := x.byUnit[t.unit]; u != nil {
		if i := contextAt(u[t.lane], at); i >= 0 {
			c = u[t.lane][i]
		}
	}
	return c
}

// contextAt is the index of the latest context of a list at a time, -1 for none.
func contextAt(list []context, at stamp) int {
	i, _ := slices.BinarySearchFunc(list, at, func(c context, at stamp) int {
		if c.since <= at {
			return -1
		}
		return 1
	})
	return i - 1
}

// noteContext notes what a lane knows now, before an access that a cell holds.
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
	u := x.byUnit[w.unit]
	if u == nil {
		u = new([radix][]context)
		x.byUnit[w.unit] = u
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

// dropContexts forgets contexts that no cell needs, but for the latest of each thread.
func (d *Detector) dropContexts() {
	x, held := &d.contexts, 0
	for _, p := range d.global.pages {
		for i := range p {
			if l := &p[i]; l.cells != nil && l.generation == d.global.generation {
				held += l.cells.useContexts(d)
			}
		}
	}
	x.count = 0
	for _, u := range x.byUnit {
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
			x.count += len(kept)
		}
	}
	x.limit = max(minContexts, 2*x.count, held/4)
}

// useContexts marks the contexts that cells need, and reports how many cells are in use.
func (l *cells) useContexts(d *Detector) (held int) {
	x := &d.contexts
	for i := range l {
		c := &l[i]
		if c.unit == 0 {
			continue
		}
		held++
		if c.unit == inOrder {
			d.ordered.at(c.value).useContexts(x)
			continue
		}
		if u := x.byUnit[c.unit]; u != nil {
			for _, at := range [...]stamp{c.writeAt, c.readAt} {
				if k := contextAt(u[c.lane], at); at != 0 && k >= 0 {
					u[c.lane][k].used = true
				}
			}
		}
	}
	return held
}
