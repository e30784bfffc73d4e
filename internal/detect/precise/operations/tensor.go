// Tensor memory: accesses by operations of tcgen05, and their order.

package operations

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Operations of tcgen05 are ordered by rules of their own (PTX ISA, "Memory Consistency Model for 5th generation of
// TensorCore operations"; docs/detectors/precise-model.md). Only they access tensor memory, which therefore has a
// shadow of its own: for each cell the latest write, and the reads since. An operation is one tensorOp, however many
// cells it accesses, so that two operations are compared once.

// tensorOp is the reads, or the writes, of one operation by a thread.
type tensorOp struct {
	unit   unit // its group, which is complete when a wait or an mbarrier shows it
	by     thread
	class  uint32
	at     stamp
	number uint64
	waited *stamp // when a thread has waited for the group of a load or store, 0 for never; nil if it is synchronous
	sync   bool   // tcgen05.dealloc
	pipe   abi.Pipe
	seen   map[*tensorOp]evidence.TensorLack // earlier operations that it has been compared with
	told   map[*tensorOp]bool                // earlier operations that a race with it has been reported for
	last   *tensorOp                         // the latest of seen, and what it lacks
	lacks  evidence.TensorLack
}

func (t *tensorOp) waits() bool { return !t.sync && t.pipe.Kind == abi.PipeNone } // a load or store of registers

// tensorCell holds the latest write of a cell, and the reads since that are not ordered before another one.
type tensorCell struct {
	write *tensorOp
	read  *tensorOp
	reads []*tensorOp // reads before that write
}

// tensorRow holds the cells of a lane: runs of columns that are alike, in order. The first run begins at column 0.
type tensorRow []tensorRun

// tensorRun is cells that are alike, up to the first column of the next run.
type tensorRun struct {
	first uint64
	tensorCell
}

// runs returns the indices of the runs of some columns. It splits those that have others too.
func (r *tensorRow) runs(first, end uint64) (from, to int) {
	if *r == nil {
		*r = tensorRow{{}}
	}
	return r.split(first), r.split(end)
}

// split returns the index of the run that begins at a column, or the number of runs if none is behind it. It splits the
// run that has the column in its midst.
func (r *tensorRow) split(column uint64) int {
	i, found := slices.BinarySearchFunc(*r, column, func(x tensorRun, c uint64) int { return cmp.Compare(x.first, c) })
	if !found && column < tensorColumns {
		x := (*r)[i-1]
		x.first, x.reads = column, slices.Clone(x.reads)
		*r = slices.Insert(*r, i, x)
	}
	return i
}

// unite joins runs next to each other that have become alike, from the one before from to that at index to.
func (r *tensorRow) unite(from, to int) {
	n := max(from, 1)
	for i := n; i < len(*r); i++ {
		x, last := &(*r)[i], &(*r)[n-1]
		if i <= to && x.write == last.write && x.read == last.read && slices.Equal(x.reads, last.reads) {
			continue
		}
		(*r)[n] = *x
		n++
	}
	clear((*r)[n:])
	*r = (*r)[:n]
}

// tensorColumns is the number of cells of a lane.
const tensorColumns = abi.TensorLaneBytes / wordBytes

// tensorMemory holds the tensor memory of all blocks.
type tensorMemory struct {
	clusters map[uint64]*tensorCluster
	// addresses is where tcgen05.alloc has written: compilers reuse the word for bulk copies once all threads have read
	// it, and no library has a proxy fence for that.
	Addresses map[sharedAddr]bool
}

// NoteAddress records that tcgen05.alloc writes the address of what it allocates.
func (d *State) NoteAddress(a *causality.Access) {
	if d.Tensor.Addresses == nil {
		d.Tensor.Addresses = make(map[sharedAddr]bool)
	}
	d.Tensor.Addresses[d.SharedKey(a.Warp, a.Ev.Addr[bits.TrailingZeros32(a.Ev.Mask)])] = true
}

type tensorCluster struct {
	rows map[uint64]*tensorRow // by address
	live map[uint32]bool       // blocks that have accessed it
}

// tensorState is the order that tcgen05 makes for a warp.
type tensorState struct {
	token   unit          // unit that stands for each lane's fences before synchronisation
	after   [radix]*clock // what each lane's operations follow: waits, and everything before fences after synchronisation
	seen    [radix]*clock // acquired from barriers, effective at the next such fence
	done    [radix]*clock // what is complete when the latest commit completes
	commits map[uint64]*clock
	current [2][radix]*tensorOp // the latest operations: reads and writes
}

// tensorOf returns the tensorState of a warp.
func (d *State) tensorOf(w *causality.Warp) *tensorState {
	async := d.asyncFor(w)
	if async.tensor == nil {
		async.tensor = &tensorState{token: d.newUnits(w)[0], commits: make(map[uint64]*clock)}
	}
	return async.tensor
}

// TensorAccess checks and records an access to tensor memory.
func (d *State) TensorAccess(a *causality.Access) {
	if d.Model.CopiesInPlace {
		return // the papers have no such memory
	}
	w := a.Warp
	s := d.tensorOf(w)
	if a.Async != abi.Synchronous {
		d.BeginAsync(w, a.Ev.Op)
	} else {
		w.Since = 0
	}
	side := AsyncReads
	if a.Writes() {
		side = AsyncWrites
	}
	c := d.Tensor.cluster(w)
	for m := a.Ev.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		t := s.current[side][lane]
		if t == nil || t.number != a.Ev.Op || t.class != a.Index || a.Async == abi.Synchronous && t.at != d.Now {
			t = d.newTensorOp(a, lane, side)
			s.current[side][lane] = t
		}
		addr := a.Ev.Addr[lane]
		row, first := c.row(addr/abi.TensorLaneBytes), addr%abi.TensorLaneBytes/wordBytes
		from, to := row.runs(first, first+uint64(a.Size)/wordBytes)
		for i := range (*row)[from:to] {
			x := &(*row)[from+i]
			d.tensorCell(a, &x.tensorCell, t, addr+(x.first-first)*wordBytes)
		}
		row.unite(from, to)
	}
}

