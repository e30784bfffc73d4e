// Enforced order: what orders accesses in every schedule, and the strong accesses that it does not order.

package precise

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/enforced"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// enforcedState is what the detector knows beforehand for enforced order, and the strong accesses of the launch.
type enforcedState struct {
	operations map[uint32]enforced.Operation
	polls      *enforced.Polls
	polling    map[uint32]bool  // sites with steps in polls
	launch     *enforced.Launch // nil unless Options.Enforced is set
	step       *enforced.Step   // of the access in progress
	stopped    string           // why the rest of the launch has not been looked at
	accesses   uint32           // strong ones, of lanes
	decisive   map[uint32]bool  // enforced.Launch.Decisive
	refused    bool             // SetDecisive
	over       atomic.Bool      // Over
	found      *unorderedAccesses
}

// skippedInEnforced are the shortcuts that take strong accesses together or later, or that know how they are ordered
// otherwise.
const skippedInEnforced = options.Walks | options.CellsOfWords | options.OrderedWords | options.ReadersAtOnce

// SetOperations sets what is known of the instructions that make strong accesses. It matters for enforced order only.
func (d *Detector) SetOperations(of map[uint32]enforced.Operation) {
	d.enforced.operations, d.Counters = of, enforced.Counters(of)
}

// SetPolls sets where the detector takes what threads have found when they poll, and the sites for which a step is
// there before each access. It matters for enforced order only.
func (d *Detector) SetPolls(polls *enforced.Polls, sites map[uint32]bool) {
	d.enforced.polls, d.enforced.polling = polls, sites
}

// SetDecisive sets the sites of which values may steer the next launches, and whether the claims for these are refused
// in any case. It matters for enforced order only.
func (d *Detector) SetDecisive(sites map[uint32]bool, refused bool) {
	d.enforced.decisive, d.enforced.refused = sites, refused
}

// Over reports whether the detector needs no more events of the launch. Other goroutines may ask.
func (d *Detector) Over() bool { return d.enforced.over.Load() }

// Limits of the strong accesses of lanes that are recorded: those after which a claim that is refused anyway is not
// followed further, and those after which no claim is made.
const (
	fewStrong  = 20_000
	mostStrong = 200_000
)

// within reports whether one more strong access of a lane may be recorded. If not, the detector stops.
func (d *Detector) within() bool {
	x := &d.enforced
	x.accesses++
	switch {
	case x.accesses <= fewStrong || x.accesses <= mostStrong && !x.isRefused():
		return true
	case x.accesses > mostStrong && !x.isRefused():
		x.stopped = fmt.Sprintf("%d strong accesses", mostStrong)
	}
	x.launch.Stop()
	d.Overflowed = true
	x.over.Store(true)
	return false
}

// isRefused reports whether the claim for the launch is refused already.
func (x *enforcedState) isRefused() bool { return x.refused || x.launch.Refused() }

// beginEnforced begins a launch.
func (d *Detector) beginEnforced() {
	x := &d.enforced
	if x.found = nil; d.opts.Enforced {
		x.over.Store(false)
		d.ObserversAcquire, d.Keeping = false, x.polls != nil
		x.launch, x.step, x.stopped = enforced.New(x.operations, x.polls), nil, ""
		x.launch.Decisive, x.accesses = x.decisive, 0
		switch {
		case d.Launch.Weak:
			x.stopped = "the order of strong accesses under weak memory"
		case d.opts.Model != ModelPTX:
			x.stopped = "the order of strong accesses in the model " + d.opts.Model
		}
	}
}

// takeStep finds what the lanes of an access have found before it.
func (d *Detector) takeStep(a *causality.Access) {
	x := &d.enforced
	if x.step = nil; x.launch != nil && a.Ev != nil && x.polling[a.Ev.Site] {
		x.step = x.launch.StepOf(a.Ev.Block, a.Ev.Warp, a.Ev.Site, a.Ev.Mask)
	}
}

