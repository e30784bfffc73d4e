// Lives of the blocks of a cluster: accesses to the shared memory of a block that may not have started, or may have
// ended.

package operations

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// The shared memory of a block belongs to it from its start to its end (CUDA programming guide, "Distributed Shared
// Memory"). Both are events like writes to all of it by the block. An access by another block of the cluster races with
// the start unless its thread knows that the block has started, and with the end unless a thread of the block knows of
// the access when it ends, since otherwise the block might have ended before.
//
// A start needs no release and no acquire: a block of which a thread observes anything has started, whatever the
// semantics and scope. So a thread knows of starts, besides what its vector clock says, by relaxed arrivals at the
// barrier of the cluster, by arrivals at mbarriers whose scope is the block, and by strong reads that it has not
// acquired or that observe no release. Of accesses it knows by its vector clock, by the phase of an mbarrier that the
// operation itself has completed: an arrival, or an asynchronous copy. A relaxed arrival, or one whose scope is the
// block, orders no accesses before it; a load whose value its thread has used by then has been performed (warning).

// maxRanks is the largest number of blocks in a cluster.
const maxRanks = 16

// blockLife is what is known of a block and of accesses to its shared memory by other blocks.
type blockLife struct {
	index  uint64 // linear, in the grid
	rank   uint32
	passed uint32           // phases of the barrier of the cluster that a thread of the block has waited for
	heard  map[thread]stamp // arrivals by threads of other blocks, and ends of copies, that a thread of the block has waited for
	joined map[signal]stamp // the same arrivals, with their mbarriers
	starts []knownStarts
	async  asyncAccesses                          // of other blocks
	by     map[unit]*[remotes][radix]remoteAccess // the latest of each sort by each thread of other blocks
}

// remote is a sort of access to the shared memory of another block, by what the block has to know of it before it ends.
type remote uint8

// The sorts.
const (
	remoteOther  remote = iota
	remoteUsed          // a load whose value its thread uses before it arrives anywhere
	remoteSignal        // an operation on an mbarrier
	remotes
)

// sortOf returns the sort of an access by a warp.
func (d *State) sortOf(w *causality.Warp, x *remoteAccess) remote {
	switch {
	case x.class.Kind == abi.AccessLoad && d.Evidence.Consumed.Has(x.class.Site):
		return remoteUsed
	case x.class.Kind == abi.AccessRMW && d.MbarrierAt(w, x.addr) != nil:
		return remoteSignal
	}
	return remoteOther
}

// knownStarts is the time from which on threads of a block know that other blocks have started.
type knownStarts struct {
	unit  unit
	mask  uint32
	at    stamp
	ranks uint32 // bit set
}

// remoteAccess is an access to the shared memory of another block.
type remoteAccess struct {
	thread thread
	at     stamp
	phase  uint32 // number of arrivals of the thread at the barrier of its cluster before the access
	async  bool   // by an asynchronous operation
	class  accesses.Class
	addr   uint64
	more   uint64 // number of other accesses like it (asyncAccesses)
}

// threadLives is what the lanes of a warp know.
type threadLives struct {
	of       *blockLife
	started  [radix]uint32 // bit sets of ranks: blocks that are known to have started
	arrivals [radix]uint32 // at the barrier of the cluster
}

// clusterLives holds the blocks of a cluster by rank.
type clusterLives struct {
	blocks [maxRanks]*blockLife
	ended  uint64
}

// lifeAt returns the block of a rank in the cluster of another block.
func (d *State) lifeAt(block uint64, rank uint32) *blockLife {
	k := d.Launch.ClusterOf(block)
	c := d.lives[k]
	if c == nil {
		if d.lives == nil {
			d.lives = make(map[uint64]*clusterLives)
		}
		c = new(clusterLives)
		d.lives[k] = c
	}
	if c.blocks[rank] == nil {
		c.blocks[rank] = &blockLife{
			index: d.Launch.BlockIn(block, rank), rank: rank, heard: make(map[thread]stamp),
			joined: make(map[signal]stamp), by: make(map[unit]*[remotes][radix]remoteAccess),
		}
	}
	return c.blocks[rank]
}

// livesOf returns what the lanes of a warp know.
func (d *State) livesOf(w *causality.Warp) *threadLives {
	x := d.WarpLives.Of(w.Unit)
	if w.Home == nil {
		x = nil // a replay keeps nothing
	}
	if x == nil {
		x = &threadLives{of: d.lifeAt(w.At.Block, d.Launch.RankOf(w.At.Block))}
		for i := range x.started {
			x.started[i] = 1 << x.of.rank
		}
		if w.Home != nil {
			d.WarpLives.Set(w.Unit, x)
		}
	}
	return x
}

