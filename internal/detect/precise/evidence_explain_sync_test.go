package precise_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// at makes an event one of a lane of a warp of a block. Threads that are said to act are
// A of block 0, B of its second warp, C of block 1 in the same cluster.
func at(who string, lane int, ev abi.Event) abi.Event {
	t := litmusThreads[who]
	ev.Block, ev.Warp, ev.Cluster, ev.Live = t.Block, t.Warp, clusterOf(t.Block), traceLanes
	if ev.Mask == 0 {
		ev.Mask = 1 << lane
	}
	return ev
}

// memory is an access of a lane to one word of shared memory.
func memory(who string, lane int, kind abi.AccessKind, addr uint64) abi.Event {
	ev := at(who, lane, abi.Event{Kind: abi.EventAccess, Access: kind, Sem: abi.SemWeak, Space: abi.SpaceShared, Bytes: 4})
	ev.Addr[lane] = addr
	if kind != abi.AccessLoad {
		ev.Wrote = ev.Mask
	}
	return ev
}

// relaxed is a strong access of a lane to one word of shared memory.
func relaxed(who string, lane int, kind abi.AccessKind, addr uint64) abi.Event {
	ev := memory(who, lane, kind, addr)
	ev.Sem, ev.Scope = abi.SemRelaxed, abi.ScopeGPU
	return ev
}

// row is a volatile access of the lanes of a warp to words of shared memory side by side.
func row(who string, kind abi.AccessKind, addr uint64) abi.Event {
	ev := memory(who, 0, kind, addr)
	ev.Mask, ev.Sem = traceLanes, abi.SemVolatile
	for lane := range uint64(3) {
		ev.Addr[lane] = addr + 4*lane
	}
	if kind != abi.AccessLoad {
		ev.Wrote = ev.Mask
	}
	return ev
}

// copied is an access by an asynchronous operation.
func copied(who string, kind abi.AccessKind, async abi.AsyncKind, proxy abi.Proxy, addr uint64) abi.Event {
	ev := memory(who, 0, kind, addr)
	ev.Async, ev.Proxy, ev.Op = async, proxy, 7
	return ev
}

// locked is a compare-and-swap or an exchange of a lock.
func locked(who string, op abi.AtomicOp, addr uint64) abi.Event {
	ev := memory(who, 0, abi.AccessRMW, addr)
	ev.Atomic, ev.Sem, ev.Scope, ev.Valued = op, abi.SemRelaxed, abi.ScopeGPU, true
	return ev
}

// groups is the end of a group of asynchronous operations of A, or a wait for all groups but the latest.
func groups(kind abi.EventKind, async abi.AsyncKind, pending uint32, mode abi.BarrierMode) abi.Event {
	ev := at("A", 0, abi.Event{Kind: kind, Async: async, Mode: mode})
	ev.Pending[0] = pending
	return ev
}

// readOnly makes a load one of global memory by ld.global.nc.
func readOnly(ev abi.Event) abi.Event {
	ev.Proxy, ev.Space = abi.ProxyReadOnly, abi.SpaceGlobal
	return ev
}

// inGlobal makes an access one of global memory.
func inGlobal(ev abi.Event) abi.Event {
	ev.Space = abi.SpaceGlobal
	return ev
}

// signal is an arrival at the mbarrier at 0x800 or the end of a wait for its phase.
func signal(who string, kind abi.EventKind, sem abi.Semantics, scope abi.Scope) abi.Event {
	ev := at(who, 0, abi.Event{Kind: kind, Sem: sem, Scope: scope})
	ev.Addr[0] = 0x800
	return ev
}

