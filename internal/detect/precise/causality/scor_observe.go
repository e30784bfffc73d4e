// Synchronisation by atomics and fences in the papers' model.

package causality

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
)

// Observation in the papers' model: a thread that observes an atomic operation is ordered after what precedes the fence
// before that operation, as far as the fence reaches and whatever the scopes of the atomics. It passes this order on
// with each of its own atomics.

// scorObserve makes a thread acquire the releases at a location that it reads. It reports whether there is an atomic
// operation to observe.
func (d *Threads) scorObserve(a *Access, loc *Location, me thread) bool {
	if loc.Writer == (thread{}) || loc.Releases.onlyOf(me) {
		return loc.Writer != (thread{})
	}
	w, lane := a.Warp, int(me.Lane)
	seen := loc.Releases.AcquiredBy(d, w, lane)
	d.scorLearn(w, 1<<lane, a.Ev.Live, seen.Within(accesses.ReachAll))
	if passes := loc.Releases.reaching(d, w); passes != (Acquired{}) {
		w.PendingFor(lane).passFurther(&d.Merges, &passes)
	}
	return true
}

// scorLearn merges clock c into those of lanes, without the part that barriers alone order.
func (d *Threads) scorLearn(w *Warp, mask, live uint32, c *clock) {
	if c != nil && c.Fenced != nil {
		c = &clock{Known: c.Tree()}
	}
	w.Learn(&d.Merges, mask, live, c)
}

// passFurther adds clocks that later strong writes of a lane release.
func (p *PendingSync) passFurther(m *merges, passes *Acquired) {
	var all Acquired
	if p.Passes != nil {
		all = *p.Passes
	}
	if all.Merge(m, passes); p.Passes == nil || all != *p.Passes {
		p.Passes = &all
	}
}

// reaching returns the releases that include a warp in their scope, by the least such reach.
func (h *Releases) reaching(d *Threads, w *Warp) Acquired {
	var o Acquired
	if h.older != nil {
		o = h.older.acquiredFrom(&d.Merges, w)
		for i := range h.older.recent[:h.older.recents] {
			h.older.recent[i].reaching(d, w, &o)
		}
	}
	if h.latest.by != nil {
		h.latest.reaching(d, w, &o)
	}
	return o
}

// reaching adds the releases of one source.
func (s *source) reaching(d *Threads, w *Warp, o *Acquired) {
	for r := w.At.Least(&d.Places[s.Unit>>radixBits].Place); r < accesses.Reaches; r++ {
		if f := s.by[r]; f.At != 0 {
			o[r] = d.Merges.Merge(o[r], d.Merges.Of(f, s.thread))
		}
	}
}

// scorPassOn releases, with a strong write of a lane, what the lane has observed: observation is transitive in the
// papers' model.
func (d *Threads) scorPassOn(a *Access, loc *Location, lane int) {
	passes := a.Warp.PendingOf(lane).Passes
	if passes == nil {
		return
	}
	by := new(release)
	for r, c := range passes {
		if x := &by[min(accesses.Reach(r), a.Reach)]; c != nil {
			*x = snapshot{Clock: d.Merges.Merge(x.Clock, c), At: d.Now}
		}
	}
	loc.Releases.add(d, source{thread{Unit: a.Warp.Unit, Lane: noLane}, by})
}

// MetBy joins n into the clock that a barrier passes on. In the papers' model, clocks keep what barriers alone order
// separate.
func (d *Threads) MetBy(c *clock, n *vclock.Clock) *clock {
	if !d.Model.BarriersApart {
		return c.With(n)
	}
	return order.Merge(c, &clock{Known: n, Fenced: n})
}
