// Package precise is a race detector that follows the memory consistency model of the
// PTX manual (chapter "Memory Consistency Model"): two conflicting accesses race when
// they are neither ordered by causality nor morally strong.
//
// Events (abi.Event) and batches of accesses (abi.Batch) enter by Detector.Event and
// Detector.Accesses; races leave by Detector.End. The detector judges the execution that it
// observes, and treats it as one of the executions that the model allows with the same values. It
// must know neither PTX syntax nor the emulator.
//
// # The way of an access
//
//	Detector.Accesses ── tryBatch: one more weak read, counter, row, word ┐
//	      │           └─ tryWalk: rounds of a loop, in cells ─────────────┤
//	      │ otherwise, as an abi.Event                                    │
//	Detector.Event → access ── tryDefer: the journal of its region ───────┤
//	      │ the region is settled                                         │
//	      ├─ asynchronous: units of its own ─┐                            │
//	      ├─ tryAtomics: a relaxed counter ──┼────────────────────────────┤
//	      ├─ tryCells: words of one thread ──┼────────────────────────────┤
//	      └─ perform                         │                            │
//	          synchronise: what a strong     │                            │
//	          access releases and observes   │                            │
//	             │                           │                            │
//	          lanes ←────────────────────────┘                            │
//	             ├─ rows   lanes side by side, a line at a time ── tryFast┤
//	             └─ words  word by word, byte by byte ── cell ── tryFast ─┤
//	                    │                                                 │
//	        for each earlier entry:  precedes?  morally strong?           │
//	                    │ neither                                         │
//	                conflict → evidence.Race                  enter ←─────┘
//
// # State of a location
//
//	shadow (global memory, or the shared memory of a cluster)
//	 └─ page 4 KB └─ line 128 bytes
//	     ├─ whole     history of the line: accesses by lanes side by side
//	     ├─ cells     strong accesses to words that one thread alone has accessed, or
//	     │            several threads in causality order; histories and locations are
//	     │            made from them by a replay when another kind of access needs them
//	     ├─ words     a history for each word once the line is split; a word may be
//	     │            split into bytes
//	     └─ synced    location of each scalar that is accessed strongly:
//	                   releases   clocks published, by the scope that observes them
//	                   own        patterns that a thread has begun here
//	                   reads, writes  fence.sc before strong accesses
//	                   seen       reads that observed writes: observation order
//	                   history    strong accesses for warnings
//
// A history is the latest write, the latest read and, if one of each does not suffice, lists of
// more. An entry is an access: the unit (a warp, or the lanes of an asynchronous operation), the
// lanes, the time and the access class. Each thread has a vector clock: the accesses that are
// ordered before its next operation.
//
// # Files
//
//	detector, tuning    options, events, begin and end of a launch; what can be switched off
//	access*, rows*      the way of an access; access_class is the static part
//	fastpath*           what decides most accesses with one or two comparisons
//	region*             accesses that are noted and looked at only if needed; package deferred has their
//	                    journals
//	shadow*, log*,      shadow memory; generations end at barriers (shadow_generation),
//	subsumption, crowd, entries that later ones stand for are dropped (subsumption), and old
//	tally               ones of places with many races (crowd); where there are many, entries
//	                    are counted by block and instruction (tally, rows_together)
//	order               causality order, moral strength, conflicts
//	threads             warps, blocks, scopes; vector clocks are a package of their own, order
//	strong_cell*        words that one thread alone accesses strongly, or several one after the other
//	                    (strong_cell_ordered), and in loops that walk through them (strong_cell_walk)
//	replay              accesses of journals and cells, made again by the path of live ones
//	location, release*, synchronisation by strong accesses and fences (sync), of lanes that
//	sync*, fence_*,     read the same for all of them at once (sync_together), by
//	observation*           Fence-SC order (fence_*), by observation (observations)
//	barrier, async,     barriers, asynchronous operations and mbarriers, grids
//	grids
//	scor_*              the model of the papers (Options.Model)
//	reports             what package evidence asks and is told: causes, explanations, warnings about
//	                    unordered strong accesses; package accesses has the words for accesses
//	freelist            space that is used again
package precise
