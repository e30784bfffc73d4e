package precise_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestMatrixGroups: groups of wgmma belong to a warp group. A and B are two of its warps; waits are for
// all groups but the latest one or none.
func TestMatrixGroups(t *testing.T) {
	for _, c := range []struct {
		steps string
		races int
	}{
		{"A multiply; A commit; A wait 0; A write", 0},
		{"A multiply; A commit; A write", 1},
		{"A multiply; B multiply; A commit; B commit; A wait 0; A write", 0},
		{"A multiply; B multiply; A commit; B commit; B wait 0; A wait 0; A write", 0},
		{"A multiply; B multiply; A commit; B commit; A wait 1; A write", 2},
		{"A multiply; B multiply; A commit; B commit; A commit; A wait 1; A write", 0},
		{"A commit; B commit; A multiply; B multiply; A commit; B commit; B wait 0; A wait 1; A write", 2},
		{"A commit; B commit; A wait 0; B wait 0; A multiply; B multiply; A commit; B commit; A wait 0; A write", 0},
		{"A multiply; D multiply; A commit; D commit; A wait 0; A write", 0}, // shared memory of another block
	} {
		t.Run(c.steps, func(t *testing.T) {
			var events []abi.Event
			for i, step := range strings.Split(c.steps, "; ") {
				ev := matrixStep(t, step)
				ev.Site, ev.Op = uint32(i+1), uint64(i+1)
				events = append(events, ev)
			}
			if races := report(t, events); len(races) != c.races {
				t.Errorf("want %d races, got %+v", c.races, races)
			}
		})
	}
}

func matrixStep(t *testing.T, step string) abi.Event {
	who, what, _ := strings.Cut(step, " ")
	group := func(kind abi.EventKind, pending uint32) abi.Event {
		ev := at(who, 0, abi.Event{Kind: kind, Async: abi.AsyncMatrices})
		ev.Pending[0] = pending
		return ev
	}
	switch what {
	case "multiply":
		ev := memory(who, 0, abi.AccessLoad, 0x100)
		ev.Async, ev.Proxy = abi.AsyncMatrices, abi.ProxyAsync
		return ev
	case "commit":
		return group(abi.EventAsyncCommit, 0)
	case "wait 0":
		return group(abi.EventAsyncWait, 0)
	case "wait 1":
		return group(abi.EventAsyncWait, 1)
	case "write":
		return memory(who, 0, abi.AccessStore, 0x100)
	}
	t.Fatalf("step %q", step)
	return abi.Event{}
}
