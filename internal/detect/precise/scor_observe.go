// Synchronisation by atomics and fences in the papers' model.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Observation in the papers' model: a thread that observes an atomic operation is ordered after what precedes the fence
// before that operation, as far as the fence reaches and whatever the scopes of the atomics. It passes this order on
// with each of its own atomics.

// scorObserve makes a thread acquire the releases at a location that it reads. It reports whether there is an atomic
// operation to observe.
func (d *Detector) scorObserve(a *access, loc *location, me thread) bool {
	if loc.writer == (thread{}) || loc.releases.onlyOf(me) {
		return loc.writer != (thread{})
	}
	w, lane := a.warp, int(me.Lane)
	seen := loc.releases.acquiredBy(d, w, lane)
	d.scorLearn(w, 1<<lane, a.ev.Live, seen.within(accesses.ReachAll))
	if passes := loc.releases.reaching(d, w); passes != (acquired{}) {
		w.pendingFor(lane).passFurther(&d.merges, &passes)
	}
	return true
}

// scorLearn merges clock c into those of lanes, without the part that barriers alone order.
func (d *Detector) scorLearn(w *warp, mask, live uint32, c *clock) {
	if c != nil && c.Fenced != nil {
		c = &clock{Known: c.Tree()}
	}
	w.learn(&d.merges, mask, live, c)
}

// passFurther adds clocks that later strong writes of a lane release.
func (p *pendingSync) passFurther(m *merges, passes *acquired) {
	var all acquired
	if p.passes != nil {
		all = *p.passes
	}
	if all.merge(m, passes); p.passes == nil || all != *p.passes {
		p.passes = &all
	}
}

// reaching returns the releases that include a warp in their scope, by the least such reach.
func (h *releases) reaching(d *Detector, w *warp) acquired {
	var o acquired
	if h.older != nil {
		o = h.older.acquiredFrom(&d.merges, w)
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
func (s *source) reaching(d *Detector, w *warp, o *acquired) {
	for r := w.at.Least(&d.places[s.Unit>>radixBits].Place); r < accesses.Reaches; r++ {
		if f := s.by[r]; f.At != 0 {
			o[r] = d.merges.Merge(o[r], d.merges.Of(f, s.thread))
		}
	}
}

// scorPassOn releases, with a strong write of a lane, what the lane has observed: observation is transitive in the
// papers' model.
func (d *Detector) scorPassOn(a *access, loc *location, lane int) {
	passes := a.warp.pendingOf(lane).passes
	if passes == nil {
		return
	}
	by := new(release)
	for r, c := range passes {
		if x := &by[min(accesses.Reach(r), a.Reach)]; c != nil {
			*x = snapshot{Clock: d.merges.Merge(x.Clock, c), At: d.now}
		}
	}
	loc.releases.add(d, source{thread{Unit: a.warp.unit, Lane: noLane}, by})
}

// scorCopied records the clocks of lanes that have started copies, which complete at once.
func (d *Detector) scorCopied(ev *abi.Event, w *warp) {
	async := d.asyncFor(w)
	if async.ends == nil {
		async.ends = make(map[asyncOp]*clock)
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		async.ends[asyncOp{ev.Op, lane}] = d.metBy(w.of(lane), vclock.Threads(w.unit, 1<<lane, d.now))
	}
	w.since = 0
	d.tick()
}

// metBy joins n into the clock that a barrier passes on. In the papers' model, clocks keep what barriers alone order
// separate.
func (d *threads) metBy(c *clock, n *vclock.Clock) *clock {
	if !d.model.barriersApart {
		return c.With(n)
	}
	return order.Merge(c, &clock{Known: n, Fenced: n})
}
