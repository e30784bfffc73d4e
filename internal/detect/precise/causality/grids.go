// Grids that threads launch, and the order of their streams.

package causality

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// LaunchGrid handles the launch of a grid by a thread.
func (d *Threads) LaunchGrid(ev *abi.Event) {
	w := d.WarpOf(ev)
	d.launches[ev.Op] = &childGrid{w.Home, d.Grid, streamOf(ev.Addr[0], w.Home), d.release(w, ev.Mask)}
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
func streamOf(handle uint64, b *Block) stream {
	if handle == defaultStream {
		return stream{handle, b.Number}
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

// BeginGrid begins a grid. Its threads start with the clocks of the thread that launched it, and of the grids that it
// follows.
func (d *Threads) BeginGrid(ev *abi.Event) {
	d.Grids++
	g := &grid{number: d.Grids, Blocks: make(map[uint64]*Block), ClusterBlocks: uint32(ev.Addr[6])}
	if l := d.launches[ev.Op]; l != nil {
		g.start, g.by, g.launch = order.Merge(l.start, l.after()), l.by, l
		delete(d.launches, ev.Op)
	}
	if d.Grids > 1 {
		n := ev.Addr[:]
		d.Nested = append(d.Nested, extent{dimensions(n[:3]), dimensions(n[3:6])})
	}
	if l := d.Launched; l != nil {
		d.launchOf = append(d.launchOf, make([]*Launched, int(d.Grids)+1-len(d.launchOf))...)
		if d.launchOf[d.Grids] = l; d.Grid == nil {
			g.start, l.grid = l.before.visible, g.number
		}
	}
	d.OuterGrids = append(d.OuterGrids, d.Grid)
	d.Grid = g
}

// dimensions returns three numbers of an event as an extent.
func dimensions(n []uint64) [3]uint32 { return [3]uint32{uint32(n[0]), uint32(n[1]), uint32(n[2])} }

// EndGrid ends a grid: a thread that waits for it acquires its accesses and its clock.
func (d *Threads) EndGrid() {
	g := d.Grid
	for _, index := range slices.Sorted(maps.Keys(g.Blocks)) { // in order: equal clocks may differ in their nodes
		g.End(d, g.Blocks[index])
	}
	if g.by != nil {
		g.by.Children = order.Merge(g.by.Children, g.ends)
		g.launch.ended(g.ends)
	}
	last := len(d.OuterGrids) - 1
	if l := d.Launched; l != nil && last == 0 {
		d.endOfLaunch(l, g.ends)
	}
	d.Grid, d.OuterGrids = d.OuterGrids[last], d.OuterGrids[:last]
	d.Tick()
}

// End records the clock of a block, if a thread, a grid or another launch may wait for its grid.
func (g *grid) End(d *Threads, b *Block) {
	if g.by == nil && d.Absent.Launches {
		return
	}
	c := b.Children
	for _, w := range b.Warps {
		if w != nil {
			c = order.Merge(order.Merge(c, w.All(1<<radix-1)), w.gone)
		}
	}
	c = d.MetBy(c, vclock.Block(b.Number, d.Now)) // last: who has these accesses counts as knowing what the threads do
	if d.Launched != nil && len(d.OuterGrids) == 1 && !b.let {
		d.letBegin(b, c)
	}
	g.ends = order.Merge(g.ends, c)
}
