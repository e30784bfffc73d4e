package precise_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestTensorFreeByWarp: tcgen05.dealloc is executed by all threads of a warp (.sync.aligned), each of which has waited
// for its own loads and stores; one that has not is a race, as is another warp.
func TestTensorFreeByWarp(t *testing.T) {
	lane := func(ev abi.Event, n int) abi.Event {
		ev.Mask, ev.Addr[n] = 1<<n, ev.Addr[0]
		if ev.Wrote != 0 {
			ev.Wrote = ev.Mask
		}
		return ev
	}
	for _, c := range []struct{ steps, other, want string }{
		{"A ld; A wait::ld", "", ""},
		{"A st; A wait::st", "", ""},
		{"A st; A wait::st; A ld; A wait::ld", "", ""},
		{"A ld", "", "missing-async-wait"},
		{"A ld; A wait::st", "", "missing-async-wait"},
		{"", "B ld; B wait::ld", "missing-barrier"},
	} {
		t.Run(c.steps+c.other, func(t *testing.T) {
			var events []abi.Event
			for i, step := range strings.Split(c.steps+c.other, "; ") {
				for _, ev := range tensorStep(t, step, uint64(i+1)) {
					events = append(events, lane(ev, 1))
				}
			}
			events = append(events, tensorStep(t, "A dealloc", 9)...)
			for i := range events {
				events[i].Site = uint32(i + 1)
			}
			if races := report(t, events); len(races) != min(len(c.want), 1) || len(races) == 1 && string(races[0].Cause) != c.want {
				t.Errorf("want %q, got %+v", c.want, races)
			}
		})
	}
}

// tensorStep makes the events of a step such as "A mma": thread, and what it does in one place of
// tensor memory, or to the mbarrier.
func tensorStep(t *testing.T, step string, number uint64) []abi.Event {
	who, what, _ := strings.Cut(step, " ")
	access := func(kind abi.AccessKind, async abi.AsyncKind, pipe abi.Pipe) abi.Event {
		ev := at(who, 0, abi.Event{Kind: abi.EventAccess, Access: kind, Sem: abi.SemWeak, Space: abi.SpaceTensor, Bytes: 4, Async: async, Op: number, Pipe: pipe})
		if ev.Addr[0] = 0x2000; kind != abi.AccessLoad {
			ev.Wrote = ev.Mask
		}
		return ev
	}
	barrier := func(kind abi.EventKind, sem abi.Semantics) []abi.Event {
		ev := at(who, 0, abi.Event{Kind: kind, Sem: sem, Scope: abi.ScopeCluster})
		ev.Addr[0] = 0x800
		return []abi.Event{ev}
	}
	waits := func(of abi.AsyncKind) []abi.Event {
		return []abi.Event{at(who, 0, abi.Event{Kind: abi.EventAsyncCommit, Async: of}), at(who, 0, abi.Event{Kind: abi.EventAsyncWait, Async: of})}
	}
	one := func(ev abi.Event) []abi.Event { return []abi.Event{ev} }
	switch what {
	case "ld":
		return one(access(abi.AccessLoad, abi.AsyncTensorLoads, abi.Pipe{}))
	case "st":
		return one(access(abi.AccessStore, abi.AsyncTensorStores, abi.Pipe{}))
	case "mma":
		return one(access(abi.AccessStore, abi.AsyncTensor, abi.Pipe{Kind: abi.PipeMultiply, Shape: 1}))
	case "mma reads":
		return one(access(abi.AccessLoad, abi.AsyncTensor, abi.Pipe{Kind: abi.PipeMultiply, Shape: 1}))
	case "other mma":
		return one(access(abi.AccessStore, abi.AsyncTensor, abi.Pipe{Kind: abi.PipeMultiply, Shape: 2}))
	case "pair mma":
		return one(access(abi.AccessStore, abi.AsyncTensor, abi.Pipe{Kind: abi.PipeMultiply, Shape: 1, Pair: true}))
	case "cp":
		return one(access(abi.AccessStore, abi.AsyncTensor, abi.Pipe{Kind: abi.PipeCopy}))
	case "cp rows":
		return one(access(abi.AccessStore, abi.AsyncTensor, abi.Pipe{Kind: abi.PipeCopyRows}))
	case "shift":
		return one(access(abi.AccessStore, abi.AsyncTensor, abi.Pipe{Kind: abi.PipeShift}))
	case "dealloc":
		return one(access(abi.AccessStore, abi.Synchronous, abi.Pipe{}))
	case "alloc":
		ev := at(who, 0, abi.Event{Kind: abi.EventTensorAlloc, Bytes: 128})
		return one(ev)
	case "wait::ld":
		return waits(abi.AsyncTensorLoads)
	case "wait::st":
		return waits(abi.AsyncTensorStores)
	case "before":
		return one(at(who, 0, abi.Event{Kind: abi.EventTensorBefore}))
	case "after":
		return one(at(who, 0, abi.Event{Kind: abi.EventTensorAfter}))
	case "commit":
		return one(at(who, 0, abi.Event{Kind: abi.EventAsyncCommit, Async: abi.AsyncTensor, Op: number}))
	case "done": // of the commit before
		return one(at(who, 0, abi.Event{Kind: abi.EventAsyncDone, Async: abi.AsyncTensor, Op: number - 1, Signal: 0x800}))
	case "init":
		return barrier(abi.EventMbarrierInit, 0)
	case "arrive":
		return barrier(abi.EventMbarrierArrive, abi.SemRelease)
	case "pass":
		return barrier(abi.EventMbarrierPass, abi.SemAcquire)
	case "cluster arrive":
		return one(at(who, 0, abi.Event{Kind: abi.EventClusterArrive, Sem: abi.SemRelaxed}))
	case "cluster pass":
		return one(at(who, 0, abi.Event{Kind: abi.EventClusterPass, Sem: abi.SemAcquire}))
	case "relaxed arrive":
		return barrier(abi.EventMbarrierArrive, abi.SemRelaxed)
	case "relaxed pass":
		return barrier(abi.EventMbarrierPass, abi.SemRelaxed)
	}
	t.Fatalf("step %q", step)
	return nil
}