// learnsStarts records that lanes know of blocks that they have started.
func (d *State) learnsStarts(w *causality.Warp, mask, ranks uint32) {
	l, fresh := d.livesOf(w), uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m); ranks&^l.started[i] != 0 {
			l.started[i] |= ranks
			fresh |= m & -m
		}
	}
	if fresh != 0 {
		l.of.starts = append(l.of.starts, knownStarts{w.Unit, fresh, d.Now, ranks})
	}
}

// clusterArrived counts arrivals at the barrier of the cluster, relaxed ones too.
func (d *State) clusterArrived(w *causality.Warp, mask uint32) {
	if !d.TracksLives() {
		return
	}
	for l := d.livesOf(w); mask != 0; mask &= mask - 1 {
		l.arrivals[bits.TrailingZeros32(mask)]++
	}
}

// clusterPassed records what lanes know that have waited for the barrier of the cluster: all blocks have started, and
// all threads have come to their arrivals.
func (d *State) clusterPassed(w *causality.Warp, mask uint32) {
	if !d.TracksLives() {
		return
	}
	l := d.livesOf(w)
	for m := mask; m != 0; m &= m - 1 {
		l.of.passed = max(l.of.passed, l.arrivals[bits.TrailingZeros32(m)])
	}
	d.learnsStarts(w, mask, math.MaxUint32)
}

// LearnsWriter makes lanes that read what another block of the cluster has written learn that the block has started.
func (d *State) LearnsWriter(w *causality.Warp, writer thread, lanes uint32) {
	if p := d.PlaceOf(writer.Unit); writer != (thread{}) && p.Cluster == w.At.Cluster &&
		p.Block != w.At.Block {
		d.learnsStarts(w, lanes, 1<<d.Launch.RankOf(p.Block))
	}
}

// RemoteAccesses checks accesses of a warp to the shared memory of other blocks, and records them for the ends of these
// blocks.
func (d *State) RemoteAccesses(w *causality.Warp, list []abi.Access) {
	if !d.TracksLives() {
		return
	}
	for i := range list {
		x := &list[i]
		for m := x.Mask; m != 0 && x.Space == abi.SpaceShared; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			class := accesses.Class{Site: x.Site, Kind: x.Access, Shared: true, Size: x.Bytes}
			d.remote(w, lane, &remoteAccess{
				thread: thread{Unit: w.Unit, Lane: uint8(lane)}, at: d.Now, class: class,
				addr: x.At(lane),
			})
		}
	}
}

// RemoteAsync does the same for an access by asynchronous operations of lanes.
func (d *State) RemoteAsync(a *causality.Access, mask uint32) {
	for ; mask != 0 && a.Shared && d.TracksLives(); mask &= mask - 1 {
		lane := bits.TrailingZeros32(mask)
		d.remote(a.Warp, lane, &remoteAccess{
			thread: thread{Unit: a.Unit, Lane: uint8(lane)}, at: d.Now,
			class: *a.Class, addr: a.Ev.Addr[lane],
		})
	}
}

// remote handles an access by a lane, or by an asynchronous operation of it.
func (d *State) remote(w *causality.Warp, lane int, x *remoteAccess) {
	l, rank := d.livesOf(w), abi.SharedRank(x.addr)
	if rank == l.of.rank || rank >= maxRanks {
		return
	}
	to := d.lifeAt(w.At.Block, rank)
	if !d.knowsStart(w, lane, to) {
		d.reportLife(x, to, detect.BlockStart)
	}
	if x.thread.Unit != w.Unit {
		x.async = true
		var c *clock // joined when it is needed
		to.async.add(x, func(x *remoteAccess) bool {
			if c == nil {
				c = d.knowledgeOf(to)
			}
			return to.knows(c, x)
		})
		return
	}
	x.phase = l.arrivals[lane]
	lanes := to.by[w.Unit]
	if lanes == nil {
		lanes = new([remotes][radix]remoteAccess)
		to.by[w.Unit] = lanes
	}
	lanes[d.sortOf(w, x)][lane] = *x
}

// knowsStart reports whether a lane knows that a block has started.
func (d *State) knowsStart(w *causality.Warp, lane int, of *blockLife) bool {
	l := d.livesOf(w)
	known := l.started[lane]>>of.rank&1 != 0 || d.observes(w, lane, of.index)
	for i := 0; i < len(l.of.starts) && !known; i++ {
		n := &l.of.starts[i]
		known = n.ranks>>of.rank&1 != 0 && w.Of(lane).IncludesAny(n.unit, n.mask, n.at)
	}
	if known {
		l.started[lane] |= 1 << of.rank
	}
	return known
}