// enforcedAccess records a strong access of a lane to a scalar. Only a read that ends a wait orders accesses, after
// those that the write releases by which the wait was over: the thread may have read a later one.
func (d *Detector) enforcedAccess(a *causality.Access, s *shadow.Memory, addr uint64, lane int) {
	if d.IsMbarrier(a) {
		return // its phases order
	}
	if d.Overflowed || !d.within() {
		return
	}
	launch, place := d.enforced.launch, placeOf(a, addr)
	x := d.enforcedOf(a, lane)
	l := d.Expanded(s, addr, uint64(a.Scalar))
	if x.Wrote {
		loc := l.Location(&d.Record, s, addr, uint64(a.Scalar))
		inherits := x.Reads && d.IsLinked(a, loc, lane)
		if launch.Awaited(a.Site) {
			loc.Keep(&d.Threads)
			x.Number = loc.Stores()
		}
		launch.Add(place, a.Scalar, &x)
		d.write(a, s, l, addr, lane, inherits)
		return
	}
	if x.Writes {
		launch.Add(place, a.Scalar, &x)
		return
	}
	switch poll, by := launch.Poll(place, a.Scalar, &x, d.enforced.step, lane); poll {
	case enforced.NoPoll:
		launch.Add(place, a.Scalar, &x)
	case enforced.Ended:
		if loc := l.Find(addr, uint64(a.Scalar)); loc != nil && by > 0 && by <= loc.Stores() {
			d.Words(a, s, addr, 1<<lane) // in other schedules the thread has polled before
			d.acquireFrom(a, loc, lane, loc.Stores()-by)
		}
	}
}

// acquireFrom records the read of a lane that ends a wait, by a write after which there were others, as many as age.
func (d *Detector) acquireFrom(a *causality.Access, loc *causality.Location, lane, age int) {
	if age > 0 {
		d.ReadOlder(a, loc, 1<<lane, age, false)
	} else {
		d.Read(a, loc, 1<<lane)
	}
	d.PruneSeen(a, loc)
}

// enforcedOf returns a strong access of a lane in the words of package enforced.
func (d *Detector) enforcedOf(a *causality.Access, lane int) enforced.Access {
	ev, me := a.Ev, thread{Unit: a.Warp.Unit, Lane: uint8(lane)}
	x := enforced.Access{
		Thread: thread{Unit: a.Unit, Lane: uint8(lane)}, Issuer: me, At: a.At, Clock: a.Warp.Of(lane), Site: a.Site,
		Reads: ev.Access != abi.AccessStore, New: ev.New[lane],
	}
	if a.Size != a.Scalar || ev.Wide {
		x.Writes = ev.Access != abi.AccessLoad
		x.Wrote = x.Writes
		return x
	}
	switch ev.Access {
	case abi.AccessStore:
		x.Writes, x.Wrote = true, true
		x.Old, x.Valued = d.enforced.step.Of(lane)
		x.Valued = x.Valued && ev.Valued
	case abi.AccessRMW:
		x.Writes = !d.enforced.launch.Keeps(a.Site)
		x.Wrote = x.Writes && (!ev.Valued || ev.Wrote>>lane&1 != 0)
		x.Old, x.Valued = ev.Old[lane], ev.Valued
	}
	return x
}

// placeOf returns the place of a scalar at an address.
func placeOf(a *causality.Access, addr uint64) enforced.Place {
	p := enforced.Place{Shared: a.Shared, Addr: addr}
	if a.Shared {
		p.Cluster = a.Warp.At.ClusterKey()
	}
	return p
}

// enforcedAsync records the scalars that asynchronous operations access strongly.
func (d *Detector) enforcedAsync(a *causality.Access, mask uint32) {
	if d.enforced.launch == nil || !a.Strong && a.Kind != abi.AccessRMW {
		return
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		x := d.enforcedOf(a, lane)
		x.Valued, x.Wrote, x.Copied = false, false, true
		size := min(a.Scalar, enforced.MaxScalar)
		for off := uint64(0); off < uint64(a.Size); off += uint64(size) {
			d.enforced.launch.Add(placeOf(a, a.Ev.Addr[lane]+off), size, &x)
		}
	}
}
