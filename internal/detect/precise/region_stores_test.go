package precise_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestStoredOnce: of stores that are scattered over words nothing is looked at, until one is to a word of another one
// or something else accesses the memory.
func TestStoredOnce(t *testing.T) {
	store := func(block, addr uint64) abi.Event {
		ev := abi.Event{
			Kind: abi.EventAccess, Block: block, Cluster: block, Mask: 1, Live: 1, Wrote: 1, Site: uint32(block) + 1,
			Space: abi.SpaceGlobal, Bytes: 4, Access: abi.AccessStore, Sem: abi.SemWeak,
		}
		ev.Addr[0] = addr
		return ev
	}
	load := store(2, 0x1080)
	load.Access, load.Wrote = abi.AccessLoad, 0
	sized := func(ev abi.Event, bytes uint32) abi.Event {
		ev.Bytes = bytes
		return ev
	}
	words := []abi.Event{store(0, 0x1080), store(0, 0x1084), store(0, 0x2080)}
	parts := []abi.Event{sized(store(0, 0x1080), 1), sized(store(0, 0x1081), 1), sized(store(0, 0x2080), 2)}
	for name, c := range map[string]struct {
		first    []abi.Event
		last     abi.Event
		deferred bool
		races    int
	}{
		"a word of its own":        {words, store(1, 0x1100), true, 0},
		"a word of another":        {words, store(1, 0x1084), false, 1},
		"a word of the same":       {words, store(0, 0x1084), false, 0},
		"a read":                   {words, load, false, 1},
		"two words":                {words, sized(store(2, 0x1080), 8), false, 2},
		"a byte after words":       {words, sized(store(1, 0x1100), 1), false, 0},
		"a byte of its own":        {parts, sized(store(1, 0x1082), 1), true, 0},
		"a byte of another":        {parts, sized(store(1, 0x1081), 1), false, 1},
		"half of two bytes":        {parts, sized(store(1, 0x2081), 1), false, 1},
		"32 bytes after bytes":     {parts, sized(store(1, 0x10a0), 32), true, 0},
		"32 bytes with some bytes": {parts, sized(store(1, 0x1080), 32), false, 2},
	} {
		d := newDetector(t)
		d.Begin(detect.Launch{LaunchShape: traceShape(nil)})
		d.Event(&abi.Event{Kind: abi.EventKernelBegin})
		for _, ev := range append(c.first, c.last) {
			abi.Deliver(d, &ev)
		}
		if got := d.Journaled() > 0; got != c.deferred {
			t.Errorf("%s: deferred: %t", name, got)
		}
		races := 0
		for _, r := range d.End() {
			races += int(r.Count)
		}
		if races != c.races {
			t.Errorf("%s: %d races, want %d", name, races, c.races)
		}
	}
}

// TestScatter: the detector says of memory that is stored to once what the definitions say, and the same word for word
// whether stores are deferred or not.
func TestScatter(t *testing.T) {
	for seed := range uint64(*traces) {
		events := newHabitualTrace(seed, 8+int(seed%50), onlyStores, onlyStores, anyAccess)
		agree(t, seed, events)
		if seed%4 == 0 && !separate(events) {
			if got, want := reportWith(t, events, 1<<20), reportWith(t, events, 0); got != want {
				t.Fatalf("seed %d: got\n%s\nwant\n%s", seed, got, want)
			}
		}
	}
}
