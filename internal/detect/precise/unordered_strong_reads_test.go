package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// newReadersTrace returns a random trace of warps of which single lanes write a few words, and many lanes together read
// them; in some traces with fences, with a flag, with a lock, and with reads of two words by one instruction.
func newReadersTrace(seed uint64, length int) (events []abi.Event) {
	r := rand.New(rand.NewPCG(seed, 11))
	fences, locks, mixed, relaxed := r.IntN(3), r.IntN(4) == 0, r.IntN(2) == 0, r.IntN(4) == 0
	for len(events) < length {
		block := r.Uint64N(2)
		ev := abi.Event{
			Kind: abi.EventAccess, Block: block, Cluster: block, Warp: r.Uint32N(2), Live: 1<<32 - 1, Mask: 1 << r.IntN(32),
			Space: abi.SpaceGlobal, Bytes: 4, Valued: true, Sem: abi.SemVolatile, Site: 1,
		}
		word := 0x1000 + 4*r.Uint64N(2)
		switch n := r.IntN(20); {
		case n < 4:
			ev.Access = abi.AccessStore
		case n < 12:
			ev.Access, ev.Mask = abi.AccessLoad, ^uint32(0)<<r.IntN(8)>>r.IntN(24)
		case n < 14: // a flag
			ev.Access, ev.Mask, ev.Site, word = abi.AccessKind(r.IntN(2)), pick(&tracer{Rand: r}, ev.Mask, 1<<32-1), 5, 0x2000
		case n < 15 && locks:
			ev.Access, ev.Atomic, ev.Site, word = abi.AccessRMW, abi.AtomicCAS, 11, 0x3000
			ev.Mask = 3 * ev.Mask
		case n < 16 && locks:
			ev.Access, ev.Site, word = abi.AccessStore, 13, 0x3000
		case n < 16+2*fences:
			ev = abi.Event{
				Kind: abi.EventFence, Block: block, Cluster: block, Warp: ev.Warp, Live: ev.Live, Site: 9, Sem: pick(&tracer{Rand: r}, abi.SemAcqRel, abi.SemSC),
				Scope: pick(&tracer{Rand: r}, abi.ScopeCTA, abi.ScopeGPU), Mask: pick(&tracer{Rand: r}, ev.Mask, 1<<32-1),
			}
		default:
			continue
		}
		if relaxed && ev.Kind == abi.EventAccess {
			ev.Sem, ev.Scope = abi.SemRelaxed, abi.ScopeGPU
		}
		if ev.Access == abi.AccessStore || ev.Access == abi.AccessRMW && r.IntN(2) == 0 {
			ev.Wrote = ev.Mask & -ev.Mask
			ev.Site++
		}
		for lane := range 32 {
			if ev.Addr[lane], ev.New[lane] = word, r.Uint64N(3); mixed && r.IntN(8) == 0 && ev.Site < 3 {
				ev.Addr[lane] ^= 4
			}
		}
		neighbours(&ev)
		events = append(events, ev)
	}
	return events
}

// TestReadersTogether: strong reads by lanes of a warp are the same, recorded together or one by one.
func TestReadersTogether(t *testing.T) {
	defer precise.LimitKept(8)()
	warned := 0
	for seed := range uint64(*traces) / 2 {
		events := newReadersTrace(seed, 10+int(seed%60))
		reports := func() string {
			d := newDetector(t)
			d.SetDecisions(map[uint32]bool{5: seed%2 == 0})
			d.SetConsulted(map[uint32]bool{1: seed%5 == 0, 5: seed%3 == 0})
			races := play(d, events)
			for _, r := range races {
				if r.Severity == "warning" && r.Count > 20 {
					warned++
				}
			}
			return fmt.Sprintf("%+v", races)
		}
		got := reports()
		for name, change := range map[string]func() func(){"apart": precise.ReadApart, "examined": precise.ExamineAll} {
			undo := change()
			want := reports()
			undo()
			if got != want {
				t.Fatalf("seed %d, %s: got %s\nwant %s\n%s", seed, name, got, want, traceText(events))
			}
		}
	}
	if warned < *traces/8 {
		t.Errorf("%d warnings in %d traces: too few to tell", warned, *traces/2)
	}
}
