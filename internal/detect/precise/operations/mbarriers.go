// Mbarriers: arrivals, waits, and what they hand over.

package operations

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

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
		d.Evidence.MarkArrival(w.Unit, lanes, d.Evidence.SiteOf(ev))
		d.arriveAt(ev, w, lanes, to)
		b.noteArrivals(d, ev, w, lanes)
		if d.AsyncProxy {
			b.handOver(w.Unit, parity, w.All(lanes).With(vclock.Threads(w.Unit, lanes, d.Now)))
		}
		b.tensor[parity] = d.tensorArrived(b.tensor[parity], w, lanes)
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
	parity, reach := ev.Phases>>i&1, d.mbarrierReach(ev)
	d.tensorPassed(b.tensor[parity], w, lanes)
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
		d.Hear(w, lanes, ev.Live, seen.Within(reach))
	}
}

// arriveAt records the arrival of lanes: a release, or a strong write after fences. Only threads within its scope
// observe it.
func (d *State) arriveAt(ev *abi.Event, w *causality.Warp, lanes uint32, to *causality.Releases) {
	if ev.Sem != abi.SemRelaxed || d.Model.RelaxedOrders {
		to.AddClock(d.Threads, d.mbarrierReach(ev), w, d.MetBy(w.All(lanes), vclock.Threads(w.Unit, lanes, d.Now)))
	}
	if p := w.PendingOf(bits.TrailingZeros32(lanes)); p.Fences != nil {
		for r, f := range p.Fences.Fenced {
			if f.At != 0 {
				to.AddClock(d.Threads, min(accesses.Reach(r), d.mbarrierReach(ev)), w,
					d.Merges.OfLanes(f, w.Unit, lanes))
			}
		}
	}
}

// mbarrierReach returns the scope of an operation on an mbarrier, block scope if it names none (PTX ISA,
// "mbarrier.arrive").
func (d *State) mbarrierReach(ev *abi.Event) accesses.Reach {
	if ev.Scope == abi.ScopeNone {
		return accesses.ReachBlock
	}
	return d.ReachOf(ev.Scope)
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
