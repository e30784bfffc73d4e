// The path of an access.

package precise

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// checked reports whether the access of an event can take part in a race.
func checked(ev *abi.Event) bool {
	return ev.Bytes != 0 && ev.Mask != 0 && (ev.Space == abi.SpaceGlobal || ev.Space == abi.SpaceShared ||
		ev.Space == abi.SpaceTensor)
}

// access checks and records the access of an event.
func (d *Detector) access(ev *abi.Event, before causality.Done) {
	if !checked(ev) {
		return
	}
	w := d.UnsplitWarp(ev)
	a := &d.Current
	a.Begin(&d.Threads, w, w.Unit, d.ClassOf(ev))
	a.Ev, a.Before = ev, before
	w.Touched |= ev.Mask
	a.At = d.StampOf(a)
	if a.Tensor {
		d.Operations.TensorAccess(a)
		return
	}
	if a.Proxy == abi.ProxyAny {
		d.Operations.NoteAddress(a)
	}
	s := d.ShadowOf(ev, w)
	d.takeStep(a)
	if ev.Again {
		d.SettleAll(a, s)
		d.again(a, s)
		return
	}
	if a.Strong && ev.Ages != nil {
		d.NoteUnresolved(a)
	}
	if d.TryDefer(a, s) {
		if a.Strong && a.Writes() {
			d.Tick()
		}
		return
	}
	if a.Async != abi.Synchronous {
		d.asynchronous(a, s)
		return
	}
	d.perform(a, s)
	if a.Strong && a.Writes() {
		d.Tick() // ends the release interval, and gives each write at a location a stamp of its own
	}
	if ev.Async == abi.AsyncSignals { // in the papers' model, whose copies happen in place
		d.Operations.ScorCopied(ev, w)
	}
}

// perform checks and records a synchronous access, and applies its effects on synchronisation.
func (d *Detector) perform(a *causality.Access, s *shadow.Memory) {
	if d.tryAtomics(a, s) {
		return
	}
	mask := d.TryCells(a, s)
	if mask == 0 {
		return
	}
	d.synchronise(a, s, mask)
	if ev := a.Ev; ev.Access == abi.AccessRMW && a.Kind == abi.AccessRMW && ev.Valued && ev.Wrote&ev.Mask != ev.Mask {
		d.Mixed(a, s)
	} else {
		d.Lanes(a, s, mask)
	}
}
