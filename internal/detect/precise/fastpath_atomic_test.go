package precise_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// newCountTrace is a random trace of threads of two warps in each of three blocks that as a rule count
// together, several lanes of a warp in one word, of which some have fenced and all pass barriers.
func newCountTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 3)), alone: newAloneTracer(), waiting: map[[2]uint64]*abi.Event{}}
	if t.IntN(2) == 0 {
		t.sites = 6
	}
	blocks, data, acquires := uint64(2+t.IntN(2)), uint64(1+t.IntN(3)), t.IntN(2) == 0
	for tries := 0; len(t.events) < length && tries < 20*length; tries++ {
		key := [2]uint64{t.Uint64N(blocks), t.Uint64N(2)}
		if t.waiting[key] != nil {
			continue
		}
		one := uint32(1) << t.IntN(3)
		ev := abi.Event{Kind: abi.EventAccess, Mask: one, Space: abi.SpaceGlobal, Bytes: 4, Scope: abi.ScopeGPU}
		addr := 0x1000 + t.Uint64N(6)/5*4
		switch n := t.IntN(20); {
		case n < 8:
			ev.Access, ev.Sem, ev.Mask = abi.AccessRMW, abi.SemRelaxed, pick[uint32](t, 7, 7, 6, 5, 3, one)
		case n < 10 && acquires:
			ev.Access, ev.Sem = abi.AccessRMW, pick(t, abi.SemAcquire, abi.SemRelease)
		case n < 11:
			ev = abi.Event{Kind: abi.EventFence, Mask: pick(t, one, one, 7), Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: pick(t, abi.ScopeGPU, abi.ScopeGPU, abi.ScopeCTA)}
		case n < 14:
			t.barrier(key)
			continue
		case n < 15:
			ev.Access, ev.Sem = pick(t, abi.AccessLoad, abi.AccessStore), abi.SemRelaxed
		default:
			ev.Access, ev.Sem, ev.Scope = pick(t, abi.AccessLoad, abi.AccessStore), abi.SemWeak, 0
			if t.IntN(4) != 0 {
				addr = 0x2000 + 4*t.Uint64N(data)
			}
		}
		for lane := range 3 {
			ev.Addr[lane] = addr
		}
		if ev.Access == abi.AccessRMW && t.IntN(8) == 0 {
			ev.Addr[t.IntN(3)] = 0x1008
		}
		if ev.Kind == abi.EventAccess && ev.Access != abi.AccessLoad {
			ev.Wrote = ev.Mask
		}
		t.emit(key, ev)
	}
	return t.events
}

// TestCountTogether: lanes that count in one word observe and release what the definitions say.
func TestCountTogether(t *testing.T) {
	for seed := range uint64(*traces) {
		events := newCountTrace(seed, 12+int(seed%48))
		agree(t, seed, events)
	}
}

// TestCountApart: of lanes that count in one word together, one that has observed more before has learnt that alone,
// and lanes that do not count learn nothing.
func TestCountApart(t *testing.T) {
	tr := &tracer{Rand: rand.New(rand.NewPCG(1, 3)), alone: newAloneTracer()}
	const x, y, z, first, second, third = 0x1000, 0x1004, 0x1008, 0x2000, 0x2004, 0x2008
	access := func(key [2]uint64, lanes uint32, addr uint64, kind abi.AccessKind, sem abi.Semantics) uint32 {
		ev := abi.Event{Kind: abi.EventAccess, Mask: lanes, Space: abi.SpaceGlobal, Bytes: 4, Access: kind, Sem: sem, Scope: abi.ScopeGPU}
		for lane := range 3 {
			ev.Addr[lane] = addr
		}
		if kind != abi.AccessLoad {
			ev.Wrote = lanes
		}
		tr.emit(key, ev)
		return uint32(len(tr.events))
	}
	fence := func(key [2]uint64, lanes uint32, sem abi.Semantics) {
		tr.emit(key, abi.Event{Kind: abi.EventFence, Mask: lanes, Sem: sem, Scope: abi.ScopeGPU})
	}
	counters, neighbours := [2]uint64{0, 0}, [2]uint64{0, 1}
	fence(neighbours, 1, abi.SemSC) // which the barrier passes on, so that all lanes have fences
	for _, kind := range []abi.EventKind{abi.EventBarrierArrive, abi.EventBarrierPass} {
		for _, key := range [][2]uint64{counters, neighbours} {
			if kind == abi.EventBarrierPass && key == counters {
				tr.emit(key, abi.Event{Kind: abi.EventBarrierComplete, Mask: 7})
			}
			tr.emit(key, abi.Event{Kind: kind, Mask: 7})
		}
	}
	want := map[race]bool{}
	writes := [3]uint32{}
	for i, at := range [][2]uint64{{third, z}, {first, x}, {second, y}} {
		key := [2]uint64{1 + uint64(i)/2, 0}
		writes[i] = access(key, 1, at[0], abi.AccessStore, abi.SemWeak)
		fence(key, 1, abi.SemAcqRel)
		access(key, 1, at[1], abi.AccessRMW, abi.SemRelaxed)
	}
	access(counters, 3, z, abi.AccessRMW, abi.SemRelaxed)
	access(counters, 1, x, abi.AccessRMW, abi.SemRelaxed)
	access(counters, 5, y, abi.AccessRMW, abi.SemRelaxed)
	fence(counters, 7, abi.SemAcqRel)
	access(counters, 1, first, abi.AccessLoad, abi.SemWeak)
	access(counters, 5, second, abi.AccessLoad, abi.SemWeak)
	access(counters, 3, third, abi.AccessLoad, abi.SemWeak)
	want[race{writes[1], access(counters, 4, first, abi.AccessLoad, abi.SemWeak)}] = true
	want[race{writes[2], access(counters, 2, second, abi.AccessLoad, abi.SemWeak)}] = true
	want[race{writes[0], access(counters, 4, third, abi.AccessLoad, abi.SemWeak)}] = true
	agree(t, 1, tr.events)
	got := map[race]bool{}
	d := newDetector(t)
	d.SetAbsent(precise.Absent{Acquires: true})
	for _, r := range play(d, tr.events) {
		got[race{r.First.Site, r.Second.Site}] = true
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v\n%s", got, want, traceText(tr.events))
	}
}