// TestTensorOrder: the synchronisation patterns of PTX ISA 9.7.16.6.4, and what is missing in others.
func TestTensorOrder(t *testing.T) {
	for _, c := range []struct{ steps, want string }{
		// Pipelined instructions, same thread.
		{"A mma; A mma", ""},
		{"A cp; A mma", ""},
		{"A cp rows; A mma", ""},
		{"A shift; A mma", ""},
		{"A shift; A cp rows", ""},
		{"A mma; A shift", ""},
		{"A mma; A other mma", "missing-async-wait"},
		{"A mma; A pair mma", "missing-async-wait"},
		{"A mma; A cp", "missing-async-wait, warning"},
		{"A cp; A cp", "missing-async-wait, warning"},
		{"A mma; A cp rows", "missing-async-wait, warning"},
		{"A pair mma; A cp", "missing-async-wait"},
		{"A shift; A cp", "missing-async-wait"},
		// What is between two that are no pair: a product that reads what the first has written.
		{"A shift; A mma reads; A shift", ""},
		{"A shift; A shift", "missing-async-wait"},
		{"A cp; A mma reads; A shift", ""},
		{"A cp; A mma reads; A before; A arrive; B pass; B after; B shift", ""},
		{"A cp; A before; A arrive; B pass; B after; B shift", "missing-async-wait"},
		// Non-pipelined instructions, same thread.
		{"A st; A wait::st; A ld", ""},
		{"A st; A ld", "missing-async-wait"},
		{"A st; A wait::ld; A ld", "missing-async-wait"},
		{"A ld; A wait::ld; A mma", ""},
		{"A ld; A mma", "missing-async-wait"},
		{"A mma; A commit; A done; A pass; A after; A ld", ""},
		{"A mma; A commit; A done; A relaxed pass; A after; A ld", ""},
		{"A mma; A commit; A done; A pass; A ld", "missing-fence"},
		{"A mma; A commit; A done; A after; A ld", "missing-async-wait"},
		{"A mma; A cp; A commit; A done; A pass; A after; A ld", "missing-async-wait, warning"}, // between the first two
		// Pipelined instructions, different threads.
		{"A cp; A before; A arrive; B pass; B after; B mma", ""},
		{"A cp; A before; A relaxed arrive; B relaxed pass; B after; B mma", ""},
		{"A cp; A arrive; B pass; B after; B mma", "missing-fence"},
		{"A cp; A before; A arrive; B pass; B mma", "missing-fence"},
		{"A cp; A before; B after; B mma", "missing-barrier"},
		{"A mma; A before; A arrive; B pass; B after; B cp", "missing-async-wait"},
		// Non-pipelined instructions, different threads.
		{"A ld; A wait::ld; A before; A arrive; B pass; B after; B mma", ""},
		{"A ld; A wait::ld; A before; A relaxed arrive; B relaxed pass; B after; B mma", ""},
		{"A ld; A before; A arrive; B pass; B after; B mma", "missing-async-wait"},
		{"A ld; A before; A wait::ld; A arrive; B pass; B after; B mma", "missing-fence"},
		{"A ld; A wait::ld; A arrive; B pass; B after; B mma", "missing-fence"},
		{"A ld; A wait::ld; A before; A arrive; B pass; B mma", "missing-fence"},
		{"A ld; A wait::ld; A before; B after; B mma", "missing-barrier"},
		{"A mma; A commit; A done; B pass; B after; B ld", ""},
		{"A mma; A commit; A done; B relaxed pass; B after; B ld", ""},
		{"A mma; A commit; A done; B pass; B ld", "missing-fence"},
		{"A st; A wait::st; A commit; A done; B pass; B after; B ld", ""}, // commit is a fence
		{"A st; A wait::st; A commit; A arrive; B pass; B after; B mma", ""},
		{"A st; A commit; A done; B pass; B after; B ld", "missing-async-wait"},
		{"A mma; A commit; A done; A pass; A after; A before; A arrive; B pass; B after; B ld", ""},
		// A relaxed arrival at the barrier of the cluster.
		{"A cp; A before; A cluster arrive; B cluster arrive; B cluster pass; B after; B mma", ""},
		{"A cp; A cluster arrive; B cluster arrive; B cluster pass; B after; B mma", "missing-fence"},
		{"A cp; A before; A cluster arrive; B cluster arrive; B cluster pass; B mma", "missing-fence"},
		{"A ld; A wait::ld; A before; A cluster arrive; B cluster arrive; B cluster pass; B after; B mma", ""},
		{"A ld; A before; A cluster arrive; B cluster arrive; B cluster pass; B after; B mma", "missing-async-wait"},
		// Deallocation.
		{"A ld; A wait::ld; A before; A cluster arrive; B cluster arrive; B cluster pass; B dealloc", ""},
		{"A ld; A wait::ld; A cluster arrive; B cluster arrive; B cluster pass; B dealloc", "missing-fence"},
		{"A ld; A before; A cluster arrive; B cluster arrive; B cluster pass; B dealloc", "missing-async-wait"},
		{"A mma; A commit; A done; A pass; A cluster arrive; B cluster arrive; B cluster pass; B dealloc", ""},
		{"A ld; A wait::ld; A before; A relaxed arrive; B relaxed pass; B dealloc", ""},
		{"A ld; A wait::ld; A relaxed arrive; B relaxed pass; B dealloc", "missing-fence"},
		{"A ld; A wait::ld; A arrive; B pass; B dealloc", ""},
		{"A ld; A wait::ld; B dealloc", "missing-barrier"},
		{"A ld; A arrive; B pass; B dealloc", "missing-async-wait"},
		{"A mma; A commit; A done; A pass; A dealloc", ""},
		{"A mma; A dealloc", "missing-async-wait"},
		{"A st; A wait::st; A dealloc; B alloc; B st", ""},
		{"A st; A wait::st; B st", "missing-barrier"},
		{"A ld; B ld", ""},
	} {
		t.Run(c.steps, func(t *testing.T) {
			events := tensorStep(t, "A init", 0)
			for i, step := range strings.Split(c.steps, "; ") {
				events = append(events, tensorStep(t, step, uint64(i+1))...)
			}
			for i := range events {
				events[i].Site = uint32(i + 1)
			}
			races := report(t, events)
			switch cause, severity, _ := strings.Cut(c.want, ", "); {
			case cause == "" && len(races) > 0:
				t.Errorf("%+v", races)
			case cause != "" && (len(races) != 1 || string(races[0].Cause) != cause || string(races[0].Severity) != severity || races[0].Space != abi.SpaceTensor || races[0].Missing == ""):
				t.Errorf("want %s, got %+v", c.want, races)
			}
		})
	}
}
