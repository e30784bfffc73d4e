package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// newVolatileTrace returns a random trace of volatile accesses by few instructions to few words, in some traces to more
// words than there are examples of a warning, or of relaxed accesses, of messages, and, in some traces, of fences,
// releases and acquires, most of them too narrow in some. Of the accesses to data, some are weak in some traces, and
// all in others.
func newVolatileTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 5)), alone: newAloneTracer()}
	fences, narrow := t.IntN(4), t.IntN(3) == 0
	relaxed, weak := t.IntN(3) == 0, pick(t, 0, 0, 2, 5) // weak: fifths of accesses to data
	words, warps, base := 1+t.Uint64N(3), 1+t.Uint64N(2), uint64(0x1000)
	if t.IntN(4) == 0 {
		words, length, base = 40, 4*length, 0x2000
	}
	scope := func() abi.Scope {
		if narrow {
			return pick(t, abi.ScopeCTA, abi.ScopeGPU)
		}
		return abi.ScopeGPU
	}
	for len(t.events) < length {
		ev := abi.Event{Kind: abi.EventAccess, Mask: t.mask(), Space: abi.SpaceGlobal, Bytes: 4, Valued: true, Sem: abi.SemVolatile}
		ev.Access = pick(t, abi.AccessLoad, abi.AccessStore)
		word, site := t.Uint64N(words), uint32(1)
		switch n := t.IntN(20); {
		case n < 12:
			if relaxed {
				ev.Sem, ev.Scope = abi.SemRelaxed, scope()
				if t.IntN(3) == 0 {
					ev.Access, ev.Wrote, site = abi.AccessRMW, ev.Mask, 11
				}
			}
			if ev.Access != abi.AccessRMW && t.IntN(5) < weak {
				ev.Sem, ev.Scope, site = abi.SemWeak, 0, 13
			}
		case n < 16: // a flag, which carries messages
			word, site, ev.Sem, ev.Scope = 8, 3, abi.SemRelaxed, scope()
		case n < 16+fences/2:
			word, site, ev.Scope = 9, 5, scope()
			if ev.Sem = abi.SemRelease; ev.Access == abi.AccessLoad {
				ev.Sem = abi.SemAcquire
			}
		case n < 16+fences:
			ev.Kind, ev.Sem, ev.Scope, ev.Space, ev.Bytes, site = abi.EventFence, abi.SemAcqRel, scope(), 0, 0, 7
		default:
			word, site = words-1, 9
		}
		spread, at := t.Uint64N(2), 0x1000+16*word
		if site != 3 && site != 5 { // data
			at = base + 16*word
		}
		if ev.Access == abi.AccessStore {
			ev.Wrote = ev.Mask
			site++
		}
		for lane := range 3 {
			ev.Addr[lane], ev.New[lane] = at+4*uint64(lane)*spread, t.Uint64N(3)
		}
		t.emit([2]uint64{t.Uint64N(3), t.Uint64N(warps)}, ev)
		if n := len(t.events); n > 0 {
			t.events[n-1].Site = site
		}
	}
	return t.events
}

// TestRepeatedWarnings: warnings that are counted like earlier ones are what they are when each is examined; and so are
// those about writes that have been observed.
func TestRepeatedWarnings(t *testing.T) {
	warned := 0
	for seed := range uint64(*traces) / 4 {
		events := newVolatileTrace(seed, 10+int(seed%190))
		reports := func() string {
			d := newDetector(t)
			d.SetDecisions(map[uint32]bool{3: seed%2 == 0})
			d.SetConsulted(map[uint32]bool{3: seed%3 == 0, 1: seed%5 == 0})
			races := play(d, events)
			for _, r := range races {
				if r.Severity == "warning" && r.Count > 1 {
					warned++
				}
			}
			return fmt.Sprintf("%+v", races)
		}
		got := reports()
		for name, change := range map[string]func() func(){
			"examined": precise.ExamineAll, "without spans": precise.IgnoreSpans,
			"observations by units": func() func() { return precise.LimitObservations(0) },
		} {
			undo := change()
			want := reports()
			undo()
			if got != want {
				t.Fatalf("seed %d, %s: got %s\nwant %s\n%s", seed, name, got, want, traceText(events))
			}
		}
	}
	if warned < *traces/8 {
		t.Errorf("%d warnings in %d traces: too few to tell", warned, *traces/4)
	}
}
