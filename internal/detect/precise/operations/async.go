// Asynchronous operations: their units and groups, and waits for these.

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
// Asynchronous Operations"). The lanes of a warp share units, and so do all groups of a lane.

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

// AsyncGroups holds the groups of one kind, by lane. The groups of a lane complete in order, so that all of them have the
// same units: a thread that knows of the accesses of a group knows of those of earlier groups.
type AsyncGroups struct {
	units  [radix]AsyncUnits // the zero value when the lane has had no group
	open   uint32            // lanes that have begun a group
	waited [radix]*stamp     // when a thread has waited for the open group, 0 for never
	closed [radix][]closedGroup
	until  [radix]stamp // when the last group was closed that is not in the list any more
	read   [radix]int   // number of groups in closed whose sources have been read, as the lane knows by a wait
	Wait   evidence.GroupWait
	Since  [radix]uint32 // number of groups that were closed since the latest wait
}

// closedGroup is a group that a lane has closed at a time. A group without operations has no units.
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

// opened returns the group of a lane that is open, as if the lane closed it now.
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
// unknown, as in clusters.
func (d *State) isKnown(x *asyncUse, of *causality.Warp) bool {
	warps, size := of.Home.Warps, d.BlockSize(of.At.Grid)
	if d.Clustered || len(warps)*radix < int(size[0]*size[1]*size[2]) {
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
			d.asyncPlace = placeBeside(w)
			d.asyncNumber, d.asyncUsed = d.NewPlace(d.asyncPlace), 0
		}
		d.asyncPlace.Owners[d.asyncUsed] = w.Unit
		out[i] = unit(d.asyncNumber<<radixBits | d.asyncUsed)
		d.asyncUsed++
	}
	return out
}

// placeBeside makes a place for asynchronous operations, in the grid of a warp.
func placeBeside(w *causality.Warp) *causality.Place {
	at := accesses.Place{Device: w.At.Device, Grid: w.At.Grid}
	return &causality.Place{Place: at, Owners: new([radix]unit)}
}

// PlaceFor returns the number of a new place, whose units belong to a warp.
func (d *State) PlaceFor(w *causality.Warp) uint32 {
	p := placeBeside(w)
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
	g.noteWait(ev, d.Evidence.SiteOf(ev))
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

// copies returns the clock of all cp.async groups of lanes.
func (d *State) copies(w *causality.Warp, lanes uint32) *clock {
	async := d.AsyncOf(w)
	if async == nil {
		return nil
	}
	g, c := &async.Groups[abi.AsyncCopies], new(clock)
	for ; lanes != 0; lanes &= lanes - 1 {
		i := bits.TrailingZeros32(lanes)
		c = c.With(completed(closedGroup{AsyncUnits: g.units[i], at: d.Now}, i, false))
	}
	return c
}
