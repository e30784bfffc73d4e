package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// newSpanTrace is a random trace of warps whose lanes walk through spans of lines, as a rule each through its own, with the
// stores and loads of several words in a round, and that now and then read words at the ends of other spans, or write any word.
func newSpanTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 7)), alone: newAloneTracer()}
	span := 4 * pick[uint64](t, 40, 24, 36, 64)
	for len(t.events) < length {
		key := [2]uint64{t.Uint64N(traceBlocks), t.Uint64N(traceWarps)}
		base := 0x1000 + 3*span*(key[0]*traceWarps+key[1])
		switch t.IntN(8) {
		case 0, 1, 2, 3:
			t.spans(key, base, span)
		case 4:
			t.emit(key, abi.Event{Kind: abi.EventFence, Mask: t.mask(), Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: abi.ScopeGPU})
		default:
			ev := t.walked(pick(t, abi.SemVolatile, abi.SemVolatile, abi.SemRelaxed, abi.SemWeak))
			ev.Mask = 1 << t.IntN(3)
			if t.IntN(3) == 0 {
				base = 0x1000 + 3*span*t.Uint64N(traceBlocks*traceWarps)
			}
			for lane := range ev.Addr {
				ev.Addr[lane] = base + uint64(lane)*span + pick(t, ^uint64(3), 0, span-4, span, 4*t.Uint64N(60))
			}
			if t.IntN(3) > 0 {
				ev.Access = abi.AccessLoad
			} else if ev.Access == abi.AccessStore {
				ev.Wrote = ev.Mask
			}
			t.emit(key, ev)
		}
	}
	return t.events
}

// spans is a loop of a warp whose lanes are span bytes apart. A round accesses as many words, one after the other, as it has
// columns of a kind.
func (t *tracer) spans(key [2]uint64, base, span uint64) {
	unrolled, kinds := pick[uint64](t, 1, 1, 2, 3), 1+t.IntN(2)
	delta, at := 4*unrolled, base+4*pick(t, 0, 0, 1, t.Uint64N(8))
	if t.IntN(4) == 0 {
		delta, at = -delta, at+4*t.Uint64N(40)
	}
	var columns []abi.Event
	for range kinds {
		ev := t.walked(pick(t, abi.SemVolatile, abi.SemVolatile, abi.SemVolatile, abi.SemRelaxed))
		ev.Mask = pick[uint32](t, traceLanes, traceLanes, 0b101, 0b1)
		ahead := pick[uint64](t, 0, 0, 4, 4*60)
		for k := range unrolled {
			for lane := range ev.Addr {
				ev.Addr[lane] = at + ahead + 4*k + uint64(lane)*span
			}
			columns = append(columns, ev)
		}
	}
	for i := range columns {
		columns[i].Mask = columns[0].Mask
	}
	site := 1 + 6*t.Uint32N(4)
	for range max(4, (4+t.IntN(28))/int(unrolled)) {
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

// TestBands: what is known of words whose cells bands stand for is what the definitions say, and reports and cells are the same
// whether the rounds of a walk come together or not.
func TestBands(t *testing.T) {
	banded := 0
	for seed := range uint64(*traces / 4) {
		events := newSpanTrace(seed, 20+int(seed%200))
		agree(t, seed, events)
		var reports [2]string
		for i, how := range []batching{together, oneByOne} {
			d, err := precise.New(precise.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			d.SetDecisions(map[uint32]bool{1: seed%3 == 0})
			reports[i] = fmt.Sprintf("%+v\n", playIn(d, events, how)) + fmt.Sprint(d.Cells())
			if d.Banded() > 0 {
				banded++
			}
		}
		if reports[0] != reports[1] {
			t.Fatalf("seed %d: together\n%s\none by one\n%s\n%s", seed, reports[0], reports[1], traceText(events))
		}
	}
	if banded < *traces/16 {
		t.Errorf("%d of %d traces end with bands", banded, *traces/4)
	}
}

// TestBandsUnseen: the pairs that are reported are those without cells, also when what threads knew is forgotten where no cell
// needs it.
func TestBandsUnseen(t *testing.T) {
	defer precise.LimitContexts(0)()
	for seed := range uint64(500) {
		agreeOnSeconds(t, seed, newSpanTrace(seed, 20+int(seed%200)))
	}
}
