package precise_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// newCellTrace is a random trace of one lane in each of three blocks, each of which has a word that as
// a rule it alone accesses, strongly. Now and then another one does.
func newCellTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 2)), alone: newAloneTracer()}
	shared := t.Uint64N(3)                                                     // a block whose word others access
	kinds := pick(t, []int{0, 7, 10, 12, 14, 15, 16}, []int{0, 7, 10, 16, 16}) // of accesses, by where their ranges begin
	for len(t.events) < length {
		block := pick(t, shared, t.Uint64N(3))
		key := [2]uint64{block, 0}
		ev := abi.Event{Kind: abi.EventAccess, Mask: 1, Space: abi.SpaceGlobal, Bytes: 4, Valued: true, Scope: pick(t, abi.ScopeGPU, abi.ScopeGPU, abi.ScopeCTA)}
		ev.Access, ev.Sem = pick(t, abi.AccessLoad, abi.AccessStore), pick(t, abi.SemVolatile, abi.SemRelaxed)
		word := block
		switch n := pick(t, kinds...); {
		case n < 7:
			ev.Scope = abi.ScopeGPU
		case n < 10:
			word = shared
		case n < 12:
			word = 16 + t.Uint64N(2)
			ev.Sem, ev.Scope = abi.SemWeak, 0
		case n < 14:
			word, ev.Sem, ev.Scope = shared, abi.SemWeak, 0
		case n < 15:
			word, ev.Access, ev.Sem = shared, abi.AccessRMW, pick(t, abi.SemRelaxed, abi.SemAcqRel)
		case n < 16:
			word, ev.Sem = shared, pick(t, abi.SemAcquire, abi.SemAcquire, abi.SemVolatile)
			ev.Access = abi.AccessLoad
		default:
			ev = abi.Event{Kind: abi.EventFence, Mask: 1, Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: ev.Scope}
		}
		if ev.Access != abi.AccessLoad {
			ev.Wrote = 1
		}
		ev.Addr[0] = 0x1000 + 4*word
		t.emit(key, ev)
	}
	return t.events
}

// TestCells: what is known of a word by its cell alone is what the definitions say, whoever comes.
func TestCells(t *testing.T) {
	for seed := range uint64(*traces) {
		events := newCellTrace(seed, 6+int(seed%24))
		agree(t, seed, events)
	}
}

// TestCellsFewContexts: what threads knew is forgotten only where no cell needs it.
func TestCellsFewContexts(t *testing.T) {
	defer precise.LimitContexts(0)()
	for seed := range uint64(*traces) / 2 {
		events := newCellTrace(seed, 6+int(seed%40))
		if why := disagree(t, events); why != "" {
			t.Fatalf("seed %d: %s\n%s", seed, why, traceText(events))
		}
		agreeOnSeconds(t, seed, events)
	}
}

// agreeOnSeconds checks that the pairs that are reported are the same whether words have cells or not, except that the
// latest read of a thread may stand for an earlier one.
func agreeOnSeconds(t *testing.T, seed uint64, events []abi.Event) {
	t.Helper()
	got, want := pairsWith(t, events, 1<<20), pairsWith(t, events, 0)
	for p, severities := range got {
		if want[p] != severities {
			t.Fatalf("seed %d: %v is %q with cells, %q without\n%s", seed, p, severities, want[p], traceText(events))
		}
	}
	for p, severities := range want {
		first := &events[p.first-1]
		if got[p] != severities && (first.Access != abi.AccessLoad || !slices.ContainsFunc(slices.Collect(maps.Keys(got)), func(q race) bool {
			later := &events[q.first-1]
			return q.second == p.second && q.first > p.first && later.Access == abi.AccessLoad && later.Block == first.Block && got[q] == severities
		})) {
			t.Fatalf("seed %d: %v is missing with cells\n%s", seed, p, traceText(events))
		}
	}
}

// TestCellsUnseen: the pairs that are reported are those without cells.
func TestCellsUnseen(t *testing.T) {
	for seed := range uint64(*traces) / 4 {
		events := newCellTrace(seed, 6+int(seed%40))
		agreeOnSeconds(t, seed, events)
	}
}

// TestCellsForgotten: when the record of accesses is full, cells are forgotten with the rest, and what
// they release is not.
func TestCellsForgotten(t *testing.T) {
	o := precise.DefaultOptions()
	o.Memory = 1 << 20
	d, err := precise.New(o)
	if err != nil {
		t.Fatal(err)
	}
	tr := &tracer{Rand: rand.New(rand.NewPCG(1, 1)), alone: newAloneTracer()}
	access := func(block, addr uint64, kind abi.AccessKind, sem abi.Semantics) {
		ev := abi.Event{Kind: abi.EventAccess, Mask: 1, Space: abi.SpaceGlobal, Bytes: 4, Access: kind, Sem: sem, Scope: abi.ScopeGPU}
		if kind == abi.AccessStore {
			ev.Wrote = 1
		}
		ev.Addr[0] = addr
		tr.emit([2]uint64{block, 0}, ev)
	}
	fence := func(block uint64) {
		tr.emit([2]uint64{block, 0}, abi.Event{Kind: abi.EventFence, Mask: 1, Sem: abi.SemSC, Scope: abi.ScopeGPU})
	}
	access(0, 0x100, abi.AccessStore, abi.SemWeak)
	fence(0)
	for i := range uint64(2000) {
		access(0, 0x1000+128*i, abi.AccessStore, abi.SemVolatile)
	}
	access(0, 0x100, abi.AccessStore, abi.SemWeak)
	access(1, 0x1000, abi.AccessLoad, abi.SemVolatile)
	fence(1)
	access(1, 0x1000, abi.AccessStore, abi.SemWeak) // is in no order, but what came before is forgotten
	access(1, 0x100, abi.AccessLoad, abi.SemWeak)   // of what follows the fence
	if races := play(d, tr.events); len(races) != 1 || races[0].Address != 0x100 {
		t.Errorf("got %+v, want the race at 0x100", races)
	}
	if len(d.Statistics()) == 0 {
		t.Error("nothing was forgotten")
	}
}
