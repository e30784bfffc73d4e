// Strong accesses that have their event before it is known which store they return, under weak memory.

package causality

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A load whose value is not needed yet is resolved late: its first event is in program order, before fences and
// releases of its thread, and another one (abi.Event.Again) says what it has returned. Whatever follows the first event
// in program order follows the read: a release behind it passes on that its thread has observed the store, and a fence
// behind it acquires what the store releases.

// unresolvedAccess is a strong access of a thread that is not known to return a store. A thread executes no instruction
// again before it has needed its value.
type unresolvedAccess struct {
	site uint32
	At   stamp // of its first event
	// fenced has the time of the first fence since that acquires, by the reach of the releases that it acquires; 0 for
	// none.
	Fenced [accesses.Reaches]stamp
}

// NoteUnresolved records for each lane of an access if it is not known to return a store.
func (d *Threads) NoteUnresolved(a *Access) {
	for m := a.Ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if !hasUnknown(a.Ev.Ages[lane]) {
			continue
		}
		if d.unresolved == nil {
			d.unresolved = make(map[thread][]unresolvedAccess)
		}
		t := thread{Unit: a.Warp.Unit, Lane: uint8(lane)}
		d.TakeUnresolved(t, a.Ev.Site)
		d.unresolved[t] = append(d.unresolved[t], unresolvedAccess{site: a.Ev.Site, At: a.At})
	}
}

// hasUnknown reports whether the age of an element is not known.
func hasUnknown(ages uint64) bool {
	for ; ages != 0; ages >>= 8 {
		if ages&abi.AgeUnknown == abi.AgeUnknown {
			return true
		}
	}
	return false
}

// TakeUnresolved removes and returns the access of a thread by an instruction.
func (d *Threads) TakeUnresolved(t thread, site uint32) (u unresolvedAccess, ok bool) {
	list := d.unresolved[t]
	i := slices.IndexFunc(list, func(u unresolvedAccess) bool { return u.site == site })
	if i < 0 {
		return u, false
	}
	u = list[i]
	if list = slices.Delete(list, i, i+1); len(list) == 0 {
		delete(d.unresolved, t)
	} else {
		d.unresolved[t] = list
	}
	return u, true
}

// fencesUnresolved records a fence of a thread that acquires with a reach.
func (d *Threads) fencesUnresolved(t thread, r accesses.Reach) {
	list := d.unresolved[t]
	for i := range list {
		for to := range list[i].Fenced[:r+1] {
			if at := &list[i].Fenced[to]; *at == 0 {
				*at = d.Now
			}
		}
	}
}

// AcquireLate makes a lane acquire a clock by a fence that it executed at a time: that fence and later ones release it,
// too.
func (d *Threads) AcquireLate(a *Access, lane int, p *PendingSync, c *clock, at stamp) {
	d.Hear(a.Warp, 1<<lane, a.Ev.Live, c)
	if p.Fences == nil {
		return
	}
	f := *p.Fences
	f.Fenced, f.Sc, f.narrow = f.Fenced.joined(d, c, at), f.Sc.joined(d, c, at), nil
	p.Fences = &f
	a.Warp.forgetContexts(1 << lane)
}

// joined returns a release whose snapshots since a time include a clock.
func (f *release) joined(d *Threads, c *clock, since stamp) *release {
	out := *f
	for r := range out {
		if out[r].At >= since {
			out[r].Clock = d.Merges.Merge(out[r].Clock, c)
		}
	}
	return &out
}
