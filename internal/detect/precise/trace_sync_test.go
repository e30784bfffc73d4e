package precise_test

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The parts of random traces that are about mbarriers, bulk copies and grids that threads
// launch.

// tracedMbarrier is an mbarrier that two arrivals and the ends of copies complete.
type tracedMbarrier struct {
	phase, arrived, flying int
}

func (b *tracedMbarrier) parity() uint32 { return uint32(b.phase) % 2 }

// advance begins the next phase when all have arrived.
func (b *tracedMbarrier) advance() {
	if b.arrived >= 2 && b.flying == 0 {
		b.phase, b.arrived = b.phase+1, 0
	}
}

// flight is a bulk copy that has not ended.
type flight struct {
	key    [2]uint64
	lane   int
	number uint64
	at     uint64
	to     *tracedMbarrier
}

const mbarrierBase = 0x800

// focus makes half of the traces be mostly about one of the things here and the accesses,
// most of them weak, that it orders.
func (t *tracer) focus() {
	t.about = pick(t, nil, nil, nil, (*tracer).mbarrier, (*tracer).asyncAndMbarrier, (*tracer).grid)
	if t.about == nil {
		return
	}
	t.strong, t.narrow = 2, true
	for b := range uint64(2) { // an mbarrier of each cluster
		ev := oneLane(abi.EventMbarrierInit, 0, 0)
		ev.Addr[0] = mbarrierBase
		t.mbarriers[[2]uint64{b, mbarrierBase}] = &tracedMbarrier{}
		t.emit([2]uint64{2 * b, 0}, ev)
	}
}

// asyncAndMbarrier is a bulk copy or what they are waited for by.
func (t *tracer) asyncAndMbarrier(key [2]uint64) {
	switch t.IntN(5) {
	case 0:
		t.async(key)
	case 1:
		t.bulk(key)
	case 2:
		t.emit(key, abi.Event{Kind: abi.EventFence, Mask: t.mask(), Proxy: abi.ProxyAsync})
	default:
		t.mbarrier(key)
	}
}

func (t *tracer) lane() int { return t.IntN(3) }

// lanes is an event of one lane, with phases of one parity.
func oneLane(kind abi.EventKind, lane int, parity uint32) abi.Event {
	return abi.Event{Kind: kind, Mask: 1 << lane, Phases: parity << lane}
}

// mbarrier is an operation on one of two mbarriers of the cluster: its initialisation
// first, then arrivals and waits, or the end of a copy.
func (t *tracer) mbarrier(key [2]uint64) {
	k := [2]uint64{clusterOf(key[0]), mbarrierBase + 8*(t.Uint64N(4)/3)}
	b, lane := t.mbarriers[k], t.lane()
	if b == nil {
		ev := oneLane(abi.EventMbarrierInit, lane, 0)
		ev.Addr[lane] = k[1]
		t.mbarriers[k] = &tracedMbarrier{}
		t.emit(key, ev)
		return
	}
	switch n := t.IntN(10); {
	case n < 4:
		ev := oneLane(abi.EventMbarrierArrive, lane, b.parity())
		ev.Addr[lane], ev.Sem, ev.Scope = k[1], pick(t, abi.SemNone, abi.SemRelease, abi.SemRelaxed), pick(t, abi.ScopeNone, abi.ScopeCTA, abi.ScopeCluster)
		if n == 0 {
			ev.Kind = abi.EventMbarrierCopyArrive
		}
		t.emit(key, ev)
		b.arrived++
		b.advance()
	case n < 6:
		t.land()
	case b.phase > 0:
		ev := oneLane(abi.EventMbarrierPass, lane, 1-b.parity())
		ev.Addr[lane], ev.Sem, ev.Scope = k[1], pick(t, abi.SemNone, abi.SemAcquire, abi.SemRelaxed), pick(t, abi.ScopeNone, abi.ScopeCTA, abi.ScopeCluster)
		t.emit(key, ev)
	}
}

// bulk is a copy through the asynchronous proxy that belongs to a bulk group or tells an
// mbarrier, the end of a group, or a wait for groups.
func (t *tracer) bulk(key [2]uint64) {
	lane := t.lane()
	switch t.IntN(4) {
	case 0:
		t.emit(key, abi.Event{Kind: abi.EventAsyncCommit, Mask: 1 << lane, Async: abi.AsyncBulk})
	case 1:
		ev := abi.Event{Kind: abi.EventAsyncWait, Mask: 1 << lane, Async: abi.AsyncBulk, Mode: pick(t, abi.BarrierSync, abi.BarrierRead)}
		ev.Pending[lane] = t.Uint32N(2)
		t.emit(key, ev)
	default:
		t.copy(key, lane)
	}
}

