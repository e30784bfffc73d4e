package precise_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

var traces = flag.Int("traces", 1_000, "random traces that detector and oracle are compared on; a quarter of them with -short")

func TestMain(m *testing.M) {
	if flag.Parse(); testing.Short() {
		*traces /= 4
	}
	debug.SetGCPercent(400) // small detectors are made again and again: else a third of the time goes into collecting them
	os.Exit(m.Run())
}

// detected is the pairs of sites that the detector reports for a trace.
func detected(t testing.TB, events []abi.Event) map[race]bool {
	t.Helper()
	return detectedBy(t, precise.ModelPTX, events)
}

// detectedBy is the same under a model.
func detectedBy(t testing.TB, model string, events []abi.Event) map[race]bool {
	t.Helper()
	o := precise.DefaultOptions()
	o.Model = model
	d, err := precise.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(events)%2 == 0 {
		d.LimitJournals(200) // three or four records
	}
	if len(events)%5 != 0 {
		d.SetAbsent(absentFrom(events))
	}
	out := map[race]bool{}
	for _, r := range play(d, events) {
		out[race{r.First.Site, r.Second.Site}] = true
	}
	return out
}

// absentFrom returns what no event of a trace is.
func absentFrom(events []abi.Event) (a precise.Absent) {
	none := func(is func(ev *abi.Event) bool) bool {
		return !slices.ContainsFunc(events, func(ev abi.Event) bool { return is(&ev) })
	}
	a.Acquires = none(func(ev *abi.Event) bool { return ev.Kind == abi.EventAccess && ev.Sem.Acquires() })
	a.Barriers = none(func(ev *abi.Event) bool { return ev.Kind == abi.EventBarrierArrive || ev.Kind == abi.EventWarpSync })
	a.RelaxedWrites, a.RelaxedReads = none(isRelaxedWrite), none(isRelaxedRead)
	a.NarrowScopes = none(func(ev *abi.Event) bool {
		switch ev.Kind {
		case abi.EventAccess:
			return ev.Async != abi.Synchronous || ev.Scope == abi.ScopeCTA || ev.Scope == abi.ScopeCluster
		case abi.EventFence:
			return ev.Scope == abi.ScopeCTA || ev.Scope == abi.ScopeCluster
		case abi.EventMbarrierInit, abi.EventMbarrierArrive, abi.EventMbarrierCopyArrive, abi.EventMbarrierPass, abi.EventClusterArrive, abi.EventAsyncDone:
			return true
		}
		return false
	})
	return a
}

// isRelaxedWrite reports whether an event is a strong write that does not release.
func isRelaxedWrite(ev *abi.Event) bool {
	return ev.Kind == abi.EventAccess && ev.Access.Writes() && ev.Sem > abi.SemWeak && !ev.Sem.Releases()
}

// isRelaxedRead reports whether an event is a strong read that does not acquire.
func isRelaxedRead(ev *abi.Event) bool {
	return ev.Kind == abi.EventAccess && ev.Access != abi.AccessStore && ev.Sem > abi.SemWeak && (ev.Reduces || !ev.Sem.Acquires())
}

// disagree says where detector and oracle disagree on a trace: about which accesses race
// with an earlier one, or about a pair that the detector reports. It need not report
// all pairs.
func disagree(t testing.TB, events []abi.Event) string {
	want, got := newOracle(events).races(), detected(t, events)
	seconds := func(pairs map[race]bool) map[uint32]bool {
		out := map[uint32]bool{}
		for p := range pairs {
			out[p.second] = true
		}
		return out
	}
	for p := range got {
		if !want[p] {
			return fmt.Sprintf("no race between %d and %d", p.first, p.second)
		}
	}
	missed := seconds(want)
	for s := range seconds(got) {
		delete(missed, s)
	}
	if len(missed) > 0 {
		return fmt.Sprintf("%d races with an earlier access", slices.Sorted(maps.Keys(missed))[0])
	}
	return ""
}

// agree fails the test with the least trace of which the detector says something else than the oracle.
func agree(t testing.TB, seed uint64, events []abi.Event) {
	t.Helper()
	if disagree(t, events) == "" {
		return
	}
	least := shrink(t, events)
	t.Fatalf("seed %d: %s\n%s", seed, disagree(t, least), traceText(least))
}

// shrink drops events as long as detector and oracle disagree.
func shrink(t testing.TB, events []abi.Event) []abi.Event {
	for again := true; again; {
		again = false
		for i := len(events) - 1; i >= 0; i-- {
			less := slices.Delete(slices.Clone(events), i, i+1)
			if whole(less) && disagree(t, less) != "" {
				events, again = less, true
			}
		}
	}
	return events
}

