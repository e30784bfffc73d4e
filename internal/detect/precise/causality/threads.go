// Places and vector clocks of threads: scopes, warps, blocks, grids.

package causality

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// forgetContexts says that the contexts of lanes change: they are recorded again before the next access.
func (w *Warp) forgetContexts(lanes uint32) { w.Noted &^= lanes }

// Place is the position of a block, or of the asynchronous operations that share its numbers.
type Place struct {
	accesses.Place
	Home       *Block       // while it runs
	MayRelease bool         // a thread of the block may have released accesses of the block to other blocks
	Owners     *[radix]unit // of asynchronous operations: the warps that started them
}

// extent is the numbers of blocks of a grid, and of threads of its blocks.
type extent struct{ Grid, Block [3]uint32 }

// grid is a running grid.
type grid struct {
	number uint32
	by     *Block // that launched it, nil for the host
	start  *clock // the initial vector clock of its threads
	Blocks map[uint64]*Block
	Last   *Block
	ends   *clock // the clock that its end releases, of the blocks and of the grids launched by its threads that have ended
	// queued has the clock that the end of the last grid in each stream of its own has released.
	queued map[stream]*clock
	launch *childGrid // that began it, nil for the host
	// ClusterBlocks is the number of blocks of a cluster, 0 if it is unknown.
	ClusterBlocks uint32
}

// Block is a running block.
type Block struct {
	Number   uint32 // of its units
	Warps    []*Warp
	barriers []*barrier // that threads have arrived at
	Children *clock     // the accesses of grids that it launched and that have ended
	let      bool       // it has let dependent launches begin
	heard    bool       // its threads may have learned what other blocks have done
}

// Warp is a running warp.
type Warp struct {
	Unit    unit
	At      *Place
	Home    *Block // nil in a replay
	Touched uint32 // lanes that have accessed memory or acquired anything
	// clock is the vector clock of the lanes that are not in apart; lanes has the clocks of those in apart.
	Clock   *clock
	lanes   *[radix]*clock // nil until some lane is apart
	Apart   uint32
	parts   []part    // what lanes know besides
	gone    *clock    // what lanes knew that have ended and have no clock any more
	Pending *Pendings // nil when no lane has anything pending
	// met is the latest time at which all threads of the block had arrived at a barrier that all live lanes of the warp
	// have passed; 0 for none.
	met   stamp
	Since stamp // stamp of accesses from now on: none of its releases is later; 0 for now
	// handed is what preceded the arrivals of other warps at mbarriers that a thread of the warp has waited for; only
	// in programs that use the asynchronous proxy.
	Handed  *vclock.Clock
	Noted   uint32 // lanes whose current vector clock and fences are in the contexts of package shadow
	flushes []flush
	reports evidence.Warp
}

// Block returns the number of the warp's block. A replayed warp has no home.
func (w *Warp) Block() uint32 { return uint32(w.Unit >> radixBits) }

// Of returns the vector clock of a lane, without its parts.
func (w *Warp) Of(lane int) *clock {
	if w.Apart>>lane&1 != 0 {
		return w.lanes[lane]
	}
	return w.Clock
}

// SomeKnows reports whether the vector clock of a lane includes what a lane of a unit had done at a time.
func (w *Warp) SomeKnows(u unit, lane int, at stamp) bool {
	if w.Clock.Includes(u, lane, at) || w.gone.Includes(u, lane, at) || w.partHas(u, lane, at, false) {
		return true
	}
	last := w.Clock
	for m := w.Apart; m != 0; m &= m - 1 {
		c := w.lanes[bits.TrailingZeros32(m)]
		if c != last && c.Includes(u, lane, at) {
			return true
		}
		last = c
	}
	return false
}

