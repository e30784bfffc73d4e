// Asynchronous operations and mbarriers.

package operations

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// An asynchronous operation acts as a thread of its own, whose clock begins with that of the thread that started it. It
// is not ordered before later operations of that thread until the thread has waited for it (PTX ISA, "Program Order of
// Asynchronous Operations"). The lanes of a warp share the units of a group.

// AsyncUnits are the units of a group of operations of a warp, or of an operation that signals an mbarrier: one for
// the reads of sources, one for the writes.
type AsyncUnits [2]unit

// The units of AsyncUnits.
const (
	AsyncReads = iota
	AsyncWrites
)

// asyncUse is the latest use of units by an operation that signals an mbarrier.
type asyncUse struct {
	AsyncUnits
	op    uint64
	lanes uint32 // of its threads
	at    stamp  // no access is later
}

// maxUsesAsked is the number of uses that a new operation asks whether their units can serve again.
const maxUsesAsked = 4

// asyncState holds the asynchronous operations of a warp.
type asyncState struct {
	Groups   [abi.AsyncKinds]AsyncGroups
	Matrices matrixGroups
	MapReads AsyncGroups // reads of tensor maps by loads, which bulk groups close, too
	own      asyncAccesses
	mapReads map[asyncOp]mapRead
	tensor   *tensorState          // nil without operations of tcgen05
	signals  map[uint64]AsyncUnits // by the number of the operation
	used     []asyncUse            // of the units of these operations
	op       uint64                // the latest operation
	Began    stamp                 // when that operation began

	ends map[asyncOp]*clock // in the papers' model: the clock when an operation began
}

// asyncOp identifies an asynchronous operation of a warp that completes on an mbarrier.
type asyncOp struct {
	number uint64
	lane   int
}

// AsyncGroups holds the groups of one kind, by lane. Groups of a lane complete in order, so that they share units: who
// knows of the accesses of a group knows of those of the groups before.
type AsyncGroups struct {
	units  [radix]AsyncUnits // the zero value when the lane has had no group
	open   uint32            // lanes that have begun a group
	waited [radix]*stamp     // when a thread has waited for the open group, 0 for never
	closed [radix][]closedGroup
	until  [radix]stamp // when the last group was closed that is not in the list any more
	read   [radix]int   // number of the closed groups whose sources the lane has waited for
	Wait   evidence.GroupWait
	Since  [radix]uint32 // number of groups that were closed since the latest wait
}

// closedGroup is the groups of a lane up to one that it has closed at a time, which is empty if it has no units.
type closedGroup struct {
	AsyncUnits
	at     stamp
	waited *stamp // when a thread has waited for it, 0 for never
}

// Join has the first lane in mask take part in its open group. It returns the units of the group, and the lanes in mask
// with the same units.
func (d *State) Join(w *causality.Warp, g *AsyncGroups, mask uint32) (u AsyncUnits, lanes uint32) {
	first := bits.TrailingZeros32(mask)
	if g.units[first] == (AsyncUnits{}) {
		u = d.newUnits(w)
		for m := mask; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros32(m); g.units[i] == (AsyncUnits{}) {
				g.units[i] = u
			}
		}
	}
	u, lanes = g.units[first], g.alike(mask)
	if begun := lanes &^ g.open; begun != 0 {
		for waited := new(stamp); begun != 0; begun &= begun - 1 {
			g.waited[bits.TrailingZeros32(begun)] = waited
		}
	}
	g.open |= lanes
	return u, lanes
}

// alike returns the lanes in mask with the units of the first one.
func (g *AsyncGroups) alike(mask uint32) (lanes uint32) {
	u := g.units[bits.TrailingZeros32(mask)]
	for ; mask != 0; mask &= mask - 1 {
		if g.units[bits.TrailingZeros32(mask)] == u {
			lanes |= mask & -mask
		}
	}
	return lanes
}

// opened returns the groups that a lane has had so far.
func (g *AsyncGroups) opened(lane int, now stamp) closedGroup {
	if g.open>>lane&1 == 0 {
		return closedGroup{at: now}
	}
	return closedGroup{g.units[lane], now, g.waited[lane]}
}

// unitsFor returns the two units of an operation that a warp begins and that signals an mbarrier. Units serve again when
// all threads that can wait for the later operation know of the accesses of the earlier one.
func (d *State) unitsFor(w *causality.Warp, async *asyncState) AsyncUnits {
	for range min(len(async.used), maxUsesAsked) {
		x := async.used[0]
		async.used = async.used[1:]
		if d.isKnown(&x, w) {
			delete(async.signals, x.op)
			return x.AsyncUnits
		}
		async.used = append(async.used, x)
	}
	return d.newUnits(w)
}

