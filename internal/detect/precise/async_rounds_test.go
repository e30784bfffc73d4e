package precise_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestGroupsInRounds: who has waited for a group of copies knows of that group and of those before, and not of the next
// one, which has the same units. The end of the block overwrites what bulk copies still read.
func TestGroupsInRounds(t *testing.T) {
	for _, c := range []struct {
		steps string
		races int
	}{
		{"copy 1; commit; wait 0; copy 2; commit; load 1", 0},
		{"copy 1; commit; wait 0; copy 2; commit; load 2", 1},
		{"copy 1; commit; copy 2; commit; wait 1; load 1", 0},
		{"copy 1; commit; copy 2; commit; wait 1; load 2", 1},
		{"copy 1; commit; copy 2; commit; wait 0; load 1; load 2", 0},
		{"copy 1; commit; wait 0; copy 1; commit; wait 0; load 1", 0},
		{"bulk 1; end bulk; wait bulk; bulk 2; end bulk; wait bulk; end", 0},
		{"bulk 1; end bulk; wait bulk; bulk 2; end bulk; end", 1},
		{"bulk 1; end bulk; bulk 2; end bulk; wait bulk; end", 0},
	} {
		t.Run(c.steps, func(t *testing.T) {
			var events []abi.Event
			for i, step := range strings.Split(c.steps, "; ") {
				ev := roundStep(step)
				if ev.Site, ev.Op = uint32(i+1), uint64(i+1); strings.HasPrefix(step, "bulk") {
					ev.Site = 9 // one instruction in a loop
				}
				events = append(events, ev)
			}
			if races := report(t, events); len(races) != c.races {
				t.Errorf("want %d races, got %+v", c.races, races)
			}
		})
	}
}

// roundStep returns the event of a step of one thread.
func roundStep(step string) abi.Event {
	what, which, _ := strings.Cut(step, " ")
	place := uint64(0x100)
	if which == "2" {
		place = 0x200
	}
	access := func(kind abi.AccessKind, of abi.AsyncKind, proxy abi.Proxy) abi.Event {
		ev := memory("A", 0, kind, place)
		ev.Async, ev.Proxy, ev.Space = of, proxy, abi.SpaceShared
		return ev
	}
	groups := func(kind abi.EventKind, of abi.AsyncKind) abi.Event {
		ev := at("A", 0, abi.Event{Kind: kind, Async: of})
		if which == "1" {
			ev.Pending[0] = 1
		}
		return ev
	}
	switch step {
	case "end bulk":
		return groups(abi.EventAsyncCommit, abi.AsyncBulk)
	case "wait bulk":
		ev := groups(abi.EventAsyncWait, abi.AsyncBulk)
		ev.Mode = abi.BarrierRead
		return ev
	case "end":
		return abi.Event{Kind: abi.EventBlockEnd, Block: memory("A", 0, abi.AccessLoad, place).Block}
	}
	switch what {
	case "copy":
		return access(abi.AccessStore, abi.AsyncCopies, abi.ProxyGeneric)
	case "bulk":
		return access(abi.AccessLoad, abi.AsyncBulk, abi.ProxyAsync)
	case "commit":
		return groups(abi.EventAsyncCommit, abi.AsyncCopies)
	case "wait":
		return groups(abi.EventAsyncWait, abi.AsyncCopies)
	default:
		return access(abi.AccessLoad, abi.Synchronous, abi.ProxyGeneric)
	}
}

// inOrder numbers the sites of events.
func inOrder(events []abi.Event) []abi.Event {
	for i := range events {
		events[i].Site = uint32(i + 1)
	}
	return events
}

// numberedOp returns the event with the number of its operation.
func numberedOp(ev abi.Event, n uint64) abi.Event {
	ev.Op = n
	return ev
}

// initialised returns an mbarrier.init.
func initialised(addr uint64) abi.Event {
	ev := at("A", 0, abi.Event{Kind: abi.EventMbarrierInit})
	ev.Addr[0] = addr
	return ev
}

// TestMapReadInRounds: the phase of an mbarrier that a load by a tensor map completes says nothing of earlier bulk groups.
func TestMapReadInRounds(t *testing.T) {
	reads := inGlobal(memory("A", 0, abi.AccessLoad, 0x9000))
	reads.Async, reads.Proxy, reads.Op = abi.AsyncSignals, abi.ProxyTensorMap, 7
	races := report(t, inOrder([]abi.Event{
		initialised(0x800),
		numberedOp(copied("A", abi.AccessLoad, abi.AsyncBulk, abi.ProxyAsync, 0x100), 1),
		groups(abi.EventAsyncCommit, abi.AsyncBulk, 0, 0),
		reads,
		copied("A", abi.AccessStore, abi.AsyncSignals, abi.ProxyAsync, 0x400),
		landing("A"),
		signal("A", abi.EventMbarrierPass, abi.SemAcqRel, abi.ScopeCTA),
		memory("A", 0, abi.AccessStore, 0x100),
	}))
	if len(races) != 1 {
		t.Errorf("want the race of the copy's read and the store, got %+v", races)
	}
}

// TestSignalsInRounds: a thread that waits for a later copy knows nothing of an earlier one, for which only the thread
// that has started both has waited.
func TestSignalsInRounds(t *testing.T) {
	lands, passes := numberedOp(landing("A"), 8), signal("B", abi.EventMbarrierPass, abi.SemAcqRel, abi.ScopeCTA)
	lands.Signal, passes.Addr[0] = 0x808, 0x808
	events := []abi.Event{initialised(0x800), initialised(0x808)}
	for _, kind := range []abi.EventKind{abi.EventBarrierArrive, abi.EventBarrierComplete, abi.EventBarrierPass} {
		for _, who := range []string{"A", "B"} {
			if kind != abi.EventBarrierComplete || who == "A" {
				events = append(events, at(who, 0, abi.Event{Kind: kind}))
			}
		}
	}
	races := report(t, inOrder(append(events,
		numberedOp(copied("A", abi.AccessStore, abi.AsyncSignals, abi.ProxyAsync, 0x400), 7), landing("A"),
		signal("A", abi.EventMbarrierPass, abi.SemAcqRel, abi.ScopeCTA),
		numberedOp(copied("A", abi.AccessStore, abi.AsyncSignals, abi.ProxyAsync, 0x500), 8), lands, passes,
		memory("B", 0, abi.AccessLoad, 0x400), memory("B", 0, abi.AccessLoad, 0x500),
	)))
	if len(races) != 1 {
		t.Errorf("want the race of the first copy and the load, got %+v", races)
	}
}