// AllKnow reports whether the vector clocks of all lanes include what some lanes of a unit had done at a time.
func (w *Warp) AllKnow(u unit, lanes uint32, at stamp) bool {
	last := w.Clock
	if ^w.Apart != 0 && !last.IncludesAll(u, lanes, at) {
		return false
	}
	for m := w.Apart; m != 0; m &= m - 1 {
		if c := w.lanes[bits.TrailingZeros32(m)]; c != last {
			if last = c; !c.IncludesAll(u, lanes, at) {
				return false
			}
		}
	}
	return true
}

// Knows reports whether the vector clock of a thread of the block includes what a lane of a unit had done at a time.
func (b *Block) Knows(u unit, lane int, at stamp) bool {
	return slices.ContainsFunc(b.Warps, func(w *Warp) bool { return w != nil && w.SomeKnows(u, lane, at) })
}

// Learn joins c into the clocks of the lanes in mask, using the cached merges.
func (w *Warp) Learn(m *merges, mask, live uint32, c *clock) {
	if c == nil {
		return
	}
	rest, own := mask&^w.Apart, mask&w.Apart
	if rest != 0 {
		switch all := m.Merge(w.Clock, c); {
		case all == w.Clock:
			if w.Apart == 0 {
				return
			}
		case live&^w.Apart&^mask == 0:
			w.Clock, w.Since = all, 0
			w.forgetContexts(^w.Apart)
		default:
			w.know(rest, all)
		}
	}
	w.Touched |= mask
	last, all := (*clock)(nil), c // usually most lanes have the same
	for ; own != 0; own &= own - 1 {
		l := w.lanes[bits.TrailingZeros32(own)]
		if l != last {
			last, all = l, m.Merge(l, c)
		}
		if all != l {
			w.know(own&-own, all)
		}
	}
	if w.Apart != 0 {
		w.unite(live)
	}
	w.dropParts()
}

// know gives the lanes in mask a separate clock.
func (w *Warp) know(mask uint32, c *clock) {
	if w.lanes == nil {
		w.lanes = new([radix]*clock)
	}
	w.Apart, w.Since = w.Apart|mask, 0
	w.forgetContexts(mask)
	for ; mask != 0; mask &= mask - 1 {
		w.lanes[bits.TrailingZeros32(mask)] = c
	}
}

// unite removes lanes from apart whose clock equals that of the other lanes.
func (w *Warp) unite(live uint32) {
	if live != 0 && live&^w.Apart == 0 {
		first := w.lanes[bits.TrailingZeros32(live)]
		for m := live; m != 0; m &= m - 1 {
			if w.lanes[bits.TrailingZeros32(m)] != first {
				return
			}
		}
		if ^w.Apart&^live != 0 {
			w.gone = order.Merge(w.gone, w.Clock)
		}
		w.Clock = first
	}
	for m := w.Apart; m != 0; m &= m - 1 {
		if w.lanes[bits.TrailingZeros32(m)] == w.Clock {
			w.Apart &^= m & -m
		}
	}
	if w.Apart&live == 0 {
		for ; w.Apart != 0; w.Apart &= w.Apart - 1 { // lanes that have ended need no clock
			w.gone = order.Merge(w.gone, w.lanes[bits.TrailingZeros32(w.Apart)])
		}
	}
}

// All returns the join of the clocks of the lanes in mask.
func (w *Warp) All(mask uint32) *clock {
	if w.Apart == 0 {
		return w.withParts(w.Clock, mask)
	}
	var c, last *clock
	if mask&^w.Apart != 0 {
		c, last = w.Clock, w.Clock
	}
	for m := mask & w.Apart; m != 0; m &= m - 1 {
		if l := w.lanes[bits.TrailingZeros32(m)]; l != last {
			c, last = order.Merge(c, l), l
		}
	}
	return w.withParts(c, mask)
}

// rules is what the order of accesses depends on besides what the threads do.
type rules struct {
	Model  options.Model
	Tuning options.Tuning
	Launch detect.Launch
	Absent options.Absent
	wide   bool // all strong operations and fences reach all threads
	// ObserversAcquire says that each thread that observes a strong write acquires what its thread has released by
	// then, the write and what precedes it. What a thread observes then orders nothing that its clock does not.
	ObserversAcquire bool
	Keeping          bool // under strong memory, Keep keeps what a location was before each store
	Clustered        bool // a cluster may have several blocks
}