// isKnown reports whether all threads of the block of a warp know of all accesses of a use of units. False may mean
// unknown, as in clusters and in grids that threads launch.
func (d *State) isKnown(x *asyncUse, of *causality.Warp) bool {
	warps, size := of.Home.Warps, d.Launch.Block
	if d.Clustered || d.Grids > 1 || len(warps)*radix < int(size[0]*size[1]*size[2]) {
		return false
	}
	return !slices.ContainsFunc(warps, func(w *causality.Warp) bool {
		return w == nil || !w.AllKnow(x.AsyncUnits[AsyncReads], x.lanes, x.at) || !w.AllKnow(x.AsyncUnits[AsyncWrites], x.lanes, x.at)
	})
}

// newUnits allocates the two units of a group or operation of a warp.
func (d *State) newUnits(w *causality.Warp) AsyncUnits {
	var out AsyncUnits
	for i := range out {
		if d.asyncPlace == nil || d.asyncUsed == radix {
			d.asyncPlace = &causality.Place{Place: accesses.Place{Grid: w.At.Grid}, Owners: new([radix]unit)}
			d.asyncNumber, d.asyncUsed = d.NewPlace(d.asyncPlace), 0
		}
		d.asyncPlace.Owners[d.asyncUsed] = w.Unit
		out[i] = unit(d.asyncNumber<<radixBits | d.asyncUsed)
		d.asyncUsed++
	}
	return out
}

// PlaceFor returns the number of a new place, whose units belong to a warp.
func (d *State) PlaceFor(w *causality.Warp) uint32 {
	p := &causality.Place{Place: accesses.Place{Grid: w.At.Grid}, Owners: new([radix]unit)}
	for i := range p.Owners {
		p.Owners[i] = w.Unit
	}
	return d.NewPlace(p)
}

// BeginAsync sets the operation that an access of a warp belongs to. Time advances when it differs from the last one.
func (d *State) BeginAsync(w *causality.Warp, op uint64) *asyncState {
	async := d.asyncFor(w)
	if async.op != op || async.Began == 0 {
		d.Tick()
		async.op, async.Began = op, d.Now
	}
	return async
}

// AsyncOf returns the asynchronous operations of a warp, nil if it has had none.
func (d *State) AsyncOf(w *causality.Warp) *asyncState { return d.Asyncs.Of(w.Unit) }

// asyncFor returns the asynchronous operations of a warp, for callers that change them.
func (d *State) asyncFor(w *causality.Warp) *asyncState {
	x := d.Asyncs.Of(w.Unit)
	if x == nil {
		x = &asyncState{signals: make(map[uint64]AsyncUnits)}
		d.Asyncs.Set(w.Unit, x)
	}
	return x
}

// SignalUnits returns the units of an operation of a warp that signals an mbarrier, for an access by lanes.
func (d *State) SignalUnits(w *causality.Warp, async *asyncState, op uint64, lanes uint32) AsyncUnits {
	units, ok := async.signals[op]
	if !ok {
		units = d.unitsFor(w, async)
		async.signals[op] = units
		async.used = append(async.used, asyncUse{AsyncUnits: units, op: op})
	}
	if last := &async.used[len(async.used)-1]; last.op == op {
		last.lanes, last.at = last.lanes|lanes, d.Now
	}
	return units
}

// Commit closes the open groups of lanes.
func (d *State) Commit(ev *abi.Event) {
	w := d.ReleasingWarp(ev)
	async := d.asyncFor(w)
	if ev.Async == abi.AsyncTensor {
		w.Split()
		d.tensorCommit(ev, w)
		return
	}
	g := &async.Groups[ev.Async]
	if ev.Async == abi.AsyncMatrices {
		d.committedMatrices(ev, w, g)
		return
	}
	g.close(ev.Mask, d.Now)
	if ev.Async == abi.AsyncBulk {
		async.MapReads.close(ev.Mask, d.Now)
	}
	d.Tick()
}

// close closes the open groups of lanes. An empty group counts, too.
func (g *AsyncGroups) close(lanes uint32, at stamp) {
	for m := lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		g.closed[i] = append(g.closed[i], g.opened(i, at))
		g.Since[i]++
	}
	g.open &^= lanes
}

