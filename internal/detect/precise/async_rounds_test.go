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