// TestMissingSync: what reports say of barriers, asynchronous operations, proxies and locks
// that do not suffice. Event i has site i+1.
func TestMissingSync(t *testing.T) {
	const load, store, d = abi.AccessLoad, abi.AccessStore, 0x400
	init := at("A", 0, abi.Event{Kind: abi.EventMbarrierInit})
	init.Addr[0] = 0x800
	for name, c := range map[string]struct {
		events []abi.Event
		locks  detect.LockFault
		missing
	}{
		"lanes": {
			[]abi.Event{memory("A", 0, store, d), memory("A", 1, load, d)},
			"",
			missing{cause: "missing-warp-sync"},
		},
		"the mask leaves the reader out": {
			[]abi.Event{memory("A", 0, store, d), at("A", 0, abi.Event{Kind: abi.EventWarpSync, Mask: 0b101, Sem: abi.SemAcqRel}), memory("A", 1, load, d)},
			"",
			missing{"missing-warp-sync", "a warp-level barrier for both lanes: the mask at {fence}, 0x00000005, leaves out lane 1", 2, 0, 0},
		},
		"what is held is no lock": {
			[]abi.Event{
				locked("A", abi.AtomicCAS, 0x500), memory("A", 0, store, d), relaxed("A", 0, store, 0x600), relaxed("B", 0, load, 0x600), memory("B", 0, load, d),
			},
			"",
			missing{"missing-fence", "a release and an acquire: what is written at {publish} tells the second thread", 0, 3, 4},
		},
		"a message of other lanes": {
			[]abi.Event{memory("A", 0, store, d), relaxed("A", 1, store, 0x500), relaxed("B", 1, load, 0x500), memory("B", 0, load, d)},
			"",
			missing{"missing-warp-sync", "a warp-level barrier: what is written at {publish}", 0, 2, 3},
		},
		"a message of other lanes from before": {
			[]abi.Event{relaxed("A", 1, store, 0x500), relaxed("B", 1, load, 0x500), memory("A", 0, store, d), memory("B", 0, load, d)},
			"",
			missing{"missing-barrier", "a block barrier between them", 0, 0, 0},
		},
		"a message of other lanes in the other direction": {
			[]abi.Event{memory("A", 0, load, d), relaxed("B", 1, store, 0x500), relaxed("A", 1, load, 0x500), memory("B", 0, store, d)},
			"",
			missing{"missing-barrier", "a block barrier between them", 0, 0, 0},
		},
		"an arrival that comes too early": {
			[]abi.Event{
				at("A", 0, abi.Event{Kind: abi.EventBarrierArrive, Barrier: 1, Mode: abi.BarrierArrive}), at("B", 0, abi.Event{Kind: abi.EventBarrierArrive, Barrier: 1}),
				at("B", 0, abi.Event{Kind: abi.EventBarrierComplete, Barrier: 1}), at("B", 0, abi.Event{Kind: abi.EventBarrierPass, Barrier: 1}),
				memory("A", 0, store, d), memory("B", 0, load, d),
			},
			"",
			missing{"missing-barrier", "an order: the second thread waits for the arrival at {fence}", 1, 0, 0},
		},
		"an arrival that nobody waits for": {
			[]abi.Event{
				memory("A", 0, store, d), at("A", 0, abi.Event{Kind: abi.EventBarrierArrive, Barrier: 1, Mode: abi.BarrierArrive}), memory("B", 0, load, d),
			},
			"",
			missing{"missing-barrier", "a wait: the first thread arrives at {fence} after its access", 2, 0, 0},
		},
		"a copy, read by its thread": {
			[]abi.Event{copied("A", store, abi.AsyncCopies, abi.ProxyGeneric, d), memory("A", 0, load, d)},
			"",
			missing{"missing-async-wait", "a wait for the asynchronous copy", 0, 0, 0},
		},
		"a copy, read by another thread": {
			[]abi.Event{copied("A", store, abi.AsyncCopies, abi.ProxyGeneric, d), memory("B", 0, load, d)},
			"",
			missing{"missing-async-wait", "a wait for the asynchronous copy", 0, 0, 0},
		},
		"a copy that its thread has waited for": {
			[]abi.Event{
				copied("A", store, abi.AsyncCopies, abi.ProxyGeneric, d), at("A", 0, abi.Event{Kind: abi.EventAsyncCommit, Async: abi.AsyncCopies}),
				at("A", 0, abi.Event{Kind: abi.EventAsyncWait, Async: abi.AsyncCopies}), memory("B", 0, load, d),
			},
			"",
			missing{cause: "missing-barrier"},
		},
		"a bulk copy's source": {
			[]abi.Event{copied("A", load, abi.AsyncBulk, abi.ProxyAsync, d), memory("A", 0, store, d)},
			"",
			missing{"missing-async-wait", "a wait until the asynchronous copy has read its source", 0, 0, 0},
		},
		"a bulk copy that tells an mbarrier": {
			[]abi.Event{init, copied("A", store, abi.AsyncSignals, abi.ProxyAsync, d), memory("A", 0, load, d)},
			"",
			missing{"missing-async-wait", "a wait for the phase of the mbarrier that the copy completes", 0, 0, 0},
		},
		"no proxy fence": {
			[]abi.Event{memory("A", 0, store, d), copied("A", load, abi.AsyncBulk, abi.ProxyAsync, d)},
			"",
			missing{"missing-fence", "a proxy fence: the asynchronous proxy need not see", 0, 0, 0},
		},
		"no proxy fence after a store that is overwritten": {
			[]abi.Event{memory("A", 0, store, d), copied("A", store, abi.AsyncBulk, abi.ProxyAsync, d)},
			"",
			missing{"missing-fence", "a proxy fence: the write of the asynchronous proxy may come before", 0, 0, 0},
		},
		"no proxy fence after a load that is overwritten": {
			[]abi.Event{memory("A", 0, load, d), copied("A", store, abi.AsyncBulk, abi.ProxyAsync, d)},
			"",
			missing{"missing-fence", "a proxy fence: the asynchronous proxy may overwrite the memory before", 0, 0, 0},
		},
		"a load of read-only data that the thread has written": {
			[]abi.Event{inGlobal(memory("A", 0, store, d)), readOnly(memory("A", 0, load, d))},
			"",
			missing{"not-read-only", "memory that the kernel only reads: the memory consistency model leaves ld.global.nc and ldu out", 0, 0, 0},
		},
		"a load of read-only data that another thread writes later": {
			[]abi.Event{readOnly(memory("A", 0, load, d)), inGlobal(memory("B", 0, store, d))},
			"",
			missing{"not-read-only", "memory that the kernel only reads", 0, 0, 0},
		},
		"a wait for all groups but that of the copy": {
			[]abi.Event{
				copied("A", store, abi.AsyncCopies, abi.ProxyGeneric, d), groups(abi.EventAsyncCommit, abi.AsyncCopies, 0, 0),
				groups(abi.EventAsyncCommit, abi.AsyncCopies, 0, 0), groups(abi.EventAsyncWait, abi.AsyncCopies, 2, 0),
				groups(abi.EventAsyncCommit, abi.AsyncCopies, 0, 0), memory("A", 0, load, d),
			},
			"",
			missing{"missing-async-wait", "a wait for the group of {first}: the wait at {fence} is for all groups but the latest 2", 4, 0, 0},
		},
		"a wait before the group ends": {
			[]abi.Event{
				copied("A", store, abi.AsyncCopies, abi.ProxyGeneric, d), groups(abi.EventAsyncWait, abi.AsyncCopies, 1, 0),
				groups(abi.EventAsyncCommit, abi.AsyncCopies, 0, 0), memory("A", 0, load, d),
			},
			"",
			missing{"missing-async-wait", "a wait for the asynchronous copy", 0, 0, 0},
		},
		"a wait for all sources but those of the copy, written by another thread": {
			[]abi.Event{
				copied("A", load, abi.AsyncBulk, abi.ProxyAsync, d), groups(abi.EventAsyncCommit, abi.AsyncBulk, 0, 0),
				groups(abi.EventAsyncWait, abi.AsyncBulk, 1, abi.BarrierRead), memory("B", 0, store, d), groups(abi.EventAsyncWait, abi.AsyncBulk, 0, 0),
			},
			"",
			missing{"missing-async-wait", "a wait for the group of {first}", 3, 0, 0},
		},
		"a wait for the sources of what is overwritten": {
			[]abi.Event{
				copied("A", store, abi.AsyncBulk, abi.ProxyAsync, d), groups(abi.EventAsyncCommit, abi.AsyncBulk, 0, 0),
				groups(abi.EventAsyncWait, abi.AsyncBulk, 0, abi.BarrierRead), memory("A", 0, load, d),
			},
			"",
			missing{"missing-async-wait", "a wait for what {first} writes: the wait at {fence} is for its sources only", 3, 0, 0},
		},
		"a wait of too narrow a scope": {
			[]abi.Event{
				init, memory("C", 0, store, d), signal("C", abi.EventMbarrierArrive, abi.SemRelease, abi.ScopeCluster),
				signal("A", abi.EventMbarrierPass, abi.SemAcquire, abi.ScopeNone), memory("A", 0, load, d),
			},
			"",
			missing{"insufficient-fence-scope", "an acquire at cluster scope by the wait at {fence}", 4, 0, 0},
		},
		"an arrival of too narrow a scope": {
			[]abi.Event{
				init, memory("C", 0, store, d), signal("C", abi.EventMbarrierArrive, abi.SemRelease, abi.ScopeNone),
				signal("A", abi.EventMbarrierPass, abi.SemAcquire, abi.ScopeCluster), memory("A", 0, load, d),
			},
			"",
			missing{"insufficient-fence-scope", "a release at cluster scope by the arrival at {fence}", 3, 0, 0},
		},
		"a wait of too narrow a scope, by another thread of its block": {
			[]abi.Event{
				init, memory("C", 0, store, d), signal("C", abi.EventMbarrierArrive, abi.SemRelease, abi.ScopeCluster),
				signal("A", abi.EventMbarrierPass, abi.SemAcquire, abi.ScopeNone),
				at("A", 0, abi.Event{Kind: abi.EventWarpSync, Mask: 0b11, Sem: abi.SemAcqRel}), memory("A", 1, load, d),
			},
			"",
			missing{"insufficient-fence-scope", "an acquire at cluster scope by the wait at {fence}", 4, 0, 0},
		},
		"a copy that a wait of too narrow a scope hides": {
			[]abi.Event{
				init, copied("C", load, abi.AsyncBulk, abi.ProxyAsync, d), at("C", 0, abi.Event{Kind: abi.EventAsyncCommit, Async: abi.AsyncBulk}),
				at("C", 0, abi.Event{Kind: abi.EventAsyncWait, Async: abi.AsyncBulk}), signal("C", abi.EventMbarrierArrive, abi.SemRelease, abi.ScopeCluster),
				signal("A", abi.EventMbarrierPass, abi.SemAcquire, abi.ScopeNone), memory("A", 0, store, d),
			},
			"",
			missing{"insufficient-fence-scope", "an acquire at cluster scope by the wait at {fence}", 6, 0, 0},
		},
		"a relaxed arrival": {
			[]abi.Event{
				memory("A", 0, store, d), at("A", 0, abi.Event{Kind: abi.EventClusterArrive, Sem: abi.SemRelaxed}), at("C", 0, abi.Event{Kind: abi.EventClusterArrive}),
				at("C", 0, abi.Event{Kind: abi.EventClusterPass}), memory("C", 0, load, d),
			},
			"",
			missing{"missing-fence", "a release: the arrival at the barrier of the cluster, at {fence}, is relaxed", 2, 0, 0},
		},
		"the second without the lock": {
			[]abi.Event{locked("A", abi.AtomicCAS, 0x500), memory("A", 0, store, d), locked("A", abi.AtomicExch, 0x500), memory("B", 0, store, d)},
			"second-unlocked",
			missing{cause: "missing-lock"},
		},
		"the first without the lock": {
			[]abi.Event{memory("A", 0, store, d), locked("B", abi.AtomicCAS, 0x500), memory("B", 0, store, d), locked("B", abi.AtomicExch, 0x500)},
			"first-unlocked",
			missing{cause: "missing-lock"},
		},
		"two locks": {
			[]abi.Event{
				locked("A", abi.AtomicCAS, 0x500), memory("A", 0, store, d), locked("A", abi.AtomicExch, 0x500),
				locked("B", abi.AtomicCAS, 0x504), memory("B", 0, store, d), locked("B", abi.AtomicExch, 0x504),
			},
			"different",
			missing{cause: "missing-lock"},
		},
		"a compare-and-swap that locks nothing": {
			[]abi.Event{memory("A", 0, store, d), locked("B", abi.AtomicCAS, 0x500), memory("B", 0, store, d)},
			"",
			missing{cause: "missing-barrier"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range c.events {
				c.events[i].Site = uint32(i + 1)
			}
			races := report(t, c.events)
			if len(races) != 1 || races[0].Locks != c.locks {
				t.Fatalf("%+v", races)
			}
			c.compare(t, &races[0])
		})
	}
}

