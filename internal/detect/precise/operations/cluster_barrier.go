// Barriers of clusters.

package operations

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// cluster is the barrier of the blocks of a cluster.
type cluster struct {
	phases map[uint32]*clock // the clocks released in each phase
	tensor map[uint32]*clock // what the arrivals of each phase order for tcgen05, whatever their semantics
	phase  map[thread]uint32 // number of arrivals of each thread
}

func (d *State) clusterOf(w *causality.Warp) *cluster {
	k := w.At.ClusterKey()
	c := d.Clusters[k]
	if c == nil {
		c = &cluster{
			phases: make(map[uint32]*clock), tensor: make(map[uint32]*clock), phase: make(map[thread]uint32),
		}
		d.Clusters[k] = c
	}
	return c
}

// ClusterArrive handles barrier.cluster.arrive, a release unless it is relaxed.
func (d *State) ClusterArrive(ev *abi.Event) {
	w := d.ReleasingWarp(ev)
	d.clusterArrived(w, ev.Mask)
	c := d.clusterOf(w)
	for rest := ev.Mask; rest != 0; {
		mask, phase := c.inPhase(w, rest)
		rest &^= mask
		for m := mask; m != 0; m &= m - 1 {
			c.phase[thread{Unit: w.Unit, Lane: uint8(bits.TrailingZeros32(m))}] = phase + 1
		}
		delete(c.phases, phase-2) // all threads have passed it
		delete(c.tensor, phase-2)
		c.tensor[phase] = d.tensorArrived(c.tensor[phase], w, mask)
		c.phases[phase] = order.Merge(c.phases[phase], d.Arrival(ev, w, mask))
	}
	d.Tick()
}

// ClusterPass handles lanes that complete barrier.cluster.wait.
func (d *State) ClusterPass(ev *abi.Event) {
	w := d.ReleasingWarp(ev)
	d.clusterPassed(w, ev.Mask)
	c := d.clusterOf(w)
	for rest := ev.Mask; rest != 0; {
		mask, phase := c.inPhase(w, rest)
		rest &^= mask
		d.tensorPassed(c.tensor[phase-1], w, mask)
		d.Hear(w, mask, ev.Live, c.phases[phase-1])
	}
}

// inPhase returns the number of arrivals of the first lane in mask, and the lanes with as many.
func (c *cluster) inPhase(w *causality.Warp, mask uint32) (lanes, phase uint32) {
	phase = c.phase[thread{Unit: w.Unit, Lane: uint8(bits.TrailingZeros32(mask))}]
	for ; mask != 0; mask &= mask - 1 {
		if c.phase[thread{Unit: w.Unit, Lane: uint8(bits.TrailingZeros32(mask))}] == phase {
			lanes |= mask & -mask
		}
	}
	return lanes, phase
}

// ClusterOver reports whether all blocks of the cluster of a block that ends have ended, given the key of the cluster.
// Those that have not may access its memory for the first time later. If that is unknown, the blocks that have accessed it
// decide.
func (d *State) ClusterOver(block, key uint64) bool {
	switch {
	case d.TracksLives():
		return d.lives[d.Launch.ClusterOf(block)] == nil // EndLife has counted the block
	case d.Grid.ClusterBlocks < 2:
		return true
	default:
		d.ended[key]++
		return d.ended[key] == d.Grid.ClusterBlocks
	}
}

// ForgetCluster drops the barrier and the mbarriers of a cluster that has ended.
func (d *State) ForgetCluster(cluster uint64) {
	delete(d.Clusters, cluster)
	delete(d.ended, cluster)
	for k := range d.Mbarriers {
		if k.cluster == cluster {
			delete(d.Mbarriers, k)
		}
	}
}
