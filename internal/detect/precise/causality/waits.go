// Waits of lanes for their own asynchronous operations.

package causality

import "github.com/ptxsan/ptxsan/internal/vclock"

// A lane that waits for its copies knows of its own part of them alone, so that the clocks of the lanes of a warp
// differ until the next barrier, which follows at once in most programs. So what lanes have waited for is kept beside
// their clocks until one of these is used.

// wait is what lanes of a warp know after a wait: each of its own accesses by a unit up to a time.
type wait struct {
	unit  unit
	lanes uint32
	live  uint32 // lanes of the warp that had not ended
	at    stamp
}

// Wait has each lane know of its own accesses by a unit up to a time.
func (w *Warp) Wait(u unit, lanes, live uint32, at stamp) {
	w.Touched |= lanes
	w.waits = append(w.waits, wait{u, lanes, live, at})
}

// SettleWaits joins what lanes have waited for into their clocks.
func (d *Threads) SettleWaits(w *Warp) {
	if len(w.waits) == 0 {
		return
	}
	list := w.waits
	w.waits = nil
	lanes := uint32(0)
	for i := range list {
		lanes |= list[i].lanes
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		if c := waitsOf(list, lanes&-lanes); c != nil {
			w.Learn(&d.Merges, lanes&-lanes, list[len(list)-1].live, &clock{Known: c})
		}
	}
	w.waits = list[:0]
}

// waitsOf returns the clock of what lanes in mask have waited for.
func waitsOf(list []wait, mask uint32) (c *vclock.Clock) {
	for i := range list {
		if x := &list[i]; x.lanes&mask != 0 {
			c = vclock.Join(c, vclock.Threads(x.unit, x.lanes&mask, x.at))
		}
	}
	return c
}

// dropWaits forgets the waits for what the clock of all lanes includes.
func (w *Warp) dropWaits() {
	kept := w.waits[:0]
	for _, x := range w.waits {
		if w.Apart != 0 || !w.Clock.IncludesAll(x.unit, x.lanes, x.at) {
			kept = append(kept, x)
		}
	}
	w.waits = kept
}

// hasWaited reports whether a lane has waited for its accesses by a unit up to a time.
func (w *Warp) hasWaited(u unit, lane int, at stamp) bool {
	for i := range w.waits {
		if x := &w.waits[i]; x.unit == u && x.lanes>>lane&1 != 0 && at <= x.at {
			return true
		}
	}
	return false
}
