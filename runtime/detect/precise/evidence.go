// Evidence: data for the explanations in reports, which do not affect the verdict.

package precise

import (
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// evidence collects races and explains them: the cause, the message between the two threads, the fence, scope, lock or arrival
// that does not suffice, and the repair. The detector notifies it of synchronisation and of races; nothing flows back into
// verdicts. The interface execution lists all methods of the detector that it may call.
type evidence struct {
	execution

	found findings
	alike alikeRaces
	told  toldRaces

	// The past synchronisation of threads, kept for explanations only.
	fences    map[unit]*fenceMarks       // fences and releases, of warps with a narrow one or a release
	acquires  map[unit]*fenceMarks       // acquires, of warps that have executed narrow ones
	misreads  map[uint32][]misread       // the latest reads that did not synchronise because of a scope, by block
	unheard   map[uint32][]unheard       // the latest waits for mbarriers that did not synchronise because of a scope, by block
	warpSyncs map[unit]warpSync          // the latest warp-level barriers of part of a warp
	relaxed   map[thread]fenceMark       // the latest relaxed arrivals at the barrier of a cluster
	arrivals  map[unit]*[radix]fenceMark // the latest arrivals without waiting at barriers of blocks and mbarriers
	awaited   map[unit]bool              // asynchronous operations that their threads have waited for
	edges     edges
	queries   map[pair]*query
	locks     locks

	usesKnown     bool              // causes (evidence_known.go)
	decisions     siteSet           // SetDecisions
	guesses       siteSet           // SetGuesses
	looks, swaps  siteSet           // SetLooks
	consulted     siteSet           // SetConsulted
	wanted        siteSet           // SetAwaited
	unheeded      siteSet           // SetUnheeded
	marks         map[uint32]uint32 // SetMarks
	warnings      warnings
	forgetful     bool            // locations have been forgotten: evidence.warns
	historySlab   []strongHistory // allocated in advance
	freeHistories []*strongHistory
}

// execution is the part of the detector that evidence uses: the threads and their places, the time, and the vector clocks of
// the access in progress.
type execution interface {
	class(index uint32) *accessClass
	time() stamp
	eventNumber() uint32 // of the event in progress
	extentOf(grid uint32) (extent, detect.Nested)

	placeOf(unit) *place
	ownerOf(unit) unit
	homeOf(unit) *block // the running block of a warp, nil when it has ended and for asynchronous operations
	warpOfUnit(unit) *warp

	// The access in progress.
	currentClock(lane int) *clock
	precedesCurrent(read *sighting, lane int) bool
	isMbarrierAt(addr uint64) bool

	// Relations of the memory model.
	mutual(pr reach, p *place, qr reach, q *place) bool
	observedBefore(a *access, e *entry, other, lane int, at uint64) bool
	observedSpan(a *access, since stamp, lanes uint32, at uint64) span
	scorLocksAt(f *finding) (first, second []lock, applies bool)

	hasClusters() bool    // whether the blocks of the launch form clusters
	countsDeferred() bool // whether there are deferred atomic operations
	replayCounts()        // processes deferred atomic operations, which may be messages and locks
	uses(bytes uintptr)   // counts memory
	unuses(bytes uintptr) // counts memory that is free again
	joins() *merges
}

// newEvidence returns the evidence of a launch that begins. It reuses the memory of the last launch's evidence, and keeps the
// sets of sites.
func newEvidence(of execution, last *evidence) evidence {
	return evidence{
		execution: of,
		fences:    make(map[unit]*fenceMarks), acquires: make(map[unit]*fenceMarks), misreads: make(map[uint32][]misread), unheard: make(map[uint32][]unheard),
		warpSyncs: make(map[unit]warpSync), relaxed: make(map[thread]fenceMark), awaited: make(map[unit]bool),
		arrivals: make(map[unit]*[radix]fenceMark), queries: make(map[pair]*query),
		edges:     last.edges.emptied(),
		decisions: last.decisions, guesses: last.guesses, looks: last.looks, swaps: last.swaps, consulted: last.consulted, wanted: last.wanted, unheeded: last.unheeded, marks: last.marks,
		historySlab: last.historySlab, freeHistories: last.freeHistories,
	}
}

// isWaitedFor records that a thread has waited for a group of asynchronous operations, or, with sources, only for the reads of
// their sources.
func (e *evidence) isWaitedFor(u asyncUnits, sources bool) {
	e.awaited[u[asyncReads]] = true
	e.awaited[u[asyncWrites]] = !sources || e.awaited[u[asyncWrites]]
}

// markWarpSync records a warp-level barrier that leaves out lanes.
func (e *evidence) markWarpSync(w *warp, ev *abi.Event) {
	if ev.Live&^ev.Mask != 0 {
		e.warpSyncs[w.unit] = warpSync{fenceMark{e.time(), ev.Site}, ev.Mask, ev.Live}
	}
}

// markRelaxed records a relaxed arrival of a lane at the barrier of its cluster.
func (e *evidence) markRelaxed(w *warp, lane int, site uint32) {
	e.relaxed[thread{Unit: w.unit, Lane: uint8(lane)}] = fenceMark{e.time(), site}
}

// markRelease records a release operation of a lane.
func (e *evidence) markRelease(w *warp, lane int, r reach, site uint32) {
	e.marksOf(w)[lane][r] = fenceMark{e.time(), site}
}
