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

// asyncUse is the latest use of units: by a closed group, or by an operation that signals an mbarrier.
type asyncUse struct {
	AsyncUnits
	lanes uint32 // of its threads
	at    stamp  // no access is later
	op    uint64 // number of the operation; 0 for a group
	reads bool   // there are no writes
}

// maxUsesAsked is the number of uses that a new group or operation asks whether their units can serve again.
const maxUsesAsked = 4

// asyncState holds the asynchronous operations of a warp.
type asyncState struct {
	Groups   [abi.AsyncKinds]AsyncGroups
	Matrices matrixGroups
	own      asyncAccesses
	mapReads map[asyncOp]mapRead
	tensor   *tensorState          // nil without operations of tcgen05
	signals  map[uint64]AsyncUnits // by the number of the operation
	used     []asyncUse            // earlier uses of units
	op       uint64                // the latest operation
	Began    stamp                 // when that operation began

	ends map[asyncOp]*clock // in the papers' model: the clock when an operation began
}

// asyncOp identifies an asynchronous operation of a warp that completes on an mbarrier.
type asyncOp struct {
	number uint64
	lane   int
}

// AsyncGroups holds the groups of one kind, by lane.
type AsyncGroups struct {
	Open   [radix]AsyncUnits // the zero value when the lane has none
	closed [radix][]closedGroup
	Wait   evidence.GroupWait
	Since  [radix]uint32 // number of groups that were closed since the latest wait
}

// closedGroup is a group that a lane has closed at a time. The units may serve later groups as well.
type closedGroup struct {
	AsyncUnits
	at stamp
}

// UnitsFor returns the two units of a group or operation that a warp begins. Units serve again when each thread of
// their last use knows of its own accesses then: who learns of the later accesses learns of those as well.
func (d *State) UnitsFor(w *causality.Warp) AsyncUnits {
	async := d.AsyncOf(w)
	for range min(len(async.used), maxUsesAsked) {
		x := async.used[0]
		async.used = async.used[1:]
		if x.isKnown(w) {
			delete(async.signals, x.op)
			return x.AsyncUnits
		}
		async.used = append(async.used, x)
	}
	return d.newUnits(w)
}

// isKnown reports whether each thread of a use of units knows of its own accesses.
func (x *asyncUse) isKnown(w *causality.Warp) bool {
	for m := x.lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		c := w.Of(i)
		if !c.Includes(x.AsyncUnits[AsyncReads], i, x.at) || !x.reads && !c.Includes(x.AsyncUnits[AsyncWrites], i, x.at) {
			return false
		}
	}
	return true
}

// closed records that lanes have closed a group, so that its units may serve again when no other lane has it open.
func (x *asyncState) closed(g *AsyncGroups, use asyncUse) {
	if use.AsyncUnits != (AsyncUnits{}) && !slices.Contains(g.Open[:], use.AsyncUnits) {
		x.used = append(x.used, use)
	}
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
		units = d.UnitsFor(w)
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
	w := d.WarpOf(ev)
	async := d.asyncFor(w)
	if ev.Async == abi.AsyncTensor {
		d.SettleWaits(w)
		d.tensorCommit(ev, w)
		return
	}
	if ev.Async == abi.AsyncMatrices {
		d.committedMatrices(ev, w)
		return
	}
	g := &async.Groups[ev.Async]
	for rest := ev.Mask; rest != 0; {
		units := g.Open[bits.TrailingZeros32(rest)]
		lanes := g.opened(units, rest)
		rest &^= lanes
		for m := lanes; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m)
			g.closed[i] = append(g.closed[i], closedGroup{units, d.Now}) // an empty group counts too
			g.Open[i] = AsyncUnits{}
			g.Since[i]++
		}
		if ev.Async < abi.AsyncTensor {
			async.closed(g, asyncUse{AsyncUnits: units, lanes: lanes, at: d.Now})
		}
	}
	d.Tick()
}

// Waited handles lanes that have waited for all but their latest groups.
func (d *State) Waited(ev *abi.Event) {
	w := d.WarpOf(ev)
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
	for rest := ev.Mask; rest != 0; {
		lanes, list := g.takeDone(ev, rest)
		rest &^= lanes
		d.waitedFor(ev, w, lanes, list)
	}
	if ev.Async >= abi.AsyncTensorLoads {
		d.Tick()
	}
}

// opened returns the lanes in mask that have a group open.
func (g *AsyncGroups) opened(units AsyncUnits, mask uint32) (lanes uint32) {
	for m := mask; m != 0; m &= m - 1 {
		if g.Open[bits.TrailingZeros32(m)] == units {
			lanes |= m & -m
		}
	}
	return lanes
}

// takeDone returns the groups that the first lane in mask has waited for, and the lanes that have waited for the same.
// It drops the groups, unless the lanes have only waited until their sources were read.
func (g *AsyncGroups) takeDone(ev *abi.Event, mask uint32) (lanes uint32, done []closedGroup) {
	done = slices.Clone(g.doneOf(ev, bits.TrailingZeros32(mask)))
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if !slices.Equal(g.doneOf(ev, i), done) {
			continue
		}
		lanes |= 1 << i
		if ev.Mode != abi.BarrierRead {
			g.closed[i] = append(g.closed[i][:0], g.closed[i][len(done):]...)
		}
	}
	return lanes, done
}

// doneOf returns the groups that a lane has waited for.
func (g *AsyncGroups) doneOf(ev *abi.Event, lane int) []closedGroup {
	list := g.closed[lane]
	return list[:len(list)-int(min(ev.Pending[lane], uint32(len(list))))]
}

