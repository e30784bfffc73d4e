package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// newTensorTrace is a random trace about tensor memory: two warps of a block load and store it, single threads
// multiply, copy and shift, and all wait for each other by mbarriers and barriers, with fences of tcgen05 or without.
func newTensorTrace(seed uint64, length int) []abi.Event {
	t := &tracer{
		Rand: rand.New(rand.NewPCG(seed, 3)), waiting: map[[2]uint64]*abi.Event{}, cluster: map[[2]uint64]int{},
		phases: map[[2]uint64]int{}, groups: map[[2]uint64]int{}, mbarriers: map[[2]uint64]*tracedMbarrier{},
	}
	ev := oneLane(abi.EventMbarrierInit, 0, 0)
	ev.Addr[0] = mbarrierBase
	t.emit([2]uint64{0, 0}, ev)
	t.emit([2]uint64{0, 0}, abi.Event{Kind: abi.EventBarrierArrive, Mask: traceLanes})
	t.mbarriers[[2]uint64{0, mbarrierBase}] = &tracedMbarrier{}
	t.events = t.events[:1]
	for tries := 0; len(t.events) < length && tries < 20*length; tries++ {
		if key := [2]uint64{0, t.Uint64N(traceWarps)}; t.waiting[key] == nil {
			t.tensor(key)
		}
	}
	return t.events
}

// tensor is an instruction of a warp about tensor memory.
func (t *tracer) tensor(key [2]uint64) {
	b, lane := t.mbarriers[[2]uint64{0, mbarrierBase}], t.lane()
	switch n := t.IntN(40); {
	case n < 5:
		t.registers(key, abi.AccessLoad, abi.AsyncTensorLoads)
	case n < 9:
		t.registers(key, abi.AccessStore, abi.AsyncTensorStores)
	case n < 16:
		pipe := abi.Pipe{Kind: pick(t, abi.PipeMultiply, abi.PipeMultiply, abi.PipeCopy, abi.PipeCopyRows, abi.PipeShift), Pair: t.IntN(8) == 0}
		if pipe.Kind == abi.PipeMultiply {
			pipe.Shape = 1 + t.Uint64N(4)/3
		}
		t.columns(key, lane, pipe)
	case n < 22:
		of := pick(t, abi.AsyncTensorLoads, abi.AsyncTensorStores)
		for _, kind := range []abi.EventKind{abi.EventAsyncCommit, abi.EventAsyncWait} {
			t.emit(key, abi.Event{Kind: kind, Mask: traceLanes, Async: of})
		}
	case n < 25:
		t.emit(key, abi.Event{Kind: abi.EventTensorBefore, Mask: pick(t, traceLanes, uint32(1)<<lane)})
	case n < 28:
		t.emit(key, abi.Event{Kind: abi.EventTensorAfter, Mask: pick(t, traceLanes, uint32(1)<<lane)})
	case n < 30:
		f := &flight{key: key, lane: lane, number: uint64(len(t.events) + 1), at: mbarrierBase, to: b}
		t.emit(key, abi.Event{Kind: abi.EventAsyncCommit, Mask: 1 << lane, Async: abi.AsyncTensor, Op: f.number})
		t.flights = append(t.flights, f)
	case n < 32 && len(t.flights) > 0: // the arrival of a commit
		f := t.flights[0]
		t.flights = t.flights[1:]
		ev := oneLane(abi.EventAsyncDone, f.lane, b.parity())
		ev.Async, ev.Op, ev.Signal = abi.AsyncTensor, f.number, f.at
		t.emit(f.key, ev)
		b.arrived++
		b.advance()
	case n < 34:
		ev := oneLane(abi.EventMbarrierArrive, lane, b.parity())
		ev.Addr[lane], ev.Sem, ev.Scope = mbarrierBase, pick(t, abi.SemRelease, abi.SemRelaxed), pick(t, abi.ScopeCTA, abi.ScopeCluster)
		t.emit(key, ev)
		b.arrived++
		b.advance()
	case n < 37 && b.phase > 0:
		for _, lane := range lanesOf(pick(t, traceLanes, uint32(1)<<lane)) {
			ev := oneLane(abi.EventMbarrierPass, lane, 1-b.parity())
			ev.Addr[lane], ev.Sem, ev.Scope = mbarrierBase, pick(t, abi.SemAcquire, abi.SemRelaxed), pick(t, abi.ScopeCTA, abi.ScopeCluster)
			t.emit(key, ev)
		}
	case n < 38:
		t.emit(key, abi.Event{Kind: abi.EventWarpSync, Mask: traceLanes, Sem: abi.SemAcqRel})
	case n < 39:
		t.barrier(key)
	default:
		ev := oneLane(abi.EventAccess, lane, 0)
		ev.Access, ev.Wrote, ev.Sem, ev.Space, ev.Bytes, ev.Op = abi.AccessStore, ev.Mask, abi.SemWeak, abi.SpaceTensor, 4, uint64(len(t.events)+1)
		ev.Addr[lane] = t.cell(lane)
		t.emit(key, ev)
	}
}

