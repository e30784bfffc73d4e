// Tuning: the shortcuts of the detector, each of which can be switched off, and the sizes from which on some of them
// are taken.

package precise

import "github.com/ptxsan/ptxsan/internal/detect/precise/order"

// shortcuts is a set of fast paths and of forms that hold many accesses. Without them the detector finds the same, in
// more steps.
type shortcuts uint32

const (
	journals       shortcuts = 1 << iota // deferred accesses: region.go
	batches                              // accesses that need no event: fastpath_batch.go
	walks                                // loops in which each lane steps through words of its own
	cellsOfWords                         // words that one thread alone accesses strongly: strong_cell.go
	orderedWords                         // of these, words that several threads access one after the other
	latestOnly                           // tryFast
	counters                             // tryAtomics
	readersAtOnce                        // reads of lanes with one state: sync_together.go
	tallies                              // writes counted by block and instruction: tally.go, rows_together.go
	precedingReads                       // reads that many writes precede: log.go
	generations                          // of shared memory, which end at barriers: shadow_generation.go
	knownCauses                          // of races and warnings like earlier ones: package evidence
	endOfShortcuts
)

// tuning says which shortcuts a detector takes, and from which sizes on. None of it changes what it finds.
type tuning struct {
	without, weak shortcuts // weak: none are taken under weak memory

	contexts int // contexts of all threads up to which none are dropped

	writes, rows int // writes of a word, and rows of writes of a line, below which they are compared one by one
	preceding    int // length of a list of writes from which on it keeps a read that they precede
	recentJoins  int // recent releases of a location that a thread had to join after which later ones are joined at once
	fenceRecords int // separate records of fences at a location

	// Observations of a location up to which no index is made, units up to which each is looked up in a clock,
	// observations from which on older ones are dropped, and those that observedSpan looks at.
	observations, observationUnits, manyObservations, spanObservations int

	joins order.JoinTuning
}

// standard is the tuning of new detectors. Tests change it.
var standard = tuning{
	contexts: 1 << 16,
	writes:   8, rows: 3, preceding: 64, recentJoins: 2, fenceRecords: 8,
	observations: 16, observationUnits: 32, manyObservations: 4 * radix, spanObservations: 64,
	joins: order.JoinTuning{Longest: 64, Nodes: 8},
}

// takes reports whether a shortcut is to be taken.
func (t *tuning) takes(s shortcuts) bool { return (t.without|t.weak)&s == 0 }