// Waited handles lanes that have waited for all but their latest groups.
func (d *State) Waited(ev *abi.Event) {
	w := d.ReleasingWarp(ev)
	async := d.AsyncOf(w)
	if async == nil {
		return
	}
	if ev.Async == abi.AsyncSignals {
		d.sourcesRead(ev, w, async)
		return
	}
	g := &async.Groups[ev.Async]
	g.noteWait(ev)
	if ev.Async == abi.AsyncMatrices {
		d.waitedMatrices(ev, w)
		return
	}
	d.waitedFor(ev, w, g)
	if ev.Async == abi.AsyncBulk {
		d.waitedFor(ev, w, &async.MapReads)
	}
	if ev.Async >= abi.AsyncTensorLoads {
		d.Tick()
	}
}

// waitedFor handles lanes that have waited for groups.
func (d *State) waitedFor(ev *abi.Event, w *causality.Warp, g *AsyncGroups) {
	for rest := ev.Mask; rest != 0; {
		lanes, done := g.waitedAlike(ev, rest)
		rest &^= lanes
		d.learnGroups(ev, w, lanes, done)
		for m := lanes; m != 0; m &= m - 1 {
			g.drop(bits.TrailingZeros32(m), len(done), ev.Mode == abi.BarrierRead)
		}
	}
}

// waitedAlike returns the groups that the first lane in mask has waited for, and the lanes that have waited for the same.
// A wait for sources is not for groups of which the lane has waited for the sources before.
func (g *AsyncGroups) waitedAlike(ev *abi.Event, mask uint32) (lanes uint32, done []closedGroup) {
	of := func(i int) []closedGroup {
		list, from := g.closed[i], 0
		if ev.Mode == abi.BarrierRead {
			from = g.read[i]
		}
		return list[from:max(from, len(list)-int(min(ev.Pending[i], uint32(len(list)))))]
	}
	done = slices.Clone(of(bits.TrailingZeros32(mask)))
	for ; mask != 0; mask &= mask - 1 {
		if slices.Equal(of(bits.TrailingZeros32(mask)), done) {
			lanes |= mask & -mask
		}
	}
	return lanes, done
}

// drop forgets the first n closed groups of a lane, or, with sources, that it has not waited for the sources of n more.
func (g *AsyncGroups) drop(lane, n int, sources bool) {
	if sources {
		g.read[lane] += n
		return
	}
	if n > 0 {
		g.until[lane] = g.closed[lane][n-1].at
	}
	g.closed[lane] = append(g.closed[lane][:0], g.closed[lane][n:]...)
	g.read[lane] = max(0, g.read[lane]-n)
}

// learnGroups has each of some lanes learn what its own operations in groups have done.
func (d *State) learnGroups(ev *abi.Event, w *causality.Warp, lanes uint32, groups []closedGroup) {
	sources := ev.Mode == abi.BarrierRead
	for _, x := range groups {
		if x.AsyncUnits == (AsyncUnits{}) {
			continue
		}
		d.Evidence.IsWaitedFor(x.AsyncUnits[AsyncReads], x.AsyncUnits[AsyncWrites], sources, x.at)
		w.LearnEach(x.AsyncUnits[AsyncReads], lanes, x.at)
		if !sources {
			w.LearnEach(x.AsyncUnits[AsyncWrites], lanes, x.at)
		}
		*x.waited = d.Now
		if ev.Async >= abi.AsyncTensorLoads {
			for m := lanes; m != 0; m &= m - 1 {
				i := bits.TrailingZeros32(m)
				d.tensorWaited(w, i, (*clock)(nil).With(completed(x, i, sources)))
			}
		}
	}
}

// sourcesRead handles a lane that has waited until an operation, which completes on an mbarrier, has read its sources
// (PTX ISA, "fabric.wait").
func (d *State) sourcesRead(ev *abi.Event, w *causality.Warp, async *asyncState) {
	if units, ok := async.signals[ev.Op]; ok {
		d.Evidence.IsWaitedFor(units[AsyncReads], units[AsyncWrites], true, d.Now)
		w.Learn(&d.Merges, ev.Mask, ev.Live, (*clock)(nil).With(completed(closedGroup{AsyncUnits: units, at: d.Now},
			bits.TrailingZeros32(ev.Mask), true)))
	}
}

// completed returns the clock of a lane's part of a completed group.
func completed(x closedGroup, lane int, sources bool) *vclock.Clock {
	if x.AsyncUnits == (AsyncUnits{}) {
		return nil
	}
	n := vclock.Threads(x.AsyncUnits[AsyncReads], 1<<lane, x.at)
	if !sources {
		n = vclock.Join(n, vclock.Threads(x.AsyncUnits[AsyncWrites], 1<<lane, x.at))
	}
	return n
}

