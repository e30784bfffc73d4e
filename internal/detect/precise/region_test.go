package precise_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestJournals: reports are the same word for word whether accesses are deferred or not, and when journals are full,
// except for reads that a later read of their block represents: a journal does not know of a weak read what its thread
// knew. How often accesses race is not the same: what takes one entry in one of these takes two in another.
func TestJournals(t *testing.T) {
	for seed := range uint64(600) {
		events := newTrace(seed, 40+int(seed%60))
		if separate(events) {
			continue // barriers end the journals, and what they tell of messages
		}
		for i := range events {
			events[i].Site = uint32(i + 1)
		}
		want := racesWith(t, events, 0)
		for _, limit := range []uintptr{200, 1 << 20} {
			got := racesWith(t, events, limit)
			if lacks := unrepresented(events, want, got); lacks != "" {
				t.Fatalf("seed %d, %d bytes: no %s\n%s", seed, limit, lacks, traceText(events))
			}
			if with, without := withoutCounts(ofOthers(events, got)), withoutCounts(ofOthers(events, want)); with != without {
				t.Fatalf("seed %d, %d bytes: got\n%s\nwant\n%s", seed, limit, with, without)
			}
		}
	}
}

// isRead reports whether the first access of a race is a read.
func isRead(events []abi.Event, r *detect.Race) bool {
	return events[r.First.Site-1].Access == abi.AccessLoad
}

// ofOthers returns the races whose first access is no read.
func ofOthers(events []abi.Event, races []detect.Race) []detect.Race {
	return slices.DeleteFunc(slices.Clone(races), func(r detect.Race) bool { return isRead(events, &r) })
}

// unrepresented returns a race of two lists, whose first access is a read, that the other list lacks, while it has none
// of a later read of the same block with the same second access; "" if there is none.
func unrepresented(events []abi.Event, lists ...[]detect.Race) string {
	for i, list := range lists {
		for _, r := range list {
			if isRead(events, &r) && !slices.ContainsFunc(lists[1-i], func(q detect.Race) bool {
				return q.Second.Site == r.Second.Site && q.First.Site >= r.First.Site && q.First.Block == r.First.Block && isRead(events, &q)
			}) {
				return fmt.Sprintf("%+v", r)
			}
		}
	}
	return ""
}

// TestCountsInLoops: reports are the same whether atomic operations of loops, which share a record in a journal, are
// deferred or not.
func TestCountsInLoops(t *testing.T) {
	races := 0
	for seed := range uint64(*traces) / 4 {
		events := loopsOfCounts(rand.New(rand.NewPCG(seed, 2)))
		want := reportWith(t, events, 0)
		for _, limit := range []uintptr{200, 1 << 20} {
			if got := reportWith(t, events, limit); got != want {
				t.Fatalf("seed %d, %d bytes: got\n%s\nwant\n%s", seed, limit, got, want)
			}
		}
		races += strings.Count(want, "Severity:") // each race has one
	}
	if races == 0 {
		t.Error("no races")
	}
}