// gridStack holds the grids of a launch of the host that are running.
type gridStack struct {
	Grid       *grid   // the running one
	OuterGrids []*grid // the grids whose threads have launched it
	launches   map[uint64]*childGrid
}

// Threads holds the threads of a launch and their places, the current time, what orders accesses, and the limits that
// were exceeded.
type Threads struct {
	rules
	gridStack
	relatedLaunches
	Nested     []extent // of grids from number 2 on
	Grids      uint32   // so far
	Now        stamp
	Events     uint32 // so far
	Begun      uint32 // accesses begun so far, replayed ones included
	Used       accesses.Bytes
	Overflowed bool     // the rest of the launch cannot be checked
	Losses     []string // what was not checked, in all launches
	Places     []*Place // by the upper bits of units; number 0 is unused

	Classes accesses.Classes
	Current Access

	Merges       merges
	known        [1 << knownBits]knownTimes
	inheritances inheritances
	Maps         MapFences
	Subsumed     subsumptionTable
	older        bool // the read in progress is of an older store
	unresolved   map[thread][]unresolvedAccess
	LockSets     lockSets // of the papers' memory model
	Slabs

	Evidence evidence.Evidence // data for the explanations in reports, and counts of races
}

// Begin begins a launch.
func (d *Threads) Begin(l detect.Launch, asked evidence.Execution) {
	*d = Threads{
		rules:     rules{Model: d.Model, Tuning: d.Tuning, Launch: l, Absent: d.Absent, Clustered: l.Clustered()},
		gridStack: newGridStack(), Now: 1, Places: []*Place{{}}, Losses: d.Losses, Slabs: d.Slabs,
		Classes:  accesses.NewClasses(),
		Evidence: evidence.New(asked, &d.Classes, &d.Used, d.Tuning.Takes(options.KnownCauses), &d.Evidence),
	}
	d.Evidence.Clustered = d.Clustered
	if d.Tuning.Weak = 0; l.Weak {
		d.Tuning.Weak = latestStrong
	}
	d.wide = d.Absent.NarrowScopes && !d.Clustered && !d.Model.FencesOrder
	d.ObserversAcquire = d.wide && d.Absent.RelaxedWrites && d.Absent.RelaxedReads
	d.Merges.Beside = d.ObserversAcquire || d.Tuning.Joins.Always
	d.Merges.Lazy = d.Tuning.Joins
}

// TracksLives reports whether the running grid has clusters whose blocks are tracked: those of grids that threads
// launch are not.
func (d *Threads) TracksLives() bool {
	return d.Launch.Ranked && d.Grids == 1 && d.Launch.Clustered()
}

// BlockSize returns the numbers of threads of a block of a grid.
func (d *Threads) BlockSize(grid uint32) [3]uint32 {
	if grid < 2 {
		return d.Launch.Block
	}
	return d.Nested[grid-2].Block
}

// childGrid is a grid launched by a thread.
type childGrid struct {
	by    *Block
	of    *grid // by's
	in    stream
	start *clock
}

// stream is a stream of a grid, into which its threads put grids.
type stream struct {
	handle uint64
	block  uint32 // the number of the block to whose threads it belongs, 0 for streams of the grid
}

// GiveUp records that something cannot be checked.
func (d *Threads) GiveUp(loss string) {
	if !slices.Contains(d.Losses, loss) {
		d.Losses = append(d.Losses, loss)
	}
}

// own returns a clock of all accesses of the lanes in mask so far. The caller must call tick.
func (d *Threads) own(w *Warp, mask uint32) *vclock.Clock {
	if w.Touched&^mask == 0 {
		mask = 1<<radix - 1
	}
	return vclock.Threads(w.Unit, mask, d.Now)
}

