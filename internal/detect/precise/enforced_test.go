// Enforced order with and without the shortcuts of the detector.

package precise_test

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/internal/detect/precise/enforced"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// operationsOf says of atomic operations of a trace what they do, by their sites.
func operationsOf(events []abi.Event) map[uint32]enforced.Operation {
	kinds := []enforced.Operation{
		{Kind: enforced.Add, Unused: true},
		{Kind: enforced.Add, Unused: true},
		{Kind: enforced.Max, Type: "s", Unused: true},
		{Kind: enforced.Add},
		{Unused: true},
	}
	out := make(map[uint32]enforced.Operation)
	for i := range events {
		if events[i].Access == abi.AccessRMW {
			out[events[i].Site] = kinds[events[i].Site%uint32(len(kinds))]
		}
	}
	return out
}

// enforcedIn returns what a detector of enforced order finds in a trace.
func enforcedIn(t *testing.T, events []abi.Event, how batching) string {
	t.Helper()
	o := precise.DefaultOptions()
	o.Enforced = true
	d, err := precise.New(o)
	if err != nil {
		t.Fatal(err)
	}
	d.SetOperations(operationsOf(events))
	races := playIn(d, events, how) // which ones stand for those of a thread may differ
	list, undecided := d.Dependences()
	return fmt.Sprint(len(races) > 0, list, undecided, d.OrderDependent())
}

// TestEnforcedShortcuts: what is not ordered in every schedule is found whether accesses are deferred or not.
func TestEnforcedShortcuts(t *testing.T) {
	found := make(map[string]bool)
	for seed := range uint64(*traces) {
		for _, events := range [][]abi.Event{newTrace(seed, 40+int(seed%60)), newCountTrace(seed, 10+int(seed%30))} {
			got := enforcedIn(t, events, batching(seed%3))
			undo := precise.Without(precise.Deferring)
			want := enforcedIn(t, events, batching(seed%3))
			if undo(); got != want {
				t.Fatalf("seed %d: %s\nwithout shortcuts %s", seed, got, want)
			}
			found[got] = true
		}
	}
	if len(found) < 100 {
		t.Errorf("%d results: too few to tell", len(found))
	}
}
