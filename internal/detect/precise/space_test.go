package precise_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestRecycled: shared memory of blocks has no history when blocks before have ended
// that used the same addresses.
func TestRecycled(t *testing.T) {
	races := 0
	for seed := range uint64(300) {
		first := slices.DeleteFunc(newTrace(seed, 60), func(ev abi.Event) bool {
			return ev.Kind == abi.EventAccess && ev.Space != abi.SpaceShared
		})
		n := uint32(len(first))
		for i := range first {
			first[i].Site = uint32(i) + 1
		}
		events := slices.Clone(first)
		for b := range uint64(traceBlocks) {
			events = append(events, abi.Event{Kind: abi.EventBlockEnd, Block: b})
		}
		for _, ev := range first {
			ev.Site, ev.Block, ev.Cluster = ev.Site+n, ev.Block+traceBlocks, ev.Cluster+traceBlocks
			events = append(events, ev)
		}
		got := detected(t, events)
		races += len(got)
		for r := range got {
			again := race{r.first + n, r.second + n}
			if r.first > n {
				again = race{r.first - n, r.second - n}
			}
			if !got[again] {
				t.Fatalf("seed %d: sites %d and %d race, but %d and %d do not", seed, r.first, r.second, again.first, again.second)
			}
		}
	}
	if races < 100 {
		t.Errorf("%d races: too few to tell", races)
	}
}

// TestLongCounter: a counter that many threads increment has no race however often, nor
// when the last one resets it, which has observed all others; and one that has not
// takes part in a race.
func TestLongCounter(t *testing.T) {
	var events []abi.Event
	add := func(block uint64, kind abi.AccessKind, sem abi.Semantics) {
		ev := abi.Event{
			Kind: abi.EventAccess, Site: uint32(len(events) + 1), Block: block, Cluster: block, Mask: 1, Live: 1, Space: abi.SpaceGlobal,
			Access: kind, Sem: sem, Bytes: 4,
		}
		if ev.Addr[0] = 0x1000; kind.Writes() {
			ev.Wrote = 1
		}
		if sem == abi.SemRelaxed {
			ev.Scope = abi.ScopeGPU
		}
		events = append(events, ev)
	}
	for i := range uint64(500) {
		add(i%traceBlocks, abi.AccessRMW, abi.SemRelaxed)
	}
	add(499%traceBlocks, abi.AccessStore, abi.SemWeak)
	if got := detected(t, events); len(got) > 0 {
		t.Errorf("the one who has observed all takes part in races: %v", got)
	}
	add((499+1)%traceBlocks, abi.AccessLoad, abi.SemWeak)
	if got := detected(t, events); !got[race{501, 502}] {
		t.Errorf("no race between the reset and a reader who has not observed it: %v", got)
	}
}

// TestRecycledWarnings: nor are there warnings of what blocks before did that have ended.
func TestRecycledWarnings(t *testing.T) {
	events := litmusEvents(t, []string{"A st.volatile d", "B ld.volatile d", "D st.volatile d"})
	for i := range events {
		events[i].Space = abi.SpaceShared
	}
	if got := report(t, events); len(got) != 1 {
		t.Fatalf("%+v, want one of the threads of one block", got)
	}
	ended := slices.Insert(events[:3:3], 2, abi.Event{Kind: abi.EventBlockEnd, Block: events[0].Block})
	if got := report(t, ended); len(got) != 1 {
		t.Errorf("%+v, want the same when the next block uses the memory again", got)
	}
}

// TestRecycledLocks: a location is no lock because one of a block before was, at the same
// address.
func TestRecycledLocks(t *testing.T) {
	const d, l = 0x400, 0x500
	store := abi.AccessStore
	events := []abi.Event{
		locked("A", abi.AtomicCAS, l), locked("A", abi.AtomicExch, l),
		at("A", 0, abi.Event{Kind: abi.EventBlockEnd}), at("C", 0, abi.Event{Kind: abi.EventBlockEnd}),
		locked("D", abi.AtomicCAS, l), memory("D", 0, store, d), memory("D", 1, store, d),
	}
	for i := range events {
		events[i].Site = uint32(i + 1)
	}
	if got := report(t, events); len(got) != 1 || got[0].Cause == "missing-lock" {
		t.Errorf("%+v, want a race without locks", got)
	}
	again := slices.Insert(slices.Clone(events), len(events)-1, locked("D", abi.AtomicExch, l))
	if got := report(t, again); len(got) != 1 || got[0].Cause != "missing-lock" {
		t.Errorf("%+v, want one without the lock", got)
	}
}

// TestRelaunch: what a launch reports does not depend on the launches before it, whose
// space it uses.
func TestRelaunch(t *testing.T) {
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(*traces) / 10 {
		events := newTrace(seed, 40+int(seed%60))
		fresh, err := precise.New(precise.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		want, got := fmt.Sprintf("%+v", play(fresh, events)), fmt.Sprintf("%+v", play(d, events))
		if got != want {
			t.Fatalf("seed %d: got\n%s\nwant\n%s", seed, got, want)
		}
	}
}

// TestFreed: what is known of memory that a kernel has freed takes no space any more, and what is made for it is used
// again.
func TestFreed(t *testing.T) {
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}}})
	d.Event(&abi.Event{Kind: abi.EventKernelBegin})
	used := uint64(0)
	for round := range uint64(100) {
		base := round << 32
		heap := at("A", 0, abi.Event{Kind: abi.EventAlloc, Bytes: 256})
		heap.Addr[0] = base
		d.Event(&heap)
		access := hotStore(0)
		for lane := range access.Addr {
			access.Addr[lane] = base + 4*uint64(lane*lane%32)
		}
		abi.Deliver(d, access)
		if access.Access, access.Valued = abi.AccessLoad, false; round%2 == 1 {
			abi.Deliver(d, access)
		}
		d.Event(&abi.Event{Kind: abi.EventWarpSync, Sem: abi.SemAcqRel, Mask: access.Mask, Live: access.Mask, Warp: access.Warp, Block: access.Block})
		heap.Kind = abi.EventFree
		d.Event(&heap)
		switch {
		case d.Pages() != 0 || d.RegionCount() != 0:
			t.Fatalf("round %d: %d pages and %d regions are left", round, d.Pages(), d.RegionCount())
		case round == 1:
			used = d.UsedBytes()
		case round > 1 && d.UsedBytes() != used:
			t.Fatalf("round %d: %d bytes, %d after the second round", round, d.UsedBytes(), used)
		}
	}
}