// whole reports whether barriers are still used as a machine would.
func whole(events []abi.Event) bool {
	if !wholeSync(events) {
		return false
	}
	arrived := map[[2]uint64]int{}
	completed := map[[2]uint64]bool{}
	cluster := map[[2]uint64]int{}
	for i := range events {
		ev := &events[i]
		k, w := [2]uint64{ev.Block, uint64(ev.Barrier)}, [2]uint64{ev.Block, uint64(ev.Warp)}
		switch ev.Kind {
		case abi.EventBarrierArrive:
			arrived[k]++
		case abi.EventBarrierComplete:
			if arrived[k] != traceWarps && !slices.ContainsFunc(events[:i], func(x abi.Event) bool { return x.Block == ev.Block && x.Live == 0 }) {
				return false
			}
			arrived[k], completed[k] = 0, true
		case abi.EventBarrierPass:
			if !completed[k] {
				return false
			}
		case abi.EventClusterArrive:
			cluster[w]++
		case abi.EventClusterPass:
			if cluster[w] == 0 {
				return false
			}
		}
	}
	return true
}

// TestAgainstOracle: the detector says of random traces what the definitions say.
func TestAgainstOracle(t *testing.T) {
	racy := 0
	for seed := range *traces {
		events := newTrace(uint64(seed), 4+seed%36)
		if len(newOracle(events).races()) > 0 {
			racy++
		}
		agree(t, uint64(seed), events)
	}
	if *traces > 100 && (racy < *traces/10 || racy > *traces*95/100) {
		t.Errorf("%d of %d traces race: the others, or they, are too rare to tell", racy, *traces)
	}
}

// TestObservationsByUnits: of many strong reads of a location, those that matter are found by their units, and these by
// what an access knows.
func TestObservationsByUnits(t *testing.T) {
	for _, few := range []int{0, 2} {
		defer precise.LimitObservations(few)()
		for seed := range uint64(*traces) {
			agree(t, seed, newTrace(seed, 4+int(seed%36)))
			agree(t, seed, newCellTrace(seed, 6+int(seed%40)))
		}
	}
}

// TestObservationsDropped: observations that are dropped do not matter.
func TestObservationsDropped(t *testing.T) {
	for _, few := range []int{0, 3} {
		defer precise.LimitKept(few)()
		for seed := range uint64(*traces) {
			agree(t, seed, newTrace(seed, 4+int(seed%60)))
			agree(t, seed, newCellTrace(seed, 6+int(seed%60)))
		}
	}
}

// TestManyObservations: a thread that has observed the strong stores of many others, each when it was the latest, may
// write the word.
func TestManyObservations(t *testing.T) {
	events := make([]abi.Event, 0, 601)
	add := func(block uint64, ev abi.Event) {
		ev.Kind, ev.Space, ev.Bytes, ev.Mask, ev.Live, ev.Block, ev.Cluster = abi.EventAccess, abi.SpaceGlobal, 4, 1, 1, block, block
		ev.Addr[0] = 0x1000
		events = append(events, ev)
	}
	for block := range uint64(300) {
		add(block+1, abi.Event{Access: abi.AccessStore, Sem: abi.SemRelaxed, Scope: abi.ScopeGPU, Wrote: 1, Site: 1})
		add(0, abi.Event{Access: abi.AccessLoad, Sem: abi.SemRelaxed, Scope: abi.ScopeGPU, Site: 2})
	}
	add(0, abi.Event{Access: abi.AccessStore, Wrote: 1, Site: 3})
	if text := disagree(t, events); text != "" {
		t.Error(text)
	}
}

// TestObservationsOfChain: a store that is ordered after a read of the first of many atomic operations races with the
// later ones alone, however often the thread that has read the first one reads the others.
func TestObservationsOfChain(t *testing.T) {
	tr := &tracer{Rand: rand.New(rand.NewPCG(1, 1)), alone: newAloneTracer()}
	access := func(block uint64, lane uint32, kind abi.AccessKind, sem abi.Semantics) {
		ev := abi.Event{Kind: abi.EventAccess, Mask: 1 << lane, Space: abi.SpaceGlobal, Bytes: 4, Access: kind, Sem: sem, Scope: abi.ScopeGPU}
		if kind != abi.AccessLoad {
			ev.Wrote = ev.Mask
		}
		ev.Addr[lane] = 0x1000
		tr.emit([2]uint64{block, 0}, ev)
	}
	access(0, 0, abi.AccessRMW, abi.SemRelaxed)
	access(1, 0, abi.AccessLoad, abi.SemRelaxed)
	tr.emit([2]uint64{1, 0}, abi.Event{Kind: abi.EventWarpSync, Mask: 7, Sem: abi.SemAcqRel})
	for range 150 {
		access(2, 0, abi.AccessRMW, abi.SemRelaxed)
		access(1, 0, abi.AccessLoad, abi.SemRelaxed)
	}
	access(1, 1, abi.AccessStore, abi.SemWeak)
	if text := disagree(t, tr.events); text != "" {
		t.Error(text)
	}
}

