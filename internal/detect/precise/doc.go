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
//	Detector.Event → access ── TryDefer: the journal of its region ───────┤
//	      │ the region is settled                                         │
//	      ├─ asynchronous: units of its own ─┐                            │
//	      ├─ tryAtomics: a relaxed counter ──┼────────────────────────────┤
//	      ├─ TryCells: words of one thread ──┼────────────────────────────┤
//	      └─ perform                         │                            │
//	          synchronise: what a strong     │                            │
//	          access releases and observes   │                            │
//	             │                           │                            │
//	          Lanes ←────────────────────────┘                            │
//	             ├─ rows   lanes side by side, a line at a time ── TryFast┤
//	             └─ words  part by part ── tryClean, TryFast ─────────────┤
//	                    │  word by word, byte by byte ── cell ── TryFast ─┤
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
//	     ├─ words     once the line is split, a history for each part, which is words
//	     │            that have been accessed alike; a word may be split into bytes
//	     └─ synced    location of each scalar that is accessed strongly:
//	                   releases   clocks published, by the scope that observes them
//	                   own        patterns that a thread has begun here
//	                   reads, writes  fence.sc before strong accesses
//	                   seen       reads that observed writes: observation order
//	                   history    strong accesses for warnings
//
// With Options.Enforced, strong accesses order nothing, unless a read ends a wait (enforced.go): races are then those of
// some schedule, and Detector.Dependences says what else depends on the order of threads.
//
// A history is the latest write, the latest read and, if one of each does not suffice, lists of
// more. An entry is an access: the unit (a warp, or the lanes of an asynchronous operation), the
// lanes, the time and the access class. Each thread has a vector clock: the accesses that are
// ordered before its next operation.
//
// # Packages
//
// Each is a layer: its state contains that of the layer below, and it knows nothing of those above.
//
//	options     the memory model, the shortcuts, what a program has not
//	accesses    words for accesses: classes, places, entries
//	order       vector clocks
//	evidence    races with their causes, and warnings; it is notified of synchronisation
//	causality   threads, and what is ordered before what: clocks of lanes, releases at
//	            locations, Fence-SC order (fence_*), observation order (observation*),
//	            older stores under weak memory (older), the papers' model (scor_*)
//	enforced    strong accesses that nothing orders in every schedule, and waits
//	operations  asynchronous operations, mbarriers, tensor memory, clusters
//	phases      whether the phases of barriers are the same in every schedule, if it is asked
//	shadow      the record of accesses: histories (shadow, log, subsumption, tally),
//	            generations that end at barriers, cells (strong_cell*), regions whose
//	            accesses are deferred (region*, defer); package deferred has their journals
//	compare     an access against the entries of the record: rows and words, the fast path,
//	            crowded places, conflicts
//	precise     events, batches (fastpath_batch) and loops (strong_cell_walk) of accesses,
//	            strong accesses (sync), those of cells and journals made again (replay),
//	            parts of a launch, and the answers for package evidence (reports)
package precise
