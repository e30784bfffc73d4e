package precise_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// newOwnedTrace is a random trace of lanes that access values of their own, each in a line of its own or in one with others. Now and
// then they access values of other lanes, of another size, or strongly, and synchronise.
func newOwnedTrace(seed uint64, length int) []abi.Event {
	t := &tracer{Rand: rand.New(rand.NewPCG(seed, 23)), alone: newAloneTracer(), waiting: map[[2]uint64]*abi.Event{}}
	blocks, size, lines := 1+t.Uint64N(2), pick(t, uint32(4), 8), t.IntN(2) == 0
	odd, order := pick(t, 0, 6, 20), pick(t, 4, 25) // of 100 accesses and operations, those that are not to own values, or are no accesses
	for tries := 0; len(t.events) < length && tries < 20*length; tries++ {
		key := [2]uint64{t.Uint64N(blocks), t.Uint64N(2)}
		if t.waiting[key] != nil || t.lanes(key) == 0 {
			continue
		}
		switch n := t.IntN(100); {
		case n < order/3:
			t.barrier(key)
		case n < order/2:
			t.emit(key, abi.Event{Kind: abi.EventWarpSync, Mask: traceLanes, Sem: abi.SemAcqRel})
		case n < order:
			t.message(key)
		default:
			t.ownValues(key, size, lines, odd)
		}
	}
	return t.events
}

// message is a release or an acquire of a flag by one lane.
func (t *tracer) message(key [2]uint64) {
	ev := abi.Event{
		Kind: abi.EventAccess, Mask: 1 << t.lane(), Space: abi.SpaceGlobal, Bytes: 4, Valued: true, Scope: abi.ScopeGPU,
		Access: pick(t, abi.AccessLoad, abi.AccessRMW), Sem: abi.SemAcquire,
	}
	if ev.Access == abi.AccessRMW {
		ev.Sem, ev.Wrote = abi.SemAcqRel, ev.Mask
	}
	for i := range 3 {
		ev.Addr[i] = 0x9000
	}
	t.emit(key, ev)
}

// ownValues is a weak load or store by lanes of values that as a rule nobody else accesses.
func (t *tracer) ownValues(key [2]uint64, size uint32, lines bool, odd int) {
	ev := abi.Event{Kind: abi.EventAccess, Mask: t.mask(), Space: abi.SpaceGlobal, Bytes: size, Sem: abi.SemWeak, Access: pick(t, abi.AccessLoad, abi.AccessStore)}
	whose, value := 6*key[0]+3*key[1], t.Uint64N(3)
	apart, shift := uint64(48), uint64(0)
	if lines {
		apart = 128
	}
	step := apart
	site := 1000 + uint32(ev.Access) + 2*t.Uint32N(2)
	if t.IntN(100) < odd {
		site += 4 * (1 + t.Uint32N(3))
		switch t.IntN(8) {
		case 6:
			step, shift = 0, pick(t, uint64(0), 4)
		case 7:
			shift = 4
		case 0, 1:
			whose = t.Uint64N(6)
		case 2:
			ev.Bytes = pick(t, uint32(1), 2, 4, 8, 16)
		case 3:
			ev.Sem, ev.Scope = abi.SemRelaxed, pick(t, abi.ScopeGPU, abi.ScopeCTA)
		case 4:
			ev.Access, ev.Sem, ev.Scope = abi.AccessRMW, abi.SemRelaxed, abi.ScopeGPU
		default:
			ev.Mask = 1 << t.lane()
		}
	}
	for i := range uint64(3) {
		ev.Addr[i] = 0x1000 + 16*value + whose*apart + i*step + shift
	}
	if ev.Access != abi.AccessLoad {
		ev.Wrote = ev.Mask
	}
	before := len(t.events)
	if t.emit(key, ev); len(t.events) > before {
		t.events[before].Site = site
	}
}

// TestOwnedWords: what is known of values by their owners alone is what the definitions say, whoever comes.
func TestOwnedWords(t *testing.T) {
	for seed := range uint64(*traces) {
		agree(t, seed, newOwnedTrace(seed, 6+int(seed%50)))
	}
}

// TestOwnedWordsUnseen: what is reported about each access is as without owned words.
func TestOwnedWordsUnseen(t *testing.T) {
	owned, exposed, races := 0, 0, 0
	for seed := range uint64(*traces) / 2 {
		events := newOwnedTrace(seed, 10+int(seed%90))
		report := func() string {
			d := newDetector(t)
			d.LimitJournals(uintptr(seed) % 2 * 100)
			found := playIn(d, events, batching(seed%3))
			made, lost := d.OwnedLines()
			owned, exposed, races = owned+made, exposed+lost, races+len(found)
			return fmt.Sprintf("%+v", found)
		}
		got := report()
		undo := precise.AvoidOwnedWords()
		want := report()
		undo()
		if got != want {
			t.Fatalf("seed %d: got %s\nwant %s\n%s", seed, got, want, traceText(events))
		}
	}
	if owned < *traces || exposed < *traces/4 || exposed > owned*3/4 || races < *traces/4 {
		t.Errorf("%d lines of owned words, %d exposed, %d races: too few to tell", owned, exposed, races)
	}
}

// TestOwnedWordsFreed: owned words of memory that is freed are no accesses to what is allocated there later.
func TestOwnedWordsFreed(t *testing.T) {
	tr := &tracer{alone: newAloneTracer()}
	store := func(block uint64) {
		for i := range uint64(40) {
			ev := abi.Event{Kind: abi.EventAccess, Mask: 1, Wrote: 1, Space: abi.SpaceGlobal, Bytes: 4, Access: abi.AccessStore, Sem: abi.SemWeak}
			ev.Addr[0] = 0x1000 + 128*(i%20)
			tr.emit([2]uint64{block, 0}, ev)
		}
	}
	free := abi.Event{Kind: abi.EventFree, Mask: 1, Bytes: 128 * 20}
	free.Addr[0] = 0x1000
	store(0)
	tr.emit([2]uint64{1, 0}, free)
	store(1)
	d := newDetector(t)
	races := playIn(d, tr.events, together)
	if made, exposed := d.OwnedLines(); made < 40 || exposed != 0 {
		t.Errorf("%d lines of owned words, %d exposed", made, exposed)
	}
	if len(races) != 0 {
		t.Errorf("%+v", races)
	}
}

// TestOwnedWordsOfLaunch: owned words of one launch are no accesses in the next one.
func TestOwnedWordsOfLaunch(t *testing.T) {
	d := newDetector(t)
	for warp := range uint64(2) {
		tr := &tracer{alone: newAloneTracer()}
		for i := range uint64(40) {
			ev := abi.Event{Kind: abi.EventAccess, Mask: 1, Wrote: 1, Space: abi.SpaceGlobal, Bytes: 4, Access: abi.AccessStore, Sem: abi.SemWeak}
			ev.Addr[0] = 0x1000 + 128*(i%20)
			tr.emit([2]uint64{0, warp}, ev)
		}
		if races := playIn(d, tr.events, together); len(races) != 0 {
			t.Errorf("launch %d: %+v", warp, races)
		}
	}
}
