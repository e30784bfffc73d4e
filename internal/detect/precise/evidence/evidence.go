// Evidence: data for the explanations in reports, which do not affect the verdict.

package evidence

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Evidence collects races and explains them: the cause, the message between the two threads, the fence, scope, lock or
// arrival that does not suffice, and the repair. The detector notifies it of synchronisation and of races; nothing
// flows back into verdicts.
type Evidence struct {
	synchronisation

	found findings
	alike alikeRaces
	told  toldRaces

	queries map[pair]*query
	stale   map[pair]*stale
	locks   locks

	usesKnown     bool // causes (known.go)
	warnings      warnings
	Forgetful     bool            // locations have been forgotten: Warns
	bytes         *accesses.Bytes // counts what is kept of strong accesses
	historySlab   []History       // allocated in advance
	freeHistories []*History
}

// synchronisation is the past synchronisation of threads, kept for explanations only.
type synchronisation struct {
	Execution
	Sites
	classes   *accesses.Classes
	FirstSite uint32 // is added to the sites of the running launch's module, so that those of related launches differ
	Clustered bool   // the blocks of the launch form clusters
	Deferred  bool   // atomic operations have been deferred since the last call of ReplayDeferred

	fences    map[unit]*fenceMarks       // fences and releases, of warps with a narrow one or a release
	acquires  map[unit]*fenceMarks       // acquires, of warps that have executed narrow ones
	misreads  map[uint32][]misread       // the latest reads that did not synchronise because of a scope, by block
	unheard   map[uint32][]unheard       // the latest waits for mbarriers that did not synchronise because of a scope, by block
	warpSyncs map[unit]warpSync          // the latest warp-level barriers of part of a warp
	relaxed   map[thread]fenceMark       // the latest relaxed arrivals at the barrier of a cluster
	arrivals  map[unit]*[radix]fenceMark // the latest arrivals without waiting at barriers of blocks and mbarriers
	awaited   map[unit]stamp             // asynchronous operations up to a time that their threads have waited for
	edges     edges
}

// New returns the evidence of a launch that begins: of accesses of some classes, which counts bytes. It reuses the memory
// of the last launch's evidence, and keeps the sets of sites.
func New(of Execution, classes *accesses.Classes, bytes *accesses.Bytes, usesKnown bool, last *Evidence) Evidence {
	return Evidence{
		synchronisation: synchronisation{
			Execution: of, Sites: last.Sites, classes: classes,
			fences: make(map[unit]*fenceMarks), acquires: make(map[unit]*fenceMarks),
			misreads: make(map[uint32][]misread), unheard: make(map[uint32][]unheard),
			warpSyncs: make(map[unit]warpSync), relaxed: make(map[thread]fenceMark), awaited: make(map[unit]stamp),
			arrivals: make(map[unit]*[radix]fenceMark), edges: last.edges.emptied(),
		},
		bytes: bytes, usesKnown: usesKnown, queries: make(map[pair]*query),
		historySlab: last.historySlab, freeHistories: last.freeHistories,
	}
}

// replayDeferred has deferred atomic operations processed.
func (e *synchronisation) replayDeferred() {
	if e.Deferred {
		e.Deferred = false
		e.ReplayDeferred()
	}
}

// SiteOf returns the site of an event among those of all related launches.
func (e *synchronisation) SiteOf(ev *abi.Event) uint32 { return e.FirstSite + ev.Site }

// IsWaitedFor records that a thread has waited for a group of asynchronous operations up to a time, or, with sources,
// only for the reads of their sources.
func (e *synchronisation) IsWaitedFor(reads, writes unit, sources bool, at stamp) {
	e.AreWaitedFor(reads, at)
	if !sources {
		e.AreWaitedFor(writes, at)
	}
}

// AreWaitedFor records that a thread has waited for the operations of a unit up to a time.
func (e *synchronisation) AreWaitedFor(u unit, at stamp) { e.awaited[u] = max(e.awaited[u], at) }

// MarkWarpSync records a warp-level barrier that leaves out lanes.
func (e *synchronisation) MarkWarpSync(w *Warp, ev *abi.Event) {
	if ev.Live&^ev.Mask != 0 {
		e.warpSyncs[w.Unit] = warpSync{fenceMark{e.Now(), e.SiteOf(ev)}, ev.Mask, ev.Live}
	}
}

// MarkRelaxed records a relaxed arrival of a lane at the barrier of its cluster.
func (e *synchronisation) MarkRelaxed(w *Warp, lane int, site uint32) {
	e.relaxed[thread{Unit: w.Unit, Lane: uint8(lane)}] = fenceMark{e.Now(), site}
}

// MarkRelease records a release operation of a lane.
func (e *synchronisation) MarkRelease(w *Warp, lane int, r accesses.Reach, site uint32) {
	e.marksOf(w)[lane][r] = fenceMark{e.Now(), site}
}

// Warp is what evidence keeps of a running warp.
type Warp struct {
	Unit             unit
	fences, acquires *fenceMarks // as in evidence; nil when there are none, or no report needs them
}

// Memory is what evidence keeps of a memory: of the global one, or the shared one of a block.
type Memory struct{ warned []*History } // the scalars with warnings
