// What lanes of a warp know of themselves alone, in common.

package causality

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
)

// part is what each of some lanes of a warp knows besides its clock: what the same lane of a unit has done up to a time.
// Lanes that have executed a proxy fence or waited for their copies differ in that alone, and most synchronise next with
// each other: then all have the parts of all, and none needs a clock of its own.
type part struct {
	unit  unit
	lanes uint32
	at    stamp
	// fenced says that it is ordered before accesses through the asynchronous proxy, if it is ordered before others.
	fenced bool
}

// maxParts is the number of parts of a warp from which on lanes have clocks of their own.
const maxParts = 8

// LearnEach has each of some lanes learn what the same lane of a unit has done up to a time.
func (w *Warp) LearnEach(u unit, lanes uint32, at stamp) {
	w.addPart(part{unit: u, lanes: lanes, at: at})
}

// addPart adds a part in place of those that it includes.
func (w *Warp) addPart(p part) {
	if len(w.parts) >= maxParts {
		w.Split()
	}
	w.parts = append(slices.DeleteFunc(w.parts, func(q part) bool {
		return q.unit == p.unit && q.fenced == p.fenced && q.lanes&^p.lanes == 0 && q.at <= p.at
	}), p)
	w.Touched, w.Since = w.Touched|p.lanes, 0
	w.forgetContexts(p.lanes)
}

// fence orders what lanes know and have done up to a time before accesses through the asynchronous proxy.
func (w *Warp) fence(m *merges, mask, live uint32, at stamp) {
	for rest := mask; rest != 0; {
		lanes := w.LikeFirst(rest)
		rest &^= lanes
		if c := w.Of(bits.TrailingZeros32(lanes)); c != nil {
			w.Learn(m, lanes, live, &clock{Fenced: c.Tree()})
		}
	}
	for _, p := range slices.Clone(w.parts) {
		if p.lanes &= mask; p.lanes != 0 && !p.fenced {
			p.fenced = true
			w.addPart(p)
		}
	}
	w.addPart(part{unit: w.Unit, lanes: mask, at: at, fenced: true})
}

// withParts returns clock c with the parts of the lanes in mask.
func (w *Warp) withParts(c *clock, mask uint32) *clock {
	var has clock
	for i := range w.parts {
		p := &w.parts[i]
		if lanes := p.lanes & mask; lanes != 0 {
			to := &has.Known
			if p.fenced {
				to = &has.Fenced
			}
			*to = vclock.Join(*to, vclock.Threads(p.unit, lanes, p.at))
		}
	}
	if has.Known == nil && has.Fenced == nil {
		return c
	}
	return order.Merge(c, &has)
}

// dropParts drops the parts that the clock of the warp includes.
func (w *Warp) dropParts() {
	if len(w.parts) == 0 || w.Clock == nil {
		return
	}
	w.parts = slices.DeleteFunc(w.parts, func(p part) bool {
		known := w.Clock.Fenced.Reached(p.unit, p.at)
		return p.lanes&w.Apart == 0 && (p.fenced && p.lanes&^known == 0 ||
			!p.fenced && w.Clock.IncludesAll(p.unit, p.lanes, p.at))
	})
}

// hasPartOf reports whether some lanes have a part of a unit.
func (w *Warp) hasPartOf(u unit) bool {
	return slices.ContainsFunc(w.parts, func(p part) bool { return p.unit == u })
}

// partHas reports whether a lane has, by a part, what the same lane of a unit had done at a time.
func (w *Warp) partHas(u unit, lane int, at stamp, fenced bool) bool {
	return slices.ContainsFunc(w.parts, func(p part) bool {
		return p.unit == u && p.lanes>>lane&1 != 0 && p.fenced == fenced && p.at >= at
	})
}

// Split gives the lanes with parts clocks of their own, which include them.
func (w *Warp) Split() {
	if len(w.parts) == 0 {
		return
	}
	lanes := uint32(0)
	for i := range w.parts {
		lanes |= w.parts[i].lanes
	}
	for m := lanes; m != 0; m &= m - 1 {
		before := w.Of(bits.TrailingZeros32(m))
		if c := w.withParts(before, m&-m); c != before {
			w.know(m&-m, c)
		}
	}
	w.parts = w.parts[:0]
}