// newTensorOp makes the operation that a lane begins.
func (d *State) newTensorOp(a *causality.Access, lane, side int) *tensorOp {
	w := a.Warp
	t := &tensorOp{
		unit: w.Unit, by: thread{Unit: w.Unit, Lane: uint8(lane)}, class: a.Index, at: d.Now,
		number: a.Ev.Op, sync: a.Async == abi.Synchronous,
	}
	if t.sync {
		return t
	}
	if a.Async == abi.AsyncTensor {
		t.pipe = a.Ev.Pipe
	}
	g := &d.AsyncOf(w).Groups[a.Async]
	u, _ := d.Join(w, g, a.Ev.Mask&^(1<<lane-1)) // lanes of a load or store share the operation
	t.unit, t.waited = u[side], g.waited[lane]
	return t
}

// tokenOf returns the unit that stands for the fences of a warp, 0 if it has executed none.
func (d *State) tokenOf(u unit) unit {
	if w := d.WarpOfUnit(u); w != nil {
		if async := d.AsyncOf(w); async != nil && async.tensor != nil {
			return async.tensor.token
		}
	}
	return 0
}

// metTensor returns the join of two clocks.
func (d *State) metTensor(a, b *clock) *clock { return d.Merges.Merge(a, b) }

// TensorFence handles tcgen05.fence.
func (d *State) TensorFence(ev *abi.Event) {
	w := d.WarpOf(ev)
	s := d.tensorOf(w)
	if ev.Kind == abi.EventTensorBefore {
		d.fenceBefore(ev, w)
		d.Tick()
		return
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		s.after[i] = d.metTensor(d.metTensor(s.after[i], w.Of(i)), s.seen[i])
		s.seen[i] = nil
	}
}

// fenceBefore handles a fence before synchronisation. It covers, for each lane, the operations of all lanes of the
// instruction.
func (d *State) fenceBefore(ev *abi.Event, w *causality.Warp) {
	w.Learn(&d.Merges, ev.Mask, ev.Live, &clock{Known: vclock.Threads(d.tensorOf(w).token, ev.Mask, d.Now)})
}

// tensorWaited handles a lane that has waited for its loads or stores: its later operations follow them.
func (d *State) tensorWaited(w *causality.Warp, lane int, c *clock) {
	s := d.tensorOf(w)
	s.after[lane] = d.metTensor(s.after[lane], c)
}

