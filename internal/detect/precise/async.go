// Asynchronous operations and mbarriers.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// An asynchronous operation acts as a thread of its own, whose clock begins with that of the thread that started it. It
// is not ordered before later operations of that thread until the thread has waited for it (PTX ISA, "Program Order of
// Asynchronous Operations"). For each group of operations, or for each operation that signals an mbarrier, the lanes of
// a warp share two units: one for the reads of sources, one for the writes.
type asyncUnits [2]unit

const (
	asyncReads = iota
	asyncWrites
)

// asyncState holds the asynchronous operations of a warp.
type asyncState struct {
	groups   [abi.AsyncKinds]asyncGroups
	matrices matrixGroups
	own      ownAccesses
	mapReads map[asyncOp]mapRead
	tensor   *tensorState          // nil without operations of tcgen05
	signals  map[uint64]asyncUnits // by the number of the operation
	op       uint64                // the latest operation
	began    stamp                 // when that operation began

	ends map[asyncOp]*clock // in the papers' model: the clock when an operation began
}

// asyncOp identifies an asynchronous operation of a warp that completes on an mbarrier.
type asyncOp struct {
	number uint64
	lane   int
}

// asyncGroups holds the groups of one kind, by lane.
type asyncGroups struct {
	open   [radix]asyncUnits // the zero value when the lane has none
	closed [radix][]asyncUnits
	wait   evidence.GroupWait
	since  [radix]uint32 // number of groups that were closed since the latest wait
}

// newUnits allocates the two units of a group or operation of a warp.
func (d *Detector) newUnits(w *warp) asyncUnits {
	var out asyncUnits
	for i := range out {
		if d.asyncPlace == nil || d.asyncUsed == radix {
			d.asyncPlace = &place{Place: accesses.Place{Grid: w.at.Grid}, owners: new([radix]unit)}
			d.asyncNumber, d.asyncUsed = d.newPlace(d.asyncPlace), 0
		}
		d.asyncPlace.owners[d.asyncUsed] = w.unit
		out[i] = unit(d.asyncNumber<<radixBits | d.asyncUsed)
		d.asyncUsed++
	}
	return out
}

// asynchronous checks and records an access by asynchronous operations.
func (d *Detector) asynchronous(a *access, s *shadow) {
	a.warp.at.mayRelease = true
	async := d.beginAsync(a.warp, a.ev.Op)
	a.began, s.async = async.began, true
	side := asyncReads
	if a.Writes() {
		side = asyncWrites
	}
	switch {
	case a.Proxy == abi.ProxyTensorMap && a.ev.Async == abi.AsyncSignals:
		d.mapRead(a, s)
	case a.ev.Async == abi.AsyncSignals:
		a.unit = d.signalUnits(a.warp, async, a.ev.Op)[side]
		d.remoteAsync(a, a.ev.Mask)
		d.ownAsync(a, a.ev.Mask)
		d.lanes(a, s, a.ev.Mask)
	default:
		d.grouped(a, s, &async.groups[a.ev.Async], side)
	}
	if a.Writes() && s.synced {
		for m := a.ev.Mask; m != 0; m &= m - 1 {
			d.overwriteLines(s, a.ev.Addr[bits.TrailingZeros32(m)], uint64(a.Size))
		}
	}
}

// overwriteLines ends the releases of the locations that a weak write overlaps, in all lines that it touches.
func (d *Detector) overwriteLines(s *shadow, addr, size uint64) {
	for size > 0 {
		here := min(size, lineBytes-addr%lineBytes)
		d.expanded(s, addr, here).overwrite(d, addr, here, nil)
		addr, size = addr+here, size-here
	}
}

// beginAsync sets the operation that an access of a warp belongs to. Time advances when it differs from the last one.
func (d *Detector) beginAsync(w *warp, op uint64) *asyncState {
	async := d.asyncFor(w)
	if async.op != op || async.began == 0 {
		d.tick()
		async.op, async.began = op, d.now
	}
	return async
}

// asyncOf returns the asynchronous operations of a warp, nil if it has had none.
func (d *Detector) asyncOf(w *warp) *asyncState { return d.asyncs.Of(w.unit) }

// asyncFor returns the asynchronous operations of a warp, for callers that change them.
func (d *Detector) asyncFor(w *warp) *asyncState {
	x := d.asyncs.Of(w.unit)
	if x == nil {
		x = &asyncState{signals: make(map[uint64]asyncUnits)}
		d.asyncs.Set(w.unit, x)
	}
	return x
}

// signalUnits returns the units of an operation of a warp that signals an mbarrier.
func (d *Detector) signalUnits(w *warp, async *asyncState, op uint64) asyncUnits {
	units, ok := async.signals[op]
	if !ok {
		units = d.newUnits(w)
		async.signals[op] = units
	}
	return units
}

