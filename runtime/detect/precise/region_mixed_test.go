package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// countingSite is the first site of atomic operations whose results nobody uses.
const countingSite = 10

// newCountingTrace returns a random trace of four warps of two blocks. They set words of their block to zero, or others now and then,
// wait for each other, and count in the words, by atomic operations whose results nobody uses but for a few. Some threads read the
// words, or execute fences, and a few traces have nothing else in their lines.
func newCountingTrace(seed uint64, length int) (events []abi.Event) {
	r := rand.New(rand.NewPCG(seed, 21))
	t := &tracer{Rand: r}
	const all = 0xff
	strays, reads, others, fences := r.IntN(4)*r.IntN(2), r.IntN(3), r.IntN(2), r.IntN(2)*r.IntN(2)
	words, far := pick[uint64](t, 2, 8, 16), pick[uint64](t, 64, 128, 256)
	emit := func(block uint64, warp uint32, ev abi.Event) {
		ev.Block, ev.Cluster, ev.Warp, ev.Live = block, block, warp, all
		events = append(events, ev)
	}
	var barriers [2]int
	for len(events) < length {
		block, warp := r.Uint64N(2), r.Uint32N(traceWarps)
		stray := r.IntN(60) < strays
		ev := abi.Event{
			Kind: abi.EventAccess, Mask: pick[uint32](t, all, all, 1, r.Uint32()&all|2), Space: abi.SpaceGlobal, Bytes: 4, Valued: true,
			Sem: abi.SemWeak, Access: abi.AccessStore,
		}
		at := 1<<40 + block*far
		if stray && r.IntN(3) == 0 {
			at = 1<<40 + r.Uint64N(2)*far
		}
		row := r.IntN(2) == 0
		switch n := r.IntN(12 + reads + others + fences); {
		case n < 3:
			if barriers[block] > 0 && !stray {
				continue
			}
			ev.Site = 2 + r.Uint32N(2)
		case n < 4:
			barriers[block]++
			for _, kind := range []abi.EventKind{abi.EventBarrierArrive, abi.EventBarrierComplete, abi.EventBarrierPass} {
				for w := range uint32(traceWarps) {
					if w == 0 || kind != abi.EventBarrierComplete {
						emit(block, w, abi.Event{Kind: kind, Mask: all})
					}
				}
			}
			continue
		case n < 12:
			if (barriers[block] == 0 || barriers[block] > 2 && reads > 0) && !stray {
				continue
			}
			ev.Access, ev.Sem, ev.Scope, ev.Site = abi.AccessRMW, abi.SemRelaxed, abi.ScopeGPU, countingSite+r.Uint32N(2)
			if stray && r.IntN(2) == 0 {
				ev.Site = 4 // its result is used
			} else if stray {
				ev.Scope, ev.Site = abi.ScopeCTA, ev.Site+2
			}
		case n < 12+reads:
			if barriers[block] < 3 && !stray {
				continue
			}
			ev.Access, ev.Site = abi.AccessLoad, 6+r.Uint32N(2)
		case n < 12+reads+others: // words that nobody counts in
			at, ev.Access, ev.Site = 1<<40+4096+uint64(warp)*128+block*256, abi.AccessKind(r.IntN(2)), 8+r.Uint32N(2)
		default:
			emit(block, warp, abi.Event{Kind: abi.EventFence, Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: abi.ScopeGPU, Mask: ev.Mask, Site: 20})
			continue
		}
		if ev.Access != abi.AccessLoad {
			ev.Wrote = ev.Mask
		}
		ev.Site += 40 * uint32(ev.Access)
		first := r.Uint64N(words)
		for lane := range uint64(8) {
			word := (first + lane) % 16
			if !row {
				word = r.Uint64N(words)
			}
			ev.Addr[lane], ev.New[lane], ev.Old[lane] = at+4*word, 2+r.Uint64N(2), 1
		}
		if ev.Access == abi.AccessStore || at > 1<<40+4096-1 {
			for lane := range ev.Addr[:8] { // no two lanes access one word
				ev.Addr[lane] = at + 4*(uint64(warp)*8+uint64(lane))
			}
		}
		neighbours(&ev)
		emit(block, warp, ev)
	}
	return events
}

// TestMixedRegions: reports are the same whether counters that the launch initialises are deferred or not, when journals are full, and
// however accesses are delivered.
func TestMixedRegions(t *testing.T) {
	mixed, racy := 0, 0
	for seed := range uint64(*traces) {
		events := newCountingTrace(seed, 20+int(seed%120))
		report := func(journals uintptr, how batching) string {
			d := newDetector(t)
			d.LimitJournals(journals)
			unheeded := make(map[uint32]bool)
			for site := range uint32(4) {
				unheeded[40*uint32(abi.AccessRMW)+countingSite+site] = true
			}
			d.SetUnheeded(unheeded)
			d.SetDecisions(map[uint32]bool{})
			races := playIn(&mixedCounter{d, &mixed}, events, how)
			racy += min(len(races), 1)
			return fmt.Sprintf("%+v", races)
		}
		for i, how := range []batching{together, oneByOne, asEvents} {
			undo := precise.MixNoRegions()
			want := report(1<<20, how)
			undo()
			journals := uintptr(1 << 20)
			if seed%5 == 0 {
				journals = 4 << 10
			}
			if got := report(journals, how); got != want {
				t.Fatalf("seed %d, delivery %d: mixed\n%s\nnot mixed\n%s\n%s", seed, i, got, want, traceText(events))
			}
		}
	}
	if all := 6 * *traces; mixed < all/40 || racy < all/5 || racy > all*9/10 {
		t.Errorf("of %d runs, %d end with mixed regions and %d race: too few to tell", all, mixed, racy)
	}
	t.Logf("of %d runs, %d end with mixed regions and %d race", 6**traces, mixed, racy)
}

// mixedCounter counts the launches that end with mixed regions.
type mixedCounter struct {
	*precise.Detector
	ended *int
}

// End implements detect.Detector.
func (m *mixedCounter) End() []detect.Race {
	*m.ended += min(m.Mixed(), 1)
	return m.Detector.End()
}