// waitedFor handles lanes that have waited for groups: each knows of its own part of them.
func (d *State) waitedFor(ev *abi.Event, w *causality.Warp, lanes uint32, list []closedGroup) {
	sources := ev.Mode == abi.BarrierRead
	for _, x := range list {
		d.Evidence.IsWaitedFor(x.AsyncUnits[AsyncReads], x.AsyncUnits[AsyncWrites], sources, x.at)
		if x.AsyncUnits == (AsyncUnits{}) {
			continue
		}
		if ev.Async < abi.AsyncTensorLoads {
			w.Wait(x.AsyncUnits[AsyncReads], lanes, ev.Live, x.at)
			if !sources {
				w.Wait(x.AsyncUnits[AsyncWrites], lanes, ev.Live, x.at)
			}
			continue
		}
		d.Tensor.done(x.AsyncUnits, d.Now)
		for m := lanes; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m)
			c := (*clock)(nil).With(completed(x, i, sources))
			w.Learn(&d.Merges, 1<<i, ev.Live, c)
			d.tensorWaited(w, i, c)
		}
	}
}

// sourcesRead handles a lane that has waited until an operation, which completes on an mbarrier, has read its sources
// (PTX ISA, "fabric.wait").
func (d *State) sourcesRead(ev *abi.Event, w *causality.Warp, async *asyncState) {
	if units, ok := async.signals[ev.Op]; ok {
		d.Evidence.IsWaitedFor(units[AsyncReads], units[AsyncWrites], true, d.Now)
		w.Learn(&d.Merges, ev.Mask, ev.Live, (*clock)(nil).With(completed(closedGroup{units, d.Now},
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
	w := d.WarpOf(ev)
	for m := ev.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		k := d.SharedKey(w, ev.Addr[i])
		switch ev.Kind {
		case abi.EventMbarrierInit:
			d.Mbarriers[k] = &mbarrier{home: w.Block(), made: d.objectEntry(ev, w, i)}
			continue
		case abi.EventMbarrierInval:
			d.endObject(ev, w, i, d.Mbarriers[k])
			delete(d.Mbarriers, k)
			continue
		}
		b := d.Mbarriers[k]
		if b == nil {
			continue
		}
		switch ev.Kind {
		case abi.EventMbarrierArrive:
			d.Evidence.MarkArrival(w.Unit, 1<<i, ev.Site)
			d.arriveAt(ev, w, i, b.in(ev.Phases>>i&1))
			b.noteArrival(d, ev, w, i)
			if d.AsyncProxy {
				b.handOver(w.Unit, ev.Phases>>i&1, w.Of(i).With(vclock.Threads(w.Unit, 1<<i, d.Now)))
			}
			d.tensorArrived(b, ev.Phases>>i&1, w, i)
			d.signalled(b, ev.Phases>>i&1, w, i, w.Unit)
		case abi.EventMbarrierCopyArrive:
			d.signalled(b, ev.Phases>>i&1, w, i, w.Unit)
			if d.Model.CopiesInPlace {
				d.arriveAt(ev, w, i, b.in(ev.Phases>>i&1))
				continue
			}
			b.in(ev.Phases>>i&1).AddClock(d.Threads, accesses.ReachBlock, w, d.copies(w, i))
		case abi.EventMbarrierPass:
			d.tensorPassed(w, i, b.tensor[ev.Phases>>i&1])
			b.takeOver(w, ev.Phases>>i&1)
			d.learnsArrivals(b, ev.Addr[i], ev.Phases>>i&1, w, i)
			h := &b.phases[ev.Phases>>i&1]
			seen := h.AcquiredBy(d.Threads, w, i)
			if ev.Sem != abi.SemRelaxed {
				b.noteUnheardBy(d, ev, w, i, seen[mbarrierReach(ev)+1:])
			}
			clear(seen[mbarrierReach(ev)+1:]) // arrivals at wider scopes are not observed
			w.PendingFor(i).Seen.Merge(&d.Merges, &seen)
			if ev.Sem != abi.SemRelaxed || d.Model.RelaxedOrders {
				w.Learn(&d.Merges, 1<<i, ev.Live, seen.Within(mbarrierReach(ev)))
			}
		}
	}
	d.Tick()
}

// arriveAt records the arrival of a lane: a release, or a strong write after fences. Only threads within its scope
// observe it.
func (d *State) arriveAt(ev *abi.Event, w *causality.Warp, lane int, to *causality.Releases) {
	if ev.Sem != abi.SemRelaxed || d.Model.RelaxedOrders {
		to.AddClock(d.Threads, mbarrierReach(ev), w, d.MetBy(w.Of(lane), vclock.Threads(w.Unit, 1<<lane, d.Now)))
	}
	if p := w.PendingOf(lane); p.Fences != nil {
		for r, f := range p.Fences.Fenced {
			if f.At != 0 {
				to.AddClock(d.Threads, min(accesses.Reach(r), mbarrierReach(ev)), w,
					d.Merges.Of(f, thread{Unit: w.Unit, Lane: uint8(lane)}))
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

// copies returns the clock of all cp.async groups of a lane.
func (d *State) copies(w *causality.Warp, lane int) *clock {
	async := d.AsyncOf(w)
	if async == nil {
		return nil
	}
	g := &async.Groups[abi.AsyncCopies]
	c := new(clock).With(completed(closedGroup{g.Open[lane], d.Now}, lane, false))
	for _, x := range g.closed[lane] {
		c = c.With(completed(x, lane, false))
	}
	return c
}