// grouped checks and records an access by operations that belong to their lanes' open groups.
func (d *Detector) grouped(a *access, s *shadow, g *asyncGroups, side int) {
	fresh := asyncUnits{}
	for rest := a.ev.Mask; rest != 0; {
		first := g.open[bits.TrailingZeros32(rest)]
		mask := uint32(0)
		for m := rest; m != 0; m &= m - 1 {
			if i := bits.TrailingZeros32(m); g.open[i] == first {
				mask |= 1 << i
			}
		}
		rest &^= mask
		if first == (asyncUnits{}) {
			if fresh == first {
				fresh = d.newUnits(a.warp)
			}
			first = fresh
			for m := mask; m != 0; m &= m - 1 {
				g.open[bits.TrailingZeros32(m)] = first
			}
		}
		a.unit = first[side]
		d.remoteAsync(a, mask)
		d.ownAsync(a, mask)
		d.lanes(a, s, mask)
	}
}

// commit closes the open groups of lanes.
func (d *Detector) commit(ev *abi.Event) {
	w := d.warpOf(ev)
	async := d.asyncFor(w)
	if ev.Async == abi.AsyncTensor {
		d.tensorCommit(ev, w)
		return
	}
	if ev.Async == abi.AsyncMatrices {
		d.committedMatrices(ev, w)
		return
	}
	g := &async.groups[ev.Async]
	for m := ev.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		g.closed[i] = append(g.closed[i], g.open[i]) // an empty group counts too
		g.open[i] = asyncUnits{}
		g.since[i]++
	}
	d.tick()
}

// waited handles lanes that have waited for all but their latest groups.
func (d *Detector) waited(ev *abi.Event) {
	w := d.warpOf(ev)
	async := d.asyncOf(w)
	if async == nil {
		return
	}
	if ev.Async == abi.AsyncSignals {
		d.sourcesRead(ev, w, async)
		return
	}
	g := &async.groups[ev.Async]
	g.noteWait(ev)
	if ev.Async == abi.AsyncMatrices {
		d.waitedMatrices(ev, w)
		return
	}
	for m := ev.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		done := len(g.closed[i]) - int(min(ev.Pending[i], uint32(len(g.closed[i]))))
		var c *clock
		for k := range done {
			u, sources := g.closed[i][k], ev.Mode == abi.BarrierRead
			c = c.With(d.completed(u, i, sources))
			d.evidence.IsWaitedFor(u[asyncReads], u[asyncWrites], sources)
			if ev.Async >= abi.AsyncTensorLoads {
				d.tensor.done(u, d.now)
			}
		}
		if ev.Mode != abi.BarrierRead {
			g.closed[i] = append(g.closed[i][:0], g.closed[i][done:]...)
		}
		w.learn(&d.merges, 1<<i, ev.Live, c)
		if ev.Async >= abi.AsyncTensorLoads {
			d.tensorWaited(w, i, c)
		}
	}
	if ev.Async >= abi.AsyncTensorLoads {
		d.tick()
	}
}

// sourcesRead handles a lane that has waited until an operation, which completes on an mbarrier, has read its sources
// (PTX ISA, "fabric.wait").
func (d *Detector) sourcesRead(ev *abi.Event, w *warp, async *asyncState) {
	if units, ok := async.signals[ev.Op]; ok {
		d.evidence.IsWaitedFor(units[asyncReads], units[asyncWrites], true)
		w.learn(&d.merges, ev.Mask, ev.Live, (*clock)(nil).With(d.completed(units, bits.TrailingZeros32(ev.Mask),
			true)))
	}
}

// completed returns the clock of a lane's part of a completed group.
func (d *threads) completed(u asyncUnits, lane int, sources bool) *vclock.Clock {
	if u == (asyncUnits{}) {
		return nil
	}
	n := vclock.Threads(u[asyncReads], 1<<lane, d.now)
	if !sources {
		n = vclock.Join(n, vclock.Threads(u[asyncWrites], 1<<lane, d.now))
	}
	return n
}

// mbarrier is the state of an mbarrier object.
type mbarrier struct {
	phases [2]releases // releases by the arrivals in the latest phase of each parity
	tensor [2]*clock   // what those arrivals order for tcgen05, whatever their semantics
	parity uint32      // of the phase of the latest arrival

	handed [2][]handover // what the arrivals in the latest phase of each parity hand over

	home     uint32             // the block that initialised it
	made     entry              // by mbarrier.init
	pending  []entry            // complete-tx operations that mbarrier.inval may not follow
	arrivals [2]arrivals        // by parity
	narrow   [2][]narrowArrival // arrivals with block scope, for reports
}

// mbarrierAt returns the mbarrier at a lane's address, nil if none was initialised there.
func (d *Detector) mbarrierAt(w *warp, addr uint64) *mbarrier {
	return d.mbarriers[d.sharedKey(w, addr)]
}

