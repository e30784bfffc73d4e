package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// newWalkTrace is a random trace of warps that walk through volatile words, as a rule each lane through
// some of its own, between other accesses of these words.
func newWalkTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 3)), alone: newAloneTracer()}
	for len(t.events) < length {
		key := [2]uint64{t.Uint64N(traceBlocks), t.Uint64N(traceWarps)}
		switch t.IntN(5) {
		case 0, 1:
			t.walk(key)
		case 2:
			t.emit(key, abi.Event{Kind: abi.EventFence, Mask: t.mask(), Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: pick(t, abi.ScopeGPU, abi.ScopeCTA)})
		default:
			ev := t.walked(pick(t, abi.SemVolatile, abi.SemRelaxed, abi.SemWeak))
			ev.Mask = 1 << t.IntN(3)
			for i := range ev.Addr {
				ev.Addr[i] = 0x1000 + 4*t.Uint64N(96)
			}
			t.emit(key, ev)
		}
	}
	return t.events
}

// walked is an access to a word, for which mask and addresses are missing.
func (t *tracer) walked(sem abi.Semantics) abi.Event {
	ev := abi.Event{Kind: abi.EventAccess, Space: abi.SpaceGlobal, Bytes: 4, Valued: true, Sem: sem, Access: pick(t, abi.AccessLoad, abi.AccessStore)}
	if sem != abi.SemWeak {
		ev.Scope = abi.ScopeGPU
	}
	return ev
}

// walk is a loop of a warp.
func (t *tracer) walk(key [2]uint64) {
	columns := make([]abi.Event, 1+t.IntN(3))
	warp := key[0]*traceWarps + key[1]
	base, step, delta := 0x1000+4*pick(t, 16*warp, t.Uint64N(80)), 4*pick(t, 5, 5, 8, 2, t.Uint64N(9)), pick[uint64](t, 4, 4, 8, ^uint64(3))
	mask := pick(t, traceLanes, traceLanes, 0b101, t.mask())
	var ahead [32]uint64 // of lanes that are in other rounds than the first
	if t.IntN(3) == 0 {
		ahead[1+t.IntN(2)] = 4 * t.Uint64N(6)
	}
	for i := range columns {
		ev := t.walked(pick(t, abi.SemVolatile, abi.SemVolatile, abi.SemVolatile, abi.SemRelaxed))
		ev.Mask = mask
		at := base + 4*pick(t, 0, 1, 40, t.Uint64N(8))
		for lane := range ev.Addr {
			ev.Addr[lane] = at + uint64(lane)*step + ahead[lane]
		}
		columns[i] = ev
	}
	site := 1 + 4*t.Uint32N(6)
	for range 2 + t.IntN(7) {
		for i := range columns {
			ev := columns[i]
			if ev.Access == abi.AccessStore {
				ev.Wrote = ev.Mask
				for lane := range ev.New {
					ev.New[lane] = t.Uint64N(2)
				}
			}
			n := len(t.events)
			if t.emit(key, ev); len(t.events) > n {
				t.events[n].Site = site + uint32(i)
			}
			for lane := range columns[i].Addr {
				columns[i].Addr[lane] += delta
			}
		}
	}
}

// TestWalks: what is known of words through which lanes walk is what the definitions say, and the same
// word for word whether the rounds of a walk come together or not.
func TestWalks(t *testing.T) {
	walks, uneven := 0, 0
	for seed := range uint64(*traces) {
		events := newWalkTrace(seed, 10+int(seed%50))
		agree(t, seed, events)
		var reports [2]string
		for i, how := range []batching{together, oneByOne} {
			d, err := precise.New(precise.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			d.SetDecisions(map[uint32]bool{1: seed%3 == 0})
			reports[i] = fmt.Sprintf("%+v", playIn(d, events, how))
			if d.Walked() {
				walks++
			}
			if d.WalkedUnevenly() {
				uneven++
			}
		}
		if reports[0] != reports[1] {
			t.Fatalf("seed %d: together\n%s\none by one\n%s\n%s", seed, reports[0], reports[1], traceText(events))
		}
	}
	if walks < *traces/2 || uneven < *traces/50 {
		t.Errorf("%d walks, of which %d by lanes that are not evenly apart", walks, uneven)
	}
}
