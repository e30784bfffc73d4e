// Begin and end of grids and blocks, and allocation of memory.

package precise

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// machine handles the begin and end of grids and blocks.
func (d *Detector) machine(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventKernelBegin:
		d.clustered = d.clustered || len(d.outerGrids) > 0
		d.maps = mapFences{}
		d.asyncProxy = d.asyncProxy || ev.Proxy == abi.ProxyAsync
		d.barriersSeparate = d.barriersSeparate && len(d.outerGrids) == 0 && !d.asyncProxy
		d.beginGrid(ev)
	case abi.EventKernelEnd:
		d.endGrid()
	case abi.EventBlockEnd:
		d.replicas.end(ev.Block)
		d.endBlock(ev.Block)
	case abi.EventLaunch:
		d.launchGrid(ev)
	case abi.EventJoin:
		w := d.warpOf(ev)
		w.learn(&d.merges, ev.Mask, ev.Live, w.home.children)
	}
}

// launchGrid handles the launch of a grid by a thread.
func (d *threads) launchGrid(ev *abi.Event) {
	w := d.warpOf(ev)
	d.launches[ev.Op] = &childGrid{w.home, d.grid, streamOf(ev.Addr[0], w.home), d.release(w, ev.Mask)}
}

// Streams of device code that have a meaning of their own (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism",
// "Streams"): the default one belongs to a block; what is in the tail begins after the launching grid and all other
// grids that its threads have launched; nothing orders grids that are fired and forgotten.
const (
	defaultStream = 0
	tailStream    = 3
	forgotten     = 4
)

// streamOf returns the stream into which a thread of a block puts a grid.
func streamOf(handle uint64, b *block) stream {
	if handle == defaultStream {
		return stream{handle, b.number}
	}
	return stream{handle: handle}
}

// after returns the clock that the grids have released which a launched one begins after.
func (l *childGrid) after() *clock {
	switch l.in.handle {
	case tailStream:
		return l.of.ends
	case forgotten:
		return nil
	}
	return l.of.queued[l.in]
}

// ended records the clock that a launched grid has released at its end.
func (l *childGrid) ended(c *clock) {
	l.of.ends = order.Merge(l.of.ends, c)
	if l.of.queued == nil {
		l.of.queued = make(map[stream]*clock)
	}
	l.of.queued[l.in] = order.Merge(l.of.queued[l.in], c)
}

// beginGrid begins a grid. Its threads start with the clocks of the thread that launched it, and of the grids that it
// follows.
func (d *threads) beginGrid(ev *abi.Event) {
	d.grids++
	g := &grid{number: d.grids, blocks: make(map[uint64]*block)}
	if l := d.launches[ev.Op]; l != nil {
		g.start, g.by, g.launch = order.Merge(l.start, l.after()), l.by, l
		delete(d.launches, ev.Op)
	}
	if d.grids > 1 {
		n := ev.Addr[:]
		d.nested = append(d.nested, extent{dimensions(n[:3]), dimensions(n[3:6])})
	}
	d.outerGrids = append(d.outerGrids, d.grid)
	d.grid = g
}

// dimensions returns three numbers of an event as an extent.
func dimensions(n []uint64) [3]uint32 { return [3]uint32{uint32(n[0]), uint32(n[1]), uint32(n[2])} }

// endGrid ends a grid: a thread that waits for it acquires its accesses and its clock.
func (d *Detector) endGrid() {
	g := d.grid
	for _, index := range slices.Sorted(maps.Keys(g.blocks)) { // in order: equal clocks may differ in their nodes
		g.end(d, g.blocks[index])
	}
	if g.by != nil {
		g.by.children = order.Merge(g.by.children, g.ends)
		g.launch.ended(g.ends)
	}
	last := len(d.outerGrids) - 1
	d.grid, d.outerGrids = d.outerGrids[last], d.outerGrids[:last]
	d.tick()
}

// endBlock ends a block. Its shared memory ends with the last block of its cluster.
func (d *Detector) endBlock(index uint64) {
	d.endLife(index)
	b := d.grid.blocks[index]
	if b == nil {
		return
	}
	d.endAsync(b)
	d.grid.end(d, b)
	d.places[b.number].home = nil
	d.asyncs.DropBlock(b.number)
	d.warpLives.DropBlock(b.number)
	delete(d.grid.blocks, index)
	d.grid.last = nil
	for _, w := range b.warps {
		if w == nil {
			continue
		}
		k := w.at.clusterKey()
		over := d.clusterOver(index)
		d.tensor.end(k, b.number, over)
		m := d.memories[k]
		if m != nil {
			delete(m.live, b.number)
		}
		if !over || m == nil && d.clusters[k] == nil || m != nil && len(m.live) > 0 {
			return
		}
		if m != nil {
			delete(d.memories, k)
			d.recycle(m.shadow)
		}
		d.forgetCluster(k)
		return
	}
}

// clusterOver reports whether all blocks of the cluster of a block that ends have ended. Those that have not may access
// its memory for the first time later. If that is unknown, the blocks that have accessed it decide.
func (d *Detector) clusterOver(block uint64) bool {
	return !d.tracksLives() || d.lives[d.launch.ClusterOf(block)] == nil // endLife has counted the block
}

// forgetCluster drops the barrier and the mbarriers of a cluster that has ended.
func (d *Detector) forgetCluster(cluster uint64) {
	delete(d.clusters, cluster)
	for k := range d.mbarriers {
		if k.cluster == cluster {
			delete(d.mbarriers, k)
		}
	}
}

// end records the clock of a block, if a thread or a grid may wait for its grid.
func (g *grid) end(d *Detector, b *block) {
	if g.by == nil && d.absent.Launches {
		return
	}
	g.ends = d.metBy(order.Merge(g.ends, b.children), vclock.Block(b.number, d.now))
	for _, w := range b.warps {
		if w != nil {
			g.ends = order.Merge(g.ends, w.all(1<<radix-1))
		}
	}
}

// heap handles an allocation or a free of memory: earlier accesses there do not matter any more. A free is a write to
// all of it, since the memory may be allocated again, and be written, as soon as it is free.
func (d *Detector) heap(ev *abi.Event) {
	addr := ev.Addr[bits.TrailingZeros32(ev.Mask)]
	if r := d.regions.at[addr>>deferred.WindowBits]; r != nil {
		d.readJournal(r)
		d.dropElements(r)
		d.regions.remove(r)
	}
	if ev.Kind == abi.EventFree {
		d.freed(ev, addr)
	}
	d.forget(d.global, addr, uint64(ev.Bytes))
}

// freed checks the write to the lines of freed memory that have been accessed.
func (d *Detector) freed(ev *abi.Event, addr uint64) {
	end := addr + uint64(ev.Bytes)
	x := abi.Event{
		Kind: abi.EventAccess, Space: abi.SpaceGlobal, Access: abi.AccessStore, Sem: abi.SemWeak, Site: ev.Site,
		Block: ev.Block, Cluster: ev.Cluster, Warp: ev.Warp, Live: ev.Live, Mask: ev.Mask & -ev.Mask,
	}
	w, lane := d.warpAt(ev), bits.TrailingZeros32(ev.Mask)
	w.touched |= x.Mask
	for _, line := range d.linesIn(d.global, addr, end) {
		from := max(line, addr)
		x.Addr[lane], x.Bytes = from, uint32(min(line+lineBytes, end)-from)
		a := &d.current
		a.begin(d, w, w.unit, d.classOf(&x))
		a.ev = &x
		a.at = d.stampOf(a)
		d.perform(a, d.global)
	}
}