// tensorCommit handles tcgen05.commit of a lane: its operations so far are complete when the commit completes. It
// implies a fence before synchronisation.
func (d *State) tensorCommit(ev *abi.Event, w *causality.Warp) {
	s := d.tensorOf(w)
	g := &d.AsyncOf(w).Groups[abi.AsyncTensor]
	if !d.Model.CopiesInPlace {
		d.fenceBefore(ev, w)
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if d.Model.CopiesInPlace { // the operations were accesses of the thread, and this is its arrival
			s.commits[ev.Op] = d.MetBy(w.Of(i), vclock.Threads(w.Unit, 1<<i, d.Now))
			continue
		}
		if g.open>>i&1 != 0 {
			s.done[i] = s.done[i].OrNone().With(completed(g.opened(i, d.Now), i, false))
			g.open &^= 1 << i
		}
		s.commits[ev.Op] = d.metTensor(s.done[i], w.Of(i)) // the operations follow their thread's clock
	}
	d.Tick()
}

// tensorLanded handles the completion of a commit on an mbarrier: a thread that waits for it acquires the operations.
func (d *State) tensorLanded(ev *abi.Event, w *causality.Warp, b *mbarrier, lane int) {
	if c := d.tensorOf(w).commits[ev.Op]; c != nil {
		parity := ev.Phases >> lane & 1
		b.in(parity).AddAll(c)
		b.tensor[parity] = d.metTensor(b.tensor[parity], c)
		b.handOver(w.Unit, parity, c)
	}
	d.Tick()
}

// tensorArrived adds an arrival of lanes at an mbarrier or at the barrier of the cluster to those of a phase: together
// with fences of tcgen05 it orders, even if it is relaxed.
func (d *State) tensorArrived(phase *clock, w *causality.Warp, lanes uint32) *clock {
	if async := d.AsyncOf(w); async == nil || async.tensor == nil {
		return phase
	}
	return d.metTensor(phase, w.All(lanes).OrNone().With(vclock.Threads(w.Unit, lanes, d.Now)))
}

// tensorPassed handles lanes that have waited for a phase.
func (d *State) tensorPassed(phase *clock, w *causality.Warp, lanes uint32) {
	if phase == nil {
		return
	}
	s := d.tensorOf(w)
	for ; lanes != 0; lanes &= lanes - 1 {
		i := bits.TrailingZeros32(lanes)
		s.seen[i] = d.metTensor(s.seen[i], phase)
	}
}

// cluster returns the tensor memory of a warp's cluster.
func (m *tensorMemory) cluster(w *causality.Warp) *tensorCluster {
	if m.clusters == nil {
		m.clusters = make(map[uint64]*tensorCluster)
	}
	k := w.At.ClusterKey()
	c := m.clusters[k]
	if c == nil {
		c = &tensorCluster{rows: make(map[uint64]*tensorRow), live: make(map[uint32]bool)}
		m.clusters[k] = c
	}
	c.live[w.Block()] = true
	return c
}

// row returns the cells of a lane.
func (c *tensorCluster) row(number uint64) *tensorRow {
	r := c.rows[number]
	if r == nil {
		r = new(tensorRow)
		c.rows[number] = r
	}
	return r
}

// End drops the tensor memory of a cluster with the last of its blocks; over says that the others have ended.
func (m *tensorMemory) End(cluster uint64, block uint32, over bool) {
	c := m.clusters[cluster]
	if c == nil {
		return
	}
	if delete(c.live, block); len(c.live) > 0 || !over {
		return
	}
	delete(m.clusters, cluster)
}

// TensorAlloc handles an allocation: earlier accesses do not matter any more.
func (d *State) TensorAlloc(ev *abi.Event) {
	w := d.WarpOf(ev)
	c := d.Tensor.cluster(w)
	addr := ev.Addr[bits.TrailingZeros32(ev.Mask)]
	first := addr % abi.TensorLaneBytes / wordBytes
	for lane := range uint64(abi.TensorLanes) {
		if r := c.rows[addr/abi.TensorLaneBytes+lane]; r != nil {
			from, to := r.runs(first, first+uint64(ev.Bytes)/wordBytes)
			for i := range (*r)[from:to] {
				(*r)[from+i].tensorCell = tensorCell{}
			}
			r.unite(from, to)
		}
	}
}
