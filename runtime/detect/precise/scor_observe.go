// Synchronisation by atomics and fences in the papers' model.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"
)

// Observation in the papers' model: a thread that observes an atomic that a fence stands
// before is ordered after what stands before the fence as far as the fence reaches,
// whatever the scopes of the atomics, and passes it on with each atomic of its own.

// scorObserve makes a thread know what has been released at a location that it reads. It reports
// whether there is an atomic to observe.
func (d *Detector) scorObserve(a *access, loc *location, me thread) bool {
	if loc.writer == (thread{}) || loc.releases.onlyOf(me) {
		return loc.writer != (thread{})
	}
	w, lane := a.warp, int(me.lane)
	seen := loc.releases.acquiredBy(d, w, lane)
	d.scorLearn(w, 1<<lane, a.ev.Live, seen.within(reachAll))
	if passes := loc.releases.reaching(d, w); passes != (acquired{}) {
		w.pendingFor(lane).passFurther(&d.merges, &passes)
	}
	return true
}

// scorLearn makes lanes know a clock, but for what it knows by barriers alone.
func (d *Detector) scorLearn(w *warp, mask, live uint32, c *clock) {
	if c != nil && c.fenced != nil {
		c = &clock{known: c.tree()}
	}
	w.learn(&d.merges, mask, live, c)
}

// passFurther adds clocks that later strong writes of a lane release.
func (p *pending) passFurther(m *merges, passes *acquired) {
	var all acquired
	if p.passes != nil {
		all = *p.passes
	}
	if all.merge(m, passes); p.passes == nil || all != *p.passes {
		p.passes = &all
	}
}

// reaching is what has been released that reaches a warp, by how far it reaches at least.
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

// reaching adds what one source has released.
func (s *source) reaching(d *Detector, w *warp, o *acquired) {
	for r := w.at.least(d.places[s.unit>>radixBits]); r < reaches; r++ {
		if f := s.by[r]; f.at != 0 {
			o[r] = d.merges.merge(o[r], d.merges.of(f, s.thread))
		}
	}
}

// scorPassOn releases, with a strong write of a lane, what the lane has observed: observation
// is transitive in the papers' model.
func (d *Detector) scorPassOn(a *access, loc *location, lane int) {
	passes := a.warp.pendingOf(lane).passes
	if passes == nil {
		return
	}
	by := new(release)
	for r, c := range passes {
		if x := &by[min(reach(r), a.reach)]; c != nil {
			*x = snapshot{d.merges.merge(x.clock, c), d.now}
		}
	}
	loc.releases.add(d, source{thread{a.warp.unit, nobody}, by})
}

// scorCopied records the clocks of lanes that have started copies, which are complete there.
func (d *Detector) scorCopied(ev *abi.Event, w *warp) {
	if w.async == nil {
		w.async = &asyncState{signals: make(map[uint64]asyncUnits)}
	}
	if w.async.ends == nil {
		w.async.ends = make(map[asyncOp]*clock)
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		w.async.ends[asyncOp{ev.Op, lane}] = d.metBy(w.of(lane), vclock.Threads(w.unit, 1<<lane, d.now))
	}
	w.since = 0
	d.tick()
}

// metBy adds accesses to a clock that a barrier passes on: in the papers' model clocks keep
// apart what barriers alone order.
func (d *Detector) metBy(c *clock, n *vclock.Clock) *clock {
	if !d.model.barriersApart {
		return c.with(n)
	}
	return merge(c, &clock{known: n, fenced: n})
}
