package precise_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// newPollTrace is a random trace of threads of two warps in each of three blocks, the lanes of which poll locks and
// flags together, between accesses to what these protect.
func newPollTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 4)), alone: newAloneTracer(), waiting: map[[2]uint64]*abi.Event{}}
	acquires := t.IntN(3) == 0
	for tries := 0; len(t.events) < length && tries < 20*length; tries++ {
		key := [2]uint64{t.Uint64N(traceBlocks), t.Uint64N(traceWarps)}
		if t.waiting[key] != nil {
			continue
		}
		one := uint32(1) << t.IntN(3)
		switch n := t.IntN(20); {
		case n < 8:
			t.poll(key, acquires && t.IntN(4) == 0)
		case n < 12:
			t.emit(key, abi.Event{Kind: abi.EventFence, Mask: pick(t, one, one, 7), Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: pick(t, abi.ScopeGPU, abi.ScopeGPU, abi.ScopeCTA)})
		case n < 13:
			t.barrier(key)
		case n < 16:
			t.emit(key, lockAccess(t, pick(t, one, one, 7), abi.AccessStore, abi.SemRelaxed))
		default:
			ev := lockAccess(t, one, pick(t, abi.AccessLoad, abi.AccessStore), abi.SemWeak)
			if t.IntN(6) != 0 {
				ev.Addr[0], ev.Addr[1], ev.Addr[2] = 0x2000, 0x2000, 0x2004
			}
			t.emit(key, ev)
		}
	}
	return t.events
}

// lockAccess is an access to one of two locks, as a rule to the first one.
func lockAccess(t *tracer, mask uint32, kind abi.AccessKind, sem abi.Semantics) abi.Event {
	ev := abi.Event{Kind: abi.EventAccess, Mask: mask, Space: abi.SpaceGlobal, Bytes: 4, Access: kind, Sem: sem, Valued: true}
	if sem != abi.SemWeak {
		ev.Scope = pick(t, abi.ScopeGPU, abi.ScopeGPU, abi.ScopeGPU, abi.ScopeCTA)
	}
	if kind == abi.AccessStore {
		ev.Wrote = mask
	}
	addr := 0x1000 + 4*(t.Uint64N(5)/4)
	for lane := range 3 {
		ev.Addr[lane] = addr
	}
	return ev
}

// poll is lanes that read a lock once or a few times: a compare-and-swap that as a rule fails for most of them, or a
// load.
func (t *tracer) poll(key [2]uint64, acquires bool) {
	ev := lockAccess(t, pick[uint32](t, 7, 7, 6, 5, 3), pick(t, abi.AccessRMW, abi.AccessRMW, abi.AccessLoad), abi.SemRelaxed)
	if acquires {
		ev.Sem = abi.SemAcquire
	}
	if t.IntN(5) == 0 {
		ev.Addr[t.IntN(3)] = 0x1004
	}
	if ev.Access == abi.AccessRMW {
		ev.Atomic = abi.AtomicCAS
		if t.IntN(3) == 0 {
			ev.Wrote = ev.Mask & (1 << t.IntN(3))
		}
	}
	site := uint32(0)
	for range 1 + t.IntN(4) {
		n := len(t.events)
		if t.emit(key, ev); len(t.events) == n {
			return
		}
		if site == 0 {
			site = t.events[n].Site
		}
		t.events[n].Site = site
		ev.Wrote = 0
	}
}

// TestPolls: lanes that poll together observe what the definitions say.
func TestPolls(t *testing.T) {
	for seed := range uint64(*traces) {
		agree(t, seed, newPollTrace(seed, 12+int(seed%48)))
	}
}

// TestPollTogether: lanes that poll one lock are one message from who has written it, and polls of a lock that does not
// change are none.
func TestPollTogether(t *testing.T) {
	tr := &tracer{Rand: rand.New(rand.NewPCG(1, 4)), alone: newAloneTracer()}
	cas := func(key [2]uint64, lanes, wrote uint32) {
		ev := abi.Event{
			Kind: abi.EventAccess, Mask: lanes, Space: abi.SpaceGlobal, Bytes: 4, Access: abi.AccessRMW, Atomic: abi.AtomicCAS,
			Sem: abi.SemRelaxed, Scope: abi.ScopeGPU, Valued: true, Wrote: wrote,
		}
		for lane := range 3 {
			ev.Addr[lane] = 0x1000
		}
		tr.emit(key, ev)
		tr.events[len(tr.events)-1].Site = 1
	}
	holder, pollers := [2]uint64{0, 0}, [2]uint64{1, 0}
	weak := abi.Event{Kind: abi.EventAccess, Mask: 1, Space: abi.SpaceGlobal, Bytes: 4, Access: abi.AccessStore, Wrote: 1}
	weak.Addr[0] = 0x1000
	tr.emit([2]uint64{2, 0}, weak) // so that nothing is deferred
	tr.emit(holder, abi.Event{Kind: abi.EventFence, Mask: 7, Sem: abi.SemSC, Scope: abi.ScopeGPU})
	tr.emit(pollers, abi.Event{Kind: abi.EventFence, Mask: 7, Sem: abi.SemAcqRel, Scope: abi.ScopeGPU})
	cas(holder, 1, 1)
	messages := func() uint32 {
		d := newDetector(t)
		d.SetAbsent(precise.Absent{Acquires: true})
		play(d, tr.events)
		return d.Messages()
	}
	before := messages()
	for polls := range 3 {
		cas(pollers, 7, 0)
		if got := messages(); got != before+1 {
			t.Errorf("%d messages after %d polls, want %d", got, polls+1, before+1)
		}
	}
	cas(holder, 1, 1)
	cas(pollers, 7, 0)
	if got := messages(); got != before+2 {
		t.Errorf("%d messages after a change, want %d", got, before+2)
	}
}
