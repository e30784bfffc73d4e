package precise_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestTallies: reports are the same, with counts and examples, when writes of a word are counted by block and
// instruction as when each is compared.
func TestTallies(t *testing.T) {
	for seed := range uint64(*traces) {
		countsAlike(t, seed, repetitive(seed))
	}
}

// TestSameAgain: a trace has the same report each time. In this one, blocks of a grid that a thread has launched have
// not ended when the grid ends, and what the thread acquires is joined from all of them.
func TestSameAgain(t *testing.T) {
	events := repetitive(18133)
	var first []detect.Race
	for i := range 50 {
		d, err := precise.New(precise.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		races := play(d, events)
		if i == 0 {
			first = races
		}
		if !reflect.DeepEqual(races, first) {
			t.Fatalf("time %d: %+v\nthe first time %+v", i+1, races, first)
		}
	}
}

// TestRowsTogether: reports are the same when rows of words are counted by block and instruction, and stay rows, as
// when each is compared and each word of a line with many has a history of its own.
func TestRowsTogether(t *testing.T) {
	for seed := range uint64(*traces / 4) {
		countsAlike(t, seed, rowsTrace(seed))
	}
}

// countsAlike fails the test if it matters for a trace how many writes of a place are compared one by one, or whether
// an access counts its races like an earlier one of it.
func countsAlike(t *testing.T, seed uint64, events []abi.Event) {
	t.Helper()
	reports := func(few int) []detect.Race {
		defer precise.LimitTallies(few)()
		d, err := precise.New(precise.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		return play(d, events)
	}
	apart, counted := reports(1<<30), reports(1)
	defer precise.ExamineAll()()
	if examined := reports(1 << 30); !reflect.DeepEqual(apart, counted) || !reflect.DeepEqual(examined, apart) {
		t.Fatalf("seed %d: counted %+v\none by one %+v\nexamined %+v\n%s", seed, counted, apart, examined, traceText(events))
	}
}

// repetitive is a random trace of few instructions. It has no synchronisation other than by accesses if the seed is
// even, and some otherwise.
func repetitive(seed uint64) []abi.Event {
	events := newTrace(seed, 20+int(seed%180))
	if seed%2 == 0 {
		events = slices.DeleteFunc(events, func(ev abi.Event) bool { return ev.Kind != abi.EventAccess || ev.Async != abi.Synchronous })
	}
	for i := range events {
		ev := &events[i]
		if ev.Site = uint32(100 + ev.Kind); ev.Kind == abi.EventAccess {
			if ev.Mask == 0 {
				continue
			}
			ev.Site = uint32(1 + ev.Access)
			if seed%3 == 0 && ev.Scope > abi.ScopeCTA {
				ev.Scope = abi.ScopeCTA
			}
		}
	}
	return events
}

// rowsTrace is a random trace in which the warps of three blocks access rows of words in two lines, few instructions in
// all, and synchronise now and then unless the seed is even.
func rowsTrace(seed uint64) (events []abi.Event) {
	r := rand.New(rand.NewPCG(seed, 2))
	lanes, shifts := 3+r.IntN(14), 1+r.Uint64N(24)
	for range 20 + r.IntN(200) {
		ev := abi.Event{
			Kind: abi.EventAccess, Space: abi.SpaceGlobal, Bytes: 4, Valued: true, Live: 1<<lanes - 1, Mask: 1<<lanes - 1,
			Block: r.Uint64N(traceBlocks), Warp: r.Uint32N(traceWarps),
		}
		ev.Cluster = ev.Block
		flag := uint64(0) // offset of words through which threads synchronise
		switch n := r.IntN(40); {
		case n < 24:
			ev.Access, ev.Sem = abi.AccessStore, abi.SemWeak
			if seed%4 > 1 {
				ev.Access, ev.Sem, ev.Scope = abi.AccessRMW, abi.SemRelaxed, abi.ScopeCTA
			}
		case n < 28:
			ev.Access, ev.Sem = abi.AccessLoad, abi.SemWeak
		case n < 32:
			ev.Access, ev.Sem, ev.Scope = abi.AccessStore, abi.SemRelaxed, pick(&tracer{Rand: r}, abi.ScopeCTA, abi.ScopeGPU)
			if seed%4 > 1 {
				ev.Access, ev.Sem, ev.Scope = abi.AccessRMW, abi.SemAcqRel, abi.ScopeGPU
			}
			if seed%16 > 7 { // observed, but not acquired
				ev.Sem, ev.Reduces, ev.Mask = abi.SemRelease, true, ev.Mask&r.Uint32()
			}
		case n < 34:
			ev.Mask = 1 << r.IntN(lanes)
			ev.Access, ev.Sem = abi.AccessStore, abi.SemWeak
		case seed%2 == 0:
			continue
		case n < 36:
			ev.Kind, ev.Sem, ev.Space, ev.Bytes = abi.EventWarpSync, abi.SemAcqRel, 0, 0
		case n < 38:
			ev.Kind, ev.Sem, ev.Scope, ev.Space, ev.Bytes = abi.EventFence, abi.SemAcqRel, abi.ScopeGPU, 0, 0
		default:
			ev.Access, ev.Sem, ev.Scope, ev.Mask, flag = abi.AccessRMW, abi.SemAcqRel, abi.ScopeGPU, 1<<r.IntN(lanes), 0x1000
		}
		if ev.Kind == abi.EventAccess && seed%8 > 5 && r.IntN(4) == 0 {
			ev.Bytes = 8
		}
		if ev.Mask == 0 {
			continue
		}
		ev.Site = uint32(1 + 10*int(ev.Kind) + int(ev.Access))
		if ev.Kind == abi.EventAccess && ev.Access != abi.AccessLoad {
			ev.Wrote = ev.Mask
		}
		first := 0x1000 + flag + uint64(ev.Bytes)*r.Uint64N(shifts)
		for lane := range ev.Addr {
			ev.Addr[lane], ev.New[lane] = first+uint64(ev.Bytes)*uint64(lane), uint64(lane)
		}
		neighbours(&ev)
		events = append(events, ev)
	}
	return events
}

// TestManyRows: each store of a row of words that moves races with the latest store of each other thread to its word.
// All are counted until there are too many, and the words have no histories of their own.
func TestManyRows(t *testing.T) {
	const warps, words = 16, 128
	for _, rounds := range []int{1, 4, 14, 200} {
		d, err := precise.New(precise.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32 * warps, 1, 1}}})
		d.Event(&abi.Event{Kind: abi.EventKernelBegin})
		var stored [words]map[int]bool // by word: threads
		want := 0
		for i := range rounds * warps {
			ev := hotStore(0)
			ev.Warp = uint32(i % warps)
			first := (i/warps*37 + i%warps*32) % (words - 31)
			for lane := range ev.Addr {
				word, thread := first+lane, i%warps*32+lane
				ev.Addr[lane] += 4 * uint64(word)
				if stored[word] == nil {
					stored[word] = map[int]bool{}
				}
				stored[word][thread] = true
				want += len(stored[word]) - 1
			}
			neighbours(ev)
			abi.Deliver(d, ev)
		}
		if n := d.LongestLog(); n != 0 {
			t.Errorf("%d rounds: a word has a history of its own, of %d entries", rounds, n)
		}
		got := 0
		for _, r := range d.End() {
			got += int(r.Count)
		}
		crowded := slices.Contains(d.Statistics(), "not checked: the oldest accesses of places that have more than 4096 races")
		if crowded != (rounds == 200) || crowded && (got < want/20 || got > want) || !crowded && got != want {
			t.Errorf("%d rounds: %d races, want %d; crowded: %t", rounds, got, want, crowded)
		}
	}
}
