// Coverage of explorations: the ordered pairs of conflicting accesses of their runs.

package search

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// ConflictSet is a set of ordered pairs of conflicting accesses: see explore.Conflict. A pair is a number that is the
// same in all processes that run the same program, instrumented or not.
type ConflictSet struct{ seen map[uint64]bool }

// NewConflictSet makes an empty set.
func NewConflictSet() *ConflictSet { return &ConflictSet{make(map[uint64]bool)} }

// Sorted returns the pairs in ascending order.
func (c *ConflictSet) Sorted() []uint64 { return slices.Sorted(maps.Keys(c.seen)) }

// Add adds pairs, and reports whether any is new.
func (c *ConflictSet) Add(list []uint64) bool {
	before := len(c.seen)
	for _, pair := range list {
		c.seen[pair] = true
	}
	return len(c.seen) > before
}

// ConflictWatch finds the pairs of one run. A nil one finds nothing.
type ConflictWatch struct {
	found *explore.Conflicts
	own   bool // found is not used by another listener
}

// watchedSeeds selects the runs that are watched among those whose strategy does not find pairs anyway: those whose
// seed is a multiple of it. Watching makes a run take several times as long.
const watchedSeeds = 8

// Watch begins to watch a run. In an instrumented program it watches only the user's instructions.
func (c *ConflictSet) Watch(wanted func(*rewrite.Inst) bool, r *explore.Run) *ConflictWatch {
	switch {
	case c == nil:
		return nil
	case r.Conflicts() != nil:
		return &ConflictWatch{r.Conflicts(), false}
	case r.Seed%watchedSeeds != 0:
		return nil
	}
	return &ConflictWatch{explore.NewConflicts(wanted), true}
}

// Listener returns what the run has to tell, nil if the run tells it already or is not watched.
func (w *ConflictWatch) Listener() emu.Listener {
	if w == nil || !w.own {
		return nil
	}
	return w.found.Listener()
}

// Hashes returns the pairs as numbers.
func (w *ConflictWatch) Hashes() (list []uint64) {
	if w == nil {
		return nil
	}
	for _, c := range w.found.All() {
		h := fnv.New64a()
		fmt.Fprint(h, c.First.Func.Name, " ", symbolize.UserLine(c.First), " ", c.Second.Func.Name, " ",
			symbolize.UserLine(c.Second), " ", c.Near)
		list = append(list, h.Sum64())
	}
	return list
}