// cell is one of two cells of a lane of tensor memory.
func (t *tracer) cell(lane int) uint64 {
	return uint64(lane)*abi.TensorLaneBytes + 4*t.Uint64N(2)
}

// registers is tcgen05.ld or tcgen05.st.
func (t *tracer) registers(key [2]uint64, access abi.AccessKind, of abi.AsyncKind) {
	ev := abi.Event{Kind: abi.EventAccess, Mask: traceLanes, Access: access, Sem: abi.SemWeak, Space: abi.SpaceTensor, Bytes: 4, Async: of, Op: uint64(len(t.events) + 1)}
	if access == abi.AccessStore {
		ev.Wrote = ev.Mask
	}
	for i := range 3 {
		ev.Addr[i] = t.cell(i)
	}
	t.emit(key, ev)
}

// columns is an operation of one thread on cells of some lanes: what it reads, then what it writes.
func (t *tracer) columns(key [2]uint64, lane int, pipe abi.Pipe) {
	number, site := uint64(len(t.events)+1), uint32(len(t.events)+1)
	for _, access := range []abi.AccessKind{abi.AccessLoad, abi.AccessStore} {
		if access == abi.AccessLoad && pipe.Kind >= abi.PipeCopy && pipe.Kind != abi.PipeShift {
			continue
		}
		for row := range 3 {
			if t.IntN(2) == 0 {
				continue
			}
			ev := oneLane(abi.EventAccess, lane, 0)
			ev.Access, ev.Sem, ev.Space, ev.Bytes, ev.Async, ev.Op, ev.Pipe = access, abi.SemWeak, abi.SpaceTensor, 4, abi.AsyncTensor, number, pipe
			if access == abi.AccessStore {
				ev.Wrote = ev.Mask
			}
			ev.Addr[lane] = t.cell(row)
			t.emit(key, ev)
			t.events[len(t.events)-1].Site = site // one instruction
		}
	}
}

