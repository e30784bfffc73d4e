package precise_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// newHandoverTrace is a random trace of a lane in each of up to four warps of two blocks, which hand over two words: as
// a rule, a thread that accesses them, strongly, has observed a flag of the one that did before, with fences on both
// sides. Now and then one does not wait, or accesses a word in another way.
func newHandoverTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 3)), alone: newAloneTracer()}
	const data, flag = 0x1000, 0x2000
	holder, careful := [2]uint64{0, 0}, pick(t, 5, 20, 80)
	access := func(key [2]uint64, addr uint64, kind abi.AccessKind, sem abi.Semantics, scope abi.Scope) {
		ev := abi.Event{Kind: abi.EventAccess, Mask: 1, Space: abi.SpaceGlobal, Bytes: 4, Valued: true, Access: kind, Sem: sem, Scope: scope}
		if kind != abi.AccessLoad {
			ev.Wrote = 1
		}
		ev.Addr[0] = addr
		t.emit(key, ev)
	}
	fence := func(key [2]uint64) {
		t.emit(key, abi.Event{Kind: abi.EventFence, Mask: 1, Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: pick(t, abi.ScopeGPU, abi.ScopeGPU, abi.ScopeGPU, abi.ScopeCTA)})
	}
	for len(t.events) < length {
		next := [2]uint64{t.Uint64N(2), t.Uint64N(2)}
		if t.IntN(careful) != 0 {
			fence(holder)
			access(holder, flag, abi.AccessRMW, abi.SemRelaxed, abi.ScopeGPU)
			access(next, flag, abi.AccessRMW, abi.SemRelaxed, abi.ScopeGPU)
			fence(next)
		}
		holder = next
		for range 1 + t.IntN(4) {
			addr := data + 4*t.Uint64N(2)
			kind, sem, scope := pick(t, abi.AccessLoad, abi.AccessStore), abi.SemVolatile, abi.ScopeGPU
			switch {
			case t.IntN(2*careful) == 0:
				sem, scope = abi.SemWeak, abi.Scope(0)
			case t.IntN(2*careful) == 0:
				kind, sem = abi.AccessRMW, abi.SemRelaxed
			case t.IntN(2*careful) == 0:
				sem, scope = abi.SemRelaxed, abi.ScopeCTA
			}
			access(holder, addr, kind, sem, scope)
		}
	}
	return t.events
}

// TestOrderedCells: what is known of a word that threads access one after the other is what the definitions say.
func TestOrderedCells(t *testing.T) {
	held := 0
	for seed := range uint64(*traces) {
		events := newHandoverTrace(seed, 10+int(seed%50))
		agree(t, seed, events)
		held += heldInOrder(t, events)
	}
	if held < *traces/4 {
		t.Errorf("%d ordered cells in %d traces", held, *traces)
	}
}

// heldInOrder is how many ordered cells are in use at the end of a trace.
func heldInOrder(t *testing.T, events []abi.Event) int {
	d := newDetector(t)
	playIn(d, events, together)
	return d.OrderedCells()
}

// TestOrderedCellsUnseen: the pairs that are reported are those without cells, also when what threads knew is
// forgotten where no cell needs it.
func TestOrderedCellsUnseen(t *testing.T) {
	defer precise.LimitContexts(0)()
	for seed := range uint64(*traces) / 2 {
		agreeOnSeconds(t, seed, newHandoverTrace(seed, 10+int(seed%90)))
	}
}
