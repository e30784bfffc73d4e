package precise_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestCompact: which instructions race, and how far apart, is the same whether atomic
// operations of blocks that have ended are dropped from a full journal or not.
func TestCompact(t *testing.T) {
	races, compacted := 0, 0
	for seed := range uint64(*traces) / 2 {
		events := countingTrace(seed)
		want, _ := racingSites(t, events, 0)
		got, fewer := racingSites(t, events, 3000)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v, want %v", seed, got, want)
		}
		races += len(want)
		compacted += fewer
	}
	if races == 0 || compacted == 0 {
		t.Errorf("%d races, %d journals compacted", races, compacted)
	}
}

// racingSites is what races in a trace, with journals of that size, and whether something was
// dropped from them.
func racingSites(t *testing.T, events []abi.Event, journals uintptr) (out []string, compacted int) {
	t.Helper()
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	d.LimitJournals(journals)
	d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1000, 1, 1}, Block: [3]uint32{32, 1, 1}}})
	d.Event(&abi.Event{Kind: abi.EventKernelBegin})
	size := uintptr(0)
	for i := range events {
		abi.Deliver(d, &events[i])
		now := d.Journaled()
		if now > 0 && now < size {
			compacted = 1
		}
		size = now
	}
	for _, r := range d.End() {
		out = append(out, fmt.Sprint(r.First.Site, r.Second.Site, r.Kind)) // what is known of messages, and with it the causes, differs
	}
	slices.Sort(out)
	return slices.Compact(out), compacted
}

// countingTrace is blocks that count in a few words, each time in one or in several side by side, and end, some of them
// after a release, and one block that goes on, counts and acquires from time to time and in the end reads.
func countingTrace(seed uint64) (events []abi.Event) {
	r := rand.New(rand.NewPCG(seed, 0))
	const words, flag = 3, 1 << 40
	access := func(block uint64, site uint32, kind abi.AccessKind, sem abi.Semantics) *abi.Event {
		events = append(events, abi.Event{
			Kind: abi.EventAccess, Block: block, Cluster: block, Site: site, Access: kind, Sem: sem, Scope: abi.ScopeGPU, Space: abi.SpaceGlobal,
			Bytes: 4, Valued: true, Live: 0b11, Mask: 0b11, Wrote: 0b11,
		})
		return &events[len(events)-1]
	}
	count := func(block uint64) {
		site, at, step := 1+r.Uint32N(2), [2]uint64{r.Uint64N(words), r.Uint64N(words)}, r.Uint64N(2)
		for round := range uint64(1 + r.IntN(4)*r.IntN(2)) {
			ev := access(block, site, abi.AccessRMW, abi.SemRelaxed)
			for lane := range 2 {
				ev.Addr[lane], ev.New[lane] = 0x1000+4*(at[lane]+round*step), 1
			}
		}
	}
	message := func(block uint64, site uint32, kind abi.AccessKind, sem abi.Semantics) {
		ev := access(block, site, kind, sem)
		ev.Mask, ev.Wrote, ev.Addr[0] = 1, 1, flag
	}
	for b := range uint64(30 + r.IntN(60)) {
		for range 1 + r.IntN(4) {
			count(1 + b)
		}
		if r.IntN(40) == 0 {
			message(1+b, 3, abi.AccessStore, abi.SemRelease)
		}
		events = append(events, abi.Event{Kind: abi.EventBlockEnd, Block: 1 + b})
		switch r.IntN(30) {
		case 0:
			count(0)
		case 1:
			message(0, 4, abi.AccessLoad, abi.SemAcquire)
		}
	}
	for range 2 {
		ev := access(0, 5, abi.AccessLoad, abi.SemWeak)
		ev.Mask, ev.Wrote, ev.Addr[0] = 1, 0, 0x1000+4*r.Uint64N(words)
		ev.Scope = abi.ScopeNone
	}
	return events
}