// TestMessageByFirstAccess: what lanes write by the instruction that makes the first access of a race is no message
// about it.
func TestMessageByFirstAccess(t *testing.T) {
	const load, store, d = abi.AccessLoad, abi.AccessStore, 0x400
	for name, c := range map[string]struct {
		events []abi.Event
		missing
	}{
		"in the warp": {
			[]abi.Event{row("A", store, d), row("A", load, d+4), memory("A", 0, load, d+8)},
			missing{cause: "missing-warp-sync"},
		},
		"in another warp": {
			[]abi.Event{row("A", store, d), row("B", load, d+4), memory("B", 0, load, d+8)},
			missing{"missing-barrier", "a block barrier between them", 0, 0, 0},
		},
		"a later instruction": {
			[]abi.Event{memory("A", 2, store, 0x500), row("A", store, d), row("B", load, d+4), memory("B", 0, load, 0x500)},
			missing{"missing-warp-sync", "a warp-level barrier: what is written at {publish}, and read at {observe}", 0, 2, 3},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range c.events {
				c.events[i].Site = uint32(i + 1)
			}
			races := slices.DeleteFunc(report(t, c.events), func(r detect.Race) bool { return r.Severity == detect.Warning })
			if len(races) != 1 {
				t.Fatalf("%+v", races)
			}
			c.compare(t, &races[0])
		})
	}
}

// TestMessageOfOtherLane: a message for which a thread waits before its access explains a race with another lane of the
// warp that has written the message, whichever of the two accesses comes first. A message that decides nothing does
// not.
func TestMessageOfOtherLane(t *testing.T) {
	const load, store, d = abi.AccessLoad, abi.AccessStore, 0x400
	for name, accesses := range map[string][]abi.Event{
		"the access of the waiting thread is first":  {memory("B", 0, load, d), memory("A", 0, store, d)},
		"the access of the waiting thread is second": {memory("A", 0, store, d), memory("B", 0, load, d)},
	} {
		for _, waits := range []bool{true, false} {
			x, err := precise.New(precise.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			x.SetConsulted(map[uint32]bool{2: waits})
			events := append([]abi.Event{relaxed("A", 1, store, 0x500), relaxed("B", 0, load, 0x500)}, accesses...)
			for i := range events {
				events[i].Site = uint32(i + 1)
			}
			want := detect.MissingBarrier
			if waits {
				want = detect.MissingWarpSync
			}
			if races := play(x, events); len(races) != 1 || races[0].Cause != want {
				t.Errorf("%s, waits %v: %v, want a race for %s", name, waits, races, want)
			}
		}
	}
}
