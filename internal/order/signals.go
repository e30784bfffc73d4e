// Signals between operations that run side by side: one waits in a loop until another has written a value.

package order

// Releases says that accesses at a place are strong writes after which other threads may use what the operation has
// written before.
func (t *Tracker) Releases(p Place) { t.signals.release[p] = true }

// Awaits says that accesses at a place are strong reads that a loop repeats until the value is as wanted.
func (t *Tracker) Awaits(p Place) { t.signals.await[p] = true }

// SideBySide says that operations may execute at the same time from now on: what one does after a signal is told apart
// from what it has done before. grids are those that have begun and not ended.
func (t *Tracker) SideBySide(grids []*Grid) {
	if t.signals.divides {
		return
	}
	t.signals.divides = true
	for _, g := range grids {
		g.now().divide()
	}
}

// signals holds the places of signals between operations.
type signals struct {
	release, await map[Place]bool
	divides        bool // operations are divided at their signals
}

// hears orders what an operation does from now on behind what another one has done so far, if it has waited for a value
// that the other has written as a signal.
func (t *Tracker) hears(o *Operation, at Place, from *toucher) {
	if !t.signals.await[at] || !t.signals.release[from.place] {
		return
	}
	heard := from.op
	o.in.others, o.before = t.after(o.in.others, heard), t.after(o.before, heard)
	if heard.then == nil {
		heard.divide()
	}
}

// mostDivisions is the number of signals of an operation that are told apart. What it does after the last of them counts
// as done before that one.
const mostDivisions = 4096

// divide gives what an operation does from now on a number of its own, so that only what it has done so far happens
// before what hears of it.
func (o *Operation) divide() {
	if o.divisions == mostDivisions {
		return
	}
	o.in.number++
	rest := *o
	rest.number, rest.divisions, o.then = o.in.number, o.divisions+1, &rest
}

// now returns the operation for what it does from now on.
func (o *Operation) now() *Operation {
	for o.then != nil {
		o = o.then
	}
	return o
}
