// Barriers of blocks, warps and clusters.

package causality

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// barrier is a barrier of a block.
type barrier struct {
	id      uint32
	arrived []arrival
	parts   bool   // some thread has arrived without waiting
	counted bool   // the barrier is for a given number of threads, not for all that have not ended
	met     stamp  // time at which the latest phase was completed, if all threads of the block had arrived; else 0
	done    *clock // the vector clock that the latest completed phase passes to its threads
	// Sequentially consistent fences of the threads that arrived in this phase, and those that the latest completed
	// phase passes on.
	brought  fenceSC
	passedOn passedSC
}

// arrival is the arrival of some lanes of a warp, with their vector clock at that time.
type arrival struct {
	warp  *Warp
	mask  uint32
	at    stamp
	clock *clock
	live  uint32
}

// Barrier returns a barrier of the block.
func (b *Block) Barrier(id uint32) *barrier {
	for _, x := range b.barriers {
		if x.id == id {
			return x
		}
	}
	x := &barrier{id: id}
	b.barriers = append(b.barriers, x)
	return x
}

// Arrive handles the arrival of lanes at a barrier of their block.
func (d *Threads) Arrive(ev *abi.Event) {
	w := d.ReleasingWarp(ev)
	b := w.Home.Barrier(ev.Barrier)
	b.arrived = append(b.arrived, arrival{w, ev.Mask, d.Now, w.All(ev.Mask), ev.Live})
	if ev.Mode == abi.BarrierArrive {
		b.parts = true
		d.Evidence.MarkArrival(w.Unit, ev.Mask, d.Evidence.SiteOf(ev))
	}
	b.counted = b.counted || ev.Expected != 0
	d.bring(&b.brought, w, ev.Mask)
	d.Tick()
}

// CompletePhase ends a phase of a barrier, and reports whether the phase separates all that its block has done so far
// from what follows.
func (d *Threads) CompletePhase(home *Block, b *barrier) (separates bool) {
	var c *clock
	b.met = 0
	for i := range b.arrived {
		c = d.Merges.Merge(c, b.arrived[i].clock)
	}
	if !b.parts && home.allIn(b.arrived) {
		before := c
		b.met = d.Now
		if c = d.MetBy(c, vclock.Block(home.Number, d.Now)); c != before && len(b.arrived) > 0 {
			// Any clock that includes one of the waiting threads up to a later time includes this clock.
			c.By, c.At = thread{Unit: b.arrived[0].warp.Unit, Lane: uint8(bits.TrailingZeros32(b.arrived[0].mask))},
				d.Now
		}
		separates = !b.counted && liveIn(b.arrived)
	} else {
		for i := range b.arrived {
			x := &b.arrived[i]
			mask := x.mask
			if x.warp.Touched&^mask == 0 {
				mask = 1<<radix - 1
			}
			c = d.MetBy(c, vclock.Threads(x.warp.Unit, mask, x.at))
		}
	}
	d.Tick()
	b.done, b.arrived, b.parts = c, b.arrived[:0], false
	b.counted = false
	b.passedOn = b.brought.passed(&d.Merges)
	return separates
}

// allIn reports whether all threads of the block that have accessed memory have arrived.
func (b *Block) allIn(arrived []arrival) bool {
	var masks [radix]uint32
	for i := range arrived {
		masks[arrived[i].warp.Unit%radix] |= arrived[i].mask
	}
	for i, w := range b.Warps {
		if w != nil && w.Touched&^masks[i] != 0 {
			return false
		}
	}
	return true
}

// liveIn reports whether, in all warps with an arrival, all lanes that were live have arrived.
func liveIn(arrived []arrival) bool {
	var masks [radix]uint32
	for i := range arrived {
		masks[arrived[i].warp.Unit%radix] |= arrived[i].mask
	}
	return !slices.ContainsFunc(arrived, func(x arrival) bool { return x.live&^masks[x.warp.Unit%radix] != 0 })
}

// Pass handles lanes that continue after a barrier of their block.
func (d *Threads) Pass(ev *abi.Event) {
	w := d.ReleasingWarp(ev)
	b := w.Home.Barrier(ev.Barrier)
	w.Learn(&d.Merges, ev.Mask, ev.Live, b.done)
	if ev.Live&^ev.Mask == 0 {
		w.met = max(w.met, b.met)
	}
	d.inherit(w, ev.Mask, ev.Live, &b.passedOn)
}

// WarpSync handles bar.warp.sync.
func (d *Threads) WarpSync(ev *abi.Event) {
	if ev.Sem == abi.SemAcqRel {
		w := d.ReleasingWarp(ev)
		var brought fenceSC
		d.bring(&brought, w, ev.Mask)
		s := brought.passed(&d.Merges)
		d.Evidence.MarkWarpSync(&w.reports, ev)
		w.Learn(&d.Merges, ev.Mask, ev.Live, d.release(w, ev.Mask))
		d.inherit(w, ev.Mask, ev.Live, &s)
	}
}

// Arrival returns the clock that lanes release when they arrive at the barrier of their cluster. A relaxed arrival
// releases only what the fences before it released.
func (d *Threads) Arrival(ev *abi.Event, w *Warp, mask uint32) *clock {
	if ev.Sem != abi.SemRelaxed || d.Model.RelaxedOrders {
		return d.release(w, mask)
	}
	var c *clock
	for ; mask != 0; mask &= mask - 1 {
		lane := bits.TrailingZeros32(mask)
		d.Evidence.MarkRelaxed(&w.reports, lane, d.Evidence.SiteOf(ev))
		if p := w.PendingOf(lane); p.Fences != nil {
			for _, f := range p.Fences.Fenced[accesses.ReachCluster:] {
				if f.At != 0 {
					c = order.Merge(c, d.Merges.Of(f, thread{Unit: w.Unit, Lane: uint8(lane)}))
				}
			}
		}
	}
	return c
}
