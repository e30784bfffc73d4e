package precise_test

import (
	"math/rand/v2"
	"testing"

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
