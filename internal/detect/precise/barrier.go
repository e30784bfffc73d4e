// Barriers of blocks, warps and clusters.

package precise

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
	warp  *warp
	mask  uint32
	at    stamp
	clock *clock
	live  uint32
}

func (b *block) barrier(id uint32) *barrier {
	for _, x := range b.barriers {
		if x.id == id {
			return x
		}
	}
	x := &barrier{id: id}
	b.barriers = append(b.barriers, x)
	return x
}

// arrive handles the arrival of lanes at a barrier of their block.
func (d *Detector) arrive(ev *abi.Event) {
	w := d.warpOf(ev)
	b := w.home.barrier(ev.Barrier)
	b.arrived = append(b.arrived, arrival{w, ev.Mask, d.now, w.all(ev.Mask), ev.Live})
	if ev.Mode == abi.BarrierArrive {
		b.parts = true
		d.evidence.MarkArrival(w.unit, ev.Mask, ev.Site)
	}
	b.counted = b.counted || ev.Expected != 0
	d.bring(&b.brought, w, ev.Mask)
	d.tick()
}

// complete handles the end of a phase of a barrier. When all threads of the block that have accessed memory have
// arrived, the waiting threads acquire everything that the block has done.
func (d *Detector) complete(ev *abi.Event) {
	home := d.blockOf(ev.Block)
	if d.completePhase(home, home.barrier(ev.Barrier)) {
		d.advance(home)
		d.replicas.separate(ev.Block)
	}
}

// completePhase ends a phase of a barrier, and reports whether the phase separates all that its block has done so far
// from what follows.
func (d *Detector) completePhase(home *block, b *barrier) (separates bool) {
	var c *clock
	b.met = 0
	for i := range b.arrived {
		c = d.merges.Merge(c, b.arrived[i].clock)
	}
	if !b.parts && home.allIn(b.arrived) {
		before := c
		b.met = d.now
		if c = d.metBy(c, vclock.Block(home.number, d.now)); c != before && len(b.arrived) > 0 {
			// Any clock that includes one of the waiting threads up to a later time includes this clock.
			c.By, c.At = thread{Unit: b.arrived[0].warp.unit, Lane: uint8(bits.TrailingZeros32(b.arrived[0].mask))},
				d.now
		}
		separates = !b.counted && liveIn(b.arrived)
	} else {
		for i := range b.arrived {
			x := &b.arrived[i]
			mask := x.mask
			if x.warp.touched&^mask == 0 {
				mask = 1<<radix - 1
			}
			c = d.metBy(c, vclock.Threads(x.warp.unit, mask, x.at))
		}
	}
	d.tick()
	b.done, b.arrived, b.parts = c, b.arrived[:0], false
	b.counted = false
	b.passedOn = b.brought.passed(&d.merges)
	return separates
}

// allIn reports whether all threads of the block that have accessed memory have arrived.
func (b *block) allIn(arrived []arrival) bool {
	var masks [radix]uint32
	for i := range arrived {
		masks[arrived[i].warp.unit%radix] |= arrived[i].mask
	}
	for i, w := range b.warps {
		if w != nil && w.touched&^masks[i] != 0 {
			return false
		}
	}
	return true
}

// liveIn reports whether, in all warps with an arrival, all lanes that were live have arrived.
func liveIn(arrived []arrival) bool {
	var masks [radix]uint32
	for i := range arrived {
		masks[arrived[i].warp.unit%radix] |= arrived[i].mask
	}
	return !slices.ContainsFunc(arrived, func(x arrival) bool { return x.live&^masks[x.warp.unit%radix] != 0 })
}

// pass handles lanes that continue after a barrier of their block.
func (d *Detector) pass(ev *abi.Event) {
	w := d.warpOf(ev)
	b := w.home.barrier(ev.Barrier)
	w.learn(&d.merges, ev.Mask, ev.Live, b.done)
	if ev.Live&^ev.Mask == 0 {
		w.met = max(w.met, b.met)
	}
	d.inherit(w, ev.Mask, ev.Live, &b.passedOn)
}

// warpSync handles bar.warp.sync.
func (d *Detector) warpSync(ev *abi.Event) {
	if ev.Sem == abi.SemAcqRel {
		w := d.warpOf(ev)
		var brought fenceSC
		d.bring(&brought, w, ev.Mask)
		s := brought.passed(&d.merges)
		d.evidence.MarkWarpSync(&w.reports, ev)
		w.learn(&d.merges, ev.Mask, ev.Live, d.release(w, ev.Mask))
		d.inherit(w, ev.Mask, ev.Live, &s)
	}
}

// cluster is the barrier of the blocks of a cluster.
type cluster struct {
	phases map[uint32]*clock // the clocks released in each phase
	phase  map[thread]uint32 // number of arrivals of each thread
}

func (d *Detector) clusterOf(w *warp) *cluster {
	k := w.at.clusterKey()
	c := d.clusters[k]
	if c == nil {
		c = &cluster{phases: make(map[uint32]*clock), phase: make(map[thread]uint32)}
		d.clusters[k] = c
	}
	return c
}

// clusterArrive handles barrier.cluster.arrive, a release unless it is relaxed.
func (d *Detector) clusterArrive(ev *abi.Event) {
	w := d.warpOf(ev)
	d.clusterArrived(w, ev.Mask)
	c := d.clusterOf(w)
	for rest := ev.Mask; rest != 0; {
		phase := c.phase[thread{Unit: w.unit, Lane: uint8(bits.TrailingZeros32(rest))}]
		mask := uint32(0)
		for m := rest; m != 0; m &= m - 1 {
			t := thread{Unit: w.unit, Lane: uint8(bits.TrailingZeros32(m))}
			if c.phase[t] == phase {
				mask |= 1 << t.Lane
				c.phase[t] = phase + 1
			}
		}
		rest &^= mask
		delete(c.phases, phase-2) // all threads have passed it
		c.phases[phase] = order.Merge(c.phases[phase], d.arrival(ev, w, mask))
	}
	d.tick()
}

// arrival returns the clock that lanes release when they arrive at the barrier of their cluster. A relaxed arrival
// releases only what the fences before it released.
func (d *Detector) arrival(ev *abi.Event, w *warp, mask uint32) *clock {
	if ev.Sem != abi.SemRelaxed || d.model.relaxedOrders {
		return d.release(w, mask)
	}
	var c *clock
	for ; mask != 0; mask &= mask - 1 {
		lane := bits.TrailingZeros32(mask)
		d.evidence.MarkRelaxed(&w.reports, lane, ev.Site)
		if p := w.pendingOf(lane); p.fences != nil {
			for _, f := range p.fences.fenced[accesses.ReachCluster:] {
				if f.At != 0 {
					c = order.Merge(c, d.merges.Of(f, thread{Unit: w.unit, Lane: uint8(lane)}))
				}
			}
		}
	}
	return c
}

// clusterPass handles lanes that complete barrier.cluster.wait.
func (d *Detector) clusterPass(ev *abi.Event) {
	w := d.warpOf(ev)
	d.clusterPassed(w, ev.Mask)
	c := d.clusterOf(w)
	for m := ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		w.learn(&d.merges, 1<<lane, ev.Live, c.phases[c.phase[thread{Unit: w.unit, Lane: uint8(lane)}]-1])
	}
}
