// Barriers of clusters.

package barracuda

import "github.com/ptxsan/ptxsan/internal/vclock"

// clusterBarrier is the barrier of a cluster, which is newer than the paper: an arrival is a release, and passing
// acquires the releases of all arrivals in the same phase.
type clusterBarrier struct {
	pending *vclock.Clock     // of the incomplete phase
	arrived map[uint32]uint32 // lanes that have arrived in that phase, by warp
	phase   *releasedClock    // of the last complete phase
}

func (c *clusterBarrier) arrive(w *warp, mask uint32) {
	if c.arrived == nil {
		c.arrived = make(map[uint32]uint32)
	}
	w.isolate(mask)
	p := w.pathOf(mask)
	v := w.clockOf(p)
	c.pending = vclock.Join(c.pending, v.clocks(p.mask))
	c.arrived[w.id] |= mask
	p.endInsn()
}

// pass lets lanes pass: if they have arrived in the pending phase, that phase is complete.
func (c *clusterBarrier) pass(w *warp, mask uint32) {
	if c.arrived[w.id]&mask != 0 {
		c.phase, c.pending = &releasedClock{vc: c.pending}, nil
		clear(c.arrived)
	}
	p := w.pathOf(mask)
	v := w.clockOf(p)
	var to builders
	v.acquire(c.phase, &to)
	v.endAcquires(&to)
	*p = v.path
	p.endInsn()
}
