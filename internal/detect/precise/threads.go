// Places and vector clocks of threads: scopes, warps, blocks, grids.

package precise

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// place is the position of a block, or of the asynchronous operations that share its numbers.
type place struct {
	accesses.Place
	home       *block       // while it runs
	mayRelease bool         // a thread of the block may have released accesses of the block to other blocks
	owners     *[radix]unit // of asynchronous operations: the warps that started them
}

// extent is the numbers of blocks of a grid, and of threads of its blocks.
type extent struct{ grid, block [3]uint32 }

// grid is a running grid.
type grid struct {
	number uint32
	by     *block // that launched it, nil for the host
	start  *clock // the initial vector clock of its threads
	blocks map[uint64]*block
	last   *block
	ends   *clock // the clock that its end releases, of the blocks and of the grids launched by its threads that have ended
	// queued has the clock that the end of the last grid in each stream of its own has released.
	queued map[stream]*clock
	launch *childGrid // that began it, nil for the host
}

// block is a running block.
type block struct {
	number   uint32 // of its units
	warps    []*warp
	barriers []*barrier // that threads have arrived at
	children *clock     // the accesses of grids that it launched and that have ended
}

// warp is a running warp.
type warp struct {
	unit    unit
	at      *place
	home    *block // nil in a replay
	touched uint32 // lanes that have accessed memory or acquired anything
	// clock is the vector clock of the lanes that are not in apart; lanes has the clocks of those in apart.
	clock   *clock
	lanes   *[radix]*clock // nil until some lane is apart
	apart   uint32
	pending *pendings // nil when no lane has anything pending
	// met is the latest time at which all threads of the block had arrived at a barrier that all live lanes of the warp
	// have passed; 0 for none.
	met   stamp
	since stamp // stamp of accesses from now on: none of its releases is later; 0 for now
	// handed is what preceded the arrivals of other warps at mbarriers that a thread of the warp has waited for; only
	// in programs that use the asynchronous proxy.
	handed  *vclock.Clock
	noted   uint32 // lanes whose current vector clock and fences are in Detector.contexts
	reports evidence.Warp
}

// block returns the number of the warp's block. A replayed warp has no home.
func (w *warp) block() uint32 { return uint32(w.unit >> radixBits) }

// of returns the vector clock of a lane.
func (w *warp) of(lane int) *clock {
	if w.apart>>lane&1 != 0 {
		return w.lanes[lane]
	}
	return w.clock
}

// someKnows reports whether the vector clock of a lane includes what a lane of a unit had done at a time.
func (w *warp) someKnows(u unit, lane int, at stamp) bool {
	if w.clock.Includes(u, lane, at) {
		return true
	}
	for m := w.apart; m != 0; m &= m - 1 {
		if w.lanes[bits.TrailingZeros32(m)].Includes(u, lane, at) {
			return true
		}
	}
	return false
}

// learn joins c into the clocks of the lanes in mask, using the cached merges.
func (w *warp) learn(m *merges, mask, live uint32, c *clock) {
	if c == nil {
		return
	}
	rest, own := mask&^w.apart, mask&w.apart
	if rest != 0 {
		switch all := m.Merge(w.clock, c); {
		case all == w.clock:
			if w.apart == 0 {
				return
			}
		case live&^w.apart&^mask == 0:
			w.clock, w.since = all, 0
			w.forgetContexts(^w.apart)
		default:
			w.know(rest, all)
		}
	}
	w.touched |= mask
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
	if w.apart != 0 {
		w.unite(live)
	}
}

// know gives the lanes in mask a separate clock.
func (w *warp) know(mask uint32, c *clock) {
	if w.lanes == nil {
		w.lanes = new([radix]*clock)
	}
	w.apart, w.since = w.apart|mask, 0
	w.forgetContexts(mask)
	for ; mask != 0; mask &= mask - 1 {
		w.lanes[bits.TrailingZeros32(mask)] = c
	}
}

