package precise_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// newSharedCellTrace is a random trace of warps that access rows of volatile words in the shared memory of their block, as a rule each
// its own, with barriers between. Now and then they access rows of others, single words, words of another size, or in another way.
func newSharedCellTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 11)), alone: newAloneTracer(), waiting: map[[2]uint64]*abi.Event{}}
	blocks, size := 1+t.Uint64N(2), pick(t, uint32(4), 4, 8)
	// Of 100 operations, how many are barriers and fences, and of 100 accesses, how many are to a row of others.
	barriers, fences, foreign := pick(t, 0, 4, 14), pick(t, 2, 24, 40), pick(t, 0, 4, 12, 30)
	t.strong = pick(t, 10, 10, 5) // tenths of accesses, of which the others are weak and of a word apart
	for tries := 0; len(t.events) < length && tries < 20*length; tries++ {
		key := [2]uint64{t.Uint64N(blocks), t.Uint64N(2)}
		if t.waiting[key] != nil || t.lanes(key) == 0 {
			continue
		}
		switch n := t.IntN(100); {
		case n < barriers:
			t.barrier(key)
		case n < barriers+2:
			t.emit(key, abi.Event{Kind: abi.EventWarpSync, Mask: t.mask(), Sem: abi.SemAcqRel})
		case n < barriers+2+fences:
			t.emit(key, abi.Event{Kind: abi.EventFence, Mask: pick(t, uint32(traceLanes), t.mask()), Sem: pick(t, abi.SemAcqRel, abi.SemSC), Scope: abi.ScopeGPU})
		case n < barriers+3+fences:
			t.end(key)
		default:
			if t.IntN(10) < t.strong {
				t.row(key, size, foreign)
			} else {
				t.weak(key)
			}
		}
	}
	return t.events
}

// row is a strong load or store by lanes side by side of words in shared memory, or another access there.
func (t *tracer) row(key [2]uint64, size uint32, foreign int) {
	ev := abi.Event{
		Kind: abi.EventAccess, Mask: traceLanes, Space: abi.SpaceShared, Bytes: size, Valued: true, Sem: pick(t, abi.SemVolatile, abi.SemRelaxed), Scope: abi.ScopeGPU,
		Access: pick(t, abi.AccessLoad, abi.AccessStore),
	}
	first := 4 * key[1] // of the words
	switch n := t.IntN(100); {
	case n < foreign:
		first = t.Uint64N(8)
	case n < foreign+4:
		ev.Mask = t.mask()
	case n < foreign+7:
		ev.Bytes = pick(t, uint32(1), 4, 8)
	case n < foreign+10:
		ev.Sem, ev.Scope, ev.Bytes = abi.SemWeak, 0, pick(t, size, 4)
		first += t.Uint64N(2)
	case n < foreign+12:
		ev.Access, ev.Sem = abi.AccessRMW, pick(t, abi.SemRelaxed, abi.SemAcqRel)
	case n < foreign+14:
		ev.Sem = pick(t, abi.SemAcquire, abi.SemRelease)
		if ev.Access = abi.AccessLoad; ev.Sem == abi.SemRelease {
			ev.Access = abi.AccessStore
		}
	case n < foreign+16:
		ev.Scope = abi.ScopeCTA
	}
	bytes := uint64(ev.Bytes)
	base := 128*3 - 4*uint64(size) // across lines
	base = (base + first*uint64(size)) / bytes * bytes
	for i := range uint64(3) {
		ev.Addr[i] = base + i*bytes
		ev.New[i] = t.Uint64N(3)
	}
	if ev.Access != abi.AccessLoad {
		ev.Wrote = ev.Mask
	}
	t.emit(key, ev)
}

// weak is a weak load or store by one lane, of a word.
func (t *tracer) weak(key [2]uint64) {
	ev := abi.Event{Kind: abi.EventAccess, Mask: 1 << t.lane(), Space: abi.SpaceShared, Bytes: 4, Sem: abi.SemWeak, Access: pick(t, abi.AccessLoad, abi.AccessStore)}
	for i := range uint64(3) {
		ev.Addr[i] = 0x800
	}
	if ev.Access != abi.AccessLoad {
		ev.Wrote = ev.Mask
	}
	t.emit(key, ev)
}

// TestSharedCells: what is known of words of shared memory by their cells, between barriers, is what the definitions say.
func TestSharedCells(t *testing.T) {
	for seed := range uint64(*traces) {
		agree(t, seed, newSharedCellTrace(seed, 6+int(seed%60)))
	}
}

// TestSharedCellsUnseen: what is reported about each access is as without cells, also when what threads knew is forgotten where no cell
// needs it. With which of several earlier accesses depends on whether these are in rows.
func TestSharedCellsUnseen(t *testing.T) {
	for _, limit := range []int{0, 64} {
		defer precise.LimitSharedContexts(limit)()
		for seed := range uint64(*traces / 2) {
			events := newSharedCellTrace(seed, 6+int(seed%100))
			got, want := secondsOf(pairsWith(t, events, 1<<20)), secondsOf(pairsWith(t, events, 0))
			if !maps.Equal(got, want) {
				t.Fatalf("seed %d: %v with cells, %v without\n%s", seed, got, want, traceText(events))
			}
		}
	}
}

// secondsOf returns the second accesses of pairs, with what is reported about each.
func secondsOf(pairs map[race]detect.Severity) map[string]bool {
	out := make(map[string]bool)
	for p, severities := range pairs {
		for _, one := range strings.Split(strings.TrimSuffix(string(severities), "."), ".") {
			out[fmt.Sprint(p.second, " ", one)] = true
		}
	}
	return out
}