// TestFenceRecordsJoined: records of fences that are joined say what they do apart.
func TestFenceRecordsJoined(t *testing.T) {
	defer precise.LimitFenceRecords(1)()
	for seed := range uint64(*traces) {
		agree(t, seed, newTrace(seed, 4+int(seed%36)))
		agree(t, seed, newCellTrace(seed, 6+int(seed%40)))
	}
}

// TestWideScopes: the detector keeps less if there are neither barriers nor scopes that exclude threads, and if all
// strong writes release, and more so if all strong reads acquire. Releases that several threads acquire are joined at
// once or not.
func TestWideScopes(t *testing.T) {
	for _, several := range []int{1, 2} {
		defer precise.LimitRecentJoins(several)()
		for seed := range uint64(*traces) {
			for _, has := range []struct{ barriers, relaxed, reads bool }{{false, true, true}, {true, true, true}, {true, false, true}, {false, false, false}, {true, false, false}} {
				events := slices.DeleteFunc(newTrace(seed, 4+int(seed%60)), func(ev abi.Event) bool {
					switch ev.Kind {
					case abi.EventAccess:
						return ev.Async != abi.Synchronous
					case abi.EventWarpSync, abi.EventBarrierArrive, abi.EventBarrierComplete, abi.EventBarrierPass:
						return !has.barriers
					}
					return ev.Kind != abi.EventFence
				})
				for i := range events {
					ev := &events[i]
					ev.Scope = abi.ScopeGPU
					releases, acquires := isRelaxedWrite(ev) && !has.relaxed, isRelaxedRead(ev) && !has.reads
					if releases || acquires { // the detector takes a vector that synchronises for one operation
						ev.Sem, ev.Scalar, ev.Reduces = synchronising(ev.Sem, releases, acquires), 0, ev.Reduces && !acquires
					}
				}
				agree(t, seed, events)
			}
		}
	}
}

// synchronising returns the semantics of an operation that releases or acquires in addition to what it does.
func synchronising(sem abi.Semantics, releases, acquires bool) abi.Semantics {
	switch releases, acquires = releases || sem.Releases(), acquires || sem.Acquires(); {
	case releases && acquires:
		return abi.SemAcqRel
	case acquires:
		return abi.SemAcquire
	}
	return abi.SemRelease
}

// TestWholeFenceOrder: of the races that are left when Fence-SC order is all that the axioms
// force, the detector misses none.
func TestWholeFenceOrder(t *testing.T) {
	fewer := 0
	for seed := range *traces / 4 {
		events := newTrace(uint64(seed), 4+seed%36)
		want, got := newWholeOracle(events).races(), newOracle(events).races()
		for p := range want {
			if !got[p] {
				t.Fatalf("seed %d: %d and %d race\n%s", seed, p.first, p.second, traceText(events))
			}
		}
		if len(want) < len(got) {
			fewer++
		}
	}
	t.Logf("%d of %d traces have fewer races when all of Fence-SC order counts", fewer, *traces/4)
}

// traceText spells a trace.
func traceText(events []abi.Event) string {
	var b strings.Builder
	for i := range events {
		ev := &events[i]
		fmt.Fprintf(&b, "%3d site %d: block %d warp %d mask %03b kind %d", i, ev.Site, ev.Block, ev.Warp, ev.Mask, ev.Kind)
		if ev.Kind == abi.EventAccess {
			fmt.Fprintf(&b, " access %d wrote %03b async %d proxy %d space %d bytes %d/%d at %x", ev.Access, ev.Wrote, ev.Async, ev.Proxy, ev.Space, ev.Bytes, ev.Scalar, ev.Addr[:3])
		}
		fmt.Fprintf(&b, " sem %d scope %d barrier %d mode %d reduces %t\n", ev.Sem, ev.Scope, ev.Barrier, ev.Mode, ev.Reduces)
	}
	return b.String()
}