// unite removes lanes from apart whose clock equals that of the other lanes.
func (w *warp) unite(live uint32) {
	if live != 0 && live&^w.apart == 0 {
		first := w.lanes[bits.TrailingZeros32(live)]
		for m := live; m != 0; m &= m - 1 {
			if w.lanes[bits.TrailingZeros32(m)] != first {
				return
			}
		}
		w.clock = first
	}
	for m := w.apart; m != 0; m &= m - 1 {
		if w.lanes[bits.TrailingZeros32(m)] == w.clock {
			w.apart &^= m & -m
		}
	}
	if w.apart&live == 0 {
		w.apart = 0 // lanes that have ended need no clock
	}
}

// all returns the join of the clocks of the lanes in mask.
func (w *warp) all(mask uint32) *clock {
	if w.apart == 0 {
		return w.clock
	}
	var c, last *clock
	if mask&^w.apart != 0 {
		c, last = w.clock, w.clock
	}
	for mask &= w.apart; mask != 0; mask &= mask - 1 {
		if l := w.lanes[bits.TrailingZeros32(mask)]; l != last {
			c, last = order.Merge(c, l), l
		}
	}
	return c
}

// rules is what the order of accesses depends on besides what the threads do.
type rules struct {
	model  model
	tuning tuning
	launch detect.Launch
	absent Absent
	wide   bool // all strong operations and fences reach all threads
	// observersAcquire says that each thread that observes a strong write acquires what its thread has released by
	// then, the write and what precedes it. What a thread observes then orders nothing that its clock does not.
	observersAcquire bool
	clustered        bool // a cluster may have several blocks
}

// runningGrids holds the grids of a launch.
type runningGrids struct {
	grid       *grid    // the running one
	outerGrids []*grid  // the grids whose threads have launched it
	nested     []extent // of the grids that threads have launched, from number 2 on
	grids      uint32   // so far
	launches   map[uint64]*childGrid
}

// threads holds the threads of a launch and their places, the current time, what orders accesses, and the limits that
// were exceeded.
type threads struct {
	rules
	runningGrids
	now        stamp
	events     uint32   // so far
	begun      uint32   // accesses begun so far, replayed ones included
	used       uint64   // bytes of the record of accesses
	overflowed bool     // the rest of the launch cannot be checked
	losses     []string // what was not checked, in all launches
	places     []*place // by the upper bits of units; number 0 is unused

	classes    []accesses.Class
	classIndex map[accesses.Class]uint32
	current    access

	merges       merges
	inheritances inheritances
	maps         mapFences
	subsumed     subsumptionTable
	older        bool // the read in progress is of an older store
	unresolved   map[thread][]unresolvedAccess
	lockSets     lockSets // of the papers' memory model
	slabs

	evidence evidence.Evidence // data for the explanations in reports, and counts of races
}

// begin begins a launch.
func (d *threads) begin(l detect.Launch, asked evidence.Execution) {
	*d = threads{
		rules:        rules{model: d.model, tuning: d.tuning, launch: l, absent: d.absent, clustered: l.Clustered()},
		runningGrids: runningGrids{launches: make(map[uint64]*childGrid)},
		now:          1, places: []*place{{}}, losses: d.losses, slabs: d.slabs,
		classes: make([]accesses.Class, 1), classIndex: make(map[accesses.Class]uint32),
		evidence: evidence.New(asked, d.tuning.takes(knownCauses), &d.evidence),
	}
	if d.tuning.weak = 0; l.Weak {
		d.tuning.weak = latestStrong
	}
	d.wide = d.absent.NarrowScopes && !d.clustered && !d.model.fencesOrder
	d.observersAcquire = d.wide && d.absent.RelaxedWrites && d.absent.RelaxedReads
	d.merges.Beside = d.observersAcquire || d.tuning.joins.Always
	d.merges.Lazy = d.tuning.joins
}

// tracksLives reports whether the running grid has clusters whose blocks are tracked: those of grids that threads
// launch are not.
func (d *threads) tracksLives() bool {
	return d.launch.Ranked && d.grids == 1 && d.launch.Clustered()
}