// isMbarrier reports whether the first lane of an access touches an mbarrier. All operations on it are atomic except
// initialisation and invalidation.
func (d *Detector) isMbarrier(ev *abi.Event) bool {
	return len(d.mbarriers) > 0 && d.mbarrierAt(d.warpAt(ev), ev.Addr[bits.TrailingZeros32(ev.Mask)]) != nil
}

// sharedKey makes an address in shared memory unique among all clusters.
func (d *Detector) sharedKey(w *warp, addr uint64) sharedAddr {
	return sharedAddr{w.at.clusterKey(), addr}
}

type sharedAddr struct{ cluster, addr uint64 }

// mbarrierEvent handles an operation on mbarriers.
func (d *Detector) mbarrierEvent(ev *abi.Event) {
	w := d.warpOf(ev)
	for m := ev.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		k := d.sharedKey(w, ev.Addr[i])
		switch ev.Kind {
		case abi.EventMbarrierInit:
			d.mbarriers[k] = &mbarrier{home: w.block(), made: d.objectEntry(ev, w, i)}
			continue
		case abi.EventMbarrierInval:
			d.endObject(ev, w, i, d.mbarriers[k])
			delete(d.mbarriers, k)
			continue
		}
		b := d.mbarriers[k]
		if b == nil {
			continue
		}
		switch ev.Kind {
		case abi.EventMbarrierArrive:
			d.evidence.MarkArrival(w.unit, 1<<i, ev.Site)
			d.arriveAt(ev, w, i, b.in(ev.Phases>>i&1))
			b.noteArrival(d, ev, w, i)
			if d.asyncProxy {
				b.handOver(w.unit, ev.Phases>>i&1, w.of(i).With(vclock.Threads(w.unit, 1<<i, d.now)))
			}
			d.tensorArrived(b, ev.Phases>>i&1, w, i)
			d.signalled(b, ev.Phases>>i&1, w, i, w.unit)
		case abi.EventMbarrierCopyArrive:
			d.signalled(b, ev.Phases>>i&1, w, i, w.unit)
			if d.model.copiesInPlace {
				d.arriveAt(ev, w, i, b.in(ev.Phases>>i&1))
				continue
			}
			b.in(ev.Phases>>i&1).addClock(d, accesses.ReachBlock, w, d.copies(w, i))
		case abi.EventMbarrierPass:
			d.tensorPassed(w, i, b.tensor[ev.Phases>>i&1])
			b.takeOver(w, ev.Phases>>i&1)
			d.learnsArrivals(b, ev.Addr[i], ev.Phases>>i&1, w, i)
			h := &b.phases[ev.Phases>>i&1]
			seen := h.acquiredBy(d, w, i)
			if ev.Sem != abi.SemRelaxed {
				b.noteUnheardBy(d, ev, w, i, seen[mbarrierReach(ev)+1:])
			}
			clear(seen[mbarrierReach(ev)+1:]) // arrivals at wider scopes are not observed
			w.pendingFor(i).seen.merge(&d.merges, &seen)
			if ev.Sem != abi.SemRelaxed || d.model.relaxedOrders {
				w.learn(&d.merges, 1<<i, ev.Live, seen.within(mbarrierReach(ev)))
			}
		}
	}
	d.tick()
}

// arriveAt records the arrival of a lane: a release, or a strong write after fences. Only threads within its scope
// observe it.
func (d *Detector) arriveAt(ev *abi.Event, w *warp, lane int, to *releases) {
	if ev.Sem != abi.SemRelaxed || d.model.relaxedOrders {
		to.addClock(d, mbarrierReach(ev), w, d.metBy(w.of(lane), vclock.Threads(w.unit, 1<<lane, d.now)))
	}
	if p := w.pendingOf(lane); p.fences != nil {
		for r, f := range p.fences.fenced {
			if f.At != 0 {
				to.addClock(d, min(accesses.Reach(r), mbarrierReach(ev)), w,
					d.merges.Of(f, thread{Unit: w.unit, Lane: uint8(lane)}))
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
func (b *mbarrier) in(parity uint32) *releases {
	if parity != b.parity {
		b.arrivals[parity^1].merge(&b.arrivals[parity])
		b.parity, b.phases[parity], b.tensor[parity], b.narrow[parity] = parity, releases{}, nil, b.narrow[parity][:0]
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
// operations overwrite what was read (crossesOpen).
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
func (b *mbarrier) takeOver(w *warp, parity uint32) {
	for _, x := range b.handed[parity] {
		if x.from != w.unit {
			w.handed = vclock.Join(w.handed, x.before)
		}
	}
}

// copies returns the clock of all cp.async groups of a lane.
func (d *Detector) copies(w *warp, lane int) *clock {
	async := d.asyncOf(w)
	if async == nil {
		return nil
	}
	g := &async.groups[abi.AsyncCopies]
	c := new(clock).With(d.completed(g.open[lane], lane, false))
	for _, u := range g.closed[lane] {
		c = c.With(d.completed(u, lane, false))
	}
	return c
}