// release returns the clock that threads acquire when they synchronise with the lanes in mask.
func (d *Threads) release(w *Warp, mask uint32) *clock {
	c := d.MetBy(w.All(mask), d.own(w, mask))
	d.Tick()
	return c
}

// Tick advances the time: later accesses are not part of what was released.
func (d *Threads) Tick() {
	if d.Now++; d.Now == 1<<32-1 {
		d.GiveUp("the rest of a launch after 2^32 synchronisations")
		d.Overflowed = true
	}
}

// StampOf returns the stamp of the entries of an access. Each strong write of a location has a stamp of its own. Other
// accesses need a new stamp only after a release by the warp, so that accesses between two synchronisations share one.
func (d *Threads) StampOf(a *Access) stamp {
	if a.Async != abi.Synchronous || a.Strong && a.Writes() {
		return d.Now
	}
	if a.Warp.Since == 0 {
		a.Warp.Since = d.Now
	}
	return a.Warp.Since
}

// WarpOf returns the warp of an event other than an access. The event may release what the warp has done so far.
func (d *Threads) WarpOf(ev *abi.Event) *Warp {
	w := d.WarpAt(ev)
	w.Since = 0
	return w
}

// WarpAt returns the warp of an event. Lanes with parts have clocks of their own from then on.
func (d *Threads) WarpAt(ev *abi.Event) *Warp {
	w := d.UnsplitWarp(ev)
	w.Split()
	return w
}

// ReleasingWarp returns the warp of an event that may release what the warp has done so far. Its lanes may have parts.
func (d *Threads) ReleasingWarp(ev *abi.Event) *Warp {
	w := d.UnsplitWarp(ev)
	w.Since = 0
	return w
}

// UnsplitWarp returns the warp of an event. Its lanes may have parts beside their clocks.
func (d *Threads) UnsplitWarp(ev *abi.Event) *Warp {
	return d.UnsplitWarpIn(ev.Block, ev.Cluster, ev.Warp)
}

// UnsplitWarpIn returns a warp of a block of a cluster. Its lanes may have parts beside their clocks.
func (d *Threads) UnsplitWarpIn(block, cluster uint64, number uint32) *Warp {
	b := d.BlockOf(block)
	for int(number) >= len(b.Warps) {
		b.Warps = append(b.Warps, nil)
	}
	w := b.Warps[number]
	if w == nil {
		at := d.Places[b.Number]
		at.Cluster = cluster
		w = &Warp{Unit: unit(b.Number<<radixBits | number), At: at, Home: b, Clock: d.Grid.start}
		w.reports.Unit = w.Unit
		b.Warps[number] = w
	}
	return w
}

// BlockOf returns the block of an index in the running grid.
func (d *Threads) BlockOf(index uint64) *Block {
	g := d.Grid
	if g.Last != nil && d.Places[g.Last.Number].Block == index {
		return g.Last
	}
	b := g.Blocks[index]
	if b == nil {
		p := &Place{Place: accesses.Place{Device: d.device(), Grid: g.number, Block: index}}
		b = &Block{Number: d.NewPlace(p)}
		p.Home = b
		g.Blocks[index] = b
	}
	g.Last = b
	return b
}

// WarpOfUnit returns the running warp of a unit, nil if it has ended.
func (d *Threads) WarpOfUnit(u unit) *Warp {
	home := d.Places[u>>radixBits].Home
	if home == nil || int(u%radix) >= len(home.Warps) {
		return nil
	}
	return home.Warps[u%radix]
}

// NewPlace numbers a block, or a group of asynchronous operations.
func (d *Threads) NewPlace(p *Place) uint32 {
	if len(d.Places) == order.MaxBlocks {
		d.GiveUp("the rest of a launch after 2^25 blocks")
		d.Overflowed = true
		return order.MaxBlocks - 1
	}
	d.Places = append(d.Places, p)
	return uint32(len(d.Places) - 1)
}