// uses adds to the size of the record of accesses.
func (d *threads) uses(n uintptr) { d.used += uint64(n) }

// unuses subtracts what is not kept any more from the record's size.
func (d *threads) unuses(n uintptr) { d.used -= min(d.used, uint64(n)) }

// childGrid is a grid launched by a thread.
type childGrid struct {
	by    *block
	of    *grid // by's
	in    stream
	start *clock
}

// stream is a stream of a grid, into which its threads put grids.
type stream struct {
	handle uint64
	block  uint32 // the number of the block to whose threads it belongs, 0 for streams of the grid
}

// giveUp records that something cannot be checked.
func (d *threads) giveUp(loss string) {
	if !slices.Contains(d.losses, loss) {
		d.losses = append(d.losses, loss)
	}
}

// own returns a clock of all accesses of the lanes in mask so far. The caller must call tick.
func (d *threads) own(w *warp, mask uint32) *vclock.Clock {
	if w.touched&^mask == 0 {
		mask = 1<<radix - 1
	}
	return vclock.Threads(w.unit, mask, d.now)
}

// release returns the clock that threads acquire when they synchronise with the lanes in mask.
func (d *threads) release(w *warp, mask uint32) *clock {
	c := d.metBy(w.all(mask), d.own(w, mask))
	d.tick()
	return c
}

// tick advances the time: later accesses are not part of what was released.
func (d *threads) tick() {
	if d.now++; d.now == 1<<32-1 {
		d.giveUp("the rest of a launch after 2^32 synchronisations")
		d.overflowed = true
	}
}

// stampOf returns the stamp of the entries of an access. Each strong write of a location has a stamp of its own. Other
// accesses need a new stamp only after a release by the warp, so that accesses between two synchronisations share one.
func (d *threads) stampOf(a *access) stamp {
	if a.Async != abi.Synchronous || a.Strong && a.Writes() {
		return d.now
	}
	if a.warp.since == 0 {
		a.warp.since = d.now
	}
	return a.warp.since
}

// warpOf returns the warp of an event other than an access. The event may release what the warp has done so far.
func (d *threads) warpOf(ev *abi.Event) *warp {
	w := d.warpAt(ev)
	w.since = 0
	return w
}

// warpAt returns the warp of an event.
func (d *threads) warpAt(ev *abi.Event) *warp { return d.warpIn(ev.Block, ev.Cluster, ev.Warp) }

// warpIn returns a warp of a block of a cluster.
func (d *threads) warpIn(block, cluster uint64, number uint32) *warp {
	b := d.blockOf(block)
	for int(number) >= len(b.warps) {
		b.warps = append(b.warps, nil)
	}
	w := b.warps[number]
	if w == nil {
		at := d.places[b.number]
		at.Cluster = cluster
		w = &warp{unit: unit(b.number<<radixBits | number), at: at, home: b, clock: d.grid.start}
		w.reports.Unit = w.unit
		b.warps[number] = w
	}
	return w
}

func (d *threads) blockOf(index uint64) *block {
	g := d.grid
	if g.last != nil && d.places[g.last.number].Block == index {
		return g.last
	}
	b := g.blocks[index]
	if b == nil {
		p := &place{Place: accesses.Place{Grid: g.number, Block: index}}
		b = &block{number: d.newPlace(p)}
		p.home = b
		g.blocks[index] = b
	}
	g.last = b
	return b
}

// warpOfUnit returns the running warp of a unit, nil if it has ended.
func (d *threads) warpOfUnit(u unit) *warp {
	home := d.places[u>>radixBits].home
	if home == nil || int(u%radix) >= len(home.warps) {
		return nil
	}
	return home.warps[u%radix]
}

// newPlace numbers a block, or a group of asynchronous operations.
func (d *threads) newPlace(p *place) uint32 {
	if len(d.places) == order.MaxBlocks {
		d.giveUp("the rest of a launch after 2^25 blocks")
		d.overflowed = true
		return order.MaxBlocks - 1
	}
	d.places = append(d.places, p)
	return uint32(len(d.places) - 1)
}
