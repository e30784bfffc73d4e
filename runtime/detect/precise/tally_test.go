package precise_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// TestTallies: reports are the same, with counts and examples, when writes of a word are counted by block and instruction as when
// each is compared.
func TestTallies(t *testing.T) {
	reports := func(few int, events []abi.Event) []detect.Race {
		defer precise.LimitTallies(few)()
		d, err := precise.New(precise.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		return play(d, events)
	}
	for seed := range uint64(*traces) {
		events := repetitive(seed)
		apart, counted := reports(1<<30, events), reports(1, events)
		if !reflect.DeepEqual(apart, counted) {
			t.Fatalf("seed %d: counted %+v\none by one %+v\n%s", seed, counted, apart, traceText(events))
		}
	}
}

// repetitive is a random trace of few instructions. It has no synchronisation other than by accesses if the seed is even, and some
// otherwise.
func repetitive(seed uint64) []abi.Event {
	events := newTrace(seed, 20+int(seed%180))
	if seed%2 == 0 {
		events = slices.DeleteFunc(events, func(ev abi.Event) bool { return ev.Kind != abi.EventAccess || ev.Async != abi.Synchronous })
	}
	for i := range events {
		ev := &events[i]
		if ev.Site = uint32(100 + ev.Kind); ev.Kind == abi.EventAccess {
			ev.Site = uint32(1 + ev.Access)
			if seed%3 == 0 && ev.Scope > abi.ScopeCTA {
				ev.Scope = abi.ScopeCTA
			}
		}
	}
	return events
}
