// Tuning: the shortcuts of the detector, each of which can be switched off, and the sizes from which on some of them
// are taken.

package options

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

// Shortcuts is a set of fast paths and of forms that hold many accesses. Without them the detector finds the same, in
// more steps.
type Shortcuts uint32

// The shortcuts.
const (
	Journals        Shortcuts = 1 << iota // deferred accesses
	Batches                               // accesses that need no event
	Walks                                 // loops in which each lane steps through words of its own
	CellsOfWords                          // words that one thread alone accesses strongly
	OrderedWords                          // of these, words that several threads access one after the other
	LatestOnly                            // weak accesses that the latest write and the latest read of a location decide
	Counters                              // relaxed atomic operations on counters
	ReadersAtOnce                         // reads of lanes with one state
	Tallies                               // writes counted by block and instruction
	PrecedingReads                        // reads that many writes precede
	Generations                           // of shared memory, which end at barriers
	SharedHistories                       // of words that are accessed alike
	KnownCauses                           // of races and warnings like earlier ones: package evidence
	EndOfShortcuts
)

// Tuning says which shortcuts a detector takes, and from which sizes on. None of it changes what it finds.
type Tuning struct {
	Without, Weak Shortcuts // weak: none are taken under weak memory

	Contexts int // contexts of all threads up to which none are dropped

	Writes, Rows int // writes of a word, and rows of writes of a line, below which they are compared one by one
	Preceding    int // length of a list of writes from which on it keeps a read that they precede
	RecentJoins  int // recent releases of a location that a thread had to join after which later ones are joined at once
	FenceRecords int // separate records of fences at a location

	// Observations of a location up to which no index is made, units up to which each is looked up in a clock,
	// observations from which on older ones are dropped, and those that ObservedSpan looks at.
	Observations, ObservationUnits, ManyObservations, SpanObservations int

	Joins order.JoinTuning
}

// Standard is the tuning of new detectors. Tests change it.
var Standard = Tuning{
	Contexts: 1 << 16,
	Writes:   8, Rows: 3, Preceding: 64, RecentJoins: 2, FenceRecords: 8,
	Observations: 16, ObservationUnits: 32, ManyObservations: 4 * radix, SpanObservations: 64,
	Joins: order.JoinTuning{Longest: 64, Nodes: 8},
}

// Takes reports whether a shortcut is to be taken.
func (t *Tuning) Takes(s Shortcuts) bool { return (t.Without|t.Weak)&s == 0 }
