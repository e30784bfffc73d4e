// Strong accesses that have their event before it is known which store they return, under weak memory.

package precise

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
	at   stamp // of its first event
	// fenced has the time of the first fence since that acquires, by the reach of the releases that it acquires; 0 for
	// none.
	fenced [accesses.Reaches]stamp
}

// noteUnresolved records for each lane of an access if it is not known to return a store.
func (d *Detector) noteUnresolved(a *access) {
	for m := a.ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if !hasUnknown(a.ev.Ages[lane]) {
			continue
		}
		if d.unresolved == nil {
			d.unresolved = make(map[thread][]unresolvedAccess)
		}
		t := thread{Unit: a.warp.unit, Lane: uint8(lane)}
		d.takeUnresolved(t, a.ev.Site)
		d.unresolved[t] = append(d.unresolved[t], unresolvedAccess{site: a.ev.Site, at: a.at})
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

// takeUnresolved removes and returns the access of a thread by an instruction.
func (d *Detector) takeUnresolved(t thread, site uint32) (u unresolvedAccess, ok bool) {
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
func (d *Detector) fencesUnresolved(t thread, r accesses.Reach) {
	list := d.unresolved[t]
	for i := range list {
		for to := range list[i].fenced[:r+1] {
			if at := &list[i].fenced[to]; *at == 0 {
				*at = d.now
			}
		}
	}
}

// again records what an access has returned that had its event before that was known.
func (d *Detector) again(a *access, s *shadow) {
	for m := a.ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		u, known := d.takeUnresolved(thread{Unit: a.warp.unit, Lane: uint8(lane)}, a.ev.Site)
		if known {
			a.at, a.late = u.at, true
		}
		before := a.warp.pendingFor(lane).seen
		a.warp.pendingFor(lane).seen = acquired{}
		d.synchronise(a, s, 1<<lane)
		p := a.warp.pendingFor(lane)
		for r, c := range p.seen {
			if at := u.fenced[r]; c != nil && at != 0 {
				d.acquireLate(a, lane, p, c, at)
				p.seen[r] = nil
			}
		}
		p.seen.merge(&d.merges, &before)
	}
}

// acquireLate makes a lane acquire a clock by a fence that it executed at a time: that fence and later ones release it,
// too.
func (d *Detector) acquireLate(a *access, lane int, p *pendingSync, c *clock, at stamp) {
	a.warp.learn(&d.merges, 1<<lane, a.ev.Live, c)
	if p.fences == nil {
		return
	}
	f := *p.fences
	f.fenced, f.sc, f.narrow = f.fenced.joined(d, c, at), f.sc.joined(d, c, at), nil
	p.fences = &f
	a.warp.forgetContexts(1 << lane)
}

// joined returns a release whose snapshots since a time include a clock.
func (f *release) joined(d *Detector, c *clock, since stamp) *release {
	out := *f
	for r := range out {
		if out[r].At >= since {
			out[r].Clock = d.merges.Merge(out[r].Clock, c)
		}
	}
	return &out
}
