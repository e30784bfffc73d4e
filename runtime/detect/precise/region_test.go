package precise_test

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// TestJournals: reports are the same word for word whether accesses are deferred or not, and
// when journals are full. How often accesses race is not: what takes one entry in one of these takes two in
// another.
func TestJournals(t *testing.T) {
	for seed := range uint64(600) {
		events := newTrace(seed, 40+int(seed%60))
		if separate(events) {
			continue // barriers end the journals, and what they tell of messages
		}
		want := reportWith(t, events, 0)
		for _, limit := range []uintptr{200, 1 << 20} {
			if got := reportWith(t, events, limit); got != want {
				t.Fatalf("seed %d, %d bytes: got\n%s\nwant\n%s", seed, limit, got, want)
			}
		}
	}
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
	races := racesWith(t, events, journals)
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

// TestDeferredFailure: when it turns out to matter, a compare-and-swap that was deferred and failed has observed what another lane has
// written by the instruction before.
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
