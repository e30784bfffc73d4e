// Begin and end of grids and blocks, and allocation of memory.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// machine handles the begin and end of grids and blocks.
func (d *Detector) machine(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventKernelBegin:
		d.Clustered = d.Clustered || len(d.OuterGrids) > 0 || ev.Addr[6] > 1
		d.Evidence.Clustered = d.Clustered
		d.Maps = causality.MapFences{}
		d.Operations.AsyncProxy = d.Operations.AsyncProxy || ev.Proxy == abi.ProxyAsync
		d.BarriersSeparate = d.BarriersSeparate && !d.Clustered && !d.Operations.AsyncProxy
		d.BeginGrid(ev)
	case abi.EventKernelEnd:
		d.EndGrid()
	case abi.EventBlockEnd:
		d.replicas.end(ev.Block)
		d.endBlock(ev.Block)
	case abi.EventLaunch:
		d.LaunchGrid(ev)
	case abi.EventDepend:
		d.Depend(ev)
	case abi.EventJoin:
		w := d.WarpOf(ev)
		w.Learn(&d.Merges, ev.Mask, ev.Live, w.Home.Children)
	}
}

// endBlock ends a block. Its shared memory ends with the last block of its cluster.
func (d *Detector) endBlock(index uint64) {
	d.Operations.EndLife(index)
	b := d.Grid.Blocks[index]
	if b == nil {
		return
	}
	d.Operations.EndAsync(b)
	if d.phases != nil {
		d.phases.EndBlock(b.Number)
	}
	d.Grid.End(&d.Threads, b)
	d.Places[b.Number].Home = nil
	d.Operations.Asyncs.DropBlock(b.Number)
	d.Operations.WarpLives.DropBlock(b.Number)
	delete(d.Grid.Blocks, index)
	d.Grid.Last = nil
	for _, w := range b.Warps {
		if w == nil {
			continue
		}
		k := w.At.ClusterKey()
		over := d.Operations.ClusterOver(index, k)
		d.Operations.Tensor.End(k, b.Number, over)
		m := d.Memories[k]
		if m != nil {
			delete(m.Live, b.Number)
		}
		if !over || m == nil && d.Operations.Clusters[k] == nil || m != nil && len(m.Live) > 0 {
			return
		}
		if m != nil {
			delete(d.Memories, k)
			d.Recycle(m.Shadow)
		}
		d.Operations.ForgetCluster(k)
		return
	}
}

// heap handles an allocation or a free of memory: earlier accesses there do not matter any more. A free is a write to
// all of it, since the memory may be allocated again, and be written, as soon as it is free.
func (d *Detector) heap(ev *abi.Event) {
	addr := ev.Addr[bits.TrailingZeros32(ev.Mask)]
	if r := d.Regions.At[addr>>deferred.WindowBits]; r != nil {
		d.ReadJournal(r)
		d.DropElements(r)
		d.Regions.Remove(r)
	}
	if ev.Kind == abi.EventFree {
		d.freed(ev, addr)
	}
	d.Forget(d.Global, addr, uint64(ev.Bytes))
}

// freed checks the write to the lines of freed memory that have been accessed.
func (d *Detector) freed(ev *abi.Event, addr uint64) {
	end := addr + uint64(ev.Bytes)
	x := abi.Event{
		Kind: abi.EventAccess, Space: abi.SpaceGlobal, Access: abi.AccessStore, Sem: abi.SemWeak, Site: ev.Site,
		Block: ev.Block, Cluster: ev.Cluster, Warp: ev.Warp, Live: ev.Live, Mask: ev.Mask & -ev.Mask,
	}
	w, lane := d.WarpAt(ev), bits.TrailingZeros32(ev.Mask)
	w.Touched |= x.Mask
	for _, line := range d.LinesIn(d.Global, addr, end) {
		from := max(line, addr)
		x.Addr[lane], x.Bytes = from, uint32(min(line+lineBytes, end)-from)
		a := &d.Current
		a.Begin(&d.Threads, w, w.Unit, d.ClassOf(&x))
		a.Ev = &x
		a.At = d.StampOf(a)
		d.perform(a, d.Global)
	}
}