// newMatrixTrace is a random trace about wgmma: the warps of two blocks multiply what is in shared memory, end groups
// and wait for them, and threads write there.
func newMatrixTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 4)), waiting: map[[2]uint64]*abi.Event{}, cluster: map[[2]uint64]int{}}
	for tries := 0; len(t.events) < length && tries < 20*length; tries++ {
		key := [2]uint64{t.Uint64N(4) / 3, t.Uint64N(traceWarps)}
		if t.waiting[key] != nil {
			continue
		}
		at := 0x400 + 4*t.Uint64N(2)
		all := func(ev abi.Event) { // instructions of wgmma are those of a warp group
			if t.waiting[[2]uint64{key[0], 1 - key[1]}] == nil {
				t.emit(key, ev)
				t.emit([2]uint64{key[0], 1 - key[1]}, ev)
			}
		}
		switch n := t.IntN(20); {
		case n < 6:
			ev := abi.Event{Kind: abi.EventAccess, Mask: traceLanes, Sem: abi.SemWeak, Space: abi.SpaceShared, Bytes: 4, Async: abi.AsyncMatrices, Proxy: abi.ProxyAsync, Op: uint64(len(t.events) + 1)}
			for i := range 3 {
				ev.Addr[i] = at
			}
			all(ev)
		case n < 10:
			all(abi.Event{Kind: abi.EventAsyncCommit, Mask: traceLanes, Async: abi.AsyncMatrices})
		case n < 14:
			ev := abi.Event{Kind: abi.EventAsyncWait, Mask: traceLanes, Async: abi.AsyncMatrices}
			pending := t.Uint32N(2)
			for i := range ev.Pending {
				ev.Pending[i] = pending
			}
			all(ev)
		case n < 16:
			ev := oneLane(abi.EventAccess, t.lane(), 0)
			ev.Access, ev.Sem, ev.Space, ev.Bytes, ev.Wrote = abi.AccessStore, abi.SemWeak, abi.SpaceShared, 4, ev.Mask
			for i := range 3 {
				ev.Addr[i] = at
			}
			t.emit(key, ev)
		case n < 17:
			t.emit(key, abi.Event{Kind: abi.EventFence, Mask: t.mask(), Proxy: abi.ProxyAsync})
		case n < 18:
			t.emit(key, abi.Event{Kind: abi.EventWarpSync, Mask: traceLanes, Sem: abi.SemAcqRel})
		default:
			t.barrier(key)
		}
	}
	return t.events
}

// TestMatricesAgainstOracle: of random traces about groups of wgmma, detector and oracle say the same.
func TestMatricesAgainstOracle(t *testing.T) {
	racy := 0
	for seed := range uint64(*traces) {
		events := newMatrixTrace(seed, 4+int(seed%36))
		if len(newOracle(events).races()) > 0 {
			racy++
		}
		agree(t, seed, events)
	}
	if *traces > 100 && (racy < *traces/10 || racy > *traces*95/100) {
		t.Errorf("%d of %d traces race: the others, or they, are too rare to tell", racy, *traces)
	}
}

// TestTensorAgainstOracle: of the first operation of a random trace that races with earlier ones in tensor memory,
// detector and oracle say the same.
func TestTensorAgainstOracle(t *testing.T) {
	racy := 0
	for seed := range uint64(*traces) {
		events := newTensorTrace(seed, 4+int(seed%36))
		o := newRelations(events, len(events), oracleLaunches{})
		o.close()
		want, got := o.tensorRaces(), detected(t, events)
		if len(want) > 0 {
			racy++
		}
		if problem := firstDiffers(want, got); problem != "" {
			t.Fatalf("seed %d: %s\n%s", seed, problem, tensorText(events))
		}
	}
	if *traces > 100 && (racy < *traces/10 || racy > *traces*95/100) {
		t.Errorf("%d of %d traces race: the others, or they, are too rare to tell", racy, *traces)
	}
}

// firstDiffers compares what races first: sites are in the order of the trace.
func firstDiffers(want, got map[race]bool) string {
	first := func(races map[race]bool) uint32 {
		least := ^uint32(0)
		for r := range races {
			least = min(least, r.second)
		}
		return least
	}
	w, g := first(want), first(got)
	if w != g {
		return fmt.Sprintf("the oracle has races of %v first (%v), the detector of %v (%v)", w, want, g, got)
	}
	for r := range got {
		if r.second == g && !want[r] {
			return fmt.Sprintf("no race between %d and %d", r.first, r.second)
		}
	}
	return ""
}

// tensorText spells a trace.
func tensorText(events []abi.Event) string {
	out := ""
	for i := range events {
		ev := &events[i]
		out += fmt.Sprintf("site %d: warp %d mask %03b kind %d access %d async %d op %d pipe %v sem %d scope %d phases %b signal %x at %x\n",
			ev.Site, ev.Warp, ev.Mask, ev.Kind, ev.Access, ev.Async, ev.Op, ev.Pipe, ev.Sem, ev.Scope, ev.Phases, ev.Signal, ev.Addr[:3])
	}
	return out
}