// loopsOfCounts returns the accesses of four warps of two blocks: loops of atomic operations on words whose distance is
// even, with weak accesses of other memory, a further count there, or a barrier of the warp in some rounds, and now and
// then a weak access to one of the words, or an acquire and a release of another.
func loopsOfCounts(r *rand.Rand) (events []abi.Event) {
	access := func(block uint64, warp, site, mask uint32, kind abi.AccessKind, sem abi.Semantics, scope abi.Scope, at uint64) *abi.Event {
		events = append(events, abi.Event{
			Kind: abi.EventAccess, Block: block, Cluster: block, Warp: warp, Site: site, Access: kind, Sem: sem, Scope: scope,
			Space: abi.SpaceGlobal, Bytes: 4, Valued: true, Live: 0b1111, Mask: mask, Wrote: mask, Next: mask & (mask << 1),
		})
		ev := &events[len(events)-1]
		for lane := range uint64(4) {
			ev.Addr[lane], ev.New[lane] = at+4*lane, 1
		}
		if kind == abi.AccessLoad {
			ev.Wrote = 0
		}
		return ev
	}
	for range 10 + r.IntN(10) {
		block, warp, site := r.Uint64N(2), r.Uint32N(2), r.Uint32N(3)
		at, step, mask := 0x1000+4*r.Uint64N(20), 4*r.Uint64N(3), uint32(0b1111)>>r.IntN(3)
		for round := range uint64(1 + r.IntN(6)) {
			switch r.IntN(8) {
			case 0:
				access(block, warp, 10, mask, abi.AccessLoad, abi.SemWeak, abi.ScopeNone, 1<<40)
			case 1:
				site = r.Uint32N(3)
			case 2:
				access(block, warp, 12, mask, abi.AccessRMW, abi.SemRelaxed, abi.ScopeGPU, 2<<40)
			case 3:
				events = append(events, abi.Event{Kind: abi.EventWarpSync, Block: block, Cluster: block, Warp: warp, Mask: 0b1111, Live: 0b1111, Sem: abi.SemAcqRel})
			}
			ev := access(block, warp, site, mask, abi.AccessRMW, abi.SemRelaxed, abi.ScopeGPU, at+round*step)
			switch site {
			case 1:
				ev.Atomic = abi.AtomicCAS
				ev.Wrote &= r.Uint32() | -r.Uint32N(2)
			case 2:
				ev.Reduces = true
			}
			if r.IntN(10) == 0 {
				ev.New = ev.Old
			}
		}
		switch r.IntN(20) {
		case 0:
			access(block, warp, 11, 1<<r.IntN(2), abi.AccessKind(r.IntN(2)), abi.SemWeak, abi.ScopeNone, 0x1000+4*r.Uint64N(20))
		case 1, 2:
			access(block, warp, 13, 1, abi.AccessRMW, abi.SemAcqRel, abi.ScopeGPU, 3<<40)
		}
	}
	return events
}

// separate reports whether a launch has no clusters.
func separate(events []abi.Event) bool {
	for i := range events {
		if events[i].Block != events[i].Cluster {
			return false
		}
	}
	return true
}

// reportWith is the report on a trace with journals of that size.
func reportWith(t *testing.T, events []abi.Event, journals uintptr) string {
	t.Helper()
	return withoutCounts(racesWith(t, events, journals))
}

// withoutCounts is a report without the numbers of occurrences.
func withoutCounts(races []detect.Race) string {
	races = slices.Clone(races)
	for i := range races {
		races[i].Count = 0
	}
	return fmt.Sprintf("%+v", races)
}

// racesWith is what is reported on a trace with journals of that size.
func racesWith(t *testing.T, events []abi.Event, journals uintptr) []detect.Race {
	t.Helper()
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	d.LimitJournals(journals)
	d.SetDecisions(map[uint32]bool{1: true, 9: true, 20: true})
	return play(d, events)
}

// pairsWith is the pairs of sites of the races and warnings.
func pairsWith(t *testing.T, events []abi.Event, journals uintptr) map[race]detect.Severity {
	t.Helper()
	out := make(map[race]detect.Severity)
	for _, r := range racesWith(t, events, journals) {
		out[race{r.First.Site, r.Second.Site}] += r.Severity + "."
	}
	return out
}

// TestDeferredFailure: when it turns out to matter, a compare-and-swap that was deferred and failed has observed what
// another lane has written by the instruction before.
func TestDeferredFailure(t *testing.T) {
	tr := &tracer{alone: newAloneTracer()}
	access := func(lanes, wrote uint32, kind abi.AccessKind, sem abi.Semantics) {
		ev := abi.Event{
			Kind: abi.EventAccess, Mask: lanes, Wrote: wrote, Space: abi.SpaceGlobal, Bytes: 4, Access: kind, Sem: sem, Scope: abi.ScopeGPU, Valued: true,
		}
		if kind == abi.AccessRMW {
			ev.Atomic = abi.AtomicCAS
		}
		for lane := range 3 {
			ev.Addr[lane] = 0x1000
		}
		tr.emit([2]uint64{0, 0}, ev)
	}
	access(7, 0, abi.AccessRMW, abi.SemRelaxed)
	access(7, 2, abi.AccessRMW, abi.SemRelaxed)
	access(7, 0, abi.AccessRMW, abi.SemRelaxed)
	access(1, 0, abi.AccessLoad, abi.SemWeak)
	for _, journals := range []uintptr{0, 1 << 20} {
		if races := racesWith(t, tr.events, journals); len(races) != 0 {
			t.Errorf("with journals of %d bytes: %+v", journals, races)
		}
	}
}
