// Signals between operations that run side by side: one waits in a loop until another has written a value. Between
// kernels of one process that a detector judges thread by thread (Judge), its verdict counts; these rules are for all
// others: copies, kernels of streams, and kernels of two processes.

package order

// Releases says that accesses at a place are strong writes after which other threads may use what the operation has
// written before.
func (t *Tracker) Releases(p Place) { t.marks.release[p] = true }

// Awaits says that accesses at a place are strong reads that a loop repeats until the value is as wanted.
func (t *Tracker) Awaits(p Place) { t.marks.await[p] = true }

// Hearing has a function called when an operation reads, in a loop that waits for it, a value that another one has
// written by a strong access.
func (t *Tracker) Hearing(heard func(reader, writer *Operation)) { t.heard = heard }

// SideBySide says that operations may execute at the same time from now on: what one does after a signal is told apart
// from what it has done before. grids are those that have begun and not ended.
func (t *Tracker) SideBySide(grids []*Grid) {
	if t.divides {
		return
	}
	t.divides = true
	for _, g := range grids {
		g.now().divide()
	}
}

// Silent returns the access by which the first operation of a conflict let the second go on, though it releases
// nothing.
func (t *Tracker) Silent(c *Conflict) (access Touch, ok bool) {
	first, second := c.First.Operation.entire(), c.Second.Operation.entire()
	place, ok := t.silent[[2]*Operation{first, second}]
	return Touch{first, place, true}, ok
}

// Narrow reports whether the operations of a conflict are on different devices, and one of them has waited for what the
// other has written by an access that releases, but whose scope does not reach the other device. The access is that
// write.
func (t *Tracker) Narrow(c *Conflict) (access Touch, ok bool) {
	first, second := c.First.Operation.entire(), c.Second.Operation.entire()
	place, ok := t.narrow[[2]*Operation{first, second}]
	return Touch{first, place, true}, ok
}

// noteNarrow records that an operation reads what a strong access of another device has written, where the scope of one
// does not reach the other.
func (t *Tracker) noteNarrow(o *Operation, at Place, from *toucher) {
	if t.marks.await[at] && from.isSignal() {
		t.narrow[[2]*Operation{from.op.entire(), o.entire()}] = from.place
	}
}

// hears orders what an operation does from now on behind what another one has done so far, if it has waited for a value
// that the other has written as a signal.
func (t *Tracker) hears(o *Operation, at Place, from *toucher) {
	if !t.marks.await[at] {
		return
	}
	if t.heard != nil {
		t.heard(o, from.op)
	}
	if !from.isSignal() {
		t.silent[[2]*Operation{from.op.entire(), o.entire()}] = from.place
		return
	}
	heard := from.op
	o.in.others, o.before = t.after(o.in.others, heard), t.after(o.before, heard)
	if heard.then == nil {
		heard.divide()
	}
}

// mostDivisions is the number of signals of an operation that are told apart. What it does after the last of them
// counts as done before that one.
const mostDivisions = 4096

// divide gives what an operation does from now on a number of its own, so that only what it has done so far happens
// before what hears of it.
func (o *Operation) divide() {
	if o.divisions == mostDivisions {
		return
	}
	o.in.number++
	rest := *o
	rest.number, rest.divisions, rest.whole, o.then = o.in.number, o.divisions+1, o.entire(), &rest
}

// entire returns the operation as it was before it was divided.
func (o *Operation) entire() *Operation {
	if o.whole != nil {
		return o.whole
	}
	return o
}

// now returns the operation for what it does from now on.
func (o *Operation) now() *Operation {
	for o.then != nil {
		o = o.then
	}
	return o
}