// mbarrier is the state of an mbarrier object.
type mbarrier struct {
	phases [2]causality.Releases // releases by the arrivals in the latest phase of each parity
	tensor [2]*clock             // what those arrivals order for tcgen05, whatever their semantics
	parity uint32                // of the phase of the latest arrival

	handed [2][]handover // what the arrivals in the latest phase of each parity hand over

	home     uint32             // the block that initialised it
	made     accesses.Entry     // by mbarrier.init
	pending  []accesses.Entry   // complete-tx operations that mbarrier.inval may not follow
	arrivals [2]arrivals        // by parity
	narrow   [2][]narrowArrival // arrivals with block scope, for reports
}

// MbarrierAt returns the mbarrier at a lane's address, nil if none was initialised there.
func (d *State) MbarrierAt(w *causality.Warp, addr uint64) *mbarrier {
	return d.Mbarriers[d.SharedKey(w, addr)]
}

// AddToPhase adds a clock to what threads acquire that wait for the latest phase of a parity.
func (d *State) AddToPhase(w *causality.Warp, addr uint64, parity uint32, c *clock) {
	if b := d.MbarrierAt(w, addr); b != nil {
		b.phases[parity].AddAll(c)
	}
}

// SharedKey makes an address in shared memory unique among all clusters.
func (d *State) SharedKey(w *causality.Warp, addr uint64) sharedAddr {
	return sharedAddr{w.At.ClusterKey(), addr}
}

type sharedAddr struct{ cluster, addr uint64 }

// MbarrierEvent handles an operation on mbarriers.
func (d *State) MbarrierEvent(ev *abi.Event) {
	w := d.ReleasingWarp(ev)
	for rest := ev.Mask; rest != 0; {
		lanes := together(ev, w, rest)
		rest &^= lanes
		i := bits.TrailingZeros32(lanes)
		k := d.SharedKey(w, ev.Addr[i])
		b := d.Mbarriers[k]
		switch {
		case ev.Kind == abi.EventMbarrierInit:
			d.Mbarriers[k] = &mbarrier{home: w.Block(), made: d.objectEntry(ev, w, i)}
		case b == nil:
		case ev.Kind == abi.EventMbarrierInval:
			w.Split()
			d.endObject(ev, w, i, b)
			delete(d.Mbarriers, k)
		case ev.Kind == abi.EventMbarrierPass:
			d.passed(ev, w, lanes, b)
		default:
			d.arrived(ev, w, lanes, b)
		}
	}
	d.Tick()
}

// together returns the first lane in mask and the lanes after it that know the same and arrive at the same phase of an
// mbarrier, or wait for it. The lanes that initialise or invalidate mbarriers do so one by one.
func together(ev *abi.Event, w *causality.Warp, mask uint32) (lanes uint32) {
	first := bits.TrailingZeros32(mask)
	if ev.Kind == abi.EventMbarrierInit || ev.Kind == abi.EventMbarrierInval {
		return 1 << first
	}
	for m := w.LikeFirst(mask); m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m); ev.Addr[i] != ev.Addr[first] || (ev.Phases>>i^ev.Phases>>first)&1 != 0 {
			break
		}
		lanes |= m & -m
	}
	return lanes
}

// arrived handles the arrival of lanes, or of their copies, at a phase.
func (d *State) arrived(ev *abi.Event, w *causality.Warp, lanes uint32, b *mbarrier) {
	parity := ev.Phases >> bits.TrailingZeros32(lanes) & 1
	to := b.in(parity)
	switch {
	case ev.Kind == abi.EventMbarrierArrive:
		d.Evidence.MarkArrival(w.Unit, lanes, ev.Site)
		d.arriveAt(ev, w, lanes, to)
		b.noteArrivals(d, ev, w, lanes)
		if d.AsyncProxy {
			b.handOver(w.Unit, parity, w.All(lanes).With(vclock.Threads(w.Unit, lanes, d.Now)))
		}
		d.tensorArrived(b, parity, w, lanes)
	case d.Model.CopiesInPlace:
		d.arriveAt(ev, w, lanes, to)
	default:
		if c := d.copies(w, lanes); c != nil {
			to.AddClock(d.Threads, accesses.ReachBlock, w, c)
		}
	}
	for m := lanes; m != 0; m &= m - 1 {
		d.signalled(b, parity, w, bits.TrailingZeros32(m), w.Unit)
	}
}