// copy is a bulk copy between two places of the memory that others access.
func (t *tracer) copy(key [2]uint64, lane int) {
	k := [2]uint64{clusterOf(key[0]), mbarrierBase + 8*(t.Uint64N(4)/3)}
	f := &flight{key: key, lane: lane, number: uint64(len(t.events) + 1), at: k[1], to: t.mbarriers[k]}
	kind := abi.AsyncBulk
	if f.to != nil && t.IntN(2) == 0 {
		kind = abi.AsyncSignals
		f.to.flying++
		t.flights = append(t.flights, f)
	}
	from, space, base := t.Uint64N(2), abi.SpaceGlobal, uint64(0x1000)
	if t.IntN(2) == 0 {
		space, base = abi.SpaceShared, 0x400
	}
	for i, access := range []abi.AccessKind{abi.AccessLoad, abi.AccessStore} {
		ev := abi.Event{
			Kind: abi.EventAccess, Mask: 1 << lane, Access: access, Sem: abi.SemWeak, Proxy: abi.ProxyAsync, Async: kind, Op: f.number,
			Space: space, Bytes: 4,
		}
		ev.Addr[lane] = base + 128 - 8 + 4*((from+uint64(i))%2)
		if access == abi.AccessStore {
			ev.Wrote = ev.Mask
		}
		t.emit(key, ev)
	}
}

// land ends a copy that tells an mbarrier.
func (t *tracer) land() {
	if len(t.flights) == 0 {
		return
	}
	i := t.IntN(len(t.flights))
	f := t.flights[i]
	t.flights = slices.Delete(t.flights, i, i+1)
	ev := oneLane(abi.EventAsyncDone, f.lane, f.to.parity())
	ev.Op, ev.Signal = f.number, f.at
	t.emit(f.key, ev)
	f.to.flying--
	f.to.advance()
}

// grid is a launch, the run of a grid that was launched, or a wait for such.
func (t *tracer) grid(key [2]uint64) {
	switch n := t.IntN(3); {
	case n == 0:
		op := uint64(len(t.events) + 1)
		const forgotten = 4 // a stream that orders no grids
		t.emit(key, abi.Event{Kind: abi.EventLaunch, Mask: 1 << t.lane(), Op: op, Addr: [abi.WarpLanes]uint64{forgotten}})
		t.launches = append(t.launches, op)
	case n == 1 && len(t.launches) > 0:
		t.events = append(t.events, abi.Event{Kind: abi.EventKernelBegin, Op: t.launches[0]})
		t.launches = t.launches[1:]
		t.child = true
		for range 1 + t.IntN(6) {
			t.step([2]uint64{t.Uint64N(2), t.Uint64N(traceWarps)})
		}
		t.child = false
		t.events = append(t.events, abi.Event{Kind: abi.EventKernelEnd})
	default:
		t.emit(key, abi.Event{Kind: abi.EventJoin, Mask: 1 << t.lane()})
	}
}

// wholeSync reports whether mbarriers and launched grids are still used as a machine would.
func wholeSync(events []abi.Event) bool {
	mbarriers := map[[2]uint64]*tracedMbarrier{}
	flying := map[uint64][2]uint64{}
	launched := map[uint64]bool{}
	depth := 0
	for i := range events {
		ev := &events[i]
		lane := 0
		if ev.Mask != 0 {
			lane = lanesOf(ev.Mask)[0]
		}
		k := [2]uint64{ev.Cluster, ev.Addr[lane]}
		b, ok := mbarriers[k], true
		switch ev.Kind {
		case abi.EventMbarrierInit:
			mbarriers[k] = &tracedMbarrier{}
		case abi.EventMbarrierArrive, abi.EventMbarrierCopyArrive:
			if ok = b != nil && ev.Phases>>lane&1 == b.parity(); ok {
				b.arrived++
				b.advance()
			}
		case abi.EventMbarrierPass:
			ok = b != nil && b.phase > 0 && ev.Phases>>lane&1 == 1-b.parity()
		case abi.EventAccess:
			if ev.Async == abi.AsyncSignals {
				flying[ev.Op] = k
			}
		case abi.EventAsyncDone:
			k[1] = ev.Signal
			_, flies := flying[ev.Op]
			ok = flies && mbarriers[k] != nil && ev.Phases>>lane&1 == mbarriers[k].parity()
		case abi.EventLaunch:
			launched[ev.Op] = true
		case abi.EventKernelBegin:
			ok = launched[ev.Op]
			depth++
		case abi.EventKernelEnd:
			depth--
			ok = depth >= 0
		}
		if !ok {
			return false
		}
	}
	return depth == 0
}
