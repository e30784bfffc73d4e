package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// newCopyTrace is a random trace of warps that copy words in loops of one lane, as a rule under a lock, between volatile words
// and others.
func newCopyTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 6)), alone: newAloneTracer()}
	holder, careful := [2]uint64{0, 0}, pick(t, 3, 10, 40)
	lock := func(key [2]uint64, lane int, takes bool) {
		fence := abi.Event{Kind: abi.EventFence, Mask: 1 << lane, Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: abi.ScopeGPU}
		if !takes {
			t.emit(key, fence)
		}
		ev := abi.Event{Kind: abi.EventAccess, Access: abi.AccessRMW, Sem: abi.SemRelaxed, Scope: abi.ScopeGPU, Space: abi.SpaceGlobal, Bytes: 4, Mask: 1 << lane, Wrote: 1 << lane}
		ev.Addr[lane] = 0x3000
		t.emit(key, ev)
		if takes {
			t.emit(key, fence)
		}
	}
	lane := 0
	for len(t.events) < length {
		next := [2]uint64{t.Uint64N(traceBlocks), t.Uint64N(traceWarps)}
		if t.IntN(careful) != 0 {
			lock(holder, lane, false)
			lane = t.IntN(3)
			lock(next, lane, true)
		}
		holder = next
		t.copyLoop(holder, lane)
	}
	return t.events
}

// copyLoop is a loop of one lane.
func (t *tracer) copyLoop(key [2]uint64, lane int) {
	columns := make([]abi.Event, 1+t.IntN(4))
	base, delta := 0x1000+4*t.Uint64N(48), pick[uint64](t, 4, 4, 8, 0, ^uint64(3))
	for i := range columns {
		ev := t.walked(pick(t, abi.SemVolatile, abi.SemWeak, abi.SemWeak))
		if ev.Mask = 1 << lane; ev.Sem == abi.SemWeak {
			ev.Space, ev.Bytes = pick(t, abi.SpaceGlobal, abi.SpaceGlobal, abi.SpaceShared), pick[uint32](t, 4, 4, 4, 2, 1)
		}
		ev.Addr[lane] = base + 4*pick(t, 0, 40, t.Uint64N(3))
		if ev.Space == abi.SpaceShared {
			ev.Addr[lane] -= 0xe00
		}
		columns[i] = ev
	}
	site := 1 + 4*t.Uint32N(3)
	for range 4 + t.IntN(5) {
		for i := range columns {
			ev := columns[i]
			if ev.Access == abi.AccessStore {
				ev.Wrote, ev.New[lane] = ev.Mask, t.Uint64N(2)
			}
			n := len(t.events)
			if t.emit(key, ev); len(t.events) > n {
				t.events[n].Site = site + uint32(i)
			}
			columns[i].Addr[lane] += delta
		}
	}
}

// TestLoops: what is known of words that one lane accesses in loops is what the definitions say, and the same word for word
// whether the rounds of a loop come together or not.
func TestLoops(t *testing.T) {
	loops := 0
	for seed := range uint64(*traces) {
		events := newCopyTrace(seed, 10+int(seed%30))
		agree(t, seed, events)
		var reports [2]string
		for i, how := range []batching{together, oneByOne} {
			d, err := precise.New(precise.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			d.SetDecisions(map[uint32]bool{1: seed%3 == 0})
			reports[i] = fmt.Sprintf("%+v", playIn(d, events, how))
			if d.Looped() {
				loops++
			}
		}
		if reports[0] != reports[1] {
			t.Fatalf("seed %d: together\n%s\none by one\n%s\n%s", seed, reports[0], reports[1], traceText(events))
		}
	}
	if loops < *traces/3 {
		t.Errorf("%d of %d traces have loops of one lane", loops, *traces)
	}
}