// observes reports whether a lane has acquired or observed anything that a thread of a block has done.
func (d *State) observes(w *causality.Warp, lane int, block uint64) bool {
	b := d.Grid.Blocks[block]
	if b == nil {
		return false
	}
	seen := w.PendingOf(lane).Seen
	for _, c := range append(seen[:], w.Of(lane)) {
		if c != nil && c.Tree().MostInBlock(unit(b.Number<<radixBits)) > 0 {
			return true
		}
	}
	return false
}

// knowledgeOf returns the joined clocks of a running block's threads.
func (d *State) knowledgeOf(l *blockLife) *clock { return d.knowledgeIn(d.Grid.Blocks[l.index]) }

// knowledgeIn returns the joined clocks of a block's threads, nil if there is no block.
func (d *State) knowledgeIn(b *causality.Block) (c *clock) {
	if b != nil {
		for _, w := range b.Warps {
			if w != nil {
				c = order.Merge(c, w.All(1<<radix-1))
			}
		}
	}
	return c
}

// knows reports whether a thread of the block knows of an access, given their joined clocks: by an order of memory, or
// because it has waited for the phase that the access, an asynchronous copy or an operation on an mbarrier, has
// completed.
func (l *blockLife) knows(c *clock, x *remoteAccess) bool {
	return x.async && l.heard[x.thread] >= x.at || l.joined[signal{x.thread, x.addr}] >= x.at ||
		c.Includes(x.thread.Unit, int(x.thread.Lane), x.at)
}

// told reports whether a thread of the block has waited for an arrival behind an access, whatever the semantics and
// scope.
func (l *blockLife) told(x *remoteAccess) bool {
	return !x.async && l.passed > x.phase || l.heard[x.thread] >= x.at
}

// EndLife checks, when a block ends, whether its threads know of the accesses to its shared memory.
func (d *State) EndLife(block uint64) {
	if !d.TracksLives() {
		return
	}
	l := d.lifeAt(block, d.Launch.RankOf(block))
	c := d.knowledgeOf(l)
	check := func(x *remoteAccess) {
		if x.at != 0 && !l.knows(c, x) {
			d.reportLife(x, l, detect.BlockEnd)
		}
	}
	for _, u := range slices.Sorted(maps.Keys(l.by)) {
		for i := range radix {
			for sort := range remotes {
				check(&l.by[u][sort][i])
			}
		}
	}
	for i := range l.async {
		check(&l.async[i])
	}
	k := d.Launch.ClusterOf(block)
	if d.lives[k].ended++; d.lives[k].ended == abi.Volume(d.Launch.Cluster) {
		delete(d.lives, k)
	}
}

// reportLife reports a race of an access with an event in the life of the block to whose memory it is.
func (d *State) reportLife(x *remoteAccess, of *blockLife, event detect.Event) {
	f := &evidence.Finding{Relation: evidence.InterBlock, Cause: detect.MissingBarrier}
	switch {
	case event == detect.BlockStart:
		f.Missing = "a barrier of the cluster before {first}: the block whose shared memory it accesses may not have started"
	case of.told(x):
		f.Cause, f.Missing = detect.MissingFence,
			"a release of the cluster's scope in the arrival after {first}: the block whose shared memory it accesses may end before"
		f.Performed = x.class.Kind == abi.AccessLoad && !x.async && d.Evidence.Consumed.Has(x.class.Site)
	default:
		f.Missing = "a barrier of the cluster after {first}: the block whose shared memory it accesses may end before"
	}
	d.reportEnd(x, d.BlockOf(of.index), event, f)
}

// reportEnd reports a race of an access to shared memory with an event in the life of a block; f says of which kind,
// and why.
func (d *State) reportEnd(x *remoteAccess, b *causality.Block, event detect.Event, f *evidence.Finding) {
	f.First, f.Second = d.Classes.NumberOf(x.class), d.Classes.NumberOf(accesses.Class{
		Kind: abi.AccessStore, Shared: true,
		Size: math.MaxUint32, Event: event,
	})
	f.FirstUnit, f.FirstLane, f.SecondUnit = x.thread.Unit, x.thread.Lane, unit(b.Number<<radixBits)
	_, n := x.class.Pieces()
	f.At, f.Since, f.Count = x.addr, x.at, (x.more+1)*uint64(n)
	d.Evidence.Add(f)
}