// passed handles lanes that have waited for a phase.
func (d *State) passed(ev *abi.Event, w *causality.Warp, lanes uint32, b *mbarrier) {
	i := bits.TrailingZeros32(lanes)
	parity, reach := ev.Phases>>i&1, mbarrierReach(ev)
	for m := lanes; m != 0; m &= m - 1 {
		d.tensorPassed(w, bits.TrailingZeros32(m), b.tensor[parity])
	}
	b.takeOver(w, parity)
	d.learnsArrivals(b, ev.Addr[i], parity, w, lanes)
	seen := b.phases[parity].AcquiredBy(d.Threads, w, i)
	if ev.Sem != abi.SemRelaxed {
		b.noteUnheardBy(d, ev, w, lanes, seen[reach+1:])
	}
	clear(seen[reach+1:]) // arrivals at wider scopes are not observed
	if seen == (causality.Acquired{}) {
		return
	}
	w.Observe(&d.Merges, lanes, ev.Live, &seen)
	if ev.Sem != abi.SemRelaxed || d.Model.RelaxedOrders {
		w.Learn(&d.Merges, lanes, ev.Live, seen.Within(reach))
	}
}

// arriveAt records the arrival of lanes: a release, or a strong write after fences. Only threads within its scope
// observe it.
func (d *State) arriveAt(ev *abi.Event, w *causality.Warp, lanes uint32, to *causality.Releases) {
	if ev.Sem != abi.SemRelaxed || d.Model.RelaxedOrders {
		to.AddClock(d.Threads, mbarrierReach(ev), w, d.MetBy(w.All(lanes), vclock.Threads(w.Unit, lanes, d.Now)))
	}
	if p := w.PendingOf(bits.TrailingZeros32(lanes)); p.Fences != nil {
		for r, f := range p.Fences.Fenced {
			if f.At != 0 {
				to.AddClock(d.Threads, min(accesses.Reach(r), mbarrierReach(ev)), w,
					d.Merges.OfLanes(f, w.Unit, lanes))
			}
		}
	}
}

// mbarrierReach returns the scope of an operation on an mbarrier, block scope if it names none (PTX ISA,
// "mbarrier.arrive").
func mbarrierReach(ev *abi.Event) accesses.Reach {
	if ev.Scope == abi.ScopeNone {
		return accesses.ReachBlock
	}
	return accesses.ReachOf(ev.Scope)
}

// in returns the releases of the phase in progress, which has that parity.
func (b *mbarrier) in(parity uint32) *causality.Releases {
	if parity != b.parity {
		b.arrivals[parity^1].merge(&b.arrivals[parity])
		b.parity, b.phases[parity] = parity, causality.Releases{}
		b.tensor[parity], b.narrow[parity] = nil, b.narrow[parity][:0]
		b.handed[parity] = b.handed[parity][:0]
	}
	return &b.phases[parity]
}

// handover is what precedes the arrivals of a warp in a phase.
type handover struct {
	from   unit
	before *vclock.Clock
}

// handOver records what precedes an arrival of a warp. Another one that waits for the phase may then let asynchronous
// operations overwrite what was read (CrossesOpen).
func (b *mbarrier) handOver(from unit, parity uint32, before *clock) {
	list := b.handed[parity]
	for i := range list {
		if x := &list[i]; x.from == from {
			x.before = vclock.Join(x.before, before.Tree())
			return
		}
	}
	b.handed[parity] = append(list, handover{from, before.Tree()})
}

// takeOver handles the wait of a thread for a phase. What the warp itself has handed over is left out: it knew that
// before.
func (b *mbarrier) takeOver(w *causality.Warp, parity uint32) {
	for _, x := range b.handed[parity] {
		if x.from != w.Unit {
			w.Handed = vclock.Join(w.Handed, x.before)
		}
	}
}

// copies returns the clock of all cp.async groups of lanes.
func (d *State) copies(w *causality.Warp, lanes uint32) *clock {
	async := d.AsyncOf(w)
	if async == nil {
		return nil
	}
	g, c := &async.Groups[abi.AsyncCopies], new(clock)
	for ; lanes != 0; lanes &= lanes - 1 {
		i := bits.TrailingZeros32(lanes)
		c = c.With(completed(g.opened(i, d.Now), i, false))
		for _, x := range g.closed[i] {
			c = c.With(completed(x, i, false))
		}
	}
	return c
}
